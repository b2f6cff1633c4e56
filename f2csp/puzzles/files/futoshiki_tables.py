"""Futoshiki as three tables: the size, the cells, the signs within rows and the signs between rows.

    3
    0, 0, 3
    0, 0, 0
    0, 0, 0
    # Horizontal constraints
    1, 0
    0, 0
    0, -1
    # Vertical constraints
    0, 0, 0
    -1, 0, 1

0 is a blank cell. In the tables of signs 1 says that the left or upper cell is smaller, -1 that it is greater, 0 that
there is no sign. They may have rows and columns of 0 that are too many. Other lines with ``#`` are comments; without
the two headings the tables follow each other. This is a form in which exercises hand Futoshikis to programs.
"""

import re
from collections.abc import Iterator, Sequence

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.futoshiki_board import is_size_of, placed_sign, read_cells, words
from f2csp.puzzles.files.reading import PlacedSign, Reading
from f2csp.puzzles.files.text import Line, Text, Word, number
from f2csp.puzzles.puzzle import Puzzle

_NONE, _LESS, _GREATER = _SIGNS = ("0", "1", "-1")
_SEPARATORS = " \t,"
_CELLS = "cells"
_HEADINGS = {"hor": "# Horizontal constraints", "ver": "# Vertical constraints"}

_HEADING = re.compile(r"[ \t]*+#[# \t]*+(hor|ver)", re.IGNORECASE)
_ROW = re.compile(r"[ \t]*+-?[0-9]++(?:[ \t]*+,[ \t]*+-?[0-9]++)++[ \t]*+,?[ \t]*+")
_GAP = re.compile(r"(?:^|,)[ \t]*+(?=,)")  # where a number is missing


def looks_like(text: Text) -> Likeness:
    """Whether there is a heading, or a size and more rows with commas than the board has; or some of it."""
    lines = text.head().filled_lines
    if any(_HEADING.match(line.text) for line in lines):
        return Likeness.SOUND
    first, *rows = [line.text for line in lines if not _is_comment(line)] or [""]
    size = number(first.strip(" \t"))
    has_rows = any(_ROW.fullmatch(row) for row in rows[:2])
    if has_rows and size is not None and len(rows) > min(size, len(lines) // 2):
        return Likeness.SOUND
    return Likeness.FAINT if has_rows else Likeness.NONE


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a puzzle; all its faults are told."""
    lines = [line for line in text.filled_lines if not _is_comment(line)]
    header = reading.size(lines, text.end)
    if header is None:
        return None
    size, span = header
    reader = _Reader(size, reading, text.end)
    tables = reader.tables(lines[1:])
    if not is_size_of([len(row.text.replace(",", " ").split()) for row in tables[_CELLS]], size, span, reading):
        return None
    givens = read_cells(tables[_CELLS], size, _NONE, _end(tables[_CELLS], span[1]), reading, reader.words)
    signs = [sign for name in _HEADINGS if name in tables for sign in reader.signs(name, tables[name])]
    return reading.futoshiki(size, givens, signs, span)


def write(puzzle: Puzzle) -> str:
    """The three tables, with headings."""
    board = words(puzzle, _NONE, _SIGNS, _SIGNS)
    tables = [
        [[str(puzzle.n_rows)]],
        [row[::2] for row in board[::2]],
        [[_HEADINGS["hor"]]],
        [row[1::2] for row in board[::2] if len(row) > 1],
        [[_HEADINGS["ver"]]],
        [row[::2] for row in board[1::2]],
    ]
    return "".join(", ".join(row) + "\n" for table in tables for row in table)


def _heading(line: Line) -> str | None:
    """Which table a line is the heading of."""
    match = _HEADING.match(line.text)
    return match[1].lower() if match else None


def _is_comment(line: Line) -> bool:
    return line.text.lstrip(" \t").startswith("#") and _heading(line) is None


def _end(lines: Sequence[Line], otherwise: int) -> int:
    """The byte offset after the last of the lines."""
    return lines[-1].span[1] if lines else otherwise


class _Reader:
    """Cuts the lines into tables, reads the signs, and says what is wrong; ``end`` is where the puzzle ends."""

    def __init__(self, size: int, reading: Reading, end: int) -> None:
        self._size = size
        self._reading = reading
        self._end = end

    def tables(self, lines: Sequence[Line]) -> dict[str, list[Line]]:
        """The lines of each table that is there."""
        tables: dict[str, list[Line]] = {_CELLS: []}
        name = _CELLS
        for line in lines:
            heading = _heading(line)
            if heading is None:
                tables[name].append(line)
                continue
            if heading != name and tables.get(heading):
                message = f"the heading '{_HEADINGS[heading]}' stands a second time"
                self._reading.fault("F615", line.span, message, hint="put the whole table under one heading")
            name = heading
            tables.setdefault(name, [])
        return self._with_headings(tables)

    def _with_headings(self, tables: dict[str, list[Line]]) -> dict[str, list[Line]]:
        """The tables if all have their headings, or none has."""
        n = self._size
        lines = tables[_CELLS]
        if len(tables) == 1:
            return {_CELLS: lines[:n], "hor": lines[n : 2 * n], "ver": lines[2 * n :]}
        for name, heading in _HEADINGS.items():
            if name not in tables:
                hint = "write it, and the table below it"
                self._reading.fault("F615", (self._end, self._end), f"there is no heading '{heading}'", hint=hint)
        return tables

    def signs(self, name: str, lines: Sequence[Line]) -> Iterator[PlacedSign]:
        """The signs of a table."""
        is_across = name == "hor"
        n_rows, n_columns = (self._size, self._size - 1) if is_across else (self._size - 1, self._size)
        for row, line in enumerate(lines, 1):
            found = self.words(line)
            if row <= n_rows and len(found) < n_columns:
                end = line.span[1]
                message = f"row {row} of the table has {len(found)} of the {n_columns} numbers that are due"
                self._reading.fault("F609", (end, end), message, label="missing here", hint="write 0 for no sign")
            for column, word in enumerate(found, 1):
                if self._is_sign(word, row <= n_rows and column <= n_columns):
                    is_less = word.text == _LESS
                    yield placed_sign(row, column, is_across=is_across, is_less=is_less, span=word.span)
        if n_columns and len(lines) < n_rows:
            end = _end(lines, self._end)
            what = "within rows" if is_across else "between rows"
            message = f"the table of the signs {what} has {len(lines)} of the {n_rows} rows that are due"
            self._reading.fault("F609", (end, end), message, hint="add the rows that are missing; 0 is no sign")

    def _is_sign(self, word: Word, is_on_board: bool) -> bool:
        if word.text not in _SIGNS:
            message = f"'{word.text}' stands where a sign is due"
            hint = "write 1 if the left or upper cell is smaller, -1 if it is greater, 0 for no sign"
            self._reading.fault("F610", word.span, message, hint=hint)
        elif word.text != _NONE and not is_on_board:
            message = f"the sign is beyond the board, which is {self._size}x{self._size}"
            self._reading.fault("F611", word.span, message, hint="remove it, or move it between two cells")
        return word.text in (_LESS, _GREATER) and is_on_board

    def words(self, line: Line) -> list[Word]:
        """The numbers of a line."""
        for gap in line.matches(_GAP):
            self._reading.fault("F609", gap.span, "there is no number before the comma", hint="write 0 for none")
        return line.words(_SEPARATORS)
