"""What the puzzles that are found in problems have in common: a board of cells, and givens."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value, row_codes
from f2csp.diagnostics import Unsuitable, listed, shown
from f2csp.model import Ids, Offsets, Problem, Relation
from f2csp.puzzles.puzzle import Cell, Clue
from f2csp.puzzles.squares import cell_of
from f2csp.structure import Classification, ConstraintKind, classify, conflicts, supports

NO_CELL = -1

_LISTED = 9  # values that a message lists
_FEW = 1024  # tuples

Bools = NDArray[np.bool_]


def unrecognised(reason: str) -> Unsuitable:
    """The error that a problem is no puzzle, and why not."""
    return Unsuitable(f"no puzzle is recognised in this problem: {reason}")


@dataclass(frozen=True)
class Board:
    """The variables of a problem that are the cells of a rectangle and take the same values.

    Attributes:
        problem: the problem.
        n_rows: how many rows of cells there are.
        n_columns: how many columns of cells there are.
        cells: for each variable the number of its cell, row by row from 0, or ``NO_CELL``.
        variables: for each cell its variable.
        values: what each cell takes, as words in the order of the first cell's domain.
    """

    problem: Problem
    n_rows: int
    n_columns: int
    cells: Ids
    variables: Ids
    values: tuple[str, ...]

    @property
    def is_binary(self) -> bool:
        """Whether each cell takes 0 or 1."""
        return set(self.values) == {"0", "1"}

    @property
    def shape(self) -> str:
        """Its rows and columns in words."""
        return f"{self.n_rows}x{self.n_columns}"

    @cached_property
    def meanings(self) -> Classification:
        """What the constraints mean."""
        return classify(self.problem)

    @cached_property
    def arities(self) -> Offsets:
        """How many variables each constraint has."""
        return np.diff(self.problem.scope_offsets)

    @cached_property
    def is_trivial(self) -> Bools:
        """Which constraints always hold; they change no puzzle."""
        return self.meanings.are(ConstraintKind.ALWAYS_TRUE)

    def distinct(self, constraints: Offsets) -> Offsets:
        """Those of some constraints that do not repeat another."""
        kept = [np.empty(0, dtype=np.int64)]
        for arity, places in by_value(self.arities[constraints]):
            alike = constraints[places]
            keys = row_codes([self.problem.constraint_relations[alike], *self.scopes(alike, arity).T])
            kept.append(alike[np.unique(keys, return_index=True)[1]])
        return np.sort(np.concatenate(kept))

    def first_variables(self, constraints: Offsets) -> Ids:
        """The first variable of each of some constraints."""
        return self.scopes(constraints, 1)[:, 0]

    def scopes(self, constraints: Offsets, arity: int) -> Ids:
        """The variables of constraints that have the same arity; shape (n_constraints, arity)."""
        scopes: Ids = self.problem.scopes[self.problem.scope_offsets[constraints][:, None] + np.arange(arity)]
        return scopes

    def allowed(self, constraint: int) -> Ids | None:
        """The tuples that a constraint allows; None if it only rejects some, out of so many that no puzzle does so."""
        relation, scope = self.table(constraint)
        return supports(relation, scope) if relation.kind == "Accept" or _is_full(relation, scope) else None

    def forbidden(self, constraint: int) -> Ids | None:
        """The tuples that a constraint forbids; None if it only accepts some, out of so many that no puzzle does so."""
        relation, scope = self.table(constraint)
        return conflicts(relation, scope) if relation.kind == "Reject" or _is_full(relation, scope) else None

    def table(self, constraint: int) -> tuple[Relation, list[Ids]]:
        """A constraint's relation, and the values of its variables."""
        problem = self.problem
        domains = problem.variable_domains[problem.scope(constraint)].tolist()
        relation = problem.relations[int(problem.constraint_relations[constraint])]
        return relation, [problem.domain_values[domain] for domain in domains]

    def name(self, cell: int) -> str:
        """The variable of a cell."""
        return self.problem.variable_names[int(self.variables[cell])]

    def names(self, cells: Iterable[int]) -> str:
        """The variables of some cells."""
        return " and ".join(map(self.name, cells))

    def cell(self, number: int) -> Cell:
        """The place of a cell."""
        return Cell(number // self.n_columns + 1, number % self.n_columns + 1)


def board_of(problem: Problem) -> Board:
    """The board that the variables of a problem make.

    Raises:
        Unsuitable: they make none.
    """
    found = [cell_of(name) for name in problem.variable_names]
    variables = np.array([v for v, cell in enumerate(found) if cell is not None], dtype=np.int32)
    places = np.array([cell for cell in found if cell is not None], dtype=np.int64).reshape(-1, 2)
    if not len(variables):
        reason = f"the variable {shown(problem.variable_names[0])} is" if found else "there is"
        raise unrecognised(f"{reason} no cell V<row>-<column>")
    n_rows, n_columns = places.max(axis=0).tolist()
    if n_rows * n_columns != len(places):
        raise unrecognised(_first_gap(places, n_columns))
    numbers = ((places[:, 0] - 1) * n_columns + places[:, 1] - 1).astype(np.int32)
    cells = np.full(problem.n_variables, NO_CELL, dtype=np.int32)
    cells[variables] = numbers
    return Board(problem, n_rows, n_columns, cells, variables[np.argsort(numbers)], _values(problem, variables))


def constraint_name(problem: Problem, index: int) -> str:
    """A constraint's label, and its line if it was read from a text."""
    constraint = problem.constraints[index]
    line = f" (line {constraint.line})" if constraint.line is not None else ""
    return f"constraint {shown(constraint.label)}{line}"


def foreign_constraint(board: Board, index: int, reason: str) -> Unsuitable:
    """The error that a constraint is none that a puzzle on such a board has."""
    puzzles = "a Takuzu's" if board.is_binary else "a Sudoku's, a Latin square's or a Futoshiki's"
    return unrecognised(f"{constraint_name(board.problem, index)} is none of {puzzles}: {reason}")


def clues_of(board: Board, constraints: Offsets) -> tuple[Clue, ...]:
    """The givens, in the order of their constraints; a given that is repeated counts once.

    Args:
        board: the board.
        constraints: those that leave a cell one value.

    Raises:
        Unsuitable: a cell is given two values.
    """
    first: dict[int, tuple[int, int]] = {}
    cells = board.cells[board.first_variables(constraints)]
    for cell, constraint in zip(cells.tolist(), constraints.tolist(), strict=True):
        value = int(str(board.meanings[constraint].value))
        earlier, by = first.setdefault(cell, (value, constraint))
        if earlier != value:
            one, other = (constraint_name(board.problem, c) for c in (by, constraint))
            raise unrecognised(f"{board.name(cell)} is given as {earlier} by {one} and as {value} by {other}")
    return tuple(Clue(*board.cell(cell), value) for cell, (value, _) in first.items())


def listed_values(values: Iterable[str]) -> str:
    """Values as a message lists them."""
    return listed(map(shown, values), _LISTED)


def _is_full(relation: Relation, scope: Iterable[Ids]) -> bool:
    """Whether a table has at least half of all tuples, or these are few; so that listing the others is no long work."""
    most, n_tuples = 2 * relation.n_tuples + _FEW, 1
    for values in scope:
        n_tuples *= len(values)
        if n_tuples > most:
            return False
    return True


def _first_gap(places: Offsets, n_columns: int) -> str:
    """The first cell that is missing on the smallest board that has all these, and why it is due."""
    present = set(map(tuple, places.tolist()))
    number = next(n for n in range(len(present) + 1) if (n // n_columns + 1, n % n_columns + 1) not in present)
    n_rows = places[:, 0].max()
    return (
        f"there is no cell V{number // n_columns + 1}-{number % n_columns + 1}, "
        f"although cells reach to row {n_rows} and to column {n_columns}"
    )


def _values(problem: Problem, variables: Ids) -> tuple[str, ...]:
    """What all cells take."""
    first = int(problem.variable_domains[variables[0]])
    words = problem.domains[first].words
    for domain in np.unique(problem.variable_domains[variables]).tolist():
        others = problem.domains[domain].words
        if set(others) != set(words):
            other = variables[problem.variable_domains[variables] == domain][0]
            name, other_name = problem.variable_names[variables[0]], problem.variable_names[other]
            raise unrecognised(f"{name} takes {listed_values(words)}, and {other_name} takes {listed_values(others)}")
    return words
