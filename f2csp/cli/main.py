"""The program ``f2csp``, and those of its commands that are programs too.

click is imported inside :func:`_run`, where Ctrl-C ends in a message.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from io import TextIOWrapper
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    import click

# NumPy's linear algebra, which is not used here, would start a thread for each core: a third of a small run.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class Entry(NamedTuple):
    """A line of the table of commands."""

    group: str  # the heading of its line in the help
    # module in f2csp.cli with NAME_command, or module:attribute, imported when the command runs; a function makes the
    # command from its name
    target: str
    program: str | None = None  # that runs it too; in project.scripts, f2csp.cli.main: and the command's name


_COMMANDS = {
    "board": Entry("Puzzles", "draw"),
    "generate": Entry("Puzzles", "generate"),
    "validate": Entry("Files", "validate", "f2csp-validate"),
    "code": Entry("Files", "about"),
    "stats": Entry("Files", "stats", "f2csp-stats"),
    "graph": Entry("Files", "draw"),
    "report": Entry("Files", "draw"),
    "format": Entry("Files", "format"),
    "convert": Entry("Files", "convert"),
    "formats": Entry("Files", "about"),
    "batch": Entry("Files", "batch"),
    "solve": Entry("Solutions", "solve"),
    "unique": Entry("Solutions", "solve"),
    "count": Entry("Solutions", "count"),
    "sample": Entry("Solutions", "count"),
    "marginals": Entry("Solutions", "count"),
    "explain": Entry("Solutions", "solve"),
    "hint": Entry("Solutions", "hint"),
    "rate": Entry("Solutions", "hint"),
    "check": Entry("Solutions", "check_solution"),
    "decode": Entry("Solutions", "check_solution"),
    "compare": Entry("Solutions", "compare"),
    "engines": Entry("Solutions", "about"),
    "help": Entry("Help", "about"),
    "completion": Entry("Help", "about"),
}

_DEBUG = "F2CSP_DEBUG"  # the variable of the environment that shows the traceback of an internal error
_INTERNAL_ERROR = 70  # EX_SOFTWARE
# Of weak references and objects: Python swallows exceptions in them.
_CALLBACKS = {"_remove", "remove", "cb", "__del__"}
_RETRY_SECONDS = 0.02
_DEAF_SECONDS = 1.0  # after Ctrl-C, in which the program cleans up and another one does nothing
_INTERRUPTED, _CLOSED_PIPE = 130, 141  # the exit codes of shells: 128 + SIGINT, 128 + SIGPIPE


def main() -> NoReturn:
    _run(None, "f2csp")


@cache
def commands() -> dict[str, Entry]:
    """All commands; those of the kinds of puzzles are not listed before they are needed."""
    from f2csp.puzzles import KINDS

    return {kind: Entry("Puzzles", "convert:converter", f"{kind}-to-f2csp") for kind in KINDS} | _COMMANDS


def _entry(name: str) -> Entry | None:
    return _COMMANDS.get(name) or commands().get(name)


def __getattr__(name: str) -> Callable[[], NoReturn]:
    """The function that runs the program of a command, such as ``stats`` for ``f2csp-stats``."""
    entry = None if name.startswith("_") else _entry(name)
    if entry is None or entry.program is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return partial(_run, name, entry.program)


@cache
def command_named(name: str | None) -> click.Command:
    """Import a command of the table; None for the group of all commands."""
    import click

    from f2csp import __version__
    from f2csp.cli.options import COLOR
    from f2csp.diagnostics import listed_spelling

    entry = _entry(name) if name else None
    module, _, attribute = (entry.target if entry else "about:f2csp").partition(":")
    target = getattr(import_module(f"f2csp.cli.{module}"), attribute or f"{name}_command")
    command: click.Command = target if isinstance(target, click.Command) else target(name)
    command.context_settings.update(token_normalize_func=listed_spelling, help_option_names=["-h", "--help"])
    if entry is None or entry.program:
        command = click.version_option(__version__, "-V", "--version")(command)
    command.params.append(COLOR)
    return click.option(
        "--debug", is_flag=True, hidden=True, is_eager=True, expose_value=False, callback=_switch_debugging
    )(command)


def _switch_debugging(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001 - click's signature
    if value:
        os.environ[_DEBUG] = "1"


def _run(name: str | None, program: str) -> NoReturn:
    """Run a command, or the group of all, and exit. Every failure ends in a message, never in a traceback."""
    interrupts: list[float] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        if interrupts and monotonic() - interrupts[-1] < _DEAF_SECONDS:
            return
        if not _CALLBACKS.isdisjoint(_names_of_callers(frame)):
            import threading

            threading.Timer(_RETRY_SECONDS, signal.raise_signal, [number]).start()
            return
        interrupts.append(monotonic())
        raise KeyboardInterrupt

    _set_interrupt_handler(interrupt)
    _prepare_streams()
    failure: object = None
    try:
        code, failure = _outcome(name, program)
    except KeyboardInterrupt:
        code = _INTERRUPTED
    if interrupts and failure is not None:  # extension modules that are being imported turn it into an ImportError
        code = _INTERRUPTED
    if code == _INTERRUPTED:
        failure = "interrupted; no file is left half-written"
    if failure is not None:
        with suppress(OSError):  # standard error is full
            print(f"{program}: {failure}", file=sys.stderr)  # noqa: T201 - click may not be imported yet
    _exit(code)


def _exit(code: int) -> NoReturn:
    """End the program; without clean-up if a solver is still at work, whose destructors would abort it."""
    _set_interrupt_handler(signal.SIG_IGN)
    solvers = sys.modules.get("f2csp.solving.interruption")
    if solvers is not None and solvers.InterruptibleThread.n_abandoned:
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(code)
    sys.exit(code)


def _names_of_callers(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        yield frame.f_code.co_name
        frame = frame.f_back


def _set_interrupt_handler(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    """Set what Ctrl-C does, unless the program was started with it ignored, or in another thread."""
    if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):
        with suppress(ValueError):
            signal.signal(signal.SIGINT, handler)


def _outcome(name: str | None, program: str) -> tuple[int, object]:
    """Run a command, and return the exit code, and what has failed, if that has not been reported.

    A command's function returns its exit code.
    """
    import click

    from f2csp.diagnostics import F2cspError, Unsuitable, is_out_of_memory

    code = _CLOSED_PIPE
    try:
        code = command_named(name).main(prog_name=program, standalone_mode=False) or 0
        sys.stdout.flush()
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        vars(error)["message"] = _visible(error.message)
        error.show()
        return error.exit_code, None
    except (BrokenPipeError, SystemExit):  # on a broken pipe, click itself exits
        _close_stdout()  # the reader of the output needs no more of it
        return code, None
    except OSError as error:
        from f2csp.cli.failures import describe

        _close_stdout()
        return 2, "not enough memory" if is_out_of_memory(error) else _visible(describe(error))
    except F2cspError as error:
        return 1 if isinstance(error, Unsuitable) else 2, _visible(str(error))
    except Exception as error:
        return (2, "not enough memory") if is_out_of_memory(error) else (_INTERNAL_ERROR, _bug_report(error))
    return code, None


def _visible(text: str) -> str:
    from f2csp.diagnostics.render import visible  # many commands end without a message

    return visible(text)


def _bug_report(error: Exception) -> str:
    from f2csp import __version__

    if os.environ.get(_DEBUG):
        import traceback

        traceback.print_exc()
    return (
        f"internal error: {type(error).__name__}: {error}\n"
        f"Please report it with the version ({__version__}), the command and the file; --debug shows the traceback."
    )


def _prepare_streams() -> None:
    """Open the null device for each standard stream that is closed, and let standard output take every character."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: PTH123, SIM115 - a device, open until the end
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115 - the same
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115 - the same
    if isinstance(sys.stdout, TextIOWrapper):  # its encoding need not have every character
        sys.stdout.reconfigure(errors="backslashreplace")


def _close_stdout() -> None:
    """Keep Python from flushing unwritable output again at exit."""
    with open(os.devnull, "w") as nothing:  # noqa: PTH123 - a device, not a path
        os.dup2(nothing.fileno(), sys.stdout.fileno())
