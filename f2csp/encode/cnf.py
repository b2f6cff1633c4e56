"""Clauses in arrays: a formula in conjunctive normal form, and the way to one."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from f2csp.arrays import by_value
from f2csp.diagnostics import Unsuitable
from f2csp.model import Ids, Offsets

MAX_LITERALS = (1 << 31) - 1
"""The largest literal that 32 bits hold, as in most solvers."""


@dataclass(frozen=True, slots=True)
class Cnf:
    """A formula: each clause is a disjunction of literals, a positive number or, negated, the same below zero.

    Attributes:
        n_literals: how many positive literals there are; they are counted from 1.
        blocks: the clauses, some of the same width in each block. A clause that cannot hold is a row of width 0.

    Shape:
        blocks: (n_clauses, width) each, int32; none has no row.
    """

    n_literals: int
    blocks: tuple[Ids, ...]

    @property
    def n_clauses(self) -> int:
        """How many clauses there are."""
        return sum(len(block) for block in self.blocks)


class CnfBuilder:
    """Collects literals and clauses."""

    def __init__(self, n_literals: int = 0) -> None:
        """Begin with so many literals and no clause.

        Raises:
            Unsuitable: there are more literals than fit in 32 bits.
        """
        self._blocks: list[Ids] = []
        self.n_literals = 0
        self.new(n_literals)

    def new(self, n: int) -> int:
        """Add so many literals, and give the first of them.

        Raises:
            Unsuitable: there are more literals than fit in 32 bits then.
        """
        first = self.n_literals + 1
        self.n_literals += n
        if self.n_literals > MAX_LITERALS:
            raise Unsuitable(f"as clauses the problem has more than {MAX_LITERALS} literals")
        return first

    def add(self, clauses: Ids) -> None:
        """Add clauses, one in each row."""
        if len(clauses):
            self._blocks.append(clauses)

    def contradict(self) -> None:
        """Add a clause that cannot hold."""
        self.add(np.empty((1, 0), dtype=np.int32))

    def build(self) -> Cnf:
        """The formula as it is now."""
        return Cnf(self.n_literals, tuple(self._blocks))


def rows_of(literals: Ids, keys: Ids | Offsets) -> Iterator[Ids]:
    """The literals with the same key in a row, the rows in an array for each length that there is.

    Complexity:
        time O(n log n) for n literals, O(n) where the keys ascend.

    Shape:
        literals, keys: (n,).
    """
    if not len(keys):
        return
    if (keys[1:] < keys[:-1]).any():
        order = np.argsort(keys, kind="stable")
        literals, keys = literals[order], keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    for length, rows in by_value(np.diff(starts, append=len(keys))):
        yield literals[starts[rows][:, None] + np.arange(length)]
