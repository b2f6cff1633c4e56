"""What a batch gives: records as an iterator and as tables, and files of them and of the texts that it converts.

In a table, what is not a number or a word is JSON in a cell. Until all is done, records are in a file whose name ends
in .part, texts for an archive in a second one, a tar, and a journal says how far the inputs are done, and how long the
parts were then: a run that goes on cuts off the rest. The journal stays, so that it is known what a result answers.
"""

import csv
import errno
import json
import os
import shutil
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from glob import escape
from hashlib import sha256
from io import TextIOWrapper
from itertools import chain, islice
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from f2csp.batch.portions import BatchTask, Place, reason_of
from f2csp.batch.work import ACTIONS, DEDUPE, IN_FILES, Item, Settings
from f2csp.batch.workers import worked
from f2csp.boards.puzzle_builder import Codec
from f2csp.diagnostics import F2cspError, optional_package
from f2csp.diagnostics.render import csv_cell
from f2csp.file_formats import AUTO, F2CSP, format_name, named_formats
from f2csp.files import STDIN, bare_name, remove_temporaries, writing
from f2csp.inputs import LIST, batch_files, file_and_indices, require_inputs, tar_members
from f2csp.instances import joined
from f2csp.json_text import json_line, parse_json_line
from f2csp.symmetry import SymmetryGroup

if TYPE_CHECKING:
    import pandas
    import pyarrow

_RECORDS = (".jsonl", ".ndjson", ".csv", ".parquet")
_ARCHIVES = (".zip", ".tar")
_TAR_END = 2 * tarfile.BLOCKSIZE  # zeros
_BATCH_ROWS = 10_000
# A file cannot have this name, or not beside the others.
_ABOUT_NAMES = {errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.EINVAL, errno.EILSEQ}

_COLUMNS = {
    "convert": "output:text text:text",
    "validate": "valid:bool",
    "stats": "title:text domains:int variables:int constraints:int accepted_tuples:int rejected_tuples:int "
    "distinct_relations:int arities:text domain_sizes:text tightness:text density:float degrees:text components:int "
    "log10_search_space:float",
    "solve": "status:text solutions:text complete:bool engine:text",
    "unique": "verdict:text solutions:text differing:text",
    "count": "count:text exact:bool method:text states:int",
    "rate": "difficulty:float grade:text hardest:text techniques:text outcome:text text:text",
    DEDUPE: "class:text copies:int text:text",
}
"""The columns of each command, with their types; a count may have more digits than any number of Arrow."""


class Records(Iterator[dict[str, Any]]):
    """The records of a batch, one after the other, with the keys that ``f2csp batch`` writes."""

    def __init__(self, results: Iterator[tuple[BatchTask, list[Item]]], command: str) -> None:
        self._command = command
        lines = (item.record for item in chain.from_iterable(items for _, items in results))
        self._records = _spooled(lines) if command == DEDUPE else map(parse_json_line, lines)

    def __next__(self) -> dict[str, Any]:
        return next(self._records)

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with a row for each record that is left; needs pandas."""
        from f2csp.arrays import data_frame

        return data_frame(self)

    def to_arrow(self) -> "pyarrow.Table":
        """A table of Arrow, with the columns of Parquet; needs pyarrow."""
        pyarrow = optional_package("pyarrow", "to_arrow()", "batch")
        return pyarrow.concat_tables([_schema(self._command).empty_table(), *_arrow_tables(self, self._command)])


def run(
    command: str,
    inputs: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    shared_files: bool = False,
    chunk: int = 64,
    format: str = AUTO,
    to: str | None = None,
    structure: bool = False,
    encoding: str = "support",
    engine: str | None = None,
    seconds: float | None = None,
    seed: int = 0,
    group: str = SymmetryGroup.ALL,
    **options: Any,
) -> Records:
    """Run a command on every problem of the inputs, in several processes; the records are in the order of the inputs.

    Args:
        command: ``convert``, ``validate``, ``stats``, ``solve``, ``unique``, ``count``, ``rate``, or ``dedupe``, which
            gives one record for all problems that symmetries map to each other, when all inputs are read.
        inputs: files, directories, archives, patterns, and lists of names (``@FILE``).
        jobs: the number of processes; None for one per core.
        cluster: the address of the scheduler of a Dask cluster to work instead, such as ``tcp://host:8786``.
        shared_files: whether the workers of the cluster can open the inputs under the same names.
        chunk: the number of problems, or small files, of a task.
        format: the format of the inputs.
        to: for ``convert`` (default: F2CSP), ``dedupe`` and ``rate``, the format of the key ``text``.
        structure: for ``convert``, as for :func:`f2csp.write`.
        encoding: likewise.
        engine: that of a search; None for one that suits many problems that are alike, and else the default.
        seconds: the time limit of the search for one problem.
        seed: the random seed.
        group: for ``dedupe``, which symmetries count, as for :func:`f2csp.symmetry`.
        options: options of puzzles that are not in the file, such as ``box=(2, 3)``.

    Raises:
        F2cspError: there is no such command or format, or the cluster does not answer.
        OSError: a list of names does not exist.

    Example:
        >>> from f2csp.batch import run
        >>> [record["verdict"] for record in run("unique", "samples/sudoku/tatham.txt", jobs=1)]
        ['unique', 'unique', 'unique', 'unique', 'unique']
    """
    if command not in ACTIONS:
        raise F2cspError(f"there is no command {command!r} of a batch; the commands are {', '.join(ACTIONS)}")
    names = [fspath(one) for one in ([inputs] if isinstance(inputs, (str, PathLike)) else inputs)]
    if to is None and command == "convert":
        to = F2CSP
    form = command, format, options, to and format_name(to), structure, encoding
    settings = Settings(*form, engine=engine, time_limit=seconds, seed=seed, group=group)
    require_inputs(names)
    return Records(worked(names, settings, jobs, cluster, shared_files, chunk), command)


# ---- Tables ----------------------------------------------------------------------------------------------------------


def _columns_of(command: str) -> dict[str, str]:
    pairs = f"command:text file:text index:int {_COLUMNS[command]} error:text diagnostics:text".split()
    return dict(pair.split(":") for pair in pairs)


def _write_csv(records: Iterable[dict[str, Any]], command: str, stream: BinaryIO) -> None:
    text = TextIOWrapper(stream, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    columns = _columns_of(command)
    writer.writerow(columns)
    for record in records:
        writer.writerow([csv_cell(_cell(record.get(name), form)) for name, form in columns.items()])
    text.detach()


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
    data = value.encode("utf-8", "backslashreplace") if isinstance(value, str) else json_line(value)[:-1]
    return data.decode()  # the name of a file need not be UTF-8


# ---- Files -----------------------------------------------------------------------------------------------------------


class Output(AbstractContextManager["Output"]):
    """The files of a batch, named by the user's choice."""

    def __init__(self, out: str, command: str, *, has_form: bool = False) -> None:
        name = bare_name(out)
        self._is_stream = out == STDIN
        self._is_folder = out.endswith("/") or Path(out).is_dir()
        self._is_archive = not self._is_folder and name.endswith(_ARCHIVES)
        self.has_text = not (self._is_folder or self._is_archive)  # in the records
        records = ", ".join(_RECORDS)
        if not self.has_text and command != "convert":
            raise F2cspError(f"{command} writes records: expected a name that ends in {records}, found {out}")
        self.has_puzzles = command in IN_FILES and not name.endswith(_RECORDS) and (has_form or not self._is_stream)
        if self.has_text and not self._is_stream and not name.endswith(_RECORDS) and not self.has_puzzles:
            endings = f"{records}, {', '.join(_ARCHIVES)}"
            raise F2cspError(f"expected a name that ends in {endings}, or in / for a directory, found {out}")
        if name.endswith(".parquet"):
            optional_package("pyarrow", f"writing {out}", "batch")
        stem = out.rstrip("/")
        self._command = command
        self._out = Path(out)
        self._records = Path(out if self.has_text else f"{stem}.jsonl")
        self._parts = [Path(f"{self._records}.part"), *([Path(f"{stem}.part")] if self._is_archive else [])]
        self._journal = Path(stem).parent / f".{Path(stem).name}.journal"
        self.files = [self._out, self._records, *self._parts, self._journal]
        self.place = Place()  # how far the inputs are done
        self.is_complete = False  # whether all of them are
        self.verdicts: Counter[str] = Counter()
        self.codes: set[int] = set()  # exit codes
        self._kept: set[str] = set()  # inputs below the directory that is written
        self._sizes: list[int] | None = None  # of the parts
        self._streams: list[BinaryIO] = []
        self._open = ExitStack()

    @property
    def _is_arranged(self) -> bool:
        """Whether what is written is made when all records are there."""
        return self._command == DEDUPE or self.has_puzzles or bool(self._settings["is_sorted"])

    def begin(self, settings: Mapping[str, Any], inputs: Sequence[str], *, resume: bool) -> None:
        """Open the files, at the place where an earlier run with these settings ended, if it is not complete.

        Raises:
            F2cspError: an input is an output, or it is not known that the earlier run was the same.
        """
        self._settings: dict[str, Any] = {**settings}
        if self._is_stream:
            self._streams = [sys.stdout.buffer]
            if self._is_arranged:
                self._streams = [self._open.enter_context(TemporaryFile())]  # noqa: SIM115 - closed with the others
            return
        self._settings = json.loads(json.dumps({"inputs": self._fingerprints(inputs), **settings}))
        if self._journal.exists():
            self._read_journal(resume=resume)
        elif resume and (found := next((file for file in (self._out, self._records) if file.is_file()), None)):
            raise F2cspError(f"{found} exists, and no {self._journal} says what it holds: run without --resume")
        if self._is_folder:
            self._out.mkdir(parents=True, exist_ok=True)
        if self.is_complete:
            return
        for i, part in enumerate(self._parts):
            if self._sizes is not None and part.stat().st_size < self._sizes[i]:
                raise F2cspError(f"{part} is shorter than {self._journal} says: remove both, and start again")
            stream: BinaryIO = self._open.enter_context(part.open("wb" if self._sizes is None else "r+b"))
            self._streams.append(stream)
            if self._sizes is None:
                with suppress(OSError):  # of what is replaced, if anything is
                    shutil.copymode(self._out if i else self._records, part)
            else:
                stream.truncate(self._sizes[i])
                stream.seek(self._sizes[i])
        self._write_journal()

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def errors(self, items: Iterable[Item]) -> list[str]:
        """Why items failed, where no record says it."""
        failed = [parse_json_line(item.record) for item in items if item.code == 1 and self.has_puzzles]
        named = [(one["error"], one["file"], one["index"]) for one in failed]
        return [error if error.startswith(file) else f"{file}:{index}: {error}" for error, file, index in named]

    def add(self, place: Place, items: Sequence[Item]) -> None:
        """Write the items of a task; after it, the inputs are done up to the place."""
        items = [self._in_folder(item) for item in items] if self._is_folder else items
        for item in items:
            self._streams[0].write(item.record)
            if item.name and self._is_archive:
                self._streams[1].write(_tar_member(item.name, item.text))
        for stream in self._streams:
            stream.flush()
        self.place = place
        self.verdicts.update(item.verdict for item in items)
        self.codes.update(item.code for item in items)
        self._write_journal()

    def _in_folder(self, item: Item) -> Item:
        """Write the text of an item; instead of one that cannot have its name, an item with the fault."""
        path = self._out / item.name
        try:
            if item.name and os.path.realpath(path) in self._kept:
                raise F2cspError(f"{path} is both input and output")
            if item.name:
                path.parent.mkdir(parents=True, exist_ok=True)
                with writing(path, is_durable=False) as file:
                    file.write(item.text)
        except (OSError, F2cspError, ValueError) as error:  # ValueError for a null character
            if isinstance(error, OSError) and error.errno not in _ABOUT_NAMES:
                raise
            record = parse_json_line(item.record)
            del record["output"]
            return Item(json_line({**record, "error": reason_of(error), "diagnostics": []}), "failed", 1)
        return item

    def finish(self) -> None:
        """Make the files that the user named of the parts."""
        if self._is_stream and self._is_arranged:
            self._write_records(self._streams[0], sys.stdout.buffer)
        if self._is_stream:
            return
        if not self.is_complete:
            if self._is_archive:
                self._streams[1].write(bytes(_TAR_END))
            for stream in self._streams:
                stream.flush()
                os.fsync(stream.fileno())
            self.is_complete = True
            self._write_journal()
            self._open.close()
        if self._is_archive and self._parts[1].exists():
            _make_archive(self._parts[1], self._out)
        if self._parts[0].exists():
            self._make_records(self._parts[0])
        self._write_journal(self._results())

    def _make_records(self, part: Path) -> None:
        name = str(self._records).lower()
        if name.endswith((".jsonl", ".ndjson")) and not self._is_arranged:
            part.replace(self._records)
            return
        with part.open("rb") as lines, writing(self._records) as stream:
            self._write_records(lines, stream)
        part.unlink()

    def _write_records(self, lines: BinaryIO, stream: BinaryIO) -> None:
        """Write the records of these lines, or their puzzles, in the form and the order that the user wants."""
        lines.seek(0)
        name = bare_name(str(self._records))
        records: Iterator[dict[str, Any]] = map(parse_json_line, lines)
        if self._command == DEDUPE:
            records = _distinct(lines, self.verdicts)
        elif self._settings["is_sorted"]:
            records = _by_difficulty(lines)
        if self.has_puzzles:
            codec = _codec_of_all(lines, self._settings["to"])
            texts = (f"{record['text']}\n" for record in records if "text" in record)
            stream.writelines(text.encode() for text in joined(texts, codec))
        elif name.endswith(".csv"):
            _write_csv(records, self._command, stream)
        elif name.endswith(".parquet"):
            _write_parquet(records, self._command, stream)
        else:
            stream.writelines(map(json_line, records))

    def _results(self) -> dict[str, str]:
        return {str(file): _digest([file]) for file in {self._out, self._records} if file.is_file()}

    def _fingerprints(self, inputs: Sequence[str]) -> dict[str, str]:
        """For each input the digest of its files, none of which may be an output."""
        own = self.files if self._journal.exists() else ()
        outputs, folder = {os.path.realpath(file) for file in (self._out, self._records)}, os.path.realpath(self._out)

        def checked(name: str) -> Iterator[str]:
            for file, _ in batch_files([name], own):
                path = os.path.realpath(file_and_indices(file)[0])
                if path in outputs:
                    raise F2cspError(f"{file} is both input and output")
                if path.startswith(f"{folder}{os.sep}"):
                    self._kept.add(path)
                yield file

        return {name: "" if name in (STDIN, LIST + STDIN) else _digest(checked(name)) for name in inputs}

    def _write_journal(self, results: Mapping[str, str] | None = None) -> None:
        if self._is_stream:
            return
        if not self.is_complete:
            self._sizes = [stream.tell() for stream in self._streams]
        state: dict[str, object] = {"settings": self._settings, "place": self.place, "sizes": self._sizes}
        state |= {"verdicts": self.verdicts, "codes": sorted(self.codes), "process": os.getpid()}
        state |= {"complete": self.is_complete, "results": results}
        with writing(self._journal, is_durable=False) as stream:
            stream.write(json.dumps(state).encode() + b"\n")

    def _read_journal(self, *, resume: bool) -> None:
        """Take over the state of an earlier run."""
        try:
            state = json.loads(self._journal.read_bytes())
            earlier, sizes, process = state["settings"], [int(size) for size in state["sizes"]], int(state["process"])
            place, is_complete, results = Place(*state["place"]), bool(state["complete"]), state["results"]
            verdicts, codes = Counter(state["verdicts"]), set(state["codes"])
        except (ValueError, KeyError, TypeError):
            raise F2cspError(f"{self._journal} is damaged: remove it to start again") from None
        if not resume and results is not None:
            return
        if not resume:
            raise F2cspError(f"{self._journal} is that of an unfinished run: go on with --resume, or remove it")
        if earlier != self._settings:
            different = next(key for key in self._settings if earlier.get(key) != self._settings[key])
            what = f"{self._journal} is that of a run with another value of {different}"
            if different == "inputs" and earlier[different].keys() == self._settings[different].keys():
                inputs = self._settings[different].items()
                changed = next(name for name, digest in inputs if earlier[different][name] != digest)
                what = f"{self._journal} is that of a run before {changed} was changed"
            raise F2cspError(f"{what}: remove it to start again")
        if results is not None and results != self._results():
            raise F2cspError(f"{self._out} is not what the run of {self._journal} wrote: run without --resume")
        for file in self.files:
            remove_temporaries(file.parent, escape(file.name))
        if self._is_folder:
            remove_temporaries(self._out, process=process, below=True)
        self._sizes, self.place, self.is_complete = sizes, place, is_complete
        self.verdicts, self.codes = verdicts, codes


def _digest(files: Iterable[str | Path]) -> str:
    """A digest of the names, sizes and times of files."""
    digest = sha256()
    for file in files:
        with suppress(OSError):  # of one that does not exist
            status = Path(file_and_indices(str(file))[0]).stat()
            digest.update(f"{file}\0{status.st_size}\0{status.st_mtime_ns}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


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


# ---- Problems up to symmetry -----------------------------------------------------------------------------------------


def _spooled(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    with TemporaryFile() as file:
        file.writelines(lines)
        yield from _distinct(file, Counter())


def _distinct(lines: BinaryIO, verdicts: Counter[str]) -> Iterator[dict[str, Any]]:
    """The records of the first problem of each class, with the size of the class, and those of failures, of a file."""
    lines.seek(0)
    sizes = Counter(bytes.fromhex(one["class"]) for one in map(parse_json_line, lines) if "class" in one)
    verdicts["distinct"], verdicts["repeated"] = len(sizes), sizes.total() - len(sizes)
    lines.seek(0)
    for record in map(parse_json_line, lines):
        n = sizes.pop(bytes.fromhex(record.get("class", "")), None)
        if n is not None:
            record["copies"] = n
        if n is not None or "class" not in record:
            yield record


def _by_difficulty(lines: BinaryIO) -> Iterator[dict[str, Any]]:
    """The records of a file, the easiest problem first, and those last that people cannot solve."""
    lines.seek(0)
    places, at = [], 0
    for line in lines:
        record = parse_json_line(line)
        is_rated = record.get("grade") not in (None, "unsolved", "unsatisfiable", "unknown")
        places.append((not is_rated, record.get("difficulty") or 0, at))
        at += len(line)
    for _, _, at in sorted(places):
        lines.seek(at)
        yield parse_json_line(lines.readline())


def _codec_of_all(lines: BinaryIO, name: str) -> Codec:
    """What writes the puzzles in the records of a file; raises F2cspError if they differ in kind."""
    kinds = {record["kind"]: record for record in map(parse_json_line, lines) if "text" in record}
    lines.seek(0)
    if len(kinds) > 1:
        puzzles = " and ".join(f"{record['file']}:{record['index']}, a {kind}" for kind, record in kinds.items())
        raise F2cspError(f"expected puzzles of one kind for a file, found {puzzles}")
    codec: Codec = next(
        form for form in named_formats(name) if form.is_written and form.kind in (kinds or form.kind)
    ).load()
    return codec
