"""Names of files that the user types on the terminal, where the command line has none."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from select import select

import click

from f2csp.cli.failures import ASKED, refuse, say
from f2csp.files import STDIN

_MAX_SECONDS = 1.0  # until a name comes from a pipe


def ask_two_names(first: str, second: str) -> tuple[str, str]:
    """Ask for the names of an input, until there is such a file, and of an output; Enter for standard output.

    Without a terminal, they are the lines of standard input.
    """
    if not sys.stdin.isatty() and (source := _piped_line()):
        refuse(not Path(source).is_file(), f"there is no file {source}; - reads the puzzle from standard input")
        return source, sys.stdin.readline().strip() or STDIN
    if sys.stdin.isatty() and sys.stderr.isatty():
        say("Press Enter at the second question to show the result on the screen.")
    source = ask_for_file(first)
    while True:
        out = _asked_name(second, default=STDIN)
        if out == STDIN or not Path(out).is_file() or click.confirm(f"{out} exists. Replace it?", err=True):
            click.get_current_context().meta[ASKED] = True
            return source, out


def ask_for_file(question: str) -> str:
    """Ask for the name of an input, until there is such a file; wrong usage without a terminal."""
    refuse(not sys.stdin.isatty(), "expected a file name, or - for standard input (see --help)")
    while (name := _asked_name(question)) != STDIN and not Path(name).exists():
        say(f"{name}: no such file")
    return name


def _piped_line() -> str:
    """The next line of standard input; nothing if none comes soon."""
    with suppress(OSError, ValueError):  # it is no file of the operating system
        if not select([sys.stdin], [], [], _MAX_SECONDS)[0]:
            return ""
    return sys.stdin.readline().strip()


def _asked_name(question: str, default: str | None = None) -> str:
    """A file name typed on the terminal, perhaps in quotes or with ~ for the home directory."""
    name: str = click.prompt(question, default=default, show_default=False, err=True).strip()
    if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        return name[1:-1]
    return str(Path(name).expanduser()) if name.startswith("~") else name
