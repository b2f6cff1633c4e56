"""Boards of N x N cells whose rows, columns and perhaps boxes hold N different values."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model import ConstraintBlock, Ids, ProblemStream, Relation
from f2csp.puzzles.puzzle import Cell, Clue, Conflict, Puzzle

MAX_SIZE = 256
"""The largest board: 24 million constraints, 45 GB of text. Memory sets no bound, but the text of the next square, 289,
is more than a reader expands of a compressed file; and who asks for a larger board has most likely mistyped its size.
"""

_CELL_NAME = re.compile(r"V([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")

Unit = tuple[str, int]  # "row", "column" or "box", and its number from 1


@dataclass(frozen=True, slots=True)
class Square(Puzzle):
    """The base of the puzzles with as many rows and columns as values.

    Attributes:
        size: how many there are of each.
        clues: see :class:`Puzzle`.
    """

    size: int

    @property
    def n_rows(self) -> int:
        """How many rows of cells there are."""
        return self.size

    @property
    def n_columns(self) -> int:
        """How many columns of cells there are."""
        return self.size

    @property
    def values(self) -> range:
        """What a cell may hold."""
        return range(1, self.size + 1)


def check_size(size: int) -> None:
    """Refuse a size that no board has.

    Raises:
        ProblemError: the size is not between 1 and ``MAX_SIZE``.
    """
    if not 1 <= size <= MAX_SIZE:
        raise ProblemError(f"a board of size {size} is not between 1 and {MAX_SIZE}")


def lines_of(clue: Clue) -> Sequence[Unit]:
    """The row and the column of a clue."""
    return ("row", clue.row), ("column", clue.column)


def repeated_values(clues: Sequence[Clue], units_of: Callable[[Clue], Sequence[Unit]]) -> Iterator[Conflict]:
    """Every given whose value was given before in one of its units, with the last such given of the unit."""
    seen: dict[tuple[Unit, int], Clue] = {}
    for clue in clues:
        shared: defaultdict[Clue, list[Unit]] = defaultdict(list)
        for unit in units_of(clue):
            earlier = seen.get((unit, clue.value))
            if earlier is not None:
                shared[earlier].append(unit)
            seen[unit, clue.value] = clue
        for earlier, units in shared.items():
            where = " and ".join(f"{name} {number}" for name, number in units)
            message = f"{clue.value} is given at {earlier.cell} and at {clue.cell}, both in {where}"
            yield Conflict((earlier, clue), message)


def has_repeated_value(clues: Sequence[Clue]) -> bool:
    """Whether a row or a column holds a value twice; a quick look, for most puzzles have no fault."""
    n = len(clues)
    return len({(row, value) for row, _, value in clues}) < n or len({(col, value) for _, col, value in clues}) < n


def different_values(
    title: str, size: int, box_rows: int, box_columns: int, more: Sequence[tuple[Relation, Ids]] = ()
) -> ProblemStream:
    """The rules of a board: the pairs of cells that must differ, in blocks, made when they are asked for.

    Args:
        title: the problem's.
        size: how many rows, columns and values there are.
        box_rows: how many rows a box has; boxes of one row are the rows themselves.
        box_columns: how many columns a box has.
        more: relations with the scopes that they hold on, which come after the pairs; no relation of no scope.

    Complexity:
        memory: O(size^2), as for one row of cells, while the constraints are as many as size^3.
    """
    values = np.arange(size, dtype=np.int32)
    n_pairs = size**2 * _n_peers(size, box_rows, box_columns) // 2
    relations = [Relation("Reject", np.stack((values, values), axis=1))] if n_pairs else []
    first_more = len(relations)
    numbers = range(1, size + 1)
    pairs = (
        ConstraintBlock(block.ravel(), np.zeros(len(block), dtype=np.int32))
        for block in cell_pairs(size, box_rows, box_columns)
    )
    others = (
        ConstraintBlock(scopes.ravel(), np.full(len(scopes), i, dtype=np.int32))
        for i, (_, scopes) in enumerate(more, first_more)
    )
    return ProblemStream(
        title=title,
        words=tuple(map(str, numbers)),
        domain_names=("D1",),
        domain_values=(values,),
        variable_names=cell_names(size, size),
        variable_domains=np.zeros(size**2, dtype=np.int32),
        relations=(*relations, *(relation for relation, _ in more)),
        n_constraints=n_pairs + sum(len(scopes) for _, scopes in more),
        blocks=chain(pairs, others),
    )


def cell_names(n_rows: int, n_columns: int) -> tuple[str, ...]:
    """The variables of the cells, row by row."""
    return tuple(f"V{row}-{column}" for row in range(1, n_rows + 1) for column in range(1, n_columns + 1))


def cell_of(name: str) -> Cell | None:
    """The cell whose variable has this name, if it is one of a cell."""
    match = _CELL_NAME.fullmatch(name)
    return Cell(int(match[1]), int(match[2])) if match else None


def cell_pairs(size: int, box_rows: int, box_columns: int) -> Iterator[Ids]:
    """The pairs of cells that must differ, each once, in the order of the constraints: one array for each row of cells.

    Each cell, row by row, is paired with the later cells of its row, then with the lower cells of its column, then with
    the cells of its box in a later row and another column, row by row.

    Shape:
        each array: (n_pairs, 2), int32; the indices of the earlier and the later cell.
    """
    columns = np.arange(size, dtype=np.int32)
    in_box = np.arange(box_columns, dtype=np.int32)
    box_lefts = columns // box_columns * box_columns
    for row in range(size):
        box_bottom = (row // box_rows + 1) * box_rows
        cells = row * size + columns
        lower_rows = np.arange(row + 1, size, dtype=np.int32) * size
        lower_box_rows = lower_rows[: box_bottom - row - 1]
        lower_box_columns = box_lefts[:, None] + in_box
        # For each cell, along the second axis: its row, its column below it, its box below it.
        partners = (
            np.broadcast_to(cells, (size, size)),
            lower_rows + columns[:, None],
            (lower_box_rows[:, None] + lower_box_columns[:, None, :]).reshape(size, -1),
        )
        kept = (
            columns > columns[:, None],
            np.ones(partners[1].shape, dtype=np.bool_),
            np.tile(lower_box_columns != columns[:, None], len(lower_box_rows)),
        )
        keep = np.concatenate(kept, axis=1)
        firsts = np.repeat(cells, np.count_nonzero(keep, axis=1))
        yield np.stack((firsts, np.concatenate(partners, axis=1)[keep]), axis=1)


def _n_peers(size: int, box_rows: int, box_columns: int) -> int:
    """How many cells must differ from a cell: in its row, in its column, and elsewhere in its box."""
    return 2 * (size - 1) + (box_rows - 1) * (box_columns - 1)
