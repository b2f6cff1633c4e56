"""What all puzzles have: cells in rows and columns, the values that they take, givens, and rules."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from f2csp.diagnostics import ProblemError
from f2csp.model import ProblemStream


class Cell(NamedTuple):
    """A place on a board; rows and columns count from 1."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"row {self.row}, column {self.column}"


class Clue(NamedTuple):
    """A given value of a cell; rows and columns count from 1."""

    row: int
    column: int
    value: int

    @property
    def cell(self) -> Cell:
        """Its place."""
        return Cell(self.row, self.column)


class Conflict(NamedTuple):
    """Givens that break a rule together.

    Attributes:
        clues: two or more; the last is the latest given.
        message: which rule they break, with the cells in words.
    """

    clues: tuple[Clue, ...]
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """The base of the puzzles.

    Attributes:
        clues: the givens in the order of the input; no cell twice.

    Raises:
        ProblemError: there is no such board, or a given does not fit it.
    """

    KIND: ClassVar[str]
    """What the puzzle is called in the names of formats, such as ``sudoku``."""

    clues: tuple[Clue, ...] = field(default=())

    @property
    def n_rows(self) -> int:
        """How many rows of cells there are."""
        raise NotImplementedError

    @property
    def n_columns(self) -> int:
        """How many columns of cells there are."""
        raise NotImplementedError

    @property
    def values(self) -> range:
        """What a cell may hold."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """The title of its problem."""
        raise NotImplementedError

    def rules(self) -> ProblemStream:
        """The board without its givens as a problem."""
        raise NotImplementedError

    def conflicts(self) -> Iterator[Conflict]:
        """Where givens break a rule: enough of them to name every given that does, in no more than linear number."""
        raise NotImplementedError

    def _check_clues(self) -> None:
        """Refuse givens that do not fit; for the constructors."""
        n_rows, n_columns, lowest, highest = self.n_rows, self.n_columns, self.values[0], self.values[-1]
        for row, column, value in self.clues:
            if not (1 <= row <= n_rows and 1 <= column <= n_columns and lowest <= value <= highest):
                raise ProblemError(f"{value} at {Cell(row, column)} does not fit a {n_rows}x{n_columns} board")
        if len({(row, column) for row, column, _ in self.clues}) < len(self.clues):
            given: set[Cell] = set()
            for clue in self.clues:
                if clue.cell in given:
                    raise ProblemError(f"{clue.cell} is given twice")
                given.add(clue.cell)
