"""The functions that expressions of XCSP3 are made of, over arrays of integers; true is 1 and false is 0."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Function = Callable[..., NDArray[np.generic]]
Bound = Callable[..., int]


@dataclass(frozen=True, slots=True)
class Operator:
    """A function.

    Attributes:
        function: from arrays to an array.
        n_least: how many arguments it takes at least.
        n_most: how many it takes at most.
        bound: from the largest magnitudes of the arguments to that of the result.
    """

    function: Function
    n_least: int
    n_most: float
    bound: Bound


def _one(*_: int) -> int:
    return 1


def _sum(*bounds: int) -> int:
    return sum(bounds)


def _product(*bounds: int) -> int:
    return prod(bounds)


def _power(base: int, exponent: int) -> int:
    return base ** min(exponent, 64) if base > 1 else 1


def _power_of(base: Numbers, exponent: Numbers) -> Numbers:
    return np.where(exponent < 0, 0, np.power(base, np.maximum(exponent, 0)))


def _quotient(dividend: Numbers, divisor: Numbers) -> Numbers:
    """Rounded to zero, as all solvers do."""
    quotient: Numbers = np.sign(dividend) * np.sign(divisor) * (np.abs(dividend) // np.abs(divisor))
    return quotient


def _remainder(dividend: Numbers, divisor: Numbers) -> Numbers:
    remainder: Numbers = np.sign(dividend) * (np.abs(dividend) % np.abs(divisor))
    return remainder


def _all_equal(*arguments: Numbers) -> NDArray[np.bool_]:
    return reduce(np.logical_and, [one == other for one, other in pairwise(arguments)])


def _member(number: Numbers, *members: Numbers) -> NDArray[np.bool_]:
    return reduce(np.logical_or, [number == member for member in members], np.zeros(1, dtype=np.bool_))


def _no_member(number: Numbers, *members: Numbers) -> NDArray[np.bool_]:
    return ~_member(number, *members)


def _chosen(condition: Numbers, one: Numbers, other: Numbers) -> Numbers:
    return np.where(condition != 0, one, other)


def _truth(*arguments: Numbers) -> list[NDArray[np.bool_]]:
    return [argument != 0 for argument in arguments]


def _all(*arguments: Numbers) -> NDArray[np.bool_]:
    return reduce(np.logical_and, _truth(*arguments))


def _any(*arguments: Numbers) -> NDArray[np.bool_]:
    return reduce(np.logical_or, _truth(*arguments))


def _odd(*arguments: Numbers) -> NDArray[np.bool_]:
    return reduce(np.logical_xor, _truth(*arguments))


def _equivalent(*arguments: Numbers) -> NDArray[np.bool_]:
    return reduce(np.logical_and, [one == other for one, other in pairwise(_truth(*arguments))])


BY_NAME: dict[str, Operator] = {
    "neg": Operator(np.negative, 1, 1, _sum),
    "abs": Operator(np.absolute, 1, 1, _sum),
    "add": Operator(lambda *terms: reduce(np.add, terms), 1, inf, _sum),
    "sub": Operator(np.subtract, 2, 2, _sum),
    "mul": Operator(lambda *factors: reduce(np.multiply, factors), 1, inf, _product),
    "div": Operator(_quotient, 2, 2, lambda dividend, _: dividend),
    "mod": Operator(_remainder, 2, 2, lambda dividend, _: dividend),
    "sqr": Operator(np.square, 1, 1, lambda bound: bound * bound),
    "pow": Operator(_power_of, 2, 2, _power),
    "min": Operator(lambda *numbers: reduce(np.minimum, numbers), 1, inf, max),
    "max": Operator(lambda *numbers: reduce(np.maximum, numbers), 1, inf, max),
    "dist": Operator(lambda one, other: np.abs(one - other), 2, 2, _sum),
    "lt": Operator(np.less, 2, 2, _one),
    "le": Operator(np.less_equal, 2, 2, _one),
    "ge": Operator(np.greater_equal, 2, 2, _one),
    "gt": Operator(np.greater, 2, 2, _one),
    "ne": Operator(np.not_equal, 2, 2, _one),
    "eq": Operator(_all_equal, 2, inf, _one),
    "in": Operator(_member, 1, inf, _one),
    "notin": Operator(_no_member, 1, inf, _one),
    "not": Operator(np.logical_not, 1, 1, _one),
    "and": Operator(_all, 1, inf, _one),
    "or": Operator(_any, 1, inf, _one),
    "xor": Operator(_odd, 1, inf, _one),
    "iff": Operator(_equivalent, 2, inf, _one),
    "imp": Operator(lambda one, other: (one == 0) | (other != 0), 2, 2, _one),
    "if": Operator(_chosen, 3, 3, max),
}
"""``in`` and ``notin`` have the members of their set as further arguments."""

COMPARISONS = ("lt", "le", "ge", "gt", "ne", "eq")
DIVISIONS = ("div", "mod")
SETS = ("in", "notin")

OPERATORS = frozenset({*BY_NAME, "set"})
"""Names that no variable may have."""
