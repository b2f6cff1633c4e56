"""ACE, Choco and cosoco read what is written as XCSP3, and what pycsp3 writes is read here."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import Source, Unsuitable
from f2csp.formats.foreign import export, import_
from f2csp.formats.xcsp3 import answers
from f2csp.model import Problem, ProblemBuilder
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from tests.formats.test_xcsp3 import SAMPLES, solutions
from tests.strategies import problems

_PYCSP3 = find_spec("pycsp3")
_JARS = Path(next(iter(_PYCSP3.submodule_search_locations or ()))) / "solvers" if _PYCSP3 else Path()
_COSOCO = shutil.which("cosoco", path=str(Path(sys.executable).parent)) or shutil.which("cosoco")

with_java = pytest.mark.skipif(not (_PYCSP3 and shutil.which("java")), reason="needs Java and the PyPI package pycsp3")
with_cosoco = pytest.mark.skipif(not _COSOCO, reason="needs the PyPI package cosoco")
with_pycsp3 = pytest.mark.skipif(not _PYCSP3, reason="needs the PyPI package pycsp3")


def run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120).stdout


def jar(name: str) -> str:
    return str(next(_JARS.glob(f"{name}/*.jar")))


def ace(path: Path) -> str:
    return run("java", "-jar", jar("ace"), str(path), "-npc", "-s=all", "-xe", "-v=1")


def choco(path: Path) -> str:
    return run("java", "-cp", jar("choco"), "org.chocosolver.parser.xcsp.ChocoXCSP", str(path), "-a")


def cosoco(path: Path) -> str:
    return run(str(_COSOCO), str(path), "-nbsols=0", "-model=2")


JUDGES = [
    pytest.param(ace, marks=with_java),
    pytest.param(choco, marks=with_java),
    pytest.param(cosoco, marks=with_cosoco),
]


def found(output: str, problem: Problem) -> set[tuple[str, ...]]:
    """The solutions that a solver printed."""
    if "s UNSATISFIABLE" in output:
        return set()
    assert "s SATISFIABLE" in output
    listed = answers(Source("log", output.encode()), problem)
    return {tuple(str(one[name]) for name in problem.variable_names) for one in listed}


def awkward() -> list[Problem]:
    """Problems of the kinds that solvers fail at when they are written carelessly."""
    made = []
    for kind in (
        "empty",
        "free",
        "never",
        "always",
        "unsorted",
        "symbols",
        "huge",
        "single",
        "all rejected",
        "pairs rejected",
    ):
        builder = ProblemBuilder(kind)
        builder.domain("D", [3, 1, 2])
        builder.domain("S", ["red", "7", "goal.", "01"])
        builder.domain("H", [-(1 << 63), 5, (1 << 63) - 1])
        builder.domain("one", [4])
        if kind != "empty":
            for name, domain in (("x-1", "D"), ("x_1", "D"), ("s", "S"), ("add", "H"), ("last", "one")):
                builder.variable(name, domain)
        if kind == "never":
            builder.accept(["x-1", "s"], [])
        if kind == "always":
            builder.reject(["x-1", "s"], [])
        if kind == "unsorted":
            builder.accept(["x-1", "x_1"], [(3, 1), (1, 2), (2, 2), (1, 1)])
            builder.accept(["x-1"], [3, 1])
        if kind == "symbols":
            builder.reject(["s", "x_1"], [("red", 1), ("01", 3)])
            builder.accept(["s"], ["red", "01"])
        if kind == "huge":
            builder.reject(["add", "x_1"], [((1 << 63) - 1, 1), (5, 3)])
        if kind == "single":
            builder.accept(["last"], [4])
            builder.accept(["last", "x-1"], [(4, 2)])
        if kind == "all rejected":
            builder.reject(["x-1"], [1, 2, 3])
        if kind == "pairs rejected":
            builder.reject(["last", "x-1"], [(4, 1), (4, 2), (4, 3)])
            builder.reject(["last"], [4])
        made.append(builder.build())
    return made


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("use_structure", [False, True])
@pytest.mark.parametrize("problem", [*awkward(), *map(f2csp.load, SAMPLES)], ids=lambda problem: problem.title)
def test_solvers_find_the_solutions(
    problem: Problem, use_structure: bool, judge: Callable[[Path], str], tmp_path: Path
) -> None:
    path = tmp_path / "x.xml"
    export(problem, path, "xcsp3", use_structure=use_structure)
    assert found(judge(path), problem) == solutions(problem)


@with_cosoco
@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(problems(max_variables=4), st.booleans())
def test_cosoco_finds_the_solutions_of_random_problems(
    tmp_path_factory: pytest.TempPathFactory, problem: Problem, use_structure: bool
) -> None:
    path = tmp_path_factory.mktemp("cosoco") / "x.xml"
    try:
        export(problem, path, "xcsp3", use_structure=use_structure)
    except Unsuitable:  # a noncharacter, which XML cannot hold
        return
    assert found(cosoco(path), problem) == solutions(problem)


@with_java
@settings(deadline=None, max_examples=6, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(problems(max_variables=4), st.booleans())
def test_ace_and_choco_find_the_solutions_of_random_problems(
    tmp_path_factory: pytest.TempPathFactory, problem: Problem, use_structure: bool
) -> None:
    path = tmp_path_factory.mktemp("java") / "x.xml"
    try:
        export(problem, path, "xcsp3", use_structure=use_structure)
    except Unsuitable:  # a noncharacter, which XML cannot hold
        return
    assert found(ace(path), problem) == found(choco(path), problem) == solutions(problem)


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("use_structure", [False, True])
def test_solvers_count_the_solutions_of_a_sudoku(
    use_structure: bool, judge: Callable[[Path], str], tmp_path: Path
) -> None:
    clues = tuple(Clue(1, column, column) for column in range(1, 5))
    problem = to_problem(Sudoku(clues=clues, size=4, box_rows=2, box_columns=2))
    export(problem, tmp_path / "x.xml", "xcsp3", use_structure=use_structure)
    assert len(found(judge(tmp_path / "x.xml"), problem)) == 12


MODELS = {
    "queens": (
        (
            "q = VarArray(size=5, dom=range(5))\n"
            "satisfy(AllDifferent(q), [abs(q[i] - q[j]) != j - i for i in range(5) for j in range(i + 1, 5)])"
        ),
        10,
    ),
    "product": (
        ("x = VarArray(size=4, dom=range(5))\nsatisfy(Sum(x) == 4, x[0] * x[1] == x[2])"),
        None,
    ),
    "tables": (
        (
            "x = VarArray(size=[2, 3], dom=range(3))\ny = Var(1, 2, 5)\n"
            "satisfy([(x[i][0], x[i][1]) in {(0, 1), (1, ANY)} for i in range(2)], x[0][2] in {0, 2},"
            " (x[1][2], y) not in {(0, 1), (2, 5)}, Increasing(x[0], strict=False), AllEqual(x[:, 1]))"
        ),
        None,
    ),
    "sum": (
        (
            "x = VarArray(size=4, dom=range(3))\nsatisfy(Sum([1, 2, 3, -1] * x) >= 5, x[0] + x[1] <= 3,"
            " (x[2] == 1) | (x[3] != 0))"
        ),
        None,
    ),
}


@with_pycsp3
@with_cosoco
@pytest.mark.parametrize("name", list(MODELS))
def test_what_pycsp3_writes_has_the_solutions_that_cosoco_finds(name: str, tmp_path: Path) -> None:
    model, n = MODELS[name]
    (tmp_path / "model.py").write_text(f"from pycsp3 import *\n{model}\n")
    done = subprocess.run(
        [sys.executable, "model.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    path = tmp_path / "model.xml"
    assert path.exists(), done.stdout + done.stderr
    problem = import_(path, "xcsp3")
    n_found = cosoco(path).count("<instantiation")
    assert n_found == (n or n_found) > 0
    assert len(solutions(problem)) == n_found


@with_java
def test_the_features_that_the_parser_of_ace_displays(tmp_path: Path) -> None:
    problem = to_problem(Sudoku(clues=(Clue(1, 1, 3),), size=4, box_rows=2, box_columns=2))
    export(problem, tmp_path / "x.xml", "xcsp3")
    command = ("java", "-cp", jar("ace"), "org.xcsp.parser.callbacks.FeatureDisplayer", "-cm", str(tmp_path / "x.xml"))
    (features,) = json.loads(run(*command))
    stats = f2csp.stats(problem)
    assert (features["n"], features["e"]) == (stats.variables, stats.constraints)
    assert features["globalConstraints"] == [{"type": "extension", "count": stats.constraints}]
    assert features["domainSizes"] == [{"size": 4, "count": stats.domain_sizes[4]}]
