"""Answers of solvers for XCSP3.

Solvers print each solution as an ``<instantiation>``, on lines that begin with v:

    s SATISFIABLE
    v <instantiation id='sol1' type='solution'>
    v   <list> x y z </list>
    v   <values> 1 4 2 </values>
    v </instantiation>
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, repeat

from f2csp.diagnostics import Collector, Source
from f2csp.formats.xcsp3.xcsp3_writer import Naming
from f2csp.model import Problem
from f2csp.model.words import is_auxiliary
from f2csp.solutions import Assignments, Solution

_VALUE_LINE = re.compile(rb"^v(?=[ \t])", re.MULTILINE)
_OTHER_LINE = re.compile(rb"^(?!v[ \t])[^\n]++", re.MULTILINE)
_INSTANTIATION = re.compile(
    rb"<instantiation\b[^>]*+>\s*+<list>([^<]*+)</list>\s*+<values>([^<]*+)</values>\s*+</instantiation>"
)
_WORD = re.compile(rb"[^\s]++")
_REPEATED = re.compile(r"(-?[0-9]{1,18}|\*)x([0-9]{1,18})")
_UNSATISFIABLE = re.compile(rb"^s[ \t]+UNSATISFIABLE", re.MULTILINE)

_Word = tuple[str, tuple[int, int]]  # with its place


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions that a solver printed for the problem as exported to XCSP3."""
    data, collector = source.data, Collector(source)
    assignments = Assignments(problem, collector, list(filter(is_auxiliary, problem.variable_names)))
    naming = Naming.of(problem)
    names = dict(zip(naming.identifiers, problem.variable_names, strict=True)) or {"none": ""}
    words = {str(number): word for number, word in zip(naming.numbers, problem.words, strict=True)}
    first_words = {variable.name: variable.domain.words[0] for variable in problem.variables}
    for match in _INSTANTIATION.finditer(_solver_output(data)):
        assignments.begin()
        for (identifier, place), (value, value_place) in _pairs(match, assignments):
            name = names.get(identifier, identifier)
            if name:  # a star matches any value
                word = first_words.get(name, value) if value == "*" else words.get(value, value)
                assignments.add(name, place, word, value_place)
        assignments.finish(match.start(), match.end())
    if not assignments.solutions:
        if refusal := _UNSATISFIABLE.search(data):
            collector.add("F511", *refusal.span(), "the solver found that there is no solution")
        else:
            hint = "run the solver so that it prints solutions: ACE and Choco always do, cosoco with -model"
            message = "expected an <instantiation> with a list and its values"
            collector.add("F511", len(data), len(data), message, hint=hint)
    collector.raise_if_errors()
    return assignments.solutions


def _solver_output(data: bytes) -> bytes:
    """The text with blanks instead of everything that is not on lines v, if there are such lines."""
    if not _VALUE_LINE.search(data):
        return data
    return _VALUE_LINE.sub(b" ", _OTHER_LINE.sub(lambda match: b" " * len(match.group()), data))


def _pairs(match: re.Match[bytes], assignments: Assignments) -> Iterator[tuple[_Word, _Word]]:
    """The names and the values of one solution."""
    names = [(name, place) for word, place in _words(match, 1) for name in _named(word, assignments)]
    values = list(islice(_words(match, 2), len(names) + 1))
    if len(names) != len(values):
        found = f"{len(values)}" if len(values) <= len(names) else f"more than {len(names)}"
        message = f"expected {len(names)} values, one for each variable in the list, found {found}"
        assignments.collector.add("F504", *match.span(2), message)
        assignments.n_lost += 1
    return zip(names, values, strict=False)


def _named(word: str, assignments: Assignments) -> Sequence[str]:
    """The variables that a word names: itself, or the cells of an array."""
    if "[]" not in word:
        return [word]
    pattern = re.compile(re.escape(word).replace(r"\[\]", r"\[[0-9]+\]"))
    return [name for name in assignments.problem.variable_names if pattern.fullmatch(name)] or [word]


def _words(match: re.Match[bytes], group: int) -> Iterator[_Word]:
    """The names, or the values, where 0x25 is 25 times 0."""
    for found in _WORD.finditer(match.string, *match.span(group)):
        word = found.group().decode("utf-8", "replace")
        repeated = _REPEATED.fullmatch(word) if group == 2 else None
        yield from repeat((repeated[1] if repeated else word, found.span()), int(repeated[2]) if repeated else 1)
