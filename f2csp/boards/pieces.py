"""The text of a puzzle file: its lines and words, each with its place (two byte offsets)."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import Any, NamedTuple

from f2csp.diagnostics import Source

Span = tuple[int, int]

HUGE = 10**9  # the value of every longer number: no text becomes a number of a million digits

BARS = "|¦!" + "".join(map(chr, range(0x2500, 0x2580)))  # in Unicode, all box drawing characters
BAR = re.compile(f"[{BARS}]")

_WORD, _CHARACTER = re.compile(r"[^ \t]+"), re.compile("(?s:.)")
PUZZLE_LINE = re.compile(rb"^[ \t]*+([^\s#][^\r\n]*+)", re.MULTILINE)
"""A line that is neither blank nor a comment, which begins with ``#``."""


def number(text: str) -> int | None:
    """The number that ASCII digits write, at most ``HUGE``; None if the text is anything else."""
    if not (text.isascii() and text.isdigit()):
        return None
    significant = text.lstrip("0")
    return int(significant or "0") if len(significant) < len(str(HUGE)) else HUGE


def n_bytes(text: str) -> int:
    """The length of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


class Piece(NamedTuple):
    """A piece of the file: a line without its end, a word, or a character."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + n_bytes(self.text)

    @property
    def trimmed(self) -> "Piece":
        """The piece without the blanks around it."""
        text = self.text.rstrip(" \t")
        start = len(text) - len(text.lstrip(" \t"))
        return self.part(start, len(text)) if len(text) - start < len(self.text) else self

    @property
    def span(self) -> Span:
        return span_of([self.trimmed])

    def offset(self, index: int) -> int:
        return self.start + n_bytes(self.text[:index])

    def part(self, first: int, last: int) -> "Piece":
        return Piece(self.text[first:last], self.offset(first))

    def words(self, separators: str = " \t") -> list["Piece"]:
        """The runs of characters without any of the separators."""
        return self.matches(_WORD if separators == " \t" else re.compile(f"[^{re.escape(separators)}]+"))

    def fields(self, separators: str) -> list["Piece"]:
        """What is between separators, which may be nothing."""
        return self.matches(re.compile(f"(?:^|(?<=[{separators}]))[^{separators}]*+"))

    def characters(self) -> list["Piece"]:
        return self.matches(_CHARACTER)

    def matches(self, pattern: re.Pattern[str]) -> list["Piece"]:
        """All matches of a pattern; the time is linear for non-ASCII text too."""
        return [Piece(match[0], start) for match, start in self._placed(pattern)]

    def tokens(self, pattern: re.Pattern[str]) -> Iterator[tuple[str, "Piece"]]:
        """The same, each with the name of the group that matched; matches of no group are left out."""
        return ((match.lastgroup, Piece(match[0], start)) for match, start in self._placed(pattern) if match.lastgroup)

    def _placed(self, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int]]:
        at, start, is_ascii = 0, self.start, self.text.isascii()
        for match in pattern.finditer(self.text):
            start += match.start() - at if is_ascii else n_bytes(self.text[at : match.start()])
            at = match.start()
            yield match, start

    def starts(self) -> Sequence[int]:
        """The offset of each of its characters."""
        if self.text.isascii():
            return range(self.start, self.start + len(self.text))
        return list(accumulate(map(n_bytes, self.text[:-1]), initial=self.start))


def span_of(pieces: Sequence[Piece]) -> Span:
    """From the start of the first piece to the end of the last."""
    return pieces[0].start, pieces[-1].end


@dataclass(frozen=True)
class Text:
    """A part of a file, which is UTF-8 without control characters: the whole of it, or one puzzle of many."""

    source: Source
    start: int
    end: int

    @classmethod
    def whole(cls, source: Source) -> "Text":
        """All of a file but a byte-order mark."""
        return cls(source, source.start, len(source.data))

    @property
    def data(self) -> bytes:
        return self.source.data[self.start : self.end]

    @property
    def piece(self) -> Piece:
        return Piece(self.data.decode(), self.start)

    @cached_property
    def lines(self) -> list[Piece]:
        """All lines; the last may be empty where the text does not end with one."""
        lines = self.data.decode().split("\n")
        starts = accumulate((n_bytes(line) + 1 for line in lines), initial=self.start)
        return [Piece(line.removesuffix("\r"), start) for line, start in zip(lines, starts, strict=False)]

    @cached_property
    def filled_lines(self) -> list[Piece]:
        """The lines that are not blank."""
        return [line for line in self.lines if line.text and not line.text.isspace()]

    def first_bytes(self, n: int = 1 << 16) -> "Text":
        """The first lines, of at most this number of bytes together; the first characters of a longer line."""
        if self.end - self.start <= n:
            return self
        end = self.source.data.rfind(b"\n", self.start, self.start + n) + 1 or self.start + n
        while self.source.data[end] & 0xC0 == 0x80:  # within a character
            end -= 1
        return self.part(self.start, end)

    def parts(self, pattern: re.Pattern[bytes]) -> Sequence["Text"]:
        """The first group of each match of a pattern, or this text if there is no match."""
        return Parts(self, (match.span(1) for match in pattern.finditer(self.data))) or [self]

    def part(self, start: int, end: int) -> "Text":
        return Text(self.source, start, end)


class Parts(Sequence[Text]):
    """Parts of a text, each made when it is asked for: a file can hold millions. Their offsets count from its start."""

    def __init__(self, whole: Text, spans: Iterable[Span]) -> None:
        self._whole = whole
        self._offsets = array("q", chain.from_iterable(spans))

    def __len__(self) -> int:
        return len(self._offsets) // 2

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        at = 2 * range(len(self))[index]
        start, end = self._offsets[at : at + 2]
        return self._whole.part(self._whole.start + start, self._whole.start + end)
