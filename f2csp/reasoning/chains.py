"""Wings, colouring and chains: strong links, of which one end is true, enumerated by conflicts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from f2csp.reasoning.hint_model import Unit, bits
from f2csp.reasoning.marks import Deduction, Marks, enumerated

_LENGTHS = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)  # beyond which a chain is 0.1 harder


def longer(length: int) -> float:
    """What a chain of this number of inferences adds to its difficulty."""
    return sum(length > limit for limit in _LENGTHS) / 10


@dataclass(frozen=True, slots=True)
class Closure:
    """What chains lead to from a literal that is true."""

    marks: Marks
    on: int
    off: int
    links: "list[_Link]"

    def chain(self, literal: int) -> "list[_Link]":
        """The links that lead to a literal; none for what the start excludes itself."""
        conflicts = self.marks.model.conflicts
        reached = (link for link in self.links if link.second == literal or conflicts[link.second] >> literal & 1)
        link = next(reached, None)
        return link.chain() if link else []

    def length(self, literal: int) -> int:
        return len(self.chain(literal))

    def words(self, literal: int) -> str:
        steps = [self.marks.literal(link.second) for link in self.chain(literal)]
        return "then " + ", then ".join([*steps, "so"]) if steps else "it is so"


def closures(marks: Marks) -> dict[int, Closure]:
    """For each open literal what chains lead to."""
    conflicts, left = marks.model.conflicts, marks.left
    partners = _partners(marks, None)
    linked = sum(1 << b for b in partners)
    found = {}
    for start in bits(left):
        links = [link for some in _walk(start, conflicts, left, linked, partners) for link in some]
        on, off = 1 << start, conflicts[start]
        for link in links:
            on |= 1 << link.second
            off |= conflicts[link.second]
        found[start] = Closure(marks, on, off & left, links)
    return found


def xyz_wing(marks: Marks) -> Iterator[Deduction]:
    """A pivot of three values, and two variables of two of these that share one: it is at one of the three."""
    model, domains = marks.model, marks.domains
    width, conflicts = model.width, model.conflicts
    for pivot, domain in enumerate(domains):
        if domain.bit_count() != 3:
            continue
        wings = [v for v in marks.bivalue if not domains[v] & ~domain]
        for pair in combinations(wings, 2):
            common = domains[pair[0]] & domains[pair[1]]
            others = [(v, (domains[v] ^ common).bit_length() - 1) for v in pair]
            if common.bit_count() == 1 and all(conflicts[pivot * width + o] >> v * width + o & 1 for v, o in others):
                ends = [v * width + common.bit_length() - 1 for v in (pivot, *pair)]
                removed = marks.left
                for end in ends:
                    removed &= conflicts[end]
                if removed:
                    pattern = sum(domains[v] << v * width for v in (pivot, *pair))

                    def reason(ends: list[int] = ends) -> str:
                        places = enumerated([marks.place(end) for end in ends], "or")
                        return f"whatever {marks.place(ends[0])} is, {marks.value(ends[0])} is at {places}"

                    yield Deduction("XYZ-wing", 4.4, (), removed, pattern, (marks.place(ends[0]),), reason)


@dataclass(frozen=True, slots=True)
class _Link:
    """A strong link on a chain: if ``first`` is false, ``second`` is true."""

    first: int
    second: int
    unit: Unit
    before: "_Link | None"

    def chain(self) -> list["_Link"]:
        return [*(self.before.chain() if self.before else ()), self]


def chains(
    marks: Marks, fits: Callable[[Unit], bool] | None = None, *, least: int = 2, most: int = 99
) -> Iterator[list[_Link]]:
    """The shortest chains of strong links in some units that remove a literal, those of fewest links first."""
    conflicts, left = marks.model.conflicts, marks.left
    partners = _partners(marks, fits)
    linked = sum(1 << b for b in partners)
    walks = {b: _walk(b, conflicts, left, linked, partners) for b in bits(marks.open)}
    for length in range(1, most + 1):
        for start, walk in [*walks.items()]:
            links = next(walk, None)
            if links is None:
                del walks[start]
                continue
            for link in links:
                if conflicts[start] >> link.second & 1:
                    if length >= least:
                        yield link.chain()
                    del walks[start]
                    break
        if not walks:
            break


def _partners(marks: Marks, fits: Callable[[Unit], bool] | None) -> dict[int, list[tuple[int, Unit]]]:
    """For each end of strong links the other ends, with their units."""
    partners: dict[int, list[tuple[int, Unit]]] = {}
    for first, second, unit in marks.strong:
        if fits is None or fits(unit):
            partners.setdefault(first, []).append((second, unit))
            partners.setdefault(second, []).append((first, unit))
    return partners


def _walk(
    start: int, conflicts: dict[int, int], left: int, linked: int, partners: dict[int, list[tuple[int, Unit]]]
) -> Iterator[list[_Link]]:
    """What is true if a literal is, link by link."""
    seen, known = conflicts[start] & left, 1 << start
    frontier: list[tuple[int, _Link | None]] = [(seen & linked, None)]
    while frontier:
        links: list[_Link] = []
        for firsts, before in frontier:
            for first in bits(firsts):
                for second, unit in partners[first]:
                    if not known >> second & 1:
                        known |= 1 << second
                        links.append(_Link(first, second, unit, before))
        if links:
            yield links
        frontier = []
        for link in links:
            new = conflicts[link.second] & left & ~seen
            seen |= new
            if new & linked:
                frontier.append((new & linked, link))


def turbot_fish(marks: Marks) -> Iterator[Deduction]:
    yield from _x_chains(marks, 4.0, least=2, most=2)


def x_chain(marks: Marks) -> Iterator[Deduction]:
    yield from _x_chains(marks, 5.0, least=3)


def _x_chains(marks: Marks, base: float, **lengths: int) -> Iterator[Deduction]:
    """Chains on one value, of equal length the easiest first: lines of one kind, then of two, or boxes, too."""
    found = []
    for links in chains(marks, lambda unit: unit.house is not None, **lengths):
        if len({b % marks.model.width for link in links for b in (link.first, link.second)}) == 1:
            houses = [link.unit.house for link in links if link.unit.house]
            n_kinds = len({house.kind for house in houses if house.is_line})
            mixed = any(not house.is_line for house in houses) + (n_kinds > 1)
            found.append((base + 0.4 * (len(links) - 2) + 0.1 * mixed, links))
    name = "turbot fish" if base == 4.0 else "X-chain"
    for difficulty, links in sorted(found, key=itemgetter(0)):
        yield _step(marks, links, name, difficulty)


def xy_wing(marks: Marks) -> Iterator[Deduction]:
    for links in chains(marks, _of_variable, least=3, most=3):
        yield _step(marks, links, "XY-wing", 4.2)


def w_wing(marks: Marks) -> Iterator[Deduction]:
    for links in chains(marks, least=3, most=3):
        if [link.unit.house is None for link in links] == [True, False, True]:
            yield _step(marks, links, "W-wing", 4.4)


def xy_chain(marks: Marks) -> Iterator[Deduction]:
    for links in chains(marks, _of_variable):
        yield _step(marks, links, "XY-chain", 6.6 + longer(2 * len(links)))


def aic(marks: Marks) -> Iterator[Deduction]:
    for links in chains(marks):
        yield _step(marks, links, "alternating inference chain", 7.0 + longer(2 * len(links)))


def _of_variable(unit: Unit) -> bool:
    return unit.house is None


def _step(marks: Marks, links: list[_Link], name: str, difficulty: float) -> Deduction:
    model = marks.model
    removed = model.conflicts[links[0].first] & model.conflicts[links[-1].second] & marks.left
    pattern = sum({1 << b for link in links for b in (link.first, link.second)})

    literal = marks.literal

    def reason() -> str:
        parts = [f"without {literal(links[0].first)}, it is {literal(links[0].second)}"]
        parts += [f"then not {literal(link.first)}, but {literal(link.second)}" for link in links[1:]]
        return f"either {literal(links[0].first)} or {literal(links[-1].second)}: {', '.join(parts)}"

    return Deduction(name, difficulty, (), removed, pattern, (marks.place(links[0].first),), reason)


def simple_colouring(marks: Marks) -> Iterator[Deduction]:
    """The places of a value that strong links join are of two colours; those of one are true."""
    conflicts = marks.model.conflicts
    partners = _partners(marks, lambda unit: unit.house is not None)
    seen: set[int] = set()
    for start in partners:
        if start in seen:
            continue
        colours, agenda = {start: 0}, [start]
        for b in agenda:
            for other in {other for other, _ in partners[b]} - colours.keys():
                colours[other] = 1 - colours[b]
                agenda.append(other)
        seen |= colours.keys()
        masks, views = [0, 0], [0, 0]
        for b, colour in colours.items():
            masks[colour] |= 1 << b
            views[colour] |= conflicts[b]
        false = [masks[colour] for colour in (0, 1) if masks[colour] & views[colour]]
        removed = false[0] if false else views[0] & views[1] & marks.left & ~masks[0] & ~masks[1]
        if removed and len(colours) > 2:

            def reason(masks: list[int] = masks, false: list[int] = false) -> str:
                sides = " or at ".join([marks.places(mask) for mask in masks])
                clash = ", and two of the former are in one group" if false else ""
                return f"{marks.values(masks[0])} is either at {sides}{clash}"

            masks = [*false, *(mask for mask in masks if mask not in false)]
            pattern = masks[0] | masks[1]
            yield Deduction("simple colouring", 4.3, (), removed, pattern, (marks.place(start),), reason)
