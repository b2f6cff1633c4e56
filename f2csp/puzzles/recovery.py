"""From a problem back to the puzzle, and from a solution to the board.

What counts is what the tables allow, whoever wrote them: domains, variables, constraints and tuples may stand in any
order. The title decides only where the tables leave a tie.
"""

from collections.abc import Mapping

from f2csp.diagnostics import ProblemError
from f2csp.model import Problem, Value
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.recovery_board import board_of
from f2csp.puzzles.recovery_squares import square_from
from f2csp.puzzles.recovery_takuzu import takuzu_from
from f2csp.puzzles.squares import cell_names

Grid = list[list[int | None]]
"""The values of a board row by row; None where there is none."""


def from_problem(problem: Problem) -> Puzzle:
    """The Sudoku, Latin square, Futoshiki or Takuzu that a problem encodes as section 7 of the format says.

    A square without boxes and signs is a Latin square unless its title begins with ``Sudoku`` or ``Futoshiki``. The
    givens come in the order of their constraints.

    Raises:
        Unsuitable: it encodes none of them; the message tells the first thing that does not fit.
    """
    board = board_of(problem)
    return takuzu_from(board) if board.is_binary else square_from(board)


def from_solution(puzzle: Puzzle, solution: Mapping[str, Value]) -> Grid:
    """The values that a solution gives to the cells of a puzzle; those of other variables are passed over.

    Args:
        puzzle: what is solved.
        solution: values by the names of variables, as words or as integers.

    Raises:
        ProblemError: a value is none that a cell can have.
    """
    words = {str(value): value for value in puzzle.values}
    names = cell_names(puzzle.n_rows, puzzle.n_columns)
    for name in names:
        if name in solution and str(solution[name]) not in words:
            raise ProblemError(f"{solution[name]} is no value of the cell {name}")
    values = [words[str(solution[name])] if name in solution else None for name in names]
    return [values[start : start + puzzle.n_columns] for start in range(0, len(values), puzzle.n_columns)]
