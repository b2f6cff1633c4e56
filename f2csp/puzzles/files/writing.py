"""What the writers of puzzle files share."""

from typing import TypeVar

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.puzzle import Puzzle

P = TypeVar("P", bound=Puzzle)


def of_kind(puzzle: Puzzle, kind: type[P]) -> P:
    """The puzzle, which must be of this very kind: a Futoshiki is more than a Latin square.

    Raises:
        Unsuitable: it is another puzzle.
    """
    if type(puzzle) is not kind:
        raise Unsuitable(f"the format is for the kind {kind.KIND}, and the puzzle is a {puzzle.title}")
    return puzzle


def grid(puzzle: Puzzle) -> list[list[int | None]]:
    """The values of the cells, row by row; None for a blank."""
    rows: list[list[int | None]] = [[None] * puzzle.n_columns for _ in range(puzzle.n_rows)]
    for row, column, value in puzzle.clues:
        rows[row - 1][column - 1] = value
    return rows
