"""A group of constraints in words: of a puzzle in those of its rules, of another problem in its own names."""

from collections.abc import Callable, Sequence

from f2csp.model import Problem
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import cell_of
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.solving.groups import Group
from f2csp.structure import ConstraintKind


def describe_group(problem: Problem, group: Group, puzzle: Puzzle | None) -> str:
    """A group in words."""
    names = [problem.variable_names[variable] for variable in group.variables]
    if puzzle is None:
        return group.describe(names)
    cells = [cell for name in names if (cell := cell_of(name)) is not None]
    if group.kind == ConstraintKind.DIFFERENT:
        line = _common_line(cells, puzzle)
        return f"{line} holds each value once" if line else group.describe(names)
    if group.kind == ConstraintKind.FIXED_VALUE:
        return f"{group.value} is given at {cells[0] if cells else names[0]}"
    if isinstance(puzzle, Takuzu) and len(group.constraints) > 1:
        return _takuzu_rule(cells) or group.describe(names)
    if isinstance(puzzle, Takuzu) and len(names) == 3:
        return f"{' '.join(names)} are not all equal"
    return group.describe([str(cell_of(name) or name) for name in names])


def _takuzu_rule(cells: Sequence[Cell]) -> str | None:
    """A rule of a Takuzu with auxiliary variables: of one line its balance, of two that they differ."""
    rows, columns = sorted({cell.row for cell in cells}), sorted({cell.column for cell in cells})
    for name, lines in (("row", rows), ("column", columns)):
        if len(lines) == 1:
            return f"{name} {lines[0]} has as many zeros as ones, or one more of either where its length is odd"
    for name, lines in (("row", rows), ("column", columns)):
        if len(lines) == 2:
            return f"{name}s {lines[0]} and {lines[1]} differ"
    return None


def _common_line(cells: Sequence[Cell], puzzle: Puzzle) -> str | None:
    """The row, the column or the box that contains all these cells."""
    units: list[tuple[str, Callable[[Cell], int]]] = [("row", lambda c: c.row), ("column", lambda c: c.column)]
    if isinstance(puzzle, Sudoku):
        units.append(("box", puzzle.box_of))
    for name, number in units:
        numbers = {number(cell) for cell in cells}
        if len(numbers) == 1:
            return f"{name} {numbers.pop()}"
    return None
