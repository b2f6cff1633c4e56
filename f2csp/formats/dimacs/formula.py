"""The clauses of a file as they stand there."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from f2csp.arrays import by_value
from f2csp.model import Ids, Offsets

MOST_UNUSED = 1_000_000
"""Variables that a file may declare beyond the numbers in it; each takes memory."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula.

    Attributes:
        n_variables: how many variables are declared.
        literals: those of all clauses end to end.
        offsets: where each clause begins; one more at the end.
        notes: from where to where in the text there may be notes.

    Shape:
        literals: (n,), int32; offsets: (n_clauses + 1,), int64.
    """

    n_variables: int
    literals: Ids
    offsets: Offsets
    notes: tuple[int, int]

    @property
    def n_clauses(self) -> int:
        """How many clauses there are."""
        return len(self.offsets) - 1

    def blocks(self) -> Iterator[tuple[Offsets, Ids]]:
        """For each width the numbers of the clauses that have it, and these clauses, one in each row."""
        for width, clauses in by_value(np.diff(self.offsets)):
            yield clauses, self.literals[self.offsets[clauses][:, None] + np.arange(width)]


def formula_of(n_variables: int, numbers: Ids, notes: tuple[int, int]) -> Formula:
    """The formula whose clauses are these numbers, each ended by a zero."""
    ends = np.flatnonzero(numbers == 0)
    offsets = np.concatenate(([0], ends - np.arange(len(ends))))
    return Formula(n_variables, numbers[numbers != 0], offsets, notes)
