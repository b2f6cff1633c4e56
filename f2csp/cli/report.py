"""Diagnostics on the terminal, and what the commands share in reading their arguments."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

import click

from f2csp.diagnostics import Diagnostic, F2cspError, InvalidInput
from f2csp.diagnostics.render import RENDERERS, plain

_COLOURS = {"error": "red", "warning": "yellow", "place": "blue", "mark": "blue", "note": "cyan"}


def _colour(text: str, role: str) -> str:
    return click.style(text, fg=_COLOURS[role], bold=True)


def is_coloured(stream: TextIO) -> bool:
    """Whether to write in colour: to a terminal, unless its user wants none."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def write_diagnostics(diagnostics: Iterable[Diagnostic], form: str, stream: TextIO) -> None:
    """Write diagnostics in one of the forms of ``RENDERERS``, in colour on a terminal."""
    style = _colour if is_coloured(stream) else plain
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


def report_failure(name: str, error: OSError | F2cspError) -> int:
    """Tell what kept a command from its work on one of its files, and give the exit code for it.

    Raises:
        BrokenPipeError: the reader of the output has enough, so there is no work left on the other files.
    """
    if isinstance(error, BrokenPipeError):
        raise error
    if isinstance(error, InvalidInput):
        report_faults(error)
        return 1
    click.echo(f"{click.get_current_context().command_path}: {failure(name, error)}", err=True)
    return 2


def failure(name: str, error: OSError | F2cspError) -> str:
    """What kept a command from its work on a file, in one line."""
    return describe(error) if isinstance(error, OSError) else f"{name}: {error}"


def describe(error: OSError) -> str:
    """An operating system's error in one line."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def report_warnings(diagnostics: Iterable[Diagnostic]) -> None:
    """Write warnings to standard error."""
    write_diagnostics(diagnostics, "full", sys.stderr)


def problem_files(names: Iterable[str]) -> list[str]:
    """The names, with each directory replaced by the .csp files in it; all are known before any is worked on.

    Raises:
        click.UsageError: a directory has none.
    """
    files: list[str] = []
    for name in names:
        if name == "-" or not Path(name).is_dir():
            files.append(name)
            continue
        found = sorted(str(path) for path in Path(name).rglob("*.csp") if path.is_file())
        if not found:
            raise click.UsageError(f"the directory {name} has no .csp file in it")
        files += found
    return files


def ask_two_names(first: str, second: str) -> tuple[str, str]:
    """Ask for two file names, as a program without arguments does on a terminal.

    Raises:
        click.UsageError: there is no terminal to ask on.
    """
    if not sys.stdin.isatty():
        raise click.UsageError("give a file name, or - for standard input (see --help)")
    return click.prompt(first, err=True), click.prompt(second, err=True)
