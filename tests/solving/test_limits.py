"""Engines that stop early: at a time limit, and by Ctrl-C in a real process."""

import os
import signal
import subprocess
import sys
import time
from ctypes import ArgumentError
from pathlib import Path
from threading import Thread, Timer

import numpy as np
import pytest

from f2csp.encode import Cnf
from f2csp.search import Stopped, network_of
from f2csp.solving import ENGINES, Status, solve
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.search_run import Limits, SearchRun
from f2csp.structure import recover
from tests.small import problem_of
from tests.solving.hard_parities import parities

ROOT = Path(__file__).parents[2]

_MAX_SECONDS = 100.0  # of a process that ignores a signal

engines = pytest.mark.parametrize("engine", [one.name for one in ENGINES if one.is_installed])


@pytest.mark.slow
@engines
@pytest.mark.parametrize("use_structure", [True, False])
def test_a_time_limit_gives_no_answer(engine: str, use_structure: bool) -> None:
    if engine == "z3" and use_structure:
        pytest.skip("Z3 solves parities as arithmetic")
    result = solve(parities(), engine=engine, seconds=0.5, use_structure=use_structure)
    assert (result.status, result.is_complete, result.n_solutions) == (Status.UNKNOWN, False, 0)


def test_a_time_limit_holds_while_a_network_is_built_and_its_tables_are_filtered() -> None:
    problem = problem_of({"D: x y z": [1, 2]}, ("accept x y z", [(1, 1, 1), (2, 2, 2)]))
    with pytest.raises(Stopped):
        network_of(problem, lambda: True)
    clock = [False]
    network = network_of(problem, lambda: clock[-1])
    clock.append(True)
    with pytest.raises(Stopped):
        network.tables[0][0].filtered[3, 3, 3]
    result = solve(problem, engine="search", seconds=0)
    assert (result.status, "search" in result.times) == (Status.UNKNOWN, False)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["cpsat", "milp"])
def test_a_search_that_does_not_stop_is_abandoned(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = pytest.importorskip(f"f2csp.solving.engines.{engine}")
    monkeypatch.setattr(module, "_GRACE", -60)
    start = time.monotonic()
    result = solve(parities(), engine=engine, seconds=60)
    assert (result.status, result.is_complete) == (Status.UNKNOWN, False)
    assert time.monotonic() - start < 20


def test_the_first_run_of_sat_on_a_large_formula_fits_in_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sat = pytest.importorskip("f2csp.solving.engines.sat")
    budgets: list[int] = []
    monkeypatch.setattr(sat.Cadical195, "conf_budget", lambda _, budget: budgets.append(budget))
    model = recover(problem_of({"D: x y": [1, 2]}))
    cnf = Cnf(2, (np.tile(np.array([[1, 2]], dtype=np.int32), (200_000, 1)),))
    for seconds in (None, 60.0, 10.0):
        clauses = sat.Clauses(SearchRun(model, Limits(seconds=seconds)))
        clauses.add(cnf)
        with InterruptibleThread() as thread:
            assert clauses.model(thread)
    assert budgets == [100, 75, 75]


_LITTLE_MEMORY = """
import re, resource
import numpy as np
from pathlib import Path
from f2csp.encode import Cnf
from f2csp.solving.engines.sat import Clauses
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.search_run import Limits, SearchRun
from f2csp.structure import raw_model
from tests.small import problem_of

clauses = Clauses(SearchRun(raw_model(problem_of({"D: x y": [1, 2]})), Limits()))
cnf = Cnf(2, (np.tile(np.array([[1, 2]], dtype=np.int32), (2_000_000, 1)),))
used = int(re.search(r"VmSize:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20),) * 2)
try:
    clauses.add(cnf)
    with InterruptibleThread() as thread:
        clauses.model(thread)
except MemoryError:
    print("not enough memory")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="bounds the memory of a program as Linux does")
def test_little_memory_is_an_error_of_python_before_a_solver_in_cpp_ends_the_process() -> None:
    pytest.importorskip("pysat")
    done = subprocess.run([sys.executable, "-c", _LITTLE_MEMORY], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "not enough memory\n", "")


def test_the_first_error_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    cpsat = pytest.importorskip("f2csp.solving.engines.cpsat")

    def refuse(*_: object) -> int:
        raise MemoryError("no room")

    monkeypatch.setattr(cpsat.cp_model.CpSolver, "solve", refuse)
    with pytest.raises(MemoryError, match="no room"):
        solve(parities(), engine="cpsat")


@pytest.mark.slow
@engines
def test_solutions_found_in_time_are_kept(engine: str) -> None:
    result = solve(parities(is_contradictory=False), engine=engine, seconds=1, solutions=None)
    assert (result.status, result.is_complete) == (Status.SATISFIABLE, False)
    assert result.n_solutions == len(result.solutions) > 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot be sent the signal of Ctrl-C alone")
@engines
@pytest.mark.parametrize("wanted", ["one", "all"])
def test_an_interrupt_ends_the_search_and_the_next_one_is_handled_by_python(engine: str, wanted: str) -> None:
    if engine == "milp":
        pytest.skip("a solver in OR-Tools handles the signal itself and ends the process")
    if engine == "z3" and wanted == "one":
        pytest.skip("Z3 solves parities as arithmetic")
    arguments = [sys.executable, "-m", "tests.solving.hard_parities", engine, wanted]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stdout is not None
        watchdog = Timer(_MAX_SECONDS, process.kill)
        watchdog.start()
        first = process.stdout.readline()
        if wanted == "one":
            time.sleep(1)  # until it searches
        else:
            assert process.stdout.readline() == "found\n"
        process.send_signal(signal.SIGINT)
        answer = next((line for line in process.stdout if line != "found\n"), "nothing")
        process.send_signal(signal.SIGINT)
        last = process.stdout.readline()
        watchdog.cancel()
    status = Status.UNKNOWN if wanted == "one" else Status.SATISFIABLE
    assert (first, answer, last) == ("ready\n", f"{status} False\n", "interrupted\n")
    assert process.returncode == 0


def test_an_interrupt_that_ctypes_catches_ends_z3_too(monkeypatch: pytest.MonkeyPatch) -> None:
    z3 = pytest.importorskip("z3")

    def interrupted(*_: object, **__: object) -> None:
        raise ArgumentError("argument 1: KeyboardInterrupt: ")

    monkeypatch.setattr(z3.ModelRef, "eval", interrupted)
    result = solve(problem_of({"D: x": [1, 2]}), engine="z3", solutions=None)
    assert (result.is_interrupted, result.is_complete) == (True, False)


@engines
def test_engines_work_where_no_thread_can_be_started(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refused)
    result = solve(problem_of({"D: x y": [1, 2]}, ("reject x y", [(1, 1)])), engine=engine, solutions=None)
    assert (result.is_complete, result.n_solutions) == (True, 3)


@pytest.mark.parametrize("solver", ["highs", "scip", "cpsat", "bop"])
def test_searches_in_threads_leave_standard_output_alone(solver: str, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ortools")
    problem, before = parities(6), os.fstat(1)[1:3]
    threads = [Thread(target=lambda: [solve(problem, engine=f"milp:solver={solver}") for _ in range(5)]) for _ in "ab"]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert os.fstat(1)[1:3] == before
        time.sleep(0.001)
    assert capfd.readouterr() == ("", "")
