"""What both formats of toulbar2 share: names that it allows, the way cost functions are written, and its answers."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import Collector, ProblemError, Source, listed, shown
from f2csp.formats.chunked_text import LARGE, Pieces, blocks, joined
from f2csp.model import Ids, Offsets, Problem, Relation
from f2csp.model.builder import checked_title
from f2csp.solutions import Assignments, Solution
from f2csp.text.source_lines import lines_of

MAX_VALUES = 1_000_000
"""The number of values that the domains of a file may have together, where these are only counted."""

# ---- Names -----------------------------------------------------------------------------------------------------------

_FOREIGN = re.compile(r'[/#\[\]{}:,"\\\s]')  # a backslash is an escape for programs that read a .cfn file as JSON
_FIRST = re.compile(r"[0-9.+-]")


def safe_names(words: Iterable[str]) -> list[str]:
    """A name that toulbar2 allows for each word, all different: the word itself where that is allowed.

    A name does not begin with one of ``0123456789-.+`` and contains none of ``/#[]{}:,"`` and no white space.
    """
    words = list(words)
    names = [_safe(word) for word in words]
    if len(set(names)) == len(names):
        return names
    taken = {name for name, word in zip(names, words, strict=True) if name == word}
    tried: dict[str, int] = {}
    for i, (name, word) in enumerate(zip(names, words, strict=True)):
        if name == word:
            continue
        while names[i] in taken:
            tried[name] = tried.get(name, 1) + 1
            names[i] = f"{name}_{tried[name]}"
        taken.add(names[i])
    return names


def _safe(word: str) -> str:
    name = _FOREIGN.sub("_", word)
    return f"_{name}" if _FIRST.match(name) else name


def fitting_title(text: str) -> str:
    """The text where it can be a title, otherwise none."""
    try:
        return checked_title(text)
    except ProblemError:
        return ""


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
        for start, end in blocks(self.problem, weights):
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


# ---- Answers ---------------------------------------------------------------------------------------------------------

_WORD = re.compile(rb"[^ \t]++")
_PRINTED = re.compile(rb"\d+ solution\([^)]*\):")
_LOG = re.compile(
    rb"^(?:c .*toulbar2|New solution:|No solution|loading |Read \d+ variables|\d+ solution\()", re.MULTILINE
)
_NONE = re.compile(rb"No solution|Number of solutions *: *= *0\b")
_POSITION = re.compile(r"v?([0-9]{1,9})")
_MAX_LISTED = 5


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions in a file that ``toulbar2 -w`` wrote, or in what toulbar2 printed.

        0 1 2 3
        _1 _2 _3 _4
        V1-1=_1 V1-2=_2 V2-1=_3 V2-2=_4

    One line is one solution: the positions of the values from 0 (``-w=1``, the default), their names (``-w=2``), or
    both names (``-w=3``). On standard output ``1 solution(0):`` precedes it, or a line ``New solution:``.

    Raises:
        InvalidInput: the text holds no solution, or does not fit the problem.
    """
    collector = Collector(source)
    reader = _AnswerReader(problem, collector)
    for line in _solution_lines(source, problem.n_variables):
        reader.read(*line)
    if not reader.solutions and not collector.n_errors:
        found = _NONE.search(source.data)
        hint = "toulbar2 found no solution" if found else "run toulbar2 with -w=FILE, and give that file"
        collector.add("F511", *(found.span() if found else (0, 0)), "the text holds no solution", hint=hint)
    collector.raise_if_errors()
    return reader.solutions


def _solution_lines(source: Source, n_variables: int) -> Iterator[tuple[int, int]]:
    """The lines with solutions, as byte offsets."""
    if not n_variables:  # an empty line, if there is any
        yield from () if _NONE.search(source.data) else ((source.start, source.start),)
        return
    is_log = _LOG.search(source.data) is not None
    is_next = False
    for start, end in lines_of(source.data, source.start, len(source.data)):
        printed = _PRINTED.match(source.data, start, end)
        if printed:
            yield printed.end(), end
        elif is_next or not is_log:
            yield start, end
        is_next = source.data.startswith(b"New solution:", start)


class _AnswerReader:
    def __init__(self, problem: Problem, collector: Collector) -> None:
        self._problem = problem
        self._collector = collector
        self._assignments = Assignments(problem, collector, ())
        self._words = [domain.words for domain in problem.domains]
        self._values = [dict(zip(safe_names(words), words, strict=True)) for words in self._words]
        self._variables = {name: i for i, name in enumerate(safe_names(problem.variable_names))}
        default_names = {f"x{i}": i for i in range(problem.n_variables)}
        if self._variables.keys().isdisjoint(default_names):
            self._variables |= default_names

    @property
    def solutions(self) -> list[Solution]:
        return self._assignments.solutions

    def read(self, start: int, end: int) -> None:
        """Read the solution on a line."""
        words = list(_WORD.finditer(self._collector.source.data, start, end))
        if len(words) != self._problem.n_variables:
            message = f"expected {self._problem.n_variables} values, found {len(words)}"
            hint = "the answer is of another problem, or not of toulbar2"
            self._collector.add("F511", start, end, message, hint=hint)
            return
        self._assignments.begin()
        for index, word in enumerate(words):
            n_errors = self._collector.n_errors
            self._read_word(word[0].decode("utf-8", "replace"), word.span(), index)
            if self._collector.n_errors > n_errors:
                self._assignments.lose()
        self._assignments.finish(start, end)

    def _read_word(self, word: str, place: tuple[int, int], index: int) -> None:
        name, equals, value = word.rpartition("=")
        variable = self._variables.get(name) if equals else index
        if variable is None:
            self._assignments.add(name, place, value, place)
            return
        domain = int(self._problem.variable_domains[variable])
        owner = self._problem.variable_names[variable]
        known = self._value(value, domain)
        if known is not None:
            self._assignments.add(owner, place, known, place)
            return
        label = f"{owner} takes {listed(self._values[domain], _MAX_LISTED)}, or 0 to {len(self._words[domain]) - 1}"
        message = f"value {shown(value)} is not in domain {self._problem.domain_names[domain]} of variable {owner}"
        self._collector.add("F304", *place, message, label=label)

    def _value(self, word: str, domain: int) -> str | None:
        """The value with this name, or at this position of the domain."""
        position = _POSITION.fullmatch(word)
        if word not in self._values[domain] and position and int(position[1]) < len(self._words[domain]):
            return self._words[domain][int(position[1])]
        return self._values[domain].get(word)
