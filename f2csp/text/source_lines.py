"""Lines, words, tuples and section headers of a text, each with its place, and the places of what columns hold.

Bulk is read elsewhere; these functions find places again, from the one offset that is kept of each thing, and serve the
reading of what has a fault. They go over a line without holding its words, for a line can be as large as a file.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from f2csp.diagnostics import ByteSpan, Edit, Fault, brief
from f2csp.model.words import SECTION_WORDS
from f2csp.text.columns import Columns, DeclaredCount, SourcePlaces
from f2csp.text.terminals import terminal

_CHUNK = 1 << 12
_BLANK_LINE = re.compile(rb"\n[ \t\r]*+\n")
_FILLED_LINE = re.compile(rb"[^ \t\r\n][^\n]*+")
_SECTION_LINE = re.compile(rb"[ \t]*+([A-Za-z]++)[ \t]*+:[ \t]*+([^\n]*+)\n?")
_DIGITS = re.compile(rb"[0-9]++")
_LIKE_A_NUMBER = re.compile(rb"[+-]?[0-9][^ \t]*")
# A section line, with those of the same word that only blank lines separate from it: the reader takes the last.
_SCOPE_LINES, _TABLE_LINES = (
    re.compile(rb"(?im)^[ \t]*+(%b)[ \t]*+:(?:[^\n]*+\n[ \t\r\n]*+\1[ \t]*+:)*+" % words)
    for words in (b"vars", b"reject|accept")
)

SPELLING = {word: f"{word.capitalize()}:" for word in SECTION_WORDS}


class Header(NamedTuple):
    """A section line."""

    word: str  # the section word in lower case; "title" for the text before the first
    start: int
    end: int  # behind its colon
    rest: ByteSpan  # the text behind the colon on the same line, without white space around it
    body: int  # where the next line begins

    @property
    def place(self) -> ByteSpan:
        """The section word and its colon."""
        return self.start, self.end

    @property
    def has_rest(self) -> bool:
        """Whether anything follows the colon on its line."""
        return self.rest[0] < self.rest[1]


def line_spans(data: bytes, start: int, end: int) -> Iterator[ByteSpan]:
    """The lines from ``start`` to ``end`` that are not blank, without white space around them."""
    for match in _FILLED_LINE.finditer(data, start, end):
        yield match.start(), match.start() + len(match.group().rstrip(b" \t\r"))


def last_line(data: bytes, start: int, end: int) -> ByteSpan | None:
    """The last line from ``start`` to ``end`` that is not blank, without white space around it."""
    window = 64  # it is mostly near the end; where it is not, ever larger windows find it without going line by line
    while start < end:
        rest = data[max(start, end - window) : end].rstrip(b" \t\r\n")
        if rest:
            end = max(start, end - window) + len(rest)
            return stripped(data, max(data.rfind(b"\n", start, end) + 1, start), end)
        end -= window
        window *= 2
    return None


def word_spans(data: bytes, start: int, end: int) -> Iterator[ByteSpan]:
    """The words from ``start`` to ``end``."""
    return (match.span() for match in terminal("_WORD").finditer(data, start, end))


def text_at(data: bytes, word: ByteSpan) -> str:
    """A part of the text as a string; bytes that are not UTF-8 are reported elsewhere."""
    return data[word[0] : word[1]].decode("utf-8", "replace")


def stripped(data: bytes, start: int, end: int) -> ByteSpan:
    """The place from ``start`` to ``end`` without white space around it."""
    text = data[start:end]
    first = start + len(text) - len(text.lstrip(b" \t\r\n"))
    return first, max(first, start + len(text.rstrip(b" \t\r\n")))


def row_fault(data: bytes, start: int, end: int) -> Fault | None:
    """Why a line without white space around it holds other things than tuples; None if it does not."""
    if terminal("_ROWS").fullmatch(data, start, end) and data.find(b"..", start, end) < 0:
        return None
    from f2csp.text.line_faults import explain_row

    return explain_row(data, start, end)


def count_tuples(data: bytes, start: int, end: int) -> int:
    """The number of tuples in a table's body."""
    return sum(n for *_, n in _tuple_chunks(data, start, end))


def find_tuples(data: bytes, start: int, end: int, wanted: Collection[int]) -> dict[int, ByteSpan]:
    """The places of some tuples of a table's body, by their indices."""
    places, first = dict[int, ByteSpan](), 0
    for at, stop, n in _tuple_chunks(data, start, end):
        here = [i for i in wanted if first <= i < first + n]
        spans = enumerate(tuple_spans(data, at, stop), first) if here else ()
        places.update((i, span) for i, span in spans if i in here)
        first += n
    return places


def _tuple_chunks(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """A table's body in chunks of whole lines, each with the number of its tuples."""
    while start < end:
        at, start = start, data.find(b"\n", min(start + _CHUNK, end), end) + 1 or end
        chunk = data[at:start].strip(b" \t\r\n")
        is_plain = b"(" not in chunk and not _BLANK_LINE.search(chunk)
        yield at, start, chunk.count(b"\n") + bool(chunk) if is_plain else sum(1 for _ in tuple_spans(data, at, start))


def tuple_spans(data: bytes, start: int, end: int) -> Iterator[ByteSpan]:
    """The places of the tuples in a table's body; a malformed line counts as one."""
    for line_start, line_end in line_spans(data, start, end):
        opening = data.find(b"(", line_start, line_end)
        if opening < 0 or row_fault(data, line_start, line_end):
            yield line_start, line_end
            continue
        while opening >= 0:
            closing = data.find(b")", opening, line_end) + 1
            yield opening, closing
            opening = data.find(b"(", closing, line_end)


def header_at(data: bytes, start: int) -> Header:
    """The header on the line that begins at ``start``."""
    match = _SECTION_LINE.match(data, start)
    assert match is not None  # noqa: S101 - the grammar's terminal _SECTION has matched
    rest_start = match.start(2)
    rest = rest_start, rest_start + len(match[2].rstrip(b" \t\r"))
    return Header(match[1].lower().decode(), match.start(1), data.index(b":", match.end(1)) + 1, rest, match.end())


def read_count(
    data: bytes, header: Header, end: int, *, any_word: bool = False
) -> tuple[DeclaredCount, int, Fault | None]:
    """The count of a section whose body ends at ``end``; where what it counts begins; what is wrong with it.

    ``any_word``: a line of one word below the header is its count, even if it is not a number.
    """
    match = terminal(header.word.upper()).match(data, header.start, end)
    if match:
        digits = _DIGITS.search(data, header.end)
        assert digits is not None  # noqa: S101 - the terminal says so
        return DeclaredCount(int(digits.group()), *digits.span()), match.end(), None
    if header.has_rest:
        return _malformed_count(data, header, header.rest)
    first = next(line_spans(data, header.body, end), None)
    if first is not None:
        is_one_word = not re.search(rb"[ \t:,(){}=]", data[slice(*first)])
        if (is_one_word and any_word) or _LIKE_A_NUMBER.fullmatch(data, *first):
            return _malformed_count(data, header, first)
    name = SPELLING[header.word]
    fault = Fault("F101", *header.place, f"{name} has no count", f"write the count of items after {name}")
    return DeclaredCount(None, *header.place), header.body, fault


def _malformed_count(data: bytes, header: Header, word: ByteSpan) -> tuple[DeclaredCount, int, Fault]:
    hint = "write the number in digits, without sign or leading zero, at most 18 of them"
    message = f"expected a count for {SPELLING[header.word]}, found {brief(text_at(data, word))}"
    fault = Fault("F102", *word, message, hint)
    return DeclaredCount(None, *word), header.body if header.has_rest else word[1], fault


class _Parts(NamedTuple):
    """The places in a constraint: the declared counts, the scope, the line ``Reject:`` or ``Accept:``, the tuples."""

    arity: DeclaredCount
    scope: ByteSpan
    table: ByteSpan
    n_tuples: DeclaredCount
    body: ByteSpan


class TextPlaces(SourcePlaces):
    """The places of columns that were read from an F2CSP text; those in a constraint only where it can be checked."""

    def __init__(self, columns: Columns) -> None:
        super().__init__(columns.source)
        self._columns, self._data = columns, columns.source.data
        self._latest: tuple[int, _Parts] | None = None
        self._declarations: dict[int, ByteSpan] = {}

    def edit(self, span: ByteSpan, text: str) -> Edit:
        """The replacement of a part; what is removed goes with its line, or with the separator before it."""
        start, end = span
        if not text:
            line_start = self._data.rfind(b"\n", 0, start) + 1
            line_end = self._data.find(b"\n", end) + 1 or len(self._data)
            before = self._data[line_start:start].rstrip(b" \t,")
            is_alone = not before and not self._data[end:line_end].strip()
            start, end = (line_start, line_end) if is_alone else (line_start + len(before), end)
        return start, end, text

    def domain(self, index: int) -> ByteSpan:
        return next(iter(self._words(self._columns.domain_starts[index])))

    def declaration(self, index: int) -> ByteSpan:
        if index not in self._declarations:
            start = self._columns.domain_starts[index]
            *_, (_, end) = self._words(start)
            self._declarations[index] = start, end
        return self._declarations[index]

    def values(self, index: int) -> Iterable[ByteSpan]:
        return islice(self._words(self._columns.domain_starts[index]), 1, None)

    def variable(self, index: int) -> ByteSpan:
        return next(iter(self._words(self._columns.variable_starts[index])))

    def variable_domain(self, index: int) -> ByteSpan:
        _, word, *_ = self._words(self._columns.variable_starts[index])
        return word

    def constraint(self, index: int) -> ByteSpan:
        return next(iter(word_spans(self._data, self._columns.starts[index], len(self._data))))

    def scope(self, index: int) -> ByteSpan:
        return self._parts(index).scope

    def names(self, index: int) -> Iterable[ByteSpan]:
        return word_spans(self._data, *self.scope(index))

    def arity(self, index: int) -> DeclaredCount:
        return self._parts(index).arity

    def table(self, index: int) -> ByteSpan:
        return self._parts(index).table

    def n_tuples(self, index: int) -> DeclaredCount:
        return self._parts(index).n_tuples

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, ByteSpan]:
        return find_tuples(self._data, *self._parts(index).body, wanted) if wanted else {}

    def body(self, index: int) -> ByteSpan:
        """What follows the table's count; behind the last constraint, up to the end of the text."""
        return self._parts(index).body

    def row_values(self, row: ByteSpan) -> Iterable[ByteSpan]:
        return word_spans(self._data, *row)

    def _words(self, start: int) -> Iterable[ByteSpan]:
        """The words of the line of a domain or a variable; the name is the first."""
        end = self._data.find(b"\n", start)
        return word_spans(self._data, start, len(self._data) if end < 0 else end)

    def _parts(self, index: int) -> _Parts:
        if self._latest is None or self._latest[0] != index:
            starts = self._columns.starts
            data, start = self._data, starts[index]
            end = starts[index + 1] if index + 1 < len(starts) else len(data)
            scope_lines = _SCOPE_LINES.search(data, data.rfind(b"\n", 0, start) + 1, end)
            table_lines = _TABLE_LINES.search(data, scope_lines.end(), end) if scope_lines else None
            assert scope_lines is not None  # noqa: S101 - the reader has seen both
            assert table_lines is not None  # noqa: S101
            header, table = (header_at(data, data.rfind(b"\n", 0, m.end()) + 1) for m in (scope_lines, table_lines))
            arity, names_start, _ = read_count(data, header, table_lines.start())
            n_tuples, body, _ = read_count(data, table, end, any_word=True)
            scope = stripped(data, names_start, table_lines.start())
            self._latest = index, _Parts(arity, scope, table.place, n_tuples, (body, max(body, end)))
        return self._latest[1]
