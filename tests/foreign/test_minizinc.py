"""MiniZinc reads what is written for it, and Gecode finds the same solutions."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import f2csp
from f2csp.diagnostics import Source
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.minizinc import answers
from f2csp.model import Problem, ProblemBuilder, check_all
from tests.foreign.samples import SAMPLES, sample
from tests.sat import Sat
from tests.small import small_problems, solutions
from tests.strategies import problems

_HARD = ("picture-10x10.txt",)  # Gecode searches for a minute and longer

pytestmark = pytest.mark.skipif(not shutil.which("minizinc"), reason="needs the Debian package minizinc, with Gecode")

PLAIN, STRUCTURE = ExportOptions(), ExportOptions(use_structure=True)
SOME = settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def printed(problem: Problem, options: ExportOptions, path: Path, *arguments: str) -> str:
    """What MiniZinc prints for a problem."""
    f2csp.export(problem, path / "a.mzn", "minizinc", use_structure=options.use_structure)
    command = ["minizinc", "--solver", "gecode", *arguments, str(path / "a.mzn")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_same_solutions(problem: Problem, options: ExportOptions, path: Path) -> None:
    output = printed(problem, options, path, "-a")
    expected = solutions(problem)
    if not expected:
        assert "=====UNSATISFIABLE=====" in output
        return
    assert output.endswith("==========\n")
    found = answers(Source("log", output.encode()), problem)
    assert sorted(map(str, found)) == sorted(map(str, expected))


@pytest.mark.parametrize("options", [PLAIN, STRUCTURE], ids=str)
@SOME
@given(problem=small_problems())
def test_gecode_finds_all_solutions(options: ExportOptions, problem: Problem, tmp_path: Path) -> None:
    assert_same_solutions(problem, options, tmp_path)


@pytest.mark.parametrize("options", [PLAIN, STRUCTURE], ids=str)
@SOME
@given(problem=problems())
def test_gecode_reads_any_names_and_values(options: ExportOptions, problem: Problem, tmp_path: Path) -> None:
    output = printed(problem, options, tmp_path)
    if "=====UNSATISFIABLE=====" in output:
        assert Sat(problem).solution() is None
    else:
        found = answers(Source("log", output.encode()), problem)
        assert not any(check_all(problem, found))


@pytest.mark.parametrize("options", [PLAIN, STRUCTURE], ids=str)
@pytest.mark.parametrize(
    "path", [path for path in SAMPLES if path.name not in _HARD], ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_gecode_solves_samples(path: Path, options: ExportOptions, tmp_path: Path) -> None:
    problem = sample(path)
    output = printed(problem, options, tmp_path, "--time-limit", "60000")
    if "=====UNSATISFIABLE=====" in output:
        assert Sat(problem).solution() is None
    else:
        found = answers(Source("log", output.encode()), problem)
        assert len(found) == 1
        assert not any(check_all(problem, found))


def test_names_may_be_words_of_minizinc_and_clash(tmp_path: Path) -> None:
    builder = ProblemBuilder('Title with "quotes" \\ and %')
    builder.domain("var", ["x", "array", "table_1", "'", "\\", '"', "words", "9223372036854775807", "5", "D_"])
    builder.domain("D", [5, -2, 7])
    for name in ("x", "y", "D"):
        builder.variable(name, "var")
    others = ("var_", "table", "rejects", "table_1", "word", "X_INTRODUCED_0_", "mzn_x", "a'b", "a_b", "_table_2")
    for name in others:
        builder.variable(name, "D")
        builder.accept([name], [(-2,)], label=f'"{name}"\\')
    builder.reject(["x", "y"], [("x", "array"), ("5", "5")])
    builder.accept(["x"], [("5",), ("'",), ("x",)])
    builder.accept(["D", "y"], [("x", "5"), ("5", "\\"), ("words", "array")])
    problem = builder.build()
    expected = list(Sat(problem).solutions(problem.variable_names))
    for options in (PLAIN, STRUCTURE):
        found = answers(Source("log", printed(problem, options, tmp_path, "-a").encode()), problem)
        assert sorted(map(str, found)) == sorted(str(one | dict.fromkeys(others, -2)) for one in expected)
