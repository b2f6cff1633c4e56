"""Puzzles and problems that symmetries map to each other: their class, and its least puzzle."""

from dataclasses import replace
from functools import lru_cache

from f2csp.model import Problem
from f2csp.puzzles.puzzle import Clue, Puzzle
from f2csp.puzzles.to_problem import to_problem
from f2csp.symmetry import ProblemGraph, SymmetryGroup, least_assignment


def class_of(content: Problem | Puzzle, group: SymmetryGroup = SymmetryGroup.ALL) -> bytes:
    """16 bytes that are equal for two puzzles, or two problems, exactly if one is a symmetric image of the other.

    They are a hash of a canonical form: those of two classes are equal by chance once in 10^26 for a million classes.

    Raises:
        MissingExtra: nauty is not installed.
        Unsuitable: the tables are too large.
    """
    if isinstance(content, Problem):
        return ProblemGraph(content, group).graph.digest()
    return _board_graph(replace(content, clues=()), group).with_assignment(_words(content)).digest()


def least_puzzle(puzzle: Puzzle) -> Puzzle:
    """The least puzzle that a symmetry of the board maps a puzzle to.

    Boards are read row by row; a blank is less than any given. For Sudokus this is the minlex form.

    Raises:
        MissingExtra: nauty is not installed.
        Unsuitable: there are too many images to compare.

    Example:
        >>> from f2csp.puzzles.sudoku import Sudoku
        >>> least_puzzle(Sudoku(4, 2, 2, clues=(Clue(1, 1, 3),))).clues
        (Clue(row=4, column=4, value=1),)
    """
    least = least_assignment(_board_graph(replace(puzzle, clues=()), SymmetryGroup.ALL), _words(puzzle))
    cells, first = puzzle.cells, puzzle.values[0]
    return replace(puzzle, clues=tuple(Clue(*cells[v], first + word) for v, word in least.items()))


@lru_cache(maxsize=8)
def _board_graph(blank: Puzzle, group: SymmetryGroup) -> ProblemGraph:
    return ProblemGraph(to_problem(blank), group)


def _words(puzzle: Puzzle) -> dict[int, int]:
    """The givens as words of the problem, by variable."""
    place = {cell: i for i, cell in enumerate(puzzle.cells)}
    return {place[clue.cell]: clue.value - puzzle.values[0] for clue in puzzle.clues}
