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
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import InvalidInput, Source, brief
from f2csp.files import checked
from f2csp.formats.fitting_names import fitting_title
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.number_text import NOT_A_NUMBER, NumberText
from f2csp.formats.toulbar2 import CostFunctionReader, CostFunctionWriter, UnreadableError, answers, problem_name
from f2csp.model import Offsets, Problem
from f2csp.text.chunked_text import Pieces, pieces, row_chunks
from f2csp.text.columns import UNKNOWN

__all__ = ["answers", "chunks", "looks_like", "read"]

_HEAD = re.compile(rb"\s*(?!\d+\s)(?![pc]\s)(?![{\[<#])\S+((?:\s+-?\d{1,18}){4,})(?:\s|\Z)")
_LIKE_OTHERS = re.compile(r"\d+$|[pc]$|[{\[<#]|(?ai:domains|variables|constraints):")  # how other formats begin
_NAME = re.compile(rb"[^ \t\r\n]++")
_N_HEADER = 4  # numbers before the sizes of the domains
_N_FUNCTION = 3  # numbers of a cost function at the least
_MANY_BYTES = 1 << 12  # a longer head can be cut between the numbers


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    sizes = problem.domain_sizes[problem.variable_domains]
    name = problem_name(problem)
    if _LIKE_OTHERS.match(name):
        name = f"_{name}"
    counts = f"{problem.n_variables} {sizes.max(initial=0)} {problem.n_constraints} 1"
    yield f"{name} {counts}\n{' '.join(map(str, sizes.tolist()))}\n".encode()
    yield from _Writer(problem).text()


class _Writer(CostFunctionWriter):
    """The first constraint with a shared table writes it, the others refer to it."""

    def text(self) -> Iterator[bytes]:
        problem = self.problem
        self._defaults = [int(relation.kind == "Accept") for relation in self.relations]
        largest = max((relation.arity for relation in self.relations), default=0)
        self._signed = pieces([*range(largest + 1), *range(-largest, 0)])  # a negative index is a negative number
        self._numbers = pieces(range(int(problem.domain_sizes.max(initial=0))), "{} ")
        self._last_numbers = self._numbers + b"1\n", self._numbers + b"0\n"
        has_table = ~self.is_shared[self.tables]
        has_table[self.first] = True
        names = pieces(range(problem.n_variables), " {}")
        shared = zip(self._defaults, np.cumsum(self.is_shared).tolist(), strict=True)
        references = pieces([f" {default} -{number}\n" for default, number in shared])
        return self.chunks(has_table, names, names, references)

    def heads(self, start: int, end: int, has_table: NDArray[np.bool_]) -> Pieces:
        arities = np.diff(self.problem.scope_offsets[start : end + 1])
        return self._signed[np.where(has_table & self.is_shared[self.tables[start:end]], -arities, arities)]

    def table_text(self, table: int) -> Iterator[bytes]:
        default = self._defaults[table]
        yield f" {default} {self.relations[table].n_tuples}\n".encode()
        yield from row_chunks(self.positions(table), self._numbers, self._last_numbers[default])


def looks_like(data: bytes) -> bool:
    """Whether a text begins with a name, four numbers, and as many sizes of domains and a function as these say."""
    head = _HEAD.match(data)
    numbers = list(map(int, head[1].split())) if head else []
    n = _N_HEADER + numbers[0] + _N_FUNCTION * min(numbers[2], 1) if numbers else 0
    is_whole = n <= len(numbers) or len(data) > _MANY_BYTES
    return bool(numbers) and is_whole and all(0 < size <= numbers[1] for size in numbers[_N_HEADER:][: numbers[0]])


def read(source: Source, *, hard_only: bool = False) -> Problem:
    """Read a problem, perhaps without its soft costs; in time and memory linear in the text."""
    checked(source)
    name = _NAME.search(source.data, source.start)
    start = name.end() if name else source.start
    text = NumberText(source.data[start:], start)
    title = name.group().decode() if name else ""
    try:
        return _Reader(source, text, title, is_hard_only=hard_only, by_lines=False).problem()
    except InvalidInput:  # after a wrong count all that follows is read as something else; lines show what it is
        return _Reader(source, text, title, is_hard_only=hard_only, by_lines=True).problem()


class _Reader(CostFunctionReader):
    """With ``by_lines`` each tuple has a line of its own, so that a wrong number of tuples can be found."""

    def __init__(self, source: Source, text: NumberText, title: str, *, is_hard_only: bool, by_lines: bool) -> None:
        super().__init__(source, text, is_hard_only=is_hard_only)
        self._builder.title = fitting_title(title)
        self._numbers = text
        self._values = text.values
        self._by_lines = by_lines
        self._n_variables = 0
        self._shared: list[tuple[int, int]] = []  # table and arity of each table for further use
        self._tables: dict[tuple[bytes, int, int], int] = {}
        self._starts: dict[int, int] = {}  # of the tuples of each table

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

    def _number(self, at: int, least: int, what: str = "") -> int:
        """The number that is a word, not below the least one."""
        if at >= len(self._values) or self._values[at] < least:
            self._malformed(at, what or f"a number from {least}")
        return int(self._values[at])

    def _read_domains(self, largest: int) -> None:
        end = _N_HEADER + self._n_variables
        if end > len(self._values):
            self._malformed(len(self._values), f"the sizes of {self._n_variables} domains")
        sizes: list[int] = self._values[_N_HEADER:end].tolist()
        if max(sizes, default=0) != largest:
            message = f"declared {largest} values in the largest domain, found {max(sizes, default=0)}"
            self._report("F506", 1, message, "correct the second number of the header")
        domains: dict[int, int] = {}
        for at, size in enumerate(sizes, _N_HEADER):
            if size not in domains:
                self._count_values(self._number(at, NOT_A_NUMBER + 1, "the size of a domain"), at)
                domains[size] = self._builder.domain(f"D{len(domains) + 1}", list(map(str, range(size))))
                self._places.domains.append((at, at + 1))
            self._builder.variable(f"x{at - _N_HEADER}", domains[size])
            self._places.variables.append(at)

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
        self._places.functions.append((at, at + 1, self._starts.get(table, at), len(scope)))

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
            with suppress(UnreadableError):
                self._tables[key] = self._new_table(rows, start, default)
            self._starts.setdefault(self._tables[key], start)
        return self._tables[key]

    def _new_table(self, rows: Offsets, start: int, default: int) -> int:
        costs, tuples, width, bound = rows[:, -1], rows[:, :-1], rows.shape[1], int(self._bound)
        if 0 < default < bound:
            self._refuse_soft(start - 2)
        for row in np.flatnonzero((costs > 0) & (costs < bound))[:1].tolist():
            self._refuse_soft(start + (row + 1) * width - 1)
        is_forbidden, is_default_forbidden = costs >= bound, default >= bound
        if width == 1:
            if is_default_forbidden or is_forbidden.any():
                self._forbid_all(start)
            return UNKNOWN
        is_value = (tuples >= 0) & (tuples < len(self._builder.words))
        listed = self._listed(np.where(is_value, tuples, UNKNOWN), is_forbidden != is_default_forbidden, start)
        return self._builder.table("Accept" if is_default_forbidden else "Reject", listed)

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
            lines = self._numbers.lines
            first = int(lines[start])
            width = int(self._numbers.line_widths[first])
            is_one_a_line = width == arity + 1 or width % (arity + 1) > 0 or width > end - start
            if lines[start - 1] < first and is_one_a_line and (n > 0 or not self._is_head(first)):
                self._check_lines(head, first, n, arity)
        if end > len(self._values):
            self._malformed(len(self._values), f"{n} tuples")
        return end

    def _check_lines(self, head: int, first: int, n: int, arity: int) -> None:
        """Report a tuple of a wrong size, or a wrong number of tuples, in a table that begins at this line."""
        starts, widths = self._numbers.line_starts, self._numbers.line_widths
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
        start, end = self._numbers.line_starts[line : line + 2].tolist()
        arity = abs(int(self._values[start]))
        if arity == 0 and self._values[end - 1] != 0:  # rather a tuple
            return False
        is_without_table = end - start > arity + 2 and self._values[start + arity + 1] == -1
        return bool(is_without_table or end - start == arity + 3)
