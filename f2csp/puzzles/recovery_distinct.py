"""Lines of a Takuzu that must differ: auxiliary variables compare two lines place by place.

Each says of two cells whether they are equal; a constraint for each pair of lines says that not all of them are.
"""

from dataclasses import dataclass

import numpy as np

from f2csp.arrays import by_value, row_codes
from f2csp.model import Ids, Offsets
from f2csp.puzzles.recovery_board import Board, Bools, foreign_constraint, unrecognised
from f2csp.puzzles.takuzu import MAX_LINES

_NOTHING = -1


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The variables that say of two cells whether they are equal, each in the same place of two lines.

    Attributes:
        constraints: those that define them, each by two cells.
        lines: for each variable of the problem which two lines it compares, as one number; -1 if it compares none.
        places: for each variable where in the lines, from 0.
        same: for each variable the value, as a word, that says that the cells are equal.
    """

    constraints: Offsets
    lines: Offsets
    places: Offsets
    same: Offsets

    @property
    def are_made(self) -> Bools:
        """Which variables of the problem are such ones."""
        are_made: Bools = self.lines != _NOTHING
        return are_made


def comparisons(board: Board, constraints: Offsets) -> Comparisons:
    """The comparisons among the constraints on two cells and another variable.

    Raises:
        Unsuitable: one compares other cells, or there are two for one variable.
    """
    problem = board.problem
    scopes = board.scopes(constraints, 3)
    positions = np.argmin(board.cells[scopes], axis=1)  # of the variable that is no cell
    variables = np.take_along_axis(scopes, positions[:, None], axis=1)[:, 0]
    columns = [problem.constraint_relations[constraints], positions, problem.variable_domains[variables]]
    _, firsts, groups = np.unique(row_codes(columns), return_index=True, return_inverse=True)
    found = [_same(board, *one) for one in zip(constraints[firsts].tolist(), positions[firsts].tolist(), strict=True)]
    same = np.array(found, dtype=np.int64)[groups]
    is_made = same != _NOTHING
    constraints, variables, same = constraints[is_made], variables[is_made], same[is_made]
    _check_once(board, constraints, variables)
    lines, places = _compared(board, constraints, np.sort(board.cells[scopes[is_made]], axis=1)[:, 1:])
    by_variable = np.full((3, problem.n_variables), _NOTHING, dtype=np.int64)
    by_variable[:, variables] = lines, places, same
    return Comparisons(constraints, *by_variable)


def are_lines_distinct(board: Board, compared: Comparisons, constraints: Offsets) -> bool:
    """Whether any two rows and any two columns must differ; a board without two lines is said to have the rule.

    Args:
        board: the board.
        compared: the comparisons.
        constraints: those on comparisons alone.

    Raises:
        Unsuitable: only some lines must differ, or a constraint says something else.
    """
    differing = [np.empty(0, dtype=np.int64)]
    for arity, places in by_value(board.arities[constraints]):
        differing.append(_differing(board, compared, constraints[places], arity))
    found = np.unique(np.concatenate(differing))
    due = np.concatenate([_pairs_of_lines(0, board.n_rows), _pairs_of_lines(1, board.n_columns)])
    if len(found) == len(due):
        return True
    if len(found):
        missing = int(np.setdiff1d(due, found)[0])
        raise unrecognised(f"{_lines_in_words(int(found[0]))} must differ, and {_lines_in_words(missing)} may be equal")
    return False


def _same(board: Board, constraint: int, position: int) -> int:
    """The word by which a variable says that two cells are equal; -1 if the constraint does not make it say so."""
    rows = board.allowed(constraint)
    if rows is None or len(rows) != 4:
        return _NOTHING
    words = rows[:, position]
    one, other = np.delete(rows, position, axis=1).T
    is_same = one == other
    n_values = len(np.unique(words[is_same])), len(np.unique(words[~is_same])), len(np.unique(words))
    is_comparison = len({*zip(one.tolist(), other.tolist(), strict=True)}) == 4 and n_values == (1, 1, 2)
    return int(words[is_same][0]) if is_comparison else _NOTHING


def _check_once(board: Board, constraints: Offsets, variables: Ids) -> None:
    _, firsts = np.unique(variables, return_index=True)
    if len(firsts) < len(variables):
        again = int(np.setdiff1d(np.arange(len(variables)), firsts)[0])
        name = board.problem.variable_names[int(variables[again])]
        raise foreign_constraint(board, int(constraints[again]), f"{name} compares other cells already")


def _compared(board: Board, constraints: Offsets, cells: Ids) -> tuple[Offsets, Offsets]:
    """Which two lines a pair of cells is of, as one number, and where in them."""
    rows, columns = np.divmod(cells.astype(np.int64), board.n_columns)
    is_of_rows = columns[:, 0] == columns[:, 1]
    is_of_columns = rows[:, 0] == rows[:, 1]
    if not (is_of_rows | is_of_columns).all():
        index = int(np.argmin(is_of_rows | is_of_columns))
        reason = f"it compares {board.names(cells[index].tolist())}, which are in no common row or column"
        raise foreign_constraint(board, int(constraints[index]), reason)
    firsts, lasts = np.where(is_of_rows[:, None], rows, columns).T
    return _number(np.where(is_of_rows, 0, 1), firsts, lasts), np.where(is_of_rows, columns[:, 0], rows[:, 0])


def _differing(board: Board, compared: Comparisons, constraints: Offsets, arity: int) -> Offsets:
    """The pairs of lines of which constraints say that they are not the same in each place."""
    problem = board.problem
    reason = "it does not say that two rows or two columns are unlike in some place"
    if arity not in (board.n_rows, board.n_columns):
        raise foreign_constraint(board, int(constraints[0]), reason)
    scopes = board.scopes(constraints, arity)
    lines = compared.lines[scopes]
    is_known = (lines == lines[:, :1]).all(axis=1) & (lines[:, 0] != _NOTHING)
    lengths = np.array([board.n_columns, board.n_rows])[lines[:, 0] // MAX_LINES**2]
    is_known &= (np.sort(compared.places[scopes], axis=1) == np.arange(arity)).all(axis=1) & (lengths == arity)
    columns = [problem.constraint_relations[constraints], *problem.variable_domains[scopes].T]
    _, firsts, groups = np.unique(row_codes(columns), return_index=True, return_inverse=True)
    only = np.array([_only_forbidden(board, constraint, arity) for constraint in constraints[firsts].tolist()])
    is_known &= (only[groups] == compared.same[scopes]).all(axis=1)
    if not is_known.all():
        raise foreign_constraint(board, int(constraints[np.argmin(is_known)]), reason)
    return lines[:, 0]


def _only_forbidden(board: Board, constraint: int, arity: int) -> Ids:
    """The only tuple that a constraint forbids, or as many -1."""
    rows = board.forbidden(constraint)
    return rows[0] if rows is not None and len(rows) == 1 else np.full(arity, _NOTHING, dtype=np.int32)


def _number(direction: Offsets | int, first: Offsets, last: Offsets) -> Offsets:
    """One number for two lines: two rows if the direction is 0, two columns if it is 1."""
    return direction * MAX_LINES**2 + first * MAX_LINES + last


def _pairs_of_lines(direction: int, n_lines: int) -> Offsets:
    firsts, lasts = np.triu_indices(n_lines, 1)
    return _number(direction, firsts, lasts)


def _lines_in_words(number: int) -> str:
    direction, pair = divmod(number, MAX_LINES**2)
    first, last = divmod(pair, MAX_LINES)
    return f"{('rows', 'columns')[direction]} {first + 1} and {last + 1}"
