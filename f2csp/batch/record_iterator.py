"""A batch as an iterator of records."""

from collections.abc import Generator, Iterator, Sequence
from itertools import chain
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from f2csp.batch.found_files import found_files, require_inputs
from f2csp.batch.portions import Cutter, Place, Task
from f2csp.batch.tables import arrow_table, parsed, require_arrow
from f2csp.batch.work import ACTIONS, Item, Settings
from f2csp.batch.workers import ClusterWorkers, LocalWorkers, results
from f2csp.diagnostics import F2cspError
from f2csp.file_formats import AUTO, F2CSP, format_name
from f2csp.frames import data_frame

if TYPE_CHECKING:
    import pandas
    import pyarrow

N_LINES = 64
"""The default number of problems that a worker gets at once."""


class Records(Iterator[dict[str, Any]]):
    """The records of a batch, one after the other, with the keys that ``f2csp batch`` writes."""

    def __init__(self, results: Iterator[tuple[Task, list[Item]]], command: str) -> None:
        self._command = command
        self._records = parsed(item.record for item in chain.from_iterable(items for _, items in results))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> dict[str, Any]:
        return next(self._records)

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with a row for each record that is left; needs pandas."""
        return data_frame(self)

    def to_arrow(self) -> "pyarrow.Table":
        """A table of Arrow, with the columns of Parquet; needs pyarrow."""
        require_arrow("to_arrow()")
        return arrow_table(self, self._command)


def run(
    command: str,
    inputs: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    shared_files: bool = False,
    chunk: int = N_LINES,
    format: str = AUTO,  # noqa: A002 - the usual name
    to: str = F2CSP,
    structure: bool = False,
    encoding: str = "support",
    engine: str | None = None,
    seconds: float | None = None,
    seed: int = 0,
    **options: Any,
) -> Records:
    """Run a command on every problem of the inputs, in several processes; the records are in the order of the inputs.

    Args:
        command: ``convert``, ``validate``, ``stats``, ``solve``, ``unique`` or ``count``.
        inputs: files, directories, archives, patterns, and lists of names (``@FILE``).
        jobs: the number of processes; None for one per core.
        cluster: the address of the scheduler of a Dask cluster to work instead, such as ``tcp://host:8786``.
        shared_files: whether the workers of the cluster can open the inputs under the same names.
        chunk: the number of problems, or small files, that a worker gets at once.
        format: the format of the inputs.
        to: for ``convert``, the format of the key ``text``.
        structure: for ``convert``, as for :func:`f2csp.write`.
        encoding: likewise.
        engine: that of a search; None for one that suits many problems that are alike, and else the default.
        seconds: the time limit of the search for one problem.
        seed: the random seed.
        options: options of puzzles that are not in the file, such as ``box=(2, 3)``.

    Raises:
        F2cspError: there is no such command or format, or the cluster does not answer.
        OSError: an input does not exist.

    Example:
        >>> from f2csp.batch import run
        >>> [record["verdict"] for record in run("unique", "samples/sudoku/tatham.txt", jobs=1)]
        ['unique', 'unique', 'unique']
    """
    if command not in ACTIONS:
        raise F2cspError(f"there is no command {command!r} of a batch; the commands are {', '.join(ACTIONS)}")
    names = [fspath(one) for one in ([inputs] if isinstance(inputs, (str, PathLike)) else inputs)]
    settings = Settings(
        command, format, options, format_name(to), structure, encoding, engine=engine, time_limit=seconds, seed=seed
    )
    require_inputs(names)
    return Records(worked(names, settings, jobs, cluster, shared_files, chunk), command)


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
