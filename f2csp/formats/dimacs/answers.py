"""What SAT solvers print, read back: lines v of the SAT competitions, or the file that minisat writes.

    s SATISFIABLE
    v 1 -2 -3
    v 4 0

The literals of values come first in every encoding, so a model says what each variable is whatever the others mean.
"""

import re

from f2csp.diagnostics import Collector, InvalidInput, Source, shown
from f2csp.encode import literals_of
from f2csp.formats.foreign import Solution
from f2csp.model import Problem
from f2csp.solutions import Assignments

_VALUE_LINE = re.compile(rb"^v(?=[ \t\r\n]|\Z)[^\n]*+", re.MULTILINE)
_NUMBER_LINE = re.compile(rb"^[ \t]*+-?[0-9][^\n]*+", re.MULTILINE)
_WORD = re.compile(rb"[^ \t\r\n]++")
_LITERAL = re.compile(rb"-?[0-9]{1,18}")
_UNSATISFIABLE = re.compile(rb"^(?:s[ \t]+)?+UNSAT(?:ISFIABLE)?+[ \t\r]*+$", re.MULTILINE)


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions in the models that a solver printed for the problem, in any encoding.

    Raises:
        InvalidInput: there is none, or it does not fit the problem.
    """
    collector = Collector(source)
    models = _Models(problem, collector)
    has_value_lines = _VALUE_LINE.search(source.data) is not None
    for line in (_VALUE_LINE if has_value_lines else _NUMBER_LINE).finditer(source.data, source.start):
        for word in _WORD.finditer(source.data, line.start() + has_value_lines, line.end()):
            models.take(word)
    models.end(source)
    if collector.n_errors:
        raise InvalidInput(collector.diagnostics(), collector.n_hidden)
    return models.solutions


class _Models:
    """Takes the words of models one by one."""

    def __init__(self, problem: Problem, collector: Collector) -> None:
        literals = literals_of(problem)
        self._variables = literals.variables.tolist()
        self._words = literals.words.tolist()
        self._problem = problem
        self._collector = collector
        self._assignments = Assignments(problem, collector, ())
        self._start = -1  # of the model, if one has begun

    @property
    def solutions(self) -> list[Solution]:
        return self._assignments.solutions

    def take(self, word: re.Match[bytes]) -> None:
        """Take a literal, or the end of a model."""
        if self._start < 0:
            self._start = word.start()
            self._assignments.begin()
        if not _LITERAL.fullmatch(word[0]):
            self._assignments.lose()
            message = f"{shown(word[0].decode('utf-8', 'replace'))} is not a literal"
            self._collector.add("F511", *word.span(), message, hint="a model is numbers, and a 0 at the end")
            return
        literal = int(word[0])
        if literal == 0:
            self._assignments.finish(self._start, word.end())
            self._start = -1
        elif 0 < literal <= len(self._words):
            name = self._problem.variable_names[self._variables[literal - 1]]
            self._assignments.add(name, word.span(), self._problem.words[self._words[literal - 1]], word.span())

    def end(self, source: Source) -> None:
        """Say what is missing at the end of the text."""
        end = len(source.data.rstrip(b" \t\r\n"))
        unsatisfiable = _UNSATISFIABLE.search(source.data)
        if self._start >= 0:
            message = f"the text ends inside model {len(self.solutions) + 1}: no 0 follows its last literal"
            self._collector.add("F507", end, end, message, hint="get the whole output of the solver")
        elif self.solutions or self._collector.n_errors:
            return
        elif unsatisfiable:
            message = "the solver found that there is no solution"
            self._collector.add("F511", *unsatisfiable.span(), message)
        else:
            hint = "run the solver so that it prints its model: cadical does, clasp too; minisat writes it into a file"
            self._collector.add("F511", end, end, "there is no line v with literals", hint=hint)
