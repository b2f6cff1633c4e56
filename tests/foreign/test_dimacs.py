"""Cadical, clasp, minisat and PySAT read what is written as clauses, and PySAT's own formulas are read here."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from pysat.examples.genhard import CB, GT, PAR, PHP
from pysat.formula import CNF
from pysat.solvers import Minisat22

import f2csp
from f2csp.diagnostics import Source
from f2csp.formats.dimacs import answers, chunks
from f2csp.formats.foreign import ExportOptions
from f2csp.model import Problem, Value, check_all
from tests.foreign.programs import SAMPLES, needs, run, sample, sample_name, some
from tests.sat import Sat
from tests.small import small_problems, solutions

WAYS = [
    ExportOptions(use_structure, encoding)
    for encoding in ("direct", "support", "order")
    for use_structure in (False, True)
]


def minisat(path: Path) -> str:
    result = path.with_suffix(".txt")
    run("minisat", path, result)
    return result.read_text()


SOLVERS: dict[str, Callable[[Path], str]] = {
    "cadical": lambda path: run("cadical", "-q", path),
    "clasp": lambda path: run("clasp", "1", path),
    "minisat": minisat,
}
INSTALLED = list(filter(shutil.which, SOLVERS))


def n_by_clasp(path: Path) -> int:
    """How many models there are, over all variables of the file."""
    return int(json.loads(run("clasp", "0", "-q", "--outf=2", path))["Models"]["Number"])


def read_answers(output: str, problem: Problem) -> list[dict[str, Value]]:
    found = answers(Source("log", output.encode()), problem)
    assert not any(any(broken) for broken in check_all(problem, found))
    return found


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason=f"needs one of {', '.join(SOLVERS)}")
@pytest.mark.parametrize("path", SAMPLES, ids=sample_name)
def test_solvers_solve_every_sample(path: Path, tmp_path: Path) -> None:
    problem = sample(path)
    for text in {b"".join(chunks(problem, options)) for options in WAYS}:  # some ways are the same for a problem
        (tmp_path / "a.cnf").write_bytes(text)
        for solver in INSTALLED:
            output = SOLVERS[solver](tmp_path / "a.cnf")
            if "UNSAT" in output:
                assert Sat(problem).solution() is None
            else:
                assert len(read_answers(output, problem)) == 1


@needs("clasp", "clasp")
@pytest.mark.parametrize("options", WAYS, ids=str)
@some(12)
@given(problem=small_problems())
def test_there_are_as_many_models_as_solutions(options: ExportOptions, problem: Problem, tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_bytes(b"".join(chunks(problem, options)))
    expected = solutions(problem)
    assert n_by_clasp(tmp_path / "a.cnf") == len(expected)
    if expected and problem.n_variables:
        found = read_answers(run("clasp", "0", tmp_path / "a.cnf"), problem)
        assert {tuple(one.items()) for one in found} == {tuple(one.items()) for one in expected}


@pytest.mark.parametrize("options", WAYS, ids=str)
@some(12)
@given(problem=small_problems())
def test_pysat_reads_the_same_formula(options: ExportOptions, problem: Problem, tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_bytes(b"".join(chunks(problem, options)))
    formula = CNF(from_file=str(tmp_path / "a.cnf"))
    header = next(line for line in (tmp_path / "a.cnf").read_text().split("\n") if line.startswith("p cnf"))
    _, _, n_literals, n_clauses = header.split()
    assert formula.nv <= int(n_literals)  # PySAT counts only those that occur
    assert len(formula.clauses) == int(n_clauses)
    with Minisat22(bootstrap_with=formula) as solver:
        assert solver.solve() == bool(solutions(problem))


def random_formula(seed: int) -> CNF:
    random = Random(seed)
    clauses = [[random.choice([-1, 1]) * random.randint(1, 8) for _ in range(random.randint(1, 4))] for _ in range(25)]
    return CNF(from_clauses=[*clauses, [8, -8]])


MIXED = CNF(from_clauses=[[1, 2, -2], [3, 3, 1], [-4]])
FORMULAS = [PHP(3), PHP(2, kval=2), GT(4), PAR(4), CB(4), MIXED, *map(random_formula, range(5))]


@pytest.mark.parametrize("formula", FORMULAS, ids=["php", "php2", "gt", "par", "cb", "mixed", *"01234"])
def test_formulas_of_pysat_have_as_many_solutions_here(formula: CNF, tmp_path: Path) -> None:
    formula.to_file(str(tmp_path / "a.cnf"), comments=["c made by PySAT"])
    problem = f2csp.import_(tmp_path / "a.cnf", "dimacs")
    assert problem.n_variables == formula.nv
    assert sum(1 for _ in Sat(problem).solutions(problem.variable_names)) == n_of_formula(formula)


def n_of_formula(formula: CNF) -> int:
    """How many models a formula has, over all its variables."""
    with Minisat22(bootstrap_with=formula) as solver:
        for variable in range(1, formula.nv + 1):
            solver.add_clause([variable, -variable])
        n = 0
        for model in solver.enum_models():
            n += 1 << (formula.nv - len(model))
        return n
