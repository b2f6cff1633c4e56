"""Boards as rows of cells: a line for each row, and a word or a character for each cell.

What differs between these formats is how they begin, what separates the cells, and how a cell is written.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.boards import square, takuzu
from f2csp.puzzles.files.page import HUGE, Piece, Span, Text, number, span_of
from f2csp.puzzles.files.puzzle_builder import Codec, Given, Likeness, PuzzleBuilder, of_kind, text_of
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Box, Sudoku
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

_ROWS_HINT = "add the missing cells, or remove the surplus ones"
_NEGATIVE = re.compile(r"-[0-9]+")


@dataclass(frozen=True, slots=True)
class Symbols:
    """How a format writes cells."""

    blanks: frozenset[str]
    hint: str  # for a word that is not a cell
    values: Mapping[str, int] | None = None  # None for numbers in digits
    first: int = 1  # the number of the lowest value of a square, which is 1
    is_zero_blank: bool = False  # with any number of digits
    has_negatives: bool = False  # whether other negative numbers are values out of range, and not words

    def knows(self, text: str) -> bool:
        """Whether a word can be a cell."""
        return text in self.blanks or self._value(text) is not None

    def givens(self, cells: Iterable[tuple[int, int, Piece]], builder: PuzzleBuilder) -> list[Given]:
        """The cells that are not blank; each word that is not a cell is a fault once, at its first place."""
        givens: list[Given] = []
        unknown: list[Piece] = []
        for row, column, word in cells:
            if word.text in self.blanks:
                continue
            value = self._value(word.text)
            if value is None:
                unknown.append(word)
            elif value or not self.is_zero_blank:
                givens.append(Given(row, column, value, word.span))
        report_unknown(unknown, "F607" if self.values is None else "F610", self.hint, builder)
        return givens

    def _value(self, text: str) -> int | None:
        if self.values is not None:
            return self.values.get(text)
        value = number(text)
        if value is None:
            return HUGE if self.has_negatives and _NEGATIVE.fullmatch(text) else None
        return value + 1 - self.first


def report_unknown(cells: Sequence[Piece], code: str, hint: str, builder: PuzzleBuilder) -> None:
    """Report each text that is not a cell once, at its first place."""
    n_times = Counter(cell.text for cell in cells)
    for cell in {cell.text: cell for cell in reversed(cells)}.values():
        times = f", {n_times[cell.text]:,} times" if n_times[cell.text] > 1 else ""
        builder.fault(code, (cell.start, cell.end), f"expected a cell, found '{cell.text}'{times}", hint=hint)


class Row(NamedTuple):
    """The cells of a row, and its place."""

    cells: Sequence[Piece]
    span: Span


class Shape(NamedTuple):
    """The shape of a board as the file gives it, and the place of these numbers."""

    n_rows: int
    n_columns: int
    span: Span


class Rows(NamedTuple):
    """The rows that a file has for a board of a shape; their numbers may be wrong."""

    shape: Shape
    rows: Sequence[Row]
    end: int  # the place of a missing row
    box: Box | None = None  # of a Sudoku, if the file gives it

    def has_other_size(self, builder: PuzzleBuilder) -> bool:
        """Whether all rows have the same wrong length, which is one fault: of the size."""
        _, n_columns, span = self.shape
        lengths = {len(row.cells) for row in self.rows}
        if len(self.rows) < 2 or len(lengths) != 1 or lengths == {n_columns}:
            return False
        message = f"expected rows of length {n_columns:,}, found rows of length {lengths.pop():,}"
        builder.fault("F609", span, message, hint="correct the size, or the rows")
        return True

    def cells(self, builder: PuzzleBuilder) -> list[tuple[int, int, Piece]]:
        """The row, the column and the word of each cell, from 1; wrong numbers of rows and cells are faults."""
        n_rows, n_columns, _ = self.shape
        cells: list[tuple[int, int, Piece]] = []
        for i, row in enumerate(self.rows[:n_rows], 1):
            n, end = len(row.cells), row.span[1]
            if n != n_columns:
                place = (row.cells[n_columns].start if n > n_columns else end), end
                message = f"expected {n_columns:,} cell{'s' * (n_columns != 1)} in row {i}, found {n:,}"
                builder.fault("F609", place, message, hint=_ROWS_HINT)
            cells += [(i, column, word) for column, word in enumerate(row.cells[:n_columns], 1)]
        if len(self.rows) != n_rows:
            place = self.rows[n_rows].span if len(self.rows) > n_rows else (self.end, self.end)
            message = f"expected {n_rows} rows for a {n_rows}x{n_columns} board, found {len(self.rows):,}"
            builder.fault("F609", place, message, hint=_ROWS_HINT)
        return cells

    def puzzle(self, builder: PuzzleBuilder, symbols: Symbols) -> Puzzle | None:
        """The Sudoku, Latin square or Takuzu of these rows, or None if there is a fault."""
        if self.has_other_size(builder):
            return None
        givens = symbols.givens(self.cells(builder), builder)
        if builder.kind == Takuzu.KIND:
            return takuzu(builder, self.shape[:2], givens, self.shape.span)
        return square(builder, self.shape.n_rows, givens, self.shape.span, self.box, symbols.first)


def rows_of(lines: Sequence[Piece], separators: str = " \t") -> list[Row]:
    """A row for each line, a cell for each of its words."""
    return [Row(line.words(separators), line.span) for line in lines]


def usual(lengths: Iterable[int]) -> int:
    """The most frequent length, or of several the first; 0 if there are none."""
    return max(Counter(lengths).items(), key=lambda item: item[1], default=(0, 0))[0]


def written_rows(puzzle: Puzzle, blank: str, shift: int = 0) -> list[list[str]]:
    """The words of the cells."""
    return [[blank if value is None else str(value + shift) for value in row] for row in puzzle.grid()]


def _read_sized(
    header: Sequence[Piece], end: int, text: Text, builder: PuzzleBuilder, symbols: Symbols, **hint: str
) -> Puzzle | None:
    """The board of the size in the header, which ends at ``end``, and of the rows from the second line on."""
    found = builder.size_line(header, end, MAX_LINES if builder.kind == Takuzu.KIND else MAX_SIZE, **hint)
    if found is None:
        return None
    size, span = found
    return Rows(Shape(size, size, span), rows_of(text.filled_lines[1:]), text.end).puzzle(builder, symbols)


# ---- Rows of numbers ------------------------------------------------------------------------------------------------

BLANKS = ".0-*_"
NUMBERS = Symbols(frozenset(BLANKS), "write a number, or . for a blank", is_zero_blank=True)
_SEPARATORS = " \t,"


def _looks_like_matrix(text: Text) -> Likeness:
    """Whether there are rows of numbers, as many as there are numbers in each, or nearly so."""
    head = text.head()
    rows = rows_of(head.filled_lines, _SEPARATORS)
    first = _first_line(rows, Sudoku.KIND) if rows else None
    if first is not None:
        rows = rows[1:]
    size = usual(len(row.cells) for row in rows)
    n_odd = sum(len(row.cells) != size or not all(NUMBERS.knows(cell.text) for cell in row.cells) for row in rows)
    if not rows or 2 * n_odd > len(rows):
        return Likeness.NONE
    is_regular = n_odd == 0 or (2 * n_odd < len(rows) and (first is None or first[0].n_columns == size))
    is_square = abs(len(rows) - size) <= 1 or (head is not text and len(rows) < size)
    has_values = any((number(cell.text) or 0) > 1 for row in rows for cell in row.cells)  # else it is rather a Takuzu
    return Likeness.SOUND if size > 1 and is_regular and is_square and has_values else Likeness.FAINT


def _read_matrix(text: Text, builder: PuzzleBuilder) -> Puzzle | None:
    """Read rows of numbers, with blanks, tabs or commas between them.

        2 3
        0 0 0 0 0 0
        3 6 0 0 4 0
        0 4 0 2 6 0
        0 0 0 0 0 5
        0 3 6 0 0 0
        0 0 5 0 2 0

    A blank cell is 0 or one of ``. - * _``. The first line may give the size of the board, as one number or as rows and
    columns; for a Sudoku it may also be the rows and columns of a box. The rows that follow show which of both it is:
    there are six here, so 2 and 3 are the box. Programs print arrays in this way; there is no specification.
    """
    if len(text.filled_lines) > MAX_SIZE + 1:
        message = f"expected at most {MAX_SIZE} rows, found {len(text.filled_lines):,}"
        builder.fault("F601", text.filled_lines[0].span, message)
        return None
    rows = rows_of(text.filled_lines, _SEPARATORS)
    if not rows:
        hint = "write each row of the board on a line, with blanks between the numbers"
        builder.fault("F604", (text.end, text.end), "expected a row of numbers", hint=hint)
        return None
    first = _first_line(rows, builder.kind)
    size = usual(len(row.cells) for row in rows)
    shape, box = first or (Shape(size, size, rows[0].span), None)
    if shape.n_rows != shape.n_columns:
        builder.fault("F601", shape.span, f"expected a square board, found {builder.shown(*shape.span)}")
        return None
    if not builder.is_size(shape.span, MAX_SIZE, shape.n_rows):
        return None
    return Rows(shape, rows[1:] if first else rows, text.end, box).puzzle(builder, NUMBERS)


def _write_matrix(puzzle: Puzzle) -> str:
    """The rows, below the box of a Sudoku if that is no square."""
    from f2csp.puzzles.diagonal import Diagonal

    board = puzzle if type(puzzle) is LatinSquare else of_kind(puzzle, Sudoku, Diagonal)
    width = len(str(board.size))
    lines = [" ".join([cell.rjust(width) for cell in row]) for row in written_rows(board, "0")]
    if isinstance(board, Sudoku) and not board.has_square_boxes:
        lines.insert(0, f"{board.box_rows} {board.box_columns}")
    return text_of(lines)


def _first_line(rows: Sequence[Row], kind: str) -> tuple[Shape, Box | None] | None:
    """The shape of the board and the box that the first line gives, if it is not a row itself."""
    first, *others = rows
    n_columns = usual(len(row.cells) for row in others)
    numbers = [size for word in first.cells if (size := number(word.text)) is not None]
    is_row = not others or len(first.cells) == n_columns != len(others)
    if is_row or len(numbers) != len(first.cells) or not 1 <= len(numbers) <= 2:
        return None
    height, width = numbers[0], numbers[-1]
    span = span_of(first.cells)
    board, boxes = Shape(height, width, span), Shape(height * width, height * width, span)
    if kind == LatinSquare.KIND or len(numbers) == 1:
        return board, None

    def misfit(shape: Shape) -> int:
        return min(abs(shape.n_rows - length) for length in (n_columns, len(others)))

    return (board, None) if height == width and misfit(board) <= misfit(boxes) else (boxes, (height, width))


MATRIX = Codec(_looks_like_matrix, _read_matrix, _write_matrix)

# ---- lsencode, .pls -------------------------------------------------------------------------------------------------

_PLS = Symbols(frozenset({"-1"}), "write values from 0 on, and -1 for a blank", first=0, has_negatives=True)
_ORDER = "order"


def _looks_like_pls(text: Text) -> Likeness:
    """Whether the first word is ``order``."""
    lines = text.head().filled_lines
    return Likeness.SOUND if lines and lines[0].text.split(maxsplit=1)[0].lower() == _ORDER else Likeness.NONE


def _read_pls(text: Text, builder: PuzzleBuilder) -> Puzzle | None:
    """Read a square of the generator lsencode: the order, and rows of values that count from 0, -1 for a blank.

        order 4
        0 -1 -1 -1
        -1 -1 0 -1
        -1 1 -1 -1
        -1 -1 -1 2

    This is the form of the quasigroup completion problems of C. Gomes and B. Selman.
    """
    header, end, hint = text.filled_lines[:1], text.end, "begin with order and the size of the board, such as order 9"
    if header:
        line = header[0].trimmed
        word, *others = line.words()
        if word.text.lower() != _ORDER:
            builder.fault("F615", word.span, f"expected the word {_ORDER}, found '{word.text}'", hint=hint)
            return None
        header, end = [line.part(len(_ORDER), len(line.text))] if others else [], word.end
    return _read_sized(header, end, text, builder, _PLS, hint=hint)


def _write_pls(puzzle: Puzzle) -> str:
    board = of_kind(puzzle, LatinSquare)
    return text_of([f"order {board.size}", *map(" ".join, written_rows(board, "-1", -1))])


PLS = Codec(_looks_like_pls, _read_pls, _write_pls)

# ---- Takuzus with 2 for a blank -------------------------------------------------------------------------------------

_IST = Symbols(frozenset("2"), "write 0, 1, or 2 for a blank", {"0": 0, "1": 1})


def _looks_like_ist(text: Text) -> Likeness:
    """Whether a size alone is followed by rows of words that are 0, 1 or 2, or mostly so."""
    lines = [line.text.split() for line in text.head().filled_lines]
    if not lines or len(lines[0]) > 1 or number(lines[0][0]) is None:
        return Likeness.NONE
    cells = [cell for row in lines[1:] for cell in row]
    n_known = sum(map(_IST.knows, cells))
    if cells and n_known == len(cells):
        return Likeness.SOUND
    return Likeness.FAINT if 2 * n_known >= len(cells) else Likeness.NONE


def _read_ist(text: Text, builder: PuzzleBuilder) -> Puzzle | None:
    """Read a Takuzu of the course on artificial intelligence at Instituto Superior Técnico: the size, and rows.

        4
        2	1	2	0
        2	2	0	2
        2	0	2	2
        1	1	2	0

    2 is a blank. Between the cells there is a tab; other blanks are read as well.
    """
    return _read_sized(text.filled_lines, text.end, text, builder, _IST)


def _write_ist(puzzle: Puzzle) -> str:
    """The size and the rows; the format cannot say whether lines must differ."""
    board = of_kind(puzzle, Takuzu)
    if board.rows != board.columns:
        raise Unsuitable(f"the format has no board of {board.rows}x{board.columns}: its boards are squares")
    return text_of([str(board.rows), *map("\t".join, written_rows(board, "2"))])


IST = Codec(_looks_like_ist, _read_ist, _write_ist)

# ---- Takuzus with a character for each cell -------------------------------------------------------------------------

_TAKUZU = Symbols(frozenset("._-"), "write 0, 1, or . for a blank", {"0": 0, "1": 1})
_START, _END = "#start", "#end"
_CELL = re.compile(r"[^ \t]")


def _looks_like_takuzu_grid(text: Text) -> Likeness:
    """Whether the file begins with ``#Start``, or most of its characters are cells."""
    lines = text.head().filled_lines
    cells = [cell for line in lines if not _is_comment(line) for cell in line.text if cell not in " \t"]
    n_known = sum(map(_TAKUZU.knows, cells))
    has_start = bool(lines) and lines[0].stripped.lower() == _START
    if has_start or (cells and n_known == len(cells) and len(lines) > 1):
        return Likeness.SOUND
    return Likeness.FAINT if cells and 4 * n_known >= 3 * len(cells) else Likeness.NONE


def _read_takuzu_grid(text: Text, builder: PuzzleBuilder) -> Puzzle | None:
    """Read a Takuzu with a character for each cell, with or without blanks between.

        #Start
        4 6
        . . 0 . 1 .
        1 . . . . .
        . . . 0 . 0
        . 0 . . . .
        #End

    ``.``, ``_`` or ``-`` is a blank cell. The first two lines, which give the numbers of rows and columns, and the last
    one may be missing together; other lines that begin with ``#`` are comments.
    """
    lines = text.filled_lines
    if not lines or lines[0].stripped.lower() != _START:
        return _takuzu_of([line for line in lines if not _is_comment(line)], None, text.end, builder)
    shape = _start_shape(lines[1:], text.end, builder)
    last = next((at for at, line in enumerate(lines) if line.stripped.lower() == _END), len(lines))
    if last == len(lines):
        builder.fault("F615", (text.end, text.end), "expected #End after the last row")
    elif lines[last + 1 :]:
        builder.fault("F606", lines[last + 1].span, "unexpected text after #End", hint="write one board to a file")
    rows = [line for line in lines[2:last] if not _is_comment(line)]
    end = lines[last].start if last < len(lines) else text.end
    return shape and _takuzu_of(rows, shape, end, builder)


def _start_shape(lines: Sequence[Piece], end: int, builder: PuzzleBuilder) -> Shape | None:
    """The shape that the line after ``#Start`` gives."""
    hint = "write the numbers of rows and columns on the line after #Start, such as 8 8"
    words = lines[0].words() if lines else []
    if len(words) < 2 or lines[0].stripped.lower() == _END:
        span = lines[0].span if lines else (end, end)
        builder.fault("F604", span, "expected the numbers of rows and columns", hint=hint)
        return None
    numbers = [number(word.text) for word in words[:2]]
    for word, value in zip(words, numbers, strict=False):
        if value is None:
            builder.fault("F607", word.span, f"expected a number, found '{word.text}'", hint=hint)
    if words[2:]:
        builder.fault("F606", span_of(words[2:]), "unexpected text after the numbers of rows and columns", hint=hint)
    n_rows, n_columns = numbers
    return None if n_rows is None or n_columns is None else Shape(n_rows, n_columns, span_of(words[:2]))


def _takuzu_of(lines: Sequence[Piece], shape: Shape | None, end: int, builder: PuzzleBuilder) -> Puzzle | None:
    """The board in these lines; without a shape, one of as many columns as most of its rows have."""
    if not lines:
        builder.fault("F615", (end, end), "expected a row of 0, 1 and .")
        return None
    widths = [len(line.text) - line.text.count(" ") - line.text.count("\t") for line in lines]
    if shape is None and len(lines) > MAX_LINES:
        builder.fault("F601", lines[MAX_LINES].span, f"expected at most {MAX_LINES} rows, found {len(lines):,}")
        return None
    shape = shape or Shape(len(lines), usual(widths), lines[0].span)
    n_rows, n_columns, span = shape
    if not builder.is_size(span, MAX_LINES, n_rows, min(n_columns, MAX_LINES)):
        return None
    if max(widths) > MAX_LINES:
        message = f"expected at most {MAX_LINES} cells in a row, found {max(widths):,}"
        builder.fault("F601", lines[widths.index(max(widths))].span, message)
        return None
    if not builder.is_size(span, MAX_LINES, n_columns):
        return None
    return Rows(shape, [Row(line.matches(_CELL), line.span) for line in lines], end).puzzle(builder, _TAKUZU)


def _is_comment(line: Piece) -> bool:
    return line.stripped.startswith("#")


def _write_takuzu_grid(puzzle: Puzzle) -> str:
    """The rows; the format cannot say whether lines must differ."""
    return text_of(map(" ".join, written_rows(of_kind(puzzle, Takuzu), ".")))


TAKUZU_GRID = Codec(_looks_like_takuzu_grid, _read_takuzu_grid, _write_takuzu_grid)
