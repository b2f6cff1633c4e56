"""Columns: the contents of a text in any format, before the rules are applied.

Every reader fills :class:`Columns`, and ``rule_book`` applies the same rules to all of them: a rule about names,
domains, scopes or tuples is written once for all formats. A reader reports only what its syntax does not allow or
support. Where a part is in the source, the rules ask the reader's :class:`SourcePlaces`, and only to report a fault.
How a reader of another format uses them:

    collector = Collector(source)
    builder = ColumnsBuilder(source, title)
    colour = builder.domain("colour", ["red", "green"])             # indices count from 0
    for name in names:
        builder.variable(name, colour)
    table = builder.table("Reject", np.array([[0, 0], [1, 1]]))     # indices into builder.words; UNKNOWN: not a value
    builder.constraint([0, 1], table)                               # UNKNOWN: not a variable
    return checked_problem(builder.columns(), MyPlaces(source, ...), collector)

    class MyPlaces(SourcePlaces):                                   # overrides what the syntax distinguishes
        def constraint(self, index): return self._starts[index], self._ends[index]
"""

import re
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value
from f2csp.diagnostics import ByteSpan, Collector, Edit, Source
from f2csp.model import Ids, Kind
from f2csp.model.builder import labels_if_named
from f2csp.model.linear_sums import LinearSum

SECTIONS = ("domains", "variables", "constraints")  # of things that are counted
UNKNOWN = -1  # a name or a value that is not declared, a size that is not the same everywhere, a missing count
UNREADABLE = -2  # the domain of a variable whose declaration is malformed, which was reported

_NEARLY_COUNT = re.compile(r"\+?(\d{1,18})(?:\.0*)?")
_OFFSETS, _INDICES = partial(array, "q"), partial(array, "i")


@dataclass(frozen=True, slots=True)
class DeclaredCount:
    """A declared count and its place."""

    value: int | None  # None where it is missing or malformed, which was reported
    start: int
    end: int

    @property
    def place(self) -> ByteSpan:
        return self.start, self.end


@dataclass(frozen=True, slots=True, eq=False)
class WrittenTable:
    """The tuples of a constraint as written, each value an index into the words or ``UNKNOWN``."""

    kind: Kind
    arity: int  # the size of every tuple, or ``UNKNOWN`` where they differ
    values: Ids  # (n, arity), for an empty table with the arity of the scope; where sizes differ, end to end
    sizes: NDArray[np.int64] | None  # the size of each tuple where they differ
    n_rows: int
    malformed: frozenset[int] = frozenset()  # the indices of malformed tuples, which were reported; they have no values


@dataclass(slots=True)
class Section:
    """The header of a section: its declared count, and the number of things that follow."""

    count: DeclaredCount | None = None  # None where the section is missing
    found: int = 0
    n_faulty: int = 0  # things with a fault that was reported; a count may leave them out
    is_comparable: bool = True  # False where a difference between count and found was reported
    is_complete: bool = True  # False where a declaration could not be read: no name is reported as unknown then


@dataclass(slots=True)
class Columns:
    """The contents of a text in columns.

    A reader of another format than F2CSP leaves the offsets (``*_starts``, ``starts``), the lines and ``is_malformed``
    empty, and the declared numbers and the sections where the format has none.
    """

    source: Source
    title: str = ""  # its lines joined by newlines
    words: list[str] = field(default_factory=list)  # the values of the domains, in the order of their first use
    domain_names: list[str] = field(default_factory=list)
    domain_starts: "array[int]" = field(default_factory=_OFFSETS)  # the offset of each name
    domain_values: list[Ids] = field(default_factory=list)  # indices into the words, repeated values included
    domain_is_open: list[bool] = field(default_factory=list)  # some values could not be read: none can be missing
    variable_names: list[str] = field(default_factory=list)
    variable_starts: "array[int]" = field(default_factory=_OFFSETS)
    variable_domains: "array[int]" = field(default_factory=_INDICES)  # may be ``UNKNOWN`` or ``UNREADABLE``
    starts: "array[int]" = field(default_factory=_OFFSETS)  # of each constraint, at its label if it has one
    lines: "array[int]" = field(default_factory=_OFFSETS)  # on which each constraint begins
    labels: list[str] | None = None  # None when all are default ones
    declared_arities: "array[int]" = field(default_factory=_OFFSETS)  # or ``UNKNOWN``
    declared_tuples: "array[int]" = field(default_factory=_OFFSETS)  # or ``UNKNOWN``
    scope_offsets: "array[int]" = field(default_factory=lambda: array("q", [0]))  # into ``scopes``; one more at the end
    scopes: "array[int]" = field(default_factory=_INDICES)  # end to end; index of the variable, or ``UNKNOWN``
    constraint_tables: "array[int]" = field(default_factory=_INDICES)  # index into ``tables``
    is_malformed: bytearray = field(default_factory=bytearray)  # scope and table of a constraint cannot be checked
    tables: list[WrittenTable] = field(default_factory=list)  # the distinct ones
    sums: list[LinearSum] = field(default_factory=list)  # what some constraints say together
    sections: dict[str, Section] = field(default_factory=lambda: {word: Section() for word in SECTIONS})

    @property
    def n_constraints(self) -> int:
        return len(self.constraint_tables)

    def label(self, constraint: int) -> str:
        return self.labels[constraint] if self.labels is not None else f"C{constraint + 1}"

    def scope(self, constraint: int) -> list[int]:
        return self.scopes[self.scope_offsets[constraint] : self.scope_offsets[constraint + 1]].tolist()

    def with_unknown_variables(self) -> NDArray[np.int64]:
        """The constraints whose scopes name variables that are not declared."""
        positions = np.flatnonzero(np.asarray(self.scopes) == UNKNOWN)
        return np.unique(np.searchsorted(np.asarray(self.scope_offsets), positions, side="right") - 1)

    def scopes_by_arity(self) -> Iterator[tuple[int, NDArray[np.int64], Ids]]:
        """For each arity the constraints that can be checked, and their scopes (n, arity), with ``UNKNOWN`` names."""
        if not self.n_constraints:
            return
        offsets, scopes = np.asarray(self.scope_offsets), np.asarray(self.scopes)
        readable = np.flatnonzero(np.frombuffer(self.is_malformed, dtype=np.uint8) == 0)
        for arity, positions in by_value(np.diff(offsets)[readable]):
            constraints = readable[positions]
            yield arity, constraints, scopes[offsets[constraints][:, None] + np.arange(arity)]


class SourcePlaces:
    """The places of the parts of columns in their source; the rules ask only for the places that they report.

    A subclass overrides what its syntax distinguishes; by default a part has the place of the larger part around it.
    """

    def __init__(self, source: Source) -> None:
        self.source = source

    def text(self, span: ByteSpan) -> str:
        """The name or value at a place, without quotes and the like."""
        return self.source.data[slice(*span)].decode("utf-8", "replace")

    def edit(self, span: ByteSpan, text: str) -> Edit | None:  # noqa: ARG002 - for subclasses
        """The replacement of a part, or with an empty text its removal; None where no fix is made in the format."""
        return None

    def offer_count(self, count: DeclaredCount, n_found: int, collector: Collector) -> None:
        """Offer the number found, unless it is zero, for a count that is missing (F101) or malformed (F102)."""
        if n_found:
            edit = self.edit((count.end, count.end), f" {n_found}")
            collector.offer_edit("F101", count.start, edit, f"write {n_found} there")
            number = _NEARLY_COUNT.fullmatch(self.text(count.place))
            if number and int(number[1]) == n_found:
                collector.offer_edit("F102", count.start, self.edit(count.place, str(n_found)))

    def domain(self, index: int) -> ByteSpan:  # noqa: ARG002
        """The name of a domain."""
        return self.source.start, self.source.start

    def declaration(self, index: int) -> ByteSpan:
        return self.domain(index)

    def values(self, index: int) -> Iterable[ByteSpan]:  # noqa: ARG002
        """Each value of a domain as written, in order; a word INT..INT is a range."""
        return ()

    def variable(self, index: int) -> ByteSpan:  # noqa: ARG002
        """The name of a variable."""
        return self.source.start, self.source.start

    def variable_domain(self, index: int) -> ByteSpan:
        """The name of the domain in the declaration of a variable."""
        return self.variable(index)

    def constraint(self, index: int) -> ByteSpan:  # noqa: ARG002
        """The label of a constraint, or another place for it."""
        return self.source.start, self.source.start

    def scope(self, index: int) -> ByteSpan:
        return self.constraint(index)

    def names(self, index: int) -> Iterable[ByteSpan]:  # noqa: ARG002
        """Each name of a scope, in order; needed where a name can be ``UNKNOWN``."""
        return ()

    def arity(self, index: int) -> DeclaredCount | None:  # noqa: ARG002
        """The declared number of variables in a scope."""
        return None

    def table(self, index: int) -> ByteSpan:
        """The table of a constraint; constraints that share a table in the source have one place for it."""
        return self.constraint(index)

    def n_tuples(self, index: int) -> DeclaredCount | None:  # noqa: ARG002
        """The declared number of tuples in a table."""
        return None

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, ByteSpan]:
        """Some tuples of the table of a constraint, by their indices."""
        return dict.fromkeys(wanted, self.table(index))

    def row_values(self, row: ByteSpan) -> Iterable[ByteSpan]:  # noqa: ARG002
        """Each value of the tuple at a place, in order; needed where a value can be ``UNKNOWN``."""
        return ()


class ColumnsBuilder:
    """Fills columns for a reader that has numbers already."""

    def __init__(self, source: Source, title: str = "") -> None:
        """Begin without any declaration; the title can be given later."""
        self.title = title
        self.words: dict[str, int] = {}  # the index of each value of the domains declared up to now
        self._columns = Columns(source)
        self._labels: dict[int, str] = {}
        self._tables: dict[tuple[Kind, int, bytes], int] = {}

    def domain(self, name: str, words: Sequence[str], *, is_complete: bool = True) -> int:
        """Add a domain and give its index; not complete where some of its values could not be read."""
        columns = self._columns
        indices = [self.words.setdefault(word, len(self.words)) for word in words]
        columns.domain_values.append(np.array(indices, dtype=np.int32))
        columns.domain_names.append(name)
        columns.domain_is_open.append(not is_complete)
        return len(columns.domain_names) - 1

    def variable(self, name: str, domain: int) -> int:
        """Add a variable and give its index; the domain can be ``UNKNOWN`` or ``UNREADABLE``."""
        self._columns.variable_names.append(name)
        self._columns.variable_domains.append(domain)
        return len(self._columns.variable_names) - 1

    def table(self, kind: Kind, rows: NDArray[np.integer]) -> int:
        """Give the index of a table of shape (n, arity); equal tables have one index."""
        values = np.ascontiguousarray(rows, dtype=np.int32)
        n_rows, arity = values.shape
        index = self._tables.setdefault((kind, arity, values.tobytes()), len(self._columns.tables))
        if index == len(self._columns.tables):
            self._columns.tables.append(WrittenTable(kind, arity, values, None, n_rows))
        return index

    def ragged_table(self, kind: Kind, rows: Sequence[Sequence[int]]) -> int:
        """Give the index of a table whose tuples differ in size, which the rules report."""
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        values = np.array([value for row in rows for value in row], dtype=np.int32)
        self._columns.tables.append(WrittenTable(kind, UNKNOWN, values, sizes, len(rows)))
        return len(self._columns.tables) - 1

    def constraint(self, scope: Sequence[int], table: int, label: str | None = None) -> int:
        """Add a constraint and give its index; without a label it has the default one.

        A constraint whose table is ``UNKNOWN``, because it could not be read, is not checked.
        """
        columns = self._columns
        columns.scopes.extend(scope)
        columns.scope_offsets.append(len(columns.scopes))
        columns.constraint_tables.append(table)
        if label is not None:
            self._labels[len(columns.constraint_tables) - 1] = label
        return len(columns.constraint_tables) - 1

    def linear_sum(self, known: LinearSum) -> None:
        """Keep what some constraints say together."""
        self._columns.sums.append(known)

    def columns(self, *, knows_domains: bool = True, knows_variables: bool = True) -> Columns:
        """The columns, complete; pass False for what declarations the reader could not read all of."""
        columns = self._columns
        columns.title, columns.words = self.title, list(self.words)
        columns.sections["domains"].is_complete = knows_domains
        columns.sections["variables"].is_complete = knows_variables
        if self._labels:
            named = labels_if_named([self._labels.get(i) for i in range(columns.n_constraints)])
            columns.labels = list(named) if named else None
        return columns
