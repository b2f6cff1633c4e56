"""Constraints as the cost functions of toulbar2: what its two formats share in writing and reading."""

import re
from abc import ABC, abstractmethod
from array import array
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import repeats, row_codes
from f2csp.diagnostics import Collector, Source, shown
from f2csp.formats.chunked_text import LARGE, Pieces, blocks, joined
from f2csp.model import Ids, Offsets, Problem, Relation
from f2csp.text.columns import UNKNOWN, ColumnsBuilder, Places, Span
from f2csp.text.rule_book import problem_of

_MAX_VALUES = 1_000_000  # in domains that are given by their sizes
_VALUE = re.compile(rb'[^\s:,"]+')

# ---- Writing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CostTables:
    """The distinct tables of a problem together with their domains, in the order of their first use.

    A value is a position in a domain there, so one table of words can be several tables of positions.

    Attributes:
        problem: the problem.
        of_constraints: for each constraint the number of its table.
        first: for each table the first constraint that has it.
        last: for each table the last constraint that has it.
    """

    problem: Problem
    of_constraints: Offsets
    first: Offsets
    last: Offsets

    @classmethod
    def of(cls, problem: Problem) -> "CostTables":
        """The tables of a problem."""
        distinct, first, which = np.unique(_codes(problem), return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(distinct), dtype=np.int64)
        number[order] = np.arange(len(distinct))
        tables = number[which]
        last = np.empty(len(distinct), dtype=np.int64)
        last[tables] = np.arange(problem.n_constraints)  # the last write wins
        return cls(problem, tables, first[order], last)

    @property
    def is_shared(self) -> NDArray[np.bool_]:
        """For each table whether several constraints have it."""
        return np.not_equal(self.first, self.last)

    @cached_property
    def sizes(self) -> Offsets:
        """For each table the number of its values."""
        sizes = np.array([relation.tuples.size for relation in self.problem.relations], dtype=np.int64)
        return sizes[self.problem.constraint_relations[self.first]]

    @property
    def arities(self) -> Offsets:
        """For each table its arity."""
        return np.diff(self.problem.scope_offsets)[self.first]

    def relation(self, table: int) -> Relation:
        """The relation of a table."""
        return self.problem.relations[int(self.problem.constraint_relations[self.first[table]])]

    def domains(self, table: int) -> list[int]:
        """The domains of a table's columns."""
        domains: list[int] = self.problem.variable_domains[self.problem.scope(int(self.first[table]))].tolist()
        return domains

    def positions(self, table: int) -> Ids:
        """The tuples of a table as positions in the domains of its columns."""
        positions = np.empty_like(self.relation(table).tuples)
        for column, domain in enumerate(self.domains(table)):
            values, order = self._sorted_values(domain)
            positions[:, column] = order[np.searchsorted(values, self.relation(table).tuples[:, column])]
        return positions

    def _sorted_values(self, domain: int) -> tuple[Ids, Offsets]:
        if domain not in self._orders:
            values = self.problem.domain_values[domain]
            order = np.argsort(values)
            self._orders[domain] = values[order], order
        return self._orders[domain]

    @cached_property
    def _orders(self) -> dict[int, tuple[Ids, Offsets]]:
        return {}


def _codes(problem: Problem) -> Offsets:
    """A number for each constraint: equal tables on equal domains have equal numbers."""
    codes = problem.constraint_relations.astype(np.int64)
    if problem.n_domains <= 1:
        return codes
    arities = np.diff(problem.scope_offsets)
    n_codes = len(problem.relations)
    for column in range(int(arities.max(initial=0))):
        has_column = arities > column
        variables = problem.scopes[problem.scope_offsets[:-1][has_column] + column]
        pairs = codes[has_column] * problem.n_domains + problem.variable_domains[variables]
        distinct, which = np.unique(pairs, return_inverse=True)
        codes[has_column] = n_codes + which  # different from those of constraints without such a column
        n_codes += len(distinct)
    return codes


class CostFunctionWriter(ABC):
    """Writes the constraints of a problem as cost functions; some write their table, others refer to an equal one.

    Attributes:
        problem: the problem.
        tables: its tables.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.tables = CostTables.of(problem)

    @abstractmethod
    def heads(self, start: int, end: int, has_table: NDArray[np.bool_]) -> Pieces:
        """For some constraints the text before the scope, given which of them write their table."""

    @abstractmethod
    def table_text(self, table: int) -> Iterator[bytes]:
        """The text behind a scope that writes a table, in pieces."""

    def chunks(
        self, has_table: NDArray[np.bool_], names: Pieces, last_names: Pieces, references: Pieces
    ) -> Iterator[bytes]:
        """The text of all constraints.

        Args:
            has_table: for each constraint whether it writes its table.
            names: for each variable its name within a scope.
            last_names: for each variable its name at the end of a scope.
            references: for each table the text behind a scope that refers to it.
        """
        arities = np.diff(self.problem.scope_offsets)
        weights = np.where(has_table, self.tables.sizes[self.tables.of_constraints], 0)
        for start, end in blocks(weights + arities):
            tables = self.tables.of_constraints[start:end]
            tails = references[tables]
            rest: Iterator[bytes] = iter(())
            for i in np.flatnonzero(has_table[start:end]).tolist():
                text = self.table_text(int(tables[i]))
                if self.tables.sizes[tables[i]] > LARGE:  # it is the last of its block
                    tails[i], rest = next(text), text
                else:
                    tails[i] = b"".join(text)
            scopes = self.problem.scopes[self.problem.scope_offsets[start] : self.problem.scope_offsets[end]]
            heads = self.heads(start, end, has_table[start:end])
            yield joined(heads, names, last_names, tails, scopes, arities[start:end])
            yield from rest


# ---- Reading ---------------------------------------------------------------------------------------------------------


class Words(Protocol):
    """The words of a text by their positions."""

    def word(self, index: int) -> str:
        """A word; empty behind the last one."""

    def place(self, start: int, end: int = 0) -> Span:
        """The bytes of a word, or of the words from ``start`` to ``end`` (exclusive)."""


class _WordPlaces(Places):
    """Places by the positions of words; those of a tuple are without the quotes around it.

    Attributes:
        domains: for each domain its words (start and end).
        variables: for each variable its word.
        functions: for each constraint its first word, that of its scope, that of its table, and its arity.
        listed: for a table with tuples that are not in the columns, the rows of those that are.
    """

    def __init__(self, source: Source, words: Words) -> None:
        super().__init__(source)
        self._words = words
        self.domains: list[tuple[int, int]] = []
        self.variables = array("q")
        self.functions: list[tuple[int, int, int, int]] = []
        self.listed: dict[int, Offsets] = {}

    def within_quotes(self, start: int, end: int) -> Span:
        """The bytes of some words, without the first and the last quote."""
        first, last = self._words.place(start, end)
        data = self.source.data
        return first + (data[first : first + 1] == b'"'), last - (data[last - 1 : last] == b'"')

    def text(self, span: Span) -> str:
        return super().text(span).strip('"')

    def domain(self, index: int) -> Span:
        return self._words.place(*self.domains[index])

    def values(self, index: int) -> Iterable[Span]:
        start, end = self.domains[index]
        return map(self._words.place, range(start + 1, end - 1))

    def variable(self, index: int) -> Span:
        return self._words.place(self.variables[index])

    def constraint(self, index: int) -> Span:
        return self._words.place(self.functions[index][0])

    def scope(self, index: int) -> Span:
        _, scope, _, arity = self.functions[index]
        return self._words.place(scope, scope + arity)

    def names(self, index: int) -> Iterable[Span]:
        _, scope, _, arity = self.functions[index]
        return map(self._words.place, range(scope, scope + arity))

    def table(self, index: int) -> Span:
        return self._words.place(self.functions[index][2])

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, Span]:
        _, _, table, arity = self.functions[index]
        listed = self.listed.get(table)
        starts = {row: table + (row if listed is None else int(listed[row])) * (arity + 1) for row in wanted}
        return {row: self.within_quotes(start, start + arity) for row, start in starts.items()}

    def row_values(self, row: Span) -> Iterable[Span]:
        return (match.span() for match in _VALUE.finditer(self.source.data, *row))


class UnreadableError(Exception):
    """What follows a reported fault cannot be read."""


class CostFunctionReader(ABC):
    """Fills columns with the words of a text; gives up at the first one that is out of place."""

    def __init__(self, source: Source, words: Words) -> None:
        self._text = words
        self._collector = Collector(source)
        self._builder = ColumnsBuilder(source)
        self._places = _WordPlaces(source, words)
        self._knows_variables = True
        self._n_values = 0

    @abstractmethod
    def _read(self) -> None:
        """Read the text."""

    def problem(self) -> Problem:
        """The problem.

        Raises:
            InvalidInput: the text has faults.
        """
        with suppress(UnreadableError):
            self._read()
        columns = self._builder.columns(knows_variables=self._knows_variables)
        return problem_of(columns, self._places, self._collector)

    def _count_values(self, size: int, at: int) -> None:
        """Count the values of a new domain that is given by its size."""
        self._n_values += size
        if size < 0:
            message = f"the domain of size {size} is an interval, which is not supported"
            self._give_up("F502", at, message, "give the number of values")
        if self._n_values > _MAX_VALUES:
            self._give_up("F510", at, f"the domains have more than {_MAX_VALUES:,} values together")

    def _listed(self, rows: Ids, is_listed: NDArray[np.bool_], at: int) -> Ids | None:
        """Those tuples of a table that begins at this word that are in the columns; None if one is there twice."""
        chosen = np.flatnonzero(is_listed)
        if len(chosen) < len(rows):  # the rules see only these
            self._places.listed[at] = chosen
            arity = rows.shape[1]
            found = [row for row in repeats(row_codes(rows.T)) if UNKNOWN not in rows[row]]
            for row in found:
                start = at + row * (arity + 1)
                self._report("F307", start, "the table holds this tuple twice", "remove one", end=start + arity)
            if found:
                return None
        return rows[chosen]

    def _report_soft(self, cost: object, bound: object, at: int) -> None:
        message = f"the cost {cost} is soft: neither 0 nor at least the bound {bound}"
        self._report("F502", at, message, "a table only allows or forbids a tuple")

    def _report(self, code: str, at: int, message: str, hint: str | None = None, *, end: int = 0) -> None:
        """Report a fault of a word, or of the words up to ``end``."""
        place = self._places.within_quotes(at, end) if end else self._text.place(at)
        self._collector.add(code, *place, message, hint=hint)

    def _give_up(self, code: str, at: int, message: str, hint: str | None = None) -> NoReturn:
        self._report(code, at, message, hint)
        raise UnreadableError

    def _malformed(self, at: int, expected: str) -> NoReturn:
        if word := self._text.word(at):
            self._give_up("F501", at, f"expected {expected}, found {shown(word)}")
        self._give_up("F507", at, f"the text ends early: expected {expected}", "get the whole file")
