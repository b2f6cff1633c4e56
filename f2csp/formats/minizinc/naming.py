"""Names and values as MiniZinc has them: identifiers, in quotes where they need some, and integers.

An integer that is not too large for solvers stays what it is. Any other value is a constant of its own name.
"""

import re
from dataclasses import dataclass
from typing import Self

from f2csp.model import Problem
from f2csp.model.words import is_integer
from f2csp.structure import Numbering

RESERVED = ("rejects", "words", "word")
"""What the models call their own things; and table_1, table_2, ..."""

_LARGEST = 1_000_000_000  # the sum of two such values is still one that Gecode takes
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_UNQUOTABLE = re.compile(r"['\\]")
_OTHERS = re.compile(r"table_[0-9]+|(?:mzn_|fzn_|X_INTRODUCED).*|[^A-Za-z0-9]+")  # operators may stand in quotes too
_KEYWORDS = re.compile(
    "ann|annotation|any|array|bool|case|constraint|default|diff|div|else|elseif|endif|enum|false|float|function|if|in|"
    "include|infinity|int|intersect|let|list|maximize|minimize|mod|not|of|op|opt|output|par|predicate|record|satisfy|"
    "set|solve|string|subset|superset|symdiff|test|then|true|tuple|type|union|var|where|xor"
)


@dataclass(frozen=True, slots=True)
class Naming:
    """What the names and the words of a problem become.

    Attributes:
        variables: for each variable its identifier.
        domains: for each domain its identifier.
        words: for each word what stands for it.
        is_exact: for each word, whether that is the integer that it writes.
        numbering: the numbers of the words.
        constants: for each word that is not exact, in order, its identifier.
        first: the number of the first of these; the others follow.
    """

    variables: list[str]
    domains: list[str]
    words: list[str]
    is_exact: list[bool]
    numbering: Numbering
    constants: dict[str, str]
    first: int

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """The names and numbers of a problem, always the same ones."""
        taken = set(RESERVED)
        variables = [_identifier(name, taken) for name in problem.variable_names]
        domains = [_identifier(name, taken) for name in problem.domain_names]
        own = [int(word) for word in problem.words if is_integer(word)]
        first = max((number for number in own if 0 < number <= _LARGEST), default=0) + 1
        numbering = Numbering.compact(problem, _LARGEST, first)
        is_exact: list[bool] = numbering.is_own.tolist()
        constants = {
            word: _identifier(word, taken) for word, exact in zip(problem.words, is_exact, strict=True) if not exact
        }
        return cls(
            variables,
            domains,
            [constants.get(word, word) for word in problem.words],
            is_exact,
            numbering,
            constants,
            first,
        )


def _identifier(name: str, taken: set[str]) -> str:
    """An identifier that is like a name and is not taken, and now is."""
    name = _UNQUOTABLE.sub("_", name)
    if _OTHERS.fullmatch(name):
        name = f"its_{name}"
    while name in taken or _KEYWORDS.fullmatch(name):
        name = f"{name}_"
    taken.add(name)
    return name if _IDENTIFIER.fullmatch(name) else f"'{name}'"


def quoted(text: str) -> str:
    """A text as a string of MiniZinc."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
