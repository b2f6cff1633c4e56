"""Futoshiki as a picture: by turns a line with the cells of a row and their signs, and one with the signs below it.

    0 < .   .   4
        ∧
    .   .   . > .
    v
    .   .   2   .

    .   .   .   .

A cell is a number, or ``0`` or ``.`` for a blank. The cells of a row stand 4 characters apart, with the sign in the
middle between them, and a sign between two rows stands below the cell: ``∧`` or ``^`` if the upper cell is smaller,
``v`` (in any of its shapes) if it is greater. Where numbers can have two digits, all cells stand 5 characters apart,
numbers of one digit end where those of two digits do, and signs stand below the last digit. Lines without signs may be
left out, and the whole may be indented.

This is how Futoshikis are printed in text, and how ``f2csp board`` shows them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.futoshiki_board import placed_sign, words
from f2csp.puzzles.files.reading import Given, PlacedSign, Reading
from f2csp.puzzles.files.text import Line, Span, Text, number
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_BLANK = "."
_ACROSS = {"<": True, ">": False}  # whether the first cell is the smaller
_DOWN = {"∧": True, "^": True, "∨": False, "v": False, "V": False}

_SIGNS = {**_ACROSS, **_DOWN}
_SIGN_PLACE = 2  # characters right of the last one of a cell

_WORD = re.compile(r"[^ ]+")
_CELL = re.compile(r"[0-9]+|\.")


class _Placed(NamedTuple):
    """A word of a line, and where it stands in the picture.

    Attributes:
        text: the word.
        column: of the cell at whose last character, or right of which, the word ends; from 1.
        beside: how many characters right of that it ends.
        span: its first index on the line and the one after its last.
    """

    text: str
    column: int
    beside: int
    span: tuple[int, int]

    @property
    def is_cell(self) -> bool:
        """Whether it is a number or a blank cell, wherever it stands."""
        return _CELL.fullmatch(self.text) is not None

    def fits(self, *, is_in_row: bool) -> bool:
        """Whether it may stand here on a line of cells, or on another."""
        if not is_in_row:
            return not self.beside and self.text in _DOWN
        return (not self.beside and self.is_cell) or (self.beside == _SIGN_PLACE and self.text in _ACROSS)


class _Layout(NamedTuple):
    """Where the cells of a picture stand.

    Attributes:
        size: how many cells a row has.
        anchor: the index of the last character of each row's first cell.
    """

    size: int
    anchor: int

    @classmethod
    def of(cls, rows: Sequence[Line]) -> "_Layout":
        """What most rows have; each must have a cell."""
        size = _most_common(len(_CELL.findall(row.text)) for row in rows)
        return cls(size, _most_common(next(_WORD.finditer(row.text)).end() - 1 for row in rows))

    @property
    def distance(self) -> int:
        """How many characters one cell is from the next."""
        return len(str(self.size)) + 3

    def fits(self, line: Line) -> bool:
        """Whether all words of a line stand where they may."""
        is_in_row = _is_row(line)
        return all(word.fits(is_in_row=is_in_row) for word in self.place(line))

    def place(self, line: Line) -> Iterator[_Placed]:
        """The words of a line with their places."""
        for match in _WORD.finditer(line.text):
            column, beside = divmod(match.end() - 1 - self.anchor, self.distance)
            yield _Placed(match[0], column + 1, beside, match.span())


def looks_like(text: Text) -> Likeness:
    """Whether most lines have cells and signs where they are due, and there is a sign, or a line for signs."""
    head = text.head()
    lines, filled = head.lines, head.filled_lines
    rows = [line for line in lines if _has_cell(line)]
    if not rows:
        return Likeness.NONE
    layout = _Layout.of(rows)
    n_fitting = sum(layout.fits(line) for line in filled)
    after_first = lines.index(rows[0]) + 1
    is_spaced = lines[after_first : after_first + 1] != rows[1:2]
    has_signs = any(sign in line.text for line in lines for sign in (*_ACROSS, *_DOWN))
    if layout.size > 1 and 2 * n_fitting > len(filled) and (is_spaced or has_signs):
        return Likeness.SOUND
    return Likeness.FAINT if n_fitting else Likeness.NONE


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a puzzle; all its faults are told."""
    rows = [line for line in text.filled_lines if _has_cell(line)]
    if not rows:
        hint = "write a number, 0 or . for each cell"
        reading.fault("F609", (text.end, text.end), "the picture has no cells", hint=hint)
        return None
    layout = _Layout.of(rows)
    if layout.size > MAX_SIZE:
        message = f"a row of the picture has {layout.size:,} cells, and sizes from 1 to {MAX_SIZE} are converted"
        reading.fault("F601", rows[0].span, message)
        return None
    reader = _Reader(layout, reading)
    reader.take(text)
    return reading.futoshiki(layout.size, reader.givens, reader.signs, rows[0].span)


def write(puzzle: Puzzle) -> str:
    """The picture, without blanks at the ends of lines; a blank cell is a dot."""
    width = len(str(puzzle.n_rows))
    lines = words(puzzle, _BLANK, " <>", " ∧∨")
    padded = [[word.rjust(width) if j % 2 == 0 else word for j, word in enumerate(line)] for line in lines]
    return "".join(" ".join(line).rstrip() + "\n" for line in padded)


def _has_cell(line: Line) -> bool:
    return _CELL.search(line.text) is not None


def _is_row(line: Line) -> bool:
    """Whether a line was meant to be a row, and not one with signs between rows."""
    return _has_cell(line) or (len(line.text.split()) > 1 and _DOWN.keys().isdisjoint(line.text))


def _most_common(numbers: Iterable[int]) -> int:
    return Counter(numbers).most_common(1)[0][0]


class _Reader:
    """Goes from line to line, keeps the givens and signs, and says what is wrong."""

    def __init__(self, layout: _Layout, reading: Reading) -> None:
        self.givens: list[Given] = []
        self.signs: list[PlacedSign] = []
        self._layout = layout
        self._size = layout.size
        self._reading = reading

    def take(self, text: Text) -> None:
        """Take the whole picture."""
        n_rows = 0
        due = f"most rows are those of a {self._size}x{self._size} board"
        for line in text.filled_lines:
            if not _is_row(line):
                self._signs_below(n_rows, line)
                continue
            n_rows += 1
            if n_rows > self._size:
                self._reading.fault("F609", line.span, f"{due}, and this is one row too many", hint="remove it")
                return
            self._row(n_rows, line)
        if n_rows < self._size:
            hint = "add the rows that are missing; a cell without a number is 0 or ."
            self._reading.fault("F609", (text.end, text.end), f"{due}, and {n_rows} of these are here", hint=hint)

    def _row(self, row: int, line: Line) -> None:
        n_cells = 0
        for word in self._layout.place(line):
            is_on_board = 1 <= word.column <= self._size
            if is_on_board and not word.beside and word.text not in _SIGNS:
                n_cells += 1
                self._cell(row, word, line)
            elif is_on_board and word.beside == _SIGN_PLACE and len(word.text) == 1 and not word.is_cell:
                self._sign(row, word, line, _ACROSS)
            else:
                self._out_of_line(word, line)
                return  # what follows has most likely moved with it
        if n_cells < self._size:
            message = f"row {row} has {n_cells} of the {self._size} cells that most rows have"
            self._reading.fault("F609", line.span, message, hint="write 0 or . for a cell without a number")

    def _cell(self, row: int, word: _Placed, line: Line) -> None:
        if not word.is_cell:
            message = f"'{word.text}' stands where the cell at row {row}, column {word.column} is due"
            self._fault("F610", word, line, message, "write a number, or 0 or . for a blank")
        elif value := number(word.text):
            self.givens.append(Given(row, word.column, value, *_offsets(word, line)))

    def _signs_below(self, row: int, line: Line) -> None:
        for word in self._layout.place(line):
            if word.beside or not 1 <= word.column <= self._size:
                self._out_of_line(word, line)
                return
            self._sign(row, word, line, _DOWN)

    def _sign(self, row: int, word: _Placed, line: Line, signs: dict[str, bool]) -> None:
        """Keep a sign that stands where one is due; ``signs`` are those that may stand there."""
        is_across = signs is _ACROSS
        if word.text in signs:
            span = _offsets(word, line)
            sign = placed_sign(row, word.column, is_across=is_across, is_less=signs[word.text], span=span)
            self.signs.append(sign)
        else:
            where = "two cells of a row" if is_across else "two rows"
            message = f"'{word.text}' stands where a sign between {where} is due"
            code = "F611" if word.text in _SIGNS else "F610"
            self._fault(code, word, line, message, f"write {' or '.join(list(signs)[:3])}")

    def _out_of_line(self, word: _Placed, line: Line) -> None:
        message = f"'{word.text}' does not stand where a cell or a sign is due"
        hint = (
            f"cells are {self._layout.distance} characters apart, with signs in the middle between two cells of a row "
            "and below the last character of a cell; use blanks, no tabs"
        )
        self._fault("F611" if word.text in _SIGNS else "F615", word, line, message, hint)

    def _fault(self, code: str, word: _Placed, line: Line, message: str, hint: str) -> None:
        self._reading.fault(code, _offsets(word, line), message, hint=hint)


def _offsets(word: _Placed, line: Line) -> Span:
    first, last = word.span
    return line.offset(first), line.offset(last)
