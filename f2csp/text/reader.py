"""The parser, where lark reads a text by the grammar, and the scanner, a shortcut for texts in the common spelling.

The scanner reads constraints in blocks of many. A block in an unusual spelling goes to the parser, and a text that the
grammar refuses to the diagnosis. So one bad value in a gigabyte costs no second pass, and there is one definition of
the language: the grammar.
"""

import re
from typing import TYPE_CHECKING

from f2csp.diagnostics import BOM, ByteSpan, Collector, Source
from f2csp.files import ByteProgress, check_encoding
from f2csp.text.columns import Columns
from f2csp.text.recorder import MAX_RANGE_VALUES, TABLE_KINDS, Head, NotInGrammar, Recorder
from f2csp.text.scanner_blocks import BlockReader
from f2csp.text.source_lines import last_line
from f2csp.text.terminals import language, pattern, terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Token

_BLOCK = 1 << 16
_TAIL = 1 << 12  # bytes at the end, where the goal is looked for

_GOAL_LINE = re.compile(rb"^[ \t]*+(goal)[ \t]*+:", re.IGNORECASE | re.MULTILINE)
_LABEL_LINE = re.compile(rb"(?:%b)[ \t]*+:?" % pattern("NAME"))


def read(
    source: Source,
    collector: Collector,
    max_range_values: int = MAX_RANGE_VALUES,
    advance: ByteProgress | None = None,
) -> Columns:
    """Read a text into columns; every fault of form goes to the collector. Linear in the text, in time and memory."""
    check_encoding(source, collector)
    if not collector.n_errors:
        try:
            return scan(Recorder(source, max_range_values, collector.report), advance)
        except NotInGrammar:
            collector.clear()
    from f2csp.text.diagnosis import Diagnosis

    return Diagnosis(source, collector, max_range_values).run()


def scan(recorder: Recorder, advance: ByteProgress | None = None) -> Columns:
    """Read a text of the language; the columns are those that :func:`parse_by_rule` gives by the rule ``start``."""
    data = recorder.source.data
    at = _scan_head(recorder)
    tail = max(at, data.rfind(b"\n", 0, max(len(data) - _TAIL, 0)) + 1)
    goals = [match.start(1) for match in _GOAL_LINE.finditer(data, tail)]
    end = goals[-1] if goals else len(data)
    has_goal = end < len(data)
    if has_goal and not terminal("GOAL").fullmatch(data, end):
        raise NotInGrammar
    if advance:  # by what is not in the blocks
        advance(at + len(data) - end)
    blocks = BlockReader(recorder.columns, recorder.words, recorder.variable_index)
    while at < end:
        stop = _next_label(data, at, min(at + _BLOCK, end), end)
        block = blocks.read(data[at:stop])
        if block is not None:
            recorder.block(block, at)
        elif parse_by_rule("block", recorder, at, stop):
            if stop < len(data):
                raise NotInGrammar
            has_goal = True
        if advance:
            advance(stop - at)
        at = stop
    return recorder.accept(has_goal=has_goal)


def parse_by_rule(rule: str, recorder: Recorder, start: int, stop: int) -> bool:
    """Parse a part of the text by a rule of the grammar, and record it; whether a goal is in it.

    The text is decoded as Latin-1: the grammar's patterns are ASCII, so that a character is a byte. The tree takes some
    hundred bytes for each constraint.

    Raises:
        NotInGrammar: the text is not in the language.
    """
    from lark import Token
    from lark.exceptions import UnexpectedInput

    try:
        tree = language().parse(recorder.source.data[start:stop].decode("latin-1"), start=rule)
    except UnexpectedInput as error:
        raise NotInGrammar from error
    has_goal = False
    for part in tree.iter_subtrees_topdown():  # type: ignore[no-untyped-call]  # lark has no type for it
        tokens = [token for token in part.children if isinstance(token, Token)]
        spans = [(start + (token.start_pos or 0), start + (token.end_pos or 0)) for token in tokens]
        if part.data == "title":
            if recorder.source.data.startswith(BOM, spans[0][0]):  # three characters in Latin-1
                raise NotInGrammar
            recorder.title(*spans[0])
        elif part.data in ("domains", "variables", "constraints"):
            recorder.section(part.data, *spans[0])
            record_line = recorder.domain_line if part.data == "domains" else recorder.variable_line
            for line in spans[1:]:
                record_line(*line)
        elif part.data == "constraint":
            _record_constraint(recorder, tokens, dict(zip((token.type for token in tokens), spans, strict=True)))
        has_goal |= part.data == "goal"
    return has_goal


def _record_constraint(recorder: Recorder, tokens: "list[Token]", spans: dict[str, ByteSpan]) -> None:
    text = {token.type: str(token) for token in tokens}
    start, nothing = spans["LABEL"][0], (spans["LABEL"][0], spans["LABEL"][0])
    kind = "reject" if "REJECT" in text else "accept"
    label = text["LABEL"].rstrip(" \t\r\n:").encode("latin-1")
    head = Head(label, start, int(text["VARS"].split(":")[1]), spans.get("SCOPE", nothing))
    n_tuples = int(text[kind.upper()].split(":")[1])
    recorder.constraint(head, TABLE_KINDS[kind], n_tuples, spans.get("TUPLES", nothing))


def _scan_head(recorder: Recorder) -> int:
    """Read up to the first constraint, and return its place."""
    data, at = recorder.source.data, recorder.source.start
    if blank := terminal("_NL").match(data, at):
        at = blank.end()
    if title := terminal("TITLE").match(data, at):
        recorder.title(at, title.end())
        at = title.end()
    lines: dict[str, tuple[re.Pattern[bytes], Callable[[int, int], None]] | None] = {
        "domains": (terminal("DOMAIN_LINE"), recorder.domain_line),
        "variables": (terminal("VARIABLE_LINE"), recorder.variable_line),
        "constraints": None,
    }
    for section, line in lines.items():
        header = terminal(section.upper()).match(data, at)
        if header is None:
            raise NotInGrammar
        recorder.section(section, at, header.end())
        at = header.end()
        while line and (match := line[0].match(data, at)):
            line[1](at, match.end())
            at = match.end()
    return at


def _next_label(data: bytes, at: int, after: int, end: int) -> int:
    """The place of the label of the first ``Vars:`` behind ``after``, other than ``at``; ``end`` if there is none."""
    colon = data.find(b":", after, end)  # there is none in a table, and nothing is found as fast
    while colon >= 0:
        line = data.rfind(b"\n", 0, colon) + 1
        if data[line:colon].strip(b" \t").lower() == b"vars":
            label = last_line(data, at, line)
            if label and label[0] > at and _LABEL_LINE.fullmatch(data, *label):
                return label[0]
        line_end = data.find(b"\n", colon, end)
        colon = data.find(b":", line_end, end) if line_end >= 0 else -1
    return end
