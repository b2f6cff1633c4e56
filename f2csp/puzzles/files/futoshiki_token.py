r"""Futoshiki in tokens: the size, then by turns the cells of a row with their signs, and the signs below that row.

    4
    x00 - x01 < x02 - x03
    > - - - - - -
    x10 - x11 - x12 - x13
    - - - - - <
    4 - x21 - x22 - 2
    - - - - -
    x30 - x31 > x32 - x33

This is how programs write a Futoshiki that hold it as an array of 2N - 1 by 2N - 1 strings. A cell is a number, or
anything else for a blank. Of the signs below a row, token j (from 0) belongs to column j // 2: ``<`` if the upper cell
is smaller, ``>`` if it is greater; ``-`` is no sign. These lines are often too short or too long, and so they may be.
The whole may also stand on one line, with a backslash and an n in place of each line end.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.futoshiki_board import is_size_of, placed_sign, words
from f2csp.puzzles.files.reading import Given, PlacedSign, Reading
from f2csp.puzzles.files.text import Line, Text, Word, n_bytes, number
from f2csp.puzzles.puzzle import Puzzle

_NONE = "-"
_SIGNS = ("<", ">")
_LINE_END = "\\n"


def looks_like(text: Text) -> Likeness:
    """Whether there is a size, and one of the first two rows has as many cells, with signs between them."""
    lines = islice((line for line in _lines(text.head()) if not _is_blank(line)), 4)
    tokens = [line.text.split() for line in lines]
    size = number(tokens[0][0]) if tokens and len(tokens[0]) == 1 else None
    rows = [row for row in tokens[1::2] if len(row) > 1 and all(_is_sign(token) for token in row[1::2])]
    if size is not None and any(len(row) == 2 * size - 1 for row in rows):
        return Likeness.SOUND
    has_signs = any(token in _SIGNS for row in tokens[1:] for token in row)
    return Likeness.FAINT if rows or size == 1 or (size is not None and has_signs) else Likeness.NONE


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a puzzle; all its faults are told."""
    lines = _without_blank_ends(list(_lines(text)))
    header = reading.size(lines, text.end)
    if header is None:
        return None
    size, span = header
    due = _due_lines(lines[1:], 2 * size - 1)
    if not is_size_of([(len(line.text.split()) + 1) // 2 for line in due[::2]], size, span, reading):
        return None
    reader = _Reader(size, reading)
    reader.take(due, text.end)
    return reading.futoshiki(size, reader.givens, reader.signs, span)


def write(puzzle: Puzzle) -> str:
    """The size, and the lines; ``x`` is a blank cell."""
    lines = words(puzzle, "x", (_NONE, *_SIGNS), (_NONE, *_SIGNS))
    return "".join(" ".join(line) + "\n" for line in [[str(puzzle.n_rows)], *lines])


def _lines(text: Text) -> Iterator[Line]:
    """The lines, also those that end with a backslash and an n."""
    for line in text.lines:
        start = line.start
        for piece in line.text.split(_LINE_END):
            yield Line(piece, start)
            start += n_bytes(piece) + len(_LINE_END)


def _is_blank(line: Line) -> bool:
    return not line.text.strip()


def _without_blank_ends(lines: list[Line]) -> list[Line]:
    filled = [i for i, line in enumerate(lines) if not _is_blank(line)]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _due_lines(lines: list[Line], n_due: int) -> list[Line]:
    """The lines that count: blank ones do only if a blank line can be nothing else than a line without signs."""
    if len(lines) == n_due and not any(_is_blank(line) for line in lines[::2]):
        return lines
    return [line for line in lines if not _is_blank(line)]


def _is_sign(token: str) -> bool:
    return token == _NONE or token in _SIGNS


class _Reader:
    """Goes from line to line, keeps the givens and signs, and says what is wrong."""

    def __init__(self, size: int, reading: Reading) -> None:
        self.givens: list[Given] = []
        self.signs: list[PlacedSign] = []
        self._size = size
        self._reading = reading

    def take(self, lines: Sequence[Line], end: int) -> None:
        """Take all lines after the size; ``end`` is the offset where the file ends."""
        n_due = 2 * self._size - 1
        for i, line in enumerate(lines[:n_due]):
            tokens = line.words()
            row = i // 2 + 1
            if i % 2 == 0:
                self._row(row, tokens)
            elif _is_row(tokens):
                message = f"a row of cells stands where the signs between rows {row} and {row + 1} are due"
                self._reading.fault("F615", line.span, message, hint="write a line of - where there is no sign")
                return  # what follows is out of step
            else:
                self._signs_below(row, tokens)
        if len(lines) < n_due:
            message = f"{len(lines)} of the {n_due} lines are here that are due after the size"
            self._reading.fault("F609", (end, end), message, hint="add the lines that are missing")
        elif len(lines) > n_due:
            message = f"a board of size {self._size} ends with the line before this one"
            hint = "remove what follows, or look for a line that is too much"
            self._reading.fault("F606", lines[n_due].span, message, hint=hint)

    def _row(self, row: int, tokens: list[Word]) -> None:
        """The cells and signs of a row; there is nothing to be read from one that is too short or too long."""
        n_due = 2 * self._size - 1
        while len(tokens) > n_due and tokens[-1].text == _NONE:
            tokens.pop()
        if len(tokens) < n_due:
            end = tokens[-1].end
            message = (
                f"row {row} has {len(tokens)} of the {n_due} words that are due: {self._size} cells with signs between"
            )
            hint = "write each cell and each sign as a word of its own, - for no sign"
            self._reading.fault("F609", (end, end), message, label="missing here", hint=hint)
        elif len(tokens) > n_due and tokens[n_due].text in _SIGNS:
            message = f"the sign stands after the last cell of row {row}"
            self._reading.fault("F611", tokens[n_due].span, message, hint="remove it, or move it between two cells")
        elif len(tokens) > n_due:
            span = tokens[n_due].start, tokens[-1].end
            message = f"row {row} has {len(tokens)} words, and {n_due} are due: {self._size} cells with signs between"
            self._reading.fault("F609", span, message, hint="remove what is too much")
        else:
            for j, token in enumerate(tokens):
                self._token_of_row(row, j // 2 + 1, token, is_cell=j % 2 == 0)

    def _token_of_row(self, row: int, column: int, token: Word, *, is_cell: bool) -> None:
        if not is_cell:
            self._sign(row, column, token, is_across=True)
        elif token.text in _SIGNS:
            message = f"'{token.text}' stands where the cell at row {row}, column {column} is due"
            hint = "write by turns a cell and a sign, x for a blank cell and - for no sign"
            self._reading.fault("F611", token.span, message, hint=hint)
        else:
            value = number(token.text)
            if value is not None:
                self.givens.append(Given(row, column, value, *token.span))

    def _signs_below(self, row: int, tokens: list[Word]) -> None:
        for j, token in enumerate(tokens):
            if j // 2 < self._size:
                self._sign(row, j // 2 + 1, token, is_across=False)
            elif token.text != _NONE:
                message = f"word {j + 1} of the line belongs to column {j // 2 + 1}, and there are {self._size} columns"
                hint = "remove it, or move it: every two words of the line belong to a column"
                self._reading.fault("F611", token.span, message, hint=hint)
                return

    def _sign(self, row: int, column: int, token: Word, *, is_across: bool) -> None:
        if token.text in _SIGNS:
            is_less = token.text == _SIGNS[0]
            self.signs.append(placed_sign(row, column, is_across=is_across, is_less=is_less, span=token.span))
        elif token.text != _NONE:
            between = f"two cells of row {row}" if is_across else f"rows {row} and {row + 1}"
            message = f"'{token.text}' stands where a sign between {between} is due"
            first = "left" if is_across else "upper"
            hint = f"write < if the {first} cell is smaller, > if it is greater, - for no sign"
            self._reading.fault("F610", token.span, message, hint=hint)


def _is_row(tokens: list[Word]) -> bool:
    """Whether a line between rows is rather a row itself: most words that could be cells are no signs."""
    cells = [token.text for token in tokens[::2]]
    return len(tokens) % 2 == 1 and 2 * sum(not _is_sign(cell) for cell in cells) > len(cells)
