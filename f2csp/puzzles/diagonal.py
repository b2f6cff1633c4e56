"""Diagonal Sudoku, also called Sudoku X: both diagonals hold each value once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from f2csp.puzzles.puzzle import BOX_AND_SIZE, Cell, Generator, Layout, PuzzleKind
from f2csp.puzzles.sudoku import Sudoku


@dataclass(frozen=True, slots=True)
class Diagonal(Sudoku):
    """A Sudoku whose diagonals hold each value once too; see :class:`Sudoku`."""

    KIND: ClassVar[str] = "diagonal"

    def more_groups(self) -> Mapping[str, Sequence[Cell]]:
        numbers = range(1, self.size + 1)
        falling, rising = [Cell(i, i) for i in numbers], [Cell(i, self.size + 1 - i) for i in numbers]
        return {"the falling diagonal": falling, "the rising diagonal": rising}

    def layout(self) -> Layout:
        """Lines around the boxes; blank cells show the diagonals."""
        blanks = {Cell(i, self.size + 1 - i): "/" for i in range(1, self.size + 1)}
        for i in range(1, self.size + 1):
            blanks[Cell(i, i)] = "X" if Cell(i, i) in blanks else "\\"
        return Layout(regions=self.labels(), blanks=blanks)


KIND = PuzzleKind(
    Diagonal,
    "tatham line matrix andoku json link",
    r"diagonals?|x[- ]sudoku|sudoku[- ]?x",
    Generator("boxed", "Generate Diagonal Sudokus.", BOX_AND_SIZE),
)
