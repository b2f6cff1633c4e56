"""Reads puzzles of a format, and gives the faults of those that have some with their places."""

import pytest

from f2csp.diagnostics import InvalidInput, Source
from f2csp.puzzles.files.formats import named_formats, read_puzzle
from f2csp.puzzles.puzzle import Puzzle

Place = tuple[str, int, int, int]  # code, line, column, end column


def read(text: str | bytes, name: str) -> Puzzle:
    """The puzzle; ``name`` is that of a format, or of a kind for one that is found from the text."""
    data = text.encode() if isinstance(text, str) else text
    return read_puzzle(Source("puzzle.txt", data), named_formats(name)).puzzle


def format_of(text: str, name: str = "auto") -> str:
    """The name of the format that is found."""
    return read_puzzle(Source("puzzle.txt", text.encode()), named_formats(name)).format.full_name


def faults(text: str | bytes, name: str) -> list[Place]:
    """The faults and warnings of a puzzle that has faults."""
    with pytest.raises(InvalidInput) as caught:
        read(text, name)
    assert caught.value.n_hidden == 0
    spans = [(d.code, d.span) for d in caught.value.diagnostics]
    assert all(span.line == span.end_line for _, span in spans)
    return [(code, span.line, span.column, span.end_column) for code, span in spans]


def messages(text: str | bytes, name: str) -> list[tuple[str, str | None]]:
    """What is said of a puzzle that has faults: messages and hints."""
    with pytest.raises(InvalidInput) as caught:
        read(text, name)
    return [(d.message, d.hint) for d in caught.value.diagnostics]
