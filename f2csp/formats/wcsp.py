r"""The .wcsp format of toulbar2: numbers alone, between white space.

    Two_countries 2 3 2 1
    3 3
    2 0 1 0 3
    0 0 1
    1 1 1
    2 2 1
    1 0 1 1
    0 0

A name, the number of variables, the size of the largest domain, the number of cost functions, and the bound: a tuple
whose cost is at least the bound is forbidden. Then the size of each domain, and each cost function: its arity, its
variables, the cost of the tuples that are not listed, the number of listed tuples, and these, each with its cost.
Variables and values count from 0. A negative arity marks a table for further use; a negative number of tuples refers to
the table with that number. There are no names: variables are read as ``x0``, ``x1``, ..., values as numbers.

Specification: https://toulbar2.github.io/toulbar2/formats/wcspformat.html
"""

import re
from array import array
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from typing import NoReturn

import numpy as np

from f2csp.arrays import positions_in, repeats, row_codes
from f2csp.diagnostics import ByteSpan, Collector, InvalidInput, Source, brief
from f2csp.files import checked
from f2csp.formats.answers import Pair, solutions_printed
from f2csp.formats.fitting_names import fitting_title
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.number_text import NOT_A_NUMBER, NumberText
from f2csp.model import Offsets, Problem
from f2csp.solutions import Assignments, Solution
from f2csp.structure import RelationGroup, groups_by_relation
from f2csp.text.chunked_text import line_chunks
from f2csp.text.columns import UNKNOWN, ColumnsBuilder, SourcePlaces
from f2csp.text.rule_book import checked_problem

_WORD = re.compile(rb"[^ \t\r\n]++")

# ---- Writing ---------------------------------------------------------------------------------------------------------

_LIKE_OTHERS = re.compile(r"\d+$|[pc]$|[{\[<#]|(?ai:domains|variables|constraints):")  # how other formats begin
_MAX_NAME = 60  # characters


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    sizes = problem.domain_sizes[problem.variable_domains]
    name = re.sub(r"\s+", "_", problem.title)[:_MAX_NAME] or "problem"
    if _LIKE_OTHERS.match(name):
        name = f"_{name}"
    counts = f"{problem.n_variables} {sizes.max(initial=0)} {problem.n_constraints} 1"
    yield f"{name} {counts}\n{' '.join(map(str, sizes.tolist()))}\n".encode()
    yield from line_chunks(_cost_functions(problem))


def _cost_functions(problem: Problem) -> Iterator[str]:
    """The constraints; the first one with a table over the same domains as others writes it, the others refer to it."""
    names = np.array([f" {v}" for v in range(problem.n_variables)], dtype=np.object_)
    lines = np.empty(problem.n_constraints, dtype=np.object_)  # without tables
    tables: dict[int, RelationGroup] = {}  # by the constraints that write them
    n_shared = 0
    for group in sorted(groups_by_relation(problem), key=lambda group: int(group.constraints[0])):
        first, n_tuples = int(group.constraints[0]), group.relation.n_tuples
        scopes = np.add.reduce(names[problem.scopes_of(group.constraints)], axis=1, initial=str(len(group.domains)))
        scopes += f" {int(group.relation.kind == 'Accept')} "
        lines[group.constraints] = scopes + f"{n_tuples}\n"
        tables[first] = group
        if len(group.constraints) > 1 and n_tuples > 0:
            n_shared += 1
            lines[group.constraints] = scopes + f"-{n_shared}\n"
            lines[first] = f"-{scopes[0]}{n_tuples}\n"
    for constraint, line in enumerate(lines.tolist()):
        yield line
        if written := tables.get(constraint):
            columns = zip(written.domains, written.relation.tuples.T, strict=True)
            rows = np.stack([positions_in(problem.domain_values[d], words) for d, words in columns], axis=1).tolist()
            cost = int(written.relation.kind == "Reject")
            yield from (f"{' '.join(map(str, row))} {cost}\n" for row in rows)


# ---- Reading ---------------------------------------------------------------------------------------------------------

_N_HEADER = 4  # numbers before the sizes of the domains
_MAX_VALUES = 1_000_000  # in all domains


def read(source: Source, *, hard_only: bool = False) -> Problem:
    """Read a problem, perhaps without its soft costs; in time and memory linear in the text."""
    checked(source)
    name = _WORD.search(source.data, source.start)
    start = name.end() if name else source.start
    text = NumberText(source.data[start:], start)
    title = fitting_title(name.group().decode()) if name else ""
    try:
        return _Reader(source, text, title, is_hard_only=hard_only, by_lines=False).problem()
    except InvalidInput:  # after a wrong count all that follows is read as something else; lines show what it is
        return _Reader(source, text, title, is_hard_only=hard_only, by_lines=True).problem()


class _WordPlaces(SourcePlaces):
    """SourcePlaces by the positions of words."""

    def __init__(self, source: Source, words: NumberText) -> None:
        super().__init__(source)
        self._words = words
        self.domains = array("q")  # the word of each
        self.functions: list[tuple[int, int, int]] = []  # the first word, the first word of the table, the arity
        self.listed: dict[int, Offsets] = {}  # of a table with tuples that are not in the columns: those that are

    def domain(self, index: int) -> ByteSpan:
        return self._words.place(self.domains[index])

    def variable(self, index: int) -> ByteSpan:
        return self._words.place(_N_HEADER + index)

    def constraint(self, index: int) -> ByteSpan:
        return self._words.place(self.functions[index][0])

    def scope(self, index: int) -> ByteSpan:
        start, _, arity = self.functions[index]
        return self._words.place(start + 1, start + 1 + arity)

    def names(self, index: int) -> Iterable[ByteSpan]:
        start, _, arity = self.functions[index]
        return map(self._words.place, range(start + 1, start + 1 + arity))

    def table(self, index: int) -> ByteSpan:
        return self._words.place(self.functions[index][1])

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, ByteSpan]:
        _, table, arity = self.functions[index]
        rows = self.listed.get(table)
        starts = {row: table + (row if rows is None else int(rows[row])) * (arity + 1) for row in wanted}
        return {row: self._words.place(start, start + arity) for row, start in starts.items()}

    def row_values(self, row: ByteSpan) -> Iterable[ByteSpan]:
        return (match.span() for match in _WORD.finditer(self.source.data, *row))


class _UnreadableError(Exception):
    """What follows a reported fault, or the table that has it, cannot be read."""


class _Reader:
    """Fills columns with numbers, each known by the position of its word; gives up at the first one out of place.

    With ``by_lines`` each tuple has a line of its own, so that a wrong number of tuples can be found.
    """

    def __init__(self, source: Source, text: NumberText, title: str, *, is_hard_only: bool, by_lines: bool) -> None:
        self._text = text
        self._values = text.values
        self._is_hard_only = is_hard_only  # soft costs are left out
        self._by_lines = by_lines
        self._collector = Collector(source)
        self._builder = ColumnsBuilder(source, title)
        self._places = _WordPlaces(source, text)
        self._n_variables = 0
        self._bound = 1  # the least cost that forbids a tuple
        self._soft: list[int] = []  # the words of soft costs, one of each table
        self._shared: list[tuple[int, int]] = []  # table and arity of each table for further use
        self._tables: dict[tuple[bytes, int, int], int] = {}
        self._starts: dict[int, int] = {}  # of the tuples of each table

    def problem(self) -> Problem:
        """The problem; raises InvalidInput where the text has faults."""
        with suppress(_UnreadableError):
            self._read()
        if self._soft:
            cost, others = brief(self._text.word(self._soft[0])), len(self._soft) - 1
            message = f"the cost {cost} is soft: neither 0 nor at least the bound {self._bound}"
            more = f"; {others:,} further tables have such costs" if others else ""
            self._report("F502", self._soft[0], message + more, "read the hard costs alone with --hard-only")
        return checked_problem(self._builder.columns(), self._places, self._collector)

    def _read(self) -> None:
        self._n_variables, largest, n_functions, self._bound = (self._number(i, int(i == 3)) for i in range(_N_HEADER))
        self._read_domains(largest)
        at = _N_HEADER + self._n_variables
        for i in range(n_functions):
            if at >= len(self._values):
                message = f"declared {n_functions} cost functions, found {i}"
                self._give_up("F506", 2, message, "correct the number, or get the whole file")
            at = self._read_function(at)
        if at < len(self._values):
            message = f"numbers follow the last of {n_functions} cost functions"
            self._give_up("F506", at, message, "correct the number of cost functions, or remove the rest")

    def _read_domains(self, largest: int) -> None:
        end = _N_HEADER + self._n_variables
        if end > len(self._values):
            self._malformed(len(self._values), f"the sizes of {self._n_variables} domains")
        sizes: list[int] = self._values[_N_HEADER:end].tolist()
        if max(sizes, default=0) != largest:
            message = f"declared {largest} values in the largest domain, found {max(sizes, default=0)}"
            self._report("F506", 1, message, "correct the second number of the header")
        domains: dict[int, int] = {}
        n_values = 0
        for at, size in enumerate(sizes, _N_HEADER):
            if size not in domains:
                n_values += self._number(at, NOT_A_NUMBER + 1, "the size of a domain")
                if size < 0:
                    message = f"the domain of size {size} is an interval, which is not supported"
                    self._give_up("F502", at, message, "give the number of values")
                if n_values > _MAX_VALUES:
                    self._give_up("F510", at, f"the domains have more than {_MAX_VALUES:,} values together")
                domains[size] = self._builder.domain(f"D{len(domains) + 1}", list(map(str, range(size))))
                self._places.domains.append(at)
            self._builder.variable(f"x{at - _N_HEADER}", domains[size])

    def _number(self, at: int, least: int, what: str = "") -> int:
        """The number that is a word, not below the least one."""
        if at >= len(self._values) or self._values[at] < least:
            self._malformed(at, what or f"a number from {least}")
        return int(self._values[at])

    def _report(self, code: str, at: int, message: str, hint: str | None = None, *, end: int = 0) -> None:
        """Report a fault of a word, or of the words up to ``end``."""
        self._collector.add(code, *self._text.place(at, end), message, hint=hint)

    def _give_up(self, code: str, at: int, message: str, hint: str | None = None, *, end: int = 0) -> NoReturn:
        self._report(code, at, message, hint, end=end)
        raise _UnreadableError

    def _malformed(self, at: int, expected: str) -> NoReturn:
        if word := self._text.word(at):
            self._give_up("F501", at, f"expected {expected}, found {brief(word)}")
        self._give_up("F507", at, f"the text ends early: expected {expected}", "get the whole file")

    # ---- Cost functions ----------------------------------------------------------------------------------------------

    def _read_function(self, at: int) -> int:
        """Read the cost function whose first word this is, and give the first word of the next one."""
        arity = abs(self._number(at, NOT_A_NUMBER + 1, "the arity of a cost function"))
        head = at + 1 + arity
        default = self._number(head, -1, "a cost")
        if default == -1:
            self._give_up("F502", head + 1, f"cost functions {brief(self._text.word(head + 1))} are not supported")
        n = self._number(head + 1, NOT_A_NUMBER + 1, "a number of tuples")
        end = head + 2
        if n < 0:
            table = self._shared_table(-n, arity, head)
        else:
            end = self._end_of_table(head, n, arity)
            table = self._table(head + 2, end, default, arity)
            if self._values[at] < 0:
                self._shared.append((table, arity))
        if arity and table >= 0:
            scope = self._values[at + 1 : head].tolist()
            known = [variable if 0 <= variable < self._n_variables else UNKNOWN for variable in scope]
            self._add_constraint(at, known, table)
        return end

    def _add_constraint(self, at: int, scope: list[int], table: int) -> None:
        self._builder.constraint(scope, table)
        self._places.functions.append((at, self._starts.get(table, at), len(scope)))

    def _shared_table(self, number: int, arity: int, head: int) -> int:
        if number > len(self._shared):
            message = f"there is no table {number}: {len(self._shared)} tables for further use precede"
            self._report("F503", head + 1, message, "a table for further use begins with a negative arity")
            return UNKNOWN
        table, other_arity = self._shared[number - 1]  # with its own default cost, as in toulbar2
        if arity != other_arity:
            self._report("F501", head + 1, f"table {number} has arity {other_arity}, expected {arity}")
            return UNKNOWN
        return table

    def _table(self, start: int, end: int, default: int, arity: int) -> int:
        """The index of a table; UNKNOWN if it has a fault, or no variable."""
        block = self._values[start:end]
        key = block.tobytes(), arity, default
        if key not in self._tables:
            rows = block.reshape(-1, arity + 1)
            is_malformed = rows == NOT_A_NUMBER
            is_malformed[:, -1] |= rows[:, -1] < 0
            for at in np.flatnonzero(is_malformed)[:1].tolist():
                self._malformed(start + at, "a value" if (at + 1) % (arity + 1) else "a cost")
            self._tables[key] = UNKNOWN
            with suppress(_UnreadableError):
                self._tables[key] = self._new_table(rows, start, default)
            self._starts.setdefault(self._tables[key], start)
        return self._tables[key]

    def _new_table(self, rows: Offsets, start: int, default: int) -> int:
        """The index of a table of the listed tuples whose cost is not like the default one."""
        costs, tuples, width = rows[:, -1], rows[:, :-1], rows.shape[1]
        if 0 < default < self._bound:
            self._refuse_soft(start - 2)
        for row in np.flatnonzero((costs > 0) & (costs < self._bound))[:1].tolist():
            self._refuse_soft(start + (row + 1) * width - 1)
        is_forbidden, is_default_forbidden = costs >= self._bound, default >= self._bound
        if width == 1:
            if is_default_forbidden or is_forbidden.any():
                self._forbid_all(start)
            return UNKNOWN
        values = np.where((tuples >= 0) & (tuples < len(self._builder.words)), tuples, UNKNOWN)
        chosen = np.flatnonzero(is_forbidden != is_default_forbidden)
        if len(chosen) < len(rows):  # the rules see only these
            self._places.listed[start] = chosen
            twice = [row for row in repeats(row_codes(values.T)) if UNKNOWN not in values[row]]
            for at in (start + row * width for row in twice):
                self._report("F307", at, "the table holds this tuple twice", "remove one", end=at + width - 1)
            if twice:
                raise _UnreadableError
        return self._builder.table("Accept" if is_default_forbidden else "Reject", values[chosen])

    def _refuse_soft(self, at: int) -> None:
        """Refuse a table for a soft cost, unless these are left out; it is reported once for all tables."""
        if not self._is_hard_only:
            self._soft.append(at)
            raise _UnreadableError

    def _forbid_all(self, start: int) -> None:
        """Forbid every assignment: the first variable has no allowed value."""
        if self._n_variables:
            self._add_constraint(start - 3, [0], self._builder.table("Accept", np.empty((0, 1), dtype=np.int32)))
        else:
            self._report("F502", start - 2, "a forbidden assignment of no variable is not supported")

    # ---- Lines -------------------------------------------------------------------------------------------------------

    def _end_of_table(self, head: int, n: int, arity: int) -> int:
        """The word behind the tuples of a table."""
        start = head + 2
        end = start + n * (arity + 1)
        if self._by_lines and arity and start < len(self._values):
            lines = self._text.lines
            first = int(lines[start])
            width = int(self._text.line_widths[first])
            is_one_a_line = width == arity + 1 or width % (arity + 1) > 0 or width > end - start
            if lines[start - 1] < first and is_one_a_line and (n > 0 or not self._is_head(first)):
                self._check_lines(head, first, n, arity)
        if end > len(self._values):
            self._malformed(len(self._values), f"{n} tuples")
        return end

    def _check_lines(self, head: int, first: int, n: int, arity: int) -> None:
        """Report a tuple of a wrong size, or a wrong number of tuples, in a table that begins at this line."""
        starts, widths = self._text.line_starts, self._text.line_widths
        line = first
        while line < len(widths) and widths[line] == arity + 1 and not (line - first >= n and self._is_head(line)):
            line += 1
        if line - first < n and line == len(widths):
            self._malformed(len(self._values), f"{n} tuples")
        if line - first < n and not self._is_head(line):
            message = f"expected {arity + 1} numbers, a value for each variable and a cost, found {widths[line]}"
            self._give_up("F306", int(starts[line]), message, end=int(starts[line + 1]))
        if line - first != n:
            message = f"declared {n} tuples, found {line - first}"
            self._give_up("F506", head + 1, message, "correct the number, or the tuples")

    def _is_head(self, line: int) -> bool:
        """Whether a line can be the head of a cost function."""
        start, end = self._text.line_starts[line : line + 2].tolist()
        arity = abs(int(self._values[start]))
        if arity == 0 and self._values[end - 1] != 0:  # rather a tuple
            return False
        is_without_table = end - start > arity + 2 and self._values[start + arity + 1] == -1
        return bool(is_without_table or end - start == arity + 3)


# ---- Answers ---------------------------------------------------------------------------------------------------------

_VALUE = rb"(?:x[0-9]{1,9}+=)?+v?+[0-9]{1,9}+"
_PRINTED = re.compile(rb"(?m)^(?:\d+ solution\([^)\n]*\):)?[ \t]*+(%b(?:[ \t]++%b)*+)[ \t\r]*+$" % (_VALUE, _VALUE))
_PART = re.compile(rb"(?:x([0-9]++)=)?v?([0-9]++)")
_NONE = re.compile(rb"No solution|Number of solutions *: *= *0\b")


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions in a file that ``toulbar2 -w`` wrote, or in what toulbar2 printed.

        0 1 2 3
        v0 v1 v2 v3
        x0=v0 x1=v1 x2=v2 x3=v3

    One line is one solution: the positions of the values from 0 (``-w=1``, the default), the names that toulbar2 gives
    them (``-w=2``), or the names of variables and values (``-w=3``). On standard output ``1 solution(0):`` precedes
    it, or a line ``New solution:``.
    """

    def pairs(line: re.Match[bytes], assignments: Assignments) -> Iterator[Pair]:
        words = list(_PART.finditer(source.data, *line.span(1)))
        if len(words) != problem.n_variables:
            assignments.n_lost = problem.n_variables
            message = f"expected {problem.n_variables} values, found {len(words)}"
            assignments.collector.add("F511", *line.span(1), message, hint="the answer is of another problem")
            return
        for i, word in enumerate(words):
            index, position = int(word[1] or i), int(word[2])
            if index >= len(words):
                yield word[0].decode(), word.span(), "", word.span()
                continue
            values = problem.domain_values[problem.variable_domains[index]].tolist()
            value = problem.words[values[position]] if position < len(values) else f"(position {position})"
            yield problem.variable_names[index], word.span(), value, word.span()

    def find(assignments: Assignments) -> Iterator[tuple[Iterable[Pair], ByteSpan]]:
        if not problem.n_variables and not _NONE.search(source.data):  # an empty line, if there is any
            yield (), (source.start, source.start)
        yield from ((pairs(line, assignments), line.span(1)) for line in _PRINTED.finditer(source.data))

    return solutions_printed(source, problem, find, _NONE, "run toulbar2 with -w=FILE, and give that file")
