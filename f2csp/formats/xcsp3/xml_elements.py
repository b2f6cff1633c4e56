"""The elements of an instance, their text with its places, and the limits on what a short text can expand to.

The text of an element is taken from the source as it is there, so that equal tables are equal bytes and every word has
its place. Elements are forgotten once they are read.
"""

import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from f2csp.diagnostics import Collector, Source, shown
from f2csp.xml_events import XmlFault, parse_xml

Span = tuple[int, int]

_WORD = re.compile(rb"[^\s]++")
_NO_TEXT = re.compile(rb"<!--.*?-->|<!\[CDATA\[|\]\]>|<\?.*?\?>", re.DOTALL)
_CONTAINERS = frozenset({"instance", "variables", "constraints", "block"})
_FAULT_CODES = {"malformed": "F501", "unfinished": "F507", "too deep": "F502"}

_MAX_TUPLES = 1_000_000  # of one table
_LIMITS = {
    "values in ranges": 1_000_000,
    "cells in arrays": 1_000_000,
    "words in lists": 10_000_000,
    "pairs of variables": 2_000_000,
    "bytes in groups": 250_000_000,
    "tuples in tables": 10_000_000,
    "steps of calculation": 2_000_000_000,
}


class Unreadable(Exception):
    """A part of the text that cannot be read, with its diagnostic unless that was reported; the part is skipped."""

    def __init__(self, code: str = "", place: Span = (0, 0), message: str = "", hint: str | None = None) -> None:
        super().__init__(message)
        self._code, self._place, self._message, self._hint = code, place, message, hint

    def report(self, collector: Collector) -> None:
        """Add the diagnostic to a collector."""
        if self._code:
            collector.add(self._code, *self._place, self._message, hint=self._hint)


class Budget:
    """What is left of the limits for a file."""

    def __init__(self) -> None:
        self._used = dict.fromkeys(_LIMITS, 0)

    def spend(self, what: str, n: int, place: Span) -> None:
        """Count ``n`` more of something.

        Raises:
            Unreadable: they exceed the limit.
        """
        used, limit = self._used[what], _LIMITS[what]
        if used + n > limit:
            raise Unreadable("F510", place, f"with this the file has {used + n:,} {what}, and the limit is {limit:,}")
        self._used[what] = used + n

    def spend_tuples(self, what: str, n: int, n_steps: int, place: Span) -> None:
        """Count ``n`` tuples, with ``n_steps`` steps of calculation for each.

        Raises:
            Unreadable: they exceed a limit.
        """
        if n > _MAX_TUPLES:
            size = f"{n:,}" if n < 1 << 60 else "more than 10^18"
            message = f"{what} requires {size} tuples, and the limit is {_MAX_TUPLES:,}"
            raise Unreadable("F510", place, message, "split the constraint into smaller ones")
        self.spend("tuples in tables", n, place)
        self.spend("steps of calculation", n * n_steps, place)


class Text(NamedTuple):
    """Some text of an instance.

    Attributes:
        data: its bytes.
        start: where it begins in the source.
        arguments: those of a group, if some are filled in: its faults are reported there.
    """

    data: bytes
    start: int
    arguments: "Text | None" = None

    @classmethod
    def of(cls, data: bytes, start: int, end: int) -> Self:
        """The text between two offsets of a source, without comments."""
        return cls(without_comments(data[start:end]), start)

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """The place of a part of the text in the source."""
        if self.arguments is not None:
            return self.arguments.span()
        return self.start + start, self.start + (len(self.data) if end is None else end)

    def place(self, word: re.Match[bytes], group: int = 0) -> Span:
        """The place of a word that is reported; among the arguments where it is one of them."""
        if self.arguments is None:
            return self.span(*word.span(group))
        for argument in self.arguments.words():
            if argument.group() == word.group(group):
                return self.arguments.span(*argument.span())
        return self.arguments.whole()

    def words(self) -> Iterator[re.Match[bytes]]:
        """The words."""
        return _WORD.finditer(self.data)

    def whole(self) -> Span:
        """The place of the text without the white space around it."""
        if self.arguments is not None:
            return self.arguments.whole()
        words = self.data.strip()
        at = self.data.index(words)
        return self.span(at, at + len(words))


@dataclass(slots=True)
class Element:
    """An element; offsets count bytes of the source.

    Attributes:
        name: the name in its tag.
        attributes: the attributes in its tag.
        start: where its tag begins.
        text_start: where its tag ends.
        text_end: where its closing tag begins.
        end: where that ends; of a container that is still open, where the last element in it ends.
        children: the elements in it; not those in a container, and not the arguments of a group.
        arguments: of a group, where the text of each begins and ends.
    """

    name: str
    attributes: dict[str, str]
    start: int
    text_start: int
    text_end: int = 0
    end: int = 0
    children: list["Element"] = field(default_factory=list)
    arguments: "array[int] | None" = None

    @property
    def tag(self) -> Span:
        """The place of its tag."""
        return self.start, self.text_start

    def text(self, data: bytes) -> Text:
        """Its text, given the source's.

        Raises:
            Unreadable: there is something else in it.
        """
        if self.children:
            child = self.children[0]
            message = f"<{child.name}> in <{self.name}> is not supported"
            raise Unreadable("F502", child.tag, message, f"write only text in <{self.name}>")
        text = Text.of(data, self.text_start, self.text_end)
        if (at := text.data.find(b"&")) >= 0:
            raise Unreadable("F501", text.span(at, at + 1), "expected names or numbers, found a reference")
        return text

    def check_no_text(self, data: bytes) -> None:
        """Check that there is no text beside its children.

        Raises:
            Unreadable: there is some.
        """
        ends = [self.text_start, *[child.end for child in self.children]]
        for start, child in zip(ends, self.children, strict=False):
            if stray := stray_text(data, start, child.start):
                raise Unreadable("F501", stray, f"there is text in <{self.name}> beside its elements")


Visit = Callable[[Element, str], None]
"""Reads an element, given also the name of its container."""


def visit_elements(source: Source, collector: Collector, visit: Visit) -> None:
    """Read an instance element by element, and report the faults of its XML.

    Args:
        source: the text.
        collector: receives the faults.
        visit: called with each element of a container when it ends.
    """
    walk = _Walk(source.data, collector, visit)
    try:
        parse_xml(source.data, walk)
    except XmlFault as fault:
        collector.add(_FAULT_CODES[fault.kind], fault.start, fault.end, fault.message, hint=walk.hint(source))


class _Walk:
    def __init__(self, data: bytes, collector: Collector, visit: Visit) -> None:
        self._data = data
        self._collector = collector
        self._visit = visit
        self._open: list[Element] = []

    def hint(self, source: Source) -> str | None:
        """The element to close."""
        if not self._open:
            return None
        last = self._open[-1]
        line = source.places_of([last.start])[last.start][0]
        return f"close <{last.name}>, which is open since line {line}"

    def begin(self, name: str, attributes: dict[str, str], start: int, end: int) -> None:
        """Open an element."""
        if self._open and self._open[-1].name in _CONTAINERS:
            self._check_no_text(self._open[-1], start)
        self._open.append(Element(name, attributes, start, end))

    def finish(self, name: str, start: int, end: int) -> None:
        """Close the last element."""
        element = self._open.pop()
        if name in _CONTAINERS:
            self._check_no_text(element, start)
        element.text_end, element.end = start, end
        parent = self._open[-1] if self._open else None
        if parent is None:
            self._call(element, "")
        elif parent.name in _CONTAINERS:
            parent.end = end
            self._call(element, parent.name)
        elif name == "args" and parent.name == "group":
            if parent.arguments is None:
                parent.arguments = array("q")
            parent.arguments.extend((element.text_start, start))
        else:
            parent.children.append(element)

    def _call(self, element: Element, container: str) -> None:
        try:
            self._visit(element, container)
        except Unreadable as fault:
            fault.report(self._collector)

    def _check_no_text(self, container: Element, end: int) -> None:
        stray = stray_text(self._data, container.end or container.text_start, end)
        if stray:
            message = f"expected elements in <{container.name}>, found text"
            self._collector.add("F501", *stray, message, hint="remove the text, or make it a comment")


def stray_text(data: bytes, start: int, end: int) -> Span | None:
    """The place of the text between two offsets, if there is any besides comments."""
    gap = data[start:end]
    if not gap or gap.isspace():
        return None
    gap = without_comments(gap)
    words = gap.strip()
    at = start + gap.index(words)
    return (at, at + len(words)) if words else None


def without_comments(text: bytes) -> bytes:
    """The text with blanks instead of comments, so that the rest keeps its place."""
    return _NO_TEXT.sub(lambda match: b" " * len(match.group()), text) if b"<" in text else text


def written(word: bytes) -> str:
    """A word of the text as a message shows it."""
    return shown(word.decode("utf-8", "replace"))
