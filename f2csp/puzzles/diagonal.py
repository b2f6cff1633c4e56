"""Diagonal Sudoku, also called Sudoku X: both diagonals hold each value once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from f2csp.file_formats import FormatInfo
from f2csp.puzzles.puzzle import IDENTIFIER, JSON_PUZZLE, Cell, Layout, PuzzleKind
from f2csp.puzzles.sudoku import Sudoku


@dataclass(frozen=True, slots=True)
class Diagonal(Sudoku):
    """A Sudoku whose diagonals hold each value once too; see :class:`Sudoku`."""

    KIND: ClassVar[str] = "diagonal"
    NAME: ClassVar[str] = "Diagonal Sudoku"

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
    (
        FormatInfo(
            "diagonal:tatham",
            "solo.DIAGONAL",
            "identifiers such as 3x3x:7_4e6a..., one a line",
            4,
            rb"[0-9]{1,3}(?:x[0-9]{1,3})?+[a-z0-9]*x[a-z0-9]*[:#].*|#.*",
            signature=IDENTIFIER,
        ),
        FormatInfo(
            "diagonal:line",
            "cell_runs.LINE",
            "a character for each cell, one puzzle a line",
            1,
            rb"(?:[0-9a-fA-F]+[ \t:;,]+)?[0-9A-Za-z._*-]{14,}(?:[ \t:;,].*)?|#.*",
            needs_kind=True,
        ),
        FormatInfo(
            "diagonal:matrix",
            "cell_rows.MATRIX",
            "rows of numbers; above them perhaps the size",
            1,
            rb"(?:-?[0-9]{1,3}|[._*-])(?:[\s,]+(?:-?[0-9]{1,3}|[._*-]|\S(?=\s|$)))*+,?+",
            needs_kind=True,
        ),
        FormatInfo(
            "diagonal:andoku",
            "sudoku_variants.ANDOKU",
            "cells||X, one puzzle a line",
            3,
            rb"[^|\s]+\|\|.*|#.*",
            signature=rb"\|\|",
        ),
        FormatInfo(
            "diagonal:json",
            "json_puzzles.DOCUMENTS",
            "JSON of f-puzzles, or with the cells under a key",
            2,
            rb".*",
            signature=JSON_PUZZLE,
            is_written=False,
        ),
    ),
    words=r"diagonals?|x[- ]sudoku|sudoku[- ]?x",
    title="Diagonal Sudoku",
)
