"""What the editor adds to the text: colours by meaning, and hints between the words."""

from collections.abc import Iterable

from lsprotocol import types as t

from f2csp.editor.document import Document
from f2csp.text.word_roles import Role, Word

_MAX_COLOURED = 200_000  # bytes; of a larger text, ranges are coloured
_MIN_ROWS = 5  # of a table whose columns have the names of their variables

_TYPES = {Role.TITLE: "string", Role.SECTION: "keyword", Role.COUNT: "number", Role.DOMAIN: "type"}
_TYPES |= {Role.VARIABLE: "variable", Role.CONSTRAINT: "function", Role.VALUE: "enumMember", Role.GOAL: "keyword"}
TOKEN_LEGEND = t.SemanticTokensLegend([*dict.fromkeys(_TYPES.values())], ["declaration"])
_TYPE_NUMBERS = {role: TOKEN_LEGEND.token_types.index(name) for role, name in _TYPES.items()}
_DECLARED_IN = {"domains": Role.DOMAIN, "variables": Role.VARIABLE, "label": Role.CONSTRAINT}


def semantic_tokens(document: Document, params: t.SemanticTokensParams) -> t.SemanticTokens | None:  # noqa: ARG001
    """The words of the whole text; None for a large one, of which only ranges are asked for then."""
    size = len(document.data)
    return _tokens(document, document.examination.words(0, size)) if size <= _MAX_COLOURED else None


def semantic_tokens_in_range(document: Document, params: t.SemanticTokensRangeParams) -> t.SemanticTokens:
    """The words on the lines of a range."""
    return _tokens(document, _words_in(document, params.range))


def _words_in(document: Document, range_: t.Range) -> Iterable[Word]:
    start = document.offset(range_.start)
    return document.examination.words(start, min(document.offset(range_.end), start + _MAX_COLOURED))


def _tokens(document: Document, words: Iterable[Word]) -> t.SemanticTokens:
    """Five numbers for each word: its line and column, counted from the word before, length, type, modifiers."""
    data: list[int] = []
    last = t.Position(0, 0)
    for word in words:
        at, length = document.position(word.start), document.length(word.start, word.end)
        column = at.character - last.character if at.line == last.line else at.character
        is_declared = int(_DECLARED_IN.get(word.section) is word.role)
        data += [at.line - last.line, column, length, _TYPE_NUMBERS[word.role], is_declared]
        last = at
    return t.SemanticTokens(data)


def inlay_hints(document: Document, params: t.InlayHintParams) -> list[t.InlayHint]:
    """What a constraint says, behind its label; the share of tuples; the variables above the columns of long tables."""
    examination = document.examination
    hints: list[t.InlayHint] = []
    headed: set[int] = set()  # the constraints of whose tables a row was met
    row = -1
    for word in _words_in(document, params.range):
        if word.constraint is None:
            continue
        constraint = examination.constraints[word.constraint]
        if word.role is Role.CONSTRAINT:
            hints.append(_hint(document, word.end, document.meaning(constraint)))
        elif word.role is Role.COUNT and word.section in ("reject", "accept"):
            hints.append(_hint(document, word.end, document.size(constraint)))
        elif word.role is Role.VALUE and constraint.n_rows >= _MIN_ROWS:
            if word.position == 0:
                row = word.start if word.constraint not in headed else -1
                headed.add(word.constraint)
            if row >= 0 and word.position < len(constraint.scope):
                name = examination.text_of(constraint.scope[word.position])
                hints.append(t.InlayHint(document.position(word.start), f"{name}=", t.InlayHintKind.Parameter))
    return [hint for hint in hints if hint.label]


def _hint(document: Document, offset: int, text: str) -> t.InlayHint:
    return t.InlayHint(document.position(offset), text, padding_left=True)
