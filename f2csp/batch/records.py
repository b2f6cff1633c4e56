"""What a batch gives: records as an iterator and as tables, and files of them and of the texts that it converts.

In a table, what is not a number or a word is JSON in a cell. Until all is done, records are in a file whose name ends
in .part, texts for an archive in a second one, a tar, and a journal says how far the inputs are done, and how long the
parts were then: a run that goes on cuts off the rest.
"""

import csv
import json
import os
import shutil
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from io import TextIOWrapper
from itertools import chain, islice
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from f2csp.batch.found_files import require_inputs, tar_members
from f2csp.batch.portions import BatchTask, Place
from f2csp.batch.work import ACTIONS, Item, Settings
from f2csp.batch.workers import worked
from f2csp.diagnostics import F2cspError, MissingExtra
from f2csp.diagnostics.render import csv_cell
from f2csp.door import format_name
from f2csp.file_formats import AUTO, F2CSP
from f2csp.files import STDIN, bare_name, writing
from f2csp.json_text import numbers_of_any_length

if TYPE_CHECKING:
    import pandas
    import pyarrow

_RECORDS = (".jsonl", ".ndjson", ".csv", ".parquet")
_ARCHIVES = (".zip", ".tar")
_TAR_END = 2 * tarfile.BLOCKSIZE  # zeros
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

    def __init__(self, results: Iterator[tuple[BatchTask, list[Item]]], command: str) -> None:
        self._command = command
        self._records = _parsed(item.record for item in chain.from_iterable(items for _, items in results))

    def __next__(self) -> dict[str, Any]:
        return next(self._records)

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with a row for each record that is left; needs pandas."""
        from f2csp.arrays import data_frame

        return data_frame(self)

    def to_arrow(self) -> "pyarrow.Table":
        """A table of Arrow, with the columns of Parquet; needs pyarrow."""
        _require_arrow("to_arrow()")
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


# ---- Tables ----------------------------------------------------------------------------------------------------------


def _columns_of(command: str) -> dict[str, str]:
    pairs = f"command:text file:text index:int {_COLUMNS[command]} error:text diagnostics:text".split()
    return dict(pair.split(":") for pair in pairs)


def _parsed(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        with numbers_of_any_length():
            record: dict[str, Any] = json.loads(line)
        yield record


def _write_csv(records: Iterable[dict[str, Any]], command: str, stream: BinaryIO) -> None:
    text = TextIOWrapper(stream, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    columns = _columns_of(command)
    writer.writerow(columns)
    for record in records:
        writer.writerow([csv_cell(_cell(record.get(name), form)) for name, form in columns.items()])
    text.detach()


def _require_arrow(purpose: str) -> None:
    try:
        import pyarrow  # noqa: F401 - whether it is there
    except ImportError:
        raise MissingExtra(purpose, "batch") from None


def _write_parquet(records: Iterable[dict[str, Any]], command: str, stream: BinaryIO) -> None:
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


# ---- Files -----------------------------------------------------------------------------------------------------------


class Output:
    """The files of a batch, named by the user's choice."""

    def __init__(self, out: str, command: str) -> None:
        name = bare_name(out)
        self._is_stream = out == STDIN
        self._is_folder = out.endswith("/") or Path(out).is_dir()
        self._is_archive = not self._is_folder and name.endswith(_ARCHIVES)
        self.has_text = not (self._is_folder or self._is_archive)  # in the records
        records = ", ".join(_RECORDS)
        if not self.has_text and command != "convert":
            raise F2cspError(f"{command} writes records: expected a name that ends in {records}, found {out}")
        if self.has_text and not self._is_stream and not name.endswith(_RECORDS):
            endings = f"{records}, {', '.join(_ARCHIVES)}"
            raise F2cspError(f"expected a name that ends in {endings}, or in / for a directory, found {out}")
        if name.endswith(".parquet"):
            _require_arrow(f"writing {out}")
        stem = out.rstrip("/")
        self._command = command
        self._out = Path(out)
        self._records = Path(out if self.has_text else f"{stem}.jsonl")
        self._parts = [Path(f"{self._records}.part"), *([Path(f"{stem}.part")] if self._is_archive else [])]
        self._journal = Path(f"{stem}.journal")
        self.files = [self._out, self._records, *self._parts, self._journal]
        self.place = Place()  # how far the inputs are done
        self.verdicts: Counter[str] = Counter()
        self.codes: set[int] = set()  # exit codes
        self._streams: list[BinaryIO] = []
        self._open = ExitStack()

    def begin(self, settings: Mapping[str, Any], *, resume: bool) -> bool:
        """Open the files, at the place where an earlier run with these settings ended; false if it is complete."""
        if self._is_stream:
            self._streams = [sys.stdout.buffer]
            return True
        self._settings = json.loads(json.dumps(settings))
        if not self._journal.exists():
            if resume and self._out.exists() and self._records.exists():
                return False
            sizes = None
        elif resume:
            sizes = self._read_journal()
        else:
            raise F2cspError(f"{self._journal} is that of an unfinished run: go on with --resume, or remove it")
        if self._is_folder:
            self._out.mkdir(parents=True, exist_ok=True)
        for i, part in enumerate(self._parts):
            stream = self._open.enter_context(part.open("wb" if sizes is None else "r+b"))
            if sizes is not None:
                if part.stat().st_size < sizes[i]:
                    raise F2cspError(f"{part} is shorter than {self._journal} says: remove both, and start again")
                stream.truncate(sizes[i])
                stream.seek(sizes[i])
            self._streams.append(stream)
        self._write_journal()
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def add(self, place: Place, items: Sequence[Item]) -> None:
        """Write the items of a task; after it, the inputs are done up to the place."""
        for item in items:
            self._streams[0].write(item.record)
            if item.name and self._is_folder:
                path = self._out / item.name
                path.parent.mkdir(parents=True, exist_ok=True)
                with writing(path, is_durable=False) as file:
                    file.write(item.text)
            elif item.name:
                self._streams[1].write(_tar_member(item.name, item.text))
        for stream in self._streams:
            stream.flush()
        self.place = place
        self.verdicts.update(item.verdict for item in items)
        self.codes.update(item.code for item in items)
        self._write_journal()

    def finish(self) -> None:
        """Make the files that the user named of the parts."""
        if self._is_stream:
            return
        if self._is_archive:
            self._streams[1].write(bytes(_TAR_END))
        for stream in self._streams:
            stream.flush()
            os.fsync(stream.fileno())
        self._open.close()
        if self._is_archive:
            _make_archive(self._parts[1], self._out)
        _make_records(self._parts[0], self._records, self._command)
        self._journal.unlink()

    def _write_journal(self) -> None:
        if self._is_stream:
            return
        state = {
            "settings": self._settings,
            "place": self.place,
            "sizes": [stream.tell() for stream in self._streams],
            "verdicts": self.verdicts,
            "codes": sorted(self.codes),
        }
        with writing(self._journal, is_durable=False) as stream:
            stream.write(json.dumps(state).encode() + b"\n")

    def _read_journal(self) -> list[int]:
        """Take over the state of an earlier run, and return the sizes of its parts."""
        try:
            state = json.loads(self._journal.read_bytes())
            earlier, sizes = state["settings"], [int(size) for size in state["sizes"]]
            self.place, self.codes = Place(*state["place"]), set(state["codes"])
            self.verdicts.update(state["verdicts"])
        except (ValueError, KeyError, TypeError):
            raise F2cspError(f"{self._journal} is damaged: remove it to start again") from None
        if earlier != self._settings:
            different = next(key for key in self._settings if earlier.get(key) != self._settings[key])
            what = f"{self._journal} is that of a run with another value of {different}"
            raise F2cspError(f"{what}: remove it to start again")
        return sizes


def _tar_member(name: str, text: bytes) -> bytes:
    info = tarfile.TarInfo(name)
    info.size = len(text)
    return info.tobuf(tarfile.GNU_FORMAT) + text + bytes(-len(text) % tarfile.BLOCKSIZE)


def _make_archive(part: Path, out: Path) -> None:
    if out.suffix.lower() == ".tar":
        part.replace(out)
        return
    with writing(out) as stream:
        if out.suffix.lower() != ".zip":
            with part.open("rb") as text:
                shutil.copyfileobj(text, stream)
        else:
            with ZipFile(stream, "w") as archive:
                for name, open_member in tar_members(part):
                    archive.writestr(ZipInfo(name), open_member().read(), ZIP_DEFLATED)
    part.unlink()


def _make_records(part: Path, out: Path, command: str) -> None:
    name = bare_name(str(out))
    if name.endswith((".jsonl", ".ndjson")) and name == str(out).lower():
        part.replace(out)
        return
    with part.open("rb") as lines, writing(out) as stream:
        if name.endswith(".csv"):
            _write_csv(_parsed(lines), command, stream)
        elif name.endswith(".parquet"):
            _write_parquet(_parsed(lines), command, stream)
        else:
            shutil.copyfileobj(lines, stream)
    part.unlink()
