"""Futoshiki as a grid and a list of pairs: the size, the rows, the number of signs, and a pair of cells for each sign.

    4
    -1 -1 -1 -1
    -1 -1 -1 -1
    4 -1 -1 2
    -1 -1 -1 -1
    2
    0>4
    10>9

-1 is a blank cell. The pairs name the cells by their numbers, row by row from 0: here row 1, column 1 is greater than
row 2, column 1. ``<`` may be written as well, and blanks around the sign. This is a form in which exercises hand
Futoshikis to programs.
"""

import re

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.futoshiki_board import is_size_of, read_cells, words
from f2csp.puzzles.files.reading import PlacedSign, Reading
from f2csp.puzzles.files.text import Line, Text, Word, number
from f2csp.puzzles.files.writing import of_kind
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Cell, Puzzle

_BLANK = "-1"
_PAIR = re.compile(r"[ \t]*+([0-9]++)[ \t]*+([<>])[ \t]*+([0-9]++)[ \t]*+")


def looks_like(text: Text) -> Likeness:
    """Whether a size and a row of numbers come first, and a blank cell or a pair is there; or some of it."""
    lines = text.head().filled_lines
    has_pairs = any(_PAIR.fullmatch(line.text) for line in lines[2:])
    first, *rows = [line.text.split() for line in lines[:3]] or [[]]
    if len(first) != 1 or number(first[0]) is None:
        return Likeness.FAINT if has_pairs else Likeness.NONE
    are_rows = [all(map(_is_cell, row)) and (len(row) > 1 or row == [_BLANK]) for row in rows]
    has_blanks = any(_BLANK in row for row in rows)
    if (any(are_rows) and has_pairs) or (all(are_rows) and has_blanks):
        return Likeness.SOUND
    return Likeness.FAINT if any(are_rows) or first == ["1"] else Likeness.NONE


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a puzzle; all its faults are told."""
    lines = text.filled_lines
    header = reading.size(lines, text.end)
    if header is None:
        return None
    size, span = header
    n_rows = 1 if size == 1 else next((i for i, line in enumerate(lines[1:]) if _ends_board(line)), len(lines) - 1)
    rows, rest = lines[1 : 1 + n_rows], lines[1 + n_rows :]
    if not is_size_of([len(row.text.split()) for row in rows], size, span, reading):
        return None
    board_end = rest[0].start if rest else text.end
    givens = read_cells(rows, size, _BLANK, board_end, reading, Line.words)
    reader = _Reader(size, reading)
    reader.take(rest, text.end)
    return reading.futoshiki(size, givens, reader.signs, span)


def write(puzzle: Puzzle) -> str:
    """The size, the rows, the number of signs, and each sign with the greater cell first."""
    signs = of_kind(puzzle, Futoshiki).signs
    rows = [" ".join(line[::2]) for line in words(puzzle, _BLANK, " <>", " <>")[::2]]
    numbers = [[(cell.row - 1) * puzzle.n_columns + cell.column - 1 for cell in sign] for sign in signs]
    pairs = [f"{greater}>{smaller}" for smaller, greater in numbers]
    return "".join(f"{line}\n" for line in [puzzle.n_rows, *rows, len(pairs), *pairs])


def _is_cell(text: str) -> bool:
    return text == _BLANK or number(text) is not None


def _ends_board(line: Line) -> bool:
    """Whether a line is the number of signs or a sign, and so no row of a board of more than one cell."""
    return number(line.text.strip(" \t")) is not None or _PAIR.fullmatch(line.text) is not None


class _Reader:
    """Goes from sign to sign, keeps them, and says what is wrong."""

    def __init__(self, size: int, reading: Reading) -> None:
        self.signs: list[PlacedSign] = []
        self._size = size
        self._reading = reading

    def take(self, lines: list[Line], end: int) -> None:
        """Take the number of signs and the signs; ``end`` is the byte offset where the puzzle ends."""
        hint = "write on a line of its own how many signs follow; 0 if there are none"
        if not lines:
            self._reading.fault("F604", (end, end), "the file ends before the number of signs", hint=hint)
        elif _PAIR.fullmatch(lines[0].text):
            self._reading.fault("F604", lines[0].span, "a sign stands where the number of signs is due", hint=hint)
            self._pairs(lines)
        else:
            self._number_of_signs(lines[0].words(), len(lines) - 1, hint)
            self._pairs(lines[1:])

    def _number_of_signs(self, found: list[Word], n_signs: int, hint: str) -> None:
        first, *others = found
        declared = number(first.text)
        if declared is None:
            message = f"the number of signs is due, and '{first.text}' is no number"
            self._reading.fault("F607", first.span, message, hint=hint)
        elif declared != n_signs:
            message = f"declared {first.text} {'sign' if declared == 1 else 'signs'}, found {n_signs}"
            hint = "correct the number, or look for the sign that is missing or too much"
            self._reading.fault("F602", first.span, message, hint=hint)
        if others:
            span = others[0].start, others[-1].end
            self._reading.fault("F606", span, "something stands beside the number of signs", hint=hint)

    def _pairs(self, lines: list[Line]) -> None:
        for line in lines:
            match = _PAIR.fullmatch(line.text)
            if match is None:
                hint = "write two numbers of cells with > or < between them, such as 0>4"
                self._reading.fault("F606", line.span, "this is no sign between two cells", hint=hint)
            else:
                self._pair(line.word(*match.span(1)), match[2], line.word(*match.span(3)))

    def _pair(self, first: Word, sign: str, second: Word) -> None:
        cells = [cell for word in (first, second) if (cell := self._cell(word)) is not None]
        if len(cells) < 2:
            return
        one, other = cells
        span = first.start, second.end
        if abs(one.row - other.row) + abs(one.column - other.column) != 1:
            message = f"the cells at {one} and at {other} do not touch"
            hint = "a sign stands between two neighbours; the numbers of cells count from 0, row by row"
            self._reading.fault("F611", span, message, hint=hint)
        else:
            smaller, greater = (one, other) if sign == "<" else (other, one)
            self.signs.append(PlacedSign(smaller, greater, *span))

    def _cell(self, word: Word) -> Cell | None:
        """The cell of a number."""
        at = number(word.text)
        if at is None or at >= self._size**2:
            allowed = f"a {self._size}x{self._size} board has cells 0 to {self._size**2 - 1}"
            message = f"the number of a cell is {word.text}, and {allowed}"
            self._reading.fault("F603", word.span, message, hint="count the cells from 0, row by row")
            return None
        row, column = divmod(at, self._size)
        return Cell(row + 1, column + 1)
