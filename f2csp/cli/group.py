"""``f2csp``: the group of all commands."""

import click

from f2csp.cli.main import COMMANDS, command_named


class _LazyGroup(click.Group):
    """A group that imports a command only when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import a command."""
        return command_named(cmd_name) if cmd_name in COMMANDS else None

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands by their groups."""
        for group in dict.fromkeys(entry.group for entry in COMMANDS.values()):
            names = [name for name, entry in COMMANDS.items() if entry.group == group]
            with formatter.section(group):
                formatter.write_dl([(name, command_named(name).get_short_help_str(100)) for name in names])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
def f2csp() -> None:
    """Read, check, convert and solve finite constraint satisfaction problems written as tables.

    \b
    Examples:
      f2csp sudoku clues.txt puzzle.csp
      f2csp validate puzzle.csp
      f2csp solve puzzle.csp
    """
