"""What foreign solvers print of problems written here is read without ``--from``, and solves no other problem."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import f2csp
from f2csp.formats.foreign import export
from f2csp.model import Problem
from tests.cli.in_process import run as f2csp_run
from tests.foreign.programs import needs, run
from tests.small import problem_of

_COSOCO = shutil.which("cosoco", path=str(Path(sys.executable).parent)) or shutil.which("cosoco") or ""


def puzzle(kind: str, size: int) -> Callable[[int], Problem]:
    return lambda seed: f2csp.generate(kind, size=size, unique=True, seed=seed)


def colours(seed: int) -> Problem:
    pair = [("red", "green"), ("green", "blue"), ("blue", "red")][seed]
    return problem_of({"colour: France Spain": ["red", "green", "blue"]}, ("accept France Spain", [pair]))


PROBLEMS = {
    "sudoku-9x9": puzzle("sudoku", 9),
    "sudoku-4x4": puzzle("sudoku", 4),
    "latin-5x5": puzzle("latin", 5),
    "futoshiki-5x5": puzzle("futoshiki", 5),
    "takuzu-6x6": puzzle("takuzu", 6),  # with auxiliary variables
    "killer-4x4": puzzle("killer", 4),  # with partial sums
    "colours": colours,
}
"""Problems by a seed; no two of them have a common solution."""

SOLVERS = {  # the ending of what each reads, and the command, which writes OUT
    "toulbar2-file": ("wcsp", "toulbar2 x.wcsp -w=OUT > log"),
    "toulbar2-log": ("wcsp", "toulbar2 x.wcsp -s > OUT"),
    "toulbar2-all": ("wcsp", "toulbar2 x.wcsp -a -s > OUT"),
    "cadical": ("cnf", "cadical x.cnf > OUT"),
    "clasp": ("cnf", "clasp -n 0 x.cnf > OUT"),
    "minisat": ("cnf", "minisat x.cnf OUT > log"),
    "minizinc": ("mzn", "minizinc --solver gecode -a -s x.mzn > OUT 2>&1"),
    "cosoco-values": ("xml", f"{_COSOCO} x.xml -model=1 > OUT 2>&1"),
    "cosoco": ("xml", f"{_COSOCO} x.xml -model=2 > OUT"),
}
with_each_solver = pytest.mark.parametrize(
    "solver",
    [
        pytest.param(
            name,
            marks=pytest.mark.skipif(not _COSOCO, reason="needs the PyPI package cosoco")
            if "cosoco" in name
            else needs(name.partition("-")[0], name.partition("-")[0]),
        )
        for name in SOLVERS
    ],
)


@with_each_solver
@pytest.mark.parametrize("name", PROBLEMS)
def test_an_answer_solves_its_problem_and_no_other(solver: str, name: str, tmp_path: Path) -> None:
    ending, command = SOLVERS[solver]
    problem = PROBLEMS[name](1)
    f2csp.dump(problem, tmp_path / "x.csp")
    f2csp.dump(PROBLEMS[name](2), tmp_path / "other.csp")
    export(problem, tmp_path / f"x.{ending}", ending)
    run("bash", "-c", command.replace("OUT", "answer"), folder=tmp_path)
    checked = f2csp_run("check", "x.csp", "answer", cwd=tmp_path)
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.endswith("solution 1 of 1 holds\n")
    assert f2csp_run("decode", "x.csp", "answer", "-o", "solution", cwd=tmp_path).code == 0
    assert f2csp_run("check", "x.csp", "solution", cwd=tmp_path).code == 0
    assert f2csp_run("check", "other.csp", "answer", cwd=tmp_path).code in (1, 3)
