"""JSON with places: Python's parser gives the values; where one is in the text is found when a fault is reported."""

import json
import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from f2csp.diagnostics import ByteSpan, Collector, Source

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = re.compile(_STRING + rb'|[\[\]{},:]|[^\s\[\]{},:"]++')
_FLAT = re.compile(rb'[\[{](?:[^\[\]{}"]++|' + _STRING + rb")*+[\]}]")  # no list and no object in it
_BRACKET = re.compile(_STRING + rb"|[\[\]{}]")
_MAX_DIGITS = 20  # of a number that may be within 64 bits


@dataclass(slots=True)
class Children:
    """The places of the values in a list or an object, and of the keys of an object."""

    starts: "array[int]" = field(default_factory=lambda: array("q"))
    ends: "array[int]" = field(default_factory=lambda: array("q"))
    keys: list[ByteSpan] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)  # of each key; the last one where it is repeated


class JsonLayout:
    """The places of the values in a well-formed JSON text, by their paths: the keys and indices that lead to them."""

    def __init__(self, source: Source) -> None:
        self._data = source.data
        self.root = value_start(source.data, source.start)  # where the outermost value begins
        self._children: dict[int, Children] = {}

    def span(self, *path: str | int) -> ByteSpan:
        """The value at a path."""
        start, end = self.root, -1
        for step in path:
            children = self.children(start)
            at = children.index[step] if isinstance(step, str) else step
            start, end = children.starts[at], children.ends[at]
        return start, end if path else value_end(self._data, start)

    def key(self, *path: str | int) -> ByteSpan:
        """The key of the value at a path that ends with one."""
        *parent, last = path
        children = self.children(self.span(*parent)[0])
        return children.keys[children.index[str(last)]]

    def spans_in(self, span: ByteSpan) -> Iterable[ByteSpan]:
        """The values in the list or the object at a place."""
        children = self.children(span[0])
        return zip(children.starts, children.ends, strict=True)

    def children(self, start: int) -> Children:
        """The values in the list or the object that begins at ``start``."""
        if start not in self._children:
            children = self._children[start] = Children()
            for key, (first, end) in members(self._data, start):
                if key:
                    children.index[unquoted(self._data, key)] = len(children.keys)
                    children.keys.append(key)
                children.starts.append(first)
                children.ends.append(end)
        return self._children[start]


def parse_json(
    source: Source,
    collector: Collector,
    codes: tuple[str, str],
    max_depth: int,
    hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
) -> Any:
    """Parse a JSON text.

    Args:
        source: the text, which is UTF-8.
        collector: takes the fault of a text that is not JSON; the result is None then.
        codes: of a malformed text, and of one that ends early.
        max_depth: the depth of nesting at which a text that is too deep for Python is reported.
        hook: makes an object of its keys and values; a dictionary if None.
    """
    text = source.data[source.start :].decode()
    try:
        return _loads(text, hook)
    except json.JSONDecodeError as error:
        start = source.start + len(text[: error.pos].encode())
        if error.pos >= len(text.rstrip()):
            end = len(source.data.rstrip())
            collector.add(codes[1], end, end, "the text ends before the JSON is complete", hint="get the whole file")
        else:
            end = start + len(text[error.pos].encode())
            collector.add(codes[0], start, end, f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}")
    except RecursionError:
        depth = 0
        for token in _BRACKET.finditer(source.data, source.start):
            depth += (token[0] in b"[{") - (token[0] in b"]}")
            if depth > max_depth:
                collector.add(codes[0], *token.span(), "the values are nested too deeply")
                return None
        raise  # the stack of the caller is exhausted
    return None


def _loads(text: str, hook: Callable[[list[tuple[str, Any]]], Any] | None) -> Any:
    try:
        return json.loads(text, object_pairs_hook=hook)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a number with too many digits for Python
        return json.loads(text, object_pairs_hook=hook, parse_int=_integer)


def _integer(digits: str) -> int | float:
    """A number; one that is far beyond 64 bits is as wrong as infinity."""
    return int(digits) if len(digits) <= _MAX_DIGITS else float("inf")


def members(data: bytes, start: int) -> Iterator[tuple[ByteSpan | None, ByteSpan]]:
    """Each value in the list or the object that begins at ``start``, and its key; nothing if it is neither."""
    key: ByteSpan | None = None
    is_object = data.startswith(b"{", start)
    at = start + 1 if is_object or data.startswith(b"[", start) else len(data)
    while token := _TOKEN.search(data, at):
        sign = token[0]
        at = token.end()
        if sign in b"]}":
            return
        if sign in b",:":
            continue
        if is_object and key is None:
            key = token.span()
            continue
        at = value_end(data, token.start()) if sign in b"[{" else at
        yield key, (token.start(), at)
        key = None


def value_start(data: bytes, start: int) -> int:
    """The offset of the first byte from ``start`` that is not white space."""
    while data[start : start + 1] in (b" ", b"\t", b"\r", b"\n"):
        start += 1
    return start


def value_end(data: bytes, start: int) -> int:
    """The offset after the value that begins at ``start``."""
    match = _FLAT.match(data, start) or _TOKEN.match(data, start)
    assert match is not None  # noqa: S101 - the text is JSON
    at, depth = match.end(), int(match[0] in (b"[", b"{"))
    while depth:
        bracket = _BRACKET.search(data, at)
        assert bracket is not None  # noqa: S101
        flat = _FLAT.match(data, bracket.start())
        depth += 0 if flat else (bracket[0] in b"[{") - (bracket[0] in b"]}")
        at = flat.end() if flat else bracket.end()
    return at


def repeated_keys(data: bytes, start: int, max_depth: int) -> Iterator[ByteSpan]:
    """The keys that an object repeats; objects nested deeper than ``max_depth`` are passed over."""
    containers = [(start, 0)]
    while containers:
        container, depth = containers.pop()
        seen: set[str] = set()
        for key, (first, end) in members(data, container):
            if key and (text := unquoted(data, key)) in seen:
                yield key
            elif key:
                seen.add(text)
            if depth < max_depth and data.find(b"{", first, end) >= 0:
                containers.append((first, depth + 1))


def unquoted(data: bytes, span: ByteSpan) -> str:
    """The text of a string without its quotes, or another value as it is written."""
    token = data[slice(*span)]
    if not token.startswith(b'"'):
        return token.decode()
    return str(json.loads(token)) if b"\\" in token else token[1:-1].decode()


def kind_of(token: bytes) -> str:
    """The kind of a value by its first bytes, with its article."""
    number = "a number" if re.fullmatch(rb"-?[0-9]+", token) else "a number that is no integer"
    kinds = {b'"': "a string", b"[": "a list", b"{": "an object", b"t": "a boolean", b"f": "a boolean", b"n": "null"}
    return kinds.get(token[:1], number)


@contextmanager
def numbers_of_any_length() -> Iterator[None]:
    """Read and write numbers of more digits than Python does otherwise, where they come from this program."""
    n_digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(n_digits)
