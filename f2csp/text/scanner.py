"""The scanner: reads the constraints of a text in blocks of many, and leaves what is out of the ordinary to the reader.

Whatever a block holds that :mod:`blocks` does not take, faults above all, the reader reads: for this block alone, with
the same columns and the same state, so that one bad value in a gigabyte costs no second pass. So there is one
definition of the language: what the scanner takes, the reader would take too, with the same result.
"""

import re
from collections.abc import Callable, Iterator

from f2csp.diagnostics import Collector, Source
from f2csp.text.columns import Columns
from f2csp.text.constraints import LABEL
from f2csp.text.lines import Word, last_line
from f2csp.text.sections import MAX_RANGE_VALUES, Sections
from f2csp.text.terminals import terminal
from f2csp.utf8 import check_encoding

_BLOCK = 1 << 16
_TAIL = 1 << 12  # bytes at the end in which the goal is looked for

_SECTION = re.compile(b"^(?:%b)" % terminal("_SECTION").pattern, re.MULTILINE)
_GOAL_LINE = re.compile(rb"^[ \t]*+goal[ \t]*+:", re.IGNORECASE | re.MULTILINE)


def scan(
    source: Source,
    collector: Collector,
    max_range_values: int = MAX_RANGE_VALUES,
    advance: Callable[[int], None] | None = None,
) -> Columns:
    """Read a text into columns, as :func:`f2csp.text.reader.read` does, and faster.

    Args:
        source: the text.
        collector: takes the findings.
        max_range_values: how many values the ranges of all domains may add together.
        advance: called with how many bytes were read since its last call.

    Complexity:
        Linear in the text, in time and memory.
    """
    check_encoding(source, collector)
    sections = Sections(source, collector, max_range_values)
    first_label = _scan_head(source, sections)
    if first_label is not None:
        for n_bytes in _scan_constraints(source, collector, sections, first_label):
            if advance:
                advance(n_bytes)
    return sections.finish()


def _scan_head(source: Source, sections: Sections) -> int | None:
    """Read up to the first label, and give its place; None if there is none, and the whole text is read."""
    at = source.start
    while match := _next_section(source.data, at):
        sections.add(match.start())
        at = match.end()
        following = _next_section(source.data, at) if sections.is_at_constraints else None
        if following and following.group().strip(b" \t")[:4].lower() == b"vars":
            label = last_line(source.data, at, following.start())
            if label:
                return label[0]
    return None


def _next_section(data: bytes, at: int) -> re.Match[bytes] | None:
    """The next section line; ``at`` is the beginning of a line, also behind a byte-order mark, where ^ is not."""
    return terminal("_SECTION").match(data, at) or _SECTION.search(data, at)


def _scan_constraints(source: Source, collector: Collector, sections: Sections, at: int) -> Iterator[int]:
    """Read from the first label to the end, and give the size of each block that is read."""
    data = source.data
    end = _end_of_constraints(data, at)
    blocks = sections.block_reader()
    for start, stop in _block_places(data, at, end):
        block = None
        if not collector.is_spoiled(start, stop) and sections.can_take_block(start):
            block = blocks.read(data[start:stop])
        if block is not None:
            sections.take_block(block, start, stop)
        else:
            _read(source, sections, start, stop)
        yield stop - start
    for match in _SECTION.finditer(data, end):
        sections.add(match.start())


def _read(source: Source, sections: Sections, start: int, stop: int) -> None:
    from f2csp.text.reader import cut

    cut(source, sections, start, stop)


def _end_of_constraints(data: bytes, at: int) -> int:
    """Where the goal begins, if it is where it should be; else the end of the text."""
    tail = max(at, data.rfind(b"\n", 0, max(len(data) - _TAIL, 0)) + 1)
    goals = [match.start() for match in _GOAL_LINE.finditer(data, tail)]
    return goals[-1] if goals else len(data)


def _block_places(data: bytes, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Stretches of the text that begin with a label, one after the other up to the end."""
    while at < end:
        stop = _next_label(data, at, min(at + _BLOCK, end), end)
        yield at, stop
        at = stop


def _next_label(data: bytes, at: int, after: int, end: int) -> int:
    """The place of the label of the first ``Vars:`` behind ``after``, other than ``at``; ``end`` if there is none."""
    colon = data.find(b":", after, end)  # there is none in a table, and nothing is found as fast
    while colon >= 0:
        line = data.rfind(b"\n", 0, colon) + 1
        if data[line:colon].strip(b" \t").lower() == b"vars":
            label = last_line(data, at, line)
            if label and label[0] > at and _can_be_label(data, label):
                return label[0]
        line_end = data.find(b"\n", colon, end)
        colon = data.find(b":", line_end, end) if line_end >= 0 else -1
    return end


def _can_be_label(data: bytes, line: Word) -> bool:
    return LABEL.fullmatch(data, *line) is not None and terminal("_SECTION").match(data, line[0]) is None
