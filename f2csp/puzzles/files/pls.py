"""Latin squares of the generator lsencode, ``.pls``: the order, and rows of values that count from 0, -1 for a blank.

    order 4
    0 -1 -1 -1
    -1 -1 0 -1
    -1 1 -1 -1
    -1 -1 -1 2

This is the form of the quasigroup completion problems of C. Gomes and B. Selman.
"""

import re

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.reading import Given, Reading
from f2csp.puzzles.files.rows import Shape, placed_cells, rows_of
from f2csp.puzzles.files.text import HUGE, Line, Span, Text, Word, number
from f2csp.puzzles.files.writing import grid, of_kind
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_ORDER = "order"
_BLANK = "-1"
_NEGATIVE = re.compile(r"-[0-9]+")
_HINT = "begin with the word order and the size of the board, such as order 9"


def looks_like(text: Text) -> Likeness:
    """Whether the first word is ``order``."""
    lines = text.head().filled_lines
    return Likeness.SOUND if lines and lines[0].text.split(maxsplit=1)[0].lower() == _ORDER else Likeness.NONE


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a square; all its faults are told."""
    order = _order(text.filled_lines, text.end, reading)
    if order is None:
        return None
    size, span = order
    if not 1 <= size <= MAX_SIZE:
        return reading.square(size, (), span)
    rows = rows_of(text.filled_lines[1:])
    cells = placed_cells(rows, Shape(size, size, span), text.end, reading)
    givens = [_given(row, column, word, size, reading) for row, column, word in cells if word.text != _BLANK]
    return reading.square(size, [given for given in givens if given], span)


def write(puzzle: Puzzle) -> str:
    """The order and the rows."""
    square = of_kind(puzzle, LatinSquare)
    rows = [[_BLANK if value is None else str(value - 1) for value in row] for row in grid(square)]
    return "".join(f"{line}\n" for line in (f"{_ORDER} {square.size}", *map(" ".join, rows)))


def _order(lines: list[Line], end: int, reading: Reading) -> tuple[int, Span] | None:
    """The size of the board and where it stands."""
    if not lines:
        reading.fault("F604", (end, end), "the file ends before the order", hint=_HINT)
        return None
    first, *others = lines[0].words()
    if first.text.lower() != _ORDER:
        reading.fault("F615", first.span, f"the word order is due, and not '{first.text}'", hint=_HINT)
        return None
    if not others:
        reading.fault("F604", (first.end, first.end), "the order has no number", hint=_HINT)
        return None
    size = number(others[0].text)
    if size is None:
        reading.fault("F607", others[0].span, f"the order is '{others[0].text}', not a number in digits", hint=_HINT)
        return None
    if others[1:]:
        reading.fault("F606", (others[1].start, others[-1].end), "something stands beside the order", hint=_HINT)
    return size, others[0].span


def _given(row: int, column: int, word: Word, size: int, reading: Reading) -> Given | None:
    """The value of a cell, from 1; None if there is a fault."""
    value = HUGE if _NEGATIVE.fullmatch(word.text) else number(word.text)
    hint = f"values are 0 to {size - 1}, and {_BLANK} is a blank"
    if value is None:
        message = f"the value at {Cell(row, column)} is '{word.text}', not a number in digits"
        reading.fault("F607", word.span, message, hint=hint)
    elif value >= size:
        message = f"the value at {Cell(row, column)} is {word.text}, and this format has values 0 to {size - 1}"
        reading.fault("F603", word.span, message, hint=hint)
    else:
        return Given(row, column, value + 1, *word.span)
    return None
