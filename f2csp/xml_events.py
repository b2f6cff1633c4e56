"""The tags of an XML text with their places, read by expat.

A document type is refused, and with it every entity: nothing is expanded or fetched.
"""

import re
from pyexpat import ErrorString, ExpatError, ParserCreate
from typing import Literal, Protocol

_CHUNK_BYTES = 1 << 24  # bytes; a longer tag or comment is refused, for expat reads it again with each piece
_MAX_DEPTH = 100
_DOCTYPE = b"<!DOCTYPE"
_WHOLE_TAG = re.compile(rb"""<[^>"']*+(?:(?:"[^"]*+"|'[^']*+')[^>"']*+)*+>""")
_EARLY_ENDS = ("no element found", "unclosed token", "unclosed CDATA section")


class TagHandler(Protocol):
    """Receives the tags in the order of the text; ``start`` and ``end`` are byte offsets."""

    def begin(self, name: str, attributes: dict[str, str], start: int, end: int) -> None:
        """An element begins with the tag at these offsets."""

    def finish(self, name: str, start: int, end: int) -> None:
        """An element ends with the closing tag at these offsets; both are the tag's end for ``<x/>``."""


class XmlFault(Exception):
    """Text that is not read as XML; ``token`` is where the unfinished tag or comment begins, else ``start``."""

    def __init__(
        self, kind: Literal["malformed", "unfinished", "too deep"], message: str, start: int, end: int, token: int = -1
    ) -> None:
        super().__init__(message)
        self.kind, self.message, self.start, self.end = kind, message, start, end
        self.token = start if token < 0 else token


def parse_xml(data: bytes, handler: TagHandler) -> None:
    """Call the handler for each tag.

    Raises:
        XmlFault: the text is malformed, has a document type, or is nested too deeply.
    """
    _Parser(data, handler).parse()


class _Parser:
    def __init__(self, data: bytes, handler: TagHandler) -> None:
        self._data = data
        self._handler = handler
        self._depth = 0
        self._empty_end = 0  # where the last tag ends, if it is an empty element
        self._parser = ParserCreate("UTF-8")
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._finish
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def parse(self) -> None:
        try:
            for start in range(0, len(self._data), _CHUNK_BYTES):
                piece = self._data[start : start + _CHUNK_BYTES]
                self._parser.Parse(piece, False)
                at = self._parser.CurrentByteIndex
                if start + len(piece) - at > _CHUNK_BYTES:
                    raise XmlFault("malformed", f"a tag or a comment is longer than {_CHUNK_BYTES:,} bytes", at, at)
            self._parser.Parse(b"", True)
        except ExpatError as error:
            message, end = ErrorString(error.code), len(self._data)
            at = min(max(self._parser.ErrorByteIndex, 0), end)
            if message in _EARLY_ENDS:
                raise XmlFault("unfinished", f"the file ends early: {message}", end, end, at) from None
            raise XmlFault("malformed", f"malformed XML: {message}", at, at) from None

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        start = self._parser.CurrentByteIndex
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise XmlFault("too deep", f"elements are nested more than {_MAX_DEPTH} deep", start, start + 1)
        end = self._data.index(b">", start) + 1
        if any(">" in value for value in attributes.values()) and (match := _WHOLE_TAG.match(self._data, start)):
            end = match.end()
        self._empty_end = end if self._data.startswith(b"/", end - 2) else 0
        self._handler.begin(name, attributes, start, end)

    def _finish(self, name: str) -> None:
        self._depth -= 1
        start = end = self._empty_end
        self._empty_end = 0
        if not end:
            start = self._parser.CurrentByteIndex
            end = self._data.index(b">", start) + 1
        self._handler.finish(name, start, end)

    def _refuse_doctype(self, *_: object) -> None:
        start = self._data.rfind(_DOCTYPE, 0, self._parser.CurrentByteIndex + len(_DOCTYPE))
        message = "a document type is not supported, because it can define entities without limit"
        raise XmlFault("malformed", message, start, start + len(_DOCTYPE))
