"""Latin squares that are to be completed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from f2csp.model import ProblemStream
from f2csp.puzzles.puzzle import Conflict
from f2csp.puzzles.squares import Square, check_size, different_values, has_repeated_value, lines_of, repeated_values


@dataclass(frozen=True, slots=True)
class LatinSquare(Square):
    """A square and its givens: every row and every column holds each value once.

    Attributes:
        size: how many rows, columns and values there are.
        clues: see :class:`Puzzle`.

    Raises:
        ProblemError: there is no such board, or a given does not fit it.
    """

    KIND: ClassVar[str] = "latin"
    NAME: ClassVar[str] = "Latin square"

    def __post_init__(self) -> None:
        check_size(self.size)
        self._check_clues()

    @property
    def title(self) -> str:
        """The title of its problem."""
        return f"{self.NAME} {self.size}x{self.size}"

    def rules(self) -> ProblemStream:
        """The pairs of cells that must differ, in the order of the format's section 7."""
        return different_values(self.title, self.size, 1, self.size)

    def conflicts(self) -> Iterator[Conflict]:
        """The givens whose value stands twice in a row or a column."""
        if has_repeated_value(self.clues):
            yield from repeated_values(self.clues, lines_of)
