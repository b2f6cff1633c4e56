"""Techniques that assume a single solution: patterns that would leave two are not in it."""

from collections import Counter
from collections.abc import Iterator

from f2csp.reasoning.hint_model import bits
from f2csp.reasoning.marks import Deduction, Marks


def unique_rectangle(marks: Marks) -> Iterator[Deduction]:
    """Four variables that could exchange two values, of types 1, 2 and 4."""
    model, domains = marks.model, marks.domains
    near = [{v for house in houses for v in house.variables} - {i} for i, houses in enumerate(model.houses_of)]
    for a in marks.bivalue:
        pair = domains[a]
        fits = {v for v, domain in enumerate(domains) if domain & pair == pair and not model.rules_of[v]}
        for b in (v for v in near[a] & fits if domains[v] == pair and a in fits):
            for c in near[b] & fits - {a}:
                for d in near[a] & near[c] & fits - {b}:
                    removed = _of_roof(marks, pair, c, d) if _can_exchange(marks, (a, c), (b, d)) else 0
                    if removed:
                        pattern = sum(pair << v * model.width for v in (a, b, c, d))
                        where = marks.places(pattern)
                        exchange = f"{where} could exchange {marks.values(pattern)}"
                        reason = f"else {exchange}, and there would be a second solution"
                        yield Deduction("unique rectangle", 4.5, pattern, where, reason, removed)


def _can_exchange(marks: Marks, some: tuple[int, int], others: tuple[int, int]) -> bool:
    """Whether each house has as many of some variables as of the others."""
    n_of = [Counter(id(house) for v in pair for house in marks.model.houses_of[v]) for pair in (some, others)]
    return n_of[0] == n_of[1]


def _of_roof(marks: Marks, pair: int, c: int, d: int) -> int:
    """What the two variables that may have more values cannot be, or what they exclude."""
    model, width = marks.model, marks.model.width
    more = [marks.domains[v] & ~pair for v in (c, d)]
    if not all(more):
        return sum(pair << v * width for v, other in zip((c, d), more, strict=True) if other)
    if more[0] == more[1] and more[0].bit_count() == 1:
        value = more[0].bit_length() - 1
        return model.conflicts[c * width + value] & model.conflicts[d * width + value] & marks.left
    for value in bits(pair):
        both = 1 << c * width + value | 1 << d * width + value
        if any(house.is_full and house.literals[value] & marks.left == both for house in model.houses_of[c]):
            other = (pair ^ 1 << value).bit_length() - 1
            return 1 << c * width + other | 1 << d * width + other
    return 0


def bivalue_grave(marks: Marks) -> Iterator[Deduction]:
    """One variable of three values among those of two: BUG+1."""
    model = marks.model
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
