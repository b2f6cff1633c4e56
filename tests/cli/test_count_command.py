"""``f2csp count``: methods, numbers of any length, and time limits; transcripts have the rest."""

import json
import re
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner, Result

import f2csp
from f2csp.cli.count import count
from f2csp.model import Problem
from f2csp.puzzles.puzzle import Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
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


def run(command: Command, *args: str) -> Result:
    return CliRunner().invoke(command, args, standalone_mode=False)


def record(command: Command, *args: str) -> dict[str, object]:
    return json.loads(run(command, *args, "--json").stdout)


@pytest.mark.parametrize(("method", "states"), [("auto", 4), ("merge", 4), ("enumerate", None), ("ganak", None)])
def test_methods_count_the_same(file, method: str, states: int | None) -> None:
    if method == "ganak":
        pytest.importorskip("pyganak")
    found = record(count, file(EMPTY), "--method", method)
    assert (found["count"], found["exact"], found["states"]) == (288, True, states)
    assert found["method"] == ("merge" if method == "auto" else method)
    assert run(count, file(NONE), "--method", method).stdout == "0\n"


def test_numbers_may_have_thousands_of_digits(file) -> None:
    names = " ".join(f"x{i}" for i in range(5000))
    assert run(count, file(problem_of({f"D: {names}": range(10)}))).stdout == f"1{'0' * 5000}\n"


@pytest.mark.parametrize("options", [[], ["--method", "merge"]])
def test_a_count_that_the_time_cuts_short(file, options: list[str]) -> None:
    result = run(count, file(Sudoku(9, 3, 3)), "--time-limit", "0.2", *options)
    assert result.return_value == 4
    assert re.fullmatch(r"at least \d+\n", result.stdout)
