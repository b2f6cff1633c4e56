"""What chains of tables say together: linear sums, which travel beside their tables.

The tables remain the definition. A record is information for engines that know sums: a chain has the same solutions on
the variables of the sum, and its state variables follow from these, so that an engine can leave both out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

MAX_WEIGHT = 1 << 40
"""The largest weight of a sum that engines take."""

Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """What each value of a variable adds to a sum."""

    words: NDArray[np.int32]  # all values of the variable's domain, ascending
    weights: NDArray[np.int64]

    def line(self, numbers: NDArray[np.int64]) -> tuple[int, int] | None:
        """The factor and the constant, if the weights are a linear function of the numbers of the words."""
        x, weights = numbers[self.words], self.weights
        factor = int(weights[-1] - weights[0]) // int(x[-1] - x[0]) if len(x) > 1 else 0
        constant = int(weights[0]) - factor * int(x[0])
        return (factor, constant) if np.array_equal(weights, factor * x + constant) else None


@dataclass(frozen=True, slots=True, eq=False)
class LinearSum:
    """Constraints that together say that sums of the first ``n`` terms, as a rule of all, are in some ranges.

    In a problem, variables and constraints are indices.
    """

    variables: tuple[int, ...]
    terms: tuple[Term, ...]  # one for each variable
    ranges: tuple[tuple[int, Ranges], ...]  # each with its n; ascending
    constraints: tuple[int, ...]  # each, in this order, gives the value of one state variable at most
    states: tuple[int, ...]

    def moved(self, move: Callable[[int], int | None]) -> Iterator[Self]:
        """The record for the indices that constraints move to; nothing if one of its own is removed."""
        moved = [index for constraint in self.constraints if (index := move(constraint)) is not None]
        if len(moved) == len(self.constraints):
            yield replace(self, constraints=tuple(moved))

    def renumbered(self, variables: NDArray[np.int32]) -> Self:
        """The record for a problem in which each variable has another index."""
        variables_, states = (tuple(variables[list(names)].tolist()) for names in (self.variables, self.states))
        return replace(self, variables=variables_, states=states)

    def in_words(self, numbers: NDArray[np.int64]) -> str:
        """The sum, such as "sum of 9 variables = 45"; ``numbers`` are those of the words."""
        n = len(self.variables)
        lines = [term.line(numbers) for term in self.terms]
        is_count = all(len(np.unique(term.weights)) <= 2 for term in self.terms)
        if all(line is not None and line[0] == 1 for line in lines):
            noun = "sum"
        else:
            noun = "count" if is_count and None in lines else "weighted sum"
        shift = sum(line[1] if line else int(term.weights.min()) for line, term in zip(lines, self.terms, strict=True))
        least, most = (sum(int(extreme(term.weights)) for term in self.terms) for extreme in (np.min, np.max))
        of_all = [ranges for n_terms, ranges in self.ranges if n_terms == n]
        ((low, high), *others) = of_all[0] if of_all else ((least, most),)
        if others:
            return f"{noun} of {n} variables in {1 + len(others)} ranges"
        if low == high:
            return f"{noun} of {n} variables = {low - shift}"
        bounds = [f"{low - shift} <="] * (low > least), [f"<= {high - shift}"] * (high < most)
        return " ".join([*bounds[0], f"{noun} of {n} variables", *bounds[1]])
