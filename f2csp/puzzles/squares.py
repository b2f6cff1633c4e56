"""Boards of N x N cells whose rows, columns and perhaps regions hold N different values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import ne
from typing import ClassVar

import numpy as np

from f2csp.arrays import grouped
from f2csp.diagnostics import ProblemError
from f2csp.model import ConstraintBlock, Ids
from f2csp.puzzles.puzzle import Cell, Conflict, Labels, Layout, Puzzle, board_lines
from f2csp.puzzles.to_problem import Rules

MAX_SIZE = 256
"""The largest board: 24 million constraints, 45 GB of text. Memory sets no bound, but the text of the next square, 289,
is more than a reader expands of a compressed file; a larger size is most likely a typo.
"""


def cells_by_label(labels: Labels) -> Mapping[int, list[Cell]]:
    """The cells of each region or cage, in the order of their first cells."""
    cells = ((label, Cell(row, column)) for row, line in enumerate(labels, 1) for column, label in enumerate(line, 1))
    return grouped(cells)


@dataclass(frozen=True, slots=True)
class Square(Puzzle):
    """The base of the puzzles with as many rows and columns as values."""

    REGION: ClassVar[str] = "region"  # in the names of groups

    size: int

    def __post_init__(self) -> None:
        check_size(self.size)
        self._check_clues()

    def shape(self) -> tuple[int, int, range]:
        return self.size, self.size, range(1, self.size + 1)

    def labels(self) -> Labels | None:
        """The region of each cell, from 1; None if there are no regions other than rows and columns."""
        return None

    def more_groups(self) -> Mapping[str, Sequence[Cell]]:
        """Further groups of cells that hold each value at most once."""
        return {}

    def add_rules(self, rules: Rules) -> None:
        """The pairs of cells that must differ, in the order of the format's section 7; then those of further groups."""
        regions = self.labels()
        labels = rules.cells // self.size + 1 if regions is None else np.array(regions, dtype=np.int32)
        n_pairs = sum(map(len, cell_pairs(labels)))
        if not n_pairs:
            return
        relation = rules.relation("Reject", [(value, value) for value in self.values])
        blocks = (ConstraintBlock(p.ravel(), np.full(len(p), relation, dtype=np.int32)) for p in cell_pairs(labels))
        rules.add_blocks(n_pairs, blocks)

        def place(cell: Cell) -> tuple[int, int, int]:
            return *cell, int(labels[cell.row - 1, cell.column - 1])

        pairs = [pair for cells in self.more_groups().values() for pair in combinations(cells, 2)]
        apart = [pair for pair in pairs if all(map(ne, place(pair[0]), place(pair[1])))]
        if apart:
            rules.add([[rules.cells[row - 1, column - 1] for row, column in pair] for pair in apart], relation)

    def groups(self) -> Mapping[str, Sequence[Cell]]:
        regions = {f"{self.REGION} {label}": cells for label, cells in cells_by_label(self.labels() or ()).items()}
        return {**board_lines(self.size, self.size), **regions, **self.more_groups()}

    def conflicts(self) -> Iterator[Conflict]:
        """The givens whose value is twice in a group; a quick look, for most puzzles have none."""
        clues, labels = self.clues, self.labels()
        lines = [{(row, value) for row, _, value in clues}, {(column, value) for _, column, value in clues}]
        if labels is not None:
            lines.append({(labels[row - 1][column - 1], value) for row, column, value in clues})
        return self._repeated_values() if self.more_groups() or min(map(len, lines)) < len(clues) else iter(())

    def layout(self) -> Layout:
        return Layout(regions=self.labels())


def check_size(size: int, most: int = MAX_SIZE) -> None:
    if not 1 <= size <= most:
        raise ProblemError(f"a board of size {size} is not between 1 and {most}")


def cell_pairs(labels: Ids) -> Iterator[Ids]:
    """The pairs of cells that must differ, each once, in the order of the constraints: one array for each row of cells.

    Each cell, row by row, is paired with the later cells of its row, then with the lower cells of its column, then with
    the cells of its region in a later row and another column, row by row.

    Shape:
        labels: (size, size), int32; the region of each cell, from 1; each region has as many cells as a row.
        each array: (n_pairs, 2), int32; the indices of the earlier and the later cell.
    """
    size = len(labels)
    columns = np.arange(size, dtype=np.int32)
    members = np.argsort(labels, axis=None, kind="stable").astype(np.int32).reshape(size, size)
    for row in range(size):
        cells = row * size + columns
        lower_rows = np.arange(row + 1, size, dtype=np.int32) * size
        in_region = members[labels[row] - 1]
        # For each cell, along the second axis: its row, its column below it, its region.
        partners = (np.broadcast_to(cells, (size, size)), lower_rows + columns[:, None], in_region)
        kept = (
            columns > columns[:, None],
            np.ones(partners[1].shape, dtype=np.bool_),
            (in_region >= (row + 1) * size) & (in_region % size != columns[:, None]),
        )
        keep = np.concatenate(kept, axis=1)
        firsts = np.repeat(cells, np.count_nonzero(keep, axis=1))
        yield np.stack((firsts, np.concatenate(partners, axis=1)[keep]), axis=1)
