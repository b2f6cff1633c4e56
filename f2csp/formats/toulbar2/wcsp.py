"""The .wcsp format of toulbar2: numbers alone, between white space.

    Two_countries 2 3 2 1
    3 3
    2 0 1 0 3
    0 0 1
    1 1 1
    2 2 1
    1 0 1 1
    0 0

A name, the number of variables, the size of the largest domain, the number of cost functions, and the cost from which
on a tuple is forbidden; the size of each domain; then each cost function: its arity, its variables, the cost of all
tuples that are not listed, how many are listed, and these, each with its cost. Variables and values count from 0. A
negative arity makes a table one to be used again, and a negative number of tuples uses the one of that number. This is
the format of toulbar2's documentation, "Weighted Constraint Satisfaction Problem file format".

There is no place for names: what is read has the variables ``x0``, ``x1``, ... and numbers for values.
"""

import re
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from f2csp.diagnostics import Collector, InvalidInput, Source
from f2csp.files import FileName, read_source, write_chunks
from f2csp.formats.chunked_text import LARGE, Pieces, blocks, joined, pieces
from f2csp.formats.foreign import ExportOptions, Solution
from f2csp.formats.toulbar2.answers import read_answers
from f2csp.formats.toulbar2.numbers import Numbers
from f2csp.formats.toulbar2.tables import PlacedTables, places
from f2csp.formats.toulbar2.wcsp_lines import Teller
from f2csp.formats.toulbar2.wcsp_reading import FaultError, Reader
from f2csp.model import Problem
from f2csp.utf8 import check_encoding

_HEAD = re.compile(rb"\s*(?!\d+\s)(?![pc]\s)(?![{\[<#])\S+(?:\s+\d+){5}\s")
_UNCLEAR = re.compile(r"\d+$|[pc]$|[{\[<#]")  # at the beginning of a text they speak of other formats
_NAME = re.compile(rb"[^ \t\r\n]++")
_TITLE = 60  # characters of the title that become the name


def export_wcsp(problem: Problem, file: FileName | IO[Any], *, options: ExportOptions | None = None) -> None:
    """Write a problem as .wcsp.

    Args:
        problem: the problem.
        file: a path, ``-`` for standard output, or a file open for writing.
        options: none of them has an effect.

    Raises:
        OSError: the file cannot be written.
    """
    write_chunks(chunks(problem, options or ExportOptions()), file)


def import_wcsp(file: FileName | IO[Any]) -> Problem:
    """Read a problem from a .wcsp file.

    Args:
        file: a path (of a compressed file too), ``-`` for standard input, or a file open for reading.

    Raises:
        InvalidInput: the text has faults, or cost functions that are not hard.
        OSError: the file cannot be read.
    """
    return read(read_source(file))


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    """The text of a problem in pieces; constraints with the same table share it."""
    sizes = problem.domain_sizes[problem.variable_domains]
    name = re.sub(r"\s+", "_", problem.title)[:_TITLE] or "problem"
    if _UNCLEAR.match(name):
        name = f"_{name}"
    counts = f"{problem.n_variables} {sizes.max(initial=0)} {problem.n_constraints} 1"
    yield f"{name} {counts}\n{' '.join(map(str, sizes.tolist()))}\n".encode()
    yield from _Writer(problem).write()


def looks_like(data: bytes) -> bool:
    """Whether a text begins with a name that is no number, and five numbers."""
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
    if not collector.n_errors:
        name = _NAME.search(source.data, source.start)
        title = name.group().decode() if name else ""
        numbers = Numbers(source.data, name.end() if name else source.start)
        try:
            return Reader(numbers, title).problem()
        except FaultError:
            problem = Teller(numbers, title, collector).problem()
            if not collector.n_errors:
                return problem
    raise InvalidInput(collector.diagnostics(), collector.n_hidden)


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions in a file that ``toulbar2 -w`` wrote, or in what toulbar2 printed.

    Raises:
        InvalidInput: there is none, or it does not fit the problem.
    """
    return read_answers(source, problem)


class _Writer:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._tables = PlacedTables.of(problem)
        is_shared = self._tables.is_shared & (self._tables.sizes > 0)  # a table without tuples gets no number
        self._is_shared = is_shared
        numbers = np.cumsum(is_shared)
        defaults = [int(self._tables.relation(i).kind == "Accept") for i in range(len(numbers))]
        self._defaults = defaults
        self._again = pieces([f" {d} -{n}\n" for d, n in zip(defaults, numbers.tolist(), strict=True)])

    def write(self) -> Iterator[bytes]:
        problem, tables = self._problem, self._tables
        names = pieces([str(i) for i in range(problem.n_variables)], " {}")
        arities = np.diff(problem.scope_offsets)
        is_first = np.zeros(problem.n_constraints, dtype=np.bool_)
        is_first[tables.first] = True
        is_written = is_first | ~self._is_shared[tables.of_constraints]
        weights = np.where(is_written, tables.sizes[tables.of_constraints], 0)
        heads = pieces([str(i) for i in range(int(arities.max(initial=0)) + 1)])
        for start, end in blocks(problem, weights):
            of_block = tables.of_constraints[start:end]
            tails = self._again[of_block]
            block_heads = heads[arities[start:end]]
            for i in np.flatnonzero(is_written[start:end]).tolist():
                table = int(of_block[i])
                tails[i] = self._table(table)
                if self._is_shared[table]:
                    block_heads[i] = b"-" + block_heads[i]
            scopes = problem.scopes[problem.scope_offsets[start] : problem.scope_offsets[end]]
            yield joined(block_heads, names, names, tails, scopes, arities[start:end])
            last = int(of_block[-1])
            if is_written[end - 1] and tables.sizes[last] > LARGE:
                yield from self._rows(last)

    def _table(self, table: int) -> bytes:
        """The text of a table, but for the rows of a large one."""
        head = f" {self._defaults[table]} {self._tables.relation(table).n_tuples}\n".encode()
        return head if self._tables.sizes[table] > LARGE else b"".join([head, *self._rows(table)])

    def _rows(self, table: int) -> Iterator[bytes]:
        relation, domains = self._tables.relation(table), self._tables.domains(table)
        values = [self._problem.domain_values[domain] for domain in domains]
        numbers = _numbers(max(map(len, values)))
        cost = b"%d\n" % (1 - self._defaults[table])
        n_rows = max(1, LARGE // relation.arity)
        for start in range(0, relation.n_tuples, n_rows):
            rows = relation.tuples[start : start + n_rows]
            text = np.empty((len(rows), relation.arity + 1), dtype=np.object_)
            for column, of_domain in enumerate(values):
                text[:, column] = numbers[places(rows[:, column], of_domain)]
            text[:, -1] = cost
            yield b"".join(text.ravel().tolist())


def _numbers(n: int) -> Pieces:
    return pieces([str(i) for i in range(n)], "{} ")
