"""What a part of a problem says, in words: of a puzzle in those of its rules, of another problem in its own names."""

from collections.abc import Callable, Sequence

from f2csp.diagnostics import listed
from f2csp.model import Problem
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import cell_of
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.solving.parts import Part
from f2csp.structure import Meaning, MeaningKind, Meanings

_LISTED = 8  # variables that a sentence names

_BETWEEN = {
    MeaningKind.EQUAL: "{0} = {1}",
    MeaningKind.DIFFERENT: "{0} and {1} differ",
    MeaningKind.LESS: "{0} < {1}",
    MeaningKind.LESS_OR_EQUAL: "{0} <= {1}",
    MeaningKind.GREATER: "{0} > {1}",
    MeaningKind.GREATER_OR_EQUAL: "{0} >= {1}",
    MeaningKind.DIFFERENCE: "{0} - {1} = {value}",
    MeaningKind.SUM: "{0} + {1} = {value}",
    MeaningKind.FIXED_VALUE: "{0} = {value}",
    MeaningKind.FORBIDDEN_VALUE: "{0} is not {value}",
}


class Wording:
    """Puts parts of a problem into words."""

    def __init__(self, problem: Problem, meanings: Meanings, puzzle: Puzzle | None) -> None:
        self._problem = problem
        self._meanings = meanings
        self._puzzle = puzzle

    def __call__(self, part: Part) -> str:
        """What a part says."""
        if part.all_different:
            return self._different(part.all_different)
        if len(part.constraints) > 1:
            return self._rule(part)
        constraint = part.constraints[0]
        meaning = self._meanings[constraint]
        scope = self._problem.scope(constraint).tolist()
        if self._puzzle is not None and meaning.kind == MeaningKind.FIXED_VALUE:
            return f"{meaning.value} is given at {self._named(scope[0])}"
        if isinstance(self._puzzle, Takuzu) and len(scope) == 3:
            return f"{self._names(scope)} are not all equal"
        return self._sentence(meaning, scope)

    def _sentence(self, meaning: Meaning, scope: Sequence[int]) -> str:
        if meaning.kind in _BETWEEN:
            return _BETWEEN[meaning.kind].format(*map(self._named, scope), value=meaning.value)
        names = self._names(scope)
        return f"nothing is allowed for {names}" if meaning.kind == MeaningKind.NEVER_TRUE else f"the table on {names}"

    def _different(self, variables: Sequence[int]) -> str:
        line = self._common_line(variables)
        return f"{line} holds each value once" if line else f"{self._names(variables)} all differ"

    def _rule(self, part: Part) -> str:
        """A rule of a Takuzu that is told by auxiliary variables: of one line its balance, of two that they differ."""
        scopes = {v for constraint in part.constraints for v in self._problem.scope(constraint).tolist()}
        cells = [cell for v in sorted(scopes) if (cell := self._cell(v)) is not None]
        rows, columns = sorted({cell.row for cell in cells}), sorted({cell.column for cell in cells})
        for name, lines in (("row", rows), ("column", columns)):
            if len(lines) == 1:
                return f"{name} {lines[0]} has as many zeros as ones, or one more of either where its length is odd"
        for name, lines in (("row", rows), ("column", columns)):
            if len(lines) == 2:
                return f"{name}s {lines[0]} and {lines[1]} differ"
        return f"what is said of {self._names(sorted(scopes))} together"

    def _common_line(self, variables: Sequence[int]) -> str | None:
        """The row, the column or the box in which all these cells are."""
        cells = [self._cell(variable) for variable in variables]
        if self._puzzle is None or None in cells:
            return None
        places = [cell for cell in cells if cell is not None]
        units: list[tuple[str, Callable[[Cell], int]]] = [("row", lambda c: c.row), ("column", lambda c: c.column)]
        if isinstance(self._puzzle, Sudoku):
            units.append(("box", self._puzzle.box_of))
        for name, number in units:
            numbers = {number(place) for place in places}
            if len(numbers) == 1:
                return f"{name} {numbers.pop()}"
        return None

    def _cell(self, variable: int) -> Cell | None:
        return cell_of(self._problem.variable_names[variable])

    def _named(self, variable: int) -> str:
        cell = self._cell(variable) if self._puzzle is not None else None
        return str(cell) if cell is not None else self._problem.variable_names[variable]

    def _names(self, variables: Sequence[int]) -> str:
        return listed([self._problem.variable_names[v] for v in variables], _LISTED)
