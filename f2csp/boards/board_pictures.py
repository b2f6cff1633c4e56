"""Sudokus and Takuzus as pictures: a line for each row, perhaps in frames, and a character for each cell."""

import re
from collections.abc import Sequence
from itertools import chain, pairwise
from operator import attrgetter
from typing import NamedTuple

from f2csp.boards.cell_rows import (
    BLANKS,
    NUMBERS,
    ZERO_AND_ONE,
    Row,
    Rows,
    Symbols,
    cut_boards,
    equal_lines_note,
    usual,
    written_rows,
)
from f2csp.boards.cell_runs import MAX_SIZE as MAX_CHARACTERS
from f2csp.boards.cell_runs import givens_of_characters
from f2csp.boards.pieces import BAR, BARS, Piece, Text, number
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, Shape, text_of
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Box, Sudoku
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

_WORD, _CHARACTER = re.compile(f"[^ \t{BARS}]+"), re.compile(f"[^ \t{BARS}]")
_LETTER = re.compile(r"[A-Za-z]")
_UPRIGHT = frozenset("|¦!│┃┆┇┊┋║╎╏")
_FRAME = frozenset(BARS + "+=:'")
_DASH = "-"
_UNEVEN = "the frame does not divide the board into equal boxes"
_FRAME_OR_CELL = frozenset(f"{_DASH}.*")


class _Picture(NamedTuple):
    cell: re.Pattern[str]  # a word or a character
    size: int  # the number of cells of most rows
    groups: list[list[Piece]]  # the rows, separated by the frame

    @property
    def rows(self) -> list[Piece]:
        return list(chain.from_iterable(self.groups))

    def cells(self, lines: Sequence[Piece]) -> list[Row]:
        return [Row(line.matches(self.cell), line.span) for line in lines]

    def length(self, text: str) -> int:
        """The number of cells in a row, or in a part of it."""
        return len(self.cell.findall(text))

    def fits(self, row: Piece) -> bool:
        return self.length(row.text) == self.size


# ---- Which lines are rows ------------------------------------------------------------------------------------------


def _picture_of(text: Text) -> _Picture:
    lines = [(line, _is_row(line.text)) for line in _board_lines(text)]
    sure = [line.text for line, is_row in lines if is_row]
    cell, size = _measure(sure or [line.text for line, is_row in lines if is_row is None])
    blanks = set().union(*sure).intersection(BLANKS)
    may_miss = len(sure) < size and (_DASH in blanks or not blanks)
    groups: list[list[Piece]] = [[]]
    for line, is_row in lines:
        if is_row or (is_row is None and may_miss and len(_CHARACTER.findall(line.text)) == size):
            groups[-1].append(line)
        elif groups[-1]:
            groups.append([])
    return _Picture(cell, size, [group for group in groups if group])


def _board_lines(text: Text) -> list[Piece]:
    """The lines of the board and its frame: those of the section [Puzzle], or those before any section."""
    sections: dict[str, list[Piece]] = {"": []}
    lines = sections[""]
    for line in text.filled_lines:
        content = line.trimmed.text
        if content.startswith("[") and content.endswith("]"):
            lines = sections.setdefault(content[1:-1].strip(" \t").lower(), [])
        elif not content.startswith("#"):
            lines.append(line)
    return sections.get("puzzle") or sections[""]


def _is_row(text: str) -> bool | None:
    """Whether a line is a row, and not of the frame; None if it may be either."""
    signs = set(text).difference(" \t")
    if not signs <= _FRAME | _FRAME_OR_CELL:
        return True
    if signs <= _UPRIGHT or not signs.isdisjoint(_FRAME - _UPRIGHT):
        return False
    return None if _DASH in signs else True


def _measure(rows: Sequence[str]) -> tuple[re.Pattern[str], int]:
    """What a cell is, and the number of cells of most rows: the reading that leaves fewer faults."""
    readings = [(cell, [len(cell.findall(row)) for row in rows]) for cell in (_CHARACTER, _WORD)]
    (_, by_character), (_, by_word) = readings
    has_words = usual(by_word) == usual(by_character) > MAX_CHARACTERS or _misfit(by_word) < _misfit(by_character)
    cell, lengths = readings[has_words]
    return cell, usual(lengths)


def _misfit(lengths: Sequence[int]) -> int:
    """The distance of rows of these lengths from a square; a remark counts no more than a row with two faults."""
    length = usual(lengths)
    return sum(min(abs(length - other), 2) for other in lengths) + abs(length - len(lengths))


# ---- Sudokus -------------------------------------------------------------------------------------------------------


def _read(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a board.

        +-------+-------+
        | . . . | . . . |
        | 3 6 . | . 4 . |
        +-------+-------+
        | . 4 . | 2 6 . |
        | . . . | . . 5 |
        +-------+-------+
        | . 3 6 | . . . |
        | . . 5 | . 2 . |
        +-------+-------+

    A cell is a character, as :mod:`f2csp.boards.cell_runs` describes, or a word, which can be a number; the
    number of lines decides between both. Frames are drawn with ``| - + =`` or with the signs that Unicode has for them,
    and show the boxes if they cut the board into equal ones. As ``-`` is a blank too, a line of these is a row only
    where it has the length of a row and rows are missing.

    Lines that begin with ``#`` are skipped: in ``.sdk`` files they hold the author and the like. If a file has
    sections, the board is that of ``[Puzzle]``. ``.ss`` files are those of Simple Sudoku.
    """
    picture = _picture_of(text)
    if not picture.groups:
        builder.stop("F604", (text.end, text.end), "expected a row of a board")
    first, size = next(filter(picture.fits, picture.rows)), picture.size
    are_characters = picture.cell is _CHARACTER
    builder.check_size(first.span, MAX_CHARACTERS if are_characters else MAX_SIZE, size)
    picture = _without_remarks(picture, builder)
    rows = picture.cells(picture.rows)
    shape = Shape(size, size, rows[0].span)
    cells = Rows(shape, rows, picture.rows[-1].end).cells(builder)
    givens = givens_of_characters(cells, size, builder) if are_characters else NUMBERS.givens(cells, builder)
    return builder.square(size, givens, shape.span, _box(picture, builder))


def _without_remarks(picture: _Picture, builder: PuzzleBuilder) -> _Picture:
    """The picture without lines that are no rows, which are faults, if it has enough that are."""
    rows = picture.rows
    odd = [row for row in rows if not picture.fits(row)]
    if not odd or len(rows) - len(odd) != picture.size:
        return picture
    for row in odd:
        builder.fault("F606", row.span, f"expected {picture.size} cells in a row, found {picture.length(row.text):,}")
    groups = [list(filter(picture.fits, group)) for group in picture.groups]
    return picture._replace(groups=[group for group in groups if group])


def _box(picture: _Picture, builder: PuzzleBuilder) -> Box | None:
    """The box that the frame shows, if it divides the rows or the columns; a frame around each cell shows none."""
    size, rows = picture.size, picture.rows
    widths = [[n for n in map(picture.length, BAR.split(row.text)) if n] for row in rows]
    height, width = usual(map(len, picture.groups)), usual(chain.from_iterable(widths))
    divides_rows, divides_columns = 1 < height < size, 1 < width < size
    is_square = len(rows) == size and all(map(picture.fits, rows))
    if not divides_rows and not divides_columns:
        uneven = [row for row, lengths in zip(rows, widths, strict=True) if lengths != widths[0]]
        if uneven and is_square:
            builder.fault("F615", uneven[0].span, _UNEVEN, "draw the boxes, or no frame")
        return None
    box = height if divides_rows else size // width, width if divides_columns else size // height
    odd = [group[0] for group in picture.groups if divides_rows and len(group) != height]
    odd += [row for row, lengths in zip(rows, widths, strict=True) if divides_columns and {*lengths} != {width}]
    if (odd or box[0] * box[1] != size) and is_square and builder.options.get("box") is None:
        hint = f"draw all boxes with {box[0]} rows and {box[1]} columns, or give the box with --box"
        builder.fault("F615", min(odd or rows, key=attrgetter("start")).span, _UNEVEN, hint)
    return box if box[0] * box[1] == size else None


def _write(sudoku: Sudoku) -> str:
    height, width, size = sudoku.box_rows, sudoku.box_columns, sudoku.size
    if 1 in (height, width):  # a frame around each row shows no boxes
        height, width = size, size
    n_digits = len(str(size))
    starts = range(0, size, width)
    rule = "+".join(["", *("-" * (width * (n_digits + 1) + 1) for _ in starts), ""])
    lines = [rule]
    for i, row in enumerate(written_rows(sudoku, "."), 1):
        cells = [cell.rjust(n_digits) for cell in row]
        lines.append(" ".join(["|", *(" ".join([*cells[start : start + width], "|"]) for start in starts)]))
        lines += [rule] if i % height == 0 else []
    return text_of(lines)


def _cut(text: Text) -> Sequence[Text]:
    picture = _picture_of(text)
    rows = [row for row in picture.rows if picture.fits(row) or not _LETTER.search(row.text)]
    return cut_boards(text, picture.cells(rows))


SUDOKU = Codec(_read, _write, _cut, between="\n", min_size=4)

# ---- Takuzus -------------------------------------------------------------------------------------------------------

_BITS = Symbols(frozenset("._-"), ZERO_AND_ONE)
_BIT = re.compile(r"[^ \t]")
_GAP = re.compile(rb"\n[ \t]*+\r?\n")
_START, _END = "#start", "#end"


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
    comments, but for the line that :func:`~f2csp.boards.cell_rows.equal_lines_note` writes.
    """
    lines, shape, end = text.filled_lines, None, text.end
    if lines and lines[0].trimmed.text.lower() == _START:
        last = next((at for at, line in enumerate(lines) if line.trimmed.text.lower() == _END), len(lines))
        if last == len(lines):
            builder.fault("F615", (end, end), "expected #End after the last row")
        elif lines[last + 1 :]:
            builder.fault("F606", lines[last + 1].span, "unexpected text after #End", "write one board to a file")
        shape = builder.shape(lines[1 : last + 1], end, MAX_LINES, 2)
        end, lines = (lines[last].start if last < len(lines) else end), lines[2:last]
    rows = _grid_rows(lines)
    if not rows:
        builder.stop("F615", (end, end), "expected a row of 0, 1 and .")
    if shape is None and (shape := _grid_shape(rows)):
        rows = rows[1:]
    if shape is None:
        _check_gaps(rows, builder)
        shape = Shape(len(rows), usual(len(row.cells) for row in rows), rows[0].span)
    builder.check_size(shape.span, MAX_LINES, shape.n_rows, shape.n_columns)
    return Rows(shape, rows, end).puzzle(builder, _BITS)


def _grid_rows(lines: Sequence[Piece]) -> list[Row]:
    return [Row(line.matches(_BIT), line.span) for line in lines if not line.trimmed.text.startswith("#")]


def _grid_shape(rows: Sequence[Row]) -> Shape | None:
    """The shape on the first line, if that is no row."""
    first, *others = rows or [Row((), (0, 0))]
    n_columns, width = usual(len(row.cells) for row in others), len(first.cells)
    ends = [i for i, (cell, other) in enumerate(pairwise(first.cells), 1) if cell.end < other.start]
    words = ["".join(cell.text for cell in first.cells[i:j]) for i, j in pairwise([0, *ends, width])]
    sizes = [size for word in words if (size := number(word)) is not None]
    if not others or width == n_columns or len(sizes) != len(words) or len(sizes) > 2:
        return None
    if all(_BITS.knows(cell.text) for cell in first.cells) and not width < n_columns == sizes[-1]:
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


def _write_grid(board: Takuzu) -> str:
    return text_of([*equal_lines_note(board), *map(" ".join, written_rows(board, "."))])


def _cut_grid(text: Text) -> Sequence[Text]:
    return cut_boards(text, _grid_rows(text.filled_lines), 2)


TAKUZU = Codec(_read_grid, _write_grid, _cut_grid, between="\n", min_size=2)
