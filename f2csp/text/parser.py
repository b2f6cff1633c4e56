"""The parser: lark reads a text by the grammar, and the tree is recorded in columns."""

from collections.abc import Callable

from lark import Token
from lark.exceptions import UnexpectedInput

from f2csp.diagnostics import Collector, Source
from f2csp.text.columns import Columns, Span
from f2csp.text.recorder import KINDS, MAX_RANGE_VALUES, Head, Recorder, Refused
from f2csp.text.terminals import language


def parse(
    source: Source,
    collector: Collector,
    max_range_values: int = MAX_RANGE_VALUES,
    advance: Callable[[int], None] | None = None,
) -> Columns:
    """Read a text by the grammar alone; the tree takes some hundred bytes for each constraint.

    Raises:
        Refused: the text is not in the language.
    """
    recorder = Recorder(source, max_range_values)
    has_goal = _parse("start", recorder, source.start, len(source.data))
    if advance:
        advance(len(source.data))
    return recorder.accept(collector, has_goal=has_goal)


def parse_block(recorder: Recorder, start: int, stop: int) -> bool:
    """Record constraints that begin with a label; whether they end in the goal. Other texts raise ``Refused``."""
    return _parse("block", recorder, start, stop)


def _parse(rule: str, recorder: Recorder, start: int, stop: int) -> bool:
    """Parse a part of the text by a rule of the grammar; whether a goal is in it.

    The text is decoded as Latin-1: the grammar's patterns are ASCII, so that a character is a byte.
    """
    try:
        tree = language().parse(recorder.source.data[start:stop].decode("latin-1"), start=rule)
    except UnexpectedInput as error:
        raise Refused from error
    has_goal = False
    for part in tree.iter_subtrees_topdown():  # type: ignore[no-untyped-call]  # lark has no type for it
        tokens = [token for token in part.children if isinstance(token, Token)]
        spans = [(start + (token.start_pos or 0), start + (token.end_pos or 0)) for token in tokens]
        if part.data == "title":
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


def _record_constraint(recorder: Recorder, tokens: list[Token], spans: dict[str, Span]) -> None:
    text = {token.type: str(token) for token in tokens}
    start, nothing = spans["LABEL"][0], (spans["LABEL"][0], spans["LABEL"][0])
    kind = "reject" if "REJECT" in text else "accept"
    label = text["LABEL"].rstrip(" \t\r\n:").encode("latin-1")
    head = Head(label, start, int(text["VARS"].split(":")[1]), spans.get("SCOPE", nothing))
    end = list(spans.values())[-1][1]
    n_tuples = int(text[kind.upper()].split(":")[1])
    recorder.constraint(head, end, KINDS[kind], n_tuples, spans.get("TUPLES", nothing))
