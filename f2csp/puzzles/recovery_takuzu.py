"""Takuzus found in problems: three neighbours, and auxiliary variables that count ones and compare lines.

The auxiliary variables may have any names, and there may be more ways to write their tables than this program's own. So
what they do to the cells is found out, not how they are written.
"""

from typing import NamedTuple

import numpy as np

from f2csp.model import Ids, Offsets
from f2csp.puzzles.recovery_balance import check_balance
from f2csp.puzzles.recovery_board import NO_CELL, Board, clues_of, foreign_constraint, unrecognised
from f2csp.puzzles.recovery_distinct import are_lines_distinct, comparisons
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu
from f2csp.structure import ConstraintKind


class _Parts(NamedTuple):
    """The constraints of a Takuzu by the variables that they are on; those that always hold are left out."""

    givens: Offsets
    neighbours: Offsets
    on_two_cells: Offsets
    on_one_cell: Offsets
    on_no_cell: Offsets


def takuzu_from(board: Board) -> Takuzu:
    """The Takuzu on a board of zeros and ones.

    Raises:
        Unsuitable: there is none.
    """
    if max(board.n_rows, board.n_columns) > MAX_LINES:
        raise unrecognised(f"the board is {board.shape}, and no Takuzu is larger than {MAX_LINES}x{MAX_LINES}")
    parts = _parts(board)
    clues = clues_of(board, parts.givens)
    _check_neighbours(board, parts.neighbours)
    on_two_cells = board.distinct(parts.on_two_cells)
    compared = comparisons(board, on_two_cells)
    is_comparison = compared.are_made[board.first_variables(parts.on_no_cell)]
    has_distinct_lines = are_lines_distinct(board, compared, parts.on_no_cell[is_comparison])
    not_comparing = np.setdiff1d(on_two_cells, compared.constraints, assume_unique=True)
    counting = np.concatenate((not_comparing, board.distinct(parts.on_one_cell)))
    check_balance(board, counting, parts.on_no_cell[~is_comparison], compared)
    return Takuzu(board.n_rows, board.n_columns, has_distinct_lines, clues=clues)


def _parts(board: Board) -> _Parts:
    problem = board.problem
    n_cells_before = np.concatenate(([0], np.cumsum(board.cells[problem.scopes] != NO_CELL)))
    n_cells = np.diff(n_cells_before[problem.scope_offsets])
    n_others = board.arities - n_cells
    parts = [
        (n_cells == 1) & (n_others == 0) & board.meanings.are(ConstraintKind.FIXED_VALUE),
        (n_cells == 3) & (n_others == 0),
        (n_cells == 2) & (n_others == 1),
        (n_cells == 1) & ((n_others == 1) | (n_others == 2)),
        n_cells == 0,
    ]
    is_known = np.logical_or.reduce([board.is_trivial, *parts])
    if not is_known.all():
        index = int(np.argmin(is_known))
        reason = f"it is on {n_cells[index]} of the cells and on {n_others[index]} other variables"
        if board.arities[index] == 1:
            reason = f"it leaves {board.names(board.cells[problem.scope(index)].tolist())} no value"
        raise foreign_constraint(board, index, reason)
    return _Parts(*(np.flatnonzero(part & ~board.is_trivial) for part in parts))


def _check_neighbours(board: Board, constraints: Offsets) -> None:
    """See that any three neighbours of a line are on a constraint that they are not all equal, and no other cells."""
    cells = np.sort(board.cells[board.scopes(constraints, 3)], axis=1)
    due = _neighbours(board)
    is_due = np.isin(_codes(cells), _codes(due))
    relations = board.problem.constraint_relations[constraints]
    _, firsts, groups = np.unique(relations, return_index=True, return_inverse=True)
    forbids_equal = [_forbids_equal(board, int(constraint)) for constraint in constraints[firsts]]
    is_known = is_due & np.array(forbids_equal, dtype=np.bool_)[groups]
    if not is_known.all():
        index = int(np.argmin(is_known))
        names = board.names(cells[index].tolist())
        reason = f"{names} are no three neighbours"
        if is_due[index]:
            reason = f"its table does not say of {names} that they are not all equal, and no more"
        raise foreign_constraint(board, int(constraints[index]), reason)
    missing = due[~np.isin(_codes(due), _codes(cells))]
    if len(missing):
        raise unrecognised(f"the neighbours {board.names(missing[0].tolist())} may all be equal")


def _neighbours(board: Board) -> Ids:
    """All three neighbours of a line; shape (n, 3)."""
    cells = np.arange(board.n_rows * board.n_columns, dtype=np.int32).reshape(board.n_rows, board.n_columns)
    return np.concatenate(
        [np.stack((lines[:, :-2], lines[:, 1:-1], lines[:, 2:]), axis=2).reshape(-1, 3) for lines in (cells, cells.T)]
    )


def _codes(cells: Ids) -> Offsets:
    """One number for each three cells of a board."""
    codes: Offsets = cells.astype(np.int64) @ np.array([MAX_LINES**4, MAX_LINES**2, 1], dtype=np.int64)
    return codes


def _forbids_equal(board: Board, constraint: int) -> bool:
    """Whether a constraint on three cells says that they are not all equal, and no more."""
    rows = board.allowed(constraint)
    return rows is not None and len(rows) == 6 and bool((rows != rows[:, :1]).any(axis=1).all())
