"""Writes what a text holds into columns: definition by definition, constraint by constraint or block by block."""

import re
from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from f2csp.diagnostics import BOM, ByteSpan, Fault, Source
from f2csp.model import Ids, Kind, Offsets
from f2csp.model.words import is_integer, is_range, range_ends
from f2csp.text.columns import UNKNOWN, UNREADABLE, Columns, DeclaredCount, WrittenTable
from f2csp.text.scanner_blocks import TUPLES_AS_LINES, Block, TableDecoder, numbered
from f2csp.text.source_lines import Header, last_line, line_spans, read_count, row_fault, text_at, word_spans
from f2csp.text.terminals import terminal

MAX_RANGE_VALUES = 10**6
MAX_COUNTED = 10_000  # errors of form; behind so many the rest of a text is not read
TABLE_KINDS: dict[str, Kind] = {"reject": "Reject", "accept": "Accept"}

_SIGN_OR_RANGE = re.compile(rb"[:,(){}=]|\.\.")
_SIGNS_AS_BLANKS = bytes.maketrans(b",{}", b"   ")
_COLON_BEHIND_NAME = re.compile(rb"[ \t]*+[:=]")
_BYTE_ORDER_MARKS = re.compile(rb"%b(?:\s*+%b)*+" % (BOM, BOM))
_CHUNK = 1 << 14


class Head(NamedTuple):
    """A constraint up to its scope; the table follows."""

    label: bytes  # the default one where it is missing
    start: int
    arity: int
    scope: ByteSpan
    is_malformed: bool = False


class Recorder:
    """Fills the columns of one text."""

    def __init__(self, source: Source, max_range_values: int, report: Callable[[Fault], None]) -> None:
        """Record a text, whose ranges may add a limited number of values; report the faults that no grammar can see."""
        self.source = source
        self.columns = Columns(source)
        self.words: dict[bytes, int] = {}  # the index of each value of the domains, in the order of their first use
        self.variable_index: dict[bytes, int] = {}
        self.domain_index: dict[bytes, int] = {}
        self._data = source.data
        self.report = report
        self._labels = _Labels()
        self._n_range_values_left = self._max_range_values = max_range_values
        self._domains_of_variables: list[bytes] = []
        self._tables: dict[tuple[Kind, int, bytes], int] = {}
        self._known_decoder: TableDecoder | None = None

    def count(self, header: Header, end: int, *, any_word: bool = False) -> tuple[DeclaredCount, int]:
        """The count below a header, and where what it counts begins; what is wrong with it is reported."""
        count, body, fault = read_count(self._data, header, end, any_word=any_word)
        if fault:
            self.report(fault)
        return count, body

    def domain_line(self, start: int, end: int) -> None:
        """Record a well-formed line of a domain."""
        self.domain(next(word_spans(self._data, start, end)), end)

    def variable_line(self, start: int, end: int) -> None:
        """Record a well-formed line of a variable."""
        name, domain = self._data[start:end].replace(b":", b" ", 1).split()
        self.variable((start, start + len(name)), domain)

    def title(self, start: int, end: int) -> None:
        """Record the lines before the domains; blank lines are dropped."""
        lines = list(line_spans(self._data, start, end))
        self.columns.title = "\n".join(text_at(self._data, line) for line in lines)
        marks = _BYTE_ORDER_MARKS.match(self._data, lines[0][0]) if lines else None
        if marks:
            message = "the title begins with a byte-order mark"
            hint = "remove it: a file begins with at most one byte-order mark"
            place = marks.start(), marks.start() + len(BOM)
            self.report(Fault("F015", *place, message, hint, edit=(*marks.span(), "")))

    def domain(self, name: ByteSpan, end: int, *, is_open: bool = False) -> None:
        """Record a domain whose line ends at ``end``; it is open, and not checked, if the line is malformed."""
        columns, words = self.columns, self.words
        self.domain_index.setdefault(self._data[name[0] : name[1]], len(columns.domain_names))
        columns.domain_names.append(text_at(self._data, name))
        columns.domain_starts.append(name[0])
        indices = array("i")
        is_malformed = is_open
        colon = _COLON_BEHIND_NAME.match(self._data, name[1], end)
        at = colon.end() if colon else end
        for word in self._data[at:end].translate(_SIGNS_AS_BLANKS).split():
            if b".." in word and is_range(text := word.decode("utf-8", "replace")):
                at = self._data.index(word, at)
                fault = self._range_fault(text, at)
                if fault is None:
                    start, last = map(int, range_ends(text))
                    self._n_range_values_left -= last + 1 - start
                    indices.extend(words.setdefault(b"%d" % i, len(words)) for i in range(start, last + 1))
                elif not is_malformed:
                    self.report(fault)
                is_open |= fault is not None
                at += len(word)
            else:
                indices.append(words.setdefault(word, len(words)))
        columns.sections["domains"].found += 1
        values = dict.fromkeys(indices) if is_malformed else indices  # so that none of them is reported as repeated
        columns.domain_values.append(np.array([*values], dtype=np.int32))
        columns.domain_is_open.append(is_open)

    def variable(self, name: ByteSpan, domain: bytes) -> None:
        """Record a variable and the name of its domain, which is empty where it could not be read."""
        columns = self.columns
        key = self._data[name[0] : name[1]]
        self.variable_index.setdefault(key, len(columns.variable_names))
        columns.variable_names.append(key.decode("utf-8", "replace"))
        columns.variable_starts.append(name[0])
        columns.sections["variables"].found += 1
        self._domains_of_variables.append(domain)

    def constraint(self, head: Head, kind: Kind, n_tuples: int, body: ByteSpan) -> int:
        """Record a constraint from the places of its parts, and give the number of its tuples."""
        columns = self.columns
        names = self.names(head.scope)
        table = self.table(kind, len(names), *body)
        self._labels.extend([head.label], numbered([head.label]))
        columns.lines.append(self.line_at(head.start))
        columns.starts.append(head.start)
        columns.declared_arities.append(head.arity)
        columns.declared_tuples.append(n_tuples)
        columns.scopes.extend(names)
        columns.scope_offsets.append(len(columns.scopes))
        columns.constraint_tables.append(table)
        columns.is_malformed.append(head.is_malformed)
        columns.sections["constraints"].found += 1
        return columns.tables[table].n_rows

    def names(self, scope: ByteSpan) -> list[int]:
        """The variables of a scope, ``UNKNOWN`` for those that are not declared."""
        names = self._data[slice(*scope)].translate(TUPLES_AS_LINES).split()
        return [self.variable_index.get(name, UNKNOWN) for name in names]

    def block(self, block: Block, start: int) -> None:
        """Record a block of constraints that begins at ``start``."""
        columns = self.columns
        n = len(block.labels)
        columns.lines.frombytes((block.lines + self.line_at(start)).tobytes())
        columns.starts.frombytes((block.starts + start).tobytes())
        columns.declared_arities.frombytes(block.arities.tobytes())
        columns.declared_tuples.frombytes(block.n_rows.tobytes())
        columns.scope_offsets.frombytes((len(columns.scopes) + np.cumsum(block.arities)).tobytes())
        columns.scopes.frombytes(block.scopes.tobytes())
        columns.constraint_tables.frombytes(block.tables.tobytes())
        columns.is_malformed.extend(bytes(n))
        columns.sections["constraints"].found += n
        self._labels.extend(block.labels, block.numbered)

    def line_at(self, offset: int) -> int:
        """The line of an offset behind the last constraint, counted on from that of the latter."""
        starts, lines = self.columns.starts, self.columns.lines
        before, line = (starts[-1], lines[-1]) if starts else (self.source.start, 1)
        return line + self._data.count(b"\n", before, offset)

    def finish(self) -> Columns:
        """The columns, when everything is recorded."""
        columns, index = self.columns, self.domain_index
        domains = [index.get(name, UNKNOWN) if name else UNREADABLE for name in self._domains_of_variables]
        columns.variable_domains.extend(domains)
        columns.words = [word.decode("utf-8", "replace") for word in self.words]
        columns.labels = self._labels.names
        return columns

    def report_missing_goal(self) -> None:
        """Report that the text has no goal, which is a warning."""
        end = len(self._data)
        last = last_line(self._data, self.source.start, end) or (end, end)
        is_goal = terminal("GOAL_TEXT").fullmatch(self._data, *last)  # without its header, or a tuple
        edit = None if is_goal else (end, end, ("" if self._data.endswith(b"\n") else "\n") + "Goal:\nSatisfy\n")
        self.report(Fault("F402", end, end, "the file has no goal", "write Goal: and Satisfy", edit=edit))

    def _range_fault(self, text: str, at: int) -> Fault | None:
        """Why the range at ``at`` cannot be expanded; None if it can."""
        start_text, end_text = range_ends(text)
        place = at, at + len(text)
        if not (is_integer(start_text) and is_integer(end_text)):  # ``int`` may even refuse it
            return Fault("F308", *place, "an end of the range is beyond 64 bits")
        start, end = int(start_text), int(end_text)
        size = end - start + 1
        if end < start:
            message = f"the range ends at {end}, below its start {start}"
            meant = f"{end}..{start}"
            return Fault("F303", *place, message, f"write {meant}", edit=(*place, meant), is_safe=False)
        if size > self._n_range_values_left:
            message = f"the range adds {size} values, and all ranges together may add {self._max_range_values}"
            if used := self._max_range_values - self._n_range_values_left:
                message += f"; the ranges before it add {used}"
            return Fault("F305", *place, message, "write a smaller range")
        return None

    def table(self, kind: Kind, arity: int, start: int, end: int) -> int:
        """The index of the table with this body; the arity is that of the scope, for a body without tuples."""
        key = (kind, arity, self._data[start:end])
        known = self._tables.get(key)
        if known is not None:
            return known
        values, sizes = list[Ids](), list[Offsets]()
        malformed: list[int] = []
        n_rows = 0
        for at, stop in _chunks(self._data, start, end):
            text = self._data[at:stop]
            read = self._decoder().read_chunk(text if text.endswith(b"\n") else text + b"\n")
            if read is None:
                rows = list(self._rows(at, stop))
                faults = {n_rows + i: row for i, row in enumerate(rows) if isinstance(row, Fault)}
                for fault in faults.values():
                    self.report(fault)
                malformed += faults
                words = [[] if isinstance(row, Fault) else row for row in rows]
                indices = [self.words.get(word, UNKNOWN) for row in words for word in row]
                read = np.array([*map(len, words)], dtype=np.int64), np.array(indices, dtype=np.int32)
            sizes.append(read[0])
            values.append(read[1])
            n_rows += len(read[0])
        all_sizes = np.concatenate([np.empty(0, dtype=np.int64), *sizes])
        flat, tables = np.concatenate([np.empty(0, dtype=np.int32), *values]), self.columns.tables
        if malformed or len(np.unique(all_sizes)) > 1:
            tables.append(WrittenTable(kind, UNKNOWN, flat, all_sizes, n_rows, frozenset(malformed)))
        else:
            size = int(all_sizes[0]) if n_rows else arity
            tables.append(WrittenTable(kind, size, flat.reshape(n_rows, size), None, n_rows))
        if not malformed:  # the faults of another table have other places
            self._tables[key] = len(tables) - 1
        return len(tables) - 1

    def _rows(self, start: int, end: int) -> Iterator[list[bytes] | Fault]:
        """The words of each tuple; for a malformed line what is wrong with it."""
        if not _SIGN_OR_RANGE.search(self._data, start, end):
            yield from filter(None, map(bytes.split, self._data[start:end].split(b"\n")))
            return
        for line in line_spans(self._data, start, end):
            if fault := row_fault(self._data, *line):
                yield fault
            else:
                rows = self._data[slice(*line)].translate(TUPLES_AS_LINES).split(b"\n")
                yield from map(bytes.split, rows[: max(len(rows) - 1, 1)])

    def _decoder(self) -> TableDecoder:
        if self._known_decoder is None or self._known_decoder.n_words != len(self.words):
            self._known_decoder = TableDecoder(self.words)
        return self._known_decoder


def _chunks(data: bytes, start: int, end: int) -> Iterator[ByteSpan]:
    """A text in pieces of whole lines, so that the words of a large table are never all in memory."""
    while start < end:
        at, start = start, data.find(b"\n", min(start + _CHUNK, end), end) + 1 or end
        yield at, start


class _Labels:
    """The names of the constraints; kept only when they are not C1, C2, ... or 1, 2, ..."""

    def __init__(self) -> None:
        self.names: list[str] | None = None
        self._n, self._prefix = 0, b""

    def extend(self, labels: list[bytes], numbered: tuple[bytes, int] | None) -> None:
        """Take some labels; ``numbered`` as in :class:`Block`."""
        if self._n == 0 and labels[0] == b"C1":
            self._prefix = b"C"
        if self.names is None and numbered != (self._prefix, self._n + 1):
            self.names = [f"{self._prefix.decode()}{i}" for i in range(1, self._n + 1)]
        if self.names is not None:
            self.names.extend([label.decode("utf-8", "replace") for label in labels])
        self._n += len(labels)
