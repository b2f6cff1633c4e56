"""The runs of an experiment, one after the other, each in a process of its own; with a journal of those done."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Self

from f2csp.experiments.isolation import isolated
from f2csp.frames import data_frame
from f2csp.solving.questions import solve
from f2csp.solving.search_run import Limits, Status, WrongSolutionError

if TYPE_CHECKING:
    import pandas

    from f2csp.experiments.experiment import Experiment, Task
    from f2csp.model import Problem

ANSWERS = (Status.SATISFIABLE, Status.UNSATISFIABLE)
TIME_LIMIT = "time limit"
WRONG = "wrong solution"
_NEARLY = 0.9  # of the time limit: some engines stop before it


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
    cpu: float | None = None  # seconds of all threads; less than the time where other processes had the processor
    memory: float | None = None  # MB of main memory at the peak, besides the problem and the program
    statistics: Mapping[str, float] = field(default_factory=dict)  # what the engine counted
    message: str = ""  # why it failed
    n_instances: int = 1  # in the file

    @property
    def problem(self) -> tuple[str, int]:
        """What identifies its problem."""
        return self.file, self.index


class Journal:
    """A file to which each run is added as soon as it ends, and that disappears with the last one.

    It is JSON Lines, the digest of the experiment and then a line for each run. Its name has the digest in it: the runs
    of another experiment, or a changed one, are in another file.
    """

    def __init__(self, digest: str, folder: str = ".", *, resumes: bool = False) -> None:
        """Open the journal of an experiment in a folder, and with ``resumes`` read the runs that are in it."""
        self.path = Path(folder, f"f2csp-compare-{digest[:12]}.jsonl")
        self._runs: dict[tuple[str, int, str, int], Run] = {}
        size = self._read(digest) if resumes and self.path.exists() else 0
        self._file = self.path.open("r+b" if size else "wb")
        self._file.seek(size)
        self._file.truncate()
        if not size:
            self._write({"digest": digest})

    def _read(self, digest: str) -> int:
        """Read the runs; returns the size of the lines that are whole."""
        size = 0
        for line in self.path.read_bytes().splitlines(keepends=True):
            try:
                content: dict[str, Any] = json.loads(line) if line.endswith(b"\n") else {}
                if size:
                    self._keep(Run(**content))
                elif content != {"digest": digest}:
                    return 0
            except (ValueError, TypeError):  # a line that was torn when the machine stopped
                break
            size += len(line)
        return size

    def _keep(self, run: Run) -> None:
        self._runs[run.file, run.index, run.engine, run.repeat] = run

    def _write(self, content: dict[str, object]) -> None:
        self._file.write(json.dumps(content).encode("utf-8") + b"\n")
        self._file.flush()

    @property
    def n_runs(self) -> int:
        """The number of runs in it."""
        return len(self._runs)

    def found(self, file: str, index: int, engine: str, repeat: int) -> Run | None:
        """The run of a configuration on a problem, if it is in the journal."""
        return self._runs.get((file, index, engine, repeat))

    def add(self, run: Run) -> None:
        """Add a run."""
        self._write(asdict(run))
        self._keep(run)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if failure is None or not self._runs:
            self.path.unlink(missing_ok=True)


def run(experiment: "Experiment", journal: Journal | None = None) -> Iterator[Run]:
    """Make the runs of an experiment, those of each problem together; repeats are made in turn, as loads change.

    Runs that are in the journal are not made again; the others are added to it.
    """
    for task in experiment.tasks:
        problem = None
        for repeat in range(1, experiment.repeats + 1):
            for name in experiment.names_for(task):
                found = journal.found(task.file, task.index, name, repeat) if journal is not None else None
                if found is None:
                    problem = problem or task.make()
                    found = _run(experiment, task, problem, name, repeat)
                    if journal is not None:
                        journal.add(found)
                yield found


def _run(experiment: "Experiment", task: "Task", problem: "Problem", name: str, repeat: int) -> Run:
    line, seconds = experiment.engines[name], experiment.seconds
    limits = Limits(seconds=seconds, solutions=1, workers=experiment.workers, seed=repeat - 1)
    outcome = isolated(partial(_solved, problem, line, limits), seconds, experiment.megabytes)
    failure = {"status": outcome.failure, "message": outcome.message, "cpu": outcome.cpu}
    report: dict[str, Any] = {**failure, **(outcome.report or {})}
    if report["status"] == Status.UNKNOWN and report["seconds"] >= _NEARLY * seconds:
        report["status"] = TIME_LIMIT
    if report["status"] == TIME_LIMIT:
        report["seconds"] = seconds
    place = (task.file, task.index, task.group or task.file, task.parameters)
    return Run(*place, name, line, repeat, memory=outcome.memory, n_instances=task.n_instances, **report)


def _solved(problem: "Problem", line: str, limits: Limits) -> Mapping[str, object]:
    """Solve a problem; in a process that has done nothing else."""
    start, cpu_start = perf_counter(), process_time()
    try:
        result = solve(problem, engine=line, limits=limits)
    except WrongSolutionError as error:
        return {"status": WRONG, "message": str(error)}
    seconds, cpu = round(perf_counter() - start, 6), round(process_time() - cpu_start, 6)
    statistics = {key: value for key, value in asdict(result.statistics).items() if value is not None}
    return {"status": result.status, "seconds": seconds, "cpu": cpu, "statistics": statistics}


def frame(runs: Iterable[Run]) -> "pandas.DataFrame":
    """A data frame with a row for each run, and columns for its parameters and statistics, too; needs pandas."""
    rows = map(asdict, runs)
    return data_frame({**row.pop("parameters"), **row.pop("statistics"), **row} for row in rows)
