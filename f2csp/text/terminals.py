"""The grammars in ``grammars/``: where they are, and parsers and patterns made from them."""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark


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
    """The parser of F2CSP, with the start rules ``start`` (strict) and ``tolerant``."""
    return parser("f2csp.lark", start=["start", "tolerant"])


@cache
def terminal(name: str) -> re.Pattern[bytes]:
    """A terminal of F2CSP as a pattern over bytes; without lark, whose import takes longer than reading a small file.

    The terminal must be a sequence of patterns and of such terminals.
    """
    return re.compile(_pattern(name).encode())


@cache
def _definitions() -> dict[str, str]:
    text = grammar_path("f2csp.lark").read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Z_]+): (.*)$", text, re.MULTILINE))


def _pattern(name: str) -> str:
    parts = re.findall(r"/((?:[^/\\]|\\.)+)/|([A-Z_]+)", _definitions()[name])
    return "".join([f"(?:{literal or _pattern(other)})" for literal, other in parts])
