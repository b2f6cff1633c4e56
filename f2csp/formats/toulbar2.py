"""What the two formats of toulbar2 share: names, answers, and constraints as cost functions."""

import re
from abc import ABC, abstractmethod
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import islice
from typing import NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import repeats, row_codes
from f2csp.diagnostics import ByteSpan, Collector, Source, brief, listed
from f2csp.formats.fitting_names import fresh_name
from f2csp.model import Ids, Offsets, Problem
from f2csp.solutions import Assignments, Solution
from f2csp.structure import groups_by_relation
from f2csp.text.chunked_text import LARGE, Pieces, blocks, joined
from f2csp.text.columns import UNKNOWN, ColumnsBuilder, SourcePlaces
from f2csp.text.rule_book import checked_problem
from f2csp.text.source_lines import line_spans

# ---- Names -----------------------------------------------------------------------------------------------------------

_FOREIGN = re.compile(r'[/#\[\]{}:,"\\\s]')  # a backslash is an escape for programs that read a .cfn file as JSON
_FIRST = re.compile(r"\A(?=[0-9.+-])")
_MAX_NAME = 60  # characters


def safe_names(words: Iterable[str]) -> list[str]:
    """A name that toulbar2 allows for each word, all different: the word itself where that is allowed.

    A name does not begin with one of ``0123456789-.+`` and contains none of ``/#[]{}:,"`` and no white space.
    """
    words = list(words)
    names = [_FIRST.sub("_", _FOREIGN.sub("_", word)) for word in words]
    if len(set(names)) == len(names):
        return names
    taken = {name for name, word in zip(names, words, strict=True) if name == word}
    numbers: dict[str, int] = {}
    pairs = zip(names, words, strict=True)
    return [name if name == word else fresh_name(name, taken, numbers) for name, word in pairs]


def problem_name(problem: Problem) -> str:
    """The beginning of the title in one word."""
    return re.sub(r"\s+", "_", problem.title)[:_MAX_NAME] or "problem"


# ---- Writing ---------------------------------------------------------------------------------------------------------


class CostFunctionWriter(ABC):
    """Writes the constraints of a problem as cost functions; some write their table, others refer to an equal one.

    The distinct tables together with their domains are numbered in the order of their first use. A value is a position
    in a domain there, so one relation can be several tables.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._groups = sorted(groups_by_relation(problem), key=lambda group: int(group.constraints[0]))
        self.relations = [group.relation for group in self._groups]  # of each table
        self.tables = np.empty(problem.n_constraints, dtype=np.int64)  # for each constraint its table
        for table, group in enumerate(self._groups):
            self.tables[group.constraints] = table
        ends = np.array([group.constraints[[0, -1]] for group in self._groups], dtype=np.int64).reshape(-1, 2)
        self.first, self.last = ends.T  # for each table the first and the last constraint that has it
        self.sizes = np.array([relation.tuples.size for relation in self.relations], dtype=np.int64)
        self.is_shared = (self.first != self.last) & (self.sizes > 0)
        self._orders: dict[int, tuple[Ids, Offsets]] = {}

    @abstractmethod
    def heads(self, start: int, end: int, has_table: NDArray[np.bool_]) -> Pieces:
        """For some constraints the text before the scope, given which of them write their table."""

    @abstractmethod
    def table_text(self, table: int) -> Iterator[bytes]:
        """The text behind a scope that writes a table, in pieces."""

    def domains(self, table: int) -> tuple[int, ...]:
        """The index of the domain of each column of a table."""
        return self._groups[table].domains

    def positions(self, table: int) -> Ids:
        """The tuples of a table as positions in the domains of its columns."""
        tuples = self.relations[table].tuples
        positions = np.empty_like(tuples)
        for column, domain in enumerate(self.domains(table)):
            if domain not in self._orders:
                values = self.problem.domain_values[domain]
                order = np.argsort(values)
                self._orders[domain] = values[order], order
            values, order = self._orders[domain]
            positions[:, column] = order[np.searchsorted(values, tuples[:, column])]
        return positions

    def chunks(
        self, has_table: NDArray[np.bool_], names: Pieces, last_names: Pieces, references: Pieces
    ) -> Iterator[bytes]:
        """The text of all constraints; has_table is for each constraint, the names are for each variable.

        References are for each table the text behind a scope that refers to it.
        """
        arities = np.diff(self.problem.scope_offsets)
        weights = np.where(has_table, self.sizes[self.tables], 0)
        for start, end in blocks(weights + arities):
            tables = self.tables[start:end]
            tails = references[tables]
            rest: Iterator[bytes] = iter(())
            for i in np.flatnonzero(has_table[start:end]).tolist():
                text = self.table_text(int(tables[i]))
                if self.sizes[tables[i]] > LARGE:  # it is the last of its block
                    tails[i], rest = next(text), text
                else:
                    tails[i] = b"".join(text)
            scopes = self.problem.scopes[self.problem.scope_offsets[start] : self.problem.scope_offsets[end]]
            heads = self.heads(start, end, has_table[start:end])
            yield joined([heads], names, last_names, tails, scopes, arities[start:end])
            yield from rest


# ---- Reading ---------------------------------------------------------------------------------------------------------

_MAX_VALUES = 1_000_000  # in domains that are given by their sizes
_VALUE = re.compile(rb'[^\s:,"]+')


class Words(Protocol):
    """The words of a text by their positions."""

    def word(self, index: int) -> str:
        """A word; empty behind the last one."""

    def place(self, start: int, end: int = 0) -> ByteSpan:
        """The bytes of a word, or of the words from ``start`` to ``end`` (exclusive)."""


class _WordPlaces(SourcePlaces):
    """Places by the positions of words; those of a tuple are without the quotes around it."""

    def __init__(self, source: Source, words: Words) -> None:
        super().__init__(source)
        self._words = words
        self.domains: list[tuple[int, int]] = []  # the words of each (start and end)
        self.variables = array("q")  # the word of each
        self.functions: list[tuple[int, int, int, int]] = []  # first words: its own, of its scope, table; its arity
        self.listed: dict[int, Offsets] = {}  # of a table with tuples that are not in the columns: those that are

    def within_quotes(self, start: int, end: int) -> ByteSpan:
        """The bytes of some words, without the first and the last quote."""
        first, last = self._words.place(start, end)
        data = self.source.data
        return first + (data[first : first + 1] == b'"'), last - (data[last - 1 : last] == b'"')

    def text(self, span: ByteSpan) -> str:
        return super().text(span).strip('"')

    def domain(self, index: int) -> ByteSpan:
        return self._words.place(*self.domains[index])

    def values(self, index: int) -> Iterable[ByteSpan]:
        start, end = self.domains[index]
        return map(self._words.place, range(start + 1, end - 1))

    def variable(self, index: int) -> ByteSpan:
        return self._words.place(self.variables[index])

    def constraint(self, index: int) -> ByteSpan:
        return self._words.place(self.functions[index][0])

    def scope(self, index: int) -> ByteSpan:
        _, scope, _, arity = self.functions[index]
        return self._words.place(scope, scope + arity)

    def names(self, index: int) -> Iterable[ByteSpan]:
        _, scope, _, arity = self.functions[index]
        return map(self._words.place, range(scope, scope + arity))

    def table(self, index: int) -> ByteSpan:
        return self._words.place(self.functions[index][2])

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, ByteSpan]:
        _, _, table, arity = self.functions[index]
        listed = self.listed.get(table)
        starts = {row: table + (row if listed is None else int(listed[row])) * (arity + 1) for row in wanted}
        return {row: self.within_quotes(start, start + arity) for row, start in starts.items()}

    def row_values(self, row: ByteSpan) -> Iterable[ByteSpan]:
        return (match.span() for match in _VALUE.finditer(self.source.data, *row))


class UnreadableError(Exception):
    """What follows a reported fault, or the table that has it, cannot be read."""


class CostFunctionReader(ABC):
    """Fills columns with the words of a text; gives up at the first one that is out of place."""

    _bound: Decimal | int = 1  # the least cost that forbids a tuple

    def __init__(self, source: Source, words: Words, *, is_hard_only: bool) -> None:
        self._text = words
        self._is_hard_only = is_hard_only  # soft costs are left out
        self._soft: list[int] = []  # the words of soft costs, one of each table
        self._collector = Collector(source)
        self._builder = ColumnsBuilder(source)
        self._places = _WordPlaces(source, words)
        self._knows_variables = True
        self._n_values = 0

    @abstractmethod
    def _read(self) -> None:
        """Read the text."""

    def problem(self) -> Problem:
        """The problem; raises InvalidInput where the text has faults."""
        with suppress(UnreadableError):
            self._read()
        if self._soft:
            cost, others = brief(self._text.word(self._soft[0])), len(self._soft) - 1
            message = f"the cost {cost} is soft: neither 0 nor at least the bound {self._bound}"
            more = f"; {others:,} further tables have such costs" if others else ""
            self._report("F502", self._soft[0], message + more, "read the hard costs alone with --hard-only")
        columns = self._builder.columns(knows_variables=self._knows_variables)
        return checked_problem(columns, self._places, self._collector)

    def _count_values(self, size: int, at: int) -> None:
        """Count the values of a new domain that is given by its size."""
        self._n_values += size
        if size < 0:
            message = f"the domain of size {size} is an interval, which is not supported"
            self._give_up("F502", at, message, "give the number of values")
        if self._n_values > _MAX_VALUES:
            self._give_up("F510", at, f"the domains have more than {_MAX_VALUES:,} values together")

    def _listed(self, rows: Ids, is_listed: NDArray[np.bool_], at: int) -> Ids:
        """Those tuples of a table that begins at this word that are in the columns."""
        chosen = np.flatnonzero(is_listed)
        if len(chosen) < len(rows):  # the rules see only these
            self._places.listed[at] = chosen
            arity = rows.shape[1]
            found = [row for row in repeats(row_codes(rows.T)) if UNKNOWN not in rows[row]]
            for row in found:
                start = at + row * (arity + 1)
                self._report("F307", start, "the table holds this tuple twice", "remove one", end=start + arity)
            if found:
                raise UnreadableError
        return rows[chosen]

    def _refuse_soft(self, at: int) -> None:
        """Refuse a table for a soft cost, unless these are left out; it is reported once for all tables."""
        if not self._is_hard_only:
            self._soft.append(at)
            raise UnreadableError

    def _report(self, code: str, at: int, message: str, hint: str | None = None, *, end: int = 0) -> None:
        """Report a fault of a word, or of the words up to ``end``."""
        place = self._places.within_quotes(at, end) if end else self._text.place(at)
        self._collector.add(code, *place, message, hint=hint)

    def _give_up(self, code: str, at: int, message: str, hint: str | None = None, *, end: int = 0) -> NoReturn:
        self._report(code, at, message, hint, end=end)
        raise UnreadableError

    def _malformed(self, at: int, expected: str) -> NoReturn:
        if word := self._text.word(at):
            self._give_up("F501", at, f"expected {expected}, found {brief(word)}")
        self._give_up("F507", at, f"the text ends early: expected {expected}", "get the whole file")


# ---- Answers ---------------------------------------------------------------------------------------------------------

_WORD = re.compile(rb"[^ \t]++")
_PRINTED = re.compile(rb"\d+ solution\([^)]*\):")
_LOG = re.compile(
    rb"^(?:c .*toulbar2|New solution:|No solution|loading |Read \d+ variables|\d+ solution\()", re.MULTILINE
)
_NONE = re.compile(rb"No solution|Number of solutions *: *= *0\b")
_MAX_LISTED = 5


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions in a file that ``toulbar2 -w`` wrote, or in what toulbar2 printed.

        0 1 2 3
        _1 _2 _3 _4
        V1-1=_1 V1-2=_2 V2-1=_3 V2-2=_4

    One line is one solution: the positions of the values from 0 (``-w=1``, the default), their names (``-w=2``), or
    both names (``-w=3``). On standard output ``1 solution(0):`` precedes it, or a line ``New solution:``.
    """
    collector = Collector(source)
    assignments = Assignments(problem, collector, ())
    variables = {name: i for i, name in enumerate(safe_names(problem.variable_names))}
    default_names = {f"x{i}": i for i in range(problem.n_variables)}
    if variables.keys().isdisjoint(default_names):
        variables |= default_names
    values = [_spellings(domain.words) for domain in problem.domains]
    for start, end in _solution_lines(source, problem.n_variables):
        words = list(_WORD.finditer(source.data, start, end))
        if len(words) != problem.n_variables:
            message = f"expected {problem.n_variables} values, found {len(words)}"
            hint = "the answer is of another problem, or not of toulbar2"
            collector.add("F511", start, end, message, hint=hint)
            continue
        assignments.begin()
        for index, word in enumerate(words):
            n_errors = collector.n_errors
            _add_value(assignments, word, index, variables, values)
            assignments.n_lost += collector.n_errors > n_errors
        assignments.finish(start, end)
    solutions = assignments.solutions
    if not solutions and not collector.n_errors:
        found = _NONE.search(source.data)
        hint = "toulbar2 found no solution" if found else "run toulbar2 with -w=FILE, and give that file"
        collector.add("F511", *(found.span() if found else (0, 0)), "the text holds no solution", hint=hint)
    collector.raise_if_errors()
    return solutions


def _solution_lines(source: Source, n_variables: int) -> Iterator[tuple[int, int]]:
    """The lines with solutions, as byte offsets."""
    if not n_variables:  # an empty line, if there is any
        yield from () if _NONE.search(source.data) else ((source.start, source.start),)
        return
    is_log = _LOG.search(source.data) is not None
    is_next = False
    for start, end in line_spans(source.data, source.start, len(source.data)):
        printed = _PRINTED.match(source.data, start, end)
        if printed:
            yield printed.end(), end
        elif is_next or not is_log:
            yield start, end
        is_next = source.data.startswith(b"New solution:", start)


def _spellings(words: Sequence[str]) -> dict[str, str]:
    """The words of a domain by their names, which come first, and by their positions."""
    by_name = dict(zip(safe_names(words), words, strict=True))
    by_position = {f"{letter}{i}": word for i, word in enumerate(words) for letter in ("", "v")}
    return {**by_name, **by_position, **by_name}


def _add_value(
    assignments: Assignments, word: re.Match[bytes], index: int, variables: dict[str, int], values: list[dict[str, str]]
) -> None:
    name, equals, value = word[0].decode("utf-8", "replace").rpartition("=")
    variable, place = variables.get(name) if equals else index, word.span()
    if variable is None:
        assignments.add(name, place, value, place)
        return
    problem = assignments.problem
    domain, owner = int(problem.variable_domains[variable]), problem.variable_names[variable]
    if value in values[domain]:
        assignments.add(owner, place, values[domain][value], place)
    else:
        n_values = int(problem.domain_sizes[domain])
        names = listed(islice(values[domain], n_values), _MAX_LISTED)
        label = f"{owner} takes {names}, or 0 to {n_values - 1}"
        message = f"value {brief(value)} is not in domain {problem.domain_names[domain]} of variable {owner}"
        assignments.collector.add("F304", *place, message, label=label)
