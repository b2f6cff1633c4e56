"""Sudokus, Latin squares and Futoshikis found in problems: pairs of cells that differ, signs, and givens."""

import re

import numpy as np

from f2csp.diagnostics import Unsuitable, shown
from f2csp.model import Ids, Offsets
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.recovery_board import (
    NO_CELL,
    Board,
    Bools,
    clues_of,
    constraint_name,
    foreign_constraint,
    listed_values,
    unrecognised,
)
from f2csp.puzzles.squares import MAX_SIZE, cell_pairs
from f2csp.puzzles.sudoku import Box, Sudoku
from f2csp.structure import ConstraintKind

_STRICT = (ConstraintKind.LESS, ConstraintKind.GREATER)
_GREATER_FIRST = (ConstraintKind.GREATER, ConstraintKind.GREATER_OR_EQUAL)
_COMPARING = (
    *_STRICT,
    ConstraintKind.LESS_OR_EQUAL,
    ConstraintKind.GREATER_OR_EQUAL,
)  # of two that differ, all are strict

_TITLE = re.compile(r"\W*(sudoku|futoshiki)", re.IGNORECASE)
_LISTED = 5  # cells that a message lists


def square_from(board: Board) -> Puzzle:
    """The puzzle on a square board.

    Raises:
        Unsuitable: there is none.
    """
    _check_board(board)
    pairs, compared, signs_by = _pairs(board)
    clues = clues_of(board, np.flatnonzero(board.meanings.are(ConstraintKind.FIXED_VALUE)))
    signs = _signs(board, compared, signs_by)
    box = _box(board, pairs)
    if box and signs:
        raise unrecognised(
            f"{constraint_name(board.problem, int(signs_by[0]))} compares {board.names(compared[0])}, as in a "
            "Futoshiki, but cells of boxes differ, as in a Sudoku"
        )
    size = board.n_rows
    title = _TITLE.match(board.problem.title)
    name = title[1].lower() if title else ""
    if box or (name == "sudoku" and not signs):
        return Sudoku(size, *(box or (1, size)), clues=clues)
    if signs or name == "futoshiki":
        return Futoshiki(size, signs, clues=clues)
    return LatinSquare(size, clues=clues)


def _check_board(board: Board) -> None:
    """Refuse variables that are no cells, other shapes than squares, other values than 1 to N, and no such size."""
    foreign = np.flatnonzero(board.cells == NO_CELL)
    if len(foreign):
        name = board.problem.variable_names[int(foreign[0])]
        raise unrecognised(f"the variable {shown(name)} is no cell V<row>-<column>")
    if board.n_rows != board.n_columns:
        values = listed_values(board.values)
        raise unrecognised(f"the board is {board.shape}, which is no square, and its cells take {values}, not 0 and 1")
    due = [str(value) for value in range(1, board.n_rows + 1)]
    if set(board.values) != set(due):
        values = f"the cells take {listed_values(board.values)}"
        raise unrecognised(f"{values}, and those of a {board.shape} board take {listed_values(due)}")
    if board.n_rows > MAX_SIZE:
        raise unrecognised(f"the board is {board.shape}, and no puzzle is larger than {MAX_SIZE}x{MAX_SIZE}")


def _pairs(board: Board) -> tuple[Ids, Ids, Offsets]:
    """The pairs of cells that differ; those that are compared, the smaller one first; the constraints of the latter."""
    meanings = board.meanings
    differing = np.flatnonzero(meanings.are(ConstraintKind.DIFFERENT, *_STRICT))
    comparing = np.flatnonzero(meanings.are(*_COMPARING))
    compared = board.cells[board.scopes(comparing, 2)]
    is_known = board.is_trivial | meanings.are(ConstraintKind.FIXED_VALUE, ConstraintKind.DIFFERENT)
    is_known[comparing] = _touch(compared, board.n_columns)
    if not is_known.all():
        raise _foreign_constraint(board, int(np.argmin(is_known)))
    is_turned = meanings.are(*_GREATER_FIRST)[comparing]
    compared[is_turned] = compared[is_turned, ::-1]
    return board.cells[board.scopes(differing, 2)], compared, comparing


def _touch(pairs: Ids, n_columns: int) -> Bools:
    """Which pairs are neighbours in a row or a column."""
    first, last = np.sort(pairs, axis=1).T
    touch: Bools = (last - first == n_columns) | ((last - first == 1) & (last % n_columns > 0))
    return touch


def _foreign_constraint(board: Board, index: int) -> Unsuitable:
    """The error that a constraint is none of such a puzzle's."""
    variables = board.problem.scope(index)
    cells = board.cells[variables].tolist()
    names = board.names(cells[:_LISTED]) + (" ..." if len(cells) > _LISTED else "")
    kind = board.meanings[index].kind
    if kind == ConstraintKind.NEVER_TRUE:
        what = f"it leaves {names} no value"
    elif len(cells) == 1:
        what = f"it leaves {names} several values"
    elif len(cells) > 2:
        what = f"it is on {len(cells)} cells, {names}"
    elif kind in _COMPARING:
        what = f"it compares {names}, which are no neighbours"
    else:
        what = f"its table neither makes {names} differ nor compares them"
    return foreign_constraint(board, index, what)


def _signs(board: Board, compared: Ids, constraints: Offsets) -> tuple[Sign, ...]:
    """The signs between neighbours; none that contradicts another."""
    by: dict[tuple[int, int], int] = {}
    for (smaller, greater), constraint in zip(compared.tolist(), constraints.tolist(), strict=True):
        by[smaller, greater] = constraint
        if (greater, smaller) in by:
            one, other = (constraint_name(board.problem, c) for c in (by[greater, smaller], constraint))
            cells = board.names(sorted((smaller, greater)))
            raise unrecognised(f"{one} and {other} contradict each other about {cells}")
    return tuple(Sign(board.cell(smaller), board.cell(greater)) for smaller, greater in by)


def _box(board: Board, pairs: Ids) -> Box | None:
    """The box within which the pairs differ besides rows and columns; None if they differ nowhere else."""
    size = board.n_rows
    # Each pair is one number; those that must be there are, if as many are there.
    ends = np.sort(pairs.astype(np.int64), axis=1)
    numbers = np.sort(ends[:, 0] * size**2 + ends[:, 1])
    found = numbers[np.diff(numbers, prepend=-1) > 0]
    in_line = _in_one_box(found, size, (1, size)) | _in_one_box(found, size, (size, 1))
    if np.count_nonzero(in_line) < size**2 * (size - 1):
        raise _equal_pair(board, found, (1, size))
    others = found[~in_line]
    if not len(others):
        return None
    boxes = [(rows, size // rows) for rows in range(2, size) if size % rows == 0]
    if not boxes:
        raise unrecognised(
            f"{board.names(divmod(int(others[0]), size**2))} differ, which are in no common row or column, and a "
            f"{board.shape} board has no boxes"
        )
    n_shared = {box: np.count_nonzero(_in_one_box(others, size, box)) for box in boxes}
    n_due = {box: size**2 * (box[0] - 1) * (box[1] - 1) // 2 for box in boxes}
    box = min(boxes, key=lambda box: n_due[box] - 2 * n_shared[box])  # the fewest pairs too many and missing
    if n_shared[box] < len(others):
        stray = others[~_in_one_box(others, size, box)][0]
        raise unrecognised(
            f"boxes: {board.names(divmod(int(stray), size**2))} differ, which are in no common row, column or box of "
            f"{box[0]}x{box[1]}"
        )
    if n_shared[box] < n_due[box]:
        raise _equal_pair(board, found, box)
    return box


def _in_one_box(pairs: Offsets, size: int, box: Box) -> Bools:
    """Which pairs of cells are in a common box of this shape."""
    rows, columns = box
    (one_row, one_column), (other_row, other_column) = (np.divmod(cells, size) for cells in np.divmod(pairs, size**2))
    shared: Bools = (one_row // rows == other_row // rows) & (one_column // columns == other_column // columns)
    return shared


def _equal_pair(board: Board, found: Offsets, box: Box) -> Unsuitable:
    """The error that two cells of a row, a column or a box may be equal: the first such pair.

    Args:
        board: the board.
        found: the pairs that differ, in order; not all that must.
        box: the shape of the boxes.
    """
    size = board.n_rows
    ends = np.append(found, -1)
    blocks = ((pairs, pairs[:, 0].astype(np.int64) * size**2 + pairs[:, 1]) for pairs in cell_pairs(size, *box))
    missing = (pairs[ends[np.searchsorted(found, codes)] != codes] for pairs, codes in blocks)
    first = next(pairs[0] for pairs in missing if len(pairs))
    where = f"row, column or box of {box[0]}x{box[1]}" if box[0] > 1 else "row or column"
    return unrecognised(f"the pair {board.names(first.tolist())} may be equal, in one {where} of a {board.shape} board")
