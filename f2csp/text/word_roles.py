"""What each word of a text is: a section word, a count, a name, a value; also in a text that is half typed.

Reading starts at a place that is known from the columns, and goes line by line from there.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from f2csp.model.words import SECTION_WORDS
from f2csp.text.columns import Columns
from f2csp.text.source_lines import word_spans
from f2csp.text.terminals import terminal


class Role(StrEnum):
    """What a word is, or what is expected at a place without one."""

    TITLE = "title"
    SECTION = "section word"
    COUNT = "count"
    DOMAIN = "domain"
    VARIABLE = "variable"
    CONSTRAINT = "constraint"
    VALUE = "value"
    GOAL = "goal"


class Word(NamedTuple):
    """A word of a text; an empty one is a place where a word can be written."""

    role: Role
    start: int
    end: int
    section: str  # the section word above it in lower case, ``label`` for what follows a label, ``title`` at the top
    position: int  # in its scope or tuple, else on its line
    constraint: int | None  # its number, if the constraint has a scope and a table


_HEADER = re.compile(rb"(?i)[ \t]*+(%b)[ \t]*+:[ \t]*+([^\n]*+)" % "|".join(SECTION_WORDS).encode())
_NUMBER = re.compile(rb"[+-]?[0-9][^ \t]*")
_ROLES = {
    "title": (Role.TITLE,),
    "domains": (Role.DOMAIN, Role.VALUE),
    "variables": (Role.VARIABLE, Role.DOMAIN),
    "constraints": (Role.CONSTRAINT,),
    "label": (Role.TITLE,),
    "vars": (Role.VARIABLE,),
    "reject": (Role.VALUE,),
    "accept": (Role.VALUE,),
    "goal": (Role.GOAL,),
}


def words(columns: Columns, start: int, end: int) -> Iterator[Word]:
    """The words on the lines that have the offsets from ``start`` to ``end``."""
    data = columns.source.data
    start = max(data.rfind(b"\n", 0, start) + 1, columns.source.start)
    reader = _WordReader(columns, start)
    while start <= end and start < len(data):
        line_end = data.find(b"\n", start) + 1 or len(data)
        yield from reader.line(start, data[start:line_end])
        start = line_end


def word_at(columns: Columns, offset: int) -> Word:
    """The word that an offset is in, or at the end of; where there is none, an empty one."""
    data = columns.source.data
    offset = max(offset, columns.source.start)
    start, end = max(data.rfind(b"\n", 0, offset) + 1, columns.source.start), data.find(b"\n", offset)
    before, after = data[start:offset], data[offset : end if end >= 0 else len(data)]
    reader = _WordReader(columns, start)
    is_inside = terminal("_WORD").match(after) or terminal("_WORD").match(before[-1:])
    line = [before, after] if is_inside else [before, b" _ ", after]
    found = [word for word in reader.line(start, b"".join(line)) if word.start <= offset + (not is_inside)]
    word = found[-1] if found else Word(Role.SECTION, offset, offset, reader.section, 0, reader.constraint)
    return word if is_inside else word._replace(start=offset, end=offset)


class _WordReader:
    """Reads lines one after the other, from a known place above the first."""

    def __init__(self, columns: Columns, start: int) -> None:
        self._columns, self._data = columns, columns.source.data
        places = {"domains": columns.domain_starts, "variables": columns.variable_starts, "constraints": columns.starts}
        known = [(values[i - 1], section) for section, values in places.items() if (i := bisect_right(values, start))]
        at, self.section = max(known, default=(columns.source.start, "title"))
        self.constraint: int | None = None
        self._awaits_count = self._has_label = False
        self._n_names = self._title_end = 0
        if self.section == "title":  # its lines can look like sections
            blank = terminal("_NL").match(self._data, at)
            title = terminal("TITLE").match(self._data, blank.end() if blank else at)
            self._title_end = title.end() if title else 0
        at = max(self._data.rfind(b"\n", 0, at) + 1, columns.source.start)
        while at < start:
            if self.section in ("reject", "accept") and not self._awaits_count:  # a table has no colon
                colon = self._data.find(b":", at, start)
                at = max(at, self._data.rfind(b"\n", 0, colon if colon >= 0 else start) + 1)
            line_end = self._data.find(b"\n", at) + 1 or len(self._data)
            if at < start:
                for _ in self.line(at, self._data[at:line_end]):
                    pass
            at = line_end

    def line(self, at: int, line: bytes) -> Iterator[Word]:
        """The words of a line that begins at an offset."""
        header = _HEADER.match(line)
        if header and at + header.start(1) >= self._title_end:
            self.section = header[1].lower().decode()
            if self.section not in ("vars", "reject", "accept"):
                self.constraint = None
            elif self.section == "vars" and not self._has_label:
                self._begin_constraint(at + header.start(1))
            self._awaits_count, self._has_label, self._n_names = not header[2].strip(), False, 0
            yield self._word(Role.SECTION, at, header.span(1), 0)
            role = Role.GOAL if self.section == "goal" else Role.COUNT
            yield from (self._word(role, at, span, 0) for span in word_spans(line, header.start(2), len(line)))
            return
        spans = list(word_spans(line, 0, len(line)))
        is_count = self._awaits_count and len(spans) == 1 and _NUMBER.fullmatch(line, *spans[0])
        self._awaits_count = self._awaits_count and not spans
        if is_count:
            yield self._word(Role.COUNT, at, spans[0], 0)
        elif spans and self._is_label(at + spans[0][0], line[slice(*spans[0])]):
            self._begin_constraint(at + spans[0][0])
            self.section, self._has_label = "label", True
            yield self._word(Role.CONSTRAINT, at, spans[0], 0)
        else:
            yield from self._names(at, line, spans)

    def _names(self, at: int, line: bytes, spans: list[tuple[int, int]]) -> Iterator[Word]:
        roles, end = _ROLES[self.section], 0
        position = self._n_names
        for span in spans:
            if b"(" in line[end : span[0]]:
                position = 0
            yield self._word(roles[min(position, len(roles) - 1)], at, span, position)
            position, end = position + 1, span[1]
        self._n_names = position if self.section == "vars" else 0

    def _is_label(self, at: int, word: bytes) -> bool:
        return self._data.startswith(word, at) and terminal("LABEL").match(self._data, at) is not None

    def _word(self, role: Role, at: int, span: tuple[int, int], position: int) -> Word:
        return Word(role, at + span[0], at + span[1], self.section, position, self.constraint)

    def _begin_constraint(self, start: int) -> None:
        """Note which constraint of the columns begins at an offset, if any."""
        starts = self._columns.starts
        index = bisect_left(starts, start)
        self.constraint = index if index < len(starts) and starts[index] == start else None
