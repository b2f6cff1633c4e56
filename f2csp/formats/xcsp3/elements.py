"""The XML of an instance, element by element, each with its place; what was looked at is forgotten.

expat reads the tags. The text of an element is taken from the source as it stands there, so that equal tables are equal
bytes, and so that every word has its place.
"""

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

from f2csp.diagnostics import Collector, Source
from f2csp.xml_events import XmlFault, parse_xml

_NO_TEXT = re.compile(rb"<!--.*?-->|<!\[CDATA\[|\]\]>|<\?.*?\?>", re.DOTALL)

_CONTAINERS = frozenset({"instance", "variables", "constraints", "block"})
_CODES = {"malformed": "F501", "unfinished": "F507", "too deep": "F502"}


@dataclass(slots=True)
class Element:
    """An element; offsets count bytes of the source.

    Attributes:
        name: of its tag.
        attributes: of its tag.
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
    arguments: "array[int]" = field(default_factory=lambda: array("q"))


Visit = Callable[[Element, str], None]
"""Takes an element that stands in a container, and the container's name."""


def visit_elements(source: Source, collector: Collector, visit: Visit) -> None:
    """Go through an instance, and report to the collector what is wrong in its form.

    Args:
        source: the text.
        collector: takes the faults.
        visit: called with each element of a container when it is read.
    """
    walk = _Walk(source.data, collector, visit)
    try:
        parse_xml(source.data, walk)
    except XmlFault as fault:
        collector.add(_CODES[fault.kind], fault.start, fault.end, fault.message, hint=walk.hint(source))


class _Walk:
    def __init__(self, data: bytes, collector: Collector, visit: Visit) -> None:
        self._data = data
        self._collector = collector
        self._visit = visit
        self._open: list[Element] = []

    def hint(self, source: Source) -> str | None:
        """Name the element that is open."""
        if not self._open:
            return None
        last = self._open[-1]
        line = source.places_of([last.start])[last.start][0]
        return f"close <{last.name}>, which is open since line {line}"

    def begin(self, name: str, attributes: dict[str, str], start: int, end: int) -> None:
        """Open an element."""
        if self._open and self._open[-1].name in _CONTAINERS:
            parent = self._open[-1]
            self._tell_stray(parent, parent.end or parent.text_start, start)
        self._open.append(Element(name, attributes, start, end))

    def finish(self, name: str, start: int, end: int) -> None:
        """Close the last element."""
        element = self._open.pop()
        if name in _CONTAINERS:
            self._tell_stray(element, element.end or element.text_start, start)
        element.text_end, element.end = start, end
        parent = self._open[-1] if self._open else None
        container = parent.name if parent else ""
        if parent is None:
            self._visit(element, "")
        elif container in _CONTAINERS:
            parent.end = element.end
            self._visit(element, container)
        elif name == "args" and container == "group":
            parent.arguments.append(element.text_start)
            parent.arguments.append(element.text_end)
        else:
            parent.children.append(element)

    def _tell_stray(self, container: Element, start: int, end: int) -> None:
        """Report text in a container, between its elements."""
        stray = stray_text(self._data, start, end)
        if stray:
            message = f"there is text in <{container.name}>, where elements are expected"
            self._collector.add("F501", *stray, message, hint="remove it, or make it a comment")


def stray_text(data: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Where the first words of some text stand, if there are any besides comments."""
    gap = data[start:end]
    if not gap or gap.isspace():
        return None
    words = without_comments(gap).strip()
    if not words:
        return None
    at = start + without_comments(gap).index(words)
    return at, at + len(words)


def without_comments(text: bytes) -> bytes:
    """The text with blanks for what is none, so that the rest stays in its place."""
    return _NO_TEXT.sub(lambda match: b" " * len(match.group()), text) if b"<" in text else text
