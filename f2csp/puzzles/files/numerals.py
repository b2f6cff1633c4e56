"""Rows of cells that are a number each: what the formats that have them share."""

from collections import Counter
from collections.abc import Iterable, Sequence

from f2csp.puzzles.files.characters import BLANKS, tell_unknown
from f2csp.puzzles.files.reading import Given, Reading
from f2csp.puzzles.files.text import Word, number

_BLANKS = frozenset(BLANKS)


def is_numeral(text: str) -> bool:
    """Whether a word is the number of a cell, or a blank."""
    return text in _BLANKS or number(text) is not None


def givens_of(cells: Sequence[tuple[int, int, Word]], reading: Reading) -> list[Given]:
    """The cells that are not blank, which come with their rows and columns; what is no number is told."""
    unknown = [word for _, _, word in cells if not is_numeral(word.text)]
    tell_unknown(unknown, "F607", "is no number", "write a number, or . for a blank", reading)
    return [Given(row, column, value, *word.span) for row, column, word in cells if (value := number(word.text))]


def usual(lengths: Iterable[int]) -> int:
    """The length that most rows have, or of several the one that comes first; 0 if there are no rows."""
    return max(Counter(lengths).items(), key=lambda item: item[1], default=(0, 0))[0]
