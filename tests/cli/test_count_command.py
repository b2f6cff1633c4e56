"""``f2csp count``, ``sample`` and ``marginals``: what they print, in every form, and their exit codes."""

import json
import re
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner, Result

import f2csp
from f2csp.cli.count import count, marginals, sample
from f2csp.model import Problem
from f2csp.puzzles.puzzle import Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from tests.small import problem_of

MAP = str(Path(__file__).parents[2] / "samples" / "map.csp")
EMPTY = Sudoku(4, 2, 2)
NONE = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 4, 1)))


@pytest.fixture
def file(tmp_path: Path):
    def write(puzzle: Puzzle | Problem) -> str:
        path = tmp_path / "problem.csp"
        f2csp.dump(puzzle if isinstance(puzzle, Problem) else to_problem(puzzle), path)
        return str(path)

    return write


def run(command: Command, *args: str) -> Result:
    return CliRunner().invoke(command, args, standalone_mode=False)


def record(command: Command, *args: str) -> dict[str, object]:
    return json.loads(run(command, *args, "--json").stdout)


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
def test_count_with_an_engine(file, engine: str) -> None:
    empty = file(EMPTY)
    result = run(count, empty, "--engine", engine)
    assert (result.return_value, result.stdout) == (0, "288\n")
    found = record(count, empty, "--engine", engine)
    assert found.pop("seconds") > 0
    assert found == {
        "command": "count",
        "file": empty,
        "index": 1,
        "count": 288,
        "exact": True,
        "method": "enumerate",
        "states": None,
    }
    assert run(count, empty, "--engine", engine, "--limit", "10").stdout == "at least 10\n"
    assert run(count, empty, "--engine", engine, "--limit", "288").stdout == "288\n"
    assert run(count, file(NONE), "--engine", engine).stdout == "0\n"


@pytest.mark.parametrize(("method", "states"), [("auto", 4), ("merge", 4), ("enumerate", None), ("ganak", None)])
def test_methods_count_the_same(file, method: str, states: int | None) -> None:
    if method == "ganak":
        pytest.importorskip("pyganak")
    found = record(count, file(EMPTY), "--method", method)
    assert (found["count"], found["exact"], found["states"]) == (288, True, states)
    assert found["method"] == ("merge" if method == "auto" else method)
    assert run(count, file(NONE), "--method", method).stdout == "0\n"


def test_the_method_is_on_standard_error(file) -> None:
    result = run(count, file(Sudoku(6, 2, 3)))
    assert (result.return_value, result.stdout) == (0, "28200960\n")
    assert re.fullmatch(r"28,200,960 solutions: exact \(by merging, 462 states at most, \d+\.\d\d s\)\n", result.stderr)


def test_numbers_may_have_thousands_of_digits(file) -> None:
    names = " ".join(f"x{i}" for i in range(5000))
    assert run(count, file(problem_of({f"D: {names}": range(10)}))).stdout == f"1{'0' * 5000}\n"


def test_count_goes_by_the_cells_of_a_puzzle(file) -> None:
    assert run(count, file(Takuzu(4, 4))).stdout == "72\n"
    problem = file(problem_of({"D: x y": [1, 2, 3]}))
    assert run(count, problem).stdout == "9\n"
    assert run(count, problem, "--project", "y").stdout == "3\n"
    assert run(count, problem, "--over", "all").stdout == "9\n"
    refused = run(count, problem, "--project", "y", "--method", "merge")
    assert (refused.return_value, refused.stdout) == (2, "")
    assert "do not follow from the projection" in refused.stderr


@pytest.mark.parametrize("options", [[], ["--method", "merge"]])
def test_a_count_that_the_time_cuts_short(file, options: list[str]) -> None:
    result = run(count, file(Sudoku(9, 3, 3)), "--time-limit", "0.2", *options)
    assert result.return_value == 4
    assert re.fullmatch(r"at least \d+\n", result.stdout)


def test_a_count_beyond_the_budget_says_so(file) -> None:
    result = run(count, file(Sudoku(9, 3, 3)), "--method", "merge", "--max-states", "100")
    assert (result.return_value, result.stdout) == (4, "at least 0\n")
    assert "more than 100 states after" in result.stderr


def test_samples_are_solutions_of_their_seed(file) -> None:
    empty = file(EMPTY)
    solutions = record(sample, empty, "-n", "3", "--seed", "7")["solutions"]
    assert [bool(f2csp.check(to_problem(EMPTY), one)) for one in solutions] == [True] * 3
    assert solutions == record(sample, empty, "-n", "3", "--seed", "7")["solutions"]
    assert solutions != record(sample, empty, "-n", "3", "--seed", "8")["solutions"]
    boards = run(sample, empty, "-n", "3", "--seed", "7").stdout
    assert boards.count("┌") == 3
    none = run(sample, file(NONE))
    assert (none.return_value, none.stdout) == (0, "UNSATISFIABLE\n")


def test_samples_beyond_the_budget_are_refused(file) -> None:
    large = file(Sudoku(9, 3, 3))
    result = run(sample, large, "--max-states", "100")
    assert (result.return_value, result.stdout) == (4, "")
    assert "more than 100 states after" in result.stderr
    assert "more than 100 states after" in str(record(sample, large, "--max-states", "100")["error"])


def test_marginals_of_any_problem() -> None:
    assert run(marginals, MAP).stdout == "France = red\nSpain: green (1), blue (1)\n"
    found = record(marginals, MAP)
    assert found["numbers"] == {
        "France": {"red": 2, "green": 0, "blue": 0},
        "Spain": {"red": 0, "green": 1, "blue": 1},
    }
    assert found["possible"] == {"France": ["red"], "Spain": ["green", "blue"]}
    assert (found["count"], found["backbone"]) == (2, {"France": "red"})


def test_marginals_of_a_puzzle_begin_with_a_board(file) -> None:
    result = run(marginals, file(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1),))))
    lines = result.stdout.splitlines()
    assert lines[1] == "│ 1 . │ . . │"
    assert lines[7] == "V1-2: 2 (24), 3 (24), 4 (24)"
    assert len(lines) == 7 + 15
    assert result.stderr == "72 solutions\n"
    assert run(marginals, file(NONE)).stdout == "UNSATISFIABLE\n"


def test_marginals_beyond_the_budget_have_no_numbers(file) -> None:
    found = record(marginals, file(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1),))), "--max-states", "1")
    assert (found["count"], found["numbers"], found["backbone"]) == (None, None, {"V1-1": 1})
    assert found["possible"]["V1-2"] == [2, 3, 4]
    late = run(marginals, file(Sudoku(9, 3, 3)), "--time-limit", "0")
    assert (late.return_value, late.stdout) == (4, "")
