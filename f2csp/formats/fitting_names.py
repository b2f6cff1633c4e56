"""Names that fit other formats, like those of a problem; and titles from other formats that fit here."""

import re
from collections.abc import Sequence
from dataclasses import replace

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


def declared_variables(problem: Problem) -> list[str]:
    """Each variable and its domain as F2CSP declares them, for notes."""
    domains = problem.variable_domains.tolist()
    return [f"{name}: {problem.domain_names[d]}" for name, d in zip(problem.variable_names, domains, strict=True)]


def noted_problem(domains: Sequence[str], variables: Sequence[str], title: str = "") -> Problem | None:
    """The declarations in the notes of a file as a problem without constraints; None if they are not sound.

    A format without names has a note for each declaration, spelled as in F2CSP, where it keeps remarks for people.
    Somebody else may have written or edited them: the reader writes the notes of this problem again, and takes its
    names only if the file has the same notes.
    """
    counts = [f"Domains: {len(domains)}", f"Variables: {len(variables)}"]
    lines = [counts[0], *domains, counts[1], *variables, "Constraints: 0", "Goal: Satisfy"]
    try:
        problem = loads("\n".join(lines), max_range_values=_MAX_NOTED_VALUES)
    except InvalidInput:
        return None
    return replace(problem, title=fitting_title(title))
