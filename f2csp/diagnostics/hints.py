"""What messages say of words that nobody declared."""

from collections.abc import Collection, Iterable
from itertools import islice

_SHOWN = 40  # characters of a foreign word in a message
_COMPARED = 20_000  # words among which a near one is looked for: it takes a second for each 10^5


def shown(word: str) -> str:
    """A word as a message shows it: not too long, and without lone surrogates."""
    text = word if len(word) <= _SHOWN else f"{word[:_SHOWN]}..."
    return text.encode("utf-8", "replace").decode()


def listed(words: Iterable[str], most: int, separator: str = " ") -> str:
    """The first words, and three dots if there are more."""
    first = list(islice(words, most + 1))
    return separator.join(first[:most]) + (" ..." if len(first) > most else "")


def near_word_hint(word: str, known: Collection[str]) -> str | None:
    """The question whether a known word was meant, if one is near; numbers are near to none."""
    from difflib import get_close_matches

    if len(word) > _SHOWN or len(known) > _COMPARED or word.lstrip("-").isdigit():
        return None
    near = [other for other in known if other.casefold() == word.casefold()]
    near = near or get_close_matches(word, known, n=1, cutoff=0.7)
    return f"did you mean {near[0]}?" if near else None


def spelling_hint(word: str, known: Collection[str]) -> str | None:
    """The integer that was meant, if a value differs from a known one only in a sign or leading zeros."""
    number = word.lstrip("+").lstrip("0") or "0"
    return f"write {number}: values are compared as words" if word != number and number in known else None
