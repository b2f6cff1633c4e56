"""A text with a name, and the lines and columns of its byte offsets."""

from codecs import getincrementaldecoder
from collections.abc import Iterable
from dataclasses import dataclass, field

from f2csp.diagnostics.diagnostic import Excerpt, Span

BOM = b"\xef\xbb\xbf"

_DECODER = getincrementaldecoder("utf-8")
_MAX_EXCERPT_LENGTH = 160
_MAX_BEFORE = 60  # characters before the place in an excerpt of a longer line

Place = tuple[int, int]  # line and column


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a text."""

    name: str  # in messages; usually the path
    data: bytes  # decompressed, as found (a byte-order mark included)
    first_line: int = field(default=1, kw_only=True)  # its number, where the bytes are a part of a file

    @property
    def start(self) -> int:
        """The offset of the first byte that is not a byte-order mark."""
        return len(BOM) if self.data.startswith(BOM) else 0

    def original_offset(self, offset: int) -> int:
        """The offset in the file, from which a text may differ that is read in its place."""
        return offset

    def lines_of(self, offsets: Iterable[int]) -> dict[int, int]:
        """The line, counted from 1, of every offset; one pass over the text for all of them."""
        lines: dict[int, int] = {}
        line, counted = self.first_line, 0
        for offset in sorted(set(offsets)):
            line += self.data.count(b"\n", counted, offset)
            counted = offset
            lines[offset] = line
        return lines

    def places_of(self, offsets: Iterable[int]) -> dict[int, Place]:
        """The line and the column, both counted from 1, of every offset; one pass over the text for all of them."""
        places: dict[int, Place] = {}
        line, column, counted = self.first_line, 1, self.start
        decoder = _DECODER("replace")  # an offset may be inside a malformed character
        for offset in sorted(set(offsets)):
            newlines = self.data.count(b"\n", counted, offset)
            if newlines:
                line += newlines
                column, counted = 1, self.data.rfind(b"\n", counted, offset) + 1
                decoder.reset()
            column += len(decoder.decode(self.data[counted:offset]))
            counted = offset
            is_inside = bool(decoder.getstate()[0])
            places[offset] = line, column + is_inside
        return places

    def excerpt(self, start: int, end: int, label: str, places: dict[int, Place]) -> Excerpt:
        """The span from ``start`` to ``end``, both of which are in ``places``, with the text around it."""
        span = Span(*places[start], *places[end])
        line_start = max(self.data.rfind(b"\n", 0, start) + 1, self.start)
        offset, text = self._window(line_start, start, span.column)
        return Excerpt(span, text, offset, label)

    def _window(self, line_start: int, start: int, column: int) -> tuple[int, str]:
        """The number of characters skipped, and the part of the line shown; a line of megabytes costs little."""
        line_end = self.data.find(b"\n", start)
        if line_end < 0:
            line_end = len(self.data)
        if line_end - line_start <= _MAX_EXCERPT_LENGTH:
            return 0, self.data[line_start:line_end].decode("utf-8", "replace").rstrip("\r")
        window = self.data[max(line_start, start - 4 * _MAX_BEFORE) : start]
        before = window.decode("utf-8", "replace")[-_MAX_BEFORE:]
        rest = self.data[start : min(line_end, start + 4 * _MAX_EXCERPT_LENGTH)].decode("utf-8", "replace")
        return column - 1 - len(before), (before + rest).rstrip("\r")[:_MAX_EXCERPT_LENGTH]
