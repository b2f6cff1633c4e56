"""A text of integers between white space as an array, with the place of each word."""

import re
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Offsets

NOT_A_NUMBER = -(1 << 63) + 1
"""The array has this at a word that is not an integer of at most 18 digits."""

_PLAIN = b"0123456789 \t\r\n-"
_ODD_MINUS = re.compile(rb"-(?:(?<![ \t\r\n]-)|(?![0-9]))")
_ODD_WORD = re.compile(rb"(?<![^ \t\r\n])(?!-?[0-9]{1,18}(?![^ \t\r\n]))[^ \t\r\n]+")
_MAX_NUMBER = 10**18 - 1
_IS_BLANK = np.isin(np.arange(256), list(b" \t\r\n"))


class NumberText:
    """The words of a text.

    Attributes:
        values: the numbers; ``NOT_A_NUMBER`` for any other word.
    """

    def __init__(self, text: bytes, start: int = 0) -> None:
        """Read the words of a text that begins at byte ``start`` of a file, at a word or at white space."""
        self._text = text
        self._start = start
        is_plain = not text.translate(None, _PLAIN) and not _ODD_MINUS.search(b" " + text)
        values = _numbers(text) if is_plain else None
        if values is None or (len(values) and max(int(values.max()), -int(values.min())) > _MAX_NUMBER):
            values = _numbers(_ODD_WORD.sub(str(NOT_A_NUMBER).encode(), text))
        self.values: Offsets = values

    def place(self, start: int, end: int = 0) -> tuple[int, int]:
        """The bytes of a word in the file, or of the words up to ``end``; behind the last, the end of the text."""
        starts, ends = self._bounds
        if start >= len(starts):
            after = self._start + len(self._text.rstrip(b" \t\r\n"))
            return after, after
        return self._start + int(starts[start]), self._start + int(ends[max(start, end - 1)])

    def word(self, index: int) -> str:
        """A word as written; empty behind the last one."""
        start, end = self.place(index)
        return self._text[start - self._start : end - self._start].decode("utf-8", "replace")

    def line_numbers(self, words: Offsets | slice) -> Offsets:
        """For some words the numbers of their lines in the text, from 0."""
        newlines = np.flatnonzero(np.frombuffer(self._text, dtype=np.uint8) == ord("\n"))
        return np.searchsorted(newlines, self._bounds[0][words])

    @cached_property
    def lines(self) -> Offsets:
        """For each word the number of its line, among the lines that are not blank."""
        lines = self.line_numbers(slice(None))
        return np.cumsum(np.diff(lines, prepend=lines[:1]) > 0)

    @cached_property
    def line_starts(self) -> Offsets:
        """For each line that is not blank its first word; one more at the end."""
        return np.append(np.flatnonzero(np.diff(self.lines, prepend=-1)), len(self.values))

    @cached_property
    def line_widths(self) -> Offsets:
        """For each line that is not blank the number of its words."""
        return np.diff(self.line_starts)

    @cached_property
    def _bounds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        is_word = ~_IS_BLANK[np.frombuffer(self._text, dtype=np.uint8)]
        edges = np.flatnonzero(np.diff(np.concatenate([[False], is_word, [False]]).astype(np.int8)))
        return edges[::2], edges[1::2]


def _numbers(text: bytes) -> Offsets:
    if not text.strip(b" \t\r\n"):
        return np.empty(0, dtype=np.int64)
    return np.fromstring(text, dtype=np.int64, sep=" ")
