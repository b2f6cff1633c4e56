"""Diagnostics and failures on the terminal."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from f2csp.diagnostics import Diagnostic, F2cspError, InvalidInput, Unsuitable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    OnFailure = Callable[[str, Exception], None]


_COLOURS = {"error": "red", "warning": "yellow", "place": "blue", "mark": "blue", "note": "cyan"}


def _colour(text: str, role: str) -> str:
    return click.style(text, fg=_COLOURS[role], bold=True)


_when = "auto"  # to write in colour: auto, always or never


def choose_colour(ctx: click.Context, param: click.Parameter, value: str | None) -> None:  # noqa: ARG001 - click's signature
    """Choose when to write in colour, for the rest of the run; --color before the name of a command is a default."""
    global _when  # faults are also reported after the context of the command has ended
    _when = ctx.meta["f2csp.color"] = value or ctx.meta.get("f2csp.color", "auto")
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


def report_diagnostics(diagnostics: Sequence[Diagnostic], n_hidden: int) -> None:
    if diagnostics:
        write_diagnostics(diagnostics, "full", sys.stderr)
    if n_hidden:
        click.echo(f"... and {n_hidden:,} more", err=True)


def refuse(is_wrong: object, message: str) -> None:
    """Raise a usage error with this message where the arguments are wrong."""
    if is_wrong:
        raise click.UsageError(message)


def refuse_same_file(output: str | None, *inputs: str) -> None:
    """Raise a usage error where an output is one of the inputs, too."""

    def is_output(name: str) -> bool:
        with suppress(OSError):  # one of the two does not exist
            return "-" not in (name, output) and Path(name).samefile(output or name)
        return False

    refuse(output is not None and any(map(is_output, inputs)), f"{output} is both input and output")


def refuse_two_dashes(first: str, second: str | None) -> None:
    refuse(first == second == "-", "only one of the two files can be standard input")


_SEVERITY = (0, 10, 20, 3, 4, 1, 2)  # of exit codes; 10 and 20 are those of solver competitions


def worst(codes: Iterable[int]) -> int:
    """The exit code of a run over several inputs: an unreadable file, faults, a limit, a no, or success."""
    return max(codes, key=_SEVERITY.index, default=0)


def guarded(work: Callable[[], int | None], name: str, fail: OnFailure = lambda *_: None) -> int:
    """Work on one input, report what fails, and return the exit code.

    The code is that of the work (None for 0), 1 for an input with faults, 2 for one that cannot be read or written.
    """
    try:
        return work() or 0
    except BrokenPipeError:
        raise  # the reader of the output needs no more of it
    except InvalidInput as error:
        report_diagnostics(error.diagnostics, error.n_hidden)
        fail(name, error)
        return 1
    except (OSError, F2cspError) as error:
        if isinstance(error, OSError) and _is_full_output(error):
            raise  # the results of other inputs do not fit either
        click.echo(f"{click.get_current_context().command_path}: {failure_text(name, error)}", err=True)
        fail(name, error)
        return 1 if isinstance(error, Unsuitable) else 2


def for_each_file(names: Iterable[str], work: Callable[[str], int | None], fail: OnFailure = lambda *_: None) -> int:
    return worst([guarded(partial(work, name), name, fail) for name in names])


def failure_text(name: str, error: Exception) -> str:
    text = describe(error)
    return text if getattr(error, "filename", None) or text.startswith(name) else f"{name}: {text}"


def describe(error: Exception) -> str:
    """An error in one line; that of the operating system with the name of the file."""
    if not isinstance(error, OSError):
        return str(error)
    reason = error.strerror or str(error)
    subject = "cannot write the output" if _is_full_output(error) else error.filename
    return f"{subject}: {reason}" if subject else reason


def _is_full_output(error: OSError) -> bool:
    return error.errno == errno.ENOSPC and error.filename is None  # a full file is named
