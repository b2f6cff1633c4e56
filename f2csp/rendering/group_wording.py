"""A group of constraints in words: of a puzzle in those of its rules, of another problem in its own names."""

from f2csp.model import Problem
from f2csp.puzzles.puzzle import Puzzle, cell_of
from f2csp.solving.explanation import Group
from f2csp.structure import ConstraintKind


def describe_group(problem: Problem, group: Group, puzzle: Puzzle | None) -> str:
    """A group in words."""
    names = [problem.variable_names[variable] for variable in group.variables]
    if puzzle is None:
        return group.describe(names)
    cells = sorted(cell for name in names if (cell := cell_of(name)) is not None)
    if group.kind == ConstraintKind.FIXED_VALUE and cells and cells[0] in {clue.cell for clue in puzzle.clues}:
        return f"{group.value} is given at {cells[0]}"
    are_different = group.kind == ConstraintKind.DIFFERENT
    words = puzzle.describe(cells, are_different=are_different) if cells else None
    return words or group.describe(names if are_different else [str(cell_of(name) or name) for name in names])
