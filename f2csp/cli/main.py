"""The program ``f2csp``, and those of its commands that are programs too."""

import os
import sys
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import click

from f2csp import __version__
from f2csp.diagnostics import F2cspError, InvalidInput, Unsuitable

if TYPE_CHECKING:
    from collections.abc import Callable

# NumPy's linear algebra, which is not used here, would start a thread for each core: a third of a small run.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class Entry(NamedTuple):
    """A line of the table of commands."""

    group: str  # the heading of its line in the help
    target: (
        str  # module:attribute in f2csp.cli, imported when the command runs; a function makes the command from its name
    )
    program: str | None = (
        None  # the program that runs it too; in project.scripts, f2csp.cli.main: and the command's name
    )


_PUZZLES = ("sudoku", "latin", "futoshiki", "jigsaw", "diagonal", "killer", "takuzu")
COMMANDS = {kind: Entry("Puzzles", "puzzle_to_f2csp:converter", f"{kind}-to-f2csp") for kind in _PUZZLES} | {
    "board": Entry("Puzzles", "board:board"),
    "validate": Entry("Files", "validate:validate", "f2csp-validate"),
    "code": Entry("Files", "validate:code"),
    "stats": Entry("Files", "stats:stats", "f2csp-stats"),
    "format": Entry("Files", "format:format_"),
    "convert": Entry("Files", "convert:convert"),
    "solve": Entry("Solutions", "solve:solve"),
    "unique": Entry("Solutions", "solve:unique"),
    "count": Entry("Solutions", "solve:count"),
    "explain": Entry("Solutions", "explain:explain"),
    "check": Entry("Solutions", "check_solution:check"),
    "decode": Entry("Solutions", "check_solution:decode"),
    "engines": Entry("Solutions", "solve:engines"),
}

_INTERRUPTED = 130  # the exit code of shells: 128 + SIGINT


class _LazyGroup(click.Group):
    """A group that imports a command only when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import a command."""
        return command_named(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands by their groups."""
        for group in dict.fromkeys(entry.group for entry in COMMANDS.values()):
            names = [name for name, entry in COMMANDS.items() if entry.group == group]
            with formatter.section(group):
                formatter.write_dl([(name, command_named(name).get_short_help_str(100)) for name in names])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="f2csp")
def f2csp() -> None:
    """Read, check, convert and solve finite constraint satisfaction problems written as tables.

    \b
    Examples:
      f2csp sudoku clues.txt puzzle.csp
      f2csp validate puzzle.csp
      f2csp solve puzzle.csp
    """


def main() -> NoReturn:
    """Run ``f2csp``."""
    _run(f2csp, "f2csp")


def __getattr__(name: str) -> "Callable[[], NoReturn]":
    """The function that runs the program of a command, such as ``stats`` for ``f2csp-stats``."""
    if name not in COMMANDS or (program := COMMANDS[name].program) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return partial(_run_command, name, program)


def _run_command(name: str, program: str) -> NoReturn:
    _run(command_named(name), program)


@cache
def command_named(name: str) -> click.Command:
    """Import a command of the table."""
    entry = COMMANDS[name]
    module, attribute = entry.target.split(":")
    target = getattr(import_module(f"f2csp.cli.{module}"), attribute)
    command: click.Command = target if isinstance(target, click.Command) else target(name)
    return click.version_option(__version__)(command) if entry.program else command


def _run(command: click.Command, program: str) -> NoReturn:
    """Run a command and exit: 0 done, 1 invalid input, 2 wrong usage or a file that cannot be read or written.

    A command's function returns its exit code. Every failure ends in a message, never in a traceback.
    """
    code = _INTERRUPTED
    _open_closed_streams()
    failure: object = None
    try:
        code = command.main(prog_name=program, standalone_mode=False) or 0
        sys.stdout.flush()
    except click.Abort:
        click.echo("Interrupted; no file is left half-written.", err=True)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (BrokenPipeError, SystemExit):  # on a broken pipe, click itself exits
        _close_stdout()  # the reader of the output needs no more of it: not an error
        code = 0
    except OSError as error:
        from f2csp.cli.report import describe

        code, failure = 2, describe(error)
        _close_stdout()
    except InvalidInput as error:
        from f2csp.cli.report import report_faults

        report_faults(error)
        code = 1
    except F2cspError as error:
        code, failure = 1 if isinstance(error, Unsuitable) else 2, error
    except MemoryError:
        code, failure = 2, "not enough memory"
    if failure is not None:
        click.echo(f"{program}: {failure}", err=True)
    sys.exit(code)


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that the program was started without."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: PTH123, SIM115 - a device, open until the end
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115 - the same
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115 - the same


def _close_stdout() -> None:
    """Keep Python from flushing unwritable output again at exit."""
    with open(os.devnull, "w") as nothing:  # noqa: PTH123 - a device, not a path
        os.dup2(nothing.fileno(), sys.stdout.fileno())
