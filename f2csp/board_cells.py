"""The cells of boards in a text, where the size of the boards is known.

    ┌─────┬─────┐      1 2 | 3 4      [[1, 2, 3, 4],     1 < 2   3       1 1 2
    │ 1 2 │ 3 4 │      3 4 | 1 2       [3, 4, 1, 2],     v               1 2 3
    │ 3 4 │ 1 2 │      ----+----       ...               3   1   2       1 3 1

Cells are words or characters, row by row: in frames, with signs between, below the numbers of the columns and behind
those of the rows, or all on one line. A board can also be a list of row, column and value, below its size.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

_WORD = re.compile(rb"[0-9A-Za-z._?*]+")
_CELL, _ANY_CELL = re.compile(rb"[0-9]{1,9}|[A-Z._?*]"), re.compile(rb"[0-9]{1,9}|[A-Za-z._?*]")
_N_CHARACTERS = 36  # 0-9 and A-Z
_NO_ROW = re.compile(rb"[-+=#~:'|\s]*|[\^v<>|\s]*")  # a rule, or signs
_DRAWN = re.compile(rb"\xe2(?:[\x94\x95].|\x88[\xa7\xa8])", re.DOTALL)  # in UTF-8: lines of frames, and signs


class WrittenCell(NamedTuple):
    """A cell of a board in a text."""

    row: int
    column: int
    word: str
    start: int
    end: int


class _Word(NamedTuple):
    text: bytes
    start: int
    end: int = 0  # in its line

    def characters(self) -> "list[_Word]":
        return [_Word(self.text[i : i + 1], self.start + i) for i in range(len(self.text))]


def boards_of_size(data: bytes, start: int, n_rows: int, n_columns: int) -> list[list[WrittenCell]]:
    r"""The cells of each board of a text; none if there is something else.

    Example:
        >>> [[cell.word for cell in board] for board in boards_of_size(b"|1 2|\n|2 .|\n", 0, 2, 2)]
        [['1', '2', '2', '.']]
    """
    lines = list(_lines(data, start))
    characters = [[character for word in words for character in word.characters()] for words in lines]
    for cells in (_below_each_other(lines, n_columns), lines, characters, [[*chain.from_iterable(lines)]]):
        found = [row for line in cells for row in _rows(line, n_rows, n_columns)]
        n_drawn = n_rows + 1
        if len(found) % n_drawn == 0 and all(_is_ruler(row) for _, row in found[::n_drawn]):
            found = [row for i, row in enumerate(found) if i % n_drawn]
        are_labels = all(
            not label.isdigit() or int(label) % 10 == (i % n_rows + 1) % 10 for i, (label, _) in enumerate(found)
        )
        rows = [row for _, row in found]
        if rows and len(rows) % n_rows == 0 and are_labels:
            return [
                [_cell(i, j, word) for i, row in enumerate(rows[at : at + n_rows], 1) for j, word in enumerate(row, 1)]
                for at in range(0, len(rows), n_rows)
            ]
    clues = [words for words in lines if len(words) > 2]
    are_triples = all(len(clue) == 3 and all(word.text.isdigit() for word in clue) for clue in clues)
    if are_triples and len(clues) == n_rows * n_columns:
        return [[_cell(int(row.text), int(column.text), word) for row, column, word in clues]]
    return []


def _lines(data: bytes, start: int) -> Iterator[list[_Word]]:
    """The words of each line that is neither a rule nor signs alone."""
    for line in re.finditer(rb"[^\n]+", data[start:]):
        text = _DRAWN.sub(b" | ", line[0])  # which is as long
        if not _NO_ROW.fullmatch(text):
            at = start + line.start()
            yield [_Word(match[0], at + match.start(), match.end()) for match in _WORD.finditer(text)]


def _below_each_other(lines: Sequence[list[_Word]], n_columns: int) -> list[list[_Word]]:
    """The words of rows at the ends of which all rows have a word: others are clues beside the board."""
    rows = [words for words in lines if n_columns <= len(words) <= n_columns + 2]
    ends = set[int].intersection(*({word.end for word in words} for words in rows)) if rows else set[int]()
    return [[word for word in words if word.end in ends] for words in rows] if len(ends) == n_columns else []


def _rows(words: Sequence[_Word], n_rows: int, n_columns: int) -> list[tuple[bytes, Sequence[_Word]]]:
    """The row of a line, perhaps behind its label, or all rows of the board; none if the line has something else."""
    is_cell = (_CELL if n_columns < _N_CHARACTERS else _ANY_CELL).fullmatch
    for n_labels, row in enumerate((words, words[1:], words[2:])):
        if len(row) in (n_columns, n_rows * n_columns) and all(is_cell(word.text) for word in row):
            label = words[n_labels - 1].text if n_labels and len(row) == n_columns else b""
            return [(label, row[at : at + n_columns]) for at in range(0, len(row), n_columns)]
    return []


def _is_ruler(row: Sequence[_Word]) -> bool:
    """Whether a row is the numbers of the columns, or their last digits."""
    return all(word.text in (b"%d" % i, b"%d" % (i % 10)) for i, word in enumerate(row, 1))


def _cell(row: int, column: int, word: _Word) -> WrittenCell:
    return WrittenCell(row, column, word.text.decode(), word.start, word.start + len(word.text))
