"""A text with its slips mended, so that what follows them is read as it was meant; places are those of the original."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate

from f2csp.diagnostics import Collector, Excerpt, Source
from f2csp.diagnostics.source import Place
from f2csp.text.source_lines import Fault


@dataclass(frozen=True, slots=True, order=True)
class Slip:
    """A part of a text that is not what was meant."""

    start: int
    end: int
    meant: bytes  # not empty
    fault: Fault | None = None  # None where another slip with the same cause has it

    def with_code(self, code: str) -> "Slip":
        """The slip with another code of its fault, unless that has one of its own."""
        if self.fault is None or self.fault.code != "F309":
            return self
        return replace(self, fault=replace(self.fault, code=code))


@dataclass(frozen=True, slots=True)
class MendedSource(Source):
    """The mended text; its offsets are turned into places of the original."""

    original: Source
    slips: tuple[Slip, ...]  # in the order of the text, by offsets in the original
    starts: tuple[int, ...]  # where each of them begins in the mended text

    def report(self, collector: Collector) -> None:
        """Report the faults of the slips."""
        for slip in self.slips:
            if slip.fault:
                slip.fault.moved(self._mended_offset).report(collector)

    def with_slips(self, slips: Iterable[Slip]) -> "MendedSource":
        """The source with these slips mended too, whose offsets are those of the mended text."""
        at = self.original_offset
        added = [
            Slip(at(s.start), at(s.end), s.meant, s.fault.moved(at) if s.fault else None)
            for s in slips
            if not any(start < s.end and s.start < start + len(old.meant) for start, old in self._near(s))
        ]
        return mended(self.original, [*self.slips, *added])

    def places_of(self, offsets: Iterable[int]) -> dict[int, Place]:
        """The line and the column of every offset in the original."""
        where = {offset: self.original_offset(offset) for offset in offsets}
        places = self.original.places_of(where.values())
        return {offset: places[there] for offset, there in where.items()}

    def excerpt(self, start: int, end: int, label: str, places: dict[int, Place]) -> Excerpt:
        """The span in the original, with the text around it."""
        there = self.original_offset(start), self.original_offset(end)
        return self.original.excerpt(*there, label, {there[0]: places[start], there[1]: places[end]})

    def original_offset(self, offset: int) -> int:
        """The offset in the original."""
        i = bisect_right(self.starts, offset) - 1
        if i < 0:
            return offset
        slip, beyond = self.slips[i], offset - self.starts[i]
        n = len(slip.meant)
        return min(slip.start + beyond, slip.end) if beyond < n else slip.end + beyond - n

    def _near(self, slip: Slip) -> Iterable[tuple[int, Slip]]:
        """The earlier slips that may overlap with a new one."""
        first = max(bisect_right(self.starts, slip.start) - 1, 0)
        last = bisect_right(self.starts, slip.end)
        return zip(self.starts[first:last], self.slips[first:last], strict=True)

    def _mended_offset(self, offset: int) -> int:
        i = bisect_right(self.slips, offset, key=lambda slip: slip.start) - 1
        if i < 0:
            return offset
        slip, beyond = self.slips[i], offset - self.slips[i].start
        n = slip.end - slip.start
        return self.starts[i] + (min(beyond, len(slip.meant)) if beyond < n else len(slip.meant) + beyond - n)


def mended(original: Source, slips: Iterable[Slip] = ()) -> MendedSource:
    """The text of a source with these slips, which do not overlap, mended."""
    ordered = sorted(slips, key=lambda slip: slip.start)
    ends = [0, *(slip.end for slip in ordered)]
    parts = [original.data[at : slip.start] + slip.meant for at, slip in zip(ends, ordered, strict=False)]
    lengths = accumulate(map(len, parts))
    starts = tuple(n - len(slip.meant) for n, slip in zip(lengths, ordered, strict=True))
    data = b"".join([*parts, original.data[ends[-1] :]])
    return MendedSource(original.name, data, original, tuple(ordered), starts)
