"""``f2csp count``: methods, numbers of any length, and time limits; transcripts have the rest."""

import json
import re
from pathlib import Path

import pytest

import f2csp
from f2csp.model import Problem
from f2csp.puzzles.puzzle import Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from tests.cli.in_process import run
from tests.small import problem_of

EMPTY = Sudoku(4, 2, 2)
NONE = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 4, 1)))


@pytest.fixture
def file(tmp_path: Path):
    def write(puzzle: Puzzle | Problem) -> str:
        path = tmp_path / "problem.csp"
        f2csp.dump(puzzle if isinstance(puzzle, Problem) else to_problem(puzzle), path)
        return str(path)

    return write


@pytest.mark.parametrize(("method", "states"), [("auto", 4), ("merge", 4), ("enumerate", None), ("ganak", None)])
def test_methods_count_the_same(file, method: str, states: int | None) -> None:
    if method == "ganak":
        pytest.importorskip("pyganak")
    found = json.loads(run("count", file(EMPTY), "--method", method, "--json").out)
    assert (found["count"], found["exact"], found["states"]) == (288, True, states)
    assert found["method"] == ("merge" if method == "auto" else method)
    assert run("count", file(NONE), "--method", method).out == "0\n"


def test_numbers_may_have_thousands_of_digits(file) -> None:
    names = " ".join(f"x{i}" for i in range(5000))
    assert run("count", file(problem_of({f"D: {names}": range(10)}))).out == f"1{'0' * 5000}\n"


@pytest.mark.parametrize("options", [[], ["--method", "merge"]])
def test_a_count_that_the_time_cuts_short(file, options: list[str]) -> None:
    result = run("count", file(Sudoku(9, 3, 3)), "--time-limit", "0.2", *options)
    assert result.code == 4
    assert re.fullmatch(r"(at least \d+|unknown)\n", result.out)


def test_a_count_that_ends_before_a_first_solution(file) -> None:
    result = run("count", file(Sudoku(16, 4, 4)), "--method", "merge", "--time-limit", "0.1")
    assert (result.code, result.out) == (4, "unknown\n")
    assert result.err.startswith("no solution counted: the time is over after ")
