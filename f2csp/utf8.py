"""Check that a text is UTF-8 without control characters."""

import re
from collections.abc import Iterator

import numpy as np

from f2csp.diagnostics import Collector, Source

_CONTROL = re.compile(rb"(?:[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n))++")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BLANK, _DELETE, _RETURN, _NEWLINE = b" \x7f\r\n"
_CHUNK = 1 << 18
_CHUNK_AFTER_FAULT = 1 << 12

_Fault = tuple[int, int, str, str, str | None]  # start, end, code, message, hint


def checked(source: Source) -> Collector:
    """A collector for the faults of a text; raises InvalidInput if the text is not UTF-8."""
    collector = Collector(source)
    check_encoding(source, collector)
    collector.raise_if_errors()
    return collector


def check_encoding(source: Source, collector: Collector) -> None:
    """Report forbidden characters, and suppress later findings on their lines."""
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
    at, size = 0, _CHUNK
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
            size = min(2 * size, _CHUNK)


def _control_runs(data: bytes) -> Iterator[_Fault]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _CHUNK) + 1 or len(data)  # whole lines, so that no line end is cut
        if _may_contain_control(data[start:end]):
            yield from _control_runs_in(data, start, end)
        start = end


def _control_runs_in(data: bytes, start: int, end: int) -> Iterator[_Fault]:
    for match in _CONTROL.finditer(data, start, end):
        code = match.group()[0]
        name, hint = f"the control character U+{code:04X}", "remove it"
        if code == _RETURN:
            name, hint = "a carriage return without line feed", r"end lines with \n or \r\n"
        yield match.start(), match.end(), "F002", f"the text holds {name}", hint


def _may_contain_control(chunk: bytes) -> bool:
    """Whether there are more control characters than tabs and line ends; much faster than a search."""
    characters = np.frombuffer(chunk, dtype=np.uint8)
    n_control = int(np.count_nonzero(characters < _BLANK) + np.count_nonzero(characters == _DELETE))
    n_allowed = chunk.count(b"\n")
    if n_control > n_allowed:
        is_line_end = (characters[:-1] == _RETURN) & (characters[1:] == _NEWLINE)
        n_allowed += chunk.count(b"\t") + int(np.count_nonzero(is_line_end))
    return n_control > n_allowed
