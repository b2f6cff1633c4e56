"""The table of all commands."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import click

DEBUG = "F2CSP_DEBUG"  # the variable of the environment that shows the traceback of an internal error


# By headings of the help; the module in f2csp.cli with NAME_command has the name of the command, or that behind it.
_TABLE = {
    "Puzzles": "board:draw generate",
    "Files": "validate code:about stats graph:draw report:draw format convert formats:about batch lsp",
    "Solutions": """solve unique:solve count sample:count marginals:count explain:solve hint rate:hint
        check:check_solution decode:check_solution compare engines:about""",
    "Help": "help:about completion:about",
}
_PROGRAMS = ("validate", "stats")  # commands that are programs too; in project.scripts, f2csp.cli.main: and the name


class Entry(NamedTuple):
    """A command of the table."""

    group: str  # the heading of its line in the help
    module: str  # in f2csp.cli, imported when the command runs
    program: str | None = None  # that runs it too


_COMMANDS = {
    name: Entry(group, module or name, f"f2csp-{name}" if name in _PROGRAMS else None)
    for group, words in _TABLE.items()
    for name, _, module in (word.partition(":") for word in words.split())
}


@cache
def commands() -> dict[str, Entry]:
    """All commands; those of the kinds of puzzles are not listed before they are needed."""
    from f2csp.puzzles import KINDS

    return {kind: Entry("Puzzles", "convert", f"{kind}-to-f2csp") for kind in KINDS} | _COMMANDS


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
    module = import_module(f"f2csp.cli.{entry.module if entry else 'about'}")
    own = getattr(module, f"{name}_command" if name else "f2csp", None)
    command: click.Command = own or module.converter(name)
    command.context_settings.update(token_normalize_func=listed_spelling, help_option_names=["-h", "--help"])
    if entry is None or entry.program:
        command = click.version_option(__version__, "-V", "--version")(command)
    command.params.append(COLOR)
    flag: dict[str, Any] = {"is_flag": True, "hidden": True, "is_eager": True, "expose_value": False}
    return click.option("--debug", callback=_switch_debugging, **flag)(command)


def _switch_debugging(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001 - click's signature
    if value:
        os.environ[DEBUG] = "1"
