"""The workers of a batch, local processes or a Dask cluster; results come in the order of the tasks."""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic
from traceback import format_exc
from typing import Any

from f2csp.batch.portions import BatchTask, Cutter, Place
from f2csp.batch.work import Item, Settings, lost, work_on
from f2csp.diagnostics import F2cspError
from f2csp.inputs import found_files
from f2csp.solving.engine_process import n_cores
from f2csp.solving.executors import connected, follow_parent

_TASKS_AHEAD = 8  # of each worker, as the first of them may take long; memory holds their results
_MIN_TASKS_AHEAD = 64  # of a cluster, to which workers may come later
_COUNT_SECONDS = 10  # between two looks at the number of workers

Pending = Any  # a job, or a future of Dask, of the items of a task


@dataclass(slots=True)
class _Job:
    """A task for a process of this machine."""

    task: BatchTask
    settings: Settings
    is_done: bool = False
    answer: list[Item] | Exception | None = None  # None if the worker was lost


class LocalWorkers:
    """Processes of this machine, with a task at a time each, and at most ``n_ahead`` that are submitted before."""

    def __init__(self, n: int | None = None) -> None:
        self._n = n or n_cores()
        self.n_ahead = _TASKS_AHEAD * self._n
        self._processes: dict[Connection, Process] = {}
        self._jobs: dict[Connection, _Job] = {}  # at work
        self._waiting: deque[_Job] = deque()

    def submit(self, task: BatchTask, settings: Settings) -> Pending:
        """The future items."""
        job = _Job(task, settings)
        self._waiting.append(job)
        self._advance(0)
        return job

    def items(self, pending: Pending) -> list[Item] | None:
        """The items, when the task has ended; None if the worker was lost with it."""
        self._advance(0)
        while not pending.is_done:
            self._advance(None)
        if isinstance(pending.answer, Exception):
            raise pending.answer
        items: list[Item] | None = pending.answer
        return items

    def _advance(self, seconds: float | None) -> None:
        """Take the answers that come within some time, and give the workers without a task the next ones."""
        ready = wait(list(self._jobs), seconds)
        for connection in [connection for connection in self._jobs if connection in ready]:
            job = self._jobs.pop(connection)
            job.is_done = True
            try:
                job.answer = connection.recv()
            except (EOFError, OSError):
                self._processes.pop(connection).join()
        while self._waiting and len(self._jobs) < self._n:
            idle = [connection for connection in self._processes if connection not in self._jobs]
            connection = idle[0] if idle else self._start()
            self._jobs[connection] = job = self._waiting.popleft()
            with suppress(OSError):  # of a worker that is lost, which its end of the connection says
                connection.send((work_on, job.task, job.settings))

    def _start(self) -> Connection:
        """A connection to a new process."""
        connection, other_end = Pipe()
        process = Process(target=_serve, args=(other_end,), daemon=True)
        process.start()
        other_end.close()
        self._processes[connection] = process
        return connection

    def close(self) -> None:
        """Stop the processes."""
        for process in self._processes.values():
            process.kill()
        for process in self._processes.values():
            process.join()


def _serve(connection: Connection) -> None:
    """Work on tasks until the parent ends, and leave Ctrl-C to it."""
    follow_parent()
    with suppress(EOFError, OSError):  # of a parent that has ended
        while True:
            work, task, settings = connection.recv()
            try:
                answer = work(task, settings)
            except Exception as error:
                error.add_note(format_exc())
                answer = error
            connection.send(answer)


class ClusterWorkers:
    """The workers of a Dask cluster, of which the scheduler repeats the tasks that are lost with a worker."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._counted_at = 0.0
        self._n_ahead = _MIN_TASKS_AHEAD

    @property
    def n_ahead(self) -> int:
        """The number of tasks to submit ahead, by the workers that the cluster has now."""
        if monotonic() - self._counted_at > _COUNT_SECONDS:
            self._counted_at = monotonic()
            self._n_ahead = max(_MIN_TASKS_AHEAD, _TASKS_AHEAD * sum(self._client.nthreads().values()))
        return self._n_ahead

    def submit(self, task: BatchTask, settings: Settings) -> Pending:
        """The future items."""
        return self._client.submit(work_on, task, settings, pure=False)

    def items(self, pending: Pending) -> list[Item] | None:
        """The items, when the task has ended; None if workers were lost with it, or with its result."""
        distributed = import_module("distributed")
        try:
            items: list[Item] = pending.result()
        except (CancelledError, distributed.KilledWorker):
            if self._client.status != "running":
                raise
            return None
        except distributed.comm.CommClosedError:
            raise
        except Exception as error:
            raise F2cspError(f"the workers of the cluster cannot run the tasks: {error}") from None
        return items


Workers = LocalWorkers | ClusterWorkers


def results(tasks: Iterator[BatchTask], settings: Settings, workers: Workers) -> Iterator[tuple[BatchTask, list[Item]]]:
    """The items of each task, in this order.

    A task with which a worker was lost is repeated, and found again item by item if that happens again.
    """
    window: deque[tuple[BatchTask, Pending]] = deque()
    while True:
        new = islice(tasks, max(workers.n_ahead - len(window), 0))
        window.extend((task, workers.submit(task, settings)) for task in new)
        if not window:
            return
        task, pending = window.popleft()
        items = workers.items(pending)
        yield task, _repeated(task, settings, workers) if items is None else items


def _repeated(task: BatchTask, settings: Settings, workers: Workers) -> list[Item]:
    items = workers.items(workers.submit(task, settings))
    if items is not None:
        return items
    parts = [part for portion in task for part in portion.split() or [portion]]
    if len(parts) == 1:
        return [lost(parts[0], settings)]
    return [item for part in parts for item in _repeated((part,), settings, workers)]


def worked(
    inputs: Sequence[str],
    settings: Settings,
    jobs: int | None,
    cluster: str | None,
    shared_files: bool,
    chunk: int,
    start: Place = Place(),  # noqa: B008 - a value
    own: Sequence[Path] = (),
) -> Generator[tuple[BatchTask, list[Item]]]:
    """The tasks of the inputs, from a place on, with their items; the workers end with the iterator."""
    is_by_name = cluster is None or shared_files
    cutter = Cutter(
        settings.form, settings.options, settings.is_strict, chunk, is_by_name, not settings.has_text, start
    )
    with ExitStack() as stack:
        workers: Workers
        if cluster:
            workers = ClusterWorkers(stack.enter_context(connected(cluster)))
        else:
            workers = stack.enter_context(closing(LocalWorkers(jobs)))
        yield from results(cutter.tasks(found_files(inputs, own)), settings, workers)
