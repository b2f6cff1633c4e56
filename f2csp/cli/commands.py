"""The table of all commands."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import click

DEBUG = "F2CSP_DEBUG"  # the variable of the environment that shows the traceback of an internal error


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
    "check": Entry("Solutions", "check_solution"),
    "decode": Entry("Solutions", "check_solution"),
    "compare": Entry("Solutions", "compare"),
    "engines": Entry("Solutions", "about"),
    "help": Entry("Help", "about"),
    "completion": Entry("Help", "about"),
}


@cache
def commands() -> dict[str, Entry]:
    """All commands; those of the kinds of puzzles are not listed before they are needed."""
    from f2csp.puzzles import KINDS

    return {kind: Entry("Puzzles", "convert:converter", f"{kind}-to-f2csp") for kind in KINDS} | _COMMANDS


def entry_of(name: str) -> Entry | None:
    return _COMMANDS.get(name) or commands().get(name)


@cache
def command_named(name: str | None) -> click.Command:
    """Import a command of the table; None for the group of all commands."""
    import click

    from f2csp import __version__
    from f2csp.cli.options import COLOR
    from f2csp.diagnostics import listed_spelling

    entry = entry_of(name) if name else None
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
        os.environ[DEBUG] = "1"
