"""The runs of an experiment, one after the other, with a journal of those done.

Each is in a process of its own, with limits of time and memory that nothing in it can escape. The limit of time is one
of CPU time, which other processes do not change: at it the engine is interrupted as by Ctrl-C, and keeps its counters.
"""

import gc
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from math import ceil
from pathlib import Path
from select import select
from tempfile import TemporaryFile
from threading import current_thread, main_thread
from time import monotonic, perf_counter, process_time
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn

from f2csp.arrays import data_frame
from f2csp.diagnostics import F2cspError, is_out_of_memory
from f2csp.experiments.experiment import Experiment, Task, size_of
from f2csp.model import Problem
from f2csp.running.child import follow
from f2csp.solving.questions import solve
from f2csp.solving.registry import engine_and_options
from f2csp.solving.search_run import Limits, Status, WrongSolutionError

if TYPE_CHECKING:
    import pandas

ANSWERS = (Status.SATISFIABLE, Status.UNSATISFIABLE)
TIMED_OUT = "time limit"
WRONG = "wrong solution"
_NEARLY = 0.9  # of the time limit: some engines stop before it
_GRACE = 2.0  # seconds beyond the limit: time for the call to end by itself
_LEAST = 0.001  # seconds; a timer of 0 never ends
_PATIENCE = 10  # seconds that may pass for one of CPU time
_MB = 1 << 20
_RSS_UNIT = 1 if sys.platform == "darwin" else 1 << 10  # bytes, of ru_maxrss
_CHUNK = 1 << 16
_MAX_MESSAGE_LENGTH = 500
_NO_MEMORY = re.compile("bad_alloc|out of memory|cannot allocate|temporarily unavailable", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a configuration on a problem; the first four fields are those of the problem's :class:`Task`."""

    file: str
    index: int
    group: str
    parameters: Mapping[str, Any]
    engine: str  # the name of the configuration
    configuration: str  # the engine as NAME:OPTION=VALUE,...
    repeat: int  # from 1
    status: str  # satisfiable, unsatisfiable, unknown, time limit, memory limit, failed or wrong solution
    seconds: float | None = None  # to solve the problem, without reading it; None if the run failed
    cpu: float | None = None  # seconds of all threads and processes
    memory: float | None = None  # MB of main memory at the peak, without the problem and the program
    statistics: Mapping[str, float] = field(default_factory=dict)  # what the engine counted
    message: str = ""  # why it failed
    n_instances: int = 1  # in the file

    @property
    def problem(self) -> tuple[str, int]:
        return self.file, self.index


class Journal(AbstractContextManager["Journal"]):
    """A file to which each run is added as soon as it ends, and that disappears with the last one.

    It is JSON Lines. Its name has the digest of the experiment in it: the runs of another one, or of a changed one, are
    in another file.
    """

    def __init__(self, digest: str, folder: str = ".", *, resumes: bool = False) -> None:
        """Open the journal of an experiment in a folder, and with ``resumes`` read the runs that are in it."""
        self.path = Path(folder, f"f2csp-compare-{digest[:12]}.jsonl")
        self.runs: dict[tuple[str, int, str, int], Run] = {}  # by file, index, engine and repeat
        size = self._read() if resumes and self.path.exists() else 0
        self._file = self.path.open("r+b" if size else "wb")
        self._file.seek(size)
        self._file.truncate()

    def _read(self) -> int:
        """Read the runs; returns the size of the lines that are whole."""
        size = 0
        for line in self.path.read_bytes().splitlines(keepends=True):
            try:
                self._keep(Run(**json.loads(line if line.endswith(b"\n") else b"")))
            except (ValueError, TypeError):  # a line that was torn when the machine stopped
                break
            size += len(line)
        return size

    def _keep(self, run: Run) -> None:
        self.runs[run.file, run.index, run.engine, run.repeat] = run

    def add(self, run: Run) -> None:
        self._file.write(json.dumps(asdict(run)).encode() + b"\n")
        self._file.flush()
        self._keep(run)

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        # Who closes the pipe (`| head`) wants no more; any other failure leaves what a resumed comparison needs.
        if failure is None or issubclass(failure, BrokenPipeError) or not self.runs:
            self.path.unlink(missing_ok=True)


def run(experiment: Experiment, journal: Journal | None = None) -> Iterator[Run]:
    """Make the runs of an experiment, those of each problem together; repeats are made in turn, as loads change.

    Runs that are in the journal are not made again; the others are added to it.
    """
    for task in experiment.tasks:
        problem = None
        for repeat in range(1, experiment.repeats + 1):
            for name in experiment.names_for(task):
                found = journal.runs.get((task.file, task.index, name, repeat)) if journal is not None else None
                if found is None:
                    problem = problem or task.make()
                    found = _run(experiment, task, problem, name, repeat)
                    if journal is not None:
                        journal.add(found)
                yield found


def _run(experiment: Experiment, task: Task, problem: Problem, name: str, repeat: int) -> Run:
    line, seconds = experiment.engines[name], experiment.seconds
    of_engine = seconds if engine_and_options(line)[0].has_processes else None
    limits = Limits(seconds=of_engine, solutions=1, workers=experiment.workers, seed=repeat - 1)
    outcome = isolated(partial(_solved, problem, line, limits), seconds * experiment.workers, experiment.megabytes)
    failure = {"status": outcome.failure, "message": outcome.message, "seconds": None, "cpu": outcome.cpu}
    report: dict[str, Any] = {**failure, **(outcome.report or {})}
    if report["status"] == Status.UNKNOWN and of_engine and report["seconds"] >= _NEARLY * seconds:
        report["status"] = TIMED_OUT
    if report["status"] == TIMED_OUT:
        report |= {name: max(report[name] or 0.0, seconds) for name in ("seconds", "cpu")}
    place = (task.file, task.index, experiment.group_of(task), {**size_of(problem), **task.parameters})
    return Run(*place, name, line, repeat, memory=outcome.memory, n_instances=task.n_instances, **report)


def _solved(problem: Problem, line: str, limits: Limits) -> Mapping[str, object]:
    start, cpu_start = perf_counter(), _cpu_seconds()
    statistics: dict[str, Any] = {}
    try:
        result = solve(problem, engine=line, limits=limits)
        status = TIMED_OUT if result.is_interrupted else str(result.status)
        statistics = {key: value for key, value in asdict(result.statistics).items() if value is not None}
    except WrongSolutionError as error:
        return {"status": WRONG, "message": str(error)}
    except KeyboardInterrupt:
        status = TIMED_OUT
    seconds, cpu = round(perf_counter() - start, 6), round(_cpu_seconds() - cpu_start, 6)
    return {"status": status, "seconds": seconds, "cpu": cpu, "statistics": statistics}


def _cpu_seconds() -> float:
    """The CPU time of this process and of those that it has started, as far as they have ended."""
    import resource  # not on Windows

    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + of_children.ru_utime + of_children.ru_stime


def frame(runs: Iterable[Run]) -> "pandas.DataFrame":
    """A data frame with a row for each run, and columns for its parameters and statistics, too; needs pandas."""
    rows = map(asdict, runs)
    return data_frame({**row.pop("parameters"), **row.pop("statistics"), **row} for row in rows)


class Outcome(NamedTuple):
    """What is known of a call after its end."""

    report: Mapping[str, Any] | None  # that the call returned; None if it failed
    failure: str  # time limit, memory limit or failed; empty if it did not fail
    message: str  # of the failure
    cpu: float  # seconds of all its threads
    memory: float | None  # MB of main memory that the call took at its peak


def isolated(call: Callable[[], Mapping[str, object]], seconds: float, megabytes: float) -> Outcome:
    """Make a call in a child of this process, which is killed with all of its own children at the end.

    After these seconds of CPU time the call is interrupted as by Ctrl-C, and ended if it goes on.

    The child is a fork of this process. A fresh interpreter would need half a second to import an engine and to read
    the problem once more; a process that makes several calls would pass warm caches from one to the next.

    ``megabytes`` limits the address space that the call adds to that of this process, where its size is known.
    """
    if not hasattr(os, "fork"):
        raise F2cspError("experiments need an operating system that can fork processes")
    reading, writing = os.pipe()
    with TemporaryFile() as errors:
        handler, interrupts = signal.getsignal(signal.SIGINT), list[int]()
        is_deferred = callable(handler) and current_thread() is main_thread()
        # Until the child is certain to be killed; other threads may receive a signal that this one blocks.
        if is_deferred:
            signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
        parent, child = os.getpid(), os.fork()
        if not child:
            _be_child(parent, call, writing, errors, seconds, megabytes)
        try:
            os.close(writing)
            if is_deferred:
                signal.signal(signal.SIGINT, handler)
                if interrupts:
                    signal.raise_signal(signal.SIGINT)
            lines = _received(reading, monotonic() + _PATIENCE * seconds + _GRACE)
        finally:
            _kill(child)
            _, ending, usage = os.wait4(child, 0)
            os.close(reading)
        cpu = usage.ru_utime + usage.ru_stime
        if lines is None:
            message = f"killed {_GRACE:g} s after {_PATIENCE} times the time limit"
            return Outcome(None, TIMED_OUT, message, cpu, None)
        memory = (usage.ru_maxrss - int(lines[0])) * _RSS_UNIT / _MB if lines else None
        return Outcome(*_judged(lines[1:], ending, errors), cpu, memory)


def _judged(lines: list[bytes], ending: int, errors: IO[bytes]) -> tuple[Mapping[str, Any] | None, str, str]:
    """The report and the failure: from what the child reported, how it ended, and its standard error."""
    if lines:
        report = json.loads(lines[0])
        if "failure" not in report:
            return report, "", ""
        message = report["failure"]
    else:
        errors.seek(0)
        lines_of_text = errors.read(_CHUNK).decode(errors="replace").splitlines()
        number = os.WTERMSIG(ending) if os.WIFSIGNALED(ending) else 0
        how = f"ended by {signal.Signals(number).name}" if number else f"ended with code {os.WEXITSTATUS(ending)}"
        message = ": ".join([how, *filter(None, map(str.strip, lines_of_text))])[:_MAX_MESSAGE_LENGTH]
        if number == signal.SIGKILL:  # by the system, which does so when memory runs out
            return None, "memory limit", message
        if number == signal.SIGXCPU:
            return None, TIMED_OUT, f"ended {_GRACE:g} s after the time limit"
    return None, "memory limit" if _NO_MEMORY.search(message) else "failed", message


def _received(reading: int, end: float) -> list[bytes] | None:
    """The whole lines that the child writes until it ends; None if it does not end in time."""
    data = b""
    while select([reading], [], [], max(0.0, end - monotonic()))[0]:
        if not (piece := os.read(reading, _CHUNK)):
            return data.split(b"\n")[:-1]
        data += piece
    return None


def _kill(child: int) -> None:
    """Kill a child that is not yet waited for, and the processes of its group."""
    for kill in (os.kill, os.killpg):  # it may have no group of its own yet
        with suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)


def _be_child(
    parent: int,
    call: Callable[[], Mapping[str, object]],
    writing: int,
    errors: IO[bytes],
    seconds: float,
    megabytes: float,
) -> NoReturn:
    """Make the call, write the peak of memory before it and its report, and end without any clean-up."""
    try:
        os.setpgid(0, 0)
        follow(parent)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGPROF, signal.default_int_handler)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream, file in enumerate((nothing, nothing, errors.fileno())):
            os.dup2(file, stream)
        gc.freeze()  # collections look at what the call makes, not at what this process had before
        import resource  # not on Windows

        os.write(writing, b"%d\n" % resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        if most < 0:
            resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds + _GRACE), most))
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        if used := _address_space():
            limit = used + int(megabytes * _MB)
            resource.setrlimit(resource.RLIMIT_AS, (limit if most < 0 else min(limit, most), most))
        try:
            signal.setitimer(signal.ITIMER_PROF, max(seconds, _LEAST))
            report = dict(call())
            signal.setitimer(signal.ITIMER_PROF, 0)
        except BaseException as error:
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            message = "out of memory" if is_out_of_memory(error) else str(error)
            name = "" if is_out_of_memory(error) or isinstance(error, F2cspError) else f"{type(error).__name__}: "
            report = {"failure": f"{name}{message}"[:_MAX_MESSAGE_LENGTH]}
        os.write(writing, json.dumps(report).encode() + b"\n")
        os._exit(0)
    finally:
        os._exit(1)


def _address_space() -> int:
    """Bytes of this process's address space; 0 where the system does not say them."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
