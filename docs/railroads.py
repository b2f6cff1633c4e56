"""Railroad diagrams of the format: the rules as lark's own loader reads them, and the terminals by hand.

A test draws random lines from the diagrams of terminals and holds them against the patterns of the grammar.
"""

from io import StringIO
from typing import Any

import railroad as r
from lark import Token, Tree
from lark.load_grammar import load_grammar

from docs.program import ROOT

_GRAMMAR = ROOT / "grammars" / "f2csp.lark"
_END = "end of line"
_STYLE = """
svg { background-color: #fff; }
path { stroke-width: 2; stroke: #333; fill: none; }
text { font: bold 14px monospace; text-anchor: middle; fill: #111; }
rect { stroke-width: 2; stroke: #333; fill: #e8f0fb; }
g.non-terminal rect { fill: #f3f3f3; }
g.non-terminal text { font-weight: normal; font-style: italic; }
"""


def _end() -> r.NonTerminal:
    return r.NonTerminal(_END)


def _header(word: str, end: str = "count") -> list[Any]:
    return [r.Terminal(word), r.Terminal(":"), r.Optional(r.OneOrMore(_end()), skip=True), r.NonTerminal(end), _end()]


def _list(item: str) -> r.OneOrMore:
    return r.OneOrMore(r.NonTerminal(item), r.Choice(0, r.Terminal(" "), r.Terminal(",")))


TERMINALS = {
    "DOMAINS": _header("Domains"),
    "VARS": _header("Vars"),
    "REJECT": _header("Reject"),
    "ACCEPT": _header("Accept"),
    "GOAL": _header("Goal", "Satisfy"),
    "DOMAIN_LINE": [
        r.NonTerminal("name"),
        r.Choice(0, r.Terminal(":"), r.Terminal("=")),
        r.Choice(0, _list("value or range"), r.Sequence(r.Terminal("{"), _list("value or range"), r.Terminal("}"))),
        _end(),
    ],
    "VARIABLE_LINE": [r.NonTerminal("name"), r.Terminal(":"), r.NonTerminal("domain"), _end()],
    "LABEL": [r.NonTerminal("name"), r.Optional(r.Terminal(":"), skip=True), _end()],
    "SCOPE": [
        r.OneOrMore(r.NonTerminal("variable"), r.Choice(0, r.Terminal(" "), r.Terminal(","), _end())),
        _end(),
    ],
    "TUPLES": [
        r.OneOrMore(
            r.Sequence(
                r.Choice(0, _list("value"), r.OneOrMore(r.Sequence(r.Terminal("("), _list("value"), r.Terminal(")")))),
                _end(),
            )
        )
    ],
}
"""The parts of each terminal that is worth a diagram, by its name in the grammar; blanks around them are free."""


def rules() -> dict[str, Any]:
    """The diagram of each rule of the grammar."""
    grammar = load_grammar(_GRAMMAR.read_text(encoding="utf-8"), _GRAMMAR.name, [], False)
    return {name: _drawn(tree) for name, _, tree, _ in grammar[0].rule_defs if name != "block"}


def _drawn(tree: Any) -> Any:
    """The diagram of a part of a rule."""
    if not isinstance(tree, Tree):
        return r.Terminal(str(tree)) if isinstance(tree, Token) else _named(tree.name)
    parts = tree.children
    if tree.data == "expansions":
        return _drawn(parts[0]) if len(parts) == 1 else r.Choice(0, *map(_drawn, parts))
    if tree.data == "expansion":
        drawn = [item for item in map(_drawn, parts) if item is not None]
        return drawn[0] if len(drawn) == 1 else r.Sequence(*drawn)
    if tree.data == "expr":
        item = _drawn(parts[0])
        maker = {"?": r.Optional, "*": r.ZeroOrMore, "+": r.OneOrMore}[str(parts[1])]
        return None if item is None else maker(item)
    return _drawn(parts[0])


def _named(name: str) -> Any:
    return None if name.startswith("_") else r.NonTerminal(name)


def svg(items: Any) -> str:
    """A diagram as a file."""
    diagram = r.Diagram(*(items if isinstance(items, list) else [items]))
    text = StringIO()
    diagram.writeStandalone(text.write, _STYLE)
    return text.getvalue()


def railroads() -> dict[str, str]:
    """All diagrams: the names of the files and their texts."""
    drawn = {name: svg(item) for name, item in rules().items() if item is not None}
    return drawn | {name: svg(items) for name, items in TERMINALS.items()}


def railroad_page(names: list[str]) -> str:
    """The page that shows them."""
    shown = [f"## {name}\n\n![Railroad diagram of {name}](diagrams/{name}.svg){{ .diagram }}\n" for name in names]
    return "\n".join([_BEFORE, *shown, _BEHIND])


_BEFORE = """\
# The grammar as diagrams

Words in lower case are rules, words in capitals parts of a text that are drawn below. Blanks may stand around each part
of a line, and blank lines between lines. The section words have any letter case. The definition is the
[grammar](../grammars/f2csp.lark), of which the rules are drawn; [the format](../grammars/README.md) explains it.
"""
_BEHIND = """\
VARIABLES and CONSTRAINTS are as DOMAINS. A TITLE is every line before `Domains:`. A name, a value or a variable is any
word without blanks and without `: , ( ) { } =`; a range is `1..9`; a count is a number of at most 18 digits.
"""
