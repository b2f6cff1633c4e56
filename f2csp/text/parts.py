"""The constraints of a text in parts: whole constraints, from a label to the next, each read at once.

A part in canonical form is read in bulk, in a large text also one that the grammar's rule ``block`` can bring into this
form; one that is neither mostly has a fault of form, and is as small as possible. So a fault in a gigabyte costs what
it costs in a kilobyte, and an edit of a text reads again only the parts that it touches.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from f2csp.diagnostics import Collector
from f2csp.files import ByteProgress
from f2csp.text.columns import WrittenTable
from f2csp.text.recorder import Recorder
from f2csp.text.scanner_blocks import Block, BlockReader
from f2csp.text.source_lines import last_line
from f2csp.text.terminals import pattern

_BLOCK = 1 << 16
_SMALL = 1 << 11  # bytes of a part that is not cut further to find a fault
_MAX_OLD_TABLES = 1000  # beside twice as many as there are constraints
_TAIL = 1 << 12  # bytes at the end, where the goal is looked for

_GOAL_LINE = re.compile(rb"^[ \t]*+(goal)[ \t]*+:", re.IGNORECASE | re.MULTILINE)
_LABEL_LINE = re.compile(rb"(?:%b)[ \t]*+:?" % pattern("NAME"))


class Part(NamedTuple):
    """Some constraints of a text."""

    start: int  # of the first label
    end: int
    block: Block | None  # None where the form has a fault, or a small text is in an unusual spelling


class Change(NamedTuple):
    """A replacement of a part of a text."""

    start: int
    end: int
    n_bytes: int  # of what is there now

    @property
    def growth(self) -> int:
        return self.n_bytes - (self.end - self.start)


class ReadParts(NamedTuple):
    """The parts of a text, with what the indices in them mean."""

    parts: Sequence[Part]
    tables: list[WrittenTable]
    words: dict[bytes, int]
    variable_index: dict[bytes, int]

    @property
    def is_stale(self) -> bool:
        """Whether most tables are those of texts before: each change adds the tables that are read again."""
        n_constraints = sum(len(part.block.labels) for part in self.parts if part.block)
        return len(self.tables) > _MAX_OLD_TABLES + 2 * n_constraints


def body_end(data: bytes, start: int) -> int:
    """Where the constraints that begin at ``start`` end: at the last line ``Goal:`` near the end of the text."""
    tail = max(start, data.rfind(b"\n", 0, max(len(data) - _TAIL, 0)) + 1)
    goals = [match.start(1) for match in _GOAL_LINE.finditer(data, tail)]
    return goals[-1] if goals else len(data)


def first_label(data: bytes, start: int) -> int | None:
    """Where the first constraint behind ``start`` begins; None if there is none."""
    at = next_label(data, start, start, len(data))
    return at if at < len(data) else None


def next_label(data: bytes, at: int, after: int, end: int) -> int:
    """The place of the label of the first ``Vars:`` behind ``after``, other than ``at``; ``end`` if there is none."""
    colon = data.find(b":", after, end)  # there is none in a table, and nothing is found as fast
    while colon >= 0:
        line = data.rfind(b"\n", 0, colon) + 1
        if data[line:colon].strip(b" \t").lower() == b"vars":
            label = last_line(data, at, line)
            if label and label[0] > at and _LABEL_LINE.fullmatch(data, *label):
                return label[0]
        line_end = data.find(b"\n", colon, end)
        colon = data.find(b":", line_end, end) if line_end >= 0 else -1
    return end


class PartReader:
    """Reads the constraints of a text whose domains and variables are recorded."""

    def __init__(self, recorder: Recorder, collector: Collector, advance: ByteProgress | None = None) -> None:
        """Add the tables to those of the recorder; ``advance`` is called with the number of bytes read."""
        self._recorder, self._collector, self._data = recorder, collector, recorder.source.data
        self._blocks = BlockReader(recorder.columns, recorder.words, recorder.variable_index)
        self._advance = advance
        self._n_unusual = 0  # bytes of parts that were read by the grammar
        self._is_unusual = False  # the most of the last block was
        self._without_label = (0, 0)  # a part of the text

    def read(self, start: int, known: ReadParts | None = None, changes: Sequence[Change] = ()) -> list[Part]:
        """Read the constraints from the label at ``start`` on; ``known`` is what was read before some changes."""
        end = body_end(self._data, start)
        recorder = self._recorder
        tables = recorder.columns.tables
        names = recorder.words, recorder.variable_index
        if known and not tables and not known.is_stale and (known.words, known.variable_index) == names:
            tables.extend(known.tables)
            parts = list(self._untouched(start, end, known.parts, changes))
        else:
            parts = list(self._read(start, end))
        last = parts.pop() if parts else None
        if last and last.block and len(last.block.labels) > 1:  # the last constraint is a part of its own
            middle = last.start + int(last.block.starts[-1])
            parts += [*self._parts(last.start, middle), *self._parts(middle, last.end)]
        elif last:
            parts.append(last)
        return self._with_context(parts)

    def _untouched(self, start: int, end: int, parts: Sequence[Part], changes: Sequence[Change]) -> Iterator[Part]:
        """The parts that no change touches, where they are now, and between them what is read again."""
        tail = len(self._data) - sum(change.growth for change in changes) - 2 * _TAIL  # in the text before
        touched = list[bool]()
        moved = list[Part]()
        shift = done = 0
        for part in parts:
            while done < len(changes) and changes[done].end < part.start:
                shift += changes[done].growth
                done += 1
            is_in_tail = bool(changes) and min(part.end, changes[-1].end) > tail
            touched.append((done < len(changes) and changes[done].start <= part.end) or is_in_tail)
            moved.append(part._replace(start=part.start + shift, end=part.end + shift))
        at = start
        for part, is_touched, is_next_touched in zip(moved, touched, [*touched[1:], False], strict=False):
            if not is_touched and not is_next_touched and part.start >= at:  # the label that ends a part may be touched
                yield from self._read(at, part.start)
                yield part
                at = part.end
        yield from self._read(at, end)

    def _read(self, at: int, end: int) -> Iterator[Part]:
        while at < end:
            stop = self._next_label(at, min(at + _BLOCK, end), end)
            n_unusual_before = self._n_unusual
            yield from self._parts(at, stop)
            self._is_unusual = 2 * (self._n_unusual - n_unusual_before) > stop - at
            if self._advance:
                self._advance(stop - at)
            at = stop

    def _parts(self, at: int, stop: int) -> Iterator[Part]:
        """Read a part of the text at once if that is possible, and otherwise its quarters."""
        is_readable = not self._collector.is_suppressed(at, stop)
        if is_readable and (block := self._blocks.read(self._data[at:stop])):
            yield Part(at, stop, block)
            return
        size = (stop - at) // 4 if stop - at > _SMALL else stop - at
        first = self._next_label(at, at + size, stop)
        block = None
        if is_readable and (self._is_unusual or first == stop) and len(self._data) > _BLOCK:
            block = self._blocks.read_unusual(self._data[at:stop])
            self._n_unusual += stop - at if block else 0
        if block or first == stop:
            yield Part(at, stop, block)
            return
        while at < stop:
            yield from self._parts(at, first)
            at, first = first, self._next_label(first, min(first + size, stop), stop)

    def _next_label(self, at: int, after: int, end: int) -> int:
        """As :func:`next_label`, but where there is none is looked at only once."""
        start, stop = self._without_label
        if start <= after and end <= stop:
            return end
        label = next_label(self._data, at, after, end)
        if label == end:
            self._without_label = after, end
        return label

    def _with_context(self, parts: list[Part]) -> list[Part]:
        """Join parts with a fault, each with the constraint that follows it: the fault may be in the next label."""
        joined: list[Part] = []
        for part in parts:
            last = joined[-1] if joined else None
            if last is None or last.block:
                joined.append(part)
                continue
            stop = part.end if part.block is None else self._next_label(part.start, part.start + 1, part.end)
            joined[-1] = Part(last.start, stop, None)
            if stop < part.end:
                joined.extend(self._parts(stop, part.end))
        return joined
