"""Read files, compressed or not; check that their text is UTF-8; and write them whole or not at all."""

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from importlib import import_module
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from f2csp.diagnostics import Collector, F2cspError, Source, optional_package

FileName = str | os.PathLike[str]
ByteProgress = Callable[[int], None]  # called with the number of bytes read since its last call

STDIN = "-"  # as the name of a file
COMPRESSIONS = (".gz", ".xz", ".lzma", ".bz2", ".zst")  # the endings of compressed files

MAX_TEXT_BYTES = 64 << 30

_PRIVATE = 0o600  # the mode of a temporary file, until it has that of its target
_MAX_NAME = 50  # characters of the target's name in that of a temporary file, and of a link in messages

_CHUNK = 1 << 20
_ZSTD_CHUNK = 1 << 10  # zstd expands by up to 30,000, and its decompressor returns everything in one piece

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_LZMA = (b"\xfd7zXZ\x00", b"]\x00\x00")  # .xz, and .lzma with the default settings
_BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")  # a title may begin with BZh
_MAX_MAGIC_LENGTH = 10

_CONTROL_CHARACTERS = re.compile(rb"(?:[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n))++")
_BINARY = {
    "a PNG picture": b"\x89PNG\r\n",
    "a PDF document": b"%PDF-1.",
    "a ZIP archive": b"PK\x03\x04",
    "an SQLite database": b"SQLite format 3\0",
    "an ELF program": b"\x7fELF",
}
"""Files that are no texts, by their first bytes."""
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_MIN_BINARY = 64  # bytes; one of the first has to be NUL in a file without a known signature
_HEAD = 1 << 12  # bytes that say whether a file is a text
_MAX_NULS = 0.1  # of the head, in a text with a few characters that it must not have
_MAX_LINE = 1 << 24  # bytes of a line before the domains
_DOMAINS = re.compile(rb"domains[ \t]*+:", re.IGNORECASE)
_MARKUP = (b"<", b"{", b"[")  # begin formats whose texts may have one line

_DESCRIPTOR = re.compile(r"(?:/dev|/proc/self)/fd/([0-9]+)|/dev/std(?:out|err)")  # the name of an open file

_CHECKED_CHUNK = 1 << 18
_CHUNK_AFTER_FAULT = 1 << 12

_Fault = tuple[int, int, str, str, str | None]  # start, end, code, message, hint


def read_source(file: FileName | IO[Any], max_bytes: int = MAX_TEXT_BYTES) -> Source:
    """Read a whole text, expanded if its first bytes say that it is compressed.

    The file is a path, ``-`` for standard input, a link that is the text itself, or open for reading.

    Raises:
        InvalidInput: the compression is broken, or the expanded text larger than ``max_bytes``.
    """
    name = os.fspath(file) if isinstance(file, (str, os.PathLike)) else str(getattr(file, "name", "<text>"))
    name = f"{name[:_MAX_NAME]}..." if is_link(name) and len(name) > _MAX_NAME else name
    text, fault = BytesIO(), None
    try:
        data = _bytes_of(file)
        if _expander(data[:_MAX_MAGIC_LENGTH]) is None:
            return Source(name, data)
        text.writelines(_text_alone(_chunks(BytesIO(data), max_bytes)))
    except BrokenText as error:
        fault = error
    source = Source(name, text.getvalue())
    if fault:
        collector, end = Collector(source), len(source.data)
        collector.add(fault.code, end, end, str(fault), label=f"after {end:,} bytes of text" if end else "")
        collector.raise_if_errors()
    return source


def text_chunks(file: FileName, max_bytes: int = MAX_TEXT_BYTES) -> Iterator[bytes]:
    """A text in chunks, expanded as by :func:`read_source`; it is never in memory as a whole.

    Raises:
        BrokenText: the compression is broken, or the expanded text larger than ``max_bytes``.
    """
    with _opened(file) as stream:
        yield from _text_alone(_chunks(stream, max_bytes))


def is_link(name: FileName) -> bool:
    """Whether the name of an input is a link, which is read as a text itself, never from the network."""
    return os.fspath(name).startswith(("https://", "http://"))


def _opened(file: FileName) -> AbstractContextManager[BinaryIO]:
    if os.fspath(file) == STDIN:
        return nullcontext(sys.stdin.buffer)
    return BytesIO(os.fsencode(file)) if is_link(file) else Path(file).open("rb")


def _bytes_of(file: FileName | IO[Any]) -> bytes:
    if isinstance(file, (str, os.PathLike)):
        with _opened(file) as stream:
            return _whole_text(stream)
    if not hasattr(file, "read"):
        raise TypeError(f"expected a path or an open file, found {file!r}")
    return text_source(file.read()).data


def _whole_text(stream: BinaryIO) -> bytes:
    """The bytes of a stream, read only if they begin as a text or a compressed file does."""
    first = stream.read(_CHUNK)
    if _expander(first[:_MAX_MAGIC_LENGTH]) is not None:
        return first + stream.read()
    if len(first) < _CHUNK:
        return b"".join(_text_alone(iter([first])))
    seen = [first]
    for chunk in _text_alone(chain([first], iter(partial(stream.read, _CHUNK), b""))):
        seen += [chunk] if chunk is not first else []
        if _DOMAINS.search(chunk) or len(seen) * _CHUNK > 2 * _MAX_LINE:
            break
    if not stream.seekable():
        return b"".join([*seen, stream.read()])
    stream.seek(0)  # so that the text is in memory once
    return stream.read()


def _text_alone(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The chunks of a text, up to the place where it is seen to be none.

    Raises:
        BrokenText: the first chunks are binary, or have a line that is no line of a title.
    """
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= _HEAD:
            break
    if kind := _binary_kind(head):
        raise BrokenText("F001", f"expected a text, found {kind}")
    is_known, line_size = head.lstrip()[:1] in _MARKUP, 0
    for chunk in chain([head], chunks):
        if not is_known:
            line_size += chunk.find(b"\n") if b"\n" in chunk else len(chunk)
            if line_size > _MAX_LINE:
                raise BrokenText("F013", f"a line before Domains: has more than {_MAX_LINE:,} bytes")
            line_size = line_size if b"\n" not in chunk else len(chunk) - chunk.rfind(b"\n")
            is_known = _DOMAINS.search(chunk) is not None
        yield chunk


def _binary_kind(head: bytes) -> str | None:
    """What a file is that is no text; None for a text."""
    head = head[:_HEAD]
    for kind, signature in _BINARY.items():
        if head.startswith(signature):
            return kind
    is_binary = b"\0" in head[:_MIN_BINARY] and head.count(0) > _MAX_NULS * len(head) and len(head) >= _MIN_BINARY
    if not is_binary or head.startswith(_UTF16_MARKS):
        return None
    is_utf16 = any(head[::2]) != any(head[1::2])  # one byte of two is NUL
    return "UTF-16: save it as UTF-8" if is_utf16 else "a binary file"


def text_source(text: str | bytes) -> Source:
    """A text in memory."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return Source("<text>", data if type(data) is bytes else bytes(memoryview(data)))  # which would copy bytes


def member_chunks(stream: BinaryIO, max_bytes: int) -> Iterator[bytes]:
    """The text of a member of an archive in chunks; the limit holds for one that is not compressed itself, too."""
    yield from _text_alone(_limited(_chunks(stream, max_bytes), max_bytes))


def write_chunks(chunks: Iterable[bytes], file: FileName | IO[Any]) -> None:
    """Write a text that comes in pieces, none of which ends inside a character.

    The file is a path (see :func:`writing`), ``-`` for standard output, or open for writing, text or binary.
    """
    if isinstance(file, (str, os.PathLike)):
        with writing(file) as stream:
            for chunk in chunks:  # a stream that compresses as zstd has no writelines
                stream.write(chunk)
    elif not hasattr(file, "write"):
        raise TypeError(f"expected a path or an open file, found {file!r}")
    elif hasattr(file, "encoding"):  # a text file
        file.writelines(chunk.decode() for chunk in chunks)
    else:
        file.writelines(chunks)


class BrokenText(F2cspError):
    """A text cannot be read further: its compression is broken, it is too large, or it is no text."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)  # the arguments, so that it can be pickled
        self.code = code  # of the fault

    def __str__(self) -> str:
        return str(self.args[1])


@contextmanager
def writing(path: FileName, *, is_durable: bool = True) -> Iterator[BinaryIO]:
    """Open an output file that is replaced only when all of it is written.

    The bytes go to a temporary file beside it, which takes its place at the end; after any failure, also Ctrl-C, the
    old file is unchanged. The output is compressed if the name ends in .gz, .xz, .lzma, .bz2 or .zst; ``-`` is standard
    output. A target that is not a regular file (a device, a pipe), or has the name of an open one (/dev/stdout), is
    written directly. Unless it is to be durable, the bytes need not be on the disk at the end, only with the operating
    system.
    """
    name = os.fspath(path)
    if name == STDIN:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if opened := _DESCRIPTOR.fullmatch(name):  # a file on which others may write, too
        sys.stdout.flush()
        number = opened[1] or (1 if name.endswith("out") else 2)
        with os.fdopen(os.dup(int(number)), "wb") as stream:
            yield stream
        return
    target = Path(os.path.realpath(name))  # a link stays a link
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if mode is not None and not stat.S_ISREG(mode):
        try:
            with target.open("wb") as stream, _compressed(stream, name) as out:
                yield out
        except OSError as error:
            raise (error if error.filename else OSError(error.errno, error.strerror, name)) from None
        return
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    opener = None if mode is None else lambda file, flags: os.open(file, flags, _PRIVATE)
    temporary = target.with_name(f".{target.name[:_MAX_NAME]}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    try:
        with open(temporary, "xb", opener=opener) as stream:
            with _compressed(stream, name) as out:
                yield out
            stream.flush()
            if is_durable:
                os.fsync(stream.fileno())
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        if error.errno is not None and error.filename in (None, str(temporary)):  # a full disk names no file
            raise OSError(error.errno, error.strerror, name) from None
        raise
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def remove_temporaries(folder: Path, target: str = "*", process: int | str = "*", *, below: bool = False) -> None:
    """Remove what writers that were killed have left of a target in a folder, and perhaps below it."""
    pattern = f".{target[:_MAX_NAME]}.{process}.{8 * '[0-9a-f]'}.tmp"
    for path in list(folder.rglob(pattern) if below else folder.glob(pattern)):
        path.unlink(missing_ok=True)


def _chunks(stream: BinaryIO, max_bytes: int) -> Iterator[bytes]:
    magic = stream.read(_MAX_MAGIC_LENGTH)
    expand = _expander(magic)
    if expand is None:
        yield magic
        n_wanted, chunk = _MAX_MAGIC_LENGTH, magic
        while len(chunk) == n_wanted:  # a short read is the end; on a terminal, another one would wait for more
            n_wanted, chunk = _CHUNK, stream.read(_CHUNK)
            yield chunk
    else:
        yield from _limited(expand(cast("BinaryIO", _Prefixed(magic, stream))), max_bytes)


class _Prefixed:
    """A stream, preceded by the bytes already read from it; to read, as the modules that expand do."""

    def __init__(self, first: bytes, rest: BinaryIO) -> None:
        self._first = first
        self._rest = rest

    def read(self, n: int) -> bytes:
        first, self._first = self._first[:n], self._first[n:]
        return first or self._rest.read(n)


def _limited(chunks: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    """The chunks of an expanded text up to the limit."""
    size = 0
    try:
        for chunk in chunks:
            size += len(chunk)
            if size > max_bytes:
                raise BrokenText("F013", f"the text expands to more than the limit of {max_bytes:,} bytes")
            yield chunk
    except Exception as error:
        is_about_data = type(error).__name__ in {"EOFError", "error", "LZMAError", "ZstdError"}
        if not is_about_data and not (isinstance(error, OSError) and error.errno is None):  # of bz2 and gzip
            raise
        raise BrokenText("F014", f"the compressed file cannot be expanded: {error}") from error


def _expander(magic: bytes) -> Callable[[BinaryIO], Iterator[bytes]] | None:
    if magic.startswith(_ZSTD):
        return _expand_zstd
    modules = {"gzip": magic.startswith(_GZIP), "lzma": magic.startswith(_LZMA), "bz2": _BZIP2.match(magic)}
    return next((partial(_expand_with, module) for module, is_meant in modules.items() if is_meant), None)


def _expand_with(module: str, stream: BinaryIO) -> Iterator[bytes]:
    with import_module(module).open(stream) as expanded:
        yield from iter(lambda: expanded.read(_CHUNK), b"")


def _expand_zstd(stream: BinaryIO) -> Iterator[bytes]:
    zstandard = optional_package("zstandard", "reading a .zst file", "zst")
    decompressor = zstandard.ZstdDecompressor().decompressobj(read_across_frames=False)
    at_start = False
    while data := stream.read(_ZSTD_CHUNK):
        while data:
            if decompressor.eof:  # a further frame
                decompressor = zstandard.ZstdDecompressor().decompressobj(read_across_frames=False)
            yield decompressor.decompress(data)
            data = decompressor.unused_data if decompressor.eof else b""
        at_start = decompressor.eof
    if not at_start:
        raise EOFError("it ends inside a frame")


@contextmanager
def _compressed(stream: BinaryIO, name: str) -> Iterator[BinaryIO]:
    """The stream itself, or a compressor on it, by the extension of the name."""
    if name.endswith(".gz"):
        import gzip

        with gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as out:  # the same text, the same bytes
            yield cast("BinaryIO", out)
    elif name.endswith((".xz", ".lzma", ".bz2")):
        module = import_module("bz2" if name.endswith(".bz2") else "lzma")
        with module.open(stream, "wb", **{"format": module.FORMAT_ALONE} if name.endswith(".lzma") else {}) as out:
            yield out
    elif name.endswith(".zst"):
        zstandard = optional_package("zstandard", "writing a .zst file", "zst")
        with zstandard.ZstdCompressor().stream_writer(stream, closefd=False) as out_zst:
            yield cast("BinaryIO", out_zst)
    else:
        yield stream


def require_compression(name: FileName) -> None:
    """Raise MissingExtra if a file of this name cannot be written."""
    if os.fspath(name).endswith(".zst"):
        optional_package("zstandard", "writing a .zst file", "zst")


def bare_name(file: str) -> str:
    """The name of a file in small letters, without the ending of its compression."""
    name = file.lower()
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    return name


# ---- The encoding ----------------------------------------------------------------------------------------------------


def checked(source: Source) -> Collector:
    """A collector for the faults of a text; raises InvalidInput if the text is not UTF-8."""
    collector = Collector(source)
    check_encoding(source, collector)
    collector.raise_if_errors()
    return collector


def check_encoding(source: Source, collector: Collector) -> None:
    """Report forbidden characters, and suppress later findings on their lines."""
    if kind := _binary_kind(source.data[:_HEAD]):
        collector.add("F001", 0, 1, f"expected a text, found {kind}")
        collector.suppress(0, len(source.data) + 1)
        return
    if source.data.startswith(_UTF16_MARKS):
        collector.add("F001", 0, 2, "the text is UTF-16", label="UTF-16 byte-order mark", hint="save it as UTF-8")
        collector.suppress(0, len(source.data) + 1)
        return
    _report(source, collector, _not_utf8(source.data))
    _report(source, collector, _control_runs(source.data))


def _report(source: Source, collector: Collector, faults: Iterator[_Fault]) -> None:
    line: tuple[int, int] | None = None
    for start, end, code, message, hint in faults:
        if line is not None and start >= line[1]:
            collector.suppress(*line)
            line = None
        if line is None:
            line_end = source.data.find(b"\n", start) + 1 or len(source.data)
            line = source.data.rfind(b"\n", 0, start) + 1, line_end
        collector.add(code, start, end, message, hint=hint)
    if line is not None:
        collector.suppress(*line)


def _not_utf8(data: bytes) -> Iterator[_Fault]:
    """The first fault of each line; the following ones likely have the same cause."""
    if data.isascii():
        return
    at, size = 0, _CHECKED_CHUNK
    while at < len(data):
        chunk = data[at : at + size]
        try:
            chunk.decode("utf-8")
        except UnicodeDecodeError as error:
            start, end = at + error.start, at + error.end
            if end == at + len(chunk) < len(data) and error.start > 0:  # a character that goes on in the next chunk
                at = start
                continue
            yield start, end, "F001", f"byte 0x{data[start]:02X} is not UTF-8", "save the file as UTF-8"
            at = data.find(b"\n", start) % (len(data) + 1)
            size = _CHUNK_AFTER_FAULT  # the next is likely near, and a chunk is copied for each
        else:
            at += len(chunk)
            size = min(2 * size, _CHECKED_CHUNK)


def _control_runs(data: bytes) -> Iterator[_Fault]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _CHECKED_CHUNK) + 1 or len(data)  # whole lines, so that no line end is cut
        for match in _CONTROL_CHARACTERS.finditer(data, start, end) if _may_contain_control(data[start:end]) else ():
            name, hint = f"the control character U+{match[0][0]:04X}", "remove it"
            if match[0].startswith(b"\r"):
                name, hint = "a carriage return without line feed", r"end lines with \n or \r\n"
            yield *match.span(), "F002", f"the text holds {name}", hint
        start = end


def _may_contain_control(chunk: bytes) -> bool:
    """Whether there are more control characters than tabs and line ends; much faster than a search."""
    import numpy as np

    characters = np.frombuffer(chunk, dtype=np.uint8)
    n = int(np.count_nonzero(characters < ord(" ")) + np.count_nonzero(characters == 127)) - chunk.count(b"\n")
    if n > 0:
        is_line_end = (characters[:-1] == ord("\r")) & (characters[1:] == ord("\n"))
        n -= chunk.count(b"\t") + int(np.count_nonzero(is_line_end))
    return n > 0
