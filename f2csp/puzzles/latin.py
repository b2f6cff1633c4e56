"""Latin squares that are to be completed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from f2csp.file_formats import FormatInfo
from f2csp.puzzles.puzzle import CLUE_TRIPLE, CLUE_TRIPLE_LINE, IDENTIFIER, JSON_PUZZLE, Puzzle, PuzzleKind
from f2csp.puzzles.squares import Square

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board


@dataclass(frozen=True, slots=True)
class LatinSquare(Square):
    """A square and its givens: every row and every column holds each value once."""

    KIND: ClassVar[str] = "latin"
    NAME: ClassVar[str] = "Latin square"
    IS_GENERAL: ClassVar[bool] = True

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        if board.is_square and board.box[0] == 1:
            yield cls(board.n_rows, clues=board.clues)


KIND = PuzzleKind(
    LatinSquare,
    (
        FormatInfo(
            "latin:clues",
            "clue_lists.CLUES",
            "the size, the number of clues, and lines of row, column and value",
            2,
            rb"[0-9]+(?:[ \t,]+[0-9]+)?|(?:[0-9]\S{0,4}[ \t,]+\S{1,5}"
            rb"|\S[ \t,]+[0-9]\S{0,4})[ \t,]+\S{1,5}(?:[ \t]+[^\s0-9._*-].*)?",
        ),
        FormatInfo(
            "latin:matrix",
            "cell_rows.MATRIX",
            "rows of numbers with blanks between; above them perhaps the size",
            1,
            rb"(?:-?[0-9]{1,3}|[._*-])(?:[\s,]+(?:-?[0-9]{1,3}|[._*-]|\S(?=\s|$)))*+,?+",
        ),
        FormatInfo(
            "latin:tatham",
            "tatham.UNEQUAL",
            "identifiers such as 5:0,0,3,0..., one a line",
            3,
            rb"[0-9]{1,3}(?!x[0-9])(?:[^u\s0-9:#][^\s:#]*)?(?:#.*|:.*[,UDRL].*|:[0-9a-z]*)|#.*",
            signature=IDENTIFIER,
        ),
        FormatInfo(
            "latin:pls",
            "cell_rows.PLS",
            "lsencode: order and rows of values from 0, -1 for a blank",
            3,
            rb".*",
            endings=(".pls",),
            signature=rb"(?i)\A\s*+order\b",
        ),
        FormatInfo(
            "latin:minizinc",
            "dzn.DZN",
            "MiniZinc data: N = 9; start = [| 1, 0, ... |];",
            3,
            rb".*",
            endings=(".dzn",),
            signature=rb"=\s*+(?:%[^\n]*+\s*+)*+\[\s*+\|",
        ),
        FormatInfo(
            "latin:triples",
            "clue_lists.TRIPLES",
            "clues without their number, with commas, from 0, or as facts of answer set programs",
            2,
            CLUE_TRIPLE_LINE,
            signature=CLUE_TRIPLE,
            is_written=False,
        ),
        FormatInfo(
            "latin:json",
            "json_puzzles.DOCUMENTS",
            "JSON of f-puzzles, or with the cells under a key",
            2,
            rb".*",
            signature=JSON_PUZZLE,
            is_written=False,
        ),
    ),
    words=r"latin squares?|quasigroups?",
    title="Latin square",
)
