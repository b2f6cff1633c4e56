"""Solutions that solvers of XCSP3 print: each is an ``<instantiation>``, on lines that begin with v.

s SATISFIABLE
v <instantiation id='sol1' type='solution'>
v   <list> x y z </list>
v   <values> 1 4 2 </values>
v </instantiation>
"""

import re
from collections.abc import Iterator

from f2csp.diagnostics import Collector, Source
from f2csp.formats.xcsp3.xcsp3_names import Naming
from f2csp.model import Problem
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
