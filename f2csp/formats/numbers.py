"""A text of numbers between white space as an array, with the place of each."""

import re
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

ODD = -(1 << 63) + 1
"""What stands in the array for a word that is no number of at most 18 digits."""

_PLAIN = b"0123456789 \t\r\n-"
_ODD_MINUS = re.compile(rb"-(?:(?<![ \t\r\n]-)|(?![0-9]))")
_ODD_WORD = re.compile(rb"(?<![^ \t\r\n])(?!-?[0-9]{1,18}(?![^ \t\r\n]))[^ \t\r\n]+")
_LARGEST = 10**18


class Numbers:
    """The words of a text from some place on.

    Attributes:
        values: the numbers; ``ODD`` for a word that is none.
    """

    def __init__(self, data: bytes, start: int) -> None:
        """Read the words that begin at ``start`` or later; before it there is white space, or nothing."""
        self._data = data
        self._start = start
        text = data[start:]
        values = _read(b" " + text) if not text.translate(None, _PLAIN) and not _ODD_MINUS.search(b" " + text) else None
        if values is None or (len(values) and max(int(values.max()), -int(values.min())) >= _LARGEST):
            values = _read(_ODD_WORD.sub(str(ODD).encode(), text))
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def place(self, index: int) -> tuple[int, int]:
        """Where a word stands, as byte offsets; behind the last word there is the end of the text."""
        if index >= len(self.values):
            end = len(self._data.rstrip())
            return end, end
        return int(self._bounds[0][index]), int(self._bounds[1][index])

    def word(self, index: int) -> str:
        """A word as it stands there."""
        return self._data[slice(*self.place(index))].decode("utf-8", "replace")

    @cached_property
    def lines(self) -> NDArray[np.int64]:
        """For each word the number of its line, among the lines that are not blank."""
        newlines = np.flatnonzero(np.frombuffer(self._data, dtype=np.uint8) == ord("\n"))
        lines = np.searchsorted(newlines, self._bounds[0])
        return np.cumsum(np.diff(lines, prepend=lines[:1]) > 0)

    @cached_property
    def line_starts(self) -> NDArray[np.int64]:
        """For each line that is not blank its first word, and at the end how many words there are."""
        return np.concatenate([np.searchsorted(self.lines, np.arange(self.n_lines)), [len(self.values)]])

    @property
    def n_lines(self) -> int:
        """How many lines are not blank."""
        return int(self.lines[-1]) + 1 if len(self.values) else 0

    @cached_property
    def _bounds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each word begins and ends."""
        is_word = np.frombuffer(self._data, dtype=np.uint8, offset=self._start) > ord(" ")
        edges = np.flatnonzero(np.diff(np.concatenate([[False], is_word, [False]]).astype(np.int8)))
        return edges[::2] + self._start, edges[1::2] + self._start


def _read(text: bytes) -> NDArray[np.int64]:
    if not text.strip():
        return np.empty(0, dtype=np.int64)
    return np.fromstring(text, dtype=np.int64, sep=" ")
