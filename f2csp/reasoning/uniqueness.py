"""Techniques that assume a single solution: patterns that would leave two are not in it."""

from collections import Counter
from collections.abc import Iterator

from f2csp.reasoning.hint_model import bits
from f2csp.reasoning.marks import Deduction, Marks


def unique_rectangle(marks: Marks) -> Iterator[Deduction]:
    """Four variables that could exchange two values, of types 1, 2 and 4."""
    model, width, domains = marks.model, marks.model.width, marks.domains
    near = [{v for house in houses for v in house.variables} - {i} for i, houses in enumerate(model.houses_of)]
    for a in marks.bivalue:
        pair = domains[a]
        fits = {v for v, domain in enumerate(domains) if domain & pair == pair and not model.rules_of[v]} - {a}
        for b in near[a] & fits:
            for c in near[b] & fits if domains[b] == pair else ():
                for d in near[a] & near[c] & fits - {b}:
                    if c != a and _can_exchange(marks, (a, c), (b, d)):
                        removed = _of_roof(marks, pair, c, d)
                        if removed:
                            pattern = sum(pair << v * width for v in (a, b, c, d))

                            def reason(pattern: int = pattern) -> str:
                                return (
                                    f"else {marks.places(pattern)} could exchange {marks.values(pattern)}, "
                                    "and there would be a second solution"
                                )

                            yield Deduction(
                                "unique rectangle", 4.5, (), removed, pattern, (marks.places(pattern),), reason
                            )


def _can_exchange(marks: Marks, some: tuple[int, int], others: tuple[int, int]) -> bool:
    """Whether each house has as many of some variables as of the others, which no rule is about."""
    model = marks.model
    if any(model.rules_of[v] for v in (*some, *others)):
        return False
    signed = Counter({id(house): 0 for v in some for house in model.houses_of[v]})
    signed.update(id(house) for v in some for house in model.houses_of[v])
    signed.subtract(id(house) for v in others for house in model.houses_of[v])
    return not any(signed.values())


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
        for house in model.houses_of[c]:
            if house.is_full and house.literals[value] & marks.left == both:
                other = (pair ^ 1 << value).bit_length() - 1
                return 1 << c * width + other | 1 << d * width + other
    return 0


def bivalue_grave(marks: Marks) -> Iterator[Deduction]:
    """One variable of three values among those of two: BUG+1."""
    model = marks.model
    large = [v for v, domain in enumerate(marks.domains) if domain.bit_count() > 2]
    if len(large) != 1 or marks.domains[large[0]].bit_count() != 3 or model.rules:
        return
    for value in bits(marks.domains[large[0]]):
        literal = large[0] * model.width + value
        rest = marks.open & ~(1 << literal)
        counts = {(of & rest).bit_count() for house in model.houses for of in house.literals.values()}
        if counts <= {0, 2}:
            name = marks.place(literal)

            def reason() -> str:
                grave = f"all open {marks.noun}s would have two values, each twice in every group"
                return f"else {grave}, and there would be a second solution"

            yield Deduction("bivalue universal grave", 5.6, (literal,), 0, 1 << literal, (name,), reason)
