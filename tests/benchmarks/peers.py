"""Other programs that read the same problem, where they are installed."""

import re
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from itertools import combinations
from shutil import which
from typing import TYPE_CHECKING, Any

from tests.benchmarks.measure import best, process
from tests.benchmarks.texts import Texts

if TYPE_CHECKING:
    from f2csp.model import Problem


def minisat(texts: Texts) -> float:
    """Its own clock for parsing; what comes after is cut off."""
    command = ["minisat", "-cpu-lim=5", str(texts.cnf(texts.scale.middle))]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    (seconds,) = re.findall(r"Parse time:\s+([0-9.]+) s", output)
    return float(seconds)


def pysat(texts: Texts) -> float:
    from pysat.formula import CNF

    return best(lambda: CNF(from_file=str(texts.cnf(texts.scale.middle))))


def pairs_of_cells(line: str) -> Any:
    """A 9x9 Sudoku in python-constraint: a constraint on each pair of cells."""
    from constraint import BacktrackingSolver, Problem

    cells = [(row, column) for row in range(9) for column in range(9)]
    made = Problem(BacktrackingSolver())
    for cell, sign in zip(cells, line, strict=True):
        made.addVariable(cell, list(range(1, 10)) if sign in ".0" else [int(sign)])
    for (r, c), (s, d) in combinations(cells, 2):
        if r == s or c == d or (r // 3, c // 3) == (s // 3, d // 3):
            made.addConstraint(lambda a, b: a != b, ((r, c), (s, d)))
    return made


def python_constraint_of(problem: "Problem") -> Any:
    """A problem in python-constraint, with a predicate for each table."""
    from constraint import BacktrackingSolver, Problem

    made = Problem(BacktrackingSolver())
    for variable in problem.variables:
        made.addVariable(variable.name, list(variable.domain.values))
    for one in problem.constraints:
        rows, is_positive = set(one.tuples), one.kind == "Accept"
        made.addConstraint(lambda *row, rows=rows, kind=is_positive: (row in rows) == kind, one.scope)
    return made


def python_constraint(texts: Texts) -> float:
    """Its backtracking search with forward checking, on the same pairs of cells of 9x9 Sudokus; per puzzle."""
    problems = [pairs_of_cells(line) for line in texts.sudoku_lines().read_text().split()[:30]]
    return best(lambda: [one.getSolution() for one in problems]) / len(problems)


def line_loop(texts: Texts) -> float:
    """A loop over the lines that converts every value: what a simple reader does at the least."""
    lines = texts.sudoku(texts.scale.middle).read_text()
    return best(lambda: [line.split() for line in lines.splitlines()])


def word_count(texts: Texts) -> float:
    return process(["wc", "-l", texts.sudoku(texts.scale.middle)])[0]


PEERS: dict[str, tuple[str, Callable[[Texts], float]]] = {
    "minisat, direct CNF of 36x36": ("minisat", minisat),
    "PySAT `CNF(from_file)`, direct CNF of 36x36": ("pysat", pysat),
    "python-constraint, pairs of 9x9, for each puzzle": ("constraint", python_constraint),
    "Python, each line of 36x36 split into words": ("python3", line_loop),
    "`wc -l` of 36x36, whole process": ("wc", word_count),
}
"""The program or the package that each needs, and its time in seconds."""


def peer_time(name: str, texts: Texts) -> str:
    """The time of a peer in words, or why there is none."""
    needed, seconds = PEERS[name]
    if not which(needed) and not find_spec(needed):
        return f"skipped: {needed} is not installed"
    return f"{seconds(texts):.4f} s"
