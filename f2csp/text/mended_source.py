"""A text with its slips mended, so that what follows them is read as it was meant; places are those of the original."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import NamedTuple

from f2csp.diagnostics import Excerpt, Fault, Source
from f2csp.diagnostics.collector import Place


class Slip(NamedTuple):
    """A part of a text that is not what was meant."""

    start: int
    end: int
    meant: bytes  # not empty
    fault: Fault | None = None  # None where another slip with the same cause has it


@dataclass(frozen=True, slots=True)
class MendedSource(Source):
    """The mended text; its offsets are turned into places of the text that was mended."""

    original: Source  # which may be a mended one, too
    slips: Sequence[Slip]  # in the order of the text; they do not overlap
    starts: Sequence[int]  # where each of them begins in the mended text

    @classmethod
    def of(cls, original: Source, slips: Sequence[Slip]) -> "MendedSource":
        """The text with these slips mended."""
        ends = [0, *(slip.end for slip in slips)]
        parts = [original.data[at : slip.start] + slip.meant for at, slip in zip(ends, slips, strict=False)]
        starts = [n - len(slip.meant) for n, slip in zip(accumulate(map(len, parts)), slips, strict=True)]
        return cls(original.name, b"".join([*parts, original.data[ends[-1] :]]), original, slips, starts)

    def original_offset(self, offset: int) -> int:
        """The offset in the file."""
        return self.original.original_offset(self._offset_before(offset))

    def places_of(self, offsets: Iterable[int]) -> dict[int, Place]:
        """The line and the column of every offset in the file."""
        before = {offset: self._offset_before(offset) for offset in offsets}
        places = self.original.places_of(before.values())
        return {offset: places[there] for offset, there in before.items()}

    def excerpt(self, start: int, end: int, label: str, places: dict[int, Place]) -> Excerpt:
        """The span in the file, with the text around it."""
        first, last = self._offset_before(start), self._offset_before(end)
        return self.original.excerpt(first, last, label, {first: places[start], last: places[end]})

    def mended_offset(self, offset: int) -> int:
        """The offset in the mended text of one in the text that was mended."""
        i = bisect_right(self.slips, (offset, inf)) - 1
        if i < 0:
            return offset
        slip, n = self.slips[i], len(self.slips[i].meant)
        return self.starts[i] + (min(offset - slip.start, n) if offset < slip.end else n + offset - slip.end)

    def _offset_before(self, offset: int) -> int:
        """The offset, of one in the mended text, in the text that was mended."""
        i = bisect_right(self.starts, offset) - 1
        if i < 0:
            return offset
        slip, beyond = self.slips[i], offset - self.starts[i]
        n = len(slip.meant)
        return min(slip.start + beyond, slip.end) if beyond < n else slip.end + beyond - n
