"""Counts by every method, samples and values that occur, against all solutions."""

import os
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest
from hypothesis import given

import f2csp
from f2csp.counting import different_values
from f2csp.diagnostics import F2cspError
from f2csp.model import Problem
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.running import pool
from f2csp.running.child import Child
from f2csp.solving import counts
from f2csp.solving.registry import GANAK
from tests.small import small_problems, solutions
from tests.strategies import examples


@examples(100)
@given(problem=small_problems())
def test_methods_agree(problem: Problem) -> None:
    n = len(solutions(problem))
    found = f2csp.count(problem, method="merge")
    assert (found, found.is_complete, found.result.status == "satisfiable") == (n, True, n > 0)
    assert f2csp.count(problem, method="enumerate", engine="sat") == n


@examples(100)
@given(problem=small_problems())
def test_possible_values_are_those_of_all_solutions(problem: Problem) -> None:
    every = solutions(problem)
    expected = {
        v.name: tuple(value for value in v.domain.values if any(one[v.name] == value for one in every))
        for v in problem.variables
    }
    assert f2csp.marginals(problem, max_states=0).possible == expected
    assert f2csp.marginals(problem).possible == expected


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no list of the children of a process")
def test_ganak_ends_with_the_process_that_runs_it() -> None:
    pytest.importorskip("pyganak")
    program = "import f2csp; f2csp.count(f2csp.generate('latin', size=9, fill=0.0), method='ganak')"
    process = subprocess.Popen([sys.executable, "-c", program])
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (found := children.read_text().split()):  # raises when the process has ended
        sleep(0.1)
    (ganak,) = (Path(f"/proc/{child}/stat") for child in found)
    while b"pyganak" not in ganak.with_name("maps").read_bytes():
        sleep(0.1)
    sleep(0.5)
    process.terminate()
    process.wait()
    while ganak.exists() and ganak.read_text().split()[2] != "Z":
        sleep(0.1)


def test_solutions_are_enumerated_where_there_are_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = to_problem(LatinSquare(4))
    monkeypatch.setattr(GANAK.__class__, "is_installed", property(lambda engine: engine.name != "ganak"))
    found = f2csp.count(problem, max_states=2)
    assert (found, found.is_complete, found.method, found.reason) == (576, True, "enumerate", "")


def test_few_solutions_are_enumerated_before_ganak_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GANAK.__class__, "is_installed", property(lambda engine: True))
    monkeypatch.setattr(counts, "_FIRST_SECONDS", 60.0)  # on a busy machine the usual half second may not do
    found = f2csp.count(to_problem(LatinSquare(4)), max_states=2)
    assert (found, found.is_complete, found.method) == (576, True, "enumerate")
    assert found.result.times["search"] > 0


def test_merging_pauses_for_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = to_problem(LatinSquare(4))
    monkeypatch.setattr(counts, "_FIRST_SECONDS", 0.0)
    assert f2csp.count(problem).method == "merge"  # no time for enumeration at first, and then too early
    monkeypatch.setattr(counts._Attempts, "_enumerate_for_a_while", lambda self: self.enumerate(None))
    assert (f2csp.count(problem), f2csp.count(problem).method) == (576, "enumerate")


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[Child]:
    """The workers that are started."""
    started: list[Child] = []

    def start() -> Child:
        started.append(Child())
        return started[-1]

    monkeypatch.setattr(pool, "Child", start)
    return started


def test_workers_count_the_same(monkeypatch: pytest.MonkeyPatch, workers: list[Child]) -> None:
    monkeypatch.setattr(different_values, "_CHUNK", 50)
    found = f2csp.count(to_problem(LatinSquare(6)), workers=2)
    assert (found, found.is_complete, found.method) == (812_851_200, True, "merge")
    assert 1 <= len(workers) <= 2
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker.pid, 0)


def test_a_lost_worker_is_told(monkeypatch: pytest.MonkeyPatch, workers: list[Child]) -> None:
    monkeypatch.setattr(different_values, "_CHUNK", 5)

    def kill(*_: int) -> None:
        for worker in workers:
            worker.kill()

    with pytest.raises(F2cspError, match="a worker process was ended"):
        f2csp.count(to_problem(LatinSquare(6)), method="merge", workers=2, advance=kill)


def test_no_engine_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("f2csp.solving.registry.find_spec", lambda name: None)
    assert f2csp.count(to_problem(Sudoku(6, 2, 3))) == 28_200_960
