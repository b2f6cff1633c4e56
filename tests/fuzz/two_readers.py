"""What both readers of F2CSP must agree on, for any bytes; the fuzzers and the tests call it."""

from dataclasses import fields

import numpy as np

from f2csp.diagnostics import Collector, Source
from f2csp.text.columns import Columns
from f2csp.text.load import examine
from f2csp.text.reader import read
from f2csp.text.scanner import scan

_TABLES = {"tables", "constraint_tables"}  # numbered by each reader in its own way; what a constraint has is compared
_PLACES = {"ends"}  # behind the last tuple, or behind the blanks that follow it
_MAX_RANGE_VALUES = 10**4


def assert_same(text: bytes) -> None:
    """The scanner and the lark reader give the same columns and findings, and the same problem with the same lines."""
    scanned, by_scanner = _columns(text, scan)
    read_, by_reader = _columns(text, read)
    assert by_scanner.diagnostics() == by_reader.diagnostics()
    for field in fields(Columns):
        mine, theirs = getattr(scanned, field.name), getattr(read_, field.name)
        if field.name == "domain_values":
            assert all(map(np.array_equal, mine, theirs))
        elif field.name not in _TABLES | _PLACES:
            assert mine == theirs, field.name
    assert _tables(scanned) == _tables(read_)
    _assert_same_problem(text)


def _assert_same_problem(text: bytes) -> None:
    source = Source("text", text)
    mine = examine(source, max_range_values=_MAX_RANGE_VALUES)
    theirs = examine(source, max_range_values=_MAX_RANGE_VALUES, reader=read)
    assert mine.diagnostics == theirs.diagnostics
    assert mine.problem == theirs.problem
    if mine.problem is not None and theirs.problem is not None:
        assert mine.problem.origin is not None
        assert theirs.problem.origin is not None
        assert np.array_equal(mine.problem.origin.constraint_lines, theirs.problem.origin.constraint_lines)


def _columns(text: bytes, reader) -> tuple[Columns, Collector]:
    source = Source("text", text)
    collector = Collector(source)
    return reader(source, collector, _MAX_RANGE_VALUES), collector


def _tables(columns: Columns) -> list[tuple[object, ...]]:
    tables = [columns.tables[i] for i in columns.constraint_tables]
    return [
        (t.kind, t.arity, t.values.tolist(), t.sizes.tolist() if t.sizes is not None else None, t.n_rows, t.malformed)
        for t in tables
    ]
