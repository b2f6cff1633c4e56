"""One integer for each value of a problem, for back ends that know integers alone.

A value is its own integer unless it is too large for the back end, or a symbol. Which constraints say the same of the
integers as of the values follows from that: equality and tables always do, an order where the numbering keeps it, and
sums, differences and parities where every value of both domains is its own integer.
"""

from dataclasses import dataclass
from itertools import count
from typing import Self

import numpy as np

from f2csp.arrays import Bools
from f2csp.model import Ids, Offsets, Problem
from f2csp.model.words import is_integer
from f2csp.structure.meanings import ConstraintKind

_ORDERED = [ConstraintKind[name] for name in ("LESS", "LESS_OR_EQUAL", "GREATER", "GREATER_OR_EQUAL")]


@dataclass(frozen=True, slots=True)
class Numbering:
    """The integers of a problem's words, distinct for distinct words."""

    problem: Problem
    numbers: Offsets  # for each word its integer
    is_own: Bools  # for each word whether that is the integer that it spells
    keeps_order: bool  # whether the integers of all words that spell integers are in the order of these

    @classmethod
    def in_order(cls, problem: Problem, largest: int) -> Self:
        """Integers beyond ``largest``, on either side, follow on the others in their order, and symbols on these."""
        integers = sorted((int(word), i) for i, word in enumerate(problem.words) if is_integer(word))
        symbols = [i for i, word in enumerate(problem.words) if not is_integer(word)]
        numbers, is_own = _own_numbers(problem, largest)
        least, greatest = (numbers[is_own].min(), numbers[is_own].max()) if is_own.any() else (0, -1)
        below = [i for number, i in integers if number < -largest]
        above = [i for number, i in integers if number > largest] + symbols
        numbers[below] = least + np.arange(-len(below), 0, dtype=np.int64)
        numbers[above] = greatest + np.arange(1, len(above) + 1, dtype=np.int64)
        return cls(problem, numbers, is_own, keeps_order=True)

    @classmethod
    def compact(cls, problem: Problem, largest: int, first: int = 0) -> Self:
        """Symbols, and integers beyond ``largest``, have the least unused integers from ``first`` on."""
        numbers, is_own = _own_numbers(problem, largest)
        taken = set(numbers[is_own].tolist())
        unused = (number for number in count(first) if number not in taken)
        others = np.flatnonzero(~is_own)
        numbers[others] = [next(unused) for _ in range(len(others))]
        return cls(problem, numbers, is_own, keeps_order=bool(is_own.all()))

    def is_exact(self, kind: ConstraintKind, scopes: Ids) -> Bools:
        """For each scope, whether a constraint of this kind says the same of the integers as of the values."""
        if kind in (ConstraintKind.EQUAL, ConstraintKind.DIFFERENT) or (self.keeps_order and kind in _ORDERED):
            return np.ones(len(scopes), dtype=np.bool_)
        of_domain = np.array([bool(self.is_own[values].all()) for values in self.problem.domain_values], dtype=np.bool_)
        is_exact: Bools = np.all(of_domain[self.problem.variable_domains[scopes]], axis=1)
        return is_exact


def _own_numbers(problem: Problem, largest: int) -> tuple[Offsets, Bools]:
    """The integers of the words that keep theirs, 0 for the others; and which words do."""
    is_own = np.array([is_integer(word) and abs(int(word)) <= largest for word in problem.words], dtype=np.bool_)
    numbers = np.zeros(len(problem.words), dtype=np.int64)
    numbers[is_own] = [int(problem.words[i]) for i in np.flatnonzero(is_own).tolist()]
    return numbers, is_own
