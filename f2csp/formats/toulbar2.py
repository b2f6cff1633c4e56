"""toulbar2: the names that it allows, and its answers."""

import re
from collections.abc import Iterable, Iterator

from f2csp.diagnostics import Collector, ProblemError, Source, listed, shown
from f2csp.model import Problem
from f2csp.model.builder import checked_title
from f2csp.solutions import Assignments, Solution
from f2csp.text.source_lines import lines_of

# ---- Names -----------------------------------------------------------------------------------------------------------

_FOREIGN = re.compile(r'[/#\[\]{}:,"\\\s]')  # a backslash is an escape for programs that read a .cfn file as JSON
_FIRST = re.compile(r"[0-9.+-]")


def safe_names(words: Iterable[str]) -> list[str]:
    """A name that toulbar2 allows for each word, all different: the word itself where that is allowed.

    A name does not begin with one of ``0123456789-.+`` and contains none of ``/#[]{}:,"`` and no white space.
    """
    words = list(words)
    names = [_safe(word) for word in words]
    if len(set(names)) == len(names):
        return names
    taken = {name for name, word in zip(names, words, strict=True) if name == word}
    tried: dict[str, int] = {}
    for i, (name, word) in enumerate(zip(names, words, strict=True)):
        if name == word:
            continue
        while names[i] in taken:
            tried[name] = tried.get(name, 1) + 1
            names[i] = f"{name}_{tried[name]}"
        taken.add(names[i])
    return names


def _safe(word: str) -> str:
    name = _FOREIGN.sub("_", word)
    return f"_{name}" if _FIRST.match(name) else name


def fitting_title(text: str) -> str:
    """The text where it can be a title, otherwise none."""
    try:
        return checked_title(text)
    except ProblemError:
        return ""


# ---- Answers ---------------------------------------------------------------------------------------------------------

_WORD = re.compile(rb"[^ \t]++")
_PRINTED = re.compile(rb"\d+ solution\([^)]*\):")
_LOG = re.compile(
    rb"^(?:c .*toulbar2|New solution:|No solution|loading |Read \d+ variables|\d+ solution\()", re.MULTILINE
)
_NONE = re.compile(rb"No solution|Number of solutions *: *= *0\b")
_POSITION = re.compile(r"v?([0-9]{1,9})")
_MAX_LISTED = 5


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions in a file that ``toulbar2 -w`` wrote, or in what toulbar2 printed.

        0 1 2 3
        _1 _2 _3 _4
        V1-1=_1 V1-2=_2 V2-1=_3 V2-2=_4

    One line is one solution: the positions of the values from 0 (``-w=1``, the default), their names (``-w=2``), or
    both names (``-w=3``). On standard output ``1 solution(0):`` precedes it, or a line ``New solution:``.

    Raises:
        InvalidInput: the text holds no solution, or does not fit the problem.
    """
    collector = Collector(source)
    reader = _AnswerReader(problem, collector)
    for line in _solution_lines(source, problem.n_variables):
        reader.read(*line)
    if not reader.solutions and not collector.n_errors:
        found = _NONE.search(source.data)
        hint = "toulbar2 found no solution" if found else "run toulbar2 with -w=FILE, and give that file"
        collector.add("F511", *(found.span() if found else (0, 0)), "the text holds no solution", hint=hint)
    collector.raise_if_errors()
    return reader.solutions


def _solution_lines(source: Source, n_variables: int) -> Iterator[tuple[int, int]]:
    """The lines with solutions, as byte offsets."""
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


class _AnswerReader:
    def __init__(self, problem: Problem, collector: Collector) -> None:
        self._problem = problem
        self._collector = collector
        self._assignments = Assignments(problem, collector, ())
        self._words = [domain.words for domain in problem.domains]
        self._values = [dict(zip(safe_names(words), words, strict=True)) for words in self._words]
        self._variables = {name: i for i, name in enumerate(safe_names(problem.variable_names))}
        default_names = {f"x{i}": i for i in range(problem.n_variables)}
        if self._variables.keys().isdisjoint(default_names):
            self._variables |= default_names

    @property
    def solutions(self) -> list[Solution]:
        return self._assignments.solutions

    def read(self, start: int, end: int) -> None:
        """Read the solution on a line."""
        words = list(_WORD.finditer(self._collector.source.data, start, end))
        if len(words) != self._problem.n_variables:
            message = f"expected {self._problem.n_variables} values, found {len(words)}"
            hint = "the answer is of another problem, or not of toulbar2"
            self._collector.add("F511", start, end, message, hint=hint)
            return
        self._assignments.begin()
        for index, word in enumerate(words):
            n_errors = self._collector.n_errors
            self._read_word(word[0].decode("utf-8", "replace"), word.span(), index)
            if self._collector.n_errors > n_errors:
                self._assignments.lose()
        self._assignments.finish(start, end)

    def _read_word(self, word: str, place: tuple[int, int], index: int) -> None:
        name, equals, value = word.rpartition("=")
        variable = self._variables.get(name) if equals else index
        if variable is None:
            self._assignments.add(name, place, value, place)
            return
        domain = int(self._problem.variable_domains[variable])
        owner = self._problem.variable_names[variable]
        known = self._value(value, domain)
        if known is not None:
            self._assignments.add(owner, place, known, place)
            return
        label = f"{owner} takes {listed(self._values[domain], _MAX_LISTED)}, or 0 to {len(self._words[domain]) - 1}"
        message = f"value {shown(value)} is not in domain {self._problem.domain_names[domain]} of variable {owner}"
        self._collector.add("F304", *place, message, label=label)

    def _value(self, word: str, domain: int) -> str | None:
        """The value with this name, or at this position of the domain."""
        position = _POSITION.fullmatch(word)
        if word not in self._values[domain] and position and int(position[1]) < len(self._words[domain]):
            return self._words[domain][int(position[1])]
        return self._values[domain].get(word)
