"""The constraints of a text, one section line after the other."""

import re
from dataclasses import dataclass
from itertools import islice

import numpy as np

from f2csp.diagnostics import Collector
from f2csp.model import Kind
from f2csp.text.blocks import Block
from f2csp.text.columns import UNKNOWN, Columns, Count
from f2csp.text.definitions import read_section_count
from f2csp.text.headers import SPELLING, Header, read_count, was_told
from f2csp.text.labels import Labels
from f2csp.text.lines import Word, last_line, lines_of, rows_of, scope_fault, text_of, words_of
from f2csp.text.tables import Words, read_table
from f2csp.text.terminals import terminal

LABEL = re.compile(rb"([^\x00-\x20\x7f:,(){}=]++)[ \t]*+(:?)")
_SIGN = re.compile(rb"[:,(){}=]")
_COMMA_AS_BLANK = bytes.maketrans(b",", b" ")
_KINDS: dict[str, Kind] = {"reject": "Reject", "accept": "Accept"}


@dataclass(slots=True)
class _Begun:
    """A constraint whose scope is read and whose table is to come."""

    start: int
    arity: int
    scope: list[int]
    is_spoiled: bool


class Constraints:
    """Reads label, scope and table of constraint after constraint into columns."""

    def __init__(self, columns: Columns, words: Words, variable_index: dict[bytes, int], collector: Collector) -> None:
        """Read into ``columns``; the words and variables are those of the sections read before."""
        self._columns = columns
        self._data = columns.source.data
        self._words = words
        self._variable_index = variable_index
        self._collector = collector
        self._section = columns.sections["constraints"]
        self._label: Word | None = None
        self._label_is_told = False  # a line that was meant as the label was told to be none
        self._begun: _Begun | None = None
        self._tables: dict[tuple[Kind, int, bytes], int] = {}
        self._labels = Labels()
        self._has_surplus = False
        self._last_line = 0, 1  # a place in the text, and its line
        self.missing_rows: tuple[Count, str] | None = None  # of the last constraint, if the text ends before them

    def begin(self, header: Header, end: int, next_word: str | None) -> None:
        """Read the body of ``Constraints:``: its count, the first label, and nothing else."""
        is_label = self._is_label_alone(header.body, end, next_word)
        body = read_section_count(self._section, self._data, header, end, self._collector, takes_any_word=not is_label)
        if next_word not in _KINDS:  # else a constraint without Vars:, which will be told
            self.between(body, end, next_word)

    def between(self, body: int, end: int, next_word: str | None) -> None:
        """Read what stands behind a whole constraint: the next label, and nothing else."""
        data = self._data
        end = self._take_label(body, end, next_word)
        if next_word is None and self._is_cut_label(body, end):
            return
        for start, stop in lines_of(data, body, end):
            text = text_of(data, (start, stop))[:40]
            message = f"{text} is no part of a constraint"
            self._collector.add("F012", start, stop, message, hint="a constraint begins with its label and Vars:")
            self._label_is_told = self._label is None
            break  # what follows is of the same cause

    def is_complete(self, header: Header, end: int) -> bool:
        """Whether the table whose body ends at ``end`` has the tuples that it declares."""
        if self._begun is None:
            return False
        match = terminal(header.word.upper()).match(self._data, header.start, end)
        if match is None:
            return False
        declared = int(self._data[header.end : match.end()])
        return sum(1 for _ in rows_of(self._data, match.end(), end)) == declared

    def extend(self, block: Block, start: int, stop: int) -> None:
        """Take a block of constraints that stands from ``start`` to ``stop``."""
        columns = self._columns
        n = len(block.labels)
        starts = block.starts + start
        lines = block.lines + self._line(start)
        columns.starts.frombytes(starts.tobytes())
        columns.ends.frombytes(starts[1:].tobytes())
        columns.ends.append(stop)
        columns.lines.frombytes(lines.tobytes())
        columns.declared_arities.frombytes(block.arities.tobytes())
        columns.declared_tuples.frombytes(block.n_rows.tobytes())
        columns.scope_offsets.frombytes((len(columns.scopes) + np.cumsum(block.arities)).tobytes())
        columns.scopes.frombytes(block.scopes.tobytes())
        columns.constraint_tables.frombytes(block.tables.tobytes())
        columns.is_spoiled.extend(bytes(n))
        self._section.found += n
        self._labels.extend(block.labels)
        self._last_line = int(starts[-1]), int(lines[-1])
        self.missing_rows = None

    def take_label_below(self, start: int, end: int) -> None:
        """Take the label out of a section that should have ended before it."""
        self._take_label(start, end, "vars")

    def scope(self, header: Header, end: int, next_word: str | None, next_start: int) -> None:
        """Read the body of ``Vars:``."""
        start = self._start(header)
        count, body = self._count(header, end, next_word)
        has_table = next_word in _KINDS
        if not has_table:
            self._take_label(body, end, next_word)
            if next_word is not None:
                self._table_is_missing(body, self._label[0] if self._label else next_start)
            self._labels.drop()
            self._section.found += 1
            self._section.n_faulty += 1
            return
        is_spoiled = count.value is None or self._collector.is_spoiled(start, end)
        names = self._data[body:end]
        if _SIGN.search(names):
            fault = scope_fault(self._data, body, end)
            if fault:
                self._collector.add(fault.code, fault.start, fault.end, fault.message, hint=fault.hint)
                is_spoiled = True
            names = names.translate(_COMMA_AS_BLANK)
        index = self._variable_index
        scope = [index.get(name, UNKNOWN) for name in names.split()]
        arity = count.value if count.value is not None else UNKNOWN
        self._begun = _Begun(start, arity, scope, is_spoiled)

    def table(self, header: Header, end: int, next_word: str | None) -> None:
        """Read the body of ``Reject:`` or ``Accept:``, and the label of the next constraint."""
        begun, self._begun = self._begun, None
        count, body = self._count(header, end, next_word)
        self._has_surplus = False
        self.missing_rows = None
        if begun is None:
            self._take_label(body, end, next_word)
            return
        if next_word == "vars":
            end = self._take_label(body, end, next_word, (begun, count, body))
        elif next_word in _KINDS or next_word is None:
            end = self._without_surplus(body, end, count, is_last=next_word is None)
        columns = self._columns
        table = self._table(_KINDS[header.word], len(begun.scope), body, end)
        columns.starts.append(begun.start)
        columns.ends.append(end)
        columns.lines.append(self._line(begun.start))
        columns.declared_arities.append(begun.arity)
        columns.declared_tuples.append(count.value if count.value is not None else UNKNOWN)
        columns.scopes.extend(begun.scope)
        columns.scope_offsets.append(len(columns.scopes))
        columns.constraint_tables.append(table)
        columns.is_spoiled.append(begun.is_spoiled or self._collector.is_spoiled(header.start, end))
        self._section.found += 1
        n_rows = columns.tables[table].n_rows
        if next_word is None and count.value is not None and n_rows < count.value:
            self.missing_rows = count, f"constraint {self._labels.last} declared {count.value} tuples, found {n_rows}"

    def table_without_scope(self, header: Header, previous: Header) -> None:
        """Tell that a table stands where no scope is before it: a missing ``Vars:``, or a second table."""
        name = SPELLING[header.word]
        if previous.word in _KINDS and not self._has_surplus:
            message = f"the constraint has a second table, {name}"
            related = [(previous.start, previous.end, "the first is here")]
            hint = "write two constraints"
            self._collector.add("F004", header.start, header.end, message, related=related, hint=hint)
            return
        if not was_told("vars", self._data, previous.body, header.start, self._collector):
            hint = "write Vars:, the number and the names"
            self._collector.add("F003", header.start, header.end, f"no Vars: before {name}", hint=hint)
        self._section.found += 1
        self._section.n_faulty += 1

    def finish(self) -> None:
        """Give the labels."""
        self._columns.labels = self._labels.names

    def _line(self, start: int) -> int:
        """The line of a place, counted on from the last one."""
        before, line = self._last_line
        if start >= before:  # it stands before only where sections are misplaced, and no line is asked for
            line += self._data.count(b"\n", before, start)
        self._last_line = start, line
        return line

    def _start(self, header: Header) -> int:
        """Take the label in, and give the place where the constraint begins."""
        label, self._label = self._label, None
        if label is None:
            if not self._label_is_told:
                hint = f"write a label, such as C{self._labels.n + 1}, on the line before Vars:"
                self._collector.add("F006", header.start, header.end, "the constraint has no label", hint=hint)
            self._label_is_told = False
            self._labels.add(None)
            return header.start
        self._labels.add(self._data[label[0] : label[1]])
        return label[0]

    def _is_label_alone(self, start: int, end: int, next_word: str | None) -> bool:
        """Whether a body is one line before ``Vars:``, which can only be the label; so the body has no count."""
        if next_word != "vars":
            return False
        first = next(lines_of(self._data, start, end), None)
        return first is not None and first == last_line(self._data, start, end)

    def _count(self, header: Header, end: int, next_word: str | None) -> tuple[Count, int]:
        is_table = header.word != "vars"
        count, body, fault = read_count(self._data, header, end, takes_any_word=is_table)
        if fault and is_table and self._is_label_alone(header.body, end, next_word):
            count, body, fault = read_count(self._data, header, end, takes_any_word=False)
        if fault:
            self._collector.add(fault.code, fault.start, fault.end, fault.message, hint=fault.hint)
        return count, body

    def _take_label(
        self, start: int, end: int, next_word: str | None, table: tuple[_Begun, Count, int] | None = None
    ) -> int:
        """Take the label of the next constraint off the end of a body, and give the new end."""
        if next_word != "vars":
            return end
        line = last_line(self._data, start, end)
        match = LABEL.fullmatch(self._data, *line) if line else None
        if line and not match and table and self._is_no_label(line, *table[1:]):
            return line[0]
        if line is None or match is None or (table and self._is_tuple(match, line[0], *table)):
            self._label = None
            return end
        self._label = match.span(1)
        return line[0]

    def _is_no_label(self, line: Word, count: Count, body: int) -> bool:
        """Whether the last line before ``Vars:``, which is no label, was meant as one; then it is told.

        It was, if all tuples that were declared stand before it, and its first word is no value.
        """
        first = next(words_of(self._data, *line), line)
        if self._data[first[0] : first[1]] in self._words.index or self._data[line[0]] == ord("("):
            return False
        if count.value is None or sum(1 for _ in rows_of(self._data, body, line[0])) != count.value:
            return False
        message = f"{text_of(self._data, line)[:40]} is no label"
        self._collector.add("F012", *line, message, hint="a label is one name, without blanks")
        self._label, self._label_is_told = None, True
        return True

    def _is_cut_label(self, start: int, end: int) -> bool:
        """Whether the text ends behind a label, or in the word ``Vars`` below it."""
        lines = list(islice(lines_of(self._data, start, end), 3))
        if self._section.count is None or not self._section.count.value or not 1 <= len(lines) <= 2:
            return False
        rest = self._data[slice(*lines[1])] if len(lines) == 2 else b""
        return LABEL.fullmatch(self._data, *lines[0]) is not None and b"vars".startswith(rest.lower())

    def _is_tuple(self, match: re.Match[bytes], at: int, begun: _Begun, count: Count, body: int) -> bool:
        """Whether a word on the last line before ``Vars:`` is the last tuple of a unary table, and the label missing.

        The format says that it is the label; a count that is right with it, and a word that is a value and not the
        label that is due, say otherwise.
        """
        word = match.group(1)
        if len(begun.scope) != 1 or match.group(2) or word not in self._words.index:
            return False
        if word == f"C{self._labels.n + 1}".encode() or count.value is None:
            return False
        return sum(1 for _ in rows_of(self._data, body, at)) + 1 == count.value

    def _without_surplus(self, body: int, end: int, count: Count, *, is_last: bool) -> int:
        """The end of the rows that were declared, where those beyond them belong to a constraint that is cut off."""
        if count.value is None or (is_last and not self._goes_on()):
            return end
        for i, (start, _) in enumerate(rows_of(self._data, body, end)):
            if i == count.value:
                self._has_surplus = True
                return start
        return end

    def _goes_on(self) -> bool:
        """Whether more constraints are declared than this one."""
        declared = self._section.count
        return declared is not None and declared.value is not None and declared.value > self._section.found + 1

    def _table_is_missing(self, body: int, next_start: int) -> None:
        if was_told("(?:reject|accept)", self._data, body, next_start, self._collector):
            return
        hint = "write Reject: or Accept:, the number of tuples and the tuples"
        message = f"constraint {self._labels.last} has no Reject: and no Accept:"
        self._collector.add("F003", next_start, next_start, message, label="expected before this", hint=hint)

    def _table(self, kind: Kind, arity: int, start: int, end: int) -> int:
        key = (kind, arity, self._data[start:end])
        known = self._tables.get(key)
        if known is not None:
            return known
        table = read_table(kind, arity, self._data, start, end, self._words, self._collector)
        self._columns.tables.append(table)
        index = len(self._columns.tables) - 1
        if not table.malformed:  # a faulty body is told again wherever it stands
            self._tables[key] = index
        return index
