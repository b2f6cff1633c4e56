"""``f2csp help`` and ``f2csp completion``."""

from __future__ import annotations

import click

from f2csp.cli.main import COMMANDS, command_named
from f2csp.cli.options import Command


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
