"""Sudoku with square or rectangular boxes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import ClassVar

from f2csp.diagnostics import ProblemError
from f2csp.model import ProblemStream
from f2csp.puzzles.puzzle import Cell, Clue, Conflict
from f2csp.puzzles.squares import (
    Square,
    Unit,
    check_size,
    different_values,
    has_repeated_value,
    lines_of,
    repeated_values,
)

Box = tuple[int, int]
"""How many rows and columns a box has."""


@dataclass(frozen=True, slots=True)
class Sudoku(Square):
    """A Sudoku board and its givens: every row, column and box holds each value once.

    Attributes:
        size: how many rows, columns and values there are.
        box_rows: how many rows a box has.
        box_columns: how many columns a box has.
        clues: see :class:`Puzzle`.

    Raises:
        ProblemError: the boxes do not fit the board, or a given does not.
    """

    KIND: ClassVar[str] = "sudoku"

    box_rows: int
    box_columns: int

    def __post_init__(self) -> None:
        check_size(self.size)
        if self.box_rows < 1 or self.box_rows * self.box_columns != self.size:
            raise ProblemError(f"boxes of {self.box_rows}x{self.box_columns} do not fit a board of size {self.size}")
        self._check_clues()

    @property
    def title(self) -> str:
        """The title of its problem."""
        return f"Sudoku {self.size}x{self.size}"

    @property
    def has_square_boxes(self) -> bool:
        """Whether the boxes are what the size alone lets expect."""
        return self.box_rows == self.box_columns

    def rules(self) -> ProblemStream:
        """The pairs of cells that must differ, in the order of the format's section 7."""
        return different_values(self.title, self.size, self.box_rows, self.box_columns)

    def conflicts(self) -> Iterator[Conflict]:
        """The givens whose value stands twice in a row, a column or a box."""
        clues, height, width = self.clues, self.box_rows, self.box_columns
        in_boxes = {((row - 1) // height, (column - 1) // width, value) for row, column, value in clues}
        if len(in_boxes) < len(clues) or has_repeated_value(clues):
            yield from repeated_values(clues, self._units_of)

    def box_of(self, cell: Cell) -> int:
        """The number of the box that a cell is in; boxes are counted row by row from 1."""
        down, across = (cell.row - 1) // self.box_rows, (cell.column - 1) // self.box_columns
        return down * (self.size // self.box_columns) + across + 1

    def _units_of(self, clue: Clue) -> Sequence[Unit]:
        """The row, the column and the box of a clue."""
        return *lines_of(clue), ("box", self.box_of(clue.cell))


def square_box(size: int) -> Box | None:
    """The box of a size that is a perfect square."""
    root = isqrt(size)
    return (root, root) if root * root == size else None
