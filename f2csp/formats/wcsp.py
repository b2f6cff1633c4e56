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

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import Collector, Source
from f2csp.formats.chunked_text import Pieces, pieces, row_chunks
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.number_text import NumberText as Numbers
from f2csp.formats.toulbar2 import CostFunctionWriter, answers
from f2csp.formats.wcsp_lines import Teller
from f2csp.formats.wcsp_reading import FaultError, Reader
from f2csp.model import Problem
from f2csp.utf8 import check_encoding

__all__ = ["answers", "chunks", "looks_like", "read"]

_HEAD = re.compile(rb"\s*(?!\d+\s)(?![pc]\s)(?![{\[<#])\S+(?:\s+\d+){4}(?:\s+\d+\s|\s*\Z)")
_LIKE_OTHERS = re.compile(r"\d+$|[pc]$|[{\[<#]|(?ai:domains|variables|constraints):")  # how other formats begin
_NAME = re.compile(rb"[^ \t\r\n]++")
_MAX_NAME = 60  # characters


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
    title = name.group().decode() if name else ""
    start = name.end() if name else source.start
    numbers = Numbers(source.data[start:], start)
    try:
        return Reader(numbers, title).problem()
    except FaultError:
        problem = Teller(numbers, title, collector).problem()
        collector.raise_if_errors()
        return problem
