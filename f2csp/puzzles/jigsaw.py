"""Jigsaw Sudoku, also called squiggly Sudoku: the boxes are irregular regions."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from f2csp.arrays import by_value, components
from f2csp.diagnostics import ProblemError
from f2csp.puzzles.puzzle import SIZE, Cell, Generator, Labels, Puzzle, PuzzleKind
from f2csp.puzzles.squares import Square, check_size

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board

_MAX_LEFT_CELLS = 8  # for each row, in parts that are smaller than a region


@dataclass(frozen=True, slots=True)
class Jigsaw(Square):
    """A board whose rows, columns and regions hold each value once."""

    KIND: ClassVar[str] = "jigsaw"

    regions: Labels  # any numbers will do: regions are numbered from 1 in the order of their first cells, row by row

    def __post_init__(self) -> None:
        check_size(self.size)
        if len(self.regions) != self.size or any(len(row) != self.size for row in self.regions):
            raise ProblemError(f"the regions do not fit a board of size {self.size}")
        labels = [label for row in self.regions for label in row]
        number = {label: i for i, label in enumerate(dict.fromkeys(labels), 1)}
        for label, n_cells in Counter(labels).items():
            if n_cells != self.size:
                raise ProblemError(f"region {number[label]} has {n_cells} cells; each region has {self.size}")
        object.__setattr__(self, "regions", tuple(tuple(number[label] for label in row) for row in self.regions))
        self._check_clues()

    def labels(self) -> Labels:
        return self.regions

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        regions = _regions(board) if board.is_square else None
        if regions is not None:
            yield cls(board.n_rows, regions, clues=board.clues)


def _regions(board: "Board") -> Labels | None:
    """Regions whose cells differ; None if there are none.

    Cells that differ and are in no common line belong to one region. A line without such a cell is a region. What is
    left are parts of regions that see each other only along lines, such as the corner of an L: neighbouring parts are
    joined until all have the right size.
    """
    size = board.n_rows
    rows = [[Cell(row, column) for column in range(1, size + 1)] for row in range(1, size + 1)]
    seen = [frozenset(map(board.cell, cells)) for _, cells in by_value(components(size**2, *board.apart.T))]
    if max(map(len, seen)) > size:
        return None
    part_of = {cell: part for part in seen for cell in part}
    for line in (*rows, *zip(*rows, strict=True)):
        if all(len(part_of[cell]) == 1 for cell in line):
            part_of |= dict.fromkeys(line, frozenset(line))
    parts = _joined(list(dict.fromkeys(part_of.values())), size, iter(range(4 * size)))
    if parts is None:
        return None
    number = {cell: i for i, part in enumerate(parts) for cell in part}
    return tuple(tuple(number[cell] for cell in row) for row in rows)


def _joined(parts: list[frozenset[Cell]], size: int, joins: Iterator[int]) -> list[frozenset[Cell]] | None:
    """Join parts to regions of ``size`` cells; depth-first, the part with the fewest neighbours first.

    The search ends with ``joins``: where there are many parts to join, there are no regions.
    """
    small = {cell: part for part in parts if len(part) < size for cell in part}
    if not small:
        return parts
    if len(small) > _MAX_LEFT_CELLS * size or next(joins, None) is None:
        return None
    options = {part: _neighbours(part, small, size) for part in small.values()}
    part = min(options, key=lambda part: len(options[part]))
    for other in options[part]:
        rest = [kept for kept in parts if kept not in (part, other)]
        joined = _joined([*rest, part | other], size, joins)
        if joined is not None:
            return joined
    return None


def _neighbours(part: frozenset[Cell], parts: Mapping[Cell, frozenset[Cell]], size: int) -> list[frozenset[Cell]]:
    """The parts that touch a part and can be in one region with it: their cells see each other only along lines."""
    around = [Cell(row + i, column + j) for row, column in part for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    touching = dict.fromkeys(parts[cell] for cell in around if cell in parts and cell not in part)
    return [
        other
        for other in touching
        if len(part) + len(other) <= size
        and all(one.row == cell.row or one.column == cell.column for one in part for cell in other)
    ]


KIND = PuzzleKind(
    Jigsaw,
    "tatham regions andoku map numbered json link",
    r"jigsaw|squiggly|irregular",
    Generator("jigsaw", "Generate Jigsaw Sudokus with random regions.", (SIZE._replace(most=16),)),
)
