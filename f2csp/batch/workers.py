"""The workers of a batch, local processes or a Dask cluster; results come in the order of the tasks."""

import os
import signal
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from itertools import islice
from multiprocessing import parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

from f2csp.batch.found_files import found_files
from f2csp.batch.portions import Cutter, Place, Task
from f2csp.batch.work import Item, Settings, lost, work_on
from f2csp.diagnostics import F2cspError, MissingExtra

_TASKS_AHEAD = 8  # of each worker, as the first of them may take long; memory holds their results
_MIN_TASKS_AHEAD = 64  # of a cluster, to which workers may come later
_CONNECT_SECONDS = 10
_WATCH_SECONDS = 1.0  # between two looks at processes
_COUNT_SECONDS = 10  # between two looks at the number of workers
_CONNECTION_LOST = "scheduler-connection-lost"  # the reason that Dask gives

Pending = Any  # a future of the standard library, or of Dask, of the items of a task


class LocalWorkers:
    """Processes of this machine, with at most ``n_ahead`` tasks submitted before the first is done."""

    break_together = True  # all tasks are lost with a worker

    def __init__(self, n: int | None = None) -> None:
        self._n = n or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
        self.n_ahead = _TASKS_AHEAD * self._n
        self._pool = ProcessPoolExecutor(self._n, initializer=_prepare_process)

    def submit(self, task: Task, settings: Settings) -> Pending | None:
        """The future items; None if a worker was lost before."""
        try:
            return self._pool.submit(work_on, task, settings)
        except BrokenExecutor:
            return None

    def items(self, pending: Pending) -> list[Item] | None:
        """The items, when the task has ended; None if a worker was lost with it."""
        while not wait_for([pending], _WATCH_SECONDS).done:
            if any(process.exitcode is not None for process in self._processes()):
                self._end_processes()
        try:
            items: list[Item] = pending.result()
        except BrokenExecutor:
            return None
        return items

    def restart(self) -> None:
        """Make new workers in the place of those lost."""
        self.close()
        self._pool = ProcessPoolExecutor(self._n, initializer=_prepare_process)

    def close(self) -> None:
        """Stop the processes, and cancel the tasks that are left."""
        processes = self._processes()
        self._end_processes()
        self._pool.shutdown(cancel_futures=True)
        for process in processes:
            process.join()

    def _processes(self) -> list[BaseProcess]:
        return list((self._pool._processes or {}).values())

    def _end_processes(self) -> None:
        """Kill the processes, perhaps while one writes a result: the pool would wait for the rest of it."""
        for process in self._processes():
            process.kill()
        queue: Any = getattr(self._pool, "_result_queue", None)
        if queue is not None:
            queue._writer.close()


def _prepare_process() -> None:
    """Leave Ctrl-C to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


class ClusterWorkers:
    """The workers of a Dask cluster, of which the scheduler repeats the tasks that are lost with a worker."""

    break_together = False

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, KilledWorker
        except ImportError:
            raise MissingExtra("--cluster", "cluster") from None
        try:
            connect: Any = Client
            self._client = connect(address, timeout=_CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise F2cspError(f"no scheduler of Dask answers at {address}: {error}") from None
        self._lost: type[Exception] = KilledWorker
        self._counted_at = 0.0
        self._n_ahead = _MIN_TASKS_AHEAD

    @property
    def n_ahead(self) -> int:
        """The number of tasks to submit ahead, by the workers that the cluster has now."""
        if monotonic() - self._counted_at > _COUNT_SECONDS:
            self._counted_at = monotonic()
            self._n_ahead = max(_MIN_TASKS_AHEAD, _TASKS_AHEAD * sum(self._client.nthreads().values()))
        return self._n_ahead

    def submit(self, task: Task, settings: Settings) -> Pending:
        """The future items."""
        return self._client.submit(work_on, task, settings, pure=False)

    def items(self, pending: Pending) -> list[Item] | None:
        """The items, when the task has ended; None if workers were lost with it, or with its result."""
        try:
            items: list[Item] = pending.result()
        except self._lost:
            return None
        except CancelledError as error:
            if getattr(error, "reason", "") == _CONNECTION_LOST:
                raise F2cspError("the connection to the cluster is lost") from None
            return None
        except Exception as error:
            raise F2cspError(f"the workers of the cluster cannot run the tasks: {error}") from None
        return items

    def restart(self) -> None:
        """The cluster has done so."""

    def close(self) -> None:
        """Leave the cluster."""
        self._client.close()


Workers = LocalWorkers | ClusterWorkers


def results(tasks: Iterator[Task], settings: Settings, workers: Workers) -> Iterator[tuple[Task, list[Item]]]:
    """The items of each task, in this order.

    Where a worker was lost, and it is unknown with which task, each of the tasks in question is repeated alone.
    """
    window: deque[tuple[Task, Pending | None]] = deque()
    while True:
        if all(pending for _, pending in window):
            new = islice(tasks, max(workers.n_ahead - len(window), 0))
            window.extend((task, workers.submit(task, settings)) for task in new)
        if not window:
            return
        task, pending = window.popleft()
        items = workers.items(pending) if pending else None
        if pending and items is None:
            if workers.break_together:
                window = deque((task, one if one and workers.items(one) is not None else None) for task, one in window)
            workers.restart()
        yield task, _repeated(task, settings, workers) if items is None else items


def _repeated(task: Task, settings: Settings, workers: Workers) -> list[Item]:
    """The items of a task that a worker was lost with, perhaps; found again item by item if it happens again."""
    pending = workers.submit(task, settings)
    if pending is None:
        workers.restart()
        pending = workers.submit(task, settings)
    items = workers.items(pending) if pending else None
    if items is not None:
        return items
    workers.restart()
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
) -> Generator[tuple[Task, list[Item]]]:
    """The tasks of the inputs, from a place on, with their items; the workers end with the iterator."""
    is_by_name = cluster is None or shared_files
    cutter = Cutter(settings.form, settings.options, chunk, is_by_name, not settings.has_text, start)
    workers = ClusterWorkers(cluster) if cluster else LocalWorkers(jobs)
    try:
        yield from results(cutter.tasks(found_files(inputs, own)), settings, workers)
    finally:
        workers.close()
