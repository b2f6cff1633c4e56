"""Section headers and the counts behind them."""

import re
from dataclasses import dataclass

from f2csp.diagnostics import Collector
from f2csp.text.columns import Count
from f2csp.text.lines import Word, lines_of, text_of
from f2csp.text.terminals import terminal

_HEADER = re.compile(rb"[ \t]*+([A-Za-z]++)[ \t]*+:[ \t]*+([^\n]*+)\n?")
_COUNT = re.compile(rb"0|[1-9][0-9]{0,17}")
_DIGITS = re.compile(rb"[0-9]++")
_LIKE_A_NUMBER = re.compile(rb"[+-]?[0-9][^ \t]*")

SPELLING = {
    "domains": "Domains:",
    "variables": "Variables:",
    "constraints": "Constraints:",
    "vars": "Vars:",
    "reject": "Reject:",
    "accept": "Accept:",
    "goal": "Goal:",
}


@dataclass(slots=True)
class Header:
    """A section line.

    Attributes:
        word: the section word in lower case; "title" for what stands before the first.
        start: where the word stands.
        end: behind its colon.
        rest: what stands behind the colon on the same line, without white space around it.
        body: where the next line begins.
    """

    word: str
    start: int
    end: int
    rest: Word
    body: int

    @property
    def has_rest(self) -> bool:
        """Whether anything stands behind the colon."""
        return self.rest[0] < self.rest[1]


def header_at(data: bytes, start: int) -> Header:
    """The header on the line that begins at ``start``."""
    match = _HEADER.match(data, start)
    assert match is not None  # noqa: S101 - the grammar's terminal SECTION says so
    word_start, word_end = match.span(1)
    rest_start, rest_end = match.span(2)
    rest_end = rest_start + len(match.group(2).rstrip(b" \t\r"))
    colon = data.index(b":", word_end)
    return Header(match.group(1).lower().decode(), word_start, colon + 1, (rest_start, rest_end), match.end())


def was_told(word: str, data: bytes, start: int, end: int, collector: Collector) -> bool:
    """Whether the header that is missing stands on a line that could not be read, which was told."""
    header = re.compile(word.encode() + rb"[ \t]*+:", re.IGNORECASE)
    return any(collector.is_spoiled(match.start()) for match in header.finditer(data, start, end))


def is_count(data: bytes, word: Word) -> bool:
    """Whether a text is a count."""
    return _COUNT.fullmatch(data, *word) is not None


@dataclass(frozen=True, slots=True)
class CountFault:
    """Why there is no count: the code, and the place."""

    code: str
    start: int
    end: int
    message: str
    hint: str


def read_count(data: bytes, header: Header, end: int, *, takes_any_word: bool) -> tuple[Count, int, CountFault | None]:
    """The count of a section whose body ends at ``end``; where what it counts begins; what is wrong with it.

    Args:
        data: the text.
        header: the section's header.
        end: where its body ends.
        takes_any_word: whether a line of one word below the header can only be meant as its count, whatever the word.
    """
    match = terminal(header.word.upper()).match(data, header.start, end)
    if match:
        digits = _DIGITS.search(data, header.end)
        assert digits is not None  # noqa: S101 - the terminal says so
        return Count(int(digits.group()), *digits.span()), match.end(), None
    if header.has_rest:
        return _malformed(data, header, header.rest, header.body)
    first = next(lines_of(data, header.body, end), None)
    if first is not None:
        word = data[first[0] : first[1]]
        is_one_word = not re.search(rb"[ \t:,(){}=]", word)
        if (is_one_word and takes_any_word) or _LIKE_A_NUMBER.fullmatch(word):
            return _malformed(data, header, first, first[1])
    name = SPELLING[header.word]
    fault = CountFault("F101", header.start, header.end, f"{name} has no count", f"write {name} and how many follow")
    return Count(None, header.start, header.end), header.body, fault


def _malformed(data: bytes, header: Header, word: Word, body: int) -> tuple[Count, int, CountFault]:
    text = text_of(data, word)
    shown = text if len(text) <= 40 else f"{text[:40]}..."
    hint = "write the number in digits, without sign or leading zero, at most 18 of them"
    message = f"{shown} is no count for {SPELLING[header.word]}"
    return Count(None, *word), body, CountFault("F102", *word, message, hint)
