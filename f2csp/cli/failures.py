"""Diagnostics, failures and other news on the terminal, in colour where it can show it."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from f2csp.files import STDIN
from f2csp.inputs import file_and_indices, is_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from f2csp.diagnostics import Diagnostic, Source
    from f2csp.diagnostics.diagnostic import Excerpt
    from f2csp.diagnostics.render import Words

ASKED = "f2csp.asked"  # among the notes of a context: whether the user was asked for the names of files
_COLOURS = {"error": "red", "warning": "yellow", "place": "blue", "mark": "blue", "note": "cyan"}
_WORD_COLOURS = {"section word": "magenta", "goal": "magenta", "count": "green", "domain": "cyan", "value": "yellow"}
_MAX_LISTED = 5  # lines of what is wrong with an answer
_MAX_COLOURED = 1 << 20  # bytes of a text whose words are coloured


def choose_colour(ctx: click.Context, param: click.Parameter, value: str | None) -> None:  # noqa: ARG001 - click's signature
    """Choose whether to write in colour; --color before the name of a command is a default."""
    if value in ("always", "never"):
        ctx.color = value == "always"
    elif value == "auto" or ctx.parent is None:
        is_forced = os.environ.get("FORCE_COLOR", "0") not in ("", "0")
        ctx.color = False if os.environ.get("NO_COLOR") else True if is_forced else None


def is_coloured(stream: TextIO) -> bool:
    """Whether to write in colour: as --color, NO_COLOR or FORCE_COLOR say, else to a terminal that can show it."""
    chosen = click.get_current_context().color
    return chosen if chosen is not None else stream.isatty() and os.environ.get("TERM") != "dumb"


def columns_of(stream: TextIO) -> int | None:
    """The width of a terminal; None for another stream."""
    if not stream.isatty():
        return None
    from shutil import get_terminal_size  # which imports all compressions

    return get_terminal_size().columns


def confirm_written(file: str, content: str = "") -> None:
    """Say that a file is written, if its name was asked for."""
    if file != STDIN and click.get_current_context().meta.get(ASKED):
        say(f"{file} written{content}")


def write_diagnostics(found: Iterable[Diagnostic], form: str, stream: TextIO, source: Source | None = None) -> None:
    """Write diagnostics in one of the forms of ``RENDERERS``; on a terminal in colour and no wider than it.

    The words of an F2CSP text, if it is given, have colours, too.
    """
    from f2csp.diagnostics.render import RENDERERS, full, plain

    def coloured(text: str, role: str) -> str:
        return click.style(text, fg=_COLOURS.get(role) or _WORD_COLOURS.get(role), bold=role in _COLOURS or None)

    style = coloured if is_coloured(stream) else plain
    words = None if source is None or style is plain else _words(source)
    width = columns_of(stream)
    for diagnostic in found:
        if form == "full":
            stream.write(full(diagnostic, style, width, words) + "\n")
        else:
            stream.write(RENDERERS[form](diagnostic, style))


def _words(source: Source) -> Words | None:
    """What the words in excerpts are, if the source is an F2CSP text that is not too large."""
    from f2csp.door import problem_format
    from f2csp.file_formats import F2CSP
    from f2csp.text.examination import examine

    form = problem_format(source)
    if form is None or form.name != F2CSP or len(source.data) > _MAX_COLOURED:
        return None
    examination = examine(source.data)

    def words(excerpt: Excerpt) -> Iterable[tuple[str, str]]:
        found = examination.words(excerpt.start, excerpt.start)
        return [(examination.text_of(word), word.role) for word in found]

    return words


def say(text: str, *, err: bool = True, fg: str | None = None) -> None:
    """Print a line on which control characters are shown, so that no name of an input can steer a terminal or a log."""
    from f2csp.diagnostics.render import visible

    is_marked = fg is not None and is_coloured(sys.stderr if err else sys.stdout)
    click.echo(click.style(visible(text), fg=fg, bold=True) if is_marked else visible(text), err=err)


def first_lines(lines: Sequence[str]) -> list[str]:
    """The first lines, and the number of further ones."""
    n_more = len(lines) - _MAX_LISTED
    return [*lines[:_MAX_LISTED], *([f"... and {n_more:,} more"] if n_more > 0 else [])]


def report_diagnostics(diagnostics: Sequence[Diagnostic], n_hidden: int, source: Source | None = None) -> None:
    if diagnostics:
        write_diagnostics(diagnostics, "full", sys.stderr, source)
    if n_hidden:
        say(f"... and {n_hidden:,} more")


def refuse(is_wrong: object, message: str) -> None:
    """Raise a usage error with this message where the arguments are wrong."""
    if is_wrong:
        raise click.UsageError(message)


def refuse_same_file(output: str, *inputs: str) -> None:
    """Raise a usage error where an output would go into one of the inputs, unless that is a device."""
    target = "/dev/stdout" if output == STDIN else output

    def is_target(name: str) -> bool:
        named = name[1:] if is_list(name) else file_and_indices(name)[0]
        file = Path("/dev/stdin" if named == STDIN else named)
        with suppress(OSError):  # one of the two does not exist
            return file.samefile(target) and file.is_file()
        return False

    refuse(any(map(is_target, inputs)), f"{target} is both input and output")


def failure_text(name: str, error: Exception) -> str:
    """An error in one line, with the name of the file."""
    text = describe(error)
    is_named = getattr(error, "filename", None) or text.startswith(name) or text.endswith(f" directory {name}")
    return text if is_named else f"{name}: {text}"


def describe(error: Exception) -> str:
    """An error in one line; that of the operating system with the name of its file."""
    if not isinstance(error, OSError):
        return str(error)
    if error.errno == errno.EBADF:
        return "standard input or output is closed"
    reason = error.strerror or str(error)
    subject = "cannot write the output" if is_about_streams(error) else error.filename
    return f"{subject}: {reason}" if subject else reason


def is_about_streams(error: OSError) -> bool:
    """Whether standard output is full, or a standard stream is closed; a full file is named."""
    return error.errno in (errno.ENOSPC, errno.EBADF) and error.filename is None
