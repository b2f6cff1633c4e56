"""The engine ``auto``: processes that crash, are killed, or cannot be started; threads, forks, and one core."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest
from hypothesis import given

from f2csp.diagnostics import F2cspError
from f2csp.generation.kinds import generate
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.running.child import n_cores
from f2csp.solving import Result, Status, engine_process, solve
from f2csp.solving.engines import auto
from tests.solving.hard_parities import parities
from tests.solving.test_engines import Question, check_answer, questions
from tests.strategies import examples

FOUR = to_problem(Sudoku(4, 2, 2))
SEARCH = auto._OTHERS[2]


@pytest.fixture(scope="module", autouse=True)
def at_once() -> Iterator[None]:
    """No search before the processes."""
    patch = pytest.MonkeyPatch()
    patch.setattr(auto, "_MAX_SIZE", -1)
    patch.setattr(auto, "_MAX_WORK", -1)
    yield
    patch.undo()


@given(question=questions())
@examples(30)
def test_engines_side_by_side_find_what_brute_force_finds(question: Question) -> None:
    check_answer("auto", question, use_structure=True)


@given(question=questions())
@examples(30)
def test_an_engine_in_this_process_and_others_find_what_brute_force_finds(question: Question) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auto, "_MAX_WORK", 1 << 40)
        patch.setattr(auto, "_HERE_SECONDS", 0.0)
        check_answer("auto", question, use_structure=True)


def outcomes(result: Result) -> dict[str, str]:
    assert result.statistics.engines is not None
    return {line: record["status"] for line, record in result.statistics.engines.items()}


@pytest.fixture
def replace_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., None]]:
    """A function that puts packages in the place of others, which run a program when they are imported."""

    def replace(program: str, *packages: str) -> None:
        monkeypatch.syspath_prepend(tmp_path)
        for package in packages:
            (tmp_path / f"{package}.py").write_text(program)

    engine_process._close_idle()
    yield replace
    engine_process._close_idle()


KILLED = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="there processes are not killed by signals")


@needs_signals
def test_a_killed_engine_is_one_less(replace_packages: Callable[..., None]) -> None:
    replace_packages(KILLED, "pysat")
    result = solve(FOUR, solutions=None)
    assert (result.n_solutions, result.is_complete) == (288, True)
    assert result.statistics.engines is not None
    assert result.statistics.engines["sat"]["message"] == "the process ended by SIGKILL"
    assert outcomes(result)["sat"] == "failed"
    assert result.engine in ("cpsat", "search")


@needs_signals
def test_an_error_that_all_engines_have_is_raised(
    replace_packages: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_packages("raise MemoryError('no room')", "pysat", "ortools")
    assert solve(FOUR).engine == "search"
    monkeypatch.setattr(auto, "_OTHERS", ("sat", "cpsat"))
    with pytest.raises(F2cspError, match="no engine has an answer: cpsat: MemoryError: no room; sat: MemoryError"):
        solve(FOUR)


def test_engines_take_turns_where_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError

    engine_process._close_idle()
    monkeypatch.setattr(auto, "_HERE_SECONDS", 0.01)
    monkeypatch.setattr(subprocess, "Popen", refused)
    for seconds in (None, 60.0):
        result = solve(FOUR, solutions=None, seconds=seconds)
        assert (result.n_solutions, result.is_complete) == (288, True)
    assert solve(parities(), seconds=0.5).status == Status.UNKNOWN


def test_engines_take_turns_where_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refused)
    assert solve(FOUR, solutions=None).n_solutions == 288


def test_a_program_without_an_interpreter_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    engine_process._close_idle()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert solve(FOUR, solutions=None).n_solutions == 288


def test_a_process_is_kept_for_the_next_problem_but_not_for_forks_or_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    solve(FOUR, engine="auto:deterministic=yes")
    [(key, kept)] = [(key, kept) for key, kept in engine_process._idle.items() if key[1] == "cpsat"]
    assert key[0] == os.getpid()
    solve(FOUR, engine="auto:deterministic=yes")
    assert engine_process._idle[key] is kept
    monkeypatch.setattr(engine_process, "_IDLE_SECONDS", 0.0)
    solve(FOUR, engine="auto:deterministic=yes")
    assert engine_process._idle[key] is not kept
    monkeypatch.undo()
    monkeypatch.setattr(os, "getpid", lambda: -1)
    other = engine_process.process_for("cpsat")
    assert other is not engine_process._idle[key]
    other.close()


def test_more_variables_that_differ_than_values_need_no_search() -> None:
    result = solve(generate("pigeonhole", pigeons=12))
    assert (result.status, result.engine, result.statistics.engines) == (Status.UNSATISFIABLE, "auto", {})


def test_no_more_solutions_are_found_than_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "_MAX_WORK", 1 << 40)
    monkeypatch.setattr(auto, "_MAX_SIZE", 1 << 40)
    monkeypatch.setattr(auto, "_FIRST", ("search:value-order=random,node-limit=9", 60.0))
    for seed in range(8):
        assert solve(FOUR, solutions=2, seed=seed).n_solutions == 2


def test_threads_solve_at_once() -> None:
    found: list[int] = []
    threads = [Thread(target=lambda: found.append(solve(FOUR, solutions=None).n_solutions)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [288] * 4


def test_a_seed_finds_the_same_solution_each_time() -> None:
    first, second = (solve(FOUR, engine="auto:deterministic=yes", seed=7) for _ in range(2))
    assert (first.engine, first.solutions) == ("cpsat", second.solutions)


def test_the_engine_with_the_first_of_many_solutions_goes_on_alone() -> None:
    result = solve(FOUR, solutions=None)
    assert (result.n_solutions, len({tuple(one.values()) for one in result.solutions})) == (288, 288)
    assert list(outcomes(result).values()).count("satisfiable") == 1


@pytest.mark.parametrize("n", [1, 2])
def test_a_time_limit_is_that_of_all(n: int) -> None:
    start = monotonic()
    result = solve(parities(), seconds=1.5, workers=n)
    assert result.status == Status.UNKNOWN
    assert set(outcomes(result).values()) == {"unknown"}
    assert monotonic() - start < 10


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the processors of a process cannot be chosen")
def test_one_core_is_shared() -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        assert n_cores() == 1
        assert solve(FOUR, solutions=None).n_solutions == 288
    finally:
        os.sched_setaffinity(0, cores)


def test_a_worker_of_a_batch_that_may_have_no_children_solves() -> None:
    context = get_context("spawn")
    worker = context.Process(target=_solve_four, daemon=True)
    worker.start()
    worker.join()
    assert worker.exitcode == 0


def _solve_four() -> None:
    auto._MAX_SIZE = auto._MAX_WORK = -1
    sys.exit(solve(FOUR, solutions=None).n_solutions != 288)


@pytest.mark.parametrize(("bound", "has_answered"), [(0, True), (1 << 40, False)])
def test_the_first_search_goes_on_while_the_engine_for_sums_is_imported(
    monkeypatch: pytest.MonkeyPatch, bound: int, has_answered: bool
) -> None:
    values = {"_MAX_SIZE": 1 << 40, "_FIRST": (auto._FIRST[0], 0.0), "_MORE_SECONDS": 0.0, "_IMPORT_SECONDS": 60.0}
    for name, value in {**values, "_MANY_IN_SUMS": bound}.items():
        monkeypatch.setattr(auto, name, value)
    result = solve(generate("magic", size=3), workers=1)
    assert (result.status, result.engine == "search") == (Status.SATISFIABLE, has_answered)
