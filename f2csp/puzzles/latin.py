"""Latin squares that are to be completed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from f2csp.puzzles.puzzle import SIZE, Generator, Puzzle, PuzzleKind
from f2csp.puzzles.squares import Square

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board


@dataclass(frozen=True, slots=True)
class LatinSquare(Square):
    """A square and its givens: every row and every column holds each value once."""

    KIND: ClassVar[str] = "latin"
    IS_GENERAL: ClassVar[bool] = True

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        if board.is_square and board.box[0] == 1:
            yield cls(board.n_rows, clues=board.clues)


KIND = PuzzleKind(
    LatinSquare,
    "clues matrix tatham pls minizinc triples json",
    r"latin(?: squares?|(?![- ]?1))|quasigroups?",
    Generator(
        "square",
        "Generate Latin squares to complete.",
        (SIZE,),
        details="Squares up to 36x36 are drawn almost uniformly (Jacobson and Matthews).",
    ),
    has_plain_boards=True,
)
