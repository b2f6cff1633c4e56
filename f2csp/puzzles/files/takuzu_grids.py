"""Takuzus as rows of cells."""

import re
from collections.abc import Sequence
from itertools import pairwise

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.cell_rows import Boards, Row, Rows, Shape, Symbols, rows_of, usual, written_rows
from f2csp.puzzles.files.page import Piece, Text, number, span_of
from f2csp.puzzles.files.puzzle_builder import Codec, Likeness, PuzzleBuilder, Unreadable, of_kind, text_of
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

# ---- With 2 for a blank ---------------------------------------------------------------------------------------------

_IST = Symbols(frozenset("2"), "write 0, 1, or 2 for a blank", {"0": 0, "1": 1})


def _looks_like_ist(text: Text) -> Likeness:
    """Whether a size alone is followed by rows of words that are 0, 1 or 2, or mostly so."""
    lines = [line.text.split() for line in _ist_boards(text.head()).first()]
    if not lines or len(lines[0]) > 1 or number(lines[0][0]) is None:
        return Likeness.NONE
    cells = [cell for row in lines[1:] for cell in row]
    n_known = sum(map(_IST.knows, cells))
    if cells and n_known == len(cells):
        return Likeness.SOUND
    return Likeness.FAINT if 2 * n_known >= len(cells) else Likeness.NONE


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


def _write_ist(puzzle: Puzzle) -> str:
    """The size and the rows; the format cannot say whether lines must differ."""
    board = of_kind(puzzle, Takuzu)
    if board.rows != board.columns:
        raise Unsuitable(f"the format has no board of {board.rows}x{board.columns}: its boards are squares")
    return text_of([str(board.rows), *map("\t".join, written_rows(board, "2"))])


def _ist_boards(text: Text) -> Boards:
    return Boards(text, [(line, line.text.split()) for line in text.filled_lines])


IST = Codec(_looks_like_ist, _read_ist, _write_ist, lambda text: _ist_boards(text).parts(), between="\n")

# ---- A character for each cell --------------------------------------------------------------------------------------

_CELLS = Symbols(frozenset("._-"), "write 0, 1, or . for a blank", {"0": 0, "1": 1})
_START, _END = "#start", "#end"
_CELL = re.compile(r"[^ \t]")
_GAP = re.compile(rb"\n[ \t]*+\r?\n")
_SHAPE_HINT = "write the numbers of rows and columns on the line after #Start, such as 8 8"


def _looks_like_grid(text: Text) -> Likeness:
    """Whether the file begins with ``#Start``, or most of its characters are cells."""
    lines = text.head().filled_lines
    rows = _grids(text.head()).first()
    rows = rows[1:] if rows and _sizes(rows) else rows
    cells = [cell for line in rows for cell in line.text if cell not in " \t"]
    n_known = sum(map(_CELLS.knows, cells))
    has_start = bool(lines) and lines[0].stripped.lower() == _START
    if has_start or (cells and n_known == len(cells) and len(lines) > 1):
        return Likeness.SOUND
    return Likeness.FAINT if cells and 4 * n_known >= 3 * len(cells) else Likeness.NONE


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
        shape = _start_shape(lines[1:], end, builder)
        last = next((at for at, line in enumerate(lines) if line.stripped.lower() == _END), len(lines))
        if last == len(lines):
            builder.fault("F615", (end, end), "expected #End after the last row")
        elif lines[last + 1 :]:
            builder.fault("F606", lines[last + 1].span, "unexpected text after #End", hint="write one board to a file")
        if shape is None:
            raise Unreadable
        end, lines = (lines[last].start if last < len(lines) else end), lines[2:last]
    return _board([line for line in lines if not _is_comment(line)], shape, end, builder)


def _start_shape(lines: Sequence[Piece], end: int, builder: PuzzleBuilder) -> Shape | None:
    """The shape that the line after ``#Start`` gives."""
    words = lines[0].words() if lines else []
    if len(words) < 2 or lines[0].stripped.lower() == _END:
        span = lines[0].span if lines else (end, end)
        builder.fault("F604", span, "expected the numbers of rows and columns", hint=_SHAPE_HINT)
        return None
    numbers = [number(word.text) for word in words[:2]]
    for word, value in zip(words, numbers, strict=False):
        if value is None:
            builder.fault("F607", word.span, f"expected a number, found '{word.text}'", hint=_SHAPE_HINT)
    if words[2:]:
        message = "unexpected text after the numbers of rows and columns"
        builder.fault("F606", span_of(words[2:]), message, hint=_SHAPE_HINT)
    n_rows, n_columns = numbers
    return None if n_rows is None or n_columns is None else Shape(n_rows, n_columns, span_of(words[:2]))


def _board(lines: Sequence[Piece], shape: Shape | None, end: int, builder: PuzzleBuilder) -> Puzzle:
    """The board in these lines; without a shape, one of as many columns as most of its rows have."""
    if not lines:
        builder.stop("F615", (end, end), "expected a row of 0, 1 and .")
    if shape is None and (sizes := _sizes(lines)):
        shape, lines = sizes, lines[1:]
    widths = list(map(_width, lines))
    if shape is None:
        _check_gaps(lines, builder)
    if shape is None and len(lines) > MAX_LINES:
        builder.stop("F601", lines[MAX_LINES].span, f"expected at most {MAX_LINES} rows, found {len(lines):,}")
    shape = shape or Shape(len(lines), usual(widths), lines[0].span)
    builder.check_size(shape.span, MAX_LINES, shape.n_rows, min(shape.n_columns, MAX_LINES))
    if max(widths) > MAX_LINES:
        message = f"expected at most {MAX_LINES} cells in a row, found {max(widths):,}"
        builder.stop("F601", lines[widths.index(max(widths))].span, message)
    builder.check_size(shape.span, MAX_LINES, shape.n_columns)
    return Rows(shape, [Row(line.matches(_CELL), line.span) for line in lines], end).puzzle(builder, _CELLS)


def _sizes(lines: Sequence[Piece]) -> Shape | None:
    """The shape on the first line, if that is no row."""
    words = lines[0].words()
    n_columns, width = usual(map(_width, lines[1:])), _width(lines[0])
    numbers = [number(word.text) for word in words]
    if len(words) > 2 or None in numbers or width == n_columns:
        return None
    may_be_row = all(_CELLS.knows(cell) for word in words for cell in word.text)
    if len(lines) == 1 or (may_be_row and not width < n_columns == numbers[-1]):
        return None
    return Shape(numbers[0] or 0, numbers[-1] or 0, span_of(words))


def _check_gaps(lines: Sequence[Piece], builder: PuzzleBuilder) -> None:
    """Stop where a blank line separates rows as if there were two boards, unless all rows are one square board."""
    data = builder.collector.source.data
    starts = [at for at, (one, other) in enumerate(pairwise(lines), 1) if _GAP.search(data, one.end, other.start)]
    heights = [end - start for start, end in pairwise([0, *starts, len(lines)])]
    if starts and min(heights) > 1 and usual(map(_width, lines)) != len(lines):
        message = "expected one board, or several squares, found a blank line within a board that is no square"
        builder.stop("F609", lines[starts[0]].span, message, "remove the blank line, or write one board to a file")


def _width(line: Piece) -> int:
    return len(line.text) - line.text.count(" ") - line.text.count("\t")


def _is_comment(line: Piece) -> bool:
    return line.stripped.startswith("#")


def _write_grid(puzzle: Puzzle) -> str:
    """The rows; the format cannot say whether lines must differ."""
    return text_of(map(" ".join, written_rows(of_kind(puzzle, Takuzu), ".")))


def _grids(text: Text) -> Boards:
    lines = [line for line in text.filled_lines if not _is_comment(line)]
    return Boards(text, [(line, "".join(line.text.split())) for line in lines])


GRID = Codec(_looks_like_grid, _read_grid, _write_grid, lambda text: _grids(text).parts(), between="\n")
