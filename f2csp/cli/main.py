"""The program ``f2csp`` and those of its commands that are programs of their own."""

import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from f2csp import __version__
from f2csp.diagnostics import F2cspError, InvalidInput, Unsuitable

# NumPy's linear algebra, of which nothing is used here, would start a thread for each core: a third of a small run.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Commands by name, as module:attribute; a command's module is imported when the command runs.
COMMANDS = {
    "board": "f2csp.cli.board:board",
    "check": "f2csp.cli.check:check",
    "code": "f2csp.cli.code:code",
    "convert": "f2csp.cli.convert:convert",
    "count": "f2csp.cli.questions:count",
    "decode": "f2csp.cli.decode:decode",
    "engines": "f2csp.cli.engines:engines",
    "explain": "f2csp.cli.explain:explain",
    "format": "f2csp.cli.format:format_",
    "futoshiki": "f2csp.cli.puzzle:futoshiki",
    "latin": "f2csp.cli.puzzle:latin",
    "solve": "f2csp.cli.solve:solve",
    "stats": "f2csp.cli.stats:stats",
    "sudoku": "f2csp.cli.puzzle:sudoku",
    "takuzu": "f2csp.cli.puzzle:takuzu",
    "unique": "f2csp.cli.questions:unique",
    "validate": "f2csp.cli.validate:validate",
}

SUMMARIES = {
    "board": "Draw a puzzle, and a solution of it.",
    "check": "Say whether a solution holds.",
    "code": "Explain a diagnostic code.",
    "convert": "Convert from any format to any other.",
    "count": "Count the solutions of a problem.",
    "decode": "Turn a foreign solver's answer into a solution file.",
    "engines": "List the engines that solve.",
    "explain": "Say why there is no solution.",
    "format": "Rewrite files in canonical form.",
    "futoshiki": "Turn a Futoshiki file into F2CSP.",
    "latin": "Turn a Latin square file into F2CSP.",
    "solve": "Solve a problem.",
    "stats": "Count what a problem holds.",
    "sudoku": "Turn a Sudoku file into F2CSP.",
    "takuzu": "Turn a Takuzu file into F2CSP.",
    "unique": "Say whether there is exactly one solution.",
    "validate": "Report every fault of F2CSP files.",
}

INTERRUPTED = 130  # as shells say it: 128 + SIGINT


class LazyGroup(click.Group):
    """A group that imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and give a command."""
        return _command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(SUMMARIES.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="f2csp")
def f2csp() -> None:
    """Finite constraint satisfaction problems, written out as tables.

    \b
    Examples:
      f2csp sudoku clues.txt puzzle.csp
      f2csp validate puzzle.csp
      f2csp stats puzzle.csp
    """


def main() -> NoReturn:
    """Run ``f2csp``."""
    _run(f2csp, "f2csp")


def stats() -> NoReturn:
    """Run ``f2csp-stats``."""
    _run(_command("stats"), "f2csp-stats")


def validate() -> NoReturn:
    """Run ``f2csp-validate``."""
    _run(_command("validate"), "f2csp-validate")


def sudoku() -> NoReturn:
    """Run ``sudoku-to-f2csp``."""
    _run(_command("sudoku"), "sudoku-to-f2csp")


def latin() -> NoReturn:
    """Run ``latin-to-f2csp``."""
    _run(_command("latin"), "latin-to-f2csp")


def futoshiki() -> NoReturn:
    """Run ``futoshiki-to-f2csp``."""
    _run(_command("futoshiki"), "futoshiki-to-f2csp")


def takuzu() -> NoReturn:
    """Run ``takuzu-to-f2csp``."""
    _run(_command("takuzu"), "takuzu-to-f2csp")


def _command(name: str) -> click.Command:
    module, attribute = COMMANDS[name].split(":")
    command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)  # noqa: S101 - for the type checker
    return command


def _run(command: click.Command, program: str) -> NoReturn:
    """Run a command and exit: 0 done, 1 an input that will not do, 2 wrong usage or a file that cannot be had.

    A command's function returns its exit code. Whatever happens, a user sees a message and no traceback.
    """
    code = INTERRUPTED
    _open_closed_streams()
    try:
        code = command.main(prog_name=program, standalone_mode=False) or 0
        sys.stdout.flush()
    except click.Abort:
        click.echo("Interrupted; nothing was left half-written.", err=True)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (BrokenPipeError, SystemExit):  # click exits by itself when it is a command that meets the broken pipe
        _close_stdout()  # the reader has enough: no fault of ours
        code = 0
    except OSError as error:
        from f2csp.cli.report import describe

        code = 2
        click.echo(f"{program}: {describe(error)}", err=True)
        _close_stdout()
    except InvalidInput as error:
        from f2csp.cli.report import report_faults

        report_faults(error)
        code = 1
    except F2cspError as error:
        click.echo(f"{program}: {error}", err=True)
        code = 1 if isinstance(error, Unsuitable) else 2
    except MemoryError:
        click.echo(f"{program}: there is not enough memory for this file", err=True)
        code = 2
    sys.exit(code)


def _open_closed_streams() -> None:
    """Give a program that was started without a standard stream an empty one: Python has None in its place."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: PTH123, SIM115 - a device, open until the end
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115 - the same
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115 - the same


def _close_stdout() -> None:
    """Keep Python from flushing again at exit what cannot be written."""
    with open(os.devnull, "w") as nothing:  # noqa: PTH123 - a device, not a path of ours
        os.dup2(nothing.fileno(), sys.stdout.fileno())
