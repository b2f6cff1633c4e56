"""What MiniZinc prints for a model that is written here, read back: lines NAME = VALUE for each solution.

A = red
B = green
----------
==========
"""

import re

from f2csp.diagnostics import Collector, InvalidInput, Source, shown
from f2csp.formats.foreign import Solution
from f2csp.model import Problem
from f2csp.solutions import Assignments
from f2csp.text.source_lines import lines_of
from f2csp.text.terminals import pattern
from f2csp.utf8 import check_encoding

_ASSIGNMENT = re.compile(rb"(%b)[ \t]*+=[ \t]*+(%b)" % (pattern("_WORD"), pattern("_WORD")))
_END = b"----------"
_STATUS = re.compile(rb"=====([A-Za-z]*+)=====")
_STATUSES = {
    b"UNSATISFIABLE": "the solver found that there is no solution",
    b"UNKNOWN": "the solver found no solution in its time",
    b"ERROR": "the solver ended with an error",
}


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions that MiniZinc printed for the problem.

    Raises:
        InvalidInput: there is none, or it does not fit the problem.
    """
    collector = Collector(source)
    check_encoding(source, collector)
    assignments = Assignments(problem, collector, ())
    started = False
    end = source.start
    for start, end in lines_of(source.data, source.start, len(source.data)):
        line = source.data[start:end]
        status = _STATUS.fullmatch(line)
        if match := _ASSIGNMENT.fullmatch(line):
            started = True
            words = [group.decode("utf-8", "replace") for group in match.groups()]
            assignments.add(words[0], (start, start + match.end(1)), words[1], (start + match.start(2), end))
        elif line == _END:
            assignments.finish(start, end)
            assignments.begin()
            started = False
        elif status and status[1] in _STATUSES:
            collector.add("F511", start, end, _STATUSES[status[1]])
        elif not line.startswith(b"%") and not line.startswith(b"=========="):
            started = True
            assignments.lose()
            message = f"the line {shown(line.decode('utf-8', 'replace'))} is not of the form NAME = VALUE"
            collector.add("F511", start, end, message, hint="give the output of a model that was written here")
    if started and not collector.n_errors:
        message = f"the text ends inside solution {len(assignments.solutions) + 1}: no line ---------- follows"
        collector.add("F507", end, end, message, hint="get the whole output of the solver")
    elif not assignments.solutions and not collector.n_errors:
        collector.add("F511", end, end, "there is no solution in it", hint="run minizinc on the model")
    if collector.n_errors:
        raise InvalidInput(collector.diagnostics(), collector.n_hidden)
    return assignments.solutions
