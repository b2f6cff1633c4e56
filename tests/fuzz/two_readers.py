"""What scanner, parser and diagnosis must agree on, for any bytes; the fuzzers and the tests call it."""

from dataclasses import fields

import numpy as np
import pytest

from f2csp.diagnostics import Collector, Diagnostic, Source
from f2csp.files import check_encoding
from f2csp.text import reader
from f2csp.text.columns import Columns
from f2csp.text.load import examine
from f2csp.text.reader import parse_by_rule, scan
from f2csp.text.recorder import NotInGrammar, Recorder

_TABLES = {"tables", "constraint_tables"}  # numbered by each reader in its own way; what a constraint has is compared
_MAX_RANGE_VALUES = 10**4


def assert_same(text: bytes) -> None:
    """The scanner and the parser give the same columns and findings; a text that they refuse has faults."""
    source = Source("text", text)
    encoding = Collector(source)
    check_encoding(source, encoding)
    report = examine(source, max_range_values=_MAX_RANGE_VALUES)
    if encoding.n_errors:
        assert report.problem is None
        return
    scanned, parsed = _read(source, scan), _read(source, by_grammar)
    if scanned is None or parsed is None:
        assert scanned is parsed is None, "one of them takes the text, the other refuses it"
        assert any(diagnostic.severity == "error" for diagnostic in report.diagnostics), "the diagnosis finds nothing"
        assert report.problem is None
        return
    assert scanned[1] == parsed[1]
    _assert_same_columns(scanned[0], parsed[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "scan", by_grammar)
        by_parser = examine(source, max_range_values=_MAX_RANGE_VALUES)
    assert report == by_parser
    if report.problem is not None and by_parser.problem is not None:
        assert report.problem.origin is not None
        assert by_parser.problem.origin is not None
        assert np.array_equal(report.problem.origin.constraint_lines, by_parser.problem.origin.constraint_lines)


def by_grammar(recorder: Recorder, _: object = None) -> Columns:
    """Read a whole text by the grammar alone."""
    source = recorder.source
    return recorder.accept(has_goal=parse_by_rule("start", recorder, source.start, len(source.data)))


def _read(source: Source, read) -> tuple[Columns, list[Diagnostic]] | None:
    collector = Collector(source)
    try:
        return read(Recorder(source, _MAX_RANGE_VALUES, collector.report)), collector.diagnostics()
    except NotInGrammar:
        return None


def _assert_same_columns(scanned: Columns, parsed: Columns) -> None:
    for field in fields(Columns):
        mine, theirs = getattr(scanned, field.name), getattr(parsed, field.name)
        if field.name == "domain_values":
            assert all(map(np.array_equal, mine, theirs))
        elif field.name not in _TABLES:
            assert mine == theirs, field.name
    assert _tables(scanned) == _tables(parsed)


def _tables(columns: Columns) -> list[tuple[object, ...]]:
    tables = [columns.tables[i] for i in columns.constraint_tables]
    return [
        (t.kind, t.arity, t.values.tolist(), t.sizes.tolist() if t.sizes is not None else None, t.n_rows, t.malformed)
        for t in tables
    ]
