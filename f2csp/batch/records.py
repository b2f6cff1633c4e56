"""What a batch gives to a program: its records, as an iterator and as a data frame."""

from collections.abc import Iterator, Sequence
from itertools import chain
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from f2csp.batch.found_files import require_inputs
from f2csp.batch.portions import BatchTask
from f2csp.batch.work import ACTIONS, Item, Settings
from f2csp.batch.workers import worked
from f2csp.diagnostics import F2cspError
from f2csp.file_formats import AUTO, F2CSP, format_name
from f2csp.json_text import parse_json_line

if TYPE_CHECKING:
    import pandas


class Records(Iterator[dict[str, Any]]):
    """The records of a batch, one after the other, with the keys that ``f2csp batch`` writes."""

    def __init__(self, results: Iterator[tuple[BatchTask, list[Item]]]) -> None:
        lines = (item.record for item in chain.from_iterable(items for _, items in results))
        self._records: Iterator[dict[str, Any]] = map(parse_json_line, lines)

    def __next__(self) -> dict[str, Any]:
        return next(self._records)

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with a row for each record that is left; needs pandas."""
        from f2csp.arrays import data_frame

        return data_frame(self)


def run(
    command: str,
    inputs: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    shared_files: bool = False,
    chunk: int = 64,
    format: str = AUTO,
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
        command: ``convert``, ``validate``, ``stats``, ``solve``, ``unique``, ``count`` or ``rate``.
        inputs: files, directories, archives, patterns, and lists of names (``@FILE``).
        jobs: the number of processes; None for one per core.
        cluster: the address of the scheduler of a Dask cluster to work instead, such as ``tcp://host:8786``.
        shared_files: whether the workers of the cluster can open the inputs under the same names.
        chunk: the number of problems, or small files, of a task.
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
        OSError: a list of names does not exist.

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
    return Records(worked(names, settings, jobs, cluster, shared_files, chunk))
