"""Names and values of a problem in XCSP3, identifiers and integers of a size that its solvers take, and the way back.

The attributes ``note``, which XCSP3 has for people, keep the title, the domains in order, and the names:

    <instance note="Map of two countries" ...>
      <variables note="colour: red=0 green=1, D2: 1..4">
        <var id="v1_A" note="1-A: colour"> 0 1 </var>

Notes that do not fit the file, because somebody else wrote or edited it, are ignored.

Solvers print each solution as an ``<instantiation>``, on lines that begin with v:

    s SATISFIABLE
    v <instantiation id='sol1' type='solution'>
    v   <list> x y z </list>
    v   <values> 1 4 2 </values>
    v </instantiation>
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from f2csp.diagnostics import Collector, InvalidInput, ProblemError, Source, Unsuitable
from f2csp.formats.xcsp3.declarations import Variables
from f2csp.formats.xcsp3.expressions import RESERVED
from f2csp.model import Problem
from f2csp.model.builder import checked_title
from f2csp.model.words import is_integer
from f2csp.solutions import Assignments, Solution
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

_VALUE_LINE = re.compile(rb"^v(?=[ \t])", re.MULTILINE)
_OTHER_LINE = re.compile(rb"^(?!v[ \t])[^\n]++", re.MULTILINE)
_INSTANTIATION = re.compile(
    rb"<instantiation\b[^>]*+>\s*+<list>([^<]*+)</list>\s*+<values>([^<]*+)</values>\s*+</instantiation>"
)
_WORD = re.compile(rb"[^\s]++")
_REPEATED = re.compile(r"(-?[0-9]{1,18}|\*)x([0-9]{1,18})")
_UNSATISFIABLE = re.compile(rb"^s[ \t]+UNSATISFIABLE", re.MULTILINE)

_Word = tuple[str, tuple[int, int]]  # with its place


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
    if not note or not all(variables.notes):
        return None
    domains = _NUMBER.sub("", note).split(", ")
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


# ---- Answers of solvers ---------------------------------------------------------------------------------------------


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions that a solver printed for the problem as exported to XCSP3.

    Raises:
        InvalidInput: the text holds no solution, or does not fit the problem.
    """
    collector = Collector(source)
    assignments = Assignments(problem, collector, ())
    naming = Naming.of(problem)
    names = dict(zip(naming.identifiers, problem.variable_names, strict=True)) or {"none": ""}
    words = {str(number): word for number, word in zip(naming.numbers, problem.words, strict=True)}
    first_words = {variable.name: variable.domain.words[0] for variable in problem.variables}
    for match in _INSTANTIATION.finditer(_solver_output(source.data)):
        assignments.begin()
        for (identifier, place), (value, value_place) in _pairs(match, assignments):
            name = names.get(identifier, identifier)
            if name:  # a star stands for any value
                word = first_words.get(name, value) if value == "*" else words.get(value, value)
                assignments.add(name, place, word, value_place)
        assignments.finish(match.start(), match.end())
    if not assignments.solutions:
        _report_nothing(source, collector)
    collector.raise_if_errors()
    return assignments.solutions


def _solver_output(data: bytes) -> bytes:
    """The text with blanks instead of everything that is not on lines v, if there are such lines."""
    if not _VALUE_LINE.search(data):
        return data
    without_others = _OTHER_LINE.sub(lambda match: b" " * len(match.group()), data)
    return _VALUE_LINE.sub(b" ", without_others)


def _pairs(match: re.Match[bytes], assignments: Assignments) -> Iterator[tuple[_Word, _Word]]:
    """The names and the values of one solution."""
    names = list(_words(match, 1))
    values = list(_values(match, len(names)))
    if len(names) != len(values):
        found = f"{len(values)}" if len(values) <= len(names) else f"more than {len(names)}"
        message = f"expected {len(names)} values, one for each variable in the list, found {found}"
        assignments.collector.add("F504", *match.span(2), message)
        assignments.lose()
    return zip(names, values, strict=False)


def _words(match: re.Match[bytes], group: int) -> Iterator[_Word]:
    start = match.start(group)
    for word in _WORD.finditer(match.group(group)):
        yield word.group().decode("utf-8", "replace"), (start + word.start(), start + word.end())


def _values(match: re.Match[bytes], most: int) -> Iterator[_Word]:
    """The values, where 0x25 is 25 times 0; one more than ``most`` at the most."""
    n_left = most + 1
    for word, place in _words(match, 2):
        repeated = _REPEATED.fullmatch(word)
        value, n = (str(repeated[1]), int(repeated[2])) if repeated else (word, 1)
        yield from [(value, place)] * min(n, n_left)
        n_left -= min(n, n_left)


def _report_nothing(source: Source, collector: Collector) -> None:
    if match := _UNSATISFIABLE.search(source.data):
        collector.add("F511", *match.span(), "the solver found that there is no solution")
        return
    end = len(source.data)
    hint = "run the solver so that it prints solutions: ACE and Choco always do, cosoco with -model"
    collector.add("F511", end, end, "expected an <instantiation> with a list and its values", hint=hint)
