"""Gives the faults of a text of some format with their places."""

from collections.abc import Callable

import pytest

from f2csp.diagnostics import InvalidInput, Source

Fault = tuple[str, int, int, int, int]  # code, line, column, end line, end column


def faults(read: Callable[[Source], object], text: str | bytes) -> list[Fault]:
    """The faults of a text that has some."""
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(InvalidInput) as caught:
        read(Source("file", data))
    assert caught.value.n_hidden == 0
    spans = [(d.code, d.span) for d in caught.value.diagnostics]
    return [(code, span.line, span.column, span.end_line, span.end_column) for code, span in spans]


def places(read: Callable[[Source], object], text: str | bytes) -> list[str]:
    """The faults as CODE LINE:COLUMN-END; the end is one on the same line."""
    found = faults(read, text)
    assert all(line == end_line for _, line, _, end_line, _ in found), found
    return [f"{code} {line}:{column}-{end}" for code, line, column, _, end in found]


def messages(read: Callable[[Source], object], text: str) -> list[tuple[str, str | None]]:
    """What is said of the faults: messages and hints."""
    with pytest.raises(InvalidInput) as caught:
        read(Source("file", text.encode()))
    return [(d.message, d.hint) for d in caught.value.diagnostics]
