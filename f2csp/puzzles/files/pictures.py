"""Boards as pictures: which lines are rows, which are the frame, and how the frame parts the board."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from f2csp.puzzles.files.characters import BLANKS, MAX_SIZE, starts_of
from f2csp.puzzles.files.numerals import usual
from f2csp.puzzles.files.text import Line, Text, Word, n_bytes

_BARS = "|¦" + "".join(map(chr, range(0x2500, 0x2580)))  # in Unicode, all box drawing characters
_SEPARATORS = f" \t{_BARS}"
_BAR = re.compile(f"[{_BARS}]")
_WORD = re.compile(f"[^{_SEPARATORS}]+")
_UPRIGHT = frozenset("|¦│┃┆┇┊┋║╎╏")
_FRAME = frozenset(_BARS + "+=:'")
_DASH = "-"
_FRAME_OR_CELL = frozenset(f"{_DASH}.*")


class Picture(NamedTuple):
    """What a picture shows.

    Attributes:
        size: how many cells most rows have; 0 if there are none.
        has_numbers: whether a cell is a word, and not a character.
        groups: the rows, parted by the frame.
    """

    size: int
    has_numbers: bool
    groups: list[list[Line]]

    @property
    def rows(self) -> list[Line]:
        """The rows of all groups."""
        return [line for group in self.groups for line in group]

    def words(self, line: Line) -> list[str]:
        """What stands between the blanks and the bars of a row."""
        return _words(line.text)

    def length(self, line: Line) -> int:
        """How many cells a row has."""
        return self._length(line.text)

    def is_fit(self, line: Line) -> bool:
        """Whether a row has as many cells as most."""
        return self.length(line) == self.size

    def lengths_between_bars(self, line: Line) -> list[int]:
        """How many cells stand in each part of a row; parts of none are passed over."""
        return [length for length in map(self._length, _BAR.split(line.text)) if length]

    def cells(self, line: Line) -> list[Word]:
        """The cells of a row."""
        words = line.words(_SEPARATORS)
        if self.has_numbers:
            return words
        placed = [placed for word in words for placed in zip(word.text, starts_of(word), strict=True)]
        return [Word(character, start, start + n_bytes(character)) for character, start in placed]

    def _length(self, text: str) -> int:
        words = _words(text)
        return len(words) if self.has_numbers else _n_characters(words)


def picture_of(text: Text) -> Picture:
    """The rows among the lines of a text, and how they are to be read."""
    lines = _board_lines(text)
    kinds = [_is_row(line.text) for line in lines]
    sure = [line.text for line, is_row in zip(lines, kinds, strict=True) if is_row]
    unsure = [line.text for line, is_row in zip(lines, kinds, strict=True) if is_row is None]
    size, has_numbers = _measure(sure or unsure)
    blanks = set().union(*sure).intersection(BLANKS)
    may_miss = len(sure) < size and (_DASH in blanks or not blanks)
    groups: list[list[Line]] = [[]]
    for line, is_row in zip(lines, kinds, strict=True):
        if is_row or (is_row is None and may_miss and _n_characters(_words(line.text)) == size):
            groups[-1].append(line)
        elif groups[-1]:
            groups.append([])
    return Picture(size, has_numbers, [group for group in groups if group])


def _board_lines(text: Text) -> list[Line]:
    """The lines of the board and its frame: those of the section [Puzzle], or those before any section."""
    sections: dict[str, list[Line]] = {"": []}
    lines = sections[""]
    for line in text.filled_lines:
        content = line.text.strip(" \t")
        if content.startswith("[") and content.endswith("]"):
            lines = sections.setdefault(content[1:-1].strip(" \t").lower(), [])
        elif not content.startswith("#"):
            lines.append(line)
    return sections.get("puzzle") or sections[""]


def _is_row(text: str) -> bool | None:
    """Whether a line is a row, and not of the frame; None if it may be either."""
    signs = set(text).difference(" \t")
    if signs <= _UPRIGHT:
        return False
    if not signs <= _FRAME | _FRAME_OR_CELL:
        return True
    if not signs.isdisjoint(_FRAME - _UPRIGHT):
        return False
    return None if _DASH in signs else True


def _measure(rows: Sequence[str]) -> tuple[int, bool]:
    """How many cells most rows have, and whether these are words: whatever leaves less to be mended."""
    words = list(map(_words, rows))
    by_character, by_word = list(map(_n_characters, words)), list(map(len, words))
    n_characters, n_words = usual(by_character), usual(by_word)
    if _misfit(by_word) < _misfit(by_character) or n_words == n_characters > MAX_SIZE:
        return n_words, True
    return n_characters, False


def _misfit(lengths: Sequence[int]) -> int:
    """How far rows of these lengths are from a square; a row that is no row counts no more than one with two faults."""
    length = usual(lengths)
    return sum(min(abs(length - other), 2) for other in lengths) + abs(length - len(lengths))


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _n_characters(words: Sequence[str]) -> int:
    return sum(map(len, words))
