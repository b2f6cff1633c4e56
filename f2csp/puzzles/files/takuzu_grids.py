"""Takuzus as rows of cells."""

import re
from collections.abc import Sequence
from itertools import pairwise

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.cell_rows import Boards, Row, Rows, Shape, Symbols, rows_of, usual, written_rows
from f2csp.puzzles.files.page import Piece, Text, number
from f2csp.puzzles.files.puzzle_builder import Codec, Likeness, PuzzleBuilder, text_of
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

_VALUES = {"0": 0, "1": 1}

# ---- With 2 for a blank ---------------------------------------------------------------------------------------------

_IST = Symbols(frozenset("2"), "write 0, 1, or 2 for a blank", _VALUES)


def _looks_like_ist(text: Text) -> Likeness:
    """Whether a size alone is followed by rows of words that are 0, 1 or 2, or mostly so."""
    head = text.head()
    rows = _ist_boards(head).first() or rows_of(head.filled_lines)
    if not rows or len(rows[0].cells) > 1 or number(rows[0].cells[0].text) is None:
        return Likeness.NONE
    return _likeness(rows[1:], _IST, 1 / 2)


def _read_ist(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a Takuzu of the course on artificial intelligence at Instituto Superior Técnico: the size, and rows.

        4
        2	1	2	0
        2	2	0	2
        2	0	2	2
        1	1	2	0

    2 is a blank. Between the cells there is a tab; other blanks are read as well.
    """
    size, span = builder.size_line(text.filled_lines, text.end, MAX_LINES)
    return Rows(Shape(size, size, span), rows_of(text.filled_lines[1:]), text.end).puzzle(builder, _IST)


def _write_ist(board: Takuzu) -> str:
    if board.rows != board.columns:
        raise Unsuitable(f"the format has no board of {board.rows}x{board.columns}: its boards are squares")
    return text_of([str(board.rows), *map("\t".join, written_rows(board, "2"))])


def _ist_boards(text: Text) -> Boards:
    return Boards(text, rows_of(text.filled_lines), 2)


IST = Codec(_looks_like_ist, _read_ist, _write_ist, lambda text: _ist_boards(text).parts(), between="\n")

# ---- A character for each cell --------------------------------------------------------------------------------------

_CELLS = Symbols(frozenset("._-"), "write 0, 1, or . for a blank", _VALUES)
_CELL = re.compile(r"[^ \t]")
_GAP = re.compile(rb"\n[ \t]*+\r?\n")
_START, _END = "#start", "#end"
_SHAPE_HINT = "write the numbers of rows and columns on the line after #Start, such as 8 8"


def _looks_like_grid(text: Text) -> Likeness:
    """Whether the file begins with ``#Start``, or most of its characters are cells."""
    head = text.head()
    rows = _grids(head).first() or _rows(head.filled_lines)
    has_start = head.data.lstrip()[: len(_START)].lower() == _START.encode()
    found = _likeness(rows[_sizes(rows) is not None :], _CELLS, 3 / 4)
    return Likeness.SOUND if has_start else min(found, Likeness.SOUND if head.filled_lines[1:] else Likeness.FAINT)


def _likeness(rows: Sequence[Row], symbols: Symbols, least: float) -> Likeness:
    cells = [symbols.knows(cell.text) for row in rows for cell in row.cells]
    if cells and all(cells):
        return Likeness.SOUND
    return Likeness.FAINT if cells and sum(cells) >= least * len(cells) else Likeness.NONE


def _read_grid(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a Takuzu with a character for each cell, with or without blanks between.

        #Start
        4 6
        . . 0 . 1 .
        1 . . . . .
        . . . 0 . 0
        . 0 . . . .
        #End

    ``.``, ``_`` or ``-`` is a blank cell. The first two lines, which give the numbers of rows and columns, and the last
    one may be missing together, or all but the numbers, of which one is enough; other lines that begin with ``#`` are
    comments.
    """
    lines, shape, end = text.filled_lines, None, text.end
    if lines and lines[0].stripped.lower() == _START:
        last = next((at for at, line in enumerate(lines) if line.stripped.lower() == _END), len(lines))
        if last == len(lines):
            builder.fault("F615", (end, end), "expected #End after the last row")
        elif lines[last + 1 :]:
            builder.fault("F606", lines[last + 1].span, "unexpected text after #End", hint="write one board to a file")
        (n_rows, n_columns), span = builder.sizes(lines[1 : last + 1], end, MAX_LINES, 2, _SHAPE_HINT)
        shape = Shape(n_rows, n_columns, span)
        end, lines = (lines[last].start if last < len(lines) else end), lines[2:last]
    rows = _rows(lines)
    if not rows:
        builder.stop("F615", (end, end), "expected a row of 0, 1 and .")
    if shape is None and (shape := _sizes(rows)):
        rows = rows[1:]
    if shape is None:
        _check_gaps(rows, builder)
        shape = Shape(len(rows), usual(len(row.cells) for row in rows), rows[0].span)
    builder.check_size(shape.span, MAX_LINES, shape.n_rows, shape.n_columns)
    return Rows(shape, rows, end).puzzle(builder, _CELLS)


def _rows(lines: Sequence[Piece]) -> list[Row]:
    return [Row(line.matches(_CELL), line.span) for line in lines if not line.stripped.startswith("#")]


def _sizes(rows: Sequence[Row]) -> Shape | None:
    """The shape on the first line, if that is no row."""
    first, *others = rows or [Row((), (0, 0))]
    n_columns, width = usual(len(row.cells) for row in others), len(first.cells)
    ends = [i for i, (cell, other) in enumerate(pairwise(first.cells), 1) if cell.end < other.start]
    words = ["".join(cell.text for cell in first.cells[i:j]) for i, j in pairwise([0, *ends, width])]
    sizes = [size for word in words if (size := number(word)) is not None]
    if not others or width == n_columns or len(sizes) != len(words) or len(sizes) > 2:
        return None
    if all(_CELLS.knows(cell.text) for cell in first.cells) and not width < n_columns == sizes[-1]:
        return None
    return Shape(sizes[0], sizes[-1], first.span)


def _check_gaps(rows: Sequence[Row], builder: PuzzleBuilder) -> None:
    """Stop where a blank line separates rows as if there were two boards, unless all rows are one square board."""
    data = builder.collector.source.data
    starts = [at for at, (one, other) in enumerate(pairwise(rows), 1) if _GAP.search(data, one.span[1], other.span[0])]
    heights = [end - start for start, end in pairwise([0, *starts, len(rows)])]
    if starts and min(heights) > 1 and usual(len(row.cells) for row in rows) != len(rows):
        message = "expected one board, or several squares, found a blank line within a board that is no square"
        builder.stop("F609", rows[starts[0]].span, message, "remove the blank line, or write one board to a file")


def _write_grid(puzzle: Takuzu) -> str:
    """The rows; the format cannot say whether lines must differ."""
    return text_of(map(" ".join, written_rows(puzzle, ".")))


def _grids(text: Text) -> Boards:
    return Boards(text, _rows(text.filled_lines), 2)


GRID = Codec(_looks_like_grid, _read_grid, _write_grid, lambda text: _grids(text).parts(), between="\n")
