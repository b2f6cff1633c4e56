"""Wings, colouring and chains: strong links, of which one end is true, joined by conflicts."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_, itemgetter, or_

from f2csp.reasoning.hint_model import Unit, bits
from f2csp.reasoning.marks import Deduction, Marks, enumerated

_LENGTHS = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)  # beyond which a chain is 0.1 harder


def longer(length: int) -> float:
    """What a chain of this number of inferences adds to its difficulty."""
    return sum(length > limit for limit in _LENGTHS) / 10


@dataclass(frozen=True, slots=True)
class StrongLink:
    """A link of a chain: if ``first`` is false, ``second`` is true."""

    first: int
    second: int
    unit: Unit
    before: "StrongLink | None"

    @property
    def chain(self) -> list["StrongLink"]:
        return [*(self.before.chain if self.before else ()), self]


class Links:
    """The strong links in some units, and what follows along them.

    Attributes:
        partners: for each end those that it is linked to.
        groups: the literals of each end that has several: places of a value in a house of which one is true.
    """

    def __init__(self, marks: Marks, fits: Callable[[Unit], bool] = lambda _: True, *, grouped: bool = False) -> None:
        self._marks, self._left = marks, marks.left
        self._conflicts: dict[int, int] = marks.model.conflicts
        self.partners: dict[int, list[tuple[int, Unit]]] = {}
        self.groups: dict[int, int] = {}
        for first, second, unit in marks.strong:
            if fits(unit):
                self._join(first, second, unit)
        if grouped:
            self._join_groups()
        self._linked = sum(1 << end for end in self.partners)

    def _join(self, first: int, second: int, unit: Unit) -> None:
        self.partners.setdefault(first, []).append((second, unit))
        self.partners.setdefault(second, []).append((first, unit))

    def _join_groups(self) -> None:
        """Link where two houses meet to the rest of one; a group is excluded with the last of its literals."""
        model, left = self._marks.model, self._marks.left
        numbers: dict[int, int] = {}  # of groups, behind those of literals

        def end_of(literals: int) -> int:
            is_group = literals & (literals - 1)
            next_number = len(model.cells) * model.width + len(numbers)
            return numbers.setdefault(literals, next_number) if is_group else literals.bit_length() - 1

        for value, house, _, outside, _ in model.crossings:
            places = left & house.literals[value]
            if places & outside and places & ~outside and places.bit_count() > 2:
                self._join(end_of(places & outside), end_of(places & ~outside), Unit(places, house))
        self.groups = {number: group for group, number in numbers.items()}
        self._left |= sum(1 << number for number in self.groups)
        groups_at: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)  # by their first literals
        for number, group in self.groups.items():
            groups_at[(group & -group).bit_length() - 1].append((number, group))
        firsts = sum(1 << b for b in groups_at)
        self._conflicts = {}
        for end in [*bits(self._marks.open), *self.groups]:
            excluded = reduce(and_, [model.conflicts[b] for b in bits(self.groups.get(end, 1 << end))])
            whole = [n for b in bits(excluded & firsts) for n, group in groups_at[b] if not group & ~excluded]
            self._conflicts[end] = excluded | sum(1 << number for number in whole)

    def walk(self, start: int) -> Iterator[list[StrongLink]]:
        """What is true if a literal is: the links to it, those of a length after the other."""
        conflicts, left, linked = self._conflicts, self._left, self._linked
        seen, known = conflicts[start] & left, 1 << start
        frontier: list[tuple[int, StrongLink | None]] = [(seen & linked, None)]
        while frontier:
            links: list[StrongLink] = []
            for firsts, before in frontier:
                for first in bits(firsts):
                    for second, unit in self.partners[first]:
                        if not known >> second & 1:
                            known |= 1 << second
                            links.append(StrongLink(first, second, unit, before))
            yield links
            frontier = []
            for link in links:
                new = conflicts[link.second] & left & ~seen
                seen |= new
                if new & linked:
                    frontier.append((new & linked, link))

    def chains(self, starts: int, *, least: int = 2, most: int = 99) -> Iterator[list[StrongLink]]:
        """The shortest chain that removes each of some literals, those of fewest links first."""
        walks = {b: self.walk(b) for b in bits(starts)}
        for length in range(1, most + 1):
            self._marks.check_time()
            for start, walk in [*walks.items()]:
                links = next(walk, None)
                end = next((link for link in links or () if self._conflicts[start] >> link.second & 1), None)
                if end or links is None:
                    del walks[start]
                if end and length >= least:
                    yield end.chain
            if not walks:
                break

    def deduction(self, chain: list[StrongLink], name: str, difficulty: float) -> Deduction:
        """What a chain removes."""
        marks, conflicts = self._marks, self._marks.model.conflicts
        ends = [[self.groups.get(end, 1 << end) for end in (link.first, link.second)] for link in chain]
        removed = reduce(and_, [conflicts[b] for b in bits(ends[0][0] | ends[-1][1])], marks.left)
        pattern = reduce(or_, [first | second for first, second in ends])
        (start, first), *others = [[marks.one_of(literals) for literals in pair] for pair in ends]
        parts = [f"without {start}, it is {first}", *[f"then not {one}, but {other}" for one, other in others]]
        reason = f"either {start} or {marks.one_of(ends[-1][1])}: {', '.join(parts)}"
        return Deduction(name, difficulty, pattern, marks.places(ends[0][0]), reason, removed)


def xyz_wing(marks: Marks) -> Iterator[Deduction]:
    """A pivot of three values, and two variables of two of these that share one: it is at one of the three."""
    model, domains, conflicts = marks.model, marks.domains, marks.model.conflicts
    for pivot, domain in ((v, domain) for v, domain in enumerate(domains) if domain.bit_count() == 3):
        for pair in combinations([v for v in marks.bivalue if not domains[v] & ~domain], 2):
            common = domains[pair[0]] & domains[pair[1]]
            others = [(v, (domains[v] ^ common).bit_length() - 1) for v in pair]
            if common.bit_count() > 1 or not all(
                conflicts[pivot * model.width + value] >> v * model.width + value & 1 for v, value in others
            ):
                continue
            ends = [v * model.width + common.bit_length() - 1 for v in (pivot, *pair)]
            removed = marks.left & conflicts[ends[0]] & conflicts[ends[1]] & conflicts[ends[2]]
            if removed:
                pattern = sum(domains[v] << v * model.width for v in (pivot, *pair))
                where = marks.place(ends[0])
                places = enumerated([marks.place(end) for end in ends], "or")
                reason = f"whatever {where} is, {marks.value(ends[0])} is at {places}"
                yield Deduction("XYZ-wing", 4.4, pattern, where, reason, removed)


def x_chains(marks: Marks, name: str, **lengths: int) -> Iterator[Deduction]:
    """Chains on one value, of equal length the easiest first: lines of one kind, then of two, or boxes, too."""
    links, found = Links(marks, _of_house), []
    for chain in links.chains(marks.open, **lengths):
        if len({b % marks.model.width for link in chain for b in (link.first, link.second)}) == 1:
            houses = [link.unit.house for link in chain if link.unit.house]
            n_kinds = len({house.kind for house in houses if house.is_line})
            mixed = any(not house.is_line for house in houses) + (n_kinds > 1)
            base = 4.0 if len(chain) == 2 else 4.2 + 0.4 * len(chain)
            found.append((base + 0.1 * mixed, chain))
    for difficulty, chain in sorted(found, key=itemgetter(0)):
        yield links.deduction(chain, name, difficulty)


def w_wing(marks: Marks) -> Iterator[Deduction]:
    links = Links(marks)
    for chain in links.chains(marks.open, least=3, most=3):
        if [of_variable(link.unit) for link in chain] == [True, False, True]:
            yield links.deduction(chain, "W-wing", 4.4)


def alternating_chains(
    marks: Marks,
    name: str,
    base: float,
    fits: Callable[[Unit], bool] = lambda _: True,
    *,
    grouped: bool = False,
    **lengths: int,
) -> Iterator[Deduction]:
    links = Links(marks, fits, grouped=grouped)
    for chain in links.chains(marks.open, **lengths):
        yield links.deduction(chain, name, base + longer(2 * len(chain)))


def _of_house(unit: Unit) -> bool:
    return unit.house is not None


def of_variable(unit: Unit) -> bool:
    return unit.house is None


def simple_colouring(marks: Marks) -> Iterator[Deduction]:
    """The places of a value that strong links join are of two colours; those of one are true."""
    partners = Links(marks, _of_house).partners
    colours: dict[int, int] = {}
    for start in partners:
        if start in colours:
            continue
        colours[start], agenda = 0, [start]
        masks, views = [0, 0], [0, 0]
        for b in agenda:
            masks[colours[b]] |= 1 << b
            views[colours[b]] |= marks.model.conflicts[b]
            for other in {other for other, _ in partners[b]} - colours.keys():
                colours[other] = 1 - colours[b]
                agenda.append(other)
        false = next((colour for colour in (0, 1) if masks[colour] & views[colour]), None)
        removed = views[0] & views[1] & marks.left & ~masks[0] & ~masks[1] if false is None else masks[false]
        if removed and len(agenda) > 2:
            sides = " or at ".join([marks.places(mask) for mask in masks])
            clash = "" if false is None else f", but not at {marks.places(masks[false])}, of which two are in one group"
            reason = f"{marks.values(masks[0])} is either at {sides}{clash}"
            yield Deduction("simple colouring", 4.3, masks[0] | masks[1], marks.place(start), reason, removed)
