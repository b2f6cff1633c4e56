"""What solvers of XCSP3 print, read back: each solution as an ``<instantiation>``, on lines that begin with v.

s SATISFIABLE
v <instantiation id='sol1' type='solution'>
v   <list> x y z </list>
v   <values> 1 4 2 </values>
v </instantiation>
"""

import re
from collections.abc import Iterator
from itertools import repeat

from f2csp.diagnostics import Collector, InvalidInput, Source
from f2csp.formats.foreign import Solution
from f2csp.formats.xcsp3.naming import Naming
from f2csp.model import Problem
from f2csp.solutions import Assignments

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
    """The solutions in what a solver printed for the problem as it is written here.

    Raises:
        InvalidInput: there is none, or it does not fit the problem.
    """
    collector = Collector(source)
    assignments = Assignments(problem, collector, ())
    names = _Names(problem)
    for match in _INSTANTIATION.finditer(_blanked(source.data)):
        assignments.begin()
        _take(match, names, assignments)
        assignments.finish(match.start(), match.end())
    if not assignments.solutions:
        _tell_nothing(source, collector)
    if collector.n_errors:
        raise InvalidInput(collector.diagnostics(), collector.n_hidden)
    return assignments.solutions


def _blanked(data: bytes) -> bytes:
    """The text with blanks for all that does not stand on lines v; a text without such lines is an answer itself."""
    if not _VALUE_LINE.search(data):
        return data
    without_others = _OTHER_LINE.sub(lambda match: b" " * len(match.group()), data)
    return _VALUE_LINE.sub(b" ", without_others)


class _Names:
    """What names and values of the text are called in the problem."""

    def __init__(self, problem: Problem) -> None:
        naming = Naming.of(problem)
        self._names = dict(zip(naming.identifiers, problem.variable_names, strict=True)) or {"none": ""}
        self._words = {str(number): word for number, word in zip(naming.numbers, problem.words, strict=True)}
        self._first_words = [problem.words[int(values[0])] for values in problem.domain_values]
        self._domains: dict[str, int] = dict(
            zip(problem.variable_names, problem.variable_domains.tolist(), strict=True)
        )

    def name(self, identifier: str) -> str:
        """The variable's name; what is none stays as it is."""
        return self._names.get(identifier, identifier)

    def word(self, name: str, value: str) -> str:
        """The value's word; any one of the domain for the star of a variable that is free."""
        if value == "*" and name in self._domains:
            return self._first_words[self._domains[name]]
        return self._words.get(value, value)


def _take(match: re.Match[bytes], names: _Names, assignments: Assignments) -> None:
    """One solution's names and values."""
    listed = list(_words(match, 1))
    values = list(_values(match, len(listed)))
    if len(listed) != len(values):
        more = "" if len(values) <= len(listed) else "more than "
        message = f"the list has {len(listed)} variables, and there are {more}{min(len(values), len(listed))} values"
        assignments.collector.add(
            "F504", match.start(2), match.end(2), message, hint="give one value for each variable"
        )
        assignments.lose()
    for (identifier, place), (value, value_place) in zip(listed, values, strict=False):
        name = names.name(identifier)
        if name:
            assignments.add(name, place, names.word(name, value), value_place)


def _words(match: re.Match[bytes], group: int) -> Iterator[_Word]:
    text, start = match.group(group), match.start(group)
    for word in _WORD.finditer(text):
        yield word.group().decode("utf-8", "replace"), (start + word.start(), start + word.end())


def _values(match: re.Match[bytes], most: int) -> Iterator[_Word]:
    """The values, those written like 0x25 as often as that says, and one more than due at the most."""
    n_left = most + 1
    for word, place in _words(match, 2):
        repeated = _REPEATED.fullmatch(word)
        value, n = (str(repeated[1]), int(repeated[2])) if repeated else (word, 1)
        yield from repeat((value, place), min(n, n_left))
        n_left -= min(n, n_left)


def _tell_nothing(source: Source, collector: Collector) -> None:
    end = len(source.data)
    match = _UNSATISFIABLE.search(source.data)
    if match:
        collector.add("F511", match.start(), match.end(), "the solver found that there is no solution")
    else:
        hint = "run the solver so that it prints solutions: ACE and Choco always do, cosoco with -model"
        collector.add("F511", end, end, "there is no <instantiation> with a list and its values", hint=hint)
