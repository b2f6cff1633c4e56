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

A tuple whose cost is at least ``mustbe`` is forbidden. A function may name another one, further down, whose table it
shares. Quotes, commas and colons may be missing, braces and brackets are the same, a line that begins with ``#`` is a
comment, and ``//`` begins one. The comments that are shown keep what the format has no place for.

Specification: https://toulbar2.github.io/toulbar2/formats/cfnformat.html
"""

import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import offsets_of
from f2csp.diagnostics import Collector, Source
from f2csp.formats.cfn_reading import CfnReader
from f2csp.formats.chunked_text import Pieces, pieces, row_chunks
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.toulbar2 import CostFunctionWriter, answers, safe_names
from f2csp.model import Problem
from f2csp.utf8 import check_encoding

__all__ = ["answers", "chunks", "looks_like", "read"]

_COMMENT = rb"(?:\s|#[^\n]*\n|//[^\n]*\n)*"
_HEAD = re.compile(_COMMENT + rb"[{\[]" + _COMMENT + rb'(?:"?problem"?[\s:]*[{\[]|[{\[]\s*[^\s{}\[\]]+[\s,]+"?[<>])')
_MAX_NAME = 60  # characters
_SHARED_ARITIES = (2, 3)  # toulbar2 lets only these share a table


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    """The text of a problem in pieces; constraints with the same table share it."""
    title = "".join(f"# title {line}\n" for line in problem.title.split("\n") if line)
    domains = "".join(f"# domain {d.name}: {' '.join(d.words)}\n" for d in problem.domains)
    name = safe_names([re.sub(r"\s+", "_", problem.title)[:_MAX_NAME] or "problem"])[0]
    yield f'# F2CSP\n{title}{domains}{{"problem": {{"name": "{name}", "mustbe": "<1"}},\n"variables": {{\n'.encode()
    yield from _Writer(problem).text()


class _Writer(CostFunctionWriter):
    """The last constraint with a shared table writes it, the others refer to it by its name."""

    def text(self) -> Iterator[bytes]:
        problem, tables = self.problem, self.tables
        self._names = safe_names(problem.variable_names)
        self._values = [safe_names(domain.words) for domain in problem.domains]
        self._labels = safe_names(problem.labels) if problem.labels else None
        yield ",\n".join(self._variables()).encode()
        yield b'},\n"functions": {'
        has_table = ~(tables.is_shared & np.isin(tables.arities, _SHARED_ARITIES) & (tables.sizes > 0))[
            tables.of_constraints
        ]
        has_table[tables.last] = True
        labels = [self._labels[i] if self._labels else f"C{i + 1}" for i in tables.last.tolist()]
        references = pieces(labels, '], "costs": "{}"}}')
        yield from self.chunks(has_table, pieces(self._names, '"{}", '), pieces(self._names, '"{}"'), references)
        yield b"}}\n"

    def _variables(self) -> Iterator[str]:
        problem = self.problem
        lists = [": [" + ", ".join([f'"{value}"' for value in values]) + "]" for values in self._values]
        before = -1
        domains = problem.variable_domains.tolist()
        for name, word, domain in zip(self._names, problem.variable_names, domains, strict=True):
            note = f"# variables of {problem.domain_names[domain]}\n" if domain != before else ""
            if name != word:
                note += f"# variable {word}\n"
            yield f'{note}"{name}"{lists[domain]}'
            before = domain

    def heads(self, start: int, end: int, has_table: NDArray[np.bool_]) -> Pieces:  # noqa: ARG002 - .wcsp needs it
        heads = np.empty(end - start, dtype=np.object_)
        if self._labels is None:
            heads[:] = [b',\n"C%d": {"scope": [' % i for i in range(start + 1, end + 1)]
        else:
            words, names = (self.problem.labels or ())[start:end], self._labels[start:end]
            notes = [f"# constraint {w}\n" if w != n else "" for w, n in zip(words, names, strict=True)]
            heads[:] = [f',\n{note}"{n}": {{"scope": ['.encode() for note, n in zip(notes, names, strict=True)]
        if start == 0:
            heads[0] = heads[0][1:]
        return heads

    def table_text(self, table: int) -> Iterator[bytes]:
        is_accepting = self.tables.relation(table).kind == "Accept"
        yield f'], "defaultcost": {int(is_accepting)}, "costs": ['.encode()
        starts, words, last_words = self._pieces
        rows = self.tables.positions(table) + starts[self.tables.domains(table)]
        separator = b"\n"
        for text in row_chunks(rows, words, last_words[is_accepting]):
            yield separator + text[:-2]
            separator = b",\n"
        yield b"]}"

    @cached_property
    def _pieces(self) -> tuple[NDArray[np.int64], Pieces, tuple[Pieces, Pieces]]:
        """Where the values of each domain begin, all values, and all values with the cost that follows them."""
        starts = offsets_of(self.problem.domain_sizes)
        words = pieces([value for values in self._values for value in values], '"{}", ')
        return starts, words, (words + b"1, ", words + b"0, ")


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
    collector.raise_if_errors()
    problem = CfnReader(source, collector).problem()
    collector.raise_if_errors()
    return problem
