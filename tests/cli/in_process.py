"""Runs a program in this process, with its own standard streams: much faster than a new process."""

import sys
from contextlib import chdir
from pathlib import Path
from subprocess import CompletedProcess
from typing import NamedTuple
from unittest.mock import patch

from click.testing import CliRunner

from f2csp.cli import main


class Done(NamedTuple):
    """What a program has left: its exit code, and the texts of its standard output and error."""

    code: int
    out: str
    err: str


def run(*args: object, stdin: str | bytes = b"", cwd: Path | None = None) -> Done:
    """Run a command of f2csp, whose standard streams are text."""
    done = run_program(*map(str, args), stdin=stdin, cwd=cwd)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_program(
    *args: str | Path, program: str = "main", stdin: str | bytes = b"", cwd: Path | None = None
) -> "CompletedProcess[bytes]":
    """Run a program as a shell would.

    Args:
        args: its arguments.
        program: its function in ``f2csp.cli.main``.
        stdin: its standard input.
        cwd: its working directory.
    """
    arguments = ["", *map(str, args)]
    with (
        chdir(cwd or "."),
        patch("sys.argv", arguments),
        patch.object(main, "_close_stdout"),  # which needs a file of the operating system
        patch.object(main, "_exit", sys.exit),  # this process goes on
        CliRunner().isolation(stdin) as (stdout, stderr, _),
    ):
        code: object = None
        try:
            getattr(main, program)()
        except SystemExit as stopped:
            code = stopped.code
        sys.stderr.flush()
        assert isinstance(code, int)
        return CompletedProcess(arguments, code, stdout.getvalue(), stderr.getvalue())
