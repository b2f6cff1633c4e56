"""Reads puzzles from texts, and gives the faults of those that have some with their places."""

from collections.abc import Iterator
from typing import Any

import pytest

from f2csp.boards.reading import Reading
from f2csp.diagnostics import Diagnostic, InvalidInput, Source
from f2csp.door import puzzle_file
from f2csp.file_formats import named_formats
from f2csp.puzzles.puzzle import Puzzle

Place = tuple[str, int, int, int]  # code, line, column, end column


def source_of(text: str | bytes) -> Source:
    return Source("puzzle.txt", text.encode() if isinstance(text, str) else text)


def files(text: str | bytes, name: str = "auto", **options: Any) -> Iterator[Reading | InvalidInput]:
    """Every puzzle of a file, or its faults, or those of the file.

    ``name`` is that of a format, or of a kind, or ``auto``.
    """
    try:
        file = puzzle_file(source_of(text), named_formats(name), options)
    except InvalidInput as faults:
        yield faults
        return
    for index in range(1, len(file) + 1):
        reading = file.read(index)
        try:
            reading.require()
        except InvalidInput as faults:
            yield faults
        else:
            yield reading


def read_all(text: str | bytes, name: str = "auto", **options: Any) -> list[Puzzle]:
    found = list(files(text, name, **options))
    assert not any(isinstance(file, InvalidInput) for file in found)
    return [file.require() for file in found if isinstance(file, Reading)]


def read(text: str | bytes, name: str = "auto", index: int = 1, **options: Any) -> Puzzle:
    return puzzle_file(source_of(text), named_formats(name), options, index).read(index).require()


def written(puzzle: Puzzle, name: str) -> str:
    """The text of a puzzle in a format, whether or not it says all of the puzzle."""
    return str(named_formats(name)[0].load().write(puzzle))


def format_of(text: str | bytes, name: str = "auto", **options: Any) -> str:
    """The name of the format that is found."""
    file = puzzle_file(source_of(text), named_formats(name), options)
    file.read(1).require()
    return file.format.name


def diagnostics(text: str | bytes, name: str, **options: Any) -> tuple[Diagnostic, ...]:
    """The faults and warnings of a puzzle that has faults."""
    with pytest.raises(InvalidInput) as caught:
        read(text, name, **options)
    return tuple(caught.value.diagnostics)


def faults(text: str | bytes, name: str, **options: Any) -> list[Place]:
    spans = [(d.code, d.span) for d in diagnostics(text, name, **options)]
    return [(code, span.line, span.column, span.end_column) for code, span in spans]
