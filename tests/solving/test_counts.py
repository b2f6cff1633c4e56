"""Counts by every method, samples and values that occur, against all solutions."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import sleep

import numpy as np
import pytest
from hypothesis import given

import f2csp
from f2csp.model import Problem
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import counts
from f2csp.solving.registry import GANAK
from tests.small import problem_of, small_problems, solutions
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


@pytest.mark.parametrize("project", [None, ["V1-1", "V2-2"]])
def test_ganak_counts_the_same(project: list[str] | None) -> None:
    pytest.importorskip("pyganak")
    problem = to_problem(LatinSquare(4))
    expected = f2csp.count(problem, project=project)
    found = f2csp.count(problem, project=project, method="ganak")
    assert (found, found.is_complete, found.method) == (expected, True, "ganak")


def test_ganak_keeps_the_time_limit() -> None:
    pytest.importorskip("pyganak")
    found = f2csp.count(to_problem(Sudoku(9, 3, 3)), method="ganak", seconds=1)
    assert (found, found.is_complete) == (0, False)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process does not end with its parent")
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
    sleep(0.5)
    assert not ganak.exists() or ganak.read_text().split()[2] == "Z"


def test_solutions_are_enumerated_where_there_are_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = to_problem(LatinSquare(4))
    monkeypatch.setattr(GANAK.__class__, "is_installed", property(lambda engine: engine.name != "ganak"))
    found = f2csp.count(problem, max_states=2)
    assert (found, found.is_complete, found.method, found.reason) == (576, True, "enumerate", "")


def test_few_solutions_are_enumerated_before_ganak_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GANAK.__class__, "is_installed", property(lambda engine: True))
    found = f2csp.count(to_problem(LatinSquare(4)), max_states=2)
    assert (found, found.is_complete, found.method) == (576, True, "enumerate")
    assert found.result.times["search"] > 0


def test_merging_pauses_for_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = to_problem(LatinSquare(4))
    monkeypatch.setattr(counts, "_FIRST_SECONDS", 0.0)
    assert f2csp.count(problem).method == "merge"  # no time for enumeration at first, and then too early
    monkeypatch.setattr(counts._Attempts, "_enumerate_for_a_while", lambda self: self.enumerate(None))
    assert (f2csp.count(problem), f2csp.count(problem).method) == (576, "enumerate")


def test_numbers_of_many_digits_have_a_representation() -> None:
    names = " ".join(f"x{i}" for i in range(5000))
    found = f2csp.count(problem_of({f"D: {names}": range(10)}))
    assert found == 10**5000
    assert repr(found) == "<Count: about 10^5000>"


def test_no_engine_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("f2csp.solving.registry.find_spec", lambda name: None)
    assert f2csp.count(to_problem(Sudoku(6, 2, 3))) == 28_200_960


def test_samples() -> None:
    problem = problem_of({"D: x y": [1, 2, 3]}, ("accept x y", [(1, 2), (2, 3)]))
    found = Counter(solution["x"] for solution in f2csp.sample(problem, 1000, seed=1))
    assert set(found) == {1, 2}
    assert abs(found[1] - 500) < 60
    assert f2csp.sample(problem.restricted({"x": 3}), 5) == ()
    with pytest.raises(f2csp.BeyondBudget, match="the time is over"):
        f2csp.sample(to_problem(Sudoku(9, 3, 3)), seconds=0)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(f2csp.F2cspError, match="there is no method 'fast'; the methods are auto, merge"):
        f2csp.count(to_problem(LatinSquare(2)), method="fast")


def test_numbers_of_samples_and_limits_are_checked() -> None:
    problem = problem_of({"D: x": [1, 2]})
    assert f2csp.sample(problem, np.int64(2), seed=np.int64(3)) == f2csp.sample(problem, 2, seed=3)
    for ask in (lambda: f2csp.sample(problem, -1), lambda: f2csp.marginals(problem, seconds=-1)):
        with pytest.raises(f2csp.ProblemError, match="expected at least 0"):
            ask()
