"""Names and values of a problem in XCSP3: identifiers and integers of a size that its solvers take, and the way back.

The attributes ``note``, which XCSP3 has for people, keep the title, the domains in order, and the names:

    <instance note="Map of two countries" ...>
      <variables note="colour: red=0 green=1, D2: 1..4">
        <var id="v1_A" note="1-A: colour"> 0 1 </var>

Notes that do not fit the file, because somebody else wrote or edited it, are ignored.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from f2csp.diagnostics import InvalidInput, ProblemError, Unsuitable
from f2csp.formats.xcsp3.declarations import Variables
from f2csp.formats.xcsp3.expressions import RESERVED
from f2csp.model import Problem
from f2csp.model.builder import checked_title
from f2csp.model.words import is_integer
from f2csp.structure import Numbering
from f2csp.text.columns import ColumnsBuilder
from f2csp.text.load import loads

FREE = "so that no variable is free"
"""The note of a constraint that is always true: some solvers ignore variables without a constraint."""

NO_VARIABLE = "so that there is a variable"
"""The note of a variable that is not in the problem: no solver takes an instance without variables."""

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_NOT_IN_IDENTIFIER = re.compile(r"[^A-Za-z0-9_]")
_MAX_NUMBER = 10_000_000  # Choco takes the sum of two such values
_MAX_NOTED_VALUES = 2_000_000
_MIN_RANGE = 3  # values that are written as a range
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
_NUMBER = re.compile(r"=-?[0-9]+")
_SPECIAL = re.compile(r'[&<>"\n\t\ufffe\uffff]')


@dataclass(frozen=True, slots=True)
class Naming:
    """The names and the words of a problem in XCSP3.

    Attributes:
        identifiers: for each variable, its name if that is an identifier, else one that is like it.
        numbers: for each word, its integer.
        numbering: the same, for the constraint model.
    """

    identifiers: list[str]
    numbers: list[int]
    numbering: Numbering

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """The names and numbers of a problem, always the same ones."""
        numbering = Numbering.compact(problem, _MAX_NUMBER)
        return cls(_identifiers(problem.variable_names), numbering.numbers.tolist(), numbering)


def _identifiers(names: Sequence[str]) -> list[str]:
    kept = {name for name in names if _IDENTIFIER.fullmatch(name) and name not in RESERVED}
    taken = kept | RESERVED
    numbers: dict[str, int] = {}
    return [name if name in kept else _new_identifier(name, taken, numbers) for name in names]


def _new_identifier(name: str, taken: set[str], numbers: dict[str, int]) -> str:
    """An identifier that is like a name and is not taken, and now is."""
    base = _NOT_IN_IDENTIFIER.sub("_", name)
    if not base[0].isalpha():
        base = f"v{base}"
    identifier = base
    while identifier in taken:
        numbers[base] = numbers.get(base, 1) + 1  # continued, so that a thousand similar names take linear time
        identifier = f"{base}_{numbers[base]}"
    taken.add(identifier)
    return identifier


# ---- Writing notes ---------------------------------------------------------------------------------------------------


def note_attribute(text: str) -> str:
    """A note in a tag; nothing for an empty one.

    Raises:
        Unsuitable: it has a character that XML cannot hold.
    """
    return f' note="{_SPECIAL.sub(_escaped, text)}"' if text else ""


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    if character not in _ESCAPES:
        raise Unsuitable(f"XML cannot hold the character U+{ord(character):04X} of a name or of the title")
    return _ESCAPES[character]


def domains_note(problem: Problem, naming: Naming) -> str:
    """The domains with their values in order, and the numbers of the values that are not their own."""
    words = [
        word if is_own else f"{word}={number}"
        for word, number, is_own in zip(problem.words, naming.numbers, naming.numbering.is_own.tolist(), strict=True)
    ]
    domains = zip(problem.domain_names, problem.domain_values, strict=True)
    return ", ".join(
        f"{name}: {' '.join(with_ranges([words[i] for i in values.tolist()]))}" for name, values in domains
    )


def with_ranges(words: Sequence[str]) -> Iterator[str]:
    """The words, with a..b for consecutive integers."""
    start = 0
    while start < len(words):
        end = start + 1
        if is_integer(words[start]):
            first = int(words[start]) - start
            while end < len(words) and is_integer(words[end]) and int(words[end]) == first + end:
                end += 1
        if end - start >= _MIN_RANGE:
            yield f"{words[start]}..{words[end - 1]}"
        else:
            yield from words[start:end]
        start = end


# ---- Reading notes ---------------------------------------------------------------------------------------------------


def read_title(note: str) -> str:
    """The title in a note; none if the note cannot be one."""
    try:
        return checked_title(note)
    except ProblemError:
        return ""


def declare(variables: Variables, note: str, builder: ColumnsBuilder) -> list[int]:
    """Declare the variables with their domains, under the names in the notes, and give the number of each word."""
    problem = _noted_problem(variables, note)
    if problem is not None:
        for domain in problem.domains:
            builder.domain(domain.name, domain.words)
        for name, index in zip(problem.variable_names, problem.variable_domains.tolist(), strict=True):
            builder.variable(name, index)
        return Naming.of(problem).numbers
    for i, values in enumerate(variables.values, 1):
        builder.domain(f"D{i}", list(map(str, values)))
    for name, index in zip(variables.names, variables.domains, strict=True):
        builder.variable(name, index)
    return list(map(int, builder.words))


def _noted_problem(variables: Variables, note: str) -> Problem | None:
    """The declarations in the notes, or None if these declarations would not be written as they are in the file."""
    if not note and any(not note for note in variables.notes):
        return None
    domains = _NUMBER.sub("", note).split(", ") if note else []
    counts = [f"Domains: {len(domains)}", f"Variables: {len(variables.notes)}"]
    lines = [counts[0], *domains, counts[1], *variables.notes, "Constraints: 0", "Goal: Satisfy"]
    try:
        problem = loads("\n".join(lines), max_range_values=_MAX_NOTED_VALUES)
    except InvalidInput:
        return None
    naming = Naming.of(problem)
    declared = list(map(sorted, variables.values))
    noted = [sorted(naming.numbers[i] for i in values.tolist()) for values in problem.domain_values]
    pairs = set(zip(problem.variable_domains.tolist(), variables.domains, strict=False))
    is_as_written = (
        naming.identifiers == variables.names
        and domains_note(problem, naming) == note
        and all(noted[i] == declared[j] for i, j in pairs)
    )
    return problem if is_as_written else None
