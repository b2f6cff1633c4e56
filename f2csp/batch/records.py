"""The records of a batch as an iterator and as tables: data frames, CSV, Arrow and Parquet.

In a table, what is not a number or a word is JSON in a cell.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from io import TextIOWrapper
from itertools import chain, islice
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from f2csp.batch.found_files import require_inputs
from f2csp.batch.portions import Task
from f2csp.batch.work import ACTIONS, Item, Settings
from f2csp.batch.workers import worked
from f2csp.diagnostics import F2cspError, MissingExtra
from f2csp.file_formats import AUTO, F2CSP, format_name
from f2csp.json_text import numbers_of_any_length

if TYPE_CHECKING:
    import pandas
    import pyarrow

_BATCH_ROWS = 10_000

_COLUMNS = {
    "convert": "output:text text:text",
    "validate": "valid:bool",
    "stats": "title:text domains:int variables:int constraints:int accepted_tuples:int rejected_tuples:int "
    "distinct_relations:int arities:text domain_sizes:text tightness:text density:float degrees:text components:int "
    "log10_search_space:float",
    "solve": "status:text solutions:text complete:bool engine:text",
    "unique": "verdict:text solutions:text differing:text",
    "count": "count:text exact:bool method:text states:int",
}
"""The columns of each command, with their types; a count may have more digits than any number of Arrow."""


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
        from f2csp.arrays import data_frame

        return data_frame(self)

    def to_arrow(self) -> "pyarrow.Table":
        """A table of Arrow, with the columns of Parquet; needs pyarrow."""
        require_arrow("to_arrow()")
        import pyarrow

        return pyarrow.concat_tables([_schema(self._command).empty_table(), *_arrow_tables(self, self._command)])


def run(
    command: str,
    inputs: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    shared_files: bool = False,
    chunk: int = 64,
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


def _columns_of(command: str) -> dict[str, str]:
    pairs = f"command:text file:text index:int {_COLUMNS[command]} error:text diagnostics:text".split()
    return dict(pair.split(":") for pair in pairs)


def parsed(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        with numbers_of_any_length():
            record: dict[str, Any] = json.loads(line)
        yield record


def write_csv(records: Iterable[dict[str, Any]], command: str, stream: BinaryIO) -> None:
    text = TextIOWrapper(stream, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    columns = _columns_of(command)
    writer.writerow(columns)
    for record in records:
        writer.writerow([_cell(record.get(name), form) for name, form in columns.items()])
    text.detach()


def require_arrow(purpose: str) -> None:
    try:
        import pyarrow  # noqa: F401 - whether it is there
    except ImportError:
        raise MissingExtra(purpose, "batch") from None


def write_parquet(records: Iterable[dict[str, Any]], command: str, stream: BinaryIO) -> None:
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(stream, _schema(command)) as writer:
        for table in _arrow_tables(records, command):
            writer.write_table(table)


def _arrow_tables(records: Iterable[dict[str, Any]], command: str) -> "Iterator[pyarrow.Table]":
    import pyarrow

    columns, rest = _columns_of(command), iter(records)
    while some := list(islice(rest, _BATCH_ROWS)):
        rows = [{name: _cell(record.get(name), form) for name, form in columns.items()} for record in some]
        yield pyarrow.Table.from_pylist(rows, _schema(command))


def _schema(command: str) -> "pyarrow.Schema":
    import pyarrow

    types = {"int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_(), "text": pyarrow.string()}
    return pyarrow.schema([(name, types[form]) for name, form in _columns_of(command).items()])


def _cell(value: Any, form: str) -> Any:
    if form != "text" or value is None:
        return value
    if not isinstance(value, str):
        with numbers_of_any_length():
            value = json.dumps(value, ensure_ascii=False)
    return value.encode("utf-8", "backslashreplace").decode()  # the name of a file need not be UTF-8
