"""Plain table bodies in bulk: many at once, by NumPy where the words are integers.

A body is plain when each tuple stands on a line of its own, with one blank between two words and none elsewhere.
Whatever is not plain, or holds a word that is no value of any domain, is refused, and read one by one by the recorder.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Kind
from f2csp.model.words import is_integer
from f2csp.text.columns import UNKNOWN, Table
from f2csp.text.recorder import Words

_BLANK, _NEWLINE, _MINUS, _ZERO = b" \n-0"
_PIECE = 1 << 16  # what the arrays of so many words take fits into a processor's cache
_LONGEST_NUMBER = 18  # digits that surely fit into 64 bits
_LARGEST_GAP = 1 << 16  # how much larger than the word table an array from numbers to words may be
_KINDS: dict[bytes, Kind] = {b"Reject:": "Reject", b"Accept:": "Accept"}

Positions = NDArray[np.int64]


class BodyDecoder:
    """Turns the texts of tables into tables."""

    def __init__(self, words: Words) -> None:
        """Decode with the words of the domains, which must be complete."""
        self._index = words.index
        self._first, self._by_number = _numbers(words.texts)

    def decode(self, texts: Sequence[bytes]) -> list[Table] | None:
        """The tables of some texts (header, count, tuples), or None if one is not plain, or its count is wrong."""
        headers = [text.split(b"\n", 2) for text in texts]
        if not all(len(header) == 3 for header in headers):
            return None  # an empty table among them: its arity is not in its text
        kinds = [_KINDS.get(header[0]) for header in headers]
        n_rows = [header[2].count(b"\n") + 1 for header in headers]
        if any(kind is None for kind in kinds) or [header[1] for header in headers] != [b"%d" % n for n in n_rows]:
            return None
        read = self._read_lines(b"\n".join([header[2] for header in headers]) + b"\n")
        return _tables([kind for kind in kinds if kind], n_rows, *read) if read else None

    def _read_lines(self, text: bytes) -> tuple[Positions, Ids] | None:
        """How many words each line has, and the words end to end; in pieces, as each word takes some forty bytes."""
        sizes, values = [], []
        start = 0
        while start < len(text):
            end = text.find(b"\n", start + _PIECE) + 1 or len(text)
            piece = text[start:end]
            size_of_each, words = _layout(piece)
            if size_of_each is None:
                return None
            indices = self._values(piece, words)
            if indices is None or (indices == UNKNOWN).any():
                return None
            sizes.append(size_of_each)
            values.append(indices)
            start = end
        return np.concatenate(sizes), np.concatenate(values)

    def _values(self, text: bytes, words: tuple[Positions, Positions]) -> Ids | None:
        if self._by_number is not None:
            return _integer_values(text, words, self._first, self._by_number)
        index = self._index
        return np.array([index.get(word, UNKNOWN) for word in text.split()], dtype=np.int32)


def _numbers(texts: list[str]) -> tuple[int, Ids | None]:
    """The smallest number among the words, and an array from number to word; None where that does not serve."""
    if not texts or not all(is_integer(text) and len(text) <= _LONGEST_NUMBER for text in texts):
        return 0, None
    numbers = np.array([int(text) for text in texts], dtype=np.int64)
    first = int(numbers.min())
    if int(numbers.max()) - first > 4 * len(texts) + _LARGEST_GAP:
        return 0, None
    by_number = np.full(int(numbers.max()) - first + 1, UNKNOWN, dtype=np.int32)
    by_number[numbers - first] = np.arange(len(texts), dtype=np.int32)
    return first, by_number


def _layout(text: bytes) -> tuple[Positions | None, tuple[Positions, Positions]]:
    """How many words each line has, and where the words begin and end; None if there is more than they need between."""
    characters = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(characters <= _BLANK)
    starts = np.empty_like(ends)
    starts[0] = 0
    np.add(ends[:-1], 1, out=starts[1:])
    separators = characters[ends]
    is_line_end = separators == _NEWLINE
    is_plain = (ends > starts).all() and (is_line_end | (separators == _BLANK)).all()
    sizes = np.diff(np.flatnonzero(is_line_end), prepend=-1)
    return (sizes if is_plain else None), (starts, ends)


def _integer_values(text: bytes, words: tuple[Positions, Positions], first: int, by_number: Ids) -> Ids | None:
    """The words of integers in canonical spelling; None if there is any other word, or an unknown number."""
    characters = np.frombuffer(text, dtype=np.uint8)
    starts, ends = words
    is_negative = characters[starts] == _MINUS
    first_digits = starts + is_negative
    lengths = ends - first_digits
    longest = int(lengths.max())
    if longest > _LONGEST_NUMBER or lengths.min() < 1:
        return None
    numbers = np.zeros(len(starts), dtype=np.int64)
    long_enough = np.arange(len(starts))  # the words that have a digit at this place, counted from their ends
    for place in range(longest):
        if place:
            long_enough = long_enough[lengths[long_enough] > place]
        digits = characters[ends[long_enough] - 1 - place] - np.uint8(_ZERO)  # what is no digit becomes larger than 9
        if (digits > 9).any():
            return None
        numbers[long_enough] += digits * np.int64(10**place)
    has_needless_zero = (characters[first_digits] == _ZERO) & ((lengths > 1) | is_negative)
    if has_needless_zero.any():
        return None
    np.negative(numbers, out=numbers, where=is_negative)
    numbers -= first
    if numbers.min() < 0 or numbers.max() >= len(by_number):
        return None
    return by_number[numbers]


def _tables(kinds: list[Kind], n_rows: list[int], sizes: Positions, values: Ids) -> list[Table] | None:
    """Cut the values of all bodies into tables; None if the tuples of a table differ in size."""
    first_rows = np.cumsum(n_rows) - n_rows
    arities = sizes[first_rows]
    if not (np.repeat(arities, n_rows) == sizes).all():
        return None
    tables = []
    start = 0
    for kind, n, arity in zip(kinds, n_rows, arities.tolist(), strict=True):
        end = start + n * arity
        tables.append(Table(kind, arity, values[start:end].reshape(n, arity), None, n))
        start = end
    return tables
