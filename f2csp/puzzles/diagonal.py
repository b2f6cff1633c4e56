"""Diagonal Sudoku, also called Sudoku X: both diagonals hold each value once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from f2csp.puzzles.puzzle import Cell, Conflict, Layout
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import Rules


@dataclass(frozen=True, slots=True)
class Diagonal(Sudoku):
    """A Sudoku whose diagonals hold each value once too; see :class:`Sudoku`."""

    KIND: ClassVar[str] = "diagonal"
    NAME: ClassVar[str] = "Diagonal Sudoku"

    def add_rules(self, rules: Rules) -> None:
        """The pairs of the Sudoku, then those of each diagonal that are in no common box, from the top down."""
        Sudoku.add_rules(self, rules)
        boxes = np.array(self.labels()).ravel()
        diagonals = (np.diagonal(cells).tolist() for cells in (rules.cells, rules.cells[:, ::-1]))
        pairs = [pair for cells in diagonals for pair in combinations(cells, 2) if boxes[pair[0]] != boxes[pair[1]]]
        if pairs:
            rules.add(pairs, rules.relation("Reject", [(value, value) for value in self.values]))

    def groups(self) -> Mapping[str, Sequence[Cell]]:
        numbers = range(1, self.size + 1)
        falling, rising = [Cell(i, i) for i in numbers], [Cell(i, self.size + 1 - i) for i in numbers]
        return {**Sudoku.groups(self), "the falling diagonal": falling, "the rising diagonal": rising}

    def conflicts(self) -> Iterator[Conflict]:
        return self._repeated_values()

    def layout(self) -> Layout:
        """Lines around the boxes; blank cells show the diagonals."""
        blanks = {Cell(i, self.size + 1 - i): "/" for i in range(1, self.size + 1)}
        for i in range(1, self.size + 1):
            blanks[Cell(i, i)] = "X" if Cell(i, i) in blanks else "\\"
        return Layout(regions=self.labels(), blanks=blanks)
