"""Diagnostics on the terminal, and what the commands share in reading their arguments."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import click

from f2csp.diagnostics import Diagnostic, InvalidInput
from f2csp.diagnostics.render import RENDERERS, plain

_COLOURS = {"error": "red", "warning": "yellow", "place": "blue", "mark": "blue", "note": "cyan"}


def _colour(text: str, role: str) -> str:
    return click.style(text, fg=_COLOURS[role], bold=True)


def write_diagnostics(diagnostics: Iterable[Diagnostic], form: str, stream: TextIO) -> None:
    """Write diagnostics in one of the forms of ``RENDERERS``, in colour on a terminal."""
    style = _colour if stream.isatty() and "NO_COLOR" not in os.environ else plain
    render = RENDERERS[form]
    for diagnostic in diagnostics:
        stream.write(render(diagnostic, style))
        if form == "full":
            stream.write("\n")


def report_faults(error: InvalidInput, form: str = "full") -> None:
    """Write the faults of a text that gave no problem to standard error."""
    write_diagnostics(error.diagnostics, form, sys.stderr)
    if error.n_hidden:
        click.echo(f"... and {error.n_hidden:,} more", err=True)


def report_warnings(diagnostics: Iterable[Diagnostic]) -> None:
    """Write warnings to standard error."""
    write_diagnostics(diagnostics, "full", sys.stderr)


def problem_files(names: Iterable[str]) -> Iterator[str]:
    """The names, with each directory replaced by the .csp files in it.

    Raises:
        click.UsageError: a directory has none.
    """
    for name in names:
        if name == "-" or not Path(name).is_dir():
            yield name
            continue
        found = sorted(str(path) for path in Path(name).rglob("*.csp") if path.is_file())
        if not found:
            raise click.UsageError(f"the directory {name} has no .csp file in it")
        yield from found


def ask_two_names(first: str, second: str) -> tuple[str, str]:
    """Ask for two file names, as a program without arguments does on a terminal.

    Raises:
        click.UsageError: there is no terminal to ask on.
    """
    if not sys.stdin.isatty():
        raise click.UsageError("give a file name, or - for standard input (see --help)")
    return click.prompt(first, err=True), click.prompt(second, err=True)
