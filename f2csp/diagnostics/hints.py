"""Words of the input in messages, and hints for misspelled ones."""

from collections.abc import Collection, Iterable
from itertools import islice

_MAX_WORD_LENGTH = 40
_MAX_COMPARED_WORDS = 20_000  # comparing 10^5 takes a second


def shown(word: str) -> str:
    """A word for a message: cut if it is long, and without lone surrogates."""
    text = word if len(word) <= _MAX_WORD_LENGTH else f"{word[:_MAX_WORD_LENGTH]}..."
    return text.encode("utf-8", "replace").decode()


def listed(words: Iterable[str], most: int, separator: str = " ") -> str:
    """The first words, and three dots if there are more."""
    first = list(islice(words, most + 1))
    return separator.join(first[:most]) + (" ..." if len(first) > most else "")


def near_word_hint(word: str, known: Collection[str]) -> str | None:
    """A question with the nearest known word, if one is near; numbers have none."""
    from difflib import get_close_matches

    if len(word) > _MAX_WORD_LENGTH or len(known) > _MAX_COMPARED_WORDS or word.lstrip("-").isdigit():
        return None
    near = [other for other in known if other.casefold() == word.casefold()]
    near = near or get_close_matches(word, known, n=1, cutoff=0.7)
    return f"did you mean {near[0]}?" if near else None


def certain_spelling(word: str, known: Collection[str]) -> str | None:
    """The only known word that differs from a word just in letter case, leading zeros, quotes or brackets."""
    plain = word.strip("[];'\"") or word
    number = plain.lstrip("+").lstrip("0") or "0"
    near = {plain, number}.intersection(known) or {other for other in known if other.casefold() == plain.casefold()}
    return near.pop() if len(near) == 1 and len(word) <= _MAX_WORD_LENGTH else None


def spelling_hint(word: str, known: Collection[str]) -> str | None:
    """The known integer that a value differs from only in a sign or leading zeros."""
    number = word.lstrip("+").lstrip("0") or "0"
    return f"write {number}: values are compared as words" if word != number and number in known else None
