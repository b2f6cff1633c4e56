"""Boards as rows of cells: a line for each row, and a word or a character for each cell.

What differs between these formats is how they begin, what separates the cells, and how a cell is written.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from f2csp.boards.pieces import HUGE, Parts, Piece, Span, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Shape, text_of
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE, Square
from f2csp.puzzles.sudoku import Box, Sudoku, square_box
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

ZERO_AND_ONE = {"0": 0, "1": 1}

_MAX_SIZES = 2  # numbers on a line before the rows: the size of the board, or of its boxes
_NEGATIVE = re.compile(r"-[0-9]+")


@dataclass(frozen=True, slots=True)
class Symbols:
    blanks: Collection[str]
    values: Mapping[str, int] | None = None  # None for numbers in digits
    first: int = 1  # the number of the lowest value of a square, which is 1
    has_negatives: bool = False  # whether other negative numbers are values out of range, and not words

    def knows(self, text: str) -> bool:
        return text in self.blanks or self._value(text) is not None

    def givens(self, cells: Iterable[tuple[int, int, Piece]], builder: PuzzleBuilder) -> list[Given]:
        """The cells that are not blank; each word that is not a cell is a fault once, at its first place."""
        filled = [(*cell, self._value(cell[2].text)) for cell in cells if not self._is_blank(cell[2].text)]
        unknown = [word for _, _, word, value in filled if value is None]
        report_unknown(unknown, "F607" if self.values is None else "F610", builder)
        return [Given(row, column, value, word.span) for row, column, word, value in filled if value is not None]

    def _is_blank(self, text: str) -> bool:
        return text in self.blanks or ("0" in self.blanks and number(text) == 0)

    def _value(self, text: str) -> int | None:
        if self.values is not None:
            return self.values.get(text)
        value = number(text)
        if value is None:
            return HUGE if self.has_negatives and _NEGATIVE.fullmatch(text) else None
        return value + 1 - self.first


def report_unknown(cells: Sequence[Piece], code: str, builder: PuzzleBuilder, expected: str = "a cell") -> None:
    """Report each text that is not a cell once, at its first place."""
    n_times = Counter(cell.text for cell in cells)
    for cell in {cell.text: cell for cell in reversed(cells)}.values():
        times = f", {n_times[cell.text]:,} times" if n_times[cell.text] > 1 else ""
        builder.fault(code, (cell.start, cell.end), f"expected {expected}, found '{cell.text}'{times}")


class Row(NamedTuple):
    cells: Sequence[Piece]
    span: Span


class Rows(NamedTuple):
    """The rows that a file has for a board of a shape; their numbers may be wrong."""

    shape: Shape
    rows: Sequence[Row]
    end: int  # the place of a missing row
    box: Box | None = None  # of a Sudoku, if the file gives it

    def check_length(self, builder: PuzzleBuilder) -> None:
        """Stop if all rows have the same wrong length, which is one fault: of the size."""
        _, n_columns, span = self.shape
        lengths = {len(row.cells) for row in self.rows}
        if len(self.rows) > 1 and len(lengths) == 1 and lengths != {n_columns}:
            message = f"expected rows of length {n_columns:,}, found rows of length {lengths.pop():,}"
            builder.stop("F609", span, message, "correct the size, or the rows")

    def cells(self, builder: PuzzleBuilder) -> list[tuple[int, int, Piece]]:
        """The row, the column and the word of each cell, from 1; wrong numbers of rows and cells are faults."""
        self.check_length(builder)
        n_rows, n_columns, _ = self.shape
        for i, row in enumerate(self.rows[:n_rows], 1):
            if (n := len(row.cells)) != n_columns:
                place = (row.cells[n_columns].start if n > n_columns else row.span[1]), row.span[1]
                expected = f"expected {n_columns:,} cell{'s' * (n_columns != 1)} in row {i}"
                builder.fault("F609", place, f"{expected}, found {n:,}")
        if (n := len(self.rows)) != n_rows:
            place = self.rows[n_rows].span if n > n_rows else (self.end, self.end)
            builder.fault("F609", place, f"expected {n_rows} rows for a {n_rows}x{n_columns} board, found {n:,}")
        rows = enumerate(self.rows[:n_rows], 1)
        return [(i, j, word) for i, row in rows for j, word in enumerate(row.cells[:n_columns], 1)]

    def puzzle(self, builder: PuzzleBuilder, symbols: Symbols) -> Puzzle:
        givens = symbols.givens(self.cells(builder), builder)
        if builder.kind == Takuzu.KIND:
            return builder.takuzu(self.shape, givens)
        return builder.square(self.shape.n_rows, givens, self.shape.span, self.box, symbols.first)


def rows_of(lines: Sequence[Piece], separators: str = " \t") -> list[Row]:
    return [Row(line.words(separators), line.span) for line in lines]


def cells_of_rows(lines: Sequence[Piece]) -> list[Row]:
    """The rows of words, or of characters where each line is one word."""
    rows = rows_of(lines)
    is_by_word = any(len(row.cells) != 1 for row in rows)
    return rows if is_by_word else [Row(row.cells[0].characters(), row.span) for row in rows]


def usual(lengths: Iterable[int]) -> int:
    """The most frequent length, or of several the first; 0 if there are none."""
    return max(Counter(lengths).items(), key=lambda item: item[1], default=(0, 0))[0]


def usual_square(rows: Sequence[Row]) -> Shape:
    """The square with as many columns as most rows have."""
    size = usual(len(row.cells) for row in rows)
    return Shape(size, size, rows[0].span)


def cut_boards(text: Text, rows: Sequence[Row], min_size: int = 3) -> Sequence[Text]:
    """The texts of the boards of a file with several, which are squares of these rows; all of the text if there is one.

    A blank line comes after each board, or the size of the next: a row of one or two cells.
    """
    spans: list[tuple[int, int]] = []
    data = text.source.data
    lengths = [len(row.cells) for row in rows]
    start, n = 0, len(lengths)
    while start < n:
        is_head = start + 1 < n and lengths[start + 1] != lengths[start] <= _MAX_SIZES
        first = start + is_head
        size = lengths[first]
        end = first + size
        is_board = size >= min_size and lengths[first:end] == [size] * size
        is_end = end >= n or lengths[end] <= min(_MAX_SIZES, size - 1)  # or a blank line follows
        if not is_board or not (is_end or data.count(b"\n", rows[end - 1].span[1], rows[end].span[0]) > 1):
            spans = spans if end > n and text.end < len(data) else []
            break
        spans.append((start, end))
        start = end
    if len(spans) == 1 or (len(spans) == 2 and _are_regions(rows[slice(*spans[1])])):
        return [text]
    places = [(rows[start].span[0], rows[end - 1].span[1]) for start, end in spans]
    return Parts(text, ((first - text.start, last - text.start) for first, last in places)) or [text]


def _are_regions(rows: Sequence[Row]) -> bool:
    """Whether a board is rather the regions of a jigsaw Sudoku: its rows hold values twice, and no blanks."""
    texts = [[cell.text for cell in row.cells] for row in rows if len(row.cells) > _MAX_SIZES]
    values = set().union(*texts)
    return values.isdisjoint(BLANKS) and not values <= {"0", "1"} and any(len(set(row)) < len(row) for row in texts)


def needs_name(board: Square) -> bool:
    """Whether values alone are read as another kind: as a Sudoku, or as a Latin square where they break a box."""
    if type(board) is Sudoku:
        return next(board.conflicts(), None) is not None
    return isinstance(board, Sudoku) or square_box(board.size) is not None


def equal_lines_note(board: Takuzu) -> list[str]:
    """The comment above Takuzus whose lines may be equal, which :meth:`PuzzleBuilder.takuzu` reads."""
    return [] if board.has_distinct_lines else ["# lines may be equal"]


def written_rows(puzzle: Puzzle, blank: str, shift: int = 0) -> list[list[str]]:
    return [[blank if value is None else str(value + shift) for value in row] for row in puzzle.grid()]


# ---- Rows of numbers ------------------------------------------------------------------------------------------------

BLANKS = ".0-*_"
NUMBERS = Symbols(frozenset(BLANKS))
_SEPARATORS = " \t,"


def _read_matrix(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read rows of numbers, with blanks, tabs or commas between them.

        2 3
        0 0 0 0 0 0
        3 6 0 0 4 0
        0 4 0 2 6 0
        0 0 0 0 0 5
        0 3 6 0 0 0
        0 0 5 0 2 0

    A blank cell is 0 or one of ``. - * _``; lines that begin with # are skipped. The first line may give the size of
    the board, as one number or as rows and columns; for a Sudoku it may also be the rows and columns of a box. The rows
    that follow show which of both it is: there are six here, so 2 and 3 are the box. Programs print arrays in this way;
    there is no specification.
    """
    lines = without_comments(text)
    rows = rows_of(lines[: MAX_SIZE + 2], _SEPARATORS)
    if not rows:
        builder.stop("F604", (text.end, text.end), "expected a row of numbers")
    if len(rows) > MAX_SIZE + 1:
        builder.stop("F601", rows[0].span, f"expected at most {MAX_SIZE} rows, found {len(lines):,}")
    first = _size_or_box(rows, builder.kind)
    shape, box = first or (usual_square(rows), None)
    if shape.n_rows != shape.n_columns:
        builder.stop("F601", shape.span, f"expected a square board, found {builder.shown(*shape.span)}")
    builder.check_size(shape.span, MAX_SIZE, shape.n_rows)
    return Rows(shape, rows[1:] if first else rows, text.end, box).puzzle(builder, NUMBERS)


def without_comments(text: Text) -> list[Piece]:
    return [line for line in text.filled_lines if not line.trimmed.text.startswith("#")]


def _write_matrix(board: Square) -> str:
    """The rows, below the box of a Sudoku if that is no square, and below the name of the kind where it is needed."""
    width = len(str(board.size))
    lines = [" ".join([cell.rjust(width) for cell in row]) for row in written_rows(board, "0")]
    if isinstance(board, Sudoku) and not board.has_square_boxes:
        lines.insert(0, f"{board.box_rows} {board.box_columns}")
    if needs_name(board):
        lines.insert(0, f"# {board.NAME}")
    return text_of(lines)


def _size_or_box(rows: Sequence[Row], kind: str) -> tuple[Shape, Box | None] | None:
    """The shape of the board and the box that the first line gives, if it is no row itself."""
    first, *others = rows
    n_columns = usual(len(row.cells) for row in others)
    sizes = [size for word in first.cells if (size := number(word.text)) is not None]
    is_row = not others or len(first.cells) == n_columns != len(others)
    if is_row or len(sizes) != len(first.cells) or not 1 <= len(sizes) <= _MAX_SIZES:
        return None
    height, width = sizes[0], sizes[-1]
    board, boxes = (Shape(height * by, width * of, first.span) for by, of in ((1, 1), (width, height)))
    if kind == LatinSquare.KIND or len(sizes) == 1:
        return board, None
    misfits = [min(abs(shape.n_rows - length) for length in (n_columns, len(others))) for shape in (board, boxes)]
    return (board, None) if height == width and misfits[0] <= misfits[1] else (boxes, (height, width))


def _cut_matrix(text: Text) -> Sequence[Text]:
    rows = rows_of(without_comments(text), _SEPARATORS)
    odd = {word for word in {cell.text for row in rows for cell in row.cells} if not NUMBERS.knows(word)}
    return cut_boards(text, [row for row in rows if odd.isdisjoint(cell.text for cell in row.cells)])


MATRIX = Codec(_read_matrix, _write_matrix, _cut_matrix, between="\n", min_size=2)

# ---- lsencode, .pls -------------------------------------------------------------------------------------------------

_PLS = Symbols({"-1"}, first=0, has_negatives=True)
_ORDER = "order"


def _read_pls(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a square of the generator lsencode: the order, and rows of values that count from 0, -1 for a blank.

        order 4
        0 -1 -1 -1
        -1 -1 0 -1
        -1 1 -1 -1
        -1 -1 -1 2

    This is the form of the quasigroup completion problems of C. Gomes and B. Selman.
    """
    header, end = text.filled_lines[:1], text.end
    if header:
        line = header[0].trimmed
        word, *others = line.words()
        if word.text.lower() != _ORDER:
            builder.stop("F615", word.span, f"expected the word {_ORDER}, found '{word.text}'")
        header, end = [line.part(len(_ORDER), len(line.text))] if others else [], word.end
    shape = builder.shape(header, end, MAX_SIZE)
    return Rows(shape, rows_of(text.filled_lines[1:]), text.end).puzzle(builder, _PLS)


PLS = Codec(_read_pls, lambda board: text_of([f"order {board.size}", *map(" ".join, written_rows(board, "-1", -1))]))

# ---- Takuzus with 2 for a blank --------------------------------------------------------------------------------------

_IST = Symbols({"2"}, ZERO_AND_ONE)


def _read_ist(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a Takuzu of the course on artificial intelligence at Instituto Superior Técnico: the size, and rows.

        4
        2	1	2	0
        2	2	0	2
        2	0	2	2
        1	1	2	0

    2 is a blank. Between the cells there is a tab; other blanks are read as well. All cells can be side by side on one
    line, too. Lines that begin with # are skipped, but for the line that :func:`equal_lines_note` writes.
    """
    lines = without_comments(text)
    shape = builder.shape(lines, text.end, MAX_LINES)
    rows, size = rows_of(lines[1:]), shape.n_rows
    if size > 1 and len(rows) == 1 == len(rows[0].cells) and len(rows[0].cells[0].text) == size**2:
        cells = rows[0].cells[0].characters()
        parts = [cells[start : start + size] for start in range(0, size**2, size)]
        rows = [Row(part, span_of(part)) for part in parts]
    return Rows(shape, rows, text.end).puzzle(builder, _IST)


def _write_ist(board: Takuzu) -> str:
    return text_of([*equal_lines_note(board), str(board.rows), *map("\t".join, written_rows(board, "2"))])


IST = Codec(
    _read_ist, _write_ist, lambda text: cut_boards(text, rows_of(without_comments(text)), 2), between="\n", min_size=2
)
