"""Takuzus as they are drawn: a character for each cell, with or without blanks between.

    #Start
    4 6
    . . 0 . 1 .
    1 . . . . .
    . . . 0 . 0
    . 0 . . . .
    #End

``.``, ``_`` or ``-`` is a blank cell. The first two lines, which give the numbers of rows and columns, and the last one
may be missing together; other lines that begin with ``#`` are comments.
"""

import re
from collections import Counter

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.reading import Given, Reading
from f2csp.puzzles.files.rows import Row, Shape, placed_cells
from f2csp.puzzles.files.text import Line, Text, number
from f2csp.puzzles.files.writing import grid, of_kind
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

_START, _END, _COMMENT = "#start", "#end", "#"
_VALUES = {"0": 0, "1": 1}
_BLANKS = "._-"
_CELL = re.compile(r"[^ \t]")
_KNOWN = frozenset((*_VALUES, *_BLANKS))


def looks_like(text: Text) -> Likeness:
    """Whether the file begins with ``#Start``, or most of its characters are cells."""
    lines = text.head().filled_lines
    cells = [cell for line in lines if not _is_comment(line) for cell in line.text if cell not in " \t"]
    n_known = sum(cell in _KNOWN for cell in cells)
    has_start = bool(lines) and _stripped(lines[0]) == _START
    if has_start or (cells and n_known == len(cells) and len(lines) > 1):
        return Likeness.SOUND
    return Likeness.FAINT if cells and 4 * n_known >= 3 * len(cells) else Likeness.NONE


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a board; all its faults are told."""
    lines = text.filled_lines
    if not lines or _stripped(lines[0]) != _START:
        return _board([line for line in lines if not _is_comment(line)], None, text.end, reading)
    shape = _shape(lines[1:], text.end, reading)
    last = next((at for at, line in enumerate(lines) if _stripped(line) == _END), len(lines))
    if last == len(lines):
        reading.fault("F615", (text.end, text.end), "the file ends before #End", hint="write #End after the last row")
    elif lines[last + 1 :]:
        message = "a board ends at #End, and something follows it"
        reading.fault("F606", lines[last + 1].span, message, hint="write one board to a file")
    rows = [line for line in lines[2:last] if not _is_comment(line)]
    end = lines[last].start if last < len(lines) else text.end
    return shape and _board(rows, shape, end, reading)


def write(puzzle: Puzzle) -> str:
    """The rows of the board; whether lines must differ cannot be said."""
    rows = [["." if value is None else str(value) for value in row] for row in grid(of_kind(puzzle, Takuzu))]
    return "".join(f"{' '.join(row)}\n" for row in rows)


def _stripped(line: Line) -> str:
    return line.text.strip(" \t").lower()


def _is_comment(line: Line) -> bool:
    return _stripped(line).startswith(_COMMENT)


def _shape(lines: list[Line], end: int, reading: Reading) -> Shape | None:
    """What the line after ``#Start`` says."""
    hint = "write the number of rows and the number of columns on the line after #Start, such as 8 8"
    words = lines[0].words() if lines else []
    if len(words) < 2 or _stripped(lines[0]) == _END:
        span = lines[0].span if lines else (end, end)
        reading.fault("F604", span, "the numbers of rows and columns are due", hint=hint)
        return None
    numbers = [number(word.text) for word in words[:2]]
    for word, value in zip(words, numbers, strict=False):
        if value is None:
            reading.fault("F607", word.span, f"'{word.text}' is not a number in digits", hint=hint)
    if words[2:]:
        span = words[2].start, words[-1].end
        reading.fault("F606", span, "something stands beside the numbers of rows and columns", hint=hint)
    n_rows, n_columns = numbers
    if n_rows is None or n_columns is None:
        return None
    return Shape(n_rows, n_columns, (words[0].start, words[1].end))


def _board(lines: list[Line], shape: Shape | None, end: int, reading: Reading) -> Puzzle | None:
    """The board in these lines; without a shape, one of as many columns as most of its rows have."""
    if not lines:
        hint = "write a row of 0, 1 and . on a line"
        reading.fault("F615", (end, end), "the file ends before the first row", hint=hint)
        return None
    if shape is None:
        ((n_columns, _),) = Counter(map(_width, lines)).most_common(1)
        shape = Shape(len(lines), n_columns, lines[0].span)
        if len(lines) > MAX_LINES:
            _tell_too_large(lines[MAX_LINES], f"the board has {len(lines):,} rows", reading)
            return None
    n_rows, n_columns, span = shape
    if not (1 <= n_rows <= MAX_LINES and n_columns >= 1):
        return reading.takuzu(n_rows, n_columns, (), span)
    widest = max(lines, key=_width)
    if _width(widest) > MAX_LINES:
        _tell_too_large(widest, f"this row has {_width(widest):,} cells", reading)
        return None
    givens = _givens(lines, shape, end, reading) if n_columns <= MAX_LINES else []
    return reading.takuzu(n_rows, n_columns, givens, span)


def _tell_too_large(line: Line, message: str, reading: Reading) -> None:
    most = f"boards with at most {MAX_LINES} lines each way are converted"
    reading.fault("F601", line.span, f"{message}, and {most}")


def _width(line: Line) -> int:
    """How many cells a row has."""
    return len(line.text) - line.text.count(" ") - line.text.count("\t")


def _givens(lines: list[Line], shape: Shape, end: int, reading: Reading) -> list[Given]:
    rows = [Row(line.matches(_CELL), line.span) for line in lines]
    givens = []
    for row, column, word in placed_cells(rows, shape, end, reading):
        if word.text in _VALUES:
            givens.append(Given(row, column, _VALUES[word.text], *word.span))
        elif word.text not in _BLANKS:
            message = f"the cell at {Cell(row, column)} is '{word.text}', and cells are 0, 1 or a blank"
            reading.fault("F610", word.span, message, hint="write . for a blank")
    return givens
