"""``f2csp``: the group of all commands, ``help`` and ``completion``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.main import COMMANDS, command_named
from f2csp.cli.options import COLOR, Command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HELP_NAMES = {"help_option_names": ["-h", "--help"]}


class TableGroup(click.Group):
    """A group of commands, each made only when it is called or listed.

    It is made from the headings under which the help lists the commands, by their names, and a function of the name.
    """

    def __init__(self, *args: Any, headings: Mapping[str, str], make: Callable[[str], click.Command], **more: Any):
        super().__init__(*args, **more)
        self._headings, self._make = headings, make

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of all commands."""
        return list(self._headings)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Make a command."""
        return self._make(cmd_name) if cmd_name in self._headings else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands by their headings."""
        for heading in dict.fromkeys(self._headings.values()):
            names = [name for name, its in self._headings.items() if its == heading]
            with formatter.section(heading):
                formatter.write_dl([(name, self._make(name).get_short_help_str(100)) for name in names])


class _Commands(TableGroup):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; a file, or a word near a command, has a hint."""
        word = args[0]
        if word not in COMMANDS and not word.startswith("-"):
            from pathlib import Path

            if Path(word).exists():
                raise click.UsageError(
                    f"expected a command, found the file {word}; try f2csp validate {word} or f2csp solve {word}", ctx
                )
            raise click.NoSuchCommand(word, possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    headings={name: entry.group for name, entry in COMMANDS.items()},
    make=command_named,
    params=[COLOR],
    context_settings=HELP_NAMES,
)
def f2csp() -> None:
    """Read, check, convert and solve finite constraint satisfaction problems written as tables.

    \b
    Examples:
      f2csp sudoku clues.txt puzzle.csp
      f2csp validate puzzle.csp
      f2csp solve puzzle.csp
    """


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    return [name for name in COMMANDS if name.startswith(incomplete)]


@click.command("help", cls=Command)
@click.argument("command", required=False, shell_complete=_complete)
def help_(command: str | None) -> int:
    """Show the help of f2csp, or of COMMAND.

    \b
    Examples:
      f2csp help
      f2csp help solve
    """
    words = [command] if command else []
    command_named(None).main([*words, "--help"], prog_name="f2csp", standalone_mode=False)
    return 0


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the lines that set up completion in SHELL, for f2csp and the other programs.

    \b
    Examples:
      eval "$(f2csp completion bash)"
      f2csp completion fish > ~/.config/fish/completions/f2csp.fish
    """
    from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

    set_up = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}[shell]
    for program in ("f2csp", *[entry.program for entry in COMMANDS.values() if entry.program]):
        variable = f"_{program.replace('-', '_')}_complete".upper()
        lines = set_up(command_named(None), {}, program, variable)
        click.echo(ShellComplete.source(lines))  # that of bash would run bash to see its version
    return 0
