"""What is left of the faults of a text when its slips are mended.

What a finder of slips has found is mended, and what it touches of the text is read again: if this leaves no more faults
than before, and breaks no sound structure, it was a slip, and the faults that followed from it are gone. Places are
those of the original text.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from math import inf
from operator import add
from typing import NamedTuple

import numpy as np

from f2csp.diagnostics import BOM, ByteSpan, Collector, Edit, Fault, Source
from f2csp.model import Offsets
from f2csp.text.parts import Change
from f2csp.text.reader import TextReading
from f2csp.text.recorder import MAX_COUNTED
from f2csp.text.rule_book import apply_rules
from f2csp.text.slips import Slip, finders
from f2csp.text.source_lines import TextPlaces

_MAX_BYTES = 1 << 24  # of a text written by hand
_FORM = {"F008", "F009", "F010", "F011", "F012", "F101", "F102"}  # a slip that explains such a fault keeps its code
_CHARACTER_CODES = {"F001", "F002"}  # what is wrong on such a line is not read
_STRUCTURE = {"F003", "F004", "F005", "F009"}  # such a fault hides what is in the section
_LARGE = 1 << 14  # bytes of a text, or a part of it, of which only the lines with faults are searched
_MAX_NEAR = 400  # bytes where another list, or a scope before a table, is looked for


class _Mending(NamedTuple):
    """A text with its slips mended: where these are in the text before, and what is there now."""

    data: bytes
    before: list[ByteSpan]
    after: list[ByteSpan]


def _mended(data: bytes, slips: Sequence[Slip]) -> _Mending:
    """Mend slips, which are in the order of the text and do not overlap."""
    before = [(slip.start, slip.end) for slip in slips]
    ends = [0, *(end for _, end in before)]
    parts = [data[at : slip.start] + slip.meant for at, slip in zip(ends, slips, strict=False)]
    after = [(n - len(slip.meant), n) for n, slip in zip(accumulate(map(len, parts)), slips, strict=True)]
    return _Mending(b"".join([*parts, data[ends[-1] :]]), before, after)


def _moved(offset: int, here: list[ByteSpan], there: list[ByteSpan]) -> int:
    """An offset in a text, some spans of which are replaced in another, in that."""
    i = bisect_right(here, (offset, inf)) - 1
    if i < 0:
        return offset
    (start, end), (other_start, other_end) = here[i], there[i]
    return min(other_start + offset - start, other_end) if offset < end else other_end + offset - end


def without_slips(reading: TextReading, collector: Collector, suspects: Offsets) -> Collector:
    """The findings in a faulty text after its slips are mended; ``collector`` if it has none.

    Slips are looked for in the head, in the parts with a fault of form, and in the constraints that break a rule, the
    suspects.
    """
    original, source = collector.source, collector.source
    mendings, faults = list[_Mending](), list[Fault]()

    def at(offset: int) -> int:
        """The offset in the original text."""
        for mending in reversed(mendings):
            offset = _moved(offset, mending.after, mending.before)
        return offset

    if collector.n_errors > MAX_COUNTED and all(code.startswith(("F2", "F4")) for code in collector.codes):
        return collector  # names alone, and very many: no slip explains them
    extract = _Extract(reading, suspects, collector)
    for find, only, sure in finders() if len(extract.data) <= _MAX_BYTES else ():
        slips = sorted(extract.in_source(find(extract.data)), key=lambda slip: slip.start)
        if not slips:
            continue
        mending = _mended(source.data, slips)
        again = Collector(Source(source.name, mending.data), collector.limit)
        changes = [Change(slip.start, slip.end, len(slip.meant)) for slip in slips]
        read_again = reading.edited(again.source, changes, again)
        suspects = apply_rules(read_again.columns, TextPlaces(read_again.columns), again)
        if again.n_errors > MAX_COUNTED:  # that of two readings which were not read to the end is better is not known
            break
        is_broken = bool(again.codes & _STRUCTURE) and not collector.codes & _STRUCTURE
        code = min((collector.codes - again.codes) & _FORM, default="F309")
        new = [fault._replace(code=code) if fault.code == "F309" else fault for fault in _faults(slips)]
        here_now = partial(_moved, here=mending.before, there=mending.after)
        moved = [fault.moved(here_now) for fault in (*faults, *new)]
        for fault in moved:
            again.report(fault)
        hides_characters = bool((collector.codes - again.codes) & _CHARACTER_CODES)
        most = len(moved) if only else inf if sure else collector.n_errors
        if 0 < again.n_errors <= most and not (hides_characters or is_broken):
            mendings.append(mending)
            source, collector, faults, reading = again.source, again, moved, read_again
            extract = _Extract(reading, suspects, collector)
    return collector.moved(original, at) if mendings else collector


class _Extract:
    """What of a text may hold slips, end to end."""

    def __init__(self, reading: TextReading, suspects: Offsets, collector: Collector) -> None:
        data, faults = reading.columns.source.data, collector.listed_starts
        suspicious = _suspect_spans(reading, suspects, faults)
        self._there = [part for span in suspicious for part in _faulty(data, span, faults)]
        self._here = list(pairwise(accumulate((end - start for start, end in self._there), initial=0)))
        self.data = b"".join([data[start:end] for start, end in self._there])
        if reading.columns.source.start:
            self.data = self.data.replace(BOM, b"   ", 1)

    def in_source(self, slips: Iterable[Slip]) -> Iterator[Slip]:
        """The slips at their places in the text, without those that extend over a gap."""
        for slip in slips:
            start, last = (_moved(at, self._here, self._there) for at in (slip.start, max(slip.start, slip.end - 1)))
            shift = start - slip.start
            if last == start + max(slip.end - 1 - slip.start, 0):
                fault = slip.fault and slip.fault.moved(partial(add, shift))
                yield slip._replace(start=start, end=slip.end + shift, fault=fault)


def _faulty(data: bytes, span: ByteSpan, faults: list[int]) -> Iterator[ByteSpan]:
    """What of a large part is around faults that are all known: its beginning, and their lines."""
    start, end = span
    here = faults[bisect_left(faults, start) : bisect_left(faults, end)]
    if end - start <= _LARGE or not here:
        yield span
        return
    at = data.find(b"\n", start + _MAX_NEAR, end) + 1 or end
    yield start, at
    for place in here:
        if place >= at:
            first, at = max(at, data.rfind(b"\n", at, place) + 1), data.find(b"\n", place, end) + 1 or end
            yield first, at


def _suspect_spans(reading: TextReading, suspects: Offsets, faults: list[int]) -> Iterator[ByteSpan]:
    """The spans in which slips are looked for; ``faults`` are the places of all, if they are known."""
    columns, data = reading.columns, reading.columns.source.data
    size = len(data)
    parts, starts = reading.parts.parts if reading.parts else (), columns.starts
    if not parts or size <= _LARGE:
        yield 0, size
        return
    if columns.sections["variables"].is_complete:
        suspects = np.union1d(suspects, columns.with_unknown_variables())
    ends = [*starts[1:], size]
    spans = [(starts[i], data.rfind(b"\n", 0, ends[i] + _MAX_NEAR) + 1) for i in suspects.tolist()]
    unread = [(part.start, part.end) for part in parts if part.block is None]
    spans += [span for span in unread if not faults or bisect_left(faults, span[0]) < bisect_right(faults, span[1])]
    at = 0
    for start, end in sorted([(0, parts[0].start), *spans, (parts[-1].end, size)]):
        if max(start, at) < end:
            yield max(start, at), end
        at = max(at, end)


def _faults(slips: Iterable[Slip]) -> list[Fault]:
    """The faults of slips, each with the cures of those behind it that have no fault of their own."""
    found: list[tuple[Fault, list[Edit]]] = []
    for slip in slips:
        if slip.fault:
            found.append((slip.fault, []))
        elif found and found[-1][0].edit:
            found[-1][1].append(slip.cure)
    return [fault._replace(further=edits) for fault, edits in found]
