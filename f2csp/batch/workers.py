"""The workers of a batch, local processes or a Dask cluster; results come in the order of the tasks."""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, closing
from importlib import import_module
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

from f2csp.batch.portions import BatchTask, Cutter, Place
from f2csp.batch.work import Item, Settings, lost, work_on
from f2csp.diagnostics import F2cspError
from f2csp.inputs import found_files
from f2csp.running.child import ChildEnded
from f2csp.running.pool import Pool
from f2csp.solving.executors import connected

_TASKS_AHEAD = 8  # of each worker, as the first of them may take long; memory holds their results
_MIN_TASKS_AHEAD = 64  # of a cluster, to which workers may come later
_COUNT_SECONDS = 10  # between two looks at the number of workers

Pending = Any  # a future of the items of a task, perhaps one of Dask


class LocalWorkers:
    """Processes of this machine, with a task at a time each, and at most ``n_ahead`` that are submitted before."""

    def __init__(self, n: int | None = None) -> None:
        self._pool = Pool(n)
        self.n_ahead = _TASKS_AHEAD * self._pool.n
        self.close = self._pool.close

    def submit(self, task: BatchTask, settings: Settings) -> Pending:
        """The future items."""
        return self._pool.submit(work_on, task, settings)

    def items(self, pending: Pending) -> list[Item] | None:
        """The items, when the task has ended; None if the worker was lost with it."""
        try:
            items: list[Item] = pending.result()
        except ChildEnded:
            return None
        return items


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
