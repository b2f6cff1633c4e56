"""The text of a puzzle, or the part of a file that holds it, in lines that know their places."""

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple, overload

from f2csp.diagnostics import Source
from f2csp.diagnostics.hints import shown

Span = tuple[int, int]
"""Where something stands in the file: two byte offsets."""

HUGE = 10**9
"""What every number of ten and more digits is read as: no text becomes a number of a million digits."""

_WORD = re.compile(r"[^ \t]+")


def number(text: str) -> int | None:
    """The number that ASCII digits write, or ``HUGE`` if it is larger; None if the text is anything else."""
    if not (text.isascii() and text.isdigit()):
        return None
    significant = text.lstrip("0")
    return int(significant or "0") if len(significant) < len(str(HUGE)) else HUGE


def n_bytes(text: str) -> int:
    """How many bytes a text has in a file."""
    return len(text) if text.isascii() else len(text.encode())


def shown_bytes(text: str) -> str:
    """A text that has a character of Latin-1 for each byte of the file, as a message shows it."""
    return shown(text.strip(" \t").encode("latin-1").decode("utf-8", "replace"))


class Word(NamedTuple):
    """A run of characters, and where it stands."""

    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Its place."""
        return self.start, self.end


class Line(NamedTuple):
    """A line without its end.

    Attributes:
        text: its characters.
        start: the byte offset of its first.
    """

    text: str
    start: int

    def offset(self, index: int) -> int:
        """The byte offset of the character at ``index``."""
        return self.start + (index if self.text.isascii() else n_bytes(self.text[:index]))

    def word(self, first: int, last: int) -> Word:
        """The characters from ``first`` to before ``last``, and where they stand."""
        return Word(self.text[first:last], self.offset(first), self.offset(last))

    @property
    def end(self) -> int:
        """The byte offset after its last character."""
        return self.offset(len(self.text))

    @property
    def span(self) -> Span:
        """The place of what stands on it, without the blanks around."""
        text = self.text.rstrip(" \t")
        return self.offset(len(text) - len(text.lstrip(" \t"))), self.offset(len(text))

    def words(self, separators: str = " \t") -> list[Word]:
        """The runs of characters without any of the separators."""
        return self.matches(_WORD if separators == " \t" else re.compile(f"[^{re.escape(separators)}]+"))

    def matches(self, pattern: re.Pattern[str]) -> list[Word]:
        """All that a pattern finds on it, in linear time whatever the characters are."""
        words, at, offset = [], 0, self.start
        if self.text.isascii():
            return [Word(m[0], offset + m.start(), offset + m.end()) for m in pattern.finditer(self.text)]
        for match in pattern.finditer(self.text):
            start = offset + n_bytes(self.text[at : match.start()])
            at, offset = match.end(), start + n_bytes(match[0])
            words.append(Word(match[0], start, offset))
        return words


@dataclass(frozen=True)
class Text:
    """A part of a file: the whole of it, or one puzzle of many.

    The file is UTF-8 without control characters: :func:`f2csp.utf8.check_encoding` has looked.

    Attributes:
        source: the file.
        start: the byte offset where the part begins.
        end: the byte offset after it.
    """

    source: Source
    start: int
    end: int

    @classmethod
    def whole(cls, source: Source) -> "Text":
        """All of a file but a byte-order mark."""
        return cls(source, source.start, len(source.data))

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return self.source.data[self.start : self.end]

    @cached_property
    def lines(self) -> list[Line]:
        """All its lines; the last may be empty where the text does not end with one."""
        lines = []
        start = self.start
        for line in self.data.decode("utf-8").split("\n"):
            lines.append(Line(line.removesuffix("\r"), start))
            start += n_bytes(line) + 1
        return lines

    @cached_property
    def filled_lines(self) -> list[Line]:
        """The lines that are not blank."""
        return [line for line in self.lines if not line.text.isspace() and line.text]

    def head(self, n: int = 64) -> "Text":
        """The first lines alone, for a look at what the text may be."""
        end = self.start
        for _ in range(n):
            end = self.source.data.find(b"\n", end, self.end) + 1
            if not end:
                return self
        return Text(self.source, self.start, end)

    def parts(self, pattern: re.Pattern[bytes]) -> Sequence["Text"]:
        """What the first group of a pattern matches, or this text if that is nowhere."""
        return Parts(self, (match.span(1) for match in pattern.finditer(self.data))) or [self]

    def part(self, start: int, end: int) -> "Text":
        """The text between two byte offsets of the file."""
        return Text(self.source, start, end)


class Parts(Sequence[Text]):
    """Parts of a text, each made when it is asked for: a file can hold millions.

    Args:
        whole: what they are parts of.
        spans: where each begins and ends in it.
    """

    def __init__(self, whole: Text, spans: Iterable[Span]) -> None:
        self._whole = whole
        self._offsets = array("q", chain.from_iterable(spans))

    def __len__(self) -> int:
        return len(self._offsets) // 2

    @overload
    def __getitem__(self, index: int) -> Text: ...
    @overload
    def __getitem__(self, index: slice) -> list[Text]: ...
    def __getitem__(self, index: int | slice) -> Text | list[Text]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = 2 * range(len(self))[index]
        start, end = self._offsets[at : at + 2]
        return self._whole.part(self._whole.start + start, self._whole.start + end)
