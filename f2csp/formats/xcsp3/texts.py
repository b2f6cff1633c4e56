"""Text of elements with its place, and the arguments of groups put into it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from f2csp.diagnostics import Collector
from f2csp.formats.xcsp3.elements import Element, without_comments

Span = tuple[int, int]

_WORD = re.compile(rb"[^\s]++")
_PARAMETER = re.compile(rb"%(?:\.\.\.|([0-9]{1,9}))")


@dataclass(frozen=True, slots=True)
class Text:
    """Some text of a source.

    Attributes:
        data: its bytes.
        start: where it begins in the source.
        stand_in: where the arguments of a group stand, if it holds some of them: all its faults are theirs.
    """

    data: bytes
    start: int
    stand_in: Span | None = None

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """Where a part of the text stands in the source."""
        if self.stand_in is not None:
            return self.stand_in
        return self.start + start, self.start + (len(self.data) if end is None else end)

    def words(self) -> Iterator[tuple[bytes, Span]]:
        """The words with their places."""
        for match in _WORD.finditer(self.data):
            yield match.group(), self.span(match.start(), match.end())

    def whole(self) -> Span:
        """Where it stands, without the blanks around it."""
        words = self.data.strip()
        at = self.data.index(words)
        return self.span(at, at + len(words))


def text_of(element: Element, data: bytes, collector: Collector) -> Text | None:
    """The text of an element in which there is nothing else, or None and a finding."""
    text = Text(data[element.text_start : element.text_end], element.text_start)
    if element.children:
        child = element.children[0]
        message = f"<{child.name}> in <{element.name}> is not read"
        collector.add("F502", child.start, child.text_start, message, hint=f"only text is read in <{element.name}>")
        return None
    if b"<" in text.data:
        text = Text(without_comments(text.data), text.start)
    if b"&" in text.data:
        at = text.data.index(b"&")
        collector.add("F501", *text.span(at, at + 1), "a reference stands where names or numbers are due")
        return None
    return text


class Form:
    """The texts of a constraint in a group, with parameters %0, %1, ... and %... in them.

    Attributes:
        n_named: how many arguments are named one by one.
        has_rest: whether the others are taken all together.
        is_plain: whether the arguments stand as they are wherever they are put.
        n_bytes: how many bytes are written anew for each arguments otherwise.
    """

    def __init__(self, texts: Sequence[tuple[str, Text]]) -> None:
        """Take the names and the texts of the constraint's elements."""
        self._texts = texts
        opened = [text.data for _, text in texts if b"%" in text.data]
        found = [match for data in opened for match in _PARAMETER.finditer(data)]
        self.n_named = max((int(match[1]) for match in found if match[1]), default=-1) + 1
        self.has_rest = any(not match[1] for match in found)
        each = [b"%...", *([b"%%%d" % i for i in range(self.n_named)] if self.n_named <= len(found) else ())]
        self.is_plain = all(data.split() == (each[1:] or each[:1]) for data in opened)
        self.n_bytes = sum(map(len, opened))

    def takes(self, n: int) -> bool:
        """Whether there may be so many arguments."""
        return n >= self.n_named if self.has_rest else n == self.n_named

    def plainly(self, given: Text) -> list[tuple[str, Text]] | None:
        """The texts with the arguments as they are written; None if they cannot simply be put there."""
        data = given.data
        if not self.is_plain or b"%" in data or (self.n_named and (b"[]" in data or b".." in data)):
            return None
        if self.n_named and len(data.split()) != self.n_named:
            return None
        return [(name, given if b"%" in text.data else text) for name, text in self._texts]

    def filled(self, words: Sequence[bytes], place: Span) -> list[tuple[str, Text]]:
        """The texts with arguments in them, which stand at a place."""
        rest = b" ".join(words[self.n_named :])

        def argument(match: re.Match[bytes]) -> bytes:
            return rest if match[1] is None else words[int(match[1])]

        return [
            (name, Text(_PARAMETER.sub(argument, text.data), text.start, place) if b"%" in text.data else text)
            for name, text in self._texts
        ]
