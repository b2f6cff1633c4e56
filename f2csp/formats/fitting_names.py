"""Names that fit other formats, like those of a problem; and titles from other formats that fit here."""

import re
from collections.abc import Sequence

from f2csp.diagnostics import InvalidInput, ProblemError
from f2csp.model import Problem
from f2csp.model.builder import checked_title
from f2csp.text.load import loads

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_NOT_IN_IDENTIFIER = re.compile(r"[^A-Za-z0-9_]")
_MAX_NOTED_VALUES = 2_000_000


def is_identifier(name: str) -> bool:
    """Whether a name is a letter followed by letters, digits and underscores, all of ASCII."""
    return _IDENTIFIER.fullmatch(name) is not None


def identifier_like(name: str) -> str:
    base = _NOT_IN_IDENTIFIER.sub("_", name)
    return base if base[0].isalpha() else f"v{base}"


def fresh_name(base: str, taken: set[str], numbers: dict[str, int]) -> str:
    """The base, with a number from 2 if that is taken; adds the name to those that are taken.

    The numbers, one dictionary for all calls, go on from one call to the next: a thousand similar names take linear
    time.
    """
    name = base
    while name in taken:
        numbers[base] = numbers.get(base, 1) + 1
        name = f"{base}_{numbers[base]}"
    taken.add(name)
    return name


def fitting_title(text: str) -> str:
    try:
        return checked_title(text)
    except ProblemError:
        return ""


def noted_problem(domains: Sequence[str], variables: Sequence[str]) -> Problem | None:
    """The problem with the declarations in the comments of another format, spelled as in F2CSP, if they are sound."""
    counts = [f"Domains: {len(domains)}", f"Variables: {len(variables)}"]
    lines = [counts[0], *domains, counts[1], *variables, "Constraints: 0", "Goal: Satisfy"]
    try:
        return loads("\n".join(lines), max_range_values=_MAX_NOTED_VALUES)
    except InvalidInput:
        return None
