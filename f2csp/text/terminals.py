"""The grammars in ``grammars/``, and patterns made from the terminals of ``f2csp.lark`` without importing lark."""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark

# The sections that may come next; ``vars``, ``reject`` and ``accept`` are the parts of a constraint.
FOLLOWERS = {
    "title": ("domains",),
    "domains": ("variables",),
    "variables": ("constraints",),
    "constraints": ("vars", "goal"),
    "vars": ("reject", "accept"),
    "reject": ("vars", "goal"),
    "accept": ("vars", "goal"),
    "goal": (),
}

# A regular expression, the name of a terminal, or a sign of lark between them.
_REGEX_PART = re.compile(r"/((?:[^/\\]|\\.)+)/|([A-Z_]+)|([(|)*+?])|[ ]+")


def grammar_path(name: str) -> Path:
    """The path of a grammar: inside the package when it is installed, beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "grammars" / name
    return inside if inside.exists() else package.parent / "grammars" / name


def parser(name: str, **options: Any) -> "Lark":
    """A LALR parser for a grammar of ``grammars/``; ``options`` are lark's."""
    from lark import Lark

    return Lark(grammar_path(name).read_text(encoding="utf-8"), parser="lalr", **options)


@cache
def language() -> "Lark":
    """The parser of F2CSP, with the start rules ``start`` and ``block``."""
    return parser("f2csp.lark", start=["start", "block"])


def pattern(name: str) -> bytes:
    """A terminal of F2CSP as a regular expression over bytes, to build others with."""
    return _expanded(name).replace(r"\ufeff", r"\xef\xbb\xbf").encode()


@cache
def terminal(name: str) -> re.Pattern[bytes]:
    """A terminal of F2CSP, compiled; lark is not imported for it, which takes longer than to read a small file."""
    return re.compile(pattern(name))


@cache
def _definitions() -> dict[str, str]:
    text = grammar_path("f2csp.lark").read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Z_]+): (.*)$", text, re.MULTILINE))


def _expanded(name: str) -> str:
    def expand(part: re.Match[str]) -> str:
        literal, other, sign = part.groups()
        if sign:
            return "(?:" if sign == "(" else str(sign)
        return f"(?:{literal or _expanded(other)})" if literal or other else ""

    return _REGEX_PART.sub(expand, _definitions()[name])
