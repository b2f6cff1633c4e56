"""The parser: lark reads a text by the grammar, and the tree is recorded in columns."""

from collections.abc import Callable

from lark import Token, Transformer
from lark.exceptions import UnexpectedInput

from f2csp.diagnostics import Collector, Source
from f2csp.model import Kind
from f2csp.text.columns import Columns, Span
from f2csp.text.recorder import MAX_RANGE_VALUES, Head, Recorder, Refused
from f2csp.text.terminals import language

_KINDS: dict[str, Kind] = {"REJECT": "Reject", "ACCEPT": "Accept"}


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
    recording = _Recording(recorder, start)
    recording.transform(tree)
    return recording.has_goal


class _Recording(Transformer[Token, None]):
    """Records the rules of a tree, in the order of the text."""

    def __init__(self, recorder: Recorder, start: int) -> None:
        super().__init__(visit_tokens=False)
        self.has_goal = False
        self._recorder = recorder
        self._start = start

    def title(self, tokens: list[Token]) -> None:
        self._recorder.title(*self._span(tokens[0]))

    def domains(self, tokens: list[Token]) -> None:
        self._section("domains", tokens, self._recorder.domain_line)

    def variables(self, tokens: list[Token]) -> None:
        self._section("variables", tokens, self._recorder.variable_line)

    def constraints(self, children: list[Token]) -> None:  # which are recorded already
        self._recorder.section("constraints", *self._span(children[0]))

    def constraint(self, tokens: list[Token]) -> None:
        found = {token.type: token for token in tokens}
        table = found.get("REJECT") or found["ACCEPT"]
        start, end = self._span(tokens[0])[0], self._span(tokens[-1])[1]
        scope, body = (self._span(found[part]) if part in found else (start, start) for part in ("SCOPE", "TUPLES"))
        head = Head(found["LABEL"].rstrip(" \t\r\n:").encode("latin-1"), start, _count(found["VARS"]), scope)
        self._recorder.constraint(head, end, _KINDS[table.type], _count(table), body)

    def goal(self, _: list[Token]) -> None:
        self.has_goal = True

    def _section(self, word: str, tokens: list[Token], record: Callable[[int, int], None]) -> None:
        self._recorder.section(word, *self._span(tokens[0]))
        for line in tokens[1:]:
            record(*self._span(line))

    def _span(self, token: Token) -> Span:
        assert token.start_pos is not None  # noqa: S101 - it comes from a text
        return self._start + token.start_pos, self._start + token.start_pos + len(token)


def _count(header: Token) -> int:
    return int(header.split(":")[1])
