"""What a worker gets: texts, or names of files that it can open. Files with a puzzle a line are cut at line ends."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple

from f2csp.boards.pieces import Parts, Text
from f2csp.boards.puzzle_builder import Codec
from f2csp.boards.reading import PuzzleFile
from f2csp.diagnostics import Diagnostic, F2cspError, Source
from f2csp.door import problem_format, puzzle_file
from f2csp.file_formats import AUTO, format_name, named_formats
from f2csp.files import bare_name, read_source
from f2csp.inputs import FoundFile, split_lines

_CONTROL = re.compile(rb"[^\S \t\r\n]|[\x00-\x08\x0e-\x1f\x7f]")
_HEAD_BYTES = 1 << 16  # by which the format of a file is recognised
_MAX_GROUP_BYTES = 1 << 20  # of the files of a task


class Place(NamedTuple):
    """How far a batch has come in its inputs."""

    n_files: int = 0  # done
    file: str = ""  # that was worked on last
    n_lines: int = 0  # of the next one
    n_items: int = 0  # in these


@dataclass(frozen=True, slots=True)
class Portion:
    """A text, or some lines of one."""

    file: str
    inner: str  # the name of what is written for it, without an ending
    end: Place  # after it
    data: bytes | None = None  # None for a file that the worker opens
    fault: str | None = None  # why there is no text
    form: str = AUTO  # that of the lines
    head: bytes = b""  # the line that names the columns
    first_line: int = 1
    first_index: int = 1
    n_items: int | None = None  # None for a whole text
    is_numbered: bool = False  # whether what is written for its items has their numbers in the name
    n_bytes: int = 0  # of the input, if it is not compressed
    indices: tuple[range, ...] | None = None  # of the items of a whole text; None for all
    warnings: tuple[Diagnostic, ...] = ()  # of the file, for its first item

    def source(self) -> Source:
        """The text; raises OSError or F2cspError if there is none."""
        if self.fault is not None:
            raise F2cspError(self.fault)
        if self.data is None:
            return read_source(self.file)
        return Source(self.file, self.head + self.data, first_line=self.first_line - self.head.count(b"\n"))

    def split(self) -> list["Portion"]:
        """Its lines with an item, each as a portion of its own; nothing of a whole text."""
        if self.n_items is None or self.data is None:
            return []
        found: list[Portion] = []
        for number, line in enumerate(self.data.splitlines(keepends=True), self.first_line):
            if _n_items(self.form, self.head + line):
                one = replace(self, data=line, first_line=number, first_index=self.first_index + len(found), n_items=1)
                found.append(one)
        return found


BatchTask = tuple[Portion, ...]


@dataclass
class Cutter:
    """Cuts files into tasks, from a place on."""

    form: str = AUTO
    options: Mapping[str, Any] = field(default_factory=dict)
    is_strict: bool = False
    n_lines: int = 64  # of a task, or files
    is_by_name: bool = True  # whether workers can open the files
    needs_names: bool = False  # whether no two files may have the same inner name
    start: Place = field(default_factory=Place)

    def tasks(self, files: Iterable[FoundFile]) -> Iterator[BatchTask]:
        """The tasks in the order of the files: small files together, the lines of a file some at a time."""
        group: list[Portion] = []
        n_bytes = 0
        for portion in self._portions(files):
            is_alone = portion.n_items is not None
            if group and (is_alone or len(group) == self.n_lines or n_bytes >= _MAX_GROUP_BYTES):
                yield tuple(group)
                group, n_bytes = [], 0
            if is_alone:
                yield (portion,)
            else:
                group.append(portion)
                n_bytes += portion.n_bytes
        if group:
            yield tuple(group)

    def _portions(self, files: Iterable[FoundFile]) -> Iterator[Portion]:
        seen: set[int] = set()
        n_files = 0
        for n_files, file in enumerate(files, 1):
            name = hash(_stem(file.inner))
            last = self.start.n_files + (self.start.n_lines > 0)
            if n_files == last and file.name != self.start.file:
                raise F2cspError(f"the inputs have changed: expected {self.start.file}, found {file.name}")
            if n_files > self.start.n_files:
                if self.needs_names and name in seen:
                    fault = "another input has the same name; give the inputs different names"
                    yield Portion(file.name, file.inner, Place(n_files, file.name), fault=fault)
                else:
                    yield from self._of_file(file, n_files, self.start if n_files == last else Place())
            if self.needs_names:
                seen.add(name)
        if n_files < self.start.n_files:
            raise F2cspError(f"the inputs have changed: expected {self.start.n_files:,} files, found {n_files:,}")

    def _of_file(self, file: FoundFile, n_files: int, start: Place) -> Iterator[Portion]:
        """The portions of a file; one that cannot be read is a portion with the fault."""
        is_named = self.is_by_name and file.path is not None
        end, n_bytes = Place(n_files, file.name), file.size or 0
        whole = Portion(file.name, _stem(file.inner), end, form=self.form, n_bytes=n_bytes, indices=file.indices)
        n_items = start.n_items
        try:
            chunks = file.open()
            head = b""
            while len(head) < _HEAD_BYTES and (chunk := next(chunks, b"")):
                head += chunk
            lines_file = None if file.indices else self._file_of_lines(file.name, head)
            if lines_file is not None:
                whole = replace(whole, form=lines_file.format.name, warnings=lines_file.warnings)
                for portion in self._cut(whole, split_lines(chain([head], chunks)), start):
                    n_items = portion.end.n_items
                    yield portion
            else:
                yield whole if is_named else replace(whole, data=b"".join([head, *chunks]))
        except (OSError, F2cspError) as error:
            if is_named and not n_items:
                yield whole  # the worker finds the fault, and its place
            else:
                yield replace(whole, fault=reason_of(error), first_index=n_items + 1)

    def _file_of_lines(self, name: str, head: bytes) -> PuzzleFile | None:
        """The head of a text as a file of puzzles, if its format is one with a puzzle a line."""
        lines = head[: head.rfind(b"\n") + 1] if len(head) >= _HEAD_BYTES else head
        source = Source(name, _CONTROL.sub(b"?", lines.decode("utf-8", "replace").encode()))  # a fault is one of a line
        try:
            if format_name(self.form) == AUTO and problem_format(source):
                return None
            file = puzzle_file(source, named_formats(self.form), self.options, is_strict=self.is_strict)
        except F2cspError:
            return None
        is_board = not file.format.codec  # one in any text, beside remarks
        is_by_line = not is_board and file.format.load().is_by_line and _n_items(file.format.name, source.data)
        return file if is_by_line else None

    def _cut(self, whole: Portion, lines: Iterator[bytes], start: Place) -> Iterator[Portion]:
        """Some lines at a time; the place after the last ones is the end of the file."""
        n_lines, n_items = 0, start.n_items
        if _codec(whole.form).frame[0]:
            above = [next(lines)]
            while not above[-1].strip():
                above.append(next(lines))
            n_lines, whole = len(above), replace(whole, head=above[-1])
        for _ in range(start.n_lines - n_lines):
            next(lines)
        n_lines = max(n_lines, start.n_lines)
        pending: Portion | None = None
        try:
            while block := list(islice(lines, self.n_lines)):
                data = b"".join(block)
                n = _n_items(whole.form, whole.head + data)
                first_line, n_lines, n_items = n_lines + 1, n_lines + len(block), n_items + n
                if not n:
                    continue
                if pending:
                    yield pending
                end, n_bytes = Place(whole.end.n_files - 1, whole.file, n_lines, n_items), min(len(data), whole.n_bytes)
                pending = replace(whole, end=end, data=data, n_items=n, is_numbered=True, n_bytes=n_bytes)
                pending = replace(pending, first_line=first_line, first_index=n_items - n + 1)
                whole = replace(whole, warnings=())
        except (OSError, F2cspError):
            if pending:
                yield pending
            raise
        if pending:
            yield replace(pending, end=whole.end._replace(n_items=n_items), is_numbered=n_items > 1)


def _stem(inner: str) -> str:
    """A name without the endings of a compression and of a format."""
    return re.sub(r"(?<=[^/.])\.[^./]+$", "", inner[: len(bare_name(inner))]) or "puzzle"


@lru_cache
def _codec(form: str) -> Codec:
    codec: Codec = named_formats(form)[0].load()
    return codec


def _n_items(form: str, lines: bytes) -> int:
    found = _codec(form).parts(Text.whole(Source("", lines)))
    return len(found) if isinstance(found, Parts) else 0


def reason_of(error: Exception) -> str:
    """Why an input failed; of the operating system's errors, without their numbers."""
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
