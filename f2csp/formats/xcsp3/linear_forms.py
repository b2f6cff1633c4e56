"""Expressions as sums: their summands, and the ranges that a sum is in."""

from collections.abc import Sequence
from itertools import pairwise
from math import inf, prod

from f2csp.formats.xcsp3.declarations import Step
from f2csp.formats.xcsp3.expressions import COMPARISONS, LOGICAL, arguments, scoped

Steps = Sequence[Step]

Range = tuple[float, float]
_RANGES: dict[str, tuple[Range, ...]] = {  # of the difference of both sides
    "lt": ((-inf, -1),),
    "le": ((-inf, 0),),
    "ge": ((0, inf),),
    "gt": ((1, inf),),
    "eq": ((0, 0),),
    "ne": ((-inf, -1), (1, inf)),
}


def call(name: str, *terms: Steps) -> list[Step]:
    """The function of some terms."""
    return [*(step for term in terms for step in term), (name, len(terms))]


def merged(after: int, least: int, most: int, ranges: Sequence[Range], lowest: int) -> int | None:
    """A partial sum to which others add ``least`` to ``most``; None if it cannot end in one of the ranges.

    Partial sums that cannot leave a range are the same, the lowest: ``structure`` finds the sum again from this one.
    """
    for first, last in ranges:
        if after + least >= first and after + most <= last:
            return max(int(first) - least, lowest) if first > -inf else lowest
        if after + most >= first and after + least <= last:
            return after
    return None


def complement(ranges: Sequence[Range]) -> list[Range]:
    """The ranges between sorted ranges."""
    ends = [(-inf, -inf), *ranges, (inf, inf)]
    gaps = [(one[1] + 1, other[0] - 1) for one, other in pairwise(ends)]
    return [(first, last) for first, last in gaps if first <= last and first < inf and last > -inf]


def is_constant(term: Steps) -> bool:
    """Whether a term is a number."""
    return len(term) == 1 and isinstance(term[0], int)


def truth(term: Steps) -> Steps:
    """A term as 0 or 1."""
    last = term[-1]
    return term if isinstance(last, tuple) and last[0] in LOGICAL else call("ne", term, [0])


def ranges_of(name: str, terms: Sequence[Steps]) -> tuple[Range, ...] | None:
    """The ranges for the first term, less the second one in a comparison; None if the function compares nothing."""
    if name in COMPARISONS:
        return _RANGES[name]
    members = [term[0] for term in terms[1:] if isinstance(term[0], int)]
    if name == "in":
        return tuple((member, member) for member in sorted(set(members)))
    if name == "notin":
        ends = [-inf, *sorted(set(members)), inf]
        return tuple((first + 1, last - 1) for first, last in pairwise(ends) if first + 1 <= last - 1)
    if name == "in..":
        return ((members[0], members[1]),)
    return ((-inf, members[0] - 1), (members[1] + 1, inf)) if name == "notin.." else None


def add_linear(steps: Steps, factor: int, summands: list[tuple[int, Steps]]) -> int:
    """Add the summands of an expression times a factor to the others; give the sum of its constants."""
    if isinstance(steps[-1], int):
        return factor * steps[-1]
    name, terms = arguments(steps)
    if name == "mul" and sum(not is_constant(term) for term in terms) == 1:
        factor *= prod(term[0] for term in terms if isinstance(term[0], int) and len(term) == 1)
        return add_linear(next(term for term in terms if not is_constant(term)), factor, summands)
    if name in ("add", "neg", "sub"):
        signs = {"add": [1] * len(terms), "neg": [-1], "sub": [1, -1]}[name]
        return sum(add_linear(term, sign * factor, summands) for term, sign in zip(terms, signs, strict=True))
    summands.append((factor, steps))
    return 0


def is_sum(name: str, terms: Sequence[Steps]) -> bool:
    """Whether a comparison is one of sums of functions of one variable each."""
    summands: list[tuple[int, Steps]] = []
    for term in terms if name in COMPARISONS else ():
        add_linear(term, 1, summands)
    return bool(summands) and all(len(scoped(term)[0]) <= 1 for _, term in summands)
