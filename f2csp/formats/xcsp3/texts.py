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


def n_parameters(texts: Sequence[Text]) -> int:
    """How many arguments are named one by one, as %0, %1, ..., and so are no part of %..."""
    numbers = [int(match[1]) for text in texts for match in _PARAMETER.finditer(text.data) if match[1]]
    return max(numbers, default=-1) + 1


def filled(text: Text, arguments: Sequence[bytes], n_named: int, place: Span) -> Text:
    """The text with the arguments in it, of which there are at least those that are named."""
    rest = b" ".join(arguments[n_named:])

    def argument(match: re.Match[bytes]) -> bytes:
        return rest if match[1] is None else arguments[int(match[1])]

    return Text(_PARAMETER.sub(argument, text.data), text.start, place)
