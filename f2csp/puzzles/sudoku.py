"""Sudoku with square or rectangular boxes: the board, its rules on givens, and the board as a problem."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model import ConstraintBlock, Ids, Problem, ProblemStream, Relation

MAX_SIZE = 256
"""The largest board: 24 million constraints, 45 GB of text. Memory sets no bound, but the text of the next square, 289,
is more than a reader expands of a compressed file; and who asks for a larger board has most likely mistyped its size.
"""


@dataclass(frozen=True, slots=True)
class Clue:
    """A given value of a cell.

    Attributes:
        row: counted from 1.
        column: counted from 1.
        value: counted from 1.
        span: the byte offsets of its place in the text that it was read from, if any; no part of equality.
    """

    row: int
    column: int
    value: int
    span: tuple[int, int] = field(default=(0, 0), compare=False)

    @property
    def cell(self) -> str:
        """The cell in words."""
        return f"row {self.row}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Board:
    """A Sudoku board and its givens.

    Attributes:
        size: how many rows, columns and values there are.
        box_rows: how many rows a box has.
        box_columns: how many columns a box has.
        clues: the givens in the order of the input; no cell twice.

    Raises:
        ProblemError: the boxes do not fit the board, or a clue does not.
    """

    size: int
    box_rows: int
    box_columns: int
    clues: tuple[Clue, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.size <= MAX_SIZE:
            raise ProblemError(f"a board of size {self.size} is not between 1 and {MAX_SIZE}")
        if self.box_rows < 1 or self.box_rows * self.box_columns != self.size:
            raise ProblemError(f"boxes of {self.box_rows}x{self.box_columns} do not fit a board of size {self.size}")
        given: set[tuple[int, int]] = set()
        for clue in self.clues:
            if not all(1 <= number <= self.size for number in (clue.row, clue.column, clue.value)):
                raise ProblemError(f"{clue.value} at {clue.cell} is not on a board of size {self.size}")
            if (clue.row, clue.column) in given:
                raise ProblemError(f"{clue.cell} is given twice")
            given.add((clue.row, clue.column))

    def units(self, clue: Clue) -> tuple[str, str, str]:
        """The names of the row, the column and the box of a clue; boxes are counted row by row from 1."""
        boxes_across = self.size // self.box_columns
        box = (clue.row - 1) // self.box_rows * boxes_across + (clue.column - 1) // self.box_columns + 1
        return f"row {clue.row}", f"column {clue.column}", f"box {box}"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two givens with one value and the units that their cells share."""

    earlier: Clue
    later: Clue
    units: tuple[str, ...]


def conflicts(board: Board) -> Iterator[Conflict]:
    """Every pair of givens that breaks a rule, once, in the order of the later one."""
    seen: defaultdict[tuple[str, int], list[Clue]] = defaultdict(list)
    for clue in board.clues:
        shared: defaultdict[Clue, list[str]] = defaultdict(list)
        for unit in board.units(clue):
            holders = seen[unit, clue.value]
            for earlier in holders:
                shared[earlier].append(unit)
            holders.append(clue)
        for earlier, units in shared.items():
            yield Conflict(earlier, clue, tuple(units))


def n_conflicts(board: Board) -> int:
    """How many conflicts there are; counted without making them, as there may be one for every two givens."""
    rows, columns, boxes, rows_of_boxes, columns_of_boxes = (Counter[tuple[object, ...]]() for _ in range(5))
    for clue in board.clues:
        row, column, box = board.units(clue)
        rows[row, clue.value] += 1
        columns[column, clue.value] += 1
        boxes[box, clue.value] += 1
        rows_of_boxes[row, box, clue.value] += 1
        columns_of_boxes[column, box, clue.value] += 1
    in_units = sum(comb(n, 2) for holders in (rows, columns, boxes) for n in holders.values())
    in_two = sum(comb(n, 2) for holders in (rows_of_boxes, columns_of_boxes) for n in holders.values())
    return in_units - in_two


def cell_pairs(board: Board) -> Iterator[Ids]:
    """The pairs of cells that must differ, each once, in the order of the constraints: one array for each row of cells.

    Each cell, row by row, is paired with the later cells of its row, then with the lower cells of its column, then with
    the cells of its box in a later row and another column, row by row.

    Shape:
        each array: (n_pairs, 2), int32; the indices of the earlier and the later cell.
    """
    columns = np.arange(board.size, dtype=np.int32)
    in_box = np.arange(board.box_columns, dtype=np.int32)
    box_lefts = columns // board.box_columns * board.box_columns
    for row in range(board.size):
        box_bottom = (row // board.box_rows + 1) * board.box_rows
        cells = row * board.size + columns
        lower_rows = np.arange(row + 1, board.size, dtype=np.int32) * board.size
        box_rows = lower_rows[: box_bottom - row - 1]
        box_columns = box_lefts[:, None] + in_box
        # For each cell, along the second axis: its row, its column below it, its box below it.
        partners = (
            np.broadcast_to(cells, (board.size, board.size)),
            lower_rows + columns[:, None],
            (box_rows[:, None] + box_columns[:, None, :]).reshape(board.size, -1),
        )
        kept = (
            columns > columns[:, None],
            np.ones(partners[1].shape, dtype=np.bool_),
            np.tile(box_columns != columns[:, None], len(box_rows)),
        )
        keep = np.concatenate(kept, axis=1)
        firsts = np.repeat(cells, np.count_nonzero(keep, axis=1))
        yield np.stack((firsts, np.concatenate(partners, axis=1)[keep]), axis=1)


def to_problem(board: Board) -> Problem:
    """The board as a problem: the pairs of cells that must differ, then the givens in their order."""
    return to_stream(board).collect()


def to_stream(board: Board) -> ProblemStream:
    """The same as :func:`to_problem`, with the constraints in blocks, made when they are asked for.

    Complexity:
        memory: O(size^2), as for one row of cells, while the constraints are as many as size^3.
    """
    values = np.arange(board.size, dtype=np.int32)
    n_pairs = board.size**2 * _n_peers(board) // 2
    relations = [Relation("Reject", np.stack((values, values), axis=1))] if n_pairs else []
    relation_of = {value: len(relations) + i for i, value in enumerate(dict.fromkeys(c.value for c in board.clues))}
    relations += [Relation("Accept", np.array([[value - 1]], dtype=np.int32)) for value in relation_of]
    numbers = range(1, board.size + 1)
    return ProblemStream(
        title=f"Sudoku {board.size}x{board.size}",
        words=tuple(map(str, numbers)),
        domain_names=("D1",),
        domain_values=(values,),
        variable_names=tuple(f"V{row}-{column}" for row in numbers for column in numbers),
        variable_domains=np.zeros(board.size**2, dtype=np.int32),
        relations=tuple(relations),
        n_constraints=n_pairs + len(board.clues),
        blocks=_blocks(board, relation_of),
    )


def _blocks(board: Board, relation_of: dict[int, int]) -> Iterator[ConstraintBlock]:
    """The pairs, a block for each row of cells; then the givens."""
    for pairs in cell_pairs(board):
        yield ConstraintBlock(pairs.ravel(), np.zeros(len(pairs), dtype=np.int32))
    cells = [(c.row - 1) * board.size + c.column - 1 for c in board.clues]
    relations = [relation_of[c.value] for c in board.clues]
    yield ConstraintBlock(np.array(cells, dtype=np.int32), np.array(relations, dtype=np.int32))


def _n_peers(board: Board) -> int:
    """How many cells must differ from a cell: in its row, in its column, and elsewhere in its box."""
    return 2 * (board.size - 1) + (board.box_rows - 1) * (board.box_columns - 1)
