"""Reads puzzles from texts, and gives the faults of those that have some with their places."""

from collections.abc import Iterator
from typing import Any

import pytest

from f2csp.diagnostics import Diagnostic, InvalidInput, Source
from f2csp.boards.formats import PuzzleFile, all_written, named_formats, recognised_parts
from f2csp.puzzles.puzzle import Puzzle

Place = tuple[str, int, int, int]  # code, line, column, end column


def source_of(text: str | bytes) -> Source:
    return Source("puzzle.txt", text.encode() if isinstance(text, str) else text)


def files(text: str | bytes, name: str = "auto", **options: Any) -> Iterator[PuzzleFile | InvalidInput]:
    """Every puzzle of a file, or its faults, or those of the file.

    ``name`` is that of a format, or of a kind, or ``auto``.
    """
    try:
        found = recognised_parts(source_of(text), named_formats(name), options)
    except InvalidInput as faults:
        yield faults
        return
    for index in range(1, len(found) + 1):
        try:
            yield found.read(index)
        except InvalidInput as faults:
            yield faults


def read_all(text: str | bytes, name: str = "auto", **options: Any) -> list[Puzzle]:
    found = list(files(text, name, **options))
    assert not any(isinstance(file, InvalidInput) for file in found)
    return [file.puzzle for file in found if isinstance(file, PuzzleFile)]


def read(text: str | bytes, name: str = "auto", index: int = 1, **options: Any) -> Puzzle:
    return recognised_parts(source_of(text), named_formats(name), options, index).read(index).puzzle


def written(puzzle: Puzzle, name: str) -> str:
    return all_written([puzzle], name)


def format_of(text: str | bytes, name: str = "auto", **options: Any) -> str:
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
