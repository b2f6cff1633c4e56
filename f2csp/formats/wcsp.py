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
from numpy.typing import NDArray

from f2csp.arrays import repeats, row_codes
from f2csp.diagnostics import Collector, InvalidInput, Source, shown
from f2csp.formats.chunked_text import Pieces, pieces, row_chunks
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.number_text import NOT_A_NUMBER, NumberText
from f2csp.formats.toulbar2 import MAX_VALUES, CostFunctionWriter, answers, fitting_title
from f2csp.model import Offsets, Problem
from f2csp.text.columns import UNKNOWN, UNREADABLE, ColumnsBuilder, Places, Span
from f2csp.text.rule_book import problem_of
from f2csp.utf8 import check_encoding

__all__ = ["answers", "chunks", "looks_like", "read"]

_HEAD = re.compile(rb"\s*(?!\d+\s)(?![pc]\s)(?![{\[<#])\S+(?:\s+\d+){4}(?:\s+\d+\s|\s*\Z)")
_LIKE_OTHERS = re.compile(r"\d+$|[pc]$|[{\[<#]|(?ai:domains|variables|constraints):")  # how other formats begin
_NAME = re.compile(rb"[^ \t\r\n]++")
_MAX_NAME = 60  # characters
_N_HEADER = 4  # numbers before the sizes of the domains


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    """The text of a problem in pieces; constraints with the same table share it."""
    sizes = problem.domain_sizes[problem.variable_domains]
    name = re.sub(r"\s+", "_", problem.title)[:_MAX_NAME] or "problem"
    if _LIKE_OTHERS.match(name):
        name = f"_{name}"
    counts = f"{problem.n_variables} {sizes.max(initial=0)} {problem.n_constraints} 1"
    yield f"{name} {counts}\n{' '.join(map(str, sizes.tolist()))}\n".encode()
    yield from _Writer(problem).text()


class _Writer(CostFunctionWriter):
    """The first constraint with a shared table writes it, the others refer to it."""

    def text(self) -> Iterator[bytes]:
        tables, problem = self.tables, self.problem
        self._is_shared = tables.is_shared & (tables.sizes > 0)  # toulbar2 gives no number to an empty table
        self._defaults = [int(tables.relation(i).kind == "Accept") for i in range(len(tables.first))]
        largest = int(tables.arities.max(initial=0))
        self._signed = pieces([*range(largest + 1), *range(-largest, 0)])  # a negative index is a negative number
        self._numbers = pieces(range(int(problem.domain_sizes.max(initial=0))), "{} ")
        self._last_numbers = self._numbers + b"1\n", self._numbers + b"0\n"
        has_table = ~self._is_shared[tables.of_constraints]
        has_table[tables.first] = True
        names = pieces(range(problem.n_variables), " {}")
        shared = zip(self._defaults, np.cumsum(self._is_shared).tolist(), strict=True)
        references = pieces([f" {default} -{number}\n" for default, number in shared])
        return self.chunks(has_table, names, names, references)

    def heads(self, start: int, end: int, has_table: NDArray[np.bool_]) -> Pieces:
        arities = np.diff(self.problem.scope_offsets[start : end + 1])
        is_shared = self._is_shared[self.tables.of_constraints[start:end]]
        return self._signed[np.where(has_table & is_shared, -arities, arities)]

    def table_text(self, table: int) -> Iterator[bytes]:
        default = self._defaults[table]
        yield f" {default} {self.tables.relation(table).n_tuples}\n".encode()
        yield from row_chunks(self.tables.positions(table), self._numbers, self._last_numbers[default])


def looks_like(data: bytes) -> bool:
    """Whether a text begins with a name that is not a number, and five numbers."""
    return _HEAD.match(data) is not None


def read(source: Source) -> Problem:
    """Read a problem.

    Raises:
        InvalidInput: the text has faults, or cost functions that are not hard.

    Complexity:
        Linear in the text, in time and memory.
    """
    collector = Collector(source)
    check_encoding(source, collector)
    collector.raise_if_errors()
    name = _NAME.search(source.data, source.start)
    start = name.end() if name else source.start
    text = NumberText(source.data[start:], start)
    title = name.group().decode() if name else ""
    try:
        return _Reader(source, text, title, by_lines=False).problem()
    except InvalidInput:  # after a wrong count all that follows is read as something else; lines show what it is
        return _Reader(source, text, title, by_lines=True).problem()


class _UnreadableError(Exception):
    """What follows a reported fault cannot be read."""


class _Reader:
    """Fills columns with the cost functions of a file.

    With ``by_lines`` each tuple has a line of its own, so that a wrong number of tuples can be found.
    """

    def __init__(self, source: Source, text: NumberText, title: str, *, by_lines: bool) -> None:
        self._text = text
        self._values = text.values
        self._by_lines = by_lines
        self._collector = Collector(source)
        self._builder = ColumnsBuilder(source, fitting_title(title))
        self._places = _WcspPlaces(source, text)
        self._shared: list[tuple[int, int, int]] = []  # table, arity and default cost of each table for further use
        self._tables: dict[tuple[bytes, int, int], int] = {}
        self._table_starts: dict[int, int] = {}

    def problem(self) -> Problem:
        with suppress(_UnreadableError):
            self._read()
        return problem_of(self._builder.columns(), self._places, self._collector)

    def _read(self) -> None:
        self._n_variables, largest, n_functions, self._bound = self._header()
        self._read_domains(self._n_variables, largest)
        at = _N_HEADER + self._n_variables
        for i in range(n_functions):
            if at >= len(self._values):
                message = f"declared {n_functions} cost functions, found {i}"
                self._give_up("F506", 2, message, "correct the number, or get the whole file")
            at = self._read_function(at)
        if at < len(self._values):
            message = f"numbers follow the last of {n_functions} cost functions"
            self._give_up("F506", at, message, "correct the number of cost functions, or remove the rest")

    # ---- Head --------------------------------------------------------------------------------------------------------

    def _header(self) -> list[int]:
        if len(self._values) < _N_HEADER:
            self._end("the text ends inside the five words of the header")
        header: list[int] = self._values[:_N_HEADER].tolist()
        for i, (number, least) in enumerate(zip(header, (0, 0, 0, 1), strict=True)):
            if number < least:
                self._malformed(i, f"a number from {least}")
        return header

    def _read_domains(self, n: int, largest: int) -> None:
        sizes: list[int] = self._values[_N_HEADER : _N_HEADER + n].tolist()
        if len(sizes) < n:
            self._end(f"the text ends after the sizes of {len(sizes)} of {n} domains")
        if max(sizes, default=0) != largest:
            message = f"declared {largest} values in the largest domain, found {max(sizes, default=0)}"
            self._report("F506", 1, message, "correct the second number of the header")
        domains: dict[int, int] = {}
        n_values = 0
        for i, size in enumerate(sizes, _N_HEADER):
            if size not in domains:
                n_values += max(size, 0)
                domains[size] = self._domain(size, i, n_values)
            self._builder.variable(f"x{i - _N_HEADER}", domains[size])

    def _domain(self, size: int, at: int, n_values: int) -> int:
        if size == NOT_A_NUMBER:
            self._malformed(at, "the size of a domain")
        if size < 0:
            message = f"the domain of size {size} is an interval, which is not supported"
            self._report("F502", at, message, "give the number of values")
        elif n_values > MAX_VALUES:
            self._report("F510", at, f"the domains have more than {MAX_VALUES:,} values together")
        else:
            self._places.domains.append(at)
            return self._builder.domain(f"D{len(self._places.domains)}", list(map(str, range(size))))
        return UNREADABLE

    # ---- Cost functions ----------------------------------------------------------------------------------------------

    def _read_function(self, at: int) -> int:
        """Read the cost function whose first word this is, and give the first word of the next one."""
        values = self._values
        if values[at] == NOT_A_NUMBER:
            self._malformed(at, "the arity of a cost function")
        arity = abs(int(values[at]))
        table = at + 1 + arity
        if table + 1 >= len(values):
            self._end("the text ends inside the head of a cost function")
        default, n = int(values[table]), int(values[table + 1])
        if default == -1:
            self._give_up("F502", table + 1, f"cost functions {shown(self._text.word(table + 1))} are not supported")
        if default < 0 or n == NOT_A_NUMBER:
            self._malformed(table if default < 0 else table + 1, "a cost" if default < 0 else "a number of tuples")
        if n < 0:
            index, end = self._shared_table(-n, arity, default, table), table + 2
        else:
            end = self._table_end(table, n, arity)
            index = self._table(table, end, default, arity)
            if values[at] < 0:
                self._shared.append((index, arity, default))
        scope = values[at + 1 : table].tolist()
        if arity and index >= 0:
            known = [variable if 0 <= variable < self._n_variables else UNKNOWN for variable in scope]
            self._add_constraint(at, known, index)
        return end

    def _add_constraint(self, at: int, scope: list[int], table: int) -> None:
        self._builder.constraint(scope, table)
        self._places.heads.append(at)
        self._places.tables.append(self._table_starts.get(table, at))

    def _shared_table(self, number: int, arity: int, default: int, table: int) -> int:
        if number > len(self._shared):
            message = f"there is no table {number}: {len(self._shared)} tables for further use precede"
            self._report("F503", table + 1, message, "a table for further use begins with a negative arity")
            return UNKNOWN
        index, other_arity, other_default = self._shared[number - 1]
        if arity != other_arity:
            self._report("F501", table + 1, f"table {number} has arity {other_arity}, expected {arity}")
            return UNKNOWN
        if default != other_default:
            self._report("F501", table, f"expected the default cost {other_default} of table {number}, found {default}")
        return index

    def _table_end(self, table: int, n: int, arity: int) -> int:
        """The word behind the tuples of a table; by its lines if each tuple has a line for itself."""
        start = table + 2
        end = start + n * (arity + 1)
        if self._by_lines and arity and start < len(self._values):
            lines, starts = self._text.lines, self._text.line_starts
            first = int(lines[start])
            width = int(starts[first + 1] - starts[first])
            is_one_a_line = width == arity + 1 or width % (arity + 1) > 0 or width > end - start
            if lines[start - 1] < first and is_one_a_line and (n > 0 or not self._is_head(first)):
                self._check_lines(table, first, n, arity)
        if end > len(self._values):
            self._end(f"the text ends inside a table of {n} tuples")
        return end

    def _check_lines(self, table: int, first: int, n: int, arity: int) -> None:
        """Report tuples of a wrong size, and a wrong number of tuples, in a table that begins at this line."""
        starts = self._text.line_starts
        line, n_errors = first, self._collector.n_errors
        while line < self._text.n_lines:
            width = int(starts[line + 1] - starts[line])
            if self._is_head(line) and (width != arity + 1 or line - first >= n):
                break
            if width != arity + 1:
                if line - first >= n:
                    break
                message = (
                    f"the tuple has {width - 1} value{'s' * (width != 2)} for {arity} variable{'s' * (arity != 1)}"
                )
                self._report("F306", int(starts[line]), message, end=int(starts[line + 1]))
            line += 1
        if line - first < n and line == self._text.n_lines:
            self._end(f"the text ends after {line - first} of {n} tuples")
        if line - first != n:
            message = f"declared {n} tuples, found {line - first}"
            self._give_up("F506", table + 1, message, "correct the number, or the tuples")
        if self._collector.n_errors > n_errors:
            raise _UnreadableError

    def _is_head(self, line: int) -> bool:
        """Whether a line can be the head of a cost function."""
        start, end = self._text.line_starts[line : line + 2].tolist()
        arity = abs(int(self._values[start]))
        if arity == 0 and self._values[end - 1] != 0:  # rather a tuple
            return False
        is_intensional = end - start > arity + 2 and self._values[start + arity + 1] == -1
        return bool(is_intensional or end - start == arity + 3)

    def _table(self, table: int, end: int, default: int, arity: int) -> int:
        """The index of a table; UNKNOWN if it has a fault, or no variable."""
        block = self._values[table + 2 : end]
        key = block.tobytes(), arity, default
        if key not in self._tables:
            self._tables[key] = self._new_table(block.reshape(-1, arity + 1), table, default)
            self._table_starts.setdefault(self._tables[key], table)
        return self._tables[key]

    def _new_table(self, rows: Offsets, table: int, default: int) -> int:
        costs, tuples, width = rows[:, -1], rows[:, :-1], rows.shape[1]
        is_malformed = rows == NOT_A_NUMBER
        is_malformed[:, -1] |= costs < 0
        for at in np.flatnonzero(is_malformed)[:1].tolist():
            self._malformed(table + 2 + at, "a cost" if at % width == width - 1 else "a value")
        soft = np.flatnonzero((costs > 0) & (costs < self._bound))
        if len(soft) or 0 < default < self._bound:
            at = table if 0 < default < self._bound else table + 2 + (int(soft[0]) + 1) * width - 1
            message = f"the cost {self._values[at]} is soft: neither 0 nor at least the bound {self._bound}"
            self._report("F502", at, message, "a table only allows or forbids a tuple")
            return UNKNOWN
        if width == 1:
            self._constant(table, is_forbidden=default > 0 or bool(costs.any()))
            return UNKNOWN
        listed = np.flatnonzero((costs == 0) == (default > 0))
        if len(listed) < len(rows):  # the rules see the listed tuples alone
            self._places.listed[table] = listed
            if self._has_repeats(tuples, table):
                return UNKNOWN
        is_value = (tuples >= 0) & (tuples < len(self._builder.words))
        return self._builder.table("Accept" if default else "Reject", np.where(is_value, tuples, UNKNOWN)[listed])

    def _has_repeats(self, tuples: Offsets, table: int) -> bool:
        found = repeats(row_codes(tuples.T))
        for row in found:
            at = table + 2 + row * (tuples.shape[1] + 1)
            self._report("F307", at, "the table holds this tuple twice", "remove one", end=at + tuples.shape[1])
        return bool(found)

    def _constant(self, table: int, *, is_forbidden: bool) -> None:
        """A cost of every assignment."""
        if is_forbidden and self._n_variables:  # the first variable has no allowed value
            self._add_constraint(table - 1, [0], self._builder.table("Accept", np.empty((0, 1), dtype=np.int32)))
        elif is_forbidden:
            self._report("F502", table, "a forbidden assignment of no variable is not supported")

    # ---- Faults ------------------------------------------------------------------------------------------------------

    def _report(self, code: str, at: int, message: str, hint: str | None = None, *, end: int = 0) -> None:
        """Report a fault from one word to another."""
        place = self._text.place(at)[0], self._text.place(max(at, end - 1))[1]
        self._collector.add(code, *place, message, hint=hint)

    def _give_up(self, code: str, at: int, message: str, hint: str | None = None) -> NoReturn:
        self._report(code, at, message, hint)
        raise _UnreadableError

    def _malformed(self, at: int, expected: str) -> NoReturn:
        self._give_up("F501", at, f"expected {expected}, found {shown(self._text.word(at))}")

    def _end(self, message: str) -> NoReturn:
        self._give_up("F507", len(self._values), message, "get the whole file")


class _WcspPlaces(Places):
    """Places by the index of a word in the text.

    Attributes:
        domains: for each domain the word that is its size.
        heads: for each constraint its first word.
        tables: for each constraint the default cost of its table.
        listed: for a table with tuples that are not in the columns, the rows of those that are.
    """

    def __init__(self, source: Source, text: NumberText) -> None:
        super().__init__(source)
        self._text = text
        self.domains: list[int] = []
        self.heads = array("q")
        self.tables = array("q")
        self.listed: dict[int, Offsets] = {}

    def _arity(self, index: int) -> int:
        return abs(int(self._text.values[self.heads[index]]))

    def domain(self, index: int) -> Span:
        return self._text.place(self.domains[index])

    def variable(self, index: int) -> Span:
        return self._text.place(_N_HEADER + index)

    def constraint(self, index: int) -> Span:
        return self._text.place(self.heads[index])

    def scope(self, index: int) -> Span:
        head = self.heads[index]
        return self._text.place(head + 1)[0], self._text.place(head + self._arity(index))[1]

    def names(self, index: int) -> Iterable[Span]:
        return (self._text.place(self.heads[index] + i) for i in range(1, self._arity(index) + 1))

    def table(self, index: int) -> Span:
        return self._text.place(self.tables[index])

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, Span]:
        table, arity = self.tables[index], self._arity(index)
        listed = self.listed.get(table)
        found = {}
        for row in wanted:
            first = table + 2 + (row if listed is None else int(listed[row])) * (arity + 1)
            found[row] = self._text.place(first)[0], self._text.place(first + arity - 1)[1]
        return found

    def row_values(self, row: Span) -> Iterable[Span]:
        return (word.span() for word in _NAME.finditer(self.source.data, *row))
