"""The XML of an instance, element by element, each with its place; what was looked at is forgotten.

expat reads the tags. The text of an element is taken from the source as it stands there, so that equal tables are equal
bytes, and so that every word has its place.
"""

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from pyexpat import ErrorString, ExpatError, ParserCreate

from f2csp.diagnostics import Collector, Source

_TAG = re.compile(rb"""<[^>"']*+(?:(?:"[^"]*+"|'[^']*+')[^>"']*+)*+>""")
_NO_TEXT = re.compile(rb"<!--.*?-->|<!\[CDATA\[|\]\]>|<\?.*?\?>", re.DOTALL)

_CONTAINERS = frozenset({"instance", "variables", "constraints", "block"})
_EARLY_ENDS = ("no element found", "unclosed token", "unclosed CDATA section")
_MOST_NESTED = 1000


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


class _Stop(Exception):
    """What stands here is told, and nothing can be made of the rest."""


def visit_elements(source: Source, collector: Collector, visit: Visit) -> None:
    """Go through an instance, and tell the collector what is wrong in its form.

    Args:
        source: the text.
        collector: takes the faults.
        visit: called with each element of a container when it is read.
    """
    walk = _Walk(source, collector, visit)
    try:
        walk.parse()
    except ExpatError as error:
        walk.tell(error)
    except _Stop:
        pass


class _Walk:
    def __init__(self, source: Source, collector: Collector, visit: Visit) -> None:
        self._data = source.data
        self._source = source
        self._collector = collector
        self._visit = visit
        self._open: list[Element] = []
        self._parser = ParserCreate("UTF-8")
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._finish
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def parse(self) -> None:
        self._parser.Parse(self._data, True)

    def tell(self, error: ExpatError) -> None:
        """Tell what expat stopped at."""
        at = max(0, min(self._parser.ErrorByteIndex, len(self._data)))
        message = ErrorString(error.code)
        is_early = message in _EARLY_ENDS
        at = len(self._data) if is_early else at
        hint = None
        if self._open:
            last = self._open[-1]
            line = self._source.places_of([last.start])[last.start][0]
            hint = f"close <{last.name}>, which is open since line {line}"
        text = f"the file ends before it is complete ({message})" if is_early else f"this is not XML: {message}"
        self._collector.add("F507" if is_early else "F501", at, at, text, hint=hint)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        at = self._parser.CurrentByteIndex
        if len(self._open) >= _MOST_NESTED:
            self._collector.add("F502", at, at + 1, f"<{name}> is the {_MOST_NESTED + 1}st element in another")
            raise _Stop
        behind = self._data.index(b">", at) + 1
        if attributes and any(">" in value for value in attributes.values()):
            match = _TAG.match(self._data, at)
            behind = match.end() if match else behind
        if self._open and self._open[-1].name in _CONTAINERS:
            parent = self._open[-1]
            self._tell_stray(parent, parent.end or parent.text_start, at)
        self._open.append(Element(name, attributes, at, behind))

    def _finish(self, name: str) -> None:
        element = self._open.pop()
        at = self._parser.CurrentByteIndex
        if name in _CONTAINERS:
            self._tell_stray(element, element.end or element.text_start, at)
        if at < element.text_start or self._data[element.text_start - 2] == _SLASH:
            element.text_end = element.end = element.text_start
        else:
            element.text_end, element.end = at, self._data.index(b">", at) + 1
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
        """Tell of text that stands in a container, between its elements."""
        stray = stray_text(self._data, start, end)
        if stray:
            message = f"there is text in <{container.name}>, where elements are due"
            self._collector.add("F501", *stray, message, hint="remove it, or make it a comment")

    def _refuse_doctype(self, *_: object) -> None:
        at = self._data.rfind(b"<!DOCTYPE", 0, self._parser.CurrentByteIndex + len("<!DOCTYPE"))
        message = "a document type is not read, for it may define entities without end"
        self._collector.add("F501", at, at + len("<!DOCTYPE"), message, hint="remove <!DOCTYPE ...>")
        raise _Stop


_SLASH = ord("/")


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
