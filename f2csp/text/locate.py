"""The places of the parts of an F2CSP text, found again from the one offset that is kept of each thing."""

import re
from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

from f2csp.diagnostics import Edit
from f2csp.text.columns import Columns, Count, Places, Span
from f2csp.text.source_lines import Header, header_at, read_count, rows_of, stripped, words_of

_VARS_HERE = re.compile(rb"vars[ \t]*+:", re.IGNORECASE)
_VARS = re.compile(rb"^[ \t]*+vars[ \t]*+:", re.IGNORECASE | re.MULTILINE)
_NEXT_HEADER = re.compile(rb"[ \t\r\n]*+(vars|reject|accept)[ \t]*+:", re.IGNORECASE)
_TABLE = re.compile(rb"^[ \t]*+(?:reject|accept)[ \t]*+:", re.IGNORECASE | re.MULTILINE)


class _Parts(NamedTuple):
    """The places in a constraint: the declared counts, the scope, the line ``Reject:`` or ``Accept:``, the tuples."""

    arity: Count
    scope: Span
    table: Span
    n_tuples: Count
    body: Span


def text_places(columns: Columns) -> Places:
    """The places of columns that were read from an F2CSP text."""
    return _TextPlaces(columns)


class _TextPlaces(Places):
    """Places in an F2CSP text; those in a constraint only where it can be checked."""

    def __init__(self, columns: Columns) -> None:
        super().__init__(columns.source)
        self._columns = columns
        self._data = columns.source.data
        self._latest: tuple[int, _Parts] | None = None
        self._declarations: dict[int, Span] = {}

    def edit(self, span: Span, text: str) -> Edit:
        """The replacement of a part; what is removed goes with its line, or with the separator before it."""
        start, end = span
        if not text:
            line_start = self._data.rfind(b"\n", 0, start) + 1
            line_end = self._data.find(b"\n", end) + 1 or len(self._data)
            before = self._data[line_start:start].rstrip(b" \t,")
            is_alone = not before and not self._data[end:line_end].strip()
            start, end = (line_start, line_end) if is_alone else (line_start + len(before), end)
        return start, end, text

    def domain(self, index: int) -> Span:
        return self._name(self._columns.domain_starts[index], self._columns.domain_names[index])

    def declaration(self, index: int) -> Span:
        if index not in self._declarations:
            start = self._columns.domain_starts[index]
            *_, (_, end) = self._words(start)
            self._declarations[index] = start, end
        return self._declarations[index]

    def values(self, index: int) -> Iterable[Span]:
        return islice(self._words(self._columns.domain_starts[index]), 1, None)

    def variable(self, index: int) -> Span:
        return self._name(self._columns.variable_starts[index], self._columns.variable_names[index])

    def variable_domain(self, index: int) -> Span:
        _, word, *_ = self._words(self._columns.variable_starts[index])
        return word

    def constraint(self, index: int) -> Span:
        return next(iter(words_of(self._data, self._columns.starts[index], self._columns.ends[index])))

    def scope(self, index: int) -> Span:
        return self._parts(index).scope

    def names(self, index: int) -> Iterable[Span]:
        return words_of(self._data, *self.scope(index))

    def arity(self, index: int) -> Count:
        return self._parts(index).arity

    def table(self, index: int) -> Span:
        return self._parts(index).table

    def n_tuples(self, index: int) -> Count:
        return self._parts(index).n_tuples

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, Span]:
        left = set(wanted)
        found: dict[int, Span] = {}
        for i, row in enumerate(rows_of(self._data, *self._parts(index).body) if left else ()):
            if i in left:
                found[i] = row
                left.remove(i)
                if not left:
                    break
        return found

    def row_values(self, row: Span) -> Iterable[Span]:
        return words_of(self._data, *row)

    def _name(self, start: int, name: str) -> Span:
        return start, start + len(name.encode())

    def _words(self, start: int) -> Iterable[Span]:
        """The words of the line of a domain or a variable; the name is the first."""
        end = self._data.find(b"\n", start)
        return words_of(self._data, start, len(self._data) if end < 0 else end)

    def _parts(self, index: int) -> _Parts:
        if self._latest is None or self._latest[0] != index:
            self._latest = index, _parts(self._data, self._columns.starts[index], self._columns.ends[index])
        return self._latest[1]


def _parts(data: bytes, start: int, end: int) -> _Parts:
    vars_match = _VARS_HERE.match(data, start, end) or _VARS.search(data, start, end)  # without label, or with one
    assert vars_match is not None  # noqa: S101 - the reader has seen it
    scope_header = _last_of_doubled(data, header_at(data, vars_match.start()), end)
    table_match = _TABLE.search(data, scope_header.body, end)
    assert table_match is not None  # noqa: S101 - the reader has seen it
    table = _last_of_doubled(data, header_at(data, table_match.start()), end)
    arity, names_start, _ = read_count(data, scope_header, table_match.start(), takes_any_word=False)
    n_tuples, body, _ = read_count(data, table, end, takes_any_word=True)
    scope = stripped(data, names_start, table_match.start())
    return _Parts(arity, scope, (table.start, table.end), n_tuples, (body, max(body, end)))


def _last_of_doubled(data: bytes, header: Header, end: int) -> Header:
    """The last of equal section lines with nothing in between, which the reader takes for one."""
    while match := _NEXT_HEADER.match(data, header.body, end):
        if match[1].lower().decode() != header.word:
            break
        header = header_at(data, match.start(1))
    return header
