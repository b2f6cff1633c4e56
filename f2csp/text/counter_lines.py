"""Lines of a text as it streams by: pieces that end where a line does, and how much stands on them."""

import re
from collections.abc import Iterator

from f2csp.diagnostics import BOM

FILLED_LINE = re.compile(rb"[ \t\r]*+([^ \t\r\n][^\n]*+)\n?")
"""A line that is not blank, from its first word on; blank lines before it are passed over by a search."""

_WHITE = b" \t\r\n"
_BLANK_ENDS = (b"\n\n", b" \n", b"\t\n", b"\r\n")  # one of them stands where a line is blank


def whole_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The text in pieces that end at the end of a line, without its byte-order mark and carriage returns."""
    rest: list[bytes | memoryview] = []
    is_first = True
    for chunk in chunks:
        cut = chunk.rfind(b"\n") + 1
        if cut:
            rest.append(memoryview(chunk)[:cut])
            yield _cleaned(b"".join(rest), is_first)
            rest, is_first = [], False
        rest.append(chunk[cut:])
    yield _cleaned(b"".join(rest), is_first)


def _cleaned(text: bytes, is_first: bool) -> bytes:
    text = text.removeprefix(BOM) if is_first else text
    return text.replace(b"\r\n", b"\n") if b"\r" in text else text


def n_lines(text: bytes) -> int:
    """How many lines are not blank."""
    text = text.rstrip(_WHITE)
    if text[:1] and text[:1] not in _WHITE and not any(blank in text for blank in _BLANK_ENDS):
        return text.count(b"\n") + 1
    return sum(1 for _ in FILLED_LINE.finditer(text))


def n_tuples(text: bytes) -> int:
    """How many tuples there are: one on a line, or as many as it has in parentheses."""
    if b"(" not in text:
        return n_lines(text)
    return sum(match[1].count(b"(") or 1 for match in FILLED_LINE.finditer(text))
