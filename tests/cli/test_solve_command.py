"""``f2csp solve``, ``unique`` and ``engines``: what they print, in every form, and their exit codes."""

import json
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner, Result

import f2csp
from f2csp.cli.about import engines
from f2csp.cli.solve import solve, unique
from f2csp.diagnostics import ProblemError, Unsuitable
from f2csp.instances import Instance
from f2csp.model import Problem
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.solutions import load_solutions
from f2csp.solving import ENGINES
from f2csp.solving.projection import projection

MAP = Path(__file__).parents[2] / "samples" / "map.csp"
THREE = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))
ONE = Sudoku(4, 2, 2, clues=(*THREE.clues, Clue(2, 1, 3), Clue(3, 1, 2)))
NONE = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 4, 1)))
BOARD = """\
┌─────┬─────┐
│ 1 4 │ 3 2 │
│ 3 2 │ 4 1 │
├─────┼─────┤
│ 2 3 │ 1 4 │
│ 4 1 │ 2 3 │
└─────┴─────┘
"""
EVERY_ENGINE = pytest.mark.parametrize("engine", [engine.name for engine in ENGINES if engine.is_installed])


@pytest.fixture
def file(tmp_path: Path):
    def write(puzzle: Sudoku | Takuzu | Problem) -> str:
        path = tmp_path / "problem.csp"
        f2csp.dump(puzzle if isinstance(puzzle, Problem) else to_problem(puzzle), path)
        return str(path)

    return write


def run(command: Command, *args: str, stdin: str = "") -> Result:
    return CliRunner().invoke(command, args, input=stdin, standalone_mode=False)


@EVERY_ENGINE
def test_a_puzzle_is_shown_as_a_board(file, engine: str) -> None:
    result = run(solve, file(ONE), "--engine", engine)
    assert (result.return_value, result.stdout) == (0, BOARD)
    assert re.fullmatch(rf"1 solution found, there may be others \({engine}, \d+\.\d\d s\)\n", result.stderr)
    assert run(solve, file(ONE), "--engine", engine, "--ascii").stdout.startswith("+-----+-----+\n| 1 4 | 3 2 |\n")


@EVERY_ENGINE
@pytest.mark.parametrize("structure", [[], ["--no-structure"]])
def test_all_solutions_come_with_a_line_between_them(engine: str, structure: list[str]) -> None:
    result = run(solve, str(MAP), "--all", "--engine", engine, *structure)
    assert sorted(result.stdout.split("---\n")) == ["France = red\nSpain = blue\n", "France = red\nSpain = green\n"]
    assert result.stderr.startswith("2 solutions found, no others")


@EVERY_ENGINE
def test_json_is_one_object(file, engine: str) -> None:
    found = json.loads(run(solve, file(THREE), "--all", "--json", "--engine", engine).stdout)
    assert list(found)[:4] == ["command", "file", "index", "status"]
    assert list(found)[3:] == ["status", "solutions", "complete", "engine", "statistics", "times"]
    assert (found["status"], found["complete"], found["engine"]) == ("satisfiable", True, engine)
    assert len(found["solutions"]) == 3
    assert all(f2csp.check(to_problem(THREE), solution) == [] for solution in found["solutions"])
    assert all(type(value) is int for solution in found["solutions"] for value in solution.values())
    assert list(found["times"]) == ["load", "structure", "build", "search", "total"]
    assert all(seconds >= 0 for seconds in found["times"].values())


def test_the_cells_alone(file, tmp_path: Path) -> None:
    path = file(Takuzu(2, 2, clues=(Clue(1, 1, 0),)))
    values = {"V1-1": 0, "V1-2": 1, "V2-1": 1, "V2-2": 0}
    assert json.loads(run(solve, path, "--json", "--cells").stdout)["solutions"] == [values]
    assert run(solve, path, "--cells", "-o", "-").stdout == "".join(f"{name} = {n}\n" for name, n in values.items())
    (line,) = (line for line in run(solve, path, "--cells").stdout.splitlines() if line.startswith("1"))
    assert line == "1 0"
    result = run(solve, str(MAP), "--cells")
    assert (result.return_value, "the problem has no cells" in result.stderr) == (1, True)


@EVERY_ENGINE
def test_that_there_is_no_solution_is_an_answer(file, engine: str) -> None:
    result = run(solve, file(NONE), "--engine", engine)
    assert (result.return_value, result.stdout) == (0, "UNSATISFIABLE\n")
    assert result.stderr.startswith("there is no solution (")
    found = json.loads(run(solve, file(NONE), "--json", "--engine", engine).stdout)
    assert (found["status"], found["solutions"], found["complete"]) == ("unsatisfiable", [], True)


@EVERY_ENGINE
def test_a_limit_of_solutions(file, engine: str) -> None:
    found = json.loads(run(solve, file(Sudoku(4, 2, 2)), "--limit", "5", "--json", "--engine", engine).stdout)
    assert (found["status"], len(found["solutions"]), found["complete"]) == ("satisfiable", 5, False)
    assert len({tuple(solution.values()) for solution in found["solutions"]}) == 5


@EVERY_ENGINE
def test_no_time_at_all_is_unknown(file, engine: str) -> None:
    result = run(solve, file(Sudoku(25, 5, 5)), "--time-limit", "0", "--engine", engine, "--no-structure")
    assert (result.return_value, result.stdout) == (4, "UNKNOWN\n")
    assert result.stderr.startswith("unknown: stopped by a limit")


def test_competition_lines(file) -> None:
    result = run(solve, str(MAP), "--competition")
    assert result.return_value == 10
    *values, status = result.stdout.splitlines()
    assert values[0] == "v France = red"
    assert status == "s SATISFIABLE"
    assert (run(solve, file(NONE), "--competition").return_value, run(solve, file(NONE), "--competition").stdout) == (
        20,
        "s UNSATISFIABLE\n",
    )
    unknown = run(solve, file(Sudoku(25, 5, 5)), "--competition", "--time-limit", "0", "--no-structure")
    assert (unknown.return_value, unknown.stdout) == (0, "s UNKNOWN\n")


def test_solutions_go_to_a_file_as_well(file, tmp_path: Path) -> None:
    out = tmp_path / "solutions.txt"
    run(solve, file(THREE), "--all", "-o", str(out))
    problem = to_problem(THREE)
    solutions = load_solutions(out, problem)
    assert len(solutions) == 3
    assert all(f2csp.check(problem, solution) == [] for solution in solutions)
    out.write_text("precious")
    run(solve, file(NONE), "-o", str(out))
    assert out.read_text() == "precious"


def test_standard_input(file) -> None:
    assert run(solve, "-", stdin=f2csp.dumps(to_problem(ONE))).stdout == BOARD


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--engine", "hal"], "there is no engine 'hal'; the engines are cpsat, sat"),
        (["--engine", "sat:encoding=best"], "expected encoding=order, encoding=support, encoding=direct"),
        (["--engine", "cpsat:encoding=order"], "'encoding=order' is not an option of the engine cpsat; it has none"),
        (["--project", "Italy", "--all"], "the problem has no variable Italy"),
        (["--over", "cells", "--all"], "the problem has no cells"),
        (["--json", "--competition"], "cannot be combined"),
        (["--limit", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage(args: list[str], message: str) -> None:
    result = run(solve, str(MAP), *args)
    assert message in str(result.exception) + result.stderr


def test_solutions_differ_in_the_variables_that_are_named() -> None:
    found = json.loads(run(solve, str(MAP), "--all", "--over", "France", "--json").stdout)
    assert (len(found["solutions"]), found["complete"]) == (1, True)


@EVERY_ENGINE
@pytest.mark.parametrize(("puzzle", "verdict", "code"), [(ONE, "unique", 0), (NONE, "none", 3), (THREE, "multiple", 3)])
def test_unique(file, engine: str, puzzle: Sudoku, verdict: str, code: int) -> None:
    result = run(unique, file(puzzle), "--engine", engine, "--json")
    found = json.loads(result.stdout)
    assert (found["verdict"], result.return_value) == (verdict, code)
    assert len(found["solutions"]) == {"unique": 1, "none": 0, "multiple": 2}[verdict]
    if verdict == "multiple":
        one, other = found["solutions"]
        assert found["differing"] == [name for name in one if one[name] != other[name]] != []


def test_unique_in_words(file) -> None:
    assert run(unique, file(ONE)).stdout == "there is exactly one solution\n"
    assert run(unique, file(NONE)).stdout == "there is no solution\n"
    several = run(unique, str(MAP)).stdout
    assert several.startswith("there are several solutions; two of them\nFrance = red\n")
    assert several.endswith("they differ in 1 variable: Spain\n")
    unknown = run(unique, file(Sudoku(25, 5, 5)), "--time-limit", "0")
    assert (unknown.return_value, unknown.stdout) == (4, "unknown: stopped by a limit\n")


def test_engines() -> None:
    listed = run(engines).stdout
    assert [line.split()[0] for line in listed.splitlines()] == [engine.name for engine in ENGINES]
    assert "(installed)" in listed
    records = [json.loads(line) for line in run(engines, "--json").stdout.splitlines()]
    assert [record["name"] for record in records] == [engine.name for engine in ENGINES]


def test_options_of_an_engine(file) -> None:
    assert run(engines, "sat").stdout == "encoding=order|support|direct  the clauses of tables and comparisons\n"
    record = json.loads(run(engines, "sat", "--json").stdout)
    assert record["name"] == "encoding"
    assert run(engines, "cpsat").stdout == ""
    for value in record["values"]:
        assert run(solve, file(ONE), "--engine", f"sat:encoding={value}").stdout == BOARD


def test_options_of_an_engine_are_options_of_the_command(file) -> None:
    record = json.loads(run(solve, file(ONE), "--json", "--inference", "none", "--counted", "all").stdout)
    assert record["engine"] == "search"
    assert record["statistics"]["assignments"] == record["statistics"]["nodes"] - 1
    for command in (solve, unique):
        assert run(command, file(ONE), "--engine", "search:inference=fc", "--variable-order", "mrv").return_value == 0
    refused = run(solve, file(ONE), "--engine", "search", "--inference", "ac")
    assert "expected inference=mac, inference=fc, inference=none" in str(refused.exception)
    assert "No such option" in str(run(solve, file(ONE), "--inferences", "fc").exception)


def test_counters_of_an_engine() -> None:
    assert "backtracks: steps back" in run(engines, "search").stdout
    records = [json.loads(line) for line in run(engines, "search", "--json").stdout.splitlines()]
    assert {"nodes", "peak_depth"} <= {record.get("counter") for record in records}


def _interrupt(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Press Ctrl-C, and again where nothing happens: on a loaded machine a signal was once seen to have no effect."""
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=20)
    process.kill()
    pytest.fail("the program goes on after three interrupts")


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
def test_an_interrupt_gives_what_was_found_so_far(file, engine: str) -> None:
    args = ["solve", file(Sudoku(9, 3, 3)), "--all", "--json", "--engine", engine]
    program = [sys.executable, "-m", "f2csp", *args]
    for seconds in (4, 16):  # a loaded machine may still be starting it after the first
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(seconds)
            out, err = _interrupt(process)
        if out:
            break
    found = json.loads(out)
    assert found["complete"] is False
    assert found["status"] in ("satisfiable", "unknown")
    assert b"Traceback" not in err


def test_the_projection() -> None:
    cells = tuple(f"V{row}-{column}" for row in (1, 2) for column in (1, 2))
    takuzu, plain = (Instance("file", "f2csp", problem) for problem in (to_problem(Takuzu(2, 2)), f2csp.load(MAP)))
    assert projection(takuzu, None) == projection(takuzu, "cells") == cells
    assert projection(takuzu, "all") is None
    assert projection(plain, None) is None
    assert projection(plain, "Spain, France Spain") == ("Spain", "France")
    with pytest.raises(Unsuitable, match="no cells"):
        projection(plain, "cells")
    with pytest.raises(ProblemError, match="no variable Italy"):
        projection(plain, "France Italy")
