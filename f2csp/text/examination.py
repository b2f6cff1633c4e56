"""What is in a text and where: for editors, and for programs that show or change texts.

An examination holds the places of all domains, variables and constraints of a text, valid or not, beside its
diagnostics and its problem. After an edit of the text only what the edit touches is read again.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import IO, Any, NamedTuple

import numpy as np

from f2csp.diagnostics import ByteSpan, Collector, Diagnostic, Source, counted
from f2csp.files import FileName, read_source, text_source
from f2csp.model import Problem
from f2csp.model.views import View
from f2csp.text.columns import UNKNOWN, Columns, DeclaredCount
from f2csp.text.load import Report, findings
from f2csp.text.parts import Change, body_end
from f2csp.text.reader import TextReading, read
from f2csp.text.source_lines import TextPlaces, text_at, tuple_spans
from f2csp.text.word_roles import Role, Word, word_at, words


class TextSpan(NamedTuple):
    """A part of a text: byte offsets, and where it begins; lines and columns count from 1."""

    start: int
    end: int
    line: int
    column: int  # in code points
    utf16_column: int  # in units of UTF-16


def examine(file: FileName | IO[Any] | bytes) -> "Examination":
    r"""Examine a text, or a file.

    Args:
        file: a text as bytes, or as a string with a line break in it; otherwise the path of a file, ``-`` for standard
            input, or a file open for reading.

    Raises:
        OSError: the file cannot be read.
        InvalidInput: the file is compressed, and broken.

    Example:
        >>> text = "One cell\nDomains: 1\nD1: 1..9\nVariables: 1\nx: D1\nConstraints: 0\nGoal: Satisfy\n"
        >>> examination = examine(text)
        >>> examination.variables[0].domain
        TextSpan(start=45, end=47, line=5, column=4, utf16_column=4)
        >>> examination.edited(45, 47, "D2").diagnostics[0].message
        'variable x has the domain D2, which is not declared'
    """
    is_text = isinstance(file, bytes) or (isinstance(file, str) and ("\n" in file or not file))
    source = text_source(file) if is_text else read_source(file)  # type: ignore[arg-type]  # mypy forgets is_text
    collector = Collector(source)
    return Examination(read(source, collector), collector)


class Examination:
    """What was found in a text.

    Attributes:
        text: the whole text.
    """

    def __init__(self, reading: TextReading, collector: Collector) -> None:
        """Begin with what was read, and the faults of form."""
        self._reading, self._collector = reading, collector
        self.columns = reading.columns
        self._source = reading.columns.source
        self.text: bytes = self._source.data

    def __repr__(self) -> str:
        numbers = {"domain": self.domains, "variable": self.variables, "constraint": self.constraints}
        counts = ", ".join([counted(len(things), noun) for noun, things in numbers.items()])
        return f"<Examination {self._source.name!r}: {counts}>"

    @cached_property
    def report(self) -> Report:
        """The diagnostics and the problem as :func:`validate` gives them."""
        return findings(self._reading, self._collector)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Faults and warnings in the order of the text."""
        return self.report.diagnostics

    @property
    def problem(self) -> Problem | None:
        """The problem; None where the text has faults."""
        return self.report.problem

    @property
    def domains(self) -> Sequence["DomainPlaces"]:
        """The places of each domain that is declared."""
        return View(len(self.columns.domain_names), partial(DomainPlaces, self))

    @property
    def variables(self) -> Sequence["VariablePlaces"]:
        """The places of each variable that is declared."""
        return View(len(self.columns.variable_names), partial(VariablePlaces, self))

    @property
    def constraints(self) -> Sequence["ConstraintPlaces"]:
        """The places of each constraint that has a scope and a table."""
        return View(self.columns.n_constraints, partial(ConstraintPlaces, self))

    def edited(self, start: int, end: int, text: str | bytes) -> "Examination":
        """The examination of the text with ``text`` in place of the bytes from ``start`` to ``end``.

        It is what a fresh one finds; only the declarations, and the constraints around the edit, are read again.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"expected 0 <= start <= end <= {len(self.text)}, found {start} and {end}")
        new = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        view = memoryview(self.text)
        source = Source(self._source.name, b"".join([view[:start], new, view[end:]]))
        collector = Collector(source, self._collector.limit)
        return Examination(self._reading.edited(source, [Change(start, end, len(new))], collector), collector)

    def words(self, start: int, end: int) -> Iterator[Word]:
        """What each word is on the lines that have the offsets from ``start`` to ``end``."""
        return words(self.columns, start, end)

    def word_at(self, offset: int) -> Word:
        """The word at an offset; an empty one, with the role that a word has there, where there is none."""
        return word_at(self.columns, offset)

    def named(self, word: Word) -> "DomainPlaces | VariablePlaces | ConstraintPlaces | None":
        """What a word names; of a value, its domain; of other words in a constraint, the constraint."""
        columns, name = self.columns, self.text_of(word)
        if word.role is Role.VARIABLE and name in columns.variable_names:
            return self.variables[columns.variable_names.index(name)]
        if word.role is Role.DOMAIN and name in columns.domain_names:
            return self.domains[columns.domain_names.index(name)]
        if word.role is Role.VALUE and word.section == "domains":
            n_before = bisect_right(columns.domain_starts, word.start)
            return self.domains[n_before - 1] if n_before else None
        if word.constraint is None or word.role in (Role.VARIABLE, Role.DOMAIN):
            return None
        constraint = self.constraints[word.constraint]
        if word.role is not Role.VALUE:
            return constraint
        domain = constraint.domain_of(word.position) if word.position < len(constraint.scope) else None
        return None if domain is None else self.domains[domain]

    def text_of(self, span: TextSpan | Word) -> str:
        """What is in a span."""
        return text_at(self.text, (span.start, span.end))

    def span(self, start: int, end: int) -> TextSpan:
        """The span of a part of the text, with its line and its columns."""
        line, line_start = self._line(start)
        before = self.text[line_start:start].decode("utf-8", "replace")
        n_pairs = sum(character > "\uffff" for character in before)  # of units of UTF-16
        return TextSpan(start, end, line, len(before) + 1, len(before) + n_pairs + 1)

    def offset(self, line: int, column: int, *, is_utf16: bool = False) -> int:
        """The byte offset of a place; one beyond the end of its line, or of the text, is that end."""
        known = bisect_right(self.columns.lines, line) - 1
        at, here = (self.columns.starts[known], self.columns.lines[known]) if known >= 0 else (self._source.start, 1)
        at = max(self.text.rfind(b"\n", 0, at) + 1, self._source.start)
        while here < line:
            at, here = self.text.find(b"\n", at) + 1, here + 1
            if not at:
                return len(self.text)
        end = self.text.find(b"\n", at)
        text = self.text[at : len(self.text) if end < 0 else end].decode("utf-8", "replace")
        if is_utf16:
            units = text.encode("utf-16-le", "surrogatepass")[: 2 * (column - 1)]
            return at + len(units.decode("utf-16-le", "ignore").encode())
        return at + len(text[: column - 1].encode())

    def _line(self, offset: int) -> tuple[int, int]:
        """The number of the line of an offset, counted on from a constraint before it, and where it begins."""
        known = bisect_right(self.columns.starts, offset) - 1
        start, line = (self.columns.starts[known], self.columns.lines[known]) if known >= 0 else (0, 1)
        line_start = max(self.text.rfind(b"\n", 0, offset) + 1, self._source.start)
        return line + self.text.count(b"\n", start, offset), line_start


class _Places:
    """The places of one thing; ``index`` is its number, from 0."""

    def __init__(self, examination: Examination, index: int) -> None:
        self.index = index
        self._examination = examination
        self._columns: Columns = examination.columns
        self._places = TextPlaces(self._columns)
        self._data = self._columns.source.data

    def _span(self, span: ByteSpan) -> TextSpan:
        return self._examination.span(*span)

    def _count(self, count: DeclaredCount | None) -> TextSpan | None:
        return None if count is None or count.value is None else self._span(count.place)


class DomainPlaces(_Places):
    """Where a domain is."""

    @property
    def name(self) -> str:
        return self._columns.domain_names[self.index]

    @property
    def span(self) -> TextSpan:
        """The name in the declaration."""
        return self._span(self._places.domain(self.index))

    @property
    def declaration(self) -> TextSpan:
        """From the name to the last value."""
        return self._span(self._places.declaration(self.index))

    @property
    def values(self) -> list[TextSpan]:
        """Each value as written; a range is one."""
        return [self._span(span) for span in self._places.values(self.index)]

    @property
    def words(self) -> list[str]:
        """The values; those of a range one by one."""
        return [self._columns.words[i] for i in self._columns.domain_values[self.index].tolist()]

    @property
    def uses(self) -> list[TextSpan]:
        """Each declaration of a variable that names the domain."""
        variables = np.flatnonzero(np.asarray(self._columns.variable_domains) == self.index).tolist()
        return [self._span(self._places.variable_domain(variable)) for variable in variables]


class VariablePlaces(_Places):
    """Where a variable is."""

    @property
    def name(self) -> str:
        return self._columns.variable_names[self.index]

    @property
    def span(self) -> TextSpan:
        """The name in the declaration."""
        return self._span(self._places.variable(self.index))

    @property
    def domain(self) -> TextSpan | None:
        """The name of its domain; None where it has none that can be read."""
        if self._columns.variable_domains[self.index] < UNKNOWN:
            return None
        return self._span(self._places.variable_domain(self.index))

    @property
    def uses(self) -> list[TextSpan]:
        """Each name in a scope."""
        return [self._span(span) for constraint, span in self._uses() if span]

    @property
    def constraints(self) -> list[int]:
        """The numbers of the constraints whose scopes name it, from 0."""
        return list(dict.fromkeys(constraint for constraint, _ in self._uses()))

    def _uses(self) -> Iterator[tuple[int, ByteSpan | None]]:
        columns = self._columns
        offsets = np.asarray(columns.scope_offsets)
        positions = np.flatnonzero(np.asarray(columns.scopes) == self.index)
        constraints = np.searchsorted(offsets, positions, side="right") - 1
        within = positions - offsets[constraints]
        for constraint, position in zip(constraints.tolist(), within.tolist(), strict=True):
            yield constraint, next(islice(self._places.names(constraint), position, None), None)


class ConstraintPlaces(_Places):
    """Where a constraint and its parts are."""

    @property
    def name(self) -> str:
        """The label; the default one where it is missing."""
        return self._columns.label(self.index)

    @property
    def span(self) -> TextSpan:
        """The label; ``Vars`` where it is missing."""
        return self._span(self._places.constraint(self.index))

    @property
    def whole(self) -> TextSpan:
        """From the label to the end of the last line."""
        return self._span((self._columns.starts[self.index], self._end))

    @property
    def arity(self) -> TextSpan | None:
        """The declared number of variables; None where it is missing or no number."""
        return self._count(self._places.arity(self.index))

    @property
    def scope(self) -> list[TextSpan]:
        """Each name of the scope."""
        return [self._span(span) for span in self._places.names(self.index)]

    @property
    def table(self) -> TextSpan:
        """The word ``Reject:`` or ``Accept:``."""
        return self._span(self._places.table(self.index))

    @property
    def n_tuples(self) -> TextSpan | None:
        """The declared number of tuples; None where it is missing or no number."""
        return self._count(self._places.n_tuples(self.index))

    @property
    def n_rows(self) -> int:
        """The number of tuples that follow; a line that holds none counts as one."""
        return self._columns.tables[self._columns.constraint_tables[self.index]].n_rows

    def tuples(self) -> Iterator[TextSpan]:
        """Each tuple; a line that holds none counts as one."""
        return map(self._span, islice(tuple_spans(self._data, *self._places.body(self.index)), self.n_rows))

    def values(self, row: TextSpan) -> list[TextSpan]:
        """Each value of a tuple."""
        return [self._span(span) for span in self._places.row_values((row.start, row.end))]

    def domain_of(self, position: int) -> int | None:
        """The number of the domain of a variable of the scope; None where it is not known."""
        variable = self._columns.scope(self.index)[position]
        domain = self._columns.variable_domains[variable] if variable >= 0 else UNKNOWN
        return domain if domain >= 0 else None

    @property
    def _end(self) -> int:
        starts = self._columns.starts
        start = starts[self.index]
        end = starts[self.index + 1] if self.index + 1 < len(starts) else body_end(self._data, start)
        return start + len(self._data[start:end].rstrip(b" \t\r\n"))
