"""What a batch writes: records, and the texts that it converts; with a journal, so that it can be interrupted.

Until all is done, records are in a file whose name ends in .part, texts for an archive in a second one, a tar, and the
journal says how far the inputs are done, and how long the parts were then: a run that goes on cuts off the rest.
"""

import json
import os
import shutil
import sys
import tarfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Self
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from f2csp.batch.found_files import tar_members
from f2csp.batch.portions import Place
from f2csp.batch.records import parsed, require_arrow, write_csv, write_parquet
from f2csp.batch.work import Item
from f2csp.diagnostics import F2cspError
from f2csp.files import STDIN, bare_name, writing

_RECORDS = (".jsonl", ".ndjson", ".csv", ".parquet")
_ARCHIVES = (".zip", ".tar")
_TAR_END = 2 * tarfile.BLOCKSIZE  # zeros


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
            require_arrow(f"writing {out}")
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
            write_csv(parsed(lines), command, stream)
        elif name.endswith(".parquet"):
            write_parquet(parsed(lines), command, stream)
        else:
            shutil.copyfileobj(lines, stream)
    part.unlink()
