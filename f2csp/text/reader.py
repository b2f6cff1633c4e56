"""Reads a text into columns: its head line by line, its constraints in parts, and what has a fault by the diagnosis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from f2csp.diagnostics import Collector, Source
from f2csp.files import ByteProgress, check_encoding
from f2csp.text.columns import Columns
from f2csp.text.parts import Change, PartReader, ReadParts, body_end
from f2csp.text.recorder import MAX_RANGE_VALUES, NotInGrammar, Recorder
from f2csp.text.terminals import terminal

if TYPE_CHECKING:
    import re
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class TextReading:
    """A text that was read: its columns, and its parts, so that it can be read again after an edit."""

    columns: Columns
    is_text: bool  # without a forbidden character
    parts: ReadParts | None  # None where the constraints are not behind the domains and the variables
    max_range_values: int

    def edited(self, source: Source, changes: Sequence[Change], collector: Collector) -> "TextReading":
        """Read the text after changes, which are in its order; only the head and what they touch are read again."""
        return read(source, collector, self.max_range_values, known=self, changes=changes)


def read(
    source: Source,
    collector: Collector,
    max_range_values: int = MAX_RANGE_VALUES,
    advance: ByteProgress | None = None,
    *,
    known: TextReading | None = None,
    changes: Sequence[Change] = (),
) -> TextReading:
    """Read a text into columns; every fault of form goes to the collector. Linear in the text, in time and memory.

    What was ``known`` of it before some changes is not read again.
    """
    if not known or not known.is_text or not _are_text(source, changes):
        check_encoding(source, collector)
    parts, is_text = known.parts if known else None, not collector.n_errors
    if is_text:
        recorder = Recorder(source, max_range_values, collector.report)
        try:
            parts = _scan(recorder, collector, advance, parts, changes)
            return TextReading(recorder.columns, is_text, parts, max_range_values)
        except _Faulty as fault:
            parts, changes = fault.parts or parts, () if fault.parts else changes
            collector.clear()
    from f2csp.text.diagnosis import Diagnosis

    diagnosis = Diagnosis(source, collector, max_range_values, parts, changes)
    return TextReading(diagnosis.run(), is_text, diagnosis.parts, max_range_values)


def _are_text(source: Source, changes: Sequence[Change]) -> bool:
    """Whether the lines that were changed have no forbidden character."""
    shift = 0
    for change in changes:
        start = source.data.rfind(b"\n", 0, change.start + shift) + 1
        shift += change.growth
        end = source.data.find(b"\n", change.end + shift) + 1 or len(source.data)
        collector = Collector(Source(source.name, source.data[start:end]))
        check_encoding(collector.source, collector)
        if collector.n_errors:
            return False
    return True


class _Faulty(NotInGrammar):
    """The text is not in the language; its parts, if they were read."""

    def __init__(self, parts: ReadParts | None) -> None:
        super().__init__()
        self.parts = parts


def _scan(
    recorder: Recorder,
    collector: Collector,
    advance: ByteProgress | None,
    known: ReadParts | None,
    changes: Sequence[Change],
) -> ReadParts:
    """Read a text of the language.

    Raises:
        _Faulty: it is not in the language.
    """
    data = recorder.source.data
    try:
        start = scan_head(recorder)
    except NotInGrammar as error:
        raise _Faulty(None) from error
    end = body_end(data, start)
    if advance:  # by what is not in the parts
        advance(start + len(data) - end)
    parts = PartReader(recorder, collector, advance).read(start, known, changes)
    result = ReadParts(parts, recorder.columns.tables, recorder.words, recorder.variable_index)
    has_goal = end < len(data)
    if has_goal and not terminal("GOAL").fullmatch(data, end):
        raise _Faulty(result)
    for part in parts:
        if part.block is None:
            raise _Faulty(result)
        recorder.block(part.block, part.start)
    try:
        recorder.accept(has_goal=has_goal)
    except NotInGrammar as error:
        raise _Faulty(result) from error
    return result


def scan_head(recorder: Recorder) -> int:
    """Read up to the first constraint, and return its place."""
    data, at = recorder.source.data, recorder.source.start
    if blank := terminal("_NL").match(data, at):
        at = blank.end()
    if title := terminal("TITLE").match(data, at):
        recorder.title(at, title.end())
        at = title.end()
    lines: dict[str, tuple[re.Pattern[bytes], Callable[[int, int], None]] | None] = {
        "domains": (terminal("DOMAIN_LINE"), recorder.domain_line),
        "variables": (terminal("VARIABLE_LINE"), recorder.variable_line),
        "constraints": None,
    }
    for section, line in lines.items():
        header = terminal(section.upper()).match(data, at)
        if header is None:
            raise NotInGrammar
        recorder.section(section, at, header.end())
        at = header.end()
        while line and (match := line[0].match(data, at)):
            line[1](at, match.end())
            at = match.end()
    return at
