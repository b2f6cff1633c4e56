"""Other programs that read the same problem, where they are installed; each says why if it cannot be measured."""

import re
import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.measure import best, process
from tests.benchmarks.texts import Texts

if TYPE_CHECKING:
    from f2csp.model import Problem

Found = str  # "0.12 s", or why not


def minisat(texts: Texts) -> Found:
    """Its own clock for parsing; what comes after is cut off."""
    if not shutil.which("minisat"):
        return "skipped: minisat is not installed"
    command = ["minisat", "-cpu-lim=5", str(_cnf(texts))]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    match = re.search(r"Parse time:\s+([0-9.]+) s", output)
    return f"{match[1]} s" if match else "skipped: minisat printed no parse time"


def pysat(texts: Texts) -> Found:
    if not find_spec("pysat"):
        return "skipped: python-sat is not installed"
    from pysat.formula import CNF

    return f"{best(lambda: CNF(from_file=str(_cnf(texts)))):.2f} s"


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


def python_constraint(texts: Texts) -> Found:
    """Its backtracking search with forward checking, on the same pairs of cells of 9x9 Sudokus; per puzzle."""
    if not find_spec("constraint"):
        return "skipped: python-constraint2 is not installed"
    problems = [pairs_of_cells(line) for line in texts.sudoku_lines().read_text().split()[:30]]
    return f"{best(lambda: [one.getSolution() for one in problems]) / len(problems):.4f} s"


def line_loop(texts: Texts) -> Found:
    """A loop over the lines that converts every value: what a simple reader does at the least."""
    lines = texts.sudoku(texts.scale.middle).read_text()
    return f"{best(lambda: [line.split() for line in lines.splitlines()]):.2f} s"


def word_count(texts: Texts) -> Found:
    return f"{process(['wc', '-l', texts.sudoku(texts.scale.middle)])[0]:.3f} s"


def _cnf(texts: Texts) -> Path:
    return texts.cnf(texts.scale.middle)


PEERS: dict[str, Callable[[Texts], Found]] = {
    "minisat, direct CNF of 36x36": minisat,
    "PySAT `CNF(from_file)`, direct CNF of 36x36": pysat,
    "python-constraint, pairs of 9x9, for each puzzle": python_constraint,
    "Python, each line of 36x36 split into words": line_loop,
    "`wc -l` of 36x36, whole process": word_count,
}
