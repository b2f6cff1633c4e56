"""Latin squares that are to be completed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import Square, check_size

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board


@dataclass(frozen=True, slots=True)
class LatinSquare(Square):
    """A square and its givens: every row and every column holds each value once.

    Attributes:
        size: the number of rows, columns and values.
        clues: see :class:`Puzzle`.

    Raises:
        ProblemError: there is no such board, or a given does not fit it.
    """

    KIND: ClassVar[str] = "latin"
    NAME: ClassVar[str] = "Latin square"

    def __post_init__(self) -> None:
        check_size(self.size)
        self._check_clues()

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        """The square, unless there are boxes."""
        if board.is_square and board.box is None:
            yield cls(board.n_rows, clues=board.clues)
