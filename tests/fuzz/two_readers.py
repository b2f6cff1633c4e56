"""What reader, grammar and diagnosis must agree on, for any bytes; the fuzzers and the tests call it."""

from dataclasses import fields

import numpy as np
from lark import Token
from lark.exceptions import UnexpectedInput

from f2csp.diagnostics import BOM, Collector, Source
from f2csp.files import check_encoding
from f2csp.text.columns import Columns
from f2csp.text.load import report_on
from f2csp.text.reader import read
from f2csp.text.recorder import TABLE_KINDS, Head, Recorder
from f2csp.text.source_lines import header_at
from f2csp.text.terminals import language

_TABLES = {"tables", "constraint_tables"}  # numbered by each reader in its own way; what a constraint has is compared
_MAX_RANGE_VALUES = 10**4


class NotInGrammar(Exception):
    """The text is not in the language of the grammar."""


def assert_same(text: bytes) -> None:
    """The product and the grammar give the same columns; a text that the grammar refuses has faults."""
    source = Source("text", text)
    collector = Collector(source)
    check_encoding(source, collector)
    report = report_on(source, max_range_values=_MAX_RANGE_VALUES)
    if collector.n_errors:
        assert report.problem is None
        return
    columns = read(source, collector, _MAX_RANGE_VALUES).columns
    by_rules = Collector(source)
    try:
        parsed = by_grammar(Recorder(source, _MAX_RANGE_VALUES, by_rules.report))
    except NotInGrammar:
        assert collector.n_errors or not report.is_valid, "the grammar refuses what has no fault"
        assert report.problem is None
        return
    assert collector.diagnostics() == by_rules.diagnostics()
    assert_same_columns(columns, parsed)


def by_grammar(recorder: Recorder) -> Columns:
    """Read a whole text by the rule ``start``, decoded as Latin-1, so that a character is a byte.

    Raises:
        NotInGrammar: the text is not in the language.
    """
    data, start = recorder.source.data, recorder.source.start
    try:
        tree = language().parse(data[start:].decode("latin-1"), start="start")
    except UnexpectedInput as error:
        raise NotInGrammar from error
    for part in tree.iter_subtrees_topdown():
        tokens = [token for token in part.children if isinstance(token, Token)]
        spans = [(start + token.start_pos, start + token.end_pos) for token in tokens]
        if part.data == "title":
            if data.startswith(BOM, spans[0][0]):  # three characters in Latin-1
                raise NotInGrammar
            recorder.title(*spans[0])
        elif part.data in ("domains", "variables", "constraints"):
            header, end = header_at(data, spans[0][0]), spans[0][1]
            recorder.columns.sections[part.data].count, _ = recorder.count(header, end)
            for line in spans[1:]:
                (recorder.domain_line if part.data == "domains" else recorder.variable_line)(*line)
        elif part.data == "constraint":
            _record_constraint(recorder, tokens, dict(zip((token.type for token in tokens), spans, strict=True)))
    return accepted(recorder, has_goal=any(part.data == "goal" for part in tree.iter_subtrees()))


def accepted(recorder: Recorder, *, has_goal: bool) -> Columns:
    """The columns of a text in the language, when everything is recorded.

    Raises:
        NotInGrammar: the counts show that the text ends early, or that a tuple was taken for a missing label.
    """
    columns = recorder.finish()
    sizes = np.array([table.n_rows for table in columns.tables], dtype=np.int64)
    n_missing = np.asarray(columns.declared_tuples) - sizes[np.asarray(columns.constraint_tables)]
    is_unary = np.diff(np.asarray(columns.scope_offsets)) == 1
    count = columns.sections["constraints"].count
    is_cut = not has_goal and (
        (count is not None and count.value != columns.n_constraints) or bool(n_missing[-1:].any())
    )
    if is_cut or ((n_missing == 1) & is_unary).any():
        raise NotInGrammar
    if not has_goal:
        recorder.report_missing_goal()
    return columns


def _record_constraint(recorder: Recorder, tokens: list[Token], spans: dict[str, tuple[int, int]]) -> None:
    text = {token.type: str(token) for token in tokens}
    start = spans["LABEL"][0]
    kind = "reject" if "REJECT" in text else "accept"
    label = text["LABEL"].rstrip(" \t\r\n:").encode("latin-1")
    head = Head(label, start, int(text["VARS"].split(":")[1]), spans.get("SCOPE", (start, start)))
    n_tuples = int(text[kind.upper()].split(":")[1])
    recorder.constraint(head, TABLE_KINDS[kind], n_tuples, spans.get("TUPLES", (start, start)))


def assert_same_columns(scanned: Columns, parsed: Columns) -> None:
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
