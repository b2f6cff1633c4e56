"""MiniZinc reads what is written for it, and Gecode finds the same solutions."""

from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given

import f2csp
from f2csp.diagnostics import Source
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.minizinc import answers
from f2csp.model import Problem, Value, check_all
from tests.foreign.programs import SAMPLES, needs, run, sample, sample_name, some
from tests.sat import Sat
from tests.small import problem_of, small_problems, solutions
from tests.strategies import problems

_HARD = ("picture-10x10.txt",)  # Gecode searches for a minute and longer

pytestmark = needs("minizinc", "minizinc, with Gecode")

PLAIN, STRUCTURE = ExportOptions(), ExportOptions(use_structure=True)
in_both_ways = pytest.mark.parametrize("options", [PLAIN, STRUCTURE], ids=str)


def printed(problem: Problem, options: ExportOptions, path: Path, *arguments: str) -> str:
    """What MiniZinc prints for a problem."""
    f2csp.export(problem, path / "a.mzn", "minizinc", use_structure=options.use_structure)
    return run("minizinc", "--solver", "gecode", *arguments, path / "a.mzn", check=True)


def found_in(output: str, problem: Problem) -> list[dict[str, Value]]:
    return answers(Source("log", f"\n{output}".encode()), problem)  # a name may be a byte-order mark


def assert_is_solved(problem: Problem, output: str) -> None:
    """Check the first solution."""
    if "=====UNSATISFIABLE=====" in output:
        assert Sat(problem).solution() is None
    else:
        found = found_in(output, problem)
        assert len(found) == 1
        assert not any(check_all(problem, found))


@in_both_ways
@some(25)
@given(problem=small_problems())
def test_gecode_finds_all_solutions(options: ExportOptions, problem: Problem, tmp_path: Path) -> None:
    output = printed(problem, options, tmp_path, "-a")
    if expected := solutions(problem):
        assert output.endswith("==========\n")
        assert sorted(map(str, found_in(output, problem))) == sorted(map(str, expected))
    else:
        assert "=====UNSATISFIABLE=====" in output


@in_both_ways
@some(25)
@given(problem=problems())
def test_gecode_reads_any_names_and_values(options: ExportOptions, problem: Problem, tmp_path: Path) -> None:
    assert_is_solved(problem, printed(problem, options, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "options"),
    [*zip([path for path in SAMPLES if path.name not in _HARD], cycle([PLAIN, STRUCTURE]))],
    ids=lambda value: sample_name(value) if isinstance(value, Path) else str(value),
)
def test_gecode_solves_samples_in_one_of_both_ways(path: Path, options: ExportOptions, tmp_path: Path) -> None:
    problem = sample(path)
    assert_is_solved(problem, printed(problem, options, tmp_path, "--time-limit", "60000"))


def test_names_may_be_words_of_minizinc_and_clash(tmp_path: Path) -> None:
    values = ["x", "array", "table_1", "'", "\\", '"', "words", "9223372036854775807", "5", "D_"]
    others = ("var_", "table", "rejects", "table_1", "word", "X_INTRODUCED_0_", "mzn_x", "a'b", "a_b", "_table_2")
    problem = problem_of(
        {"var: x y D": values, f"D: {' '.join(others)}": [5, -2, 7]},
        *((f"accept {name}", [(-2,)], f'"{name}"\\') for name in others),
        ("reject x y", [("x", "array"), ("5", "5")]),
        ("accept x", [("5",), ("'",), ("x",)]),
        ("accept D y", [("x", "5"), ("5", "\\"), ("words", "array")]),
        title='Title with "quotes" \\ and %',
    )
    expected = list(Sat(problem).solutions(problem.variable_names))
    for options in (PLAIN, STRUCTURE):
        found = found_in(printed(problem, options, tmp_path, "-a"), problem)
        assert sorted(map(str, found)) == sorted(str(one | dict.fromkeys(others, -2)) for one in expected)
