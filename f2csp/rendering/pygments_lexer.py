"""F2CSP in colour wherever Pygments is at work, as in Sphinx, rich and Jupyter, by the terminals of the grammar."""

import re
from collections.abc import Callable, Iterator
from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Generic, Keyword, Name, Number, Punctuation, Text, Whitespace

from f2csp.diagnostics import SITE
from f2csp.text.terminals import FOLLOWERS, pattern

_Found = Iterator[tuple[int, object, str]]

_PIECE = re.compile(rf"(?P<word>{pattern('_WORD').decode()})|(?P<blank>[ \t\r\n]+)|(?P<sign>.)", re.DOTALL)


def _words(*kinds: object) -> Callable[[RegexLexer, re.Match[str]], _Found]:
    """Cuts a terminal into words of these kinds, the last of which is that of all further ones."""

    def cut(_lexer: RegexLexer, match: re.Match[str]) -> _Found:
        left = list(kinds)
        for piece in _PIECE.finditer(match[0]):
            kind: object = Whitespace if piece["blank"] else Punctuation
            if piece["word"]:
                kind = left.pop(0) if len(left) > 1 else left[0]
            yield match.start() + piece.start(), kind, piece[0]

    return cut


def _terminal(name: str, *kinds: object) -> tuple[object, ...]:
    return pattern(name).decode(), _words(*kinds)


def _section(word: str) -> tuple[object, ...]:
    return (*_terminal(word.upper(), Keyword, Keyword if word == "goal" else Number), ("#pop", word))


_CONTENT = {
    "title": [_terminal("_BOM", Text), _terminal("_NL", Text), _terminal("TITLE", Generic.Heading)],
    "domains": [_terminal("DOMAIN_LINE", Name.Class, Name.Constant)],
    "variables": [_terminal("VARIABLE_LINE", Name.Variable, Name.Class)],
    "constraints": [_terminal("LABEL", Name.Function)],
    "vars": [_terminal("SCOPE", Name.Variable)],
    "reject": [_terminal("TUPLES", Name.Constant), _terminal("LABEL", Name.Function)],
    "goal": [],
}
_CONTENT["accept"] = _CONTENT["reject"]
_EVERYWHERE = [*map(_section, list(FOLLOWERS)[1:]), (r"[^\n]+\n?|\n", _words(Text))]


class F2cspLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Colours texts, also those with faults: what the grammar does not know is plain up to the end of its line."""

    name = "F2CSP"
    aliases = ("f2csp",)
    filenames = ("*.csp",)
    url = SITE

    tokens: ClassVar = {state: [*content, *_EVERYWHERE] for state, content in _CONTENT.items()}
    tokens["root"] = tokens["title"]
