"""The .cfn format of toulbar2: JSON with liberties, and with names.

    # F2CSP
    # title Two countries
    # domain colour: red green blue
    {"problem": {"name": "Two_countries", "mustbe": "<1"},
    "variables": {
    # variables of colour
    "France": ["red", "green", "blue"],
    "Spain": ["red", "green", "blue"]},
    "functions": {
    "C1": {"scope": ["France", "Spain"], "defaultcost": 0, "costs": [
    "red", "red", 1, "green", "green", 1, "blue", "blue", 1]},
    "C2": {"scope": ["France"], "defaultcost": 1, "costs": [
    "red", 0]}}}

A cost from ``mustbe`` on forbids a tuple. A function may name another one, further down, whose table it shares. Quotes,
commas and colons may be missing, braces and brackets are the same, a line that begins with ``#`` is a comment, and
``//`` begins one. This is the format of toulbar2's documentation, "CFN format"; what the comments say here is an
addition, so that what was written is read back the same.
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
from f2csp.formats.toulbar2.cfn_reading import CfnReader
from f2csp.formats.toulbar2.naming import safe_names
from f2csp.formats.toulbar2.tables import PlacedTables, places
from f2csp.model import Problem
from f2csp.utf8 import check_encoding

_COMMENT = rb"(?:\s|#[^\n]*\n|//[^\n]*\n)*"
_HEAD = re.compile(_COMMENT + rb"[{\[]" + _COMMENT + rb'(?:"?problem"?[\s:]*[{\[]|[{\[]\s*[^\s{}\[\]]+[\s,]+"?[<>])')
_TITLE = 60  # characters of the title that become the name
_SHARED_ARITIES = (2, 3)  # toulbar2 lets no others share a table


def export_cfn(problem: Problem, file: FileName | IO[Any], *, options: ExportOptions | None = None) -> None:
    """Write a problem as .cfn.

    Args:
        problem: the problem.
        file: a path, ``-`` for standard output, or a file open for writing.
        options: none of them has an effect.

    Raises:
        OSError: the file cannot be written.
    """
    write_chunks(chunks(problem, options or ExportOptions()), file)


def import_cfn(file: FileName | IO[Any]) -> Problem:
    """Read a problem from a .cfn file.

    Args:
        file: a path (of a compressed file too), ``-`` for standard input, or a file open for reading.

    Raises:
        InvalidInput: the text has faults, or cost functions that are not hard tables.
        OSError: the file cannot be read.
    """
    return read(read_source(file))


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    """The text of a problem in pieces; constraints with the same table share it."""
    title = "".join(f"# title {line}\n" for line in problem.title.split("\n") if line)
    domains = "".join(f"# domain {d.name}: {' '.join(d.words)}\n" for d in problem.domains)
    name = safe_names([re.sub(r"\s+", "_", problem.title)[:_TITLE] or "problem"])[0]
    yield f'# F2CSP\n{title}{domains}{{"problem": {{"name": "{name}", "mustbe": "<1"}},\n"variables": {{\n'.encode()
    yield from _Writer(problem).write()


def looks_like(data: bytes) -> bool:
    """Whether a text begins like the problem's name and bound."""
    return _HEAD.match(data) is not None


def read(source: Source) -> Problem:
    """Read a problem.

    Raises:
        InvalidInput: the text has faults, or cost functions that are not hard tables.

    Complexity:
        Linear in the text, in time and memory.
    """
    collector = Collector(source)
    check_encoding(source, collector)
    if not collector.n_errors:
        problem = CfnReader(source, collector).problem()
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
        self._names = safe_names(problem.variable_names)
        self._values = [safe_names(domain.words) for domain in problem.domains]
        self._labels = safe_names(problem.labels) if problem.labels else None
        self._tables = tables = PlacedTables.of(problem)
        self._is_shared = tables.is_shared & np.isin(tables.arities, _SHARED_ARITIES) & (tables.sizes > 0)

    def write(self) -> Iterator[bytes]:
        yield ",\n".join(self._variables()).encode()
        yield b'},\n"functions": {'
        yield from self._functions()
        yield b"}}\n"

    def _variables(self) -> Iterator[str]:
        problem = self._problem
        lists = [f": [{', '.join(map(_quoted, values))}]" for values in self._values]
        before = -1
        for name, word, domain in zip(
            self._names, problem.variable_names, problem.variable_domains.tolist(), strict=True
        ):
            note = f"# variables of {problem.domain_names[domain]}\n" if domain != before else ""
            if name != word:
                note += f"# variable {word}\n"
            yield f'{note}"{name}"{lists[domain]}'
            before = domain

    def _functions(self) -> Iterator[bytes]:
        problem, tables = self._problem, self._tables
        names = [_quoted(name) for name in self._names]
        scoped, last_scoped = pieces(names, "{}, "), pieces(names)
        again = pieces([f'], "costs": "{self._label(i)}"}}' for i in tables.last.tolist()])
        arities = np.diff(problem.scope_offsets)
        is_last = np.zeros(problem.n_constraints, dtype=np.bool_)
        is_last[tables.last] = True
        is_written = is_last | ~self._is_shared[tables.of_constraints]
        weights = np.where(is_written, tables.sizes[tables.of_constraints], 0)
        for start, end in blocks(problem, weights):
            of_block = tables.of_constraints[start:end]
            tails = again[of_block]
            for i in np.flatnonzero(is_written[start:end]).tolist():
                tails[i] = self._table(int(of_block[i]))
            scopes = problem.scopes[problem.scope_offsets[start] : problem.scope_offsets[end]]
            yield joined(self._heads(start, end), scoped, last_scoped, tails, scopes, arities[start:end])
            last = int(of_block[-1])
            if is_written[end - 1] and tables.sizes[last] > LARGE:
                yield from self._rows(last)
                yield b"]}"

    def _label(self, constraint: int) -> str:
        return self._labels[constraint] if self._labels else f"C{constraint + 1}"

    def _heads(self, start: int, end: int) -> Pieces:
        heads = np.empty(end - start, dtype=np.object_)
        if self._labels is None:
            heads[:] = [b',\n"C%d": {"scope": [' % i for i in range(start + 1, end + 1)]
        else:
            words, names = (self._problem.labels or ())[start:end], self._labels[start:end]
            notes = [f"# constraint {w}\n" if w != n else "" for w, n in zip(words, names, strict=True)]
            heads[:] = [f',\n{note}"{n}": {{"scope": ['.encode() for note, n in zip(notes, names, strict=True)]
        if start == 0:
            heads[0] = heads[0][1:]
        return heads

    def _table(self, table: int) -> bytes:
        """The text of a table, but for the rows of a large one."""
        default = int(self._tables.relation(table).kind == "Accept")
        head = f'], "defaultcost": {default}, "costs": ['.encode()
        return head if self._tables.sizes[table] > LARGE else b"".join([head, *self._rows(table), b"]}"])

    def _rows(self, table: int) -> Iterator[bytes]:
        relation, domains = self._tables.relation(table), self._tables.domains(table)
        names = [pieces([_quoted(name) for name in self._values[domain]], "{}, ") for domain in domains]
        cost = b"1, " if relation.kind == "Reject" else b"0, "
        n_rows = max(1, LARGE // relation.arity)
        for start in range(0, relation.n_tuples, n_rows):
            rows = relation.tuples[start : start + n_rows]
            text = np.empty((len(rows), relation.arity + 1), dtype=np.object_)
            for column, domain in enumerate(domains):
                text[:, column] = names[column][places(rows[:, column], self._problem.domain_values[domain])]
            text[:, -1] = cost
            yield (b"\n" if start == 0 else b",\n") + b"".join(text.ravel().tolist())[:-2]


def _quoted(name: str) -> str:
    return f'"{name}"'
