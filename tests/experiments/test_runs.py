"""Runs of an experiment: what each of them tells, however it ends, and that none is made twice."""

import faulthandler
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

import f2csp
from f2csp.experiments import Experiment, Run, Task, run
from f2csp.experiments.runs import Journal
from f2csp.experiments.table import contradictions, failures, table
from f2csp.solving import registry
from f2csp.solving.search_run import SearchRun, Statistics

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system forks no processes")


def hang(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if not os.fork():  # a process of its own, which must not survive either
        Path("survivor").write_text(str(os.getpid()))
    time.sleep(1000)
    return True, Statistics()


def fill_memory(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    return bool(bytearray(1 << 30)), Statistics()


def be_killed(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    os.kill(os.getpid(), signal.SIGKILL)
    return True, Statistics()


def abort_without_memory(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    faulthandler.disable()  # that of pytest
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    os.abort()


def crash(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    faulthandler.disable()
    os.kill(os.getpid(), signal.SIGSEGV)
    return True, Statistics()


def fail(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    raise ValueError("a defect")


def leave(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    os._exit(3)


def deny(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    return True, Statistics()


def invent(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    run.add_solution([0] * run.problem.n_variables)
    return True, Statistics()


ENDS = {
    hang: ("time limit", "killed 2 s after 10 times the time limit"),
    fill_memory: ("memory limit", "out of memory"),
    be_killed: ("memory limit", "ended by SIGKILL"),
    abort_without_memory: ("memory limit", "ended by SIGABRT: terminate called after"),
    crash: ("failed", "ended by SIGSEGV"),
    fail: ("failed", "ValueError: a defect"),
    leave: ("failed", "ended with code 3"),
    deny: ("unsatisfiable", ""),
    invent: ("wrong solution", "the engine's solution violates a constraint"),
}


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Engines that end in all ways, after one that solves the problem."""
    for search in ENDS:
        module = f"f2csp.solving.engines.{search.__name__}"
        monkeypatch.setitem(sys.modules, module, SimpleNamespace(search=search))  # type: ignore[arg-type]
    tests = tuple(registry.Engine(search.__name__, "a test engine") for search in ENDS)
    monkeypatch.setattr(registry, "ENGINES", (*registry.ENGINES, *tests))
    return {name: name for name in ("search", *(search.__name__ for search in ENDS))}


def two_cells() -> f2csp.Problem:
    builder = f2csp.ProblemBuilder("Two cells")
    builder.domain("D1", [1, 2])
    for name in "xy":
        builder.variable(name, "D1")
    builder.all_different(["x", "y"])
    return builder.build()


def experiment(engines: dict[str, str], **settings: float) -> Experiment:
    tasks = [Task(name, two_cells, name) for name in ("a", "b")]
    return Experiment(tasks, engines, **{"seconds": 0.5, "megabytes": 300, **settings})  # type: ignore[arg-type]


@pytest.mark.slow
def test_each_end_of_a_run_is_reported_and_the_rest_goes_on(
    engines: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runs = list(run(experiment(engines, repeats=1)))
    assert [one.engine for one in runs] == [*engines, *engines]
    for one, (status, message) in zip(runs, [("satisfiable", ""), *ENDS.values()] * 2, strict=True):
        assert (one.status, one.message[: len(message)]) == (status, message)
        assert (one.seconds is None) == (status in ("failed", "memory limit", "wrong solution"))
    assert not is_running(int(Path("survivor").read_text()))
    rows = [row for row in table(runs) if row.problems == "a"]
    assert [row.engine for row in rows if row.contradicted] == ["search", "deny", "invent"]
    assert [line.split(": ")[0] for line in contradictions(runs)] == ["a", "b"]
    assert len(failures(runs)) == 2 * 7


@pytest.mark.slow
def test_a_run_ends_by_itself_if_the_process_that_would_kill_it_is_gone(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, time\n"
        "from f2csp.experiments.runs import isolated\n"
        "def sleep():\n"
        "    pathlib.Path('pid').write_text(str(os.getpid()))\n"
        "    time.sleep(1000)\n"
        "isolated(sleep, 0.2, 1000)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=environment) as parent:
        wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
        parent.kill()
    wait_until(lambda: not is_running(int((tmp_path / "pid").read_text())))


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """The runs that are really made."""
    from f2csp.experiments import runs

    made, make = [], runs._run

    def note(*arguments: object) -> Run:
        made.append(make(*arguments))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(runs, "_run", note)
    return made


def interrupted(chosen: Experiment, n: int, folder: Path) -> Path:
    """The journal of an experiment that is interrupted after some runs."""
    journal = Journal(chosen.digest, str(folder))
    with suppress(KeyboardInterrupt), journal:
        for number, _ in enumerate(run(chosen, journal), 1):
            if number == n:
                raise KeyboardInterrupt
    return journal.path


@pytest.mark.parametrize(("torn", "n_kept"), [(b"", 3), (b'{"file": "a", "ind', 3), (b'{"file": 1}\n', 3), (None, 2)])
def test_an_interrupted_experiment_resumes(
    torn: bytes | None, n_kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = experiment({"one": "search", "two": "search:inference=fc"}, repeats=2)
    path = interrupted(chosen, 3, tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[:-10] if torn is None else data + torn)
    made = counted(monkeypatch)
    with Journal(chosen.digest, str(tmp_path), resumes=True) as journal:
        assert len(journal.runs) == n_kept
        runs = list(run(chosen, journal))
        assert [json.loads(line)["repeat"] for line in path.read_bytes().splitlines()] == [1, 1, 2, 2] * 2
    assert (len(runs), len(made)) == (8, 8 - n_kept)
    assert not path.exists()


def test_a_changed_experiment_has_a_journal_of_its_own(tmp_path: Path) -> None:
    chosen = experiment({"one": "search"})
    path = interrupted(chosen, 1, tmp_path)
    others = [
        experiment({"one": "search:inference=fc"}),
        experiment({"one": "search"}, seconds=1),
        experiment({"one": "search"}, repeats=2),
        Experiment([Task(name, two_cells, "other") for name in "ab"], {"one": "search"}, seconds=0.5, megabytes=300),
    ]
    assert len({one.digest for one in (chosen, *others)}) == 5
    for other in others:
        with Journal(other.digest, str(tmp_path), resumes=True) as journal:
            assert len(journal.runs) == 0
    assert path.exists()
