"""Techniques that assume a single solution: patterns that would leave two are not in it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import reduce
from itertools import combinations
from operator import and_, or_

from f2csp.reasoning.hint_model import House, bits
from f2csp.reasoning.marks import Deduction, Marks, enumerated


def unique_rectangle(marks: Marks) -> Iterator[Deduction]:
    """Four variables that could exchange two values; of types 1 to 5: two or more of them have no others."""
    for pair, cells in _rectangles(marks):
        more = {v: extra for v in cells if (extra := marks.domains[v] & ~pair)}
        found = [(_of_extras(marks, pair, more), 4.5, "")]
        if len(more) == 2:
            shared = frozenset.intersection(*[frozenset(marks.model.houses_of[v]) for v in more])
            found += [(removed, 4.5, "") for removed in _forced(marks, pair, cells, more) if shared]
            found += [step for house in shared for step in _with_subset(marks, more, house)]
        for removed, difficulty, words in found:
            if removed & marks.left:
                yield _exchange(marks, "unique rectangle", pair, cells, removed, difficulty, words)


def hidden_rectangle(marks: Marks) -> Iterator[Deduction]:
    """The same with more values in up to three of the variables, or in opposite ones (type 6), by strong links."""
    for pair, cells in _rectangles(marks):
        more = [v for v in cells if marks.domains[v] & ~pair]
        for starts in [more if len(more) == 2 else [], *([v] for v in more)]:
            for removed in _forced(marks, pair, cells, starts):
                yield _exchange(marks, "hidden rectangle", pair, cells, removed, 4.7)


def _exchange(
    marks: Marks, name: str, pair: int, cells: tuple[int, ...], removed: int, difficulty: float, words: str = ""
) -> Deduction:
    pattern = sum((pair & marks.domains[v]) << v * marks.model.width for v in cells)
    where = marks.places(pattern)
    values = enumerated([marks.model.words[value] for value in bits(pair)])
    reason = f"else {where} could exchange {values}, and there would be a second solution{words}"
    return Deduction(name, difficulty, pattern, where, reason, removed)


def _rectangles(marks: Marks) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Two values, and four open variables in a ring, the first of which has only these, that could exchange them."""
    model, domains = marks.model, marks.domains
    free = {v for v, cell in enumerate(model.cells) if not cell & marks.placed and not model.rules_of[v]}
    near = {v: {w for house in model.houses_of[v] for w in house.variables} & free - {v} for v in free}
    seen = set()
    for a in marks.bivalue.keys() & free:
        pair = domains[a]
        fits = {v for v in free if domains[v] & pair and model.cells[v] >> v * model.width & pair == pair}
        for b, d in combinations(near[a] & fits, 2):
            for c in near[b] & near[d] & fits - {a}:
                if frozenset((a, b, c, d)) not in seen and _can_exchange(marks, (a, c), (b, d)):
                    seen.add(frozenset((a, b, c, d)))
                    yield pair, (a, b, c, d)


def _can_exchange(marks: Marks, some: tuple[int, int], others: tuple[int, int]) -> bool:
    """Whether each house has as many of some variables as of the others."""
    n_of = [Counter(id(house) for v in pair for house in marks.model.houses_of[v]) for pair in (some, others)]
    return n_of[0] == n_of[1]


def _of_extras(marks: Marks, pair: int, more: Mapping[int, int]) -> int:
    """What all further values exclude, of which one is true; of a single variable that has some, the other values."""
    width, conflicts = marks.model.width, marks.model.conflicts
    if len(more) == 1:
        return sum(pair << v * width for v in more)
    extras = [v * width + value for v, extra in more.items() for value in bits(extra)]
    return reduce(and_, [conflicts[literal] for literal in extras], marks.left if extras else 0)


def _forced(marks: Marks, pair: int, cells: tuple[int, ...], starts: Collection[int]) -> Iterator[int]:
    """Each of the two values at some of the variables, where it leads to the exchange."""
    for value in [1 << value for value in bits(pair)]:
        found = [i for i, v in enumerate(cells) if v in starts and marks.domains[v] & value]
        leading = [cells[i] for i in found if _leads_around(marks, pair, cells, i, value)]
        if removed := sum(value << v * marks.model.width for v in leading):
            yield removed


def _leads_around(marks: Marks, pair: int, cells: tuple[int, ...], start: int, value: int) -> bool:
    """Whether a value of one of four variables determines the others: they have no more values, or by strong links."""
    model, agenda = marks.model, [start]
    for i in agenda:
        other = (pair ^ value if (i - start) % 2 == 0 else value).bit_length() - 1
        for j in {(i + 1) % 4, (i - 1) % 4}.difference(agenda):
            both = 1 << cells[i] * model.width + other | 1 << cells[j] * model.width + other
            houses = [house for house in model.houses_of[cells[i]] if house.is_full and cells[j] in house.variables]
            is_strong = any(house.literals[other] & marks.left | both == both for house in houses)
            if is_strong or not marks.domains[cells[j]] & ~pair:
                agenda.append(j)
    return len(agenda) == 4


def _with_subset(marks: Marks, more: Mapping[int, int], house: House) -> Iterator[tuple[int, float, str]]:
    """The two variables with further values as one of a naked subset of these in a house."""
    rest = {v: domain for v in house.variables if v not in more and (domain := marks.domains[v]).bit_count() > 1}
    for size in range(1, 4):
        for chosen in combinations(rest, size):
            union = reduce(or_, [*more.values(), *[rest[v] for v in chosen]])
            if union.bit_count() == size + 1:
                width = marks.model.width
                removed = sum((domain & union) << v * width for v, domain in rest.items() if v not in chosen)
                places = marks.places(sum(1 << v * width for v in chosen))
                words = f"; {places} and one of them hold the other values in {house.name}"
                yield removed, 4.5 + 0.1 * size, words


def bivalue_grave(marks: Marks) -> Iterator[Deduction]:
    """One variable of three values among those of two: BUG+1; a variable of no house has more solutions anyway."""
    model = marks.model
    if not all(model.houses_of[b // model.width] for b in bits(marks.open)):
        return
    large = [(v, domain) for v, domain in enumerate(marks.domains) if domain.bit_count() > 2]
    if len(large) != 1 or large[0][1].bit_count() != 3 or model.rules:
        return
    for value in bits(large[0][1]):
        literal = large[0][0] * model.width + value
        rest = marks.open & ~(1 << literal)
        counts = {(of & rest).bit_count() for house in model.houses for of in house.literals.values()}
        if counts <= {0, 2}:
            grave = f"all open {marks.noun}s would have two values, each twice in every group"
            reason = f"else {grave}, and there would be a second solution"
            where = marks.place(literal)
            yield Deduction("bivalue universal grave", 5.6, 1 << literal, where, reason, placed=(literal,))
