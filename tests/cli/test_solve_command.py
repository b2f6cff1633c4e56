"""``f2csp solve``, ``unique`` and ``engines`` with every engine, and interrupts; transcripts have the rest."""

import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import f2csp
from f2csp.diagnostics import ProblemError, Unsuitable
from f2csp.instances import Instance
from f2csp.model import Problem
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import ENGINES
from f2csp.solving.questions import projection
from tests.cli.in_process import run

MAP = Path(__file__).parents[2] / "samples" / "map.csp"
THREE = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))
ONE = Sudoku(4, 2, 2, clues=(*THREE.clues, Clue(2, 1, 3), Clue(3, 1, 2)))
NONE = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 4, 1)))
EVERY_ENGINE = pytest.mark.parametrize("engine", [engine.name for engine in ENGINES if engine.is_installed])


@pytest.fixture
def file(tmp_path: Path):
    def write(puzzle: Sudoku | Takuzu | Problem) -> str:
        path = tmp_path / "problem.csp"
        f2csp.dump(puzzle if isinstance(puzzle, Problem) else to_problem(puzzle), path)
        return str(path)

    return write


@EVERY_ENGINE
@pytest.mark.parametrize("structure", [[], ["--no-structure"]])
def test_all_solutions_come_with_a_line_between_them(engine: str, structure: list[str]) -> None:
    result = run("solve", str(MAP), "--all", "--engine", engine, *structure)
    assert sorted(result.out.split("---\n")) == ["France = red\nSpain = blue\n", "France = red\nSpain = green\n"]
    assert result.err.startswith("2 solutions found, no others")


@EVERY_ENGINE
def test_json_is_one_object(file, engine: str) -> None:
    found = json.loads(run("solve", file(THREE), "--all", "--json", "--engine", engine).out)
    assert list(found)[:4] == ["command", "file", "index", "status"]
    assert list(found)[3:] == ["status", "solutions", "complete", "engine", "statistics", "times"]
    assert (found["status"], found["complete"], found["engine"]) == (
        "satisfiable",
        True,
        "search" if engine == "auto" else engine,
    )
    assert len(found["solutions"]) == 3
    assert all(f2csp.check(to_problem(THREE), solution) == [] for solution in found["solutions"])
    assert all(type(value) is int for solution in found["solutions"] for value in solution.values())
    assert list(found["times"]) == ["load", "structure", "build", "search", "total"]
    assert all(seconds >= 0 for seconds in found["times"].values())


@EVERY_ENGINE
def test_no_time_at_all_is_unknown(file, engine: str) -> None:
    result = run("solve", file(Sudoku(25, 5, 5)), "--time-limit", "0", "--engine", engine, "--no-structure")
    assert (result.code, result.out) == (4, "UNKNOWN\n")
    assert result.err.startswith("unknown: stopped by a limit")


@EVERY_ENGINE
@pytest.mark.parametrize(("puzzle", "verdict", "code"), [(ONE, "unique", 0), (NONE, "none", 3), (THREE, "multiple", 3)])
def test_unique(file, engine: str, puzzle: Sudoku, verdict: str, code: int) -> None:
    result = run("unique", file(puzzle), "--engine", engine, "--json")
    found = json.loads(result.out)
    assert (found["verdict"], result.code) == (verdict, code)
    assert len(found["solutions"]) == {"unique": 1, "none": 0, "multiple": 2}[verdict]
    if verdict == "multiple":
        one, other = found["solutions"]
        assert found["differing"] == [name for name in one if one[name] != other[name]] != []


def test_engines() -> None:
    listed = run("engines").out
    assert [line.split()[0] for line in listed.splitlines()] == [engine.name for engine in ENGINES]
    assert "(installed)" in listed
    records = [json.loads(line) for line in run("engines", "--json").out.splitlines()]
    assert [record["name"] for record in records] == [engine.name for engine in ENGINES]


def _interrupt(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Press Ctrl-C, and again where nothing happens: on a loaded machine a signal was once seen to have no effect."""
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=20)
    process.kill()
    pytest.fail("the program goes on after three interrupts")


def test_a_search_for_more_that_a_limit_ends_has_the_exit_code_of_limits(file) -> None:
    path = file(Sudoku(9, 3, 3))
    for wanted in (["--all"], ["--limit", "1000000"]):
        result = run("solve", path, *wanted, "--time-limit", "1", "--json")
        assert result.code == 4
        assert json.loads(result.out)["status"] == "satisfiable"
    assert run("solve", path, "--limit", "3").code == 0


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["cpsat", "sat"])
def test_an_interrupt_gives_what_was_found_so_far(file, engine: str) -> None:
    args = ["solve", file(Sudoku(9, 3, 3)), "--all", "--json", "--engine", engine]
    program = [sys.executable, "-m", "f2csp", *args]
    for seconds in (1.5, 6, 16):  # a loaded machine may still be starting it after the first
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
