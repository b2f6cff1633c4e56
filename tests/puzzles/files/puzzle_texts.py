"""Reads puzzles from texts, and gives the faults of those that have some with their places."""

from typing import Any

import pytest

from f2csp.diagnostics import Diagnostic, InvalidInput, Source
from f2csp.puzzles.files.formats import named_formats, read_puzzle
from f2csp.puzzles.puzzle import Puzzle

Place = tuple[str, int, int, int]  # code, line, column, end column


def source_of(text: str | bytes) -> Source:
    return Source("puzzle.txt", text.encode() if isinstance(text, str) else text)


def read(text: str | bytes, name: str, **options: Any) -> Puzzle:
    """The puzzle; ``name`` is that of a format, or of a kind for one that is found from the text."""
    return read_puzzle(source_of(text), named_formats(name), options=options).puzzle


def format_of(text: str, name: str = "auto") -> str:
    return read_puzzle(source_of(text), named_formats(name)).format.full_name


def diagnostics(text: str | bytes, name: str, **options: Any) -> tuple[Diagnostic, ...]:
    """The faults and warnings of a puzzle that has faults."""
    with pytest.raises(InvalidInput) as caught:
        read(text, name, **options)
    return tuple(caught.value.diagnostics)


def faults(text: str | bytes, name: str, **options: Any) -> list[Place]:
    spans = [(d.code, d.span) for d in diagnostics(text, name, **options)]
    return [(code, span.line, span.column, span.end_column) for code, span in spans]
