"""Names and values as XCSP3 has them: identifiers and integers of a size that its solvers take."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from f2csp.formats.xcsp3.operators import OPERATORS
from f2csp.model import Problem
from f2csp.structure import Numbering

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_FOREIGN = re.compile(r"[^A-Za-z0-9_]")
_LARGEST = 10_000_000  # the sum of two such values is still one that Choco takes


@dataclass(frozen=True, slots=True)
class Naming:
    """What the names and the words of a problem become.

    Attributes:
        identifiers: for each variable, its name if that is an identifier.
        numbers: for each word, the integer that it writes if that is not too large.
        is_exact: for each word, whether its number is the integer that it writes.
        numbering: the same, for the constraint model.
    """

    identifiers: list[str]
    numbers: list[int]
    is_exact: list[bool]
    numbering: Numbering

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """The names and numbers of a problem, always the same ones."""
        numbering = Numbering.compact(problem, _LARGEST)
        numbers, is_own = numbering.numbers.tolist(), numbering.is_own.tolist()
        return cls(_identifiers(problem.variable_names), numbers, is_own, numbering)


def _identifiers(names: Sequence[str]) -> list[str]:
    kept = {name for name in names if _IDENTIFIER.fullmatch(name) and name not in OPERATORS}
    taken = kept | OPERATORS
    numbers: dict[str, int] = {}
    return [name if name in kept else _new_identifier(name, taken, numbers) for name in names]


def _new_identifier(name: str, taken: set[str], numbers: dict[str, int]) -> str:
    """An identifier that is like a name and is not taken, and now is."""
    base = _FOREIGN.sub("_", name)
    if not base[0].isalpha():
        base = f"v{base}"
    identifier = base
    while identifier in taken:
        numbers[base] = numbers.get(base, 1) + 1  # counted on, so that a thousand names alike are no matter
        identifier = f"{base}_{numbers[base]}"
    taken.add(identifier)
    return identifier
