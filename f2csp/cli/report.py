"""Diagnostics and failures on the terminal."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

import click

from f2csp.diagnostics import F2cspError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from f2csp.diagnostics import Diagnostic

_COLOURS = {"error": "red", "warning": "yellow", "place": "blue", "mark": "blue", "note": "cyan"}


def _colour(text: str, role: str) -> str:
    return click.style(text, fg=_COLOURS[role], bold=True)


_when = "auto"  # to write in colour: auto, always or never


def choose_colour(ctx: click.Context, param: click.Parameter, value: str) -> None:  # noqa: ARG001 - click's signature
    """Choose when to write in colour, for the rest of the run."""
    global _when  # faults are also reported after the context of the command has ended
    _when = value
    ctx.color = _forced_colour()


def is_coloured(stream: TextIO) -> bool:
    """Whether to write in colour: as --color, NO_COLOR or FORCE_COLOR say, else to a terminal that can show it."""
    forced = _forced_colour()
    return forced if forced is not None else stream.isatty() and os.environ.get("TERM") != "dumb"


def _forced_colour() -> bool | None:
    if _when != "auto":
        return _when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR", "0") not in ("", "0") else None


def write_diagnostics(diagnostics: Iterable[Diagnostic], form: str, stream: TextIO) -> None:
    """Write diagnostics in one of the forms of ``RENDERERS``, in colour on a terminal."""
    from f2csp.diagnostics.render import RENDERERS, plain

    style = _colour if is_coloured(stream) else plain
    render = RENDERERS[form]
    for diagnostic in diagnostics:
        stream.write(render(diagnostic, style))
        if form == "full":
            stream.write("\n")


def report_warnings(diagnostics: Sequence[Diagnostic], n_hidden: int) -> None:
    """Write diagnostics to standard error, and the number of those that are not listed."""
    if diagnostics:
        write_diagnostics(diagnostics, "full", sys.stderr)
    if n_hidden:
        click.echo(f"... and {n_hidden:,} more", err=True)


def report_faults(error: InvalidInput) -> None:
    """Write the faults of an input to standard error."""
    report_warnings(error.diagnostics, error.n_hidden)


def for_each_file(
    names: Iterable[str], work: Callable[[str], int], on_failure: Callable[[str], None] = lambda _: None
) -> int:
    """Work on files one by one, report what fails, and return the highest exit code.

    The code is that of the work, 1 for a file with faults, or 2 for one that cannot be read or written.
    """
    code = 0
    for name in names:
        try:
            code = max(code, work(name))
        except BrokenPipeError:
            raise  # the reader of the output needs no more of it
        except InvalidInput as error:
            report_faults(error)
            on_failure(f"{name}: {error}")
            code = max(code, 1)
        except (OSError, F2cspError) as error:
            failure = describe(error) if isinstance(error, OSError) else f"{name}: {error}"
            click.echo(f"{click.get_current_context().command_path}: {failure}", err=True)
            on_failure(failure)
            code = 2
    return code


def describe(error: OSError) -> str:
    """An operating system's error in one line."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason
