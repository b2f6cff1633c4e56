"""Sudoku with square or rectangular boxes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING, ClassVar

from f2csp.diagnostics import ProblemError
from f2csp.puzzles.puzzle import BOX_AND_SIZE, Generator, Labels, Option, Puzzle, PuzzleKind
from f2csp.puzzles.squares import Square

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board

Box = tuple[int, int]
"""The number of rows and columns of a box."""

BOX = re.compile(r"([1-9][0-9]{0,8})[xX]([1-9][0-9]{0,8})")


def _box(text: str) -> Box:
    """Read ``2x3`` as two rows and three columns."""
    match = BOX.fullmatch(text)
    if match is None:
        raise ValueError(f"expected ROWSxCOLUMNS such as 2x3, found {text!r}")
    return int(match[1]), int(match[2])


@dataclass(frozen=True, slots=True)
class Sudoku(Square):
    """A Sudoku board and its givens: every row, column and box holds each value once."""

    KIND: ClassVar[str] = "sudoku"
    REGION: ClassVar[str] = "box"
    OPTIONS: ClassVar[tuple[Option, ...]] = (
        Option("box", "Set the rows x columns of a Sudoku's boxes (default: square).", "RxC", _box),
    )

    box_rows: int  # of one box
    box_columns: int

    def __post_init__(self) -> None:
        Square.__post_init__(self)
        if self.box_rows < 1 or self.box_rows * self.box_columns != self.size:
            raise ProblemError(f"boxes of {self.box_rows}x{self.box_columns} do not fit a board of size {self.size}")

    @property
    def has_square_boxes(self) -> bool:
        """Whether the boxes are those that the size alone suggests."""
        return self.box_rows == self.box_columns

    def labels(self) -> Labels:
        """The box of each cell, counted row by row from 1."""
        return _boxes(self.size, self.box_rows, self.box_columns)

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        """The board with the boxes within which cells differ; without any, its rows are its boxes."""
        if board.is_square:
            yield cls(board.n_rows, *board.box, clues=board.clues)


@lru_cache(maxsize=8)
def _boxes(size: int, height: int, width: int) -> Labels:
    sides, across = range(size), size // width
    return tuple(tuple(row // height * across + column // width + 1 for column in sides) for row in sides)


def square_box(size: int) -> Box | None:
    """The box of a size that is a perfect square."""
    root = isqrt(size)
    return (root, root) if root * root == size else None


def squarest_box(size: int) -> Box | None:
    """The box of a size that differs least from a square; None for a prime."""
    rows = max(rows for rows in range(1, isqrt(size) + 1) if size % rows == 0)
    return (rows, size // rows) if rows > 1 else None


KIND = PuzzleKind(
    Sudoku,
    "clues tatham line grid matrix csv opensudoku triples json link",
    r"sudokus?",
    Generator(
        "boxed",
        "Generate Sudokus.",
        BOX_AND_SIZE,
        details="Boards with boxes of up to 25 cells are filled by a random search; larger ones are a pattern whose "
        "rows, columns, bands, stacks and values are shuffled.",
    ),
    has_plain_boards=True,
)
