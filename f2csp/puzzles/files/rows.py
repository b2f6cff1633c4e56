"""Boards in rows of words: as many rows, and as many cells in each, as the board has."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from f2csp.puzzles.files.reading import Reading
from f2csp.puzzles.files.text import Line, Span, Word

_HINT = "add the cells that are missing, or remove those that are too many"


class Row(NamedTuple):
    """The cells of a row, and where it stands."""

    cells: Sequence[Word]
    span: Span


class Shape(NamedTuple):
    """What a file says of its board.

    Attributes:
        n_rows: how many rows there should be.
        n_columns: how many cells each of them should have.
        span: where it is said.
    """

    n_rows: int
    n_columns: int
    span: Span


def rows_of(lines: Sequence[Line]) -> list[Row]:
    """A row for each line, a cell for each of its words."""
    return [Row(line.words(), line.span) for line in lines]


def placed_cells(rows: Sequence[Row], shape: Shape, end: int, reading: Reading) -> Iterator[tuple[int, int, Word]]:
    """The row, the column and the word of each cell, counted from 1; wrong numbers of rows and cells are told.

    Args:
        rows: what the file holds.
        shape: what it should hold.
        end: the byte offset where a row that is missing would stand.
        reading: takes the faults.
    """
    n_rows, n_columns, span = shape
    lengths = {len(row.cells) for row in rows}
    if len(rows) > 1 and len(lengths) == 1 and lengths != {n_columns}:  # one cause: the size is wrong, not every row
        message = (
            f"a row of a {n_rows}x{n_columns} board has {_cells(n_columns)}, and each of the rows has {lengths.pop()}"
        )
        reading.fault("F609", span, message, hint="correct the size, or the rows")
        return
    for number, row in enumerate(rows[:n_rows], 1):
        _check_length(number, row, n_columns, reading)
        for column, word in enumerate(row.cells[:n_columns], 1):
            yield number, column, word
    if len(rows) != n_rows:
        place = rows[n_rows].span if len(rows) > n_rows else (end, end)
        found = "1 row stands" if len(rows) == 1 else f"{len(rows):,} rows stand"
        reading.fault("F609", place, f"a {n_rows}x{n_columns} board has {n_rows} rows, and {found} here", hint=_HINT)


def _check_length(number: int, row: Row, n_columns: int, reading: Reading) -> None:
    n_cells = len(row.cells)
    if n_cells != n_columns:
        span = (row.cells[n_columns].start, row.span[1]) if n_cells > n_columns else (row.span[1], row.span[1])
        message = f"row {number} has {_cells(n_cells)}, and a row of the board has {n_columns}"
        reading.fault("F609", span, message, hint=_HINT)


def _cells(n: int) -> str:
    return "1 cell" if n == 1 else f"{n:,} cells"
