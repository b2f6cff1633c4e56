"""What a text says, in columns, before the rules have looked at it.

Names that nobody declared, tuples of the wrong size and the like are still in it; the form is not: what a reader could
not make sense of, it has told the collector. Only one offset is kept for each domain, variable and constraint; where
exactly something stands inside is found again from there (``locate``) when there is something to say of it.
"""

from array import array
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import Source
from f2csp.model import Ids, Kind

UNKNOWN = -1  # a name or a value that was not declared, a size that is not the same everywhere, a missing count
UNREADABLE = -2  # the domain of a variable whose line is wrong in form, which was told


@dataclass(frozen=True, slots=True)
class Count:
    """A declared count.

    Attributes:
        value: the number, or None where it is missing or malformed (which was told).
        start: where it stands in the text.
        end: where it ends.
    """

    value: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The tuples of a constraint as written, each value an index into the words or ``UNKNOWN``.

    Attributes:
        kind: ``Reject`` or ``Accept``.
        arity: the size of every tuple, or ``UNKNOWN`` where they differ.
        values: of shape (n, arity), for an empty table with the arity of the scope; where sizes differ, end to end.
        sizes: the size of each tuple where they differ, else None.
        n_rows: how many tuples there are.
        malformed: the indices of those whose form is wrong, which was told; they have no values.
    """

    kind: Kind
    arity: int
    values: Ids
    sizes: NDArray[np.int64] | None
    n_rows: int
    malformed: frozenset[int] = frozenset()


@dataclass(slots=True)
class Section:
    """The header of a section: its declared count, and how many things follow.

    Attributes:
        count: None where the section is missing.
        found: how many things follow.
        n_faulty: how many of these were told to be wrong; a count may leave them out.
        is_comparable: whether the count should be compared with what follows; not so when what is wrong was told.
    """

    count: Count | None = None
    found: int = 0
    n_faulty: int = 0
    is_comparable: bool = True


@dataclass(slots=True)
class Columns:
    """A text in columns.

    Attributes:
        source: the text.
        title: its lines joined by newlines.
        words: the values of the domains, in the order in which they first appear.
        domain_names: one name for each domain line.
        domain_starts: where the name stands.
        domain_values: indices into the words, doubled values included.
        domain_is_open: whether some values could not be read, so that no value can be said to be missing.
        variable_names: one name for each variable line.
        variable_starts: where the name stands.
        variable_domains: index of the domain, ``UNKNOWN`` or ``UNREADABLE``.
        starts: where each constraint begins: its label, or ``Vars:`` where the label is missing.
        ends: where it ends.
        lines: on which line it begins.
        labels: the constraints' names, or None when all are default ones.
        declared_arities: the number under ``Vars:``, or ``UNKNOWN``.
        declared_tuples: the number under ``Reject:`` or ``Accept:``, or ``UNKNOWN``.
        scope_offsets: where each scope begins in ``scopes``; one more at the end.
        scopes: the scopes end to end; index of the variable, or ``UNKNOWN``.
        constraint_tables: index into ``tables``.
        is_spoiled: for each constraint whether its form is so wrong that its tables cannot be checked.
        tables: the distinct tables.
        sections: the counts of domains, variables and constraints, by ``domains``, ``variables``, ``constraints``.
        knows_domains: whether a domain that is not found is not declared; not so when lines could not be read.
        knows_variables: the same for variables.
    """

    source: Source
    title: str = ""
    words: list[str] = field(default_factory=list)
    domain_names: list[str] = field(default_factory=list)
    domain_starts: "array[int]" = field(default_factory=lambda: array("q"))
    domain_values: list[Ids] = field(default_factory=list)
    domain_is_open: list[bool] = field(default_factory=list)
    variable_names: list[str] = field(default_factory=list)
    variable_starts: "array[int]" = field(default_factory=lambda: array("q"))
    variable_domains: "array[int]" = field(default_factory=lambda: array("i"))
    starts: "array[int]" = field(default_factory=lambda: array("q"))
    ends: "array[int]" = field(default_factory=lambda: array("q"))
    lines: "array[int]" = field(default_factory=lambda: array("q"))
    labels: list[str] | None = None
    declared_arities: "array[int]" = field(default_factory=lambda: array("q"))
    declared_tuples: "array[int]" = field(default_factory=lambda: array("q"))
    scope_offsets: "array[int]" = field(default_factory=lambda: array("q", [0]))
    scopes: "array[int]" = field(default_factory=lambda: array("i"))
    constraint_tables: "array[int]" = field(default_factory=lambda: array("i"))
    is_spoiled: bytearray = field(default_factory=bytearray)
    tables: list[Table] = field(default_factory=list)
    sections: dict[str, Section] = field(
        default_factory=lambda: {"domains": Section(), "variables": Section(), "constraints": Section()}
    )
    knows_domains: bool = True
    knows_variables: bool = True

    @property
    def n_constraints(self) -> int:
        """How many constraints could be read."""
        return len(self.starts)

    def label(self, constraint: int) -> str:
        """The name of a constraint."""
        return self.labels[constraint] if self.labels is not None else f"C{constraint + 1}"

    def scope(self, constraint: int) -> list[int]:
        """The variables of a constraint."""
        return self.scopes[self.scope_offsets[constraint] : self.scope_offsets[constraint + 1]].tolist()
