"""The elements of an instance, their text with its places, and the limits on what a short text can expand to.

The text of an element is taken from the source as it is there, so that equal tables are equal bytes and every word has
its place. Elements are forgotten once they are read.
"""

import re
from array import array
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from f2csp.diagnostics import ByteSpan, Collector, Source, brief
from f2csp.xml_events import XmlFault, parse_xml

_WORD = re.compile(rb"[^\s]++")
_NO_TEXT = re.compile(rb"<!--.*?-->|<!\[CDATA\[|\]\]>|<\?.*?\?>", re.DOTALL)
_FAULT_CODES = {"malformed": "F501", "unfinished": "F507", "too deep": "F502"}

STEPS_OF_TRANSITION = 20  # of calculation, each of about a nanosecond
STEPS_OF_PAIR = 60_000  # that gets a variable of its own
STEPS_OF_WORD = 10_000  # that is parsed, or a pair that becomes one table
_STEPS_OF_BYTE = 10_000  # by which larger files may be more work
_MAX_TUPLES = 1_000_000
"""The limit on the tuples that are tried for one table, unless another one is given."""

LARGE_HINT = "split the constraint into smaller ones, or raise the limit with --max-tuples"
_LIMITS = {
    "values in ranges": 1_000_000,
    "cells in arrays": 500_000,
    "words in lists": 10_000_000,
    "pairs of variables": 2_000_000,
    "pairs of terms": 2_000_000,
    "bytes in groups": 250_000_000,
}


class PartFault(Exception):
    """A part of the text that cannot be read, with its diagnostic unless that was reported; the part is skipped."""

    is_final = False  # whether all that follows is skipped too

    def __init__(self, code: str = "", place: ByteSpan = (0, 0), message: str = "", hint: str | None = None) -> None:
        super().__init__(message)
        self._code, self._place, self._message, self._hint = code, place, message, hint

    def report(self, collector: Collector, n: int = 1) -> None:
        """Add the diagnostic to a collector, for ``n`` constraints."""
        if self._code:
            message = self._message if n == 1 else f"{self._message} ({n:,} constraints)"
            collector.add(self._code, *self._place, message, hint=self._hint)


class UnreadableInstance(PartFault):
    """What makes the whole instance one that cannot be read."""

    is_final = True


class Refused(PartFault):
    """A constraint that becomes no tables, which is reported once for each kind."""


class TupleBudget:
    """What is left of the limits for a file; ``PartFault`` is raised for what exceeds one."""

    def __init__(self, max_tuples: int | None = None, n_bytes: int = 0) -> None:
        """Begin, with a limit on the tuples that are tried for one table; others grow with it, and with the file."""
        self.max_tuples = max_tuples or _MAX_TUPLES
        scale = max(self.max_tuples, _MAX_TUPLES)
        n_steps = 2_000 * scale + _STEPS_OF_BYTE * n_bytes
        self._limits = _LIMITS | {"tuples in tables": 10 * scale, "steps of calculation": n_steps}
        self._used = dict.fromkeys(self._limits, 0)

    def spend(self, what: str, n: int, place: ByteSpan) -> None:
        used, limit = self._used[what], self._limits[what]
        self._used[what] = min(used + n, limit)
        if used + n > limit:
            hint = None if what in _LIMITS else LARGE_HINT
            message = f"with this the file has {used + n:,} {what}, and the limit is {limit:,}"
            raise Refused("F510", place, message, hint)

    def transitions_left(self) -> int:
        """What the limits leave for sums that may be added digit by digit; something is kept for others."""
        tuples, steps = (self._limits[what] - self._used[what] for what in ("tuples in tables", "steps of calculation"))
        return min(tuples - self._limits["tuples in tables"] // 5, steps // (20 * STEPS_OF_TRANSITION))

    def spend_tuples(self, what: str, n: int, n_steps: int, place: ByteSpan) -> None:
        """Count ``n`` tuples, with ``n_steps`` steps of calculation for each."""
        if n > self.max_tuples:
            size = f"{n:,}" if n < 1 << 60 else "more than 10^18"
            message = f"{what} requires {size} tuples, and the limit is {self.max_tuples:,}"
            raise Refused("F510", place, message, LARGE_HINT)
        self.spend("steps of calculation", n * n_steps, place)


class XmlText(NamedTuple):
    """Some text of an instance, which begins at ``start``; where it has arguments of a group, its faults are theirs."""

    data: bytes
    start: int
    arguments: "XmlText | None" = None

    @classmethod
    def of(cls, data: bytes, start: int, end: int) -> Self:
        """The text between two offsets of a source, without comments."""
        return cls(_without_comments(data[start:end]), start)

    def span(self, start: int = 0, end: int | None = None) -> ByteSpan:
        """The place of a part of the text in the source."""
        if self.arguments is not None:
            return self.arguments.span()
        return self.start + start, self.start + (len(self.data) if end is None else end)

    def place(self, word: re.Match[bytes], group: int = 0) -> ByteSpan:
        """The place of a word that is reported; among the arguments where it is one of them."""
        if self.arguments is None:
            return self.span(*word.span(group))
        for argument in self.arguments.words():
            if argument.group() == word.group(group):
                return self.arguments.span(*argument.span())
        return self.arguments.whole()

    def words(self) -> Iterator[re.Match[bytes]]:
        return _WORD.finditer(self.data)

    def whole(self) -> ByteSpan:
        """The place of the text without the white space around it."""
        if self.arguments is not None:
            return self.arguments.whole()
        words = self.data.strip()
        at = self.data.index(words)
        return self.span(at, at + len(words))


@dataclass(slots=True)
class Element:
    """An element; offsets count bytes of the source."""

    name: str
    attributes: dict[str, str]
    start: int
    text_start: int  # where its tag ends
    text_end: int = 0
    end: int = 0  # of a container that is still open, where the last element in it ends
    children: list["Element"] = field(default_factory=list)  # without those in a container and the arguments of a group
    arguments: "array[int] | None" = None  # of a group, where the text of each begins and ends

    @property
    def tag(self) -> ByteSpan:
        return self.start, self.text_start

    def text(self, data: bytes) -> XmlText:
        """Its text, given the source's; there must be nothing else in it."""
        if self.children:
            child = self.children[0]
            message = f"<{child.name}> in <{self.name}> is not supported"
            raise PartFault("F502", child.tag, message, f"write only text in <{self.name}>")
        text = XmlText.of(data, self.text_start, self.text_end)
        if (at := text.data.find(b"&")) >= 0:
            raise PartFault("F501", text.span(at, at + 1), "expected names or numbers, found a reference")
        return text

    def check_no_text(self, data: bytes) -> None:
        """Check that there is no text before or between its children."""
        start = self.text_start
        for child in self.children:
            self.check_gap(data, start, child.start)
            start = child.end

    def check_gap(self, data: bytes, start: int, end: int) -> None:
        """Check that there is no text between two offsets in it, except comments."""
        gap = data[start:end]
        if gap and not gap.isspace() and (words := _without_comments(gap).strip()):
            start += _without_comments(gap).index(words)
            message = f"expected elements in <{self.name}>, found text"
            raise PartFault("F501", (start, start + len(words)), message, "remove the text, or make it a comment")


_Visit = Callable[[Element, str], None]


def visit_elements(source: Source, collector: Collector, visit: _Visit, containers: Container[str]) -> None:
    """Call ``visit`` with each element and the name of its container when it ends, and report the faults of the XML.

    The outermost element is visited when it begins. Nothing is visited after a fault that is final.
    """
    walk = _Walk(source.data, collector, visit, containers)
    try:
        parse_xml(source.data, walk)
    except UnreadableInstance:
        return
    except XmlFault as fault:
        hint = None
        if walk.open:
            last = walk.open[-1]
            line, _ = source.places_of([last.start])[last.start]
            hint = f"close <{last.name}>, which is open since line {line}"
        collector.add(_FAULT_CODES[fault.kind], fault.start, fault.end, fault.message, hint=hint)


class _Walk:
    def __init__(self, data: bytes, collector: Collector, visit: _Visit, containers: Container[str]) -> None:
        self._data = data
        self._collector = collector
        self._visit = visit
        self._containers = containers
        self.open: list[Element] = []

    def begin(self, name: str, attributes: dict[str, str], start: int, end: int) -> None:
        element = Element(name, attributes, start, end)
        if not self.open:
            self._report_faults(self._visit, element, "")
        elif self.open[-1].name in self._containers:
            self._check_no_text(self.open[-1], start)
        self.open.append(element)

    def finish(self, name: str, start: int, end: int) -> None:
        element = self.open.pop()
        if name in self._containers:
            self._check_no_text(element, start)
        element.text_end, element.end = start, end
        parent = self.open[-1] if self.open else None
        if parent is None:
            return
        if parent.name in self._containers:
            parent.end = end
            self._report_faults(self._visit, element, parent.name)
        elif name == "args" and parent.name == "group":
            if parent.arguments is None:
                parent.arguments = array("q")
            parent.arguments.extend((element.text_start, start))
        else:
            parent.children.append(element)

    def _check_no_text(self, container: Element, end: int) -> None:
        self._report_faults(container.check_gap, self._data, container.end or container.text_start, end)

    def _report_faults(self, read: Callable[..., None], *arguments: object) -> None:
        try:
            read(*arguments)
        except PartFault as fault:
            fault.report(self._collector)
            if fault.is_final:
                raise


def _without_comments(text: bytes) -> bytes:
    """The text with blanks instead of comments, so that the rest keeps its place."""
    return _NO_TEXT.sub(lambda match: b" " * len(match.group()), text) if b"<" in text else text


def written(word: bytes) -> str:
    """A word of the text as a message shows it."""
    return brief(word.decode("utf-8", "replace"))
