"""ACE, Choco and cosoco read what is written as XCSP3, and what pycsp3 writes is read here."""

import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import Source, Unsuitable
from f2csp.formats.foreign import export, import_
from f2csp.formats.xcsp3 import answers
from f2csp.model import Problem, Value
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from tests.foreign.programs import run, some
from tests.formats.test_xcsp3 import SAMPLES, solutions
from tests.small import problem_of
from tests.strategies import problems

_PYCSP3 = find_spec("pycsp3")
_JARS = Path(next(iter(_PYCSP3.submodule_search_locations or ()))) / "solvers" if _PYCSP3 else Path()
_COSOCO = shutil.which("cosoco", path=str(Path(sys.executable).parent)) or shutil.which("cosoco")

with_java = pytest.mark.skipif(not (_PYCSP3 and shutil.which("java")), reason="needs Java and the PyPI package pycsp3")
with_cosoco = pytest.mark.skipif(not _COSOCO, reason="needs the PyPI package cosoco")
with_pycsp3 = pytest.mark.skipif(not _PYCSP3, reason="needs the PyPI package pycsp3")


def jar(name: str) -> Path:
    return next(_JARS.glob(f"{name}/*.jar"))


JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")  # which start soonest
SOLVERS = {
    "ace": lambda path: run(*JAVA, "-jar", jar("ace"), path, "-npc", "-s=all", "-xe", "-v=1"),
    "choco": lambda path: run(*JAVA, "-cp", jar("choco"), "org.chocosolver.parser.xcsp.ChocoXCSP", path, "-a"),
    "cosoco": lambda path: run(str(_COSOCO), path, "-nbsols=0", "-model=2"),
}
EACH_SOLVER = {name: pytest.param(name, marks=with_cosoco if name == "cosoco" else with_java) for name in SOLVERS}
with_each_solver = pytest.mark.parametrize("solver", EACH_SOLVER.values())
in_both_ways = pytest.mark.parametrize("use_structure", [False, True])


def found(solver: str, problem: Problem, folder: Path, use_structure: bool) -> set[tuple[str, ...]]:
    """The solutions that a solver prints for a problem."""
    export(problem, folder / "x.xml", "xcsp3", use_structure=use_structure)
    output = SOLVERS[solver](folder / "x.xml")
    if "s UNSATISFIABLE" in output:
        return set()
    assert "s SATISFIABLE" in output, output
    listed = answers(Source("log", output.encode()), problem)
    return {tuple(str(one[name]) for name in problem.variable_names) for one in listed}


AWKWARD: dict[str, list[tuple[str, list[Any]]]] = {  # solvers fail at these when they are written carelessly
    "free": [],
    "never": [("accept x-1 s", [])],
    "always": [("reject x-1 s", [])],
    "unsorted": [("accept x-1 x_1", [(3, 1), (1, 2), (2, 2), (1, 1)]), ("accept x-1", [3, 1])],
    "symbols": [("reject s x_1", [("red", 1), ("01", 3)]), ("accept s", ["red", "01"])],
    "huge": [("reject add x_1", [((1 << 63) - 1, 1), (5, 3)])],
    "single": [("accept last", [4]), ("accept last x-1", [(4, 2)])],
    "all rejected": [("reject x-1", [1, 2, 3])],
    "pairs rejected": [("reject last x-1", [(4, 1), (4, 2), (4, 3)]), ("reject last", [4])],
}
DOMAINS: dict[str, list[Value]] = {
    "D: x-1 x_1": [3, 1, 2],
    "S: s": ["red", "7", "goal.", "01"],
    "H: add": [-(1 << 63), 5, (1 << 63) - 1],
    "one: last": [4],
}


PROBLEMS = [
    problem_of({"D": [3, 1, 2]}, title="empty"),
    *(problem_of(DOMAINS, *tables, title=title) for title, tables in AWKWARD.items()),
    *map(f2csp.load, SAMPLES),
]


@pytest.mark.slow
@pytest.mark.parametrize("solver", [pytest.param("java", marks=with_java), EACH_SOLVER["cosoco"]])
@in_both_ways
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.title)
def test_solvers_find_the_solutions(problem: Problem, use_structure: bool, solver: str, tmp_path: Path) -> None:
    """Of the two in Java, which take long to start, each reads one of both texts."""
    if solver == "java":
        solver = ("ace", "choco")[(PROBLEMS.index(problem) + use_structure) % 2]
    assert found(solver, problem, tmp_path, use_structure) == solutions(problem)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solvers", "n"),
    [pytest.param(["cosoco"], 60, marks=with_cosoco), pytest.param(["ace", "choco"], 4, marks=with_java)],
)
def test_solvers_find_the_solutions_of_random_problems(solvers: list[str], n: int, tmp_path: Path) -> None:
    @some(n)
    @given(problems(max_variables=4), st.booleans())
    def assert_are_found(problem: Problem, use_structure: bool) -> None:
        for solver in solvers:
            try:
                assert found(solver, problem, tmp_path, use_structure) == solutions(problem)
            except Unsuitable:  # a noncharacter, which XML cannot hold
                return

    assert_are_found()


@with_each_solver
@in_both_ways
def test_solvers_count_the_solutions_of_a_sudoku(use_structure: bool, solver: str, tmp_path: Path) -> None:
    clues = tuple(Clue(1, column, column) for column in range(1, 5))
    problem = to_problem(Sudoku(clues=clues, size=4, box_rows=2, box_columns=2))
    assert len(found(solver, problem, tmp_path, use_structure)) == 12


MODELS = {
    "queens": """
q = VarArray(size=5, dom=range(5))
satisfy(AllDifferent(q), [abs(q[i] - q[j]) != j - i for i in range(5) for j in range(i + 1, 5)])""",
    "product": """
x = VarArray(size=4, dom=range(5))
satisfy(Sum(x) == 4, x[0] * x[1] == x[2])""",
    "tables": """
x = VarArray(size=[2, 3], dom=range(3))
y = Var(1, 2, 5)
satisfy([(x[i][0], x[i][1]) in {(0, 1), (1, ANY)} for i in range(2)], x[0][2] in {0, 2},
    (x[1][2], y) not in {(0, 1), (2, 5)}, Increasing(x[0], strict=False), AllEqual(x[:, 1]))""",
    "sum": """
x = VarArray(size=4, dom=range(3))
satisfy(Sum([1, 2, 3, -1] * x) >= 5, x[0] + x[1] <= 3, (x[2] == 1) | (x[3] != 0))""",
}


@with_pycsp3
@with_cosoco
@pytest.mark.parametrize("name", list(MODELS))
def test_what_pycsp3_writes_has_the_solutions_that_cosoco_finds(name: str, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(f"from pycsp3 import *\n{MODELS[name]}\n")
    printed = run(sys.executable, "model.py", folder=tmp_path)
    path = tmp_path / "model.xml"
    assert path.exists(), printed
    n_found = SOLVERS["cosoco"](path).count("<instantiation")
    assert n_found == 10 if name == "queens" else n_found > 0
    assert len(solutions(import_(path, "xcsp3"))) == n_found


@with_java
def test_the_features_that_the_parser_of_ace_displays(tmp_path: Path) -> None:
    problem = to_problem(Sudoku(clues=(Clue(1, 1, 3),), size=4, box_rows=2, box_columns=2))
    export(problem, tmp_path / "x.xml", "xcsp3")
    program = "org.xcsp.parser.callbacks.FeatureDisplayer"
    (features,) = json.loads(run(*JAVA, "-cp", jar("ace"), program, "-cm", tmp_path / "x.xml"))
    stats = f2csp.stats(problem)
    assert (features["n"], features["e"]) == (stats.variables, stats.constraints)
    assert features["globalConstraints"] == [{"type": "extension", "count": stats.constraints}]
    assert features["domainSizes"] == [{"size": 4, "count": stats.domain_sizes[4]}]
