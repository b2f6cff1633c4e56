"""What toulbar2 answers: the file that ``-w`` writes, or the lines that ``-s`` prints.

    0 1 2 3
    _1 _2 _3 _4
    V1-1=_1 V1-2=_2 V2-1=_3 V2-2=_4

One line is one solution: the places of the values, from 0 (``-w=1``, and what is written unless told), their names
(``-w=2``), or both names (``-w=3``). What it prints has ``1 solution(0):`` before that, or is the line after
``New solution:``.
"""

import re
from collections.abc import Iterator

from f2csp.diagnostics import Collector, InvalidInput, Source, listed, near_word_hint, shown
from f2csp.formats.foreign import Solution
from f2csp.formats.toulbar2.naming import safe_names
from f2csp.model import Problem, Value
from f2csp.text.lines import lines_of

_WORD = re.compile(rb"[^ \t]++")
_PRINTED = re.compile(rb"\d+ solution\([^)]*\):")
_LOG = re.compile(
    rb"^(?:c .*toulbar2|New solution:|No solution|loading |Read \d+ variables|\d+ solution\()", re.MULTILINE
)
_NONE = re.compile(rb"No solution|Number of solutions *: *= *0\b")
_ANONYMOUS = re.compile(r"v(\d{1,9})")
_LISTED = 5

_Line = tuple[int, int]  # byte offsets


def read_answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions.

    Raises:
        InvalidInput: there is none, or it does not fit the problem.
    """
    collector = Collector(source)
    reader = _Reader(problem, collector)
    solutions = [reader.solution(*line) for line in _lines(source, problem.n_variables)]
    if not solutions:
        found = _NONE.search(source.data)
        hint = "toulbar2 found that there is none" if found else "run toulbar2 with -w=FILE, and give that file"
        collector.add("F511", *(found.span() if found else (0, 0)), "the text holds no solution", hint=hint)
    if collector.n_errors:
        raise InvalidInput(collector.diagnostics(), collector.n_hidden)
    return solutions


def _lines(source: Source, n_variables: int) -> Iterator[_Line]:
    """The lines with solutions."""
    if not n_variables:  # an empty line, if there is any
        yield from () if _NONE.search(source.data) else ((source.start, source.start),)
        return
    is_log = _LOG.search(source.data) is not None
    is_next = False
    for start, end in lines_of(source.data, source.start, len(source.data)):
        printed = _PRINTED.match(source.data, start, end)
        if printed:
            yield printed.end(), end
        elif is_next or not is_log:
            yield start, end
        is_next = source.data.startswith(b"New solution:", start)


class _Reader:
    def __init__(self, problem: Problem, collector: Collector) -> None:
        self._problem = problem
        self._collector = collector
        self._domains: list[list[Value]] = [list(domain.values) for domain in problem.domains]
        self._values = [{n: i for i, n in enumerate(safe_names(domain.words))} for domain in problem.domains]
        self._variables = {name: i for i, name in enumerate(safe_names(problem.variable_names))}
        if not self._variables.keys() & {f"x{i}" for i in range(problem.n_variables)}:
            self._variables.update({f"x{i}": i for i in range(problem.n_variables)})
        self._owners: list[int] = problem.variable_domains.tolist()

    def solution(self, start: int, end: int) -> Solution:
        """The solution on a line; what is wrong with it is told."""
        data = self._collector.source.data
        words = [(m.group().decode("utf-8", "replace"), m.span()) for m in _WORD.finditer(data, start, end)]
        if len(words) != self._problem.n_variables:
            message = f"the line has {len(words)} values for {self._problem.n_variables} variables"
            hint = "the answer is of another problem, or not one of toulbar2"
            self._collector.add("F511", start, end, message, hint=hint)
            return {}
        found: dict[int, Value] = {}
        for i, (word, place) in enumerate(words):
            self._read(word, place, i, found)
        names = self._problem.variable_names
        return {names[i]: value for i, value in sorted(found.items())}

    def _read(self, word: str, place: _Line, index: int, found: dict[int, Value]) -> None:
        name, equals, value = word.rpartition("=")
        if equals and name not in self._variables:
            hint = None if self._collector.is_full else near_word_hint(name, self._variables)
            self._collector.add("F503", *place, f"the problem has no variable {shown(name)}", hint=hint)
            return
        variable = self._variables[name] if equals else index
        if variable in found:
            self._collector.add("F508", *place, f"variable {shown(name)} has a value twice")
            return
        domain = self._owners[variable]
        number = self._place(value, domain)
        if number is None:
            owner = self._problem.variable_names[variable]
            message = f"value {shown(value)} is not one of {owner}"
            label = f"{owner} takes {listed(self._values[domain], _LISTED)}, or 0 to {len(self._domains[domain]) - 1}"
            self._collector.add("F505", *place, message, label=label)
            return
        found[variable] = self._domains[domain][number]

    def _place(self, word: str, domain: int) -> int | None:
        """The place in the domain of the value that a word means."""
        if word in self._values[domain]:
            return self._values[domain][word]
        anonymous = _ANONYMOUS.fullmatch(word)
        digits = anonymous[1] if anonymous else word
        if len(digits) < 10 and digits.isascii() and digits.isdigit() and int(digits) < len(self._domains[domain]):
            return int(digits)
        return None
