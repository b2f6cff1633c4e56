"""The files that the inputs of a command name: files, directories, patterns, archives, and lists of names.

``FILE:INDEX`` names a problem of a file, and ``FILE:1-10,17`` several, unless there is a file of this whole name.
"""

import re
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from glob import glob, has_magic
from itertools import chain, groupby
from pathlib import Path, PurePosixPath
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO, NamedTuple, Self, cast

from f2csp.diagnostics import F2cspError, Source
from f2csp.diagnostics.render import visible
from f2csp.file_formats import formats
from f2csp.files import COMPRESSIONS, STDIN, bare_name, is_link, member_chunks, read_source, text_chunks

LIST = "@"  # before the name of a list of names
_ZIP = ".zip"
_TARS = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2")
ARCHIVES = (_ZIP, *_TARS)
_RANGE = re.compile(r"\s*([1-9][0-9]{0,17})(?:-([1-9][0-9]{0,17}))?\s*")

_MAX_LINE_BYTES = 1 << 20  # of a file that is cut at line ends
_MAX_MEMBER_BYTES = 1 << 30  # of a file in an archive, expanded
_MAX_ARCHIVE_BYTES = 64 << 30  # of all of them
# zipfile raises RuntimeError for an encrypted file, and NotImplementedError for a compression that it does not know
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, RuntimeError, NotImplementedError, EOFError)


class FoundFile(NamedTuple):
    """A file, or a member of an archive."""

    name: str  # in records
    inner: str  # its path below the directory, or in the archive, that the user named; never one that leads out of it
    open: Callable[[], Iterator[bytes]]  # its text in chunks, expanded; raises OSError or F2cspError
    path: str | None = None  # under which another process finds it
    size: int | None = None  # in bytes, if that of its text, and the whole text is read
    indices: tuple[range, ...] | None = None  # of the problems that are named; None for all


def found_files(inputs: Iterable[str], own: Iterable[Path] = ()) -> Iterator[FoundFile]:
    """The files of :func:`batch_files`, and those in archives, one after the other, in the same order each time."""

    def base(named: tuple[str, str]) -> tuple[str, bool]:
        file, indices = file_and_indices(named[0])
        return file, indices is None

    for (file, is_whole), group in groupby(batch_files(inputs, own), base):
        for name, inner in group if is_whole else [next(group)]:
            if name == STDIN:
                yield FoundFile(name, "puzzle", partial(text_chunks, name))
            elif is_whole:
                yield from _file(name, inner)
            else:
                parts = [file_and_indices(other)[1] or () for other, _ in [(name, inner), *group]]
                indices = tuple(chain.from_iterable(parts))
                yield FoundFile(file, Path(file).name, partial(text_chunks, file), file, indices=indices)


def batch_files(inputs: Iterable[str], own: Iterable[Path] = ()) -> Iterator[tuple[str, str]]:
    """The files and archives that names mean, as :func:`named_files`; none of ``own``, which the command writes."""
    written = {path.absolute() for path in own}

    def is_input(path: Path) -> bool:
        is_read = is_problem_file(path) or path.name.lower().endswith(ARCHIVES)
        return is_read and written.isdisjoint([path.absolute(), *path.absolute().parents])

    return named_files(inputs, is_input)


def file_names(names: Iterable[str], is_wanted: Callable[[Path], bool] | None = None) -> list[str]:
    """The names of the files that names mean; one that means none, such as an empty directory, stays as it is."""
    return [file for name in names for file, _ in list(named_files([name], is_wanted)) or [(name, "")]]


def named_files(inputs: Iterable[str], is_wanted: Callable[[Path], bool] | None = None) -> Iterator[tuple[str, str]]:
    """The names of the files that names mean, and their paths below the directories that the user named.

    A name is that of a file, a directory or ``-``; a pattern such as ``puzzles/*.sdm``; or ``@`` and the name of a file
    with a name on each line. Files in a directory are in the order of their names, without hidden files, and without
    those that are not wanted.
    """
    for name in inputs:
        if is_list(name):
            names = (line.decode("utf-8", "surrogateescape").strip() for line in split_lines(text_chunks(name[1:])))
            yield from named_files(filter(None, names), is_wanted)
        elif not is_link(name) and Path(name).is_dir():
            for path in filter(is_wanted, _files_below(Path(name))):
                yield str(path), path.relative_to(name).as_posix()
        elif is_pattern(name):
            yield from named_files(sorted(_matches(name)), is_wanted)
        else:
            yield name, Path(name).name


def is_problem_file(path: Path) -> bool:
    """Whether a file has an ending, perhaps before that of a compression, that files of problems have."""
    return bare_name(path.name).endswith(_problem_endings())


@lru_cache
def _problem_endings() -> tuple[str, ...]:
    return ".txt", *(ending for form in formats() if form.is_read for ending in form.endings)


def file_and_indices(name: str) -> tuple[str, tuple[range, ...] | None]:
    """The file that an input names, and the numbers of its problems behind a colon; None for all."""
    file, _, numbers = name.rpartition(":")
    if file and not is_link(name) and Path(file).is_file() and not Path(name).exists():
        with suppress(ValueError):
            return file, index_ranges(numbers)
    return name, None


def index_ranges(numbers: str) -> tuple[range, ...]:
    """Parse numbers and ranges of problems; raises ValueError.

    Example:
        >>> index_ranges("1-10,17")
        (range(1, 11), range(17, 18))
    """
    ranges = []
    for part in numbers.split(","):
        match = _RANGE.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise ValueError(f"expected numbers and ranges such as 3 or 1-10,17, found {numbers!r}")
        ranges.append(range(first, last + 1))
    return tuple(ranges)


def source_of(name: str) -> Source:
    """The text of a file; of a directory only where there is no file in it to read instead."""
    if name != STDIN and not is_link(name) and Path(name).is_dir():
        raise F2cspError(f"no files to read in directory {name}")
    return read_source(name)


def require_inputs(inputs: Iterable[str]) -> None:
    """Raise OSError for a list that does not exist, and F2cspError for a pattern that no file matches."""
    for name in inputs:
        if is_pattern(name) and not _matches(name):
            raise F2cspError(f"no file matches {name}")
        if is_list(name) and name != LIST + STDIN:
            Path(name[1:]).stat()


def is_list(name: str) -> bool:
    return name.startswith(LIST) and not Path(name).exists()


def is_pattern(name: str) -> bool:
    return has_magic(name) and not Path(name).exists()


def _matches(pattern: str) -> list[str]:
    return glob(pattern, recursive=True)  # noqa: PTH207 - pathlib takes no absolute pattern


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines with their ends."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line + b"\n"
        if len(rest) > _MAX_LINE_BYTES:
            raise F2cspError(f"a line is longer than {_MAX_LINE_BYTES:,} bytes, and no puzzle")
    if rest:
        yield rest


def _files_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        mode = path.lstat().st_mode
        if S_ISDIR(mode):
            yield from _files_below(path)
        elif S_ISREG(mode) or path.is_file():
            yield path


def _file(name: str, inner: str) -> Iterator[FoundFile]:
    lowered = name.lower()
    if ending := next(filter(lowered.endswith, ARCHIVES), None):
        list_members = _zip_members if ending == _ZIP else partial(tar_members, max_bytes=_MAX_MEMBER_BYTES)
        yield from _members(name, inner[: -len(ending)], list_members)
        return
    size = None
    with suppress(OSError):
        size = None if lowered.endswith(COMPRESSIONS) else Path(name).stat().st_size
    yield FoundFile(name, inner, partial(text_chunks, name), name, size)


_Member = tuple[str, Callable[[], BinaryIO]]


class _Header(tarfile.TarInfo):
    """A header of a tar; one that is damaged or cut off is an error, not the end of the tar."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if buf == bytes(tarfile.BLOCKSIZE):  # the end
                raise
            message = str(error) if len(buf) == tarfile.BLOCKSIZE else "unexpected end of data"
            raise tarfile.ReadError(message) from None


def _members(archive: str, stem: str, list_members: Callable[[str], Iterator[_Member]]) -> Iterator[FoundFile]:
    """The files in an archive; a fault of the archive is one of a further file, its own name."""
    budget = [_MAX_ARCHIVE_BYTES]  # what is left; claims of sizes are not believed
    try:
        for name, open_member in list_members(archive):
            parts = [visible(part) for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..")]
            inner = "/".join([stem, *parts])
            yield FoundFile(f"{archive}/{name}", inner, partial(_text_of, open_member, budget))
    except (OSError, *_BROKEN) as error:
        yield FoundFile(archive, stem, partial(_raise, _fault("archive", error)))


def _zip_members(archive: str) -> Iterator[_Member]:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            if not info.is_dir():
                yield info.filename, partial(cast("Callable[..., BinaryIO]", opened.open), info)


def tar_members(archive: str | Path, max_bytes: int = sys.maxsize) -> Iterator[_Member]:
    """The names of the files in a tar, perhaps compressed, and what opens each before the next is asked for."""
    with tarfile.open(archive, "r|*", tarinfo=_Header) as opened:
        for info in opened:
            if info.size > max_bytes:  # even to skip it is work
                raise tarfile.ReadError(f"{info.name} is larger than {max_bytes:,} bytes")
            if info.isreg():
                yield info.name, partial(cast("Callable[..., BinaryIO]", opened.extractfile), info)
            opened.members = []  # type: ignore[attr-defined] # it would keep them all


def _text_of(open_member: Callable[[], BinaryIO], budget: list[int]) -> Iterator[bytes]:
    """The text of a file in an archive, as far as the limits allow."""
    try:
        with open_member() as stream:
            for chunk in member_chunks(stream, min(_MAX_MEMBER_BYTES, budget[0])):
                budget[0] -= len(chunk)
                yield chunk
    except _BROKEN as error:
        raise _fault("file", error) from error


def _fault(what: str, error: Exception) -> Exception:
    return error if isinstance(error, OSError) else F2cspError(f"the {what} cannot be read: {error}")


def _raise(error: Exception) -> Iterator[bytes]:
    raise error
