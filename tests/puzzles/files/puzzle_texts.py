"""Reads puzzles from texts, and gives the faults of those that have some with their places."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from f2csp.diagnostics import Diagnostic, InvalidInput, Source
from f2csp.puzzles.files.formats import DETECTED, Format, PuzzleFile, all_written, named_formats, recognised_parts
from f2csp.puzzles.puzzle import Puzzle

Place = tuple[str, int, int, int]  # code, line, column, end column


def source_of(text: str | bytes) -> Source:
    return Source("puzzle.txt", text.encode() if isinstance(text, str) else text)


def read_puzzle(
    source: Source, formats: Sequence[Format] = DETECTED, index: int = 1, options: Mapping[str, Any] | None = None
) -> PuzzleFile:
    return recognised_parts(source, formats, options, index).read(index)


def read_puzzles(
    source: Source, formats: Sequence[Format] = DETECTED, options: Mapping[str, Any] | None = None
) -> Iterator[PuzzleFile | InvalidInput]:
    """Every puzzle of a file, or its faults."""
    found = recognised_parts(source, formats, options)
    for index in range(1, len(found) + 1):
        try:
            yield found.read(index)
        except InvalidInput as faults:
            yield faults


def written(puzzle: Puzzle, name: str) -> str:
    return all_written([puzzle], name)


def read(text: str | bytes, name: str, **options: Any) -> Puzzle:
    """The puzzle; ``name`` is that of a format, or of a kind for one that is found from the text."""
    return read_puzzle(source_of(text), named_formats(name), options=options).puzzle


def format_of(text: str | bytes, name: str = "auto", options: Mapping[str, Any] | None = None) -> str:
    """The name of the format that is found."""
    found = recognised_parts(source_of(text), named_formats(name), options)
    found.read(1)
    return found.format.full_name


def diagnostics(text: str | bytes, name: str, **options: Any) -> tuple[Diagnostic, ...]:
    """The faults and warnings of a puzzle that has faults."""
    with pytest.raises(InvalidInput) as caught:
        read(text, name, **options)
    return tuple(caught.value.diagnostics)


def faults(text: str | bytes, name: str, **options: Any) -> list[Place]:
    spans = [(d.code, d.span) for d in diagnostics(text, name, **options)]
    return [(code, span.line, span.column, span.end_column) for code, span in spans]
