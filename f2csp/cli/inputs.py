"""Problems and puzzles from the files that a command names, with a progress bar while they are read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from f2csp.diagnostics import Source
    from f2csp.formats.foreign import ForeignFormat
    from f2csp.model import Problem
    from f2csp.puzzles.files.formats import Format, PuzzleFile
    from f2csp.puzzles.puzzle import Puzzle

F2CSP = "f2csp"  # the name of the format among those of puzzle files

_SECTION = re.compile(rb"^[ \t]*(?:domains|variables|constraints)[ \t]*:", re.IGNORECASE | re.MULTILINE)


def load_problem(file: str | Source) -> Problem:
    """Read an F2CSP file."""
    from f2csp.cli.progress import reading
    from f2csp.files import read_source
    from f2csp.text.load import examine

    with reading(file) as advance:
        source = read_source(file) if isinstance(file, str) else file
        return examine(source, advance=advance).require()


def is_problem(source: Source, from_: str) -> bool:
    """Whether a file is F2CSP: ``--from`` names the format, or the text has a section."""
    return from_ == F2CSP or (from_ == "auto" and _SECTION.search(source.data) is not None)


def foreign_input(source: Source, from_: str) -> ForeignFormat | None:
    """The foreign format of a file: the one that ``--from`` names, or that its text shows."""
    from f2csp.formats.foreign import FOREIGN_FORMATS, recognised

    if from_ == "auto":
        return recognised(source)
    return next((form for form in FOREIGN_FORMATS if form.name == from_ and form.imports), None)


def puzzle_of(problem: Problem) -> Puzzle | None:
    """The puzzle that a problem encodes, if any."""
    from f2csp.diagnostics import Unsuitable
    from f2csp.puzzles.recognise import recognise

    try:
        return recognise(problem)
    except Unsuitable:
        return None


def read_one(source: Source, formats: Sequence[Format], index: int | None, options: Mapping[str, Any]) -> PuzzleFile:
    """Read the puzzle number ``index`` (None for the first, with a note if there are more); report warnings."""
    from f2csp.cli.report import report_warnings
    from f2csp.puzzles.files.formats import read_puzzle

    found = read_puzzle(source, formats, index or 1, options)
    report_warnings(found.warnings, found.n_hidden)
    if index is None and found.n_puzzles > 1:
        click.echo(f"{source.name}: read the first of {found.n_puzzles:,} puzzles (see --index)", err=True)
    return found


def source_and_output(first: str | None, second: str | None, text: str | None) -> tuple[Source, str]:
    """The input and the name of the output of a command with [INPUT] [OUTPUT] and ``--text``."""
    from f2csp.diagnostics import Source
    from f2csp.files import read_source

    if text is not None:
        if second is not None:
            raise click.UsageError("--text replaces INPUT: expected OUTPUT only")
        return Source("--text", text.replace("\\n", "\n").encode("utf-8", "surrogateescape")), first or "-"
    if first is None:
        from f2csp.cli.options import ask_two_names

        first, second = ask_two_names("Puzzle file", "F2CSP file to write")
    return read_source(first), second or "-"
