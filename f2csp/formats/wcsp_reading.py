"""From the numbers of a .wcsp file to a problem, as long as there is no fault."""

from dataclasses import dataclass

import numpy as np

from f2csp.diagnostics import shown
from f2csp.formats.assembly import Assembly, repeated_rows
from f2csp.formats.costs import sparse_table
from f2csp.formats.number_text import NOT_A_NUMBER as ODD
from f2csp.formats.number_text import NumberText as Numbers
from f2csp.model import Offsets, Problem
from f2csp.model.words import is_title_line

MOST_VALUES = 1_000_000  # in all domains that differ together

_HEAD = 4  # numbers before the sizes of the domains


class FaultError(Exception):
    """There is a fault, or nothing more can be read."""


@dataclass(frozen=True, slots=True)
class _Shared:
    """A table that can be used again: its relation, None if it has a fault, with what must be the same then."""

    relation: int | None
    default: int
    sizes: tuple[int, ...]


class Reader:
    """Reads a file without fault, and raises at the first fault."""

    def __init__(self, numbers: Numbers, title: str) -> None:
        self._numbers = numbers
        self._values = numbers.values
        self._assembly = Assembly(title if title and is_title_line(title) else "")
        self._shared: list[_Shared] = []
        self._tables: dict[tuple[bytes, tuple[int, ...]], int | None] = {}
        self._by_size: dict[int, int] = {}
        self._n_values = 0
        self._has_skipped = False  # over what may be several cost functions

    def problem(self) -> Problem:
        """The problem."""
        n_variables, largest, n_functions, self._top = self._header()
        self._sizes: list[int] = self._read_sizes(n_variables, largest)
        at = _HEAD + len(self._sizes)
        for i in range(n_functions):
            if at >= len(self._values):
                if self._has_skipped:
                    break
                message = f"the file declares {n_functions} cost functions, and holds {i}"
                self._fault("F506", 2, 3, message, "correct the number, or get the whole file")
                break
            at = self._read_function(at)
        if at < len(self._values) and not self._has_skipped:
            message = f"numbers follow the last of {n_functions} cost functions"
            self._fault("F506", at, at + 1, message, "correct the number of cost functions, or remove the rest")
        return self._assembly.build()

    def _fault(self, code: str, start: int, end: int, message: str, hint: str | None = None) -> None:  # noqa: ARG002
        """Tell a fault at the words from ``start`` to ``end``; here it ends the reading."""
        raise FaultError

    def _end(self, message: str) -> None:
        """The text ends early."""
        self._fault("F507", len(self._values), len(self._values), message, "get the whole file")
        raise FaultError

    # ---- Head --------------------------------------------------------------------------------------------------------

    def _header(self) -> list[int]:
        if len(self._values) < _HEAD:
            self._end("the text ends inside the five words of the header")
        head: list[int] = self._values[:_HEAD].tolist()
        for i, (number, least) in enumerate(zip(head, (0, 0, 0, 1), strict=True)):
            if number < least:
                self._fault(
                    "F501", i, i + 1, f"{shown(self._numbers.word(i))} stands where a number from {least} is due"
                )
                raise FaultError
        return head

    def _read_sizes(self, n: int, largest: int) -> list[int]:
        sizes: list[int] = self._values[_HEAD : _HEAD + n].tolist()
        if len(sizes) < n:
            self._end(f"the text ends after the sizes of {len(sizes)} of {n} variables")
        if max(sizes, default=0) != largest:
            message = f"the largest domain has {largest} values by the header, and {max(sizes, default=0)} by its size"
            self._fault("F506", 1, 2, message, "correct the second number of the header")
        for i, size in enumerate(sizes):
            if size not in self._by_size:
                self._by_size[size] = self._domain(size, _HEAD + i)
            self._assembly.variable(f"x{i}", self._by_size[size])
        return sizes

    def _domain(self, size: int, at: int) -> int:
        if size < 0:
            word = shown(self._numbers.word(at))
            what = f"{word} is no size" if size == ODD else f"the size {word} is of an interval, which has no tables"
            self._fault("F501" if size == ODD else "F502", at, at + 1, what, "give the number of values")
        elif size == 0:
            self._fault("F501", at, at + 1, "the domain has no value")
        elif self._n_values + size > MOST_VALUES:
            message = f"the domains have more than {MOST_VALUES:,} values together"
            self._fault("F510", at, at + 1, message)
        else:
            self._n_values += size
            return self._assembly.domain(f"D{len(self._by_size) + 1}", list(map(str, range(size))))
        return -1

    # ---- Cost functions ----------------------------------------------------------------------------------------------

    def _read_function(self, at: int) -> int:
        """Read the cost function whose first word this is, and give the place of the next."""
        values = self._values
        first = int(values[at])
        if first == ODD:
            return self._odd(at, "the arity of a cost function")
        arity = abs(first)
        table = at + 1 + arity
        if table + 1 >= len(values):
            self._end("the text ends inside the head of a cost function")
        default, n = int(values[table]), int(values[table + 1])
        if first < 0 and (default < 0 or n == ODD):  # so that the tables after it have their right numbers
            self._shared.append(_Shared(None, default, ()))
        if default == -1:
            keyword = self._numbers.word(table + 1)
            self._fault("F502", table + 1, table + 2, f"the cost function {shown(keyword)} is not given by a table")
            return self._next_line(table + 1)
        if default < 0 or n == ODD:
            return self._odd(table if default < 0 else table + 1, "a cost or a number of tuples")
        scope: list[int] = values[at + 1 : table].tolist()
        sizes = self._scope_sizes(scope, at + 1)
        if n < 0:
            relation, end = self._again(-n, default, sizes, table), table + 2
        else:
            n, end = self._n_tuples(n, arity, table)
            relation = self._table(table, n, end, default, sizes)
            if first < 0:
                self._shared.append(_Shared(relation, default, sizes or ()))
        if relation is not None and scope:
            self._assembly.constraint(scope, relation)
        return end

    def _scope_sizes(self, scope: list[int], at: int) -> tuple[int, ...] | None:
        """The sizes of the domains; None if there is a fault."""
        seen: set[int] = set()
        for i, variable in enumerate(scope):
            if not 0 <= variable < len(self._sizes):
                word = shown(self._numbers.word(at + i))
                message = f"there is no variable {word}: the {len(self._sizes)} variables count from 0"
                self._fault("F503", at + i, at + i + 1, message)
            elif variable in seen:
                self._fault("F508", at + i, at + i + 1, f"variable {variable} stands twice in the scope")
            seen.add(variable)
        if len(seen) < len(scope) or not all(0 <= v < len(self._sizes) and self._sizes[v] > 0 for v in scope):
            return None
        return tuple(self._sizes[v] for v in scope)

    def _again(self, number: int, default: int, sizes: tuple[int, ...] | None, table: int) -> int | None:
        """The relation of a table that is used again."""
        if number > len(self._shared):
            message = f"there is no table {number} to be used again: {len(self._shared)} stand before"
            self._fault("F503", table + 1, table + 2, message, "tables that are used again begin with a negative arity")
            return None
        shared = self._shared[number - 1]
        if shared.relation is None or sizes is None:
            return None
        if shared.sizes != sizes:
            message = f"table {number} is for domains of the sizes {shared.sizes}, and these are {sizes}"
            self._fault("F504", table + 1, table + 2, message)
            return None
        if shared.default != default:
            message = f"the cost of the other tuples is {default} here and {shared.default} in table {number}"
            self._fault("F501", table, table + 1, message)
        return shared.relation

    def _n_tuples(self, n: int, arity: int, table: int) -> tuple[int, int]:
        """How many tuples there are, and where they end."""
        return n, table + 2 + n * (arity + 1)

    def _table(self, table: int, n: int, end: int, default: int, sizes: tuple[int, ...] | None) -> int | None:
        """The relation of a table; None if there is a fault, or there is nothing to be said."""
        if end > len(self._values):
            self._end(f"the text ends inside a table of {n} tuples")
        if 0 < default < self._top:
            self._tell_soft(table, default)
            return None
        if sizes is None or end - table - 2 != n * (len(sizes) + 1):
            return None
        block = self._values[table + 2 : end]
        key = block.tobytes() + default.to_bytes(8, "little"), sizes
        if key not in self._tables:
            self._tables[key] = self._relation(block.reshape(n, len(sizes) + 1), table + 2, default, sizes)
        return self._tables[key]

    def _relation(self, rows: Offsets, at: int, default: int, sizes: tuple[int, ...]) -> int | None:
        costs, tuples = rows[:, -1], rows[:, :-1]
        is_odd = (costs < 0) | (tuples < 0).any(axis=1)
        is_soft = (costs > 0) & (costs < self._top)
        is_outside = (tuples >= np.array(sizes, dtype=np.int64)).any(axis=1)
        if is_odd.any() or is_soft.any() or is_outside.any():
            self._tell_rows(rows, at, sizes)
            return None
        if not sizes:
            self._constant(default, costs, at)
            return None
        listed = tuples.astype(np.int32)
        for i in (repeats := repeated_rows(listed)):
            place = at + i * rows.shape[1]
            message = f"the tuple {' '.join(map(str, listed[i].tolist()))} stands twice in one table"
            self._fault("F508", place, place + len(sizes), message, "write each tuple once")
        return None if repeats else self._assembly.relation(*sparse_table(listed, costs > 0, default > 0))

    def _constant(self, default: int, costs: Offsets, at: int) -> None:
        """A cost that every assignment has."""
        if default == 0 and not costs.any():
            return
        if self._sizes and self._sizes[0] > 0:  # nothing is allowed: say it of the first variable
            empty = np.empty((0, 1), dtype=np.int32)
            self._assembly.constraint([0], self._assembly.relation("Accept", empty))
        else:
            self._fault("F502", at - 2, at - 1, "a forbidden assignment of no variable at all")

    def _tell_rows(self, rows: Offsets, at: int, sizes: tuple[int, ...]) -> None:
        width = rows.shape[1]
        has_soft = False
        is_suspect = (rows[:, -1] != 0) | (rows < 0).any(axis=1) | (rows[:, :-1] >= np.array(sizes)).any(axis=1)
        for i in np.flatnonzero(is_suspect).tolist():
            for j, number in enumerate(rows[i].tolist()):
                place = at + i * width + j
                if number == ODD or (number < 0 and j == width - 1):
                    what = "a cost" if j == width - 1 else "a value"
                    self._odd(place, what)
                elif j == width - 1 and 0 < number < self._top and not has_soft:
                    has_soft = True  # told once for each table
                    self._tell_soft(place, number)
                elif j < width - 1 and not 0 <= number < sizes[j]:
                    message = f"value {number} is not one of the {sizes[j]} of its variable, which count from 0"
                    self._fault("F505", place, place + 1, message)

    def _tell_soft(self, at: int, cost: int) -> None:
        message = f"the cost {cost} is soft: it is neither 0 nor as large as the bound {self._top}"
        self._fault("F502", at, at + 1, message, "only what is forbidden and what is allowed has a place in a table")

    def _odd(self, at: int, due: str) -> int:
        self._fault("F501", at, at + 1, f"{shown(self._numbers.word(at))} stands where {due} is due")
        return self._next_line(at)

    def _next_line(self, at: int) -> int:  # noqa: ARG002
        """The first word of the line on which the next cost function is likely to begin."""
        raise FaultError
