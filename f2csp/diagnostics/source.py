"""A text with a name, and the lines and columns of its byte offsets."""

from collections.abc import Iterable
from dataclasses import dataclass

from f2csp.diagnostics.diagnostic import Excerpt, Span

BOM = b"\xef\xbb\xbf"

_SHOWN = 160  # characters of a line that an excerpt shows at most
_BEFORE = 60  # of these, before the place, when the line is longer


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a text.

    Attributes:
        name: what messages call it, usually the path.
        data: the text as bytes, decompressed, as found (a byte-order mark included).
    """

    name: str
    data: bytes

    @property
    def start(self) -> int:
        """The offset of the first byte that is not a byte-order mark."""
        return len(BOM) if self.data.startswith(BOM) else 0

    def lines_of(self, offsets: Iterable[int]) -> dict[int, int]:
        """The line, counted from 1, of every offset; one pass over the text for all of them."""
        lines: dict[int, int] = {}
        line, counted = 1, 0
        for offset in sorted(set(offsets)):
            line += self.data.count(b"\n", counted, offset)
            counted = offset
            lines[offset] = line
        return lines

    def excerpt(self, start: int, end: int, label: str, lines: dict[int, int]) -> Excerpt:
        """The place from ``start`` to ``end``, whose lines are in ``lines``, with the text around it."""
        line_start = self._line_start(start)
        column = self._length(line_start, start) + 1
        end_line_start = self._line_start(end)
        span = Span(lines[start], column, lines[end], self._length(end_line_start, end) + 1)
        offset, text = self._window(line_start, start, column)
        return Excerpt(span, text, offset, label)

    def _line_start(self, offset: int) -> int:
        return max(self.data.rfind(b"\n", 0, offset) + 1, self.start)

    def _length(self, start: int, end: int) -> int:
        return len(self.data[start:end].decode("utf-8", "replace"))

    def _window(self, line_start: int, start: int, column: int) -> tuple[int, str]:
        """How much of the line is skipped, and the part that is shown, so that a line of megabytes costs little."""
        line_end = self.data.find(b"\n", start)
        if line_end < 0:
            line_end = len(self.data)
        if line_end - line_start <= _SHOWN:
            shown_from, offset = line_start, 0
        else:
            before = self.data[max(line_start, start - 4 * _BEFORE) : start].decode("utf-8", "replace")[-_BEFORE:]
            shown_from, offset = start, column - 1 - len(before)
            rest = self.data[shown_from : min(line_end, start + 4 * _SHOWN)].decode("utf-8", "replace")
            return offset, (before + rest).rstrip("\r")[:_SHOWN]
        return offset, self.data[shown_from:line_end].decode("utf-8", "replace").rstrip("\r")
