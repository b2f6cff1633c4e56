"""Find again where the parts of a domain, a variable or a constraint stand, from the one offset that is kept of it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from f2csp.text.columns import Columns, Count
from f2csp.text.headers import Header, header_at, read_count
from f2csp.text.lines import Word, rows_of, words_of

_VARS_HERE = re.compile(rb"vars[ \t]*+:", re.IGNORECASE)
_VARS = re.compile(rb"^[ \t]*+vars[ \t]*+:", re.IGNORECASE | re.MULTILINE)
_NEXT_HEADER = re.compile(rb"[ \t\r\n]*+(vars|reject|accept)[ \t]*+:", re.IGNORECASE)
_TABLE = re.compile(rb"^[ \t]*+(?:reject|accept)[ \t]*+:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a constraint.

    Attributes:
        data: the text.
        label: its name, or the word ``Vars`` where it has none.
        arity: the number under ``Vars:``.
        names: from the first to the last name of the scope.
        table: the line ``Reject:`` or ``Accept:``.
        n_tuples: the number under it.
        body: where its tuples are.
    """

    data: bytes
    label: Word
    arity: Count
    names: Word
    table: Header
    n_tuples: Count
    body: Word

    def scope(self) -> Iterator[Word]:
        """The names of the scope."""
        return words_of(self.data, *self.names)

    def rows(self, wanted: Iterable[int]) -> dict[int, Word]:
        """The places of some of its tuples, by their indices."""
        left = set(wanted)
        found: dict[int, Word] = {}
        for i, row in enumerate(rows_of(self.data, *self.body)):
            if not left:
                break
            if i in left:
                found[i] = row
                left.remove(i)
        return found


def constraint_parts(columns: Columns, constraint: int) -> Parts:
    """The parts of a constraint whose form is right."""
    data, start, end = columns.source.data, columns.starts[constraint], columns.ends[constraint]
    vars_match = _VARS_HERE.match(data, start, end) or _VARS.search(data, start, end)  # without label, or with one
    assert vars_match is not None  # noqa: S101 - the reader has seen it
    scope_header = _last_of_doubled(data, header_at(data, vars_match.start()), end)
    table_match = _TABLE.search(data, scope_header.body, end)
    assert table_match is not None  # noqa: S101 - the reader has seen it
    table = _last_of_doubled(data, header_at(data, table_match.start()), end)
    arity, names_start, _ = read_count(data, scope_header, table_match.start(), takes_any_word=False)
    n_tuples, body, _ = read_count(data, table, end, takes_any_word=True)
    label = next(words_of(data, start, end))
    return Parts(
        data, label, arity, _extent(data, names_start, table_match.start()), table, n_tuples, (body, max(body, end))
    )


def definition_words(columns: Columns, start: int) -> Iterator[Word]:
    """The words of the line of a domain or variable whose name stands at ``start``; the name is the first."""
    data = columns.source.data
    end = data.find(b"\n", start)
    return words_of(data, start, len(data) if end < 0 else end)


def _last_of_doubled(data: bytes, header: Header, end: int) -> Header:
    """The last of equal section lines with nothing in between, which the reader takes for one."""
    while match := _NEXT_HEADER.match(data, header.body, end):
        if match[1].lower().decode() != header.word:
            break
        header = header_at(data, match.start(1))
    return header


def _extent(data: bytes, start: int, end: int) -> Word:
    text = data[start:end]
    first = start + len(text) - len(text.lstrip(b" \t\r\n"))
    return first, max(first, end - (len(text) - len(text.rstrip(b" \t\r\n"))))
