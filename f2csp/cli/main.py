"""The program ``f2csp``, and those of its commands that are programs too.

What fails before :func:`_run` handles Ctrl-C is a traceback: only what the interpreter itself imports is imported here.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # typing is not imported: it is a third of the start of a program
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

# NumPy's linear algebra, which is not used here, would start a thread for each core: a third of a small run.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_INTERNAL_ERROR = 70  # EX_SOFTWARE
# Of weak references and objects: Python swallows exceptions in them.
_CALLBACKS = {"_remove", "remove", "cb", "__del__"}
_RETRY_SECONDS = 0.02
_DEAF_SECONDS = 1.0  # after Ctrl-C, in which the program cleans up and another one does nothing
_INTERRUPTED, _CLOSED_PIPE = 130, 141  # the exit codes of shells: 128 + SIGINT, 128 + SIGPIPE


def main() -> NoReturn:
    _run(None, "f2csp")


def __getattr__(name: str) -> Callable[[], NoReturn]:
    """The function that runs the program of a command, such as ``stats`` for ``f2csp-stats``."""
    if not name.startswith("_"):
        from f2csp.cli.commands import entry_of

        entry = entry_of(name)
        if entry is not None and entry.program is not None:
            program = entry.program
            return lambda: _run(name, program)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _run(name: str | None, program: str) -> NoReturn:
    """Run a command, or the group of all, and exit. Every failure ends in a message, never in a traceback."""
    from time import monotonic

    interrupts: list[float] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        if interrupts and monotonic() - interrupts[-1] < _DEAF_SECONDS:
            return
        while frame is not None:
            if frame.f_code.co_name in _CALLBACKS:
                import threading

                threading.Timer(_RETRY_SECONDS, signal.raise_signal, [number]).start()
                return
            frame = frame.f_back
        interrupts.append(monotonic())
        raise KeyboardInterrupt

    _set_interrupt_handler(interrupt)
    _prepare_streams()
    failure: object = None
    try:
        code, failure = _outcome(name, program)
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except Exception as error:
        code, failure = _INTERNAL_ERROR, error
    if interrupts and failure is not None:  # extension modules that are being imported turn it into another error
        code = _INTERRUPTED
    if code == _INTERRUPTED:
        failure = "interrupted; no file is left half-written"
    if failure is not None:
        from contextlib import suppress

        with suppress(OSError):  # standard error is full
            print(f"{program}: {failure}", file=sys.stderr)  # noqa: T201 - click may not be imported yet
    _exit(code)


def _exit(code: int) -> NoReturn:
    """End the program.

    It ends without clean-up if a solver is still at work, whose destructors would abort it, and after Ctrl-C: if that
    came while Python executed a string, as it does to make dataclasses, it would end by the signal after its clean-up.
    """
    _set_interrupt_handler(signal.SIG_IGN)
    solvers = sys.modules.get("f2csp.solving.interruption")
    if code == _INTERRUPTED or (solvers is not None and solvers.InterruptibleThread.n_abandoned):
        try:
            sys.stdout.flush()
        finally:
            os._exit(code)
    sys.exit(code)


def _set_interrupt_handler(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    """Set what Ctrl-C does, unless the program was started with it ignored, or in another thread."""
    if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):
        try:  # noqa: SIM105 - contextlib is not imported before
            signal.signal(signal.SIGINT, handler)
        except ValueError:
            pass


def _outcome(name: str | None, program: str) -> tuple[int, object]:
    """Run a command, and return the exit code, and what has failed, if that has not been reported.

    A command's function returns its exit code.
    """
    import click

    from f2csp.cli.commands import command_named
    from f2csp.diagnostics import F2cspError, is_out_of_memory

    code = _CLOSED_PIPE
    try:
        code = command_named(name).main(prog_name=program, standalone_mode=False) or 0
        sys.stdout.flush()
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code, None
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.ctx is not None:
            help_line = f"Try '{error.ctx.command_path} --help' for help.\n"
            click.echo(f"{error.ctx.get_usage()}\n{help_line}", err=True)
        return error.exit_code, _visible(error.format_message())
    except (BrokenPipeError, SystemExit):  # on a broken pipe, click itself exits
        _close_stdout()  # the reader of the output needs no more of it
        return code, None
    except OSError as error:
        from f2csp.cli.failures import describe

        _close_stdout()
        return 2, "not enough memory" if is_out_of_memory(error) else _visible(describe(error))
    except F2cspError as error:
        return error.exit_code, _visible(str(error))
    except Exception as error:
        return (2, "not enough memory") if is_out_of_memory(error) else (_INTERNAL_ERROR, _bug_report(error))
    return code, None


def _visible(text: str) -> str:
    from f2csp.diagnostics.render import visible  # many commands end without a message

    return visible(text)


def _bug_report(error: Exception) -> str:
    from f2csp import __version__
    from f2csp.cli.commands import DEBUG

    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exc()
    cure = f"Please report it with the version ({__version__}), the command and the file; --debug shows the traceback."
    return f"internal error: {type(error).__name__}: {error}\n{cure}"


def _prepare_streams() -> None:
    """Let standard output take every character, and standard streams that are closed fail once they are used."""
    for name, mode, flags in ("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY):
        if getattr(sys, name) is None:  # messages are lost without one; nothing else takes the number of the stream
            setattr(sys, name, open(os.open(os.devnull, flags), mode))  # noqa: PTH123, SIM115 - a device, open until the end
    from io import TextIOWrapper

    if isinstance(sys.stdout, TextIOWrapper):  # its encoding need not have every character
        sys.stdout.reconfigure(errors="backslashreplace")


def _close_stdout() -> None:
    """Keep Python from flushing unwritable output again at exit."""
    with open(os.devnull, "w") as nothing:  # noqa: PTH123 - a device, not a path
        os.dup2(nothing.fileno(), sys.stdout.fileno())
