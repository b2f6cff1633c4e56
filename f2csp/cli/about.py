"""``f2csp``: the group of all commands; and ``help``, ``completion``, ``code``, ``engines`` and ``formats``."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from f2csp.cli.commands import command_named, commands
from f2csp.cli.failures import columns_of
from f2csp.cli.options import JSON, completed_by, engine_names
from f2csp.cli.session import TableGroup, echo_json
from f2csp.diagnostics import CATALOGUE, near_word_hint, page_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class _Commands(TableGroup):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word not in commands() and not word.startswith("-") and Path(word).exists():
            hint = f"try f2csp validate {word} or f2csp solve {word}"
            raise click.UsageError(f"expected a command, found the file {word}; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, headings={name: entry.group for name, entry in commands().items()}, make=command_named)
def f2csp() -> None:
    """Read, check, convert and solve finite constraint satisfaction problems written as tables.

    \b
    Examples:
      f2csp sudoku clues.txt puzzle.csp
      f2csp validate puzzle.csp
      f2csp solve puzzle.csp
    """


@click.command("help")
@click.argument("command", required=False, shell_complete=completed_by(commands))
def help_command(command: str | None) -> int:
    """Show the help of f2csp, or of COMMAND.

    \b
    Examples:
      f2csp help
      f2csp help solve
    """
    words = [command] if command else []
    command_named(None).main([*words, "--help"], prog_name="f2csp", standalone_mode=False)
    return 0


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> int:
    """Print the lines that set up completion in SHELL, for f2csp and the other programs.

    \b
    Examples:
      eval "$(f2csp completion bash)"
      f2csp completion fish > ~/.config/fish/completions/f2csp.fish
    """
    for program in ("f2csp", *[entry.program for entry in commands().values() if entry.program]):
        click.echo(completion_of(shell, program))
    return 0


def completion_of(shell: str, program: str) -> str:
    """The lines that set up completion of a program."""
    from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

    set_up = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}[shell]
    variable = f"_{program.replace('-', '_')}_complete".upper()
    # That of bash itself would run bash to see its version.
    return ShellComplete.source(set_up(command_named(None), {}, program, variable))


def _code_names() -> list[str]:
    return [entry.name for entry in CATALOGUE.values()]


@click.command("code")
@click.argument("code", required=False, shell_complete=completed_by(lambda: chain(CATALOGUE, _code_names())))
@JSON
def code_command(code: str | None, as_json: bool) -> int:
    """Explain a diagnostic code.

    CODE is its number or its name; without CODE, all codes are listed.

    \b
    Examples:
      f2csp code F304
      f2csp code value-not-in-domain
    """
    wanted = (code or "").lower()
    names = {number: (number.lower(), number[1:], one.name) for number, one in CATALOGUE.items()}
    found = {number: CATALOGUE[number] for number, own in names.items() if not wanted or wanted in own}
    if not found:
        near = near_word_hint(wanted, _code_names())
        raise click.UsageError(f"there is no code {code}; {f'{near} ' if near else ''}f2csp code lists all codes")
    width = max(len(entry.name) for entry in found.values())
    pairs = []
    for number, entry in found.items():
        text = f"{number}  {entry.severity:7}  {entry.name:{width}}  {entry.meaning}"
        if wanted:
            text = f"{number} {entry.name} ({entry.severity})\n\n{entry.meaning}\n\n"
            text += f"Example: {entry.example}\nCure:    {entry.cure}\nPage:    {page_of(number)}"
        pairs.append((text, {"code": number, "name": entry.name, "severity": entry.severity} | entry._asdict()))
    return _print(pairs, as_json, 0 if wanted else len("F000  warning  ") + width + 2)


def _print(lines: Iterable[tuple[str, Mapping[str, object]]], as_json: bool, indent: int = 0) -> int:
    """Print lines, of which an indented one goes on below the text that begins there, or records."""
    width = columns_of(sys.stdout) or sys.maxsize
    for line, record in lines:
        if as_json:
            echo_json(record)
        else:
            click.echo("\n".join(_wrapped(part, width, indent) for part in line.split("\n")))
    return 0


def _wrapped(line: str, width: int, indent: int) -> str:
    """The line, cut between words, with further lines indented, where it is wider."""
    from textwrap import TextWrapper

    further = " " * min(indent, width // 2)
    words = TextWrapper(width, subsequent_indent=further, break_long_words=False, break_on_hyphens=False)
    return words.fill(line) if len(line) > width else line


@click.command("engines")
@click.argument("name", required=False, shell_complete=completed_by(engine_names))
@JSON
def engines_command(name: str | None, as_json: bool) -> int:
    """List the engines, or the options and counters of the engine NAME.

    The first value of an option is the default. Another one is given as --encoding direct, or after the engine, as
    --engine sat:encoding=direct. The counters are in the record of solve --json.

    \b
    Examples:
      f2csp engines
      f2csp engines --json
      f2csp engines search
    """
    from f2csp.solving.registry import ENGINES, named_engine

    if name is None:
        width = max(len(one.name) for one in ENGINES)
        pairs: list[tuple[str, dict[str, object]]] = []
        for one in ENGINES:
            availability = "installed" if one.is_installed else f"not installed: pip install 'f2csp[{one.extra}]'"
            record = {"name": one.name, "summary": one.summary, "installed": one.is_installed, "extra": one.extra}
            pairs.append((f"{one.name:{width}}  {one.summary} ({availability})", record))
        return _print(pairs, as_json, width + 2)
    engine, pairs = named_engine(name), []
    for option in engine.options:
        record = {"name": option.name, "summary": option.summary, "values": option.values}
        pairs.append((f"{option.name}={option.spelling}  {option.summary}", record))
    pairs += [(f"{key}: {summary}", {"counter": key, "summary": summary}) for key, summary in engine.counters.items()]
    return _print(pairs, as_json, 2)


@click.command("formats")
@JSON
def formats_command(as_json: bool) -> int:
    """List the formats: whether they are read or written, and the extensions of their files.

    The names are those of --from and --to. A puzzle format may be named without its kind where the kind is known, as
    line for sudoku:line.

    \b
    Examples:
      f2csp formats
      f2csp formats --json
    """
    from f2csp.file_formats import formats as all_formats

    found = all_formats()
    width = max(len(form.name) for form in found)
    pairs = []
    for form in found:
        use = ", ".join(word for word, is_so in (("read", form.is_read), ("written", form.is_written)) if is_so)
        endings = f" ({' '.join(form.endings)})" if form.endings else ""
        record = {key.removeprefix("is_"): getattr(form, key) for key in ("name", "endings", "is_read", "is_written")}
        record["summary"] = form.summary
        pairs.append((f"{form.name:{width}}  {use:13}  {form.summary}{endings}", record))
    return _print(pairs, as_json, width + len("  read, written  "))
