"""``f2csp format``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from f2csp.cli.inputs import load_problem
from f2csp.cli.options import FILE, Command, problem_files
from f2csp.cli.progress import dump_watched
from f2csp.cli.report import for_each_file

if TYPE_CHECKING:
    from f2csp.diagnostics import Source
    from f2csp.model import Problem


@click.command("format", cls=Command)
@click.argument("files", nargs=-1, metavar="FILE...", type=FILE)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--stdout", "to_stdout", is_flag=True, help="Write to standard output instead of the files.")
def format_(files: tuple[str, ...], only_check: bool, to_stdout: bool) -> int:
    """Rewrite F2CSP files in canonical form.

    FILE may be a directory (all .csp files in it) or - for standard input, whose canonical form goes to standard
    output. A file with faults is not changed. Exit code 1: a file has faults, or would change (--check); 2: a file
    cannot be read or written.

    \b
    Examples:
      f2csp format puzzle.csp
      f2csp format --check problems/
      f2csp format - < puzzle.csp > canonical.csp
    """
    if only_check and to_stdout:
        raise click.UsageError("--check and --stdout cannot be combined")
    return for_each_file(problem_files(files), lambda name: _format(name, only_check, to_stdout))


def _format(name: str, only_check: bool, to_stdout: bool) -> int:
    """Format one file, and return the exit code."""
    from f2csp.files import read_source
    from f2csp.model import ProblemStream

    source = read_source(name)
    problem = load_problem(source)
    if to_stdout or (name == "-" and not only_check):
        dump_watched(ProblemStream.of(problem), "-")
        return 0
    if _is_canonical(problem, source):
        return 0
    if only_check:
        click.echo(f"{name}: would change")
        return 1
    dump_watched(ProblemStream.of(problem), name)
    click.echo(f"{name}: rewritten", err=True)
    return 0


def _is_canonical(problem: Problem, source: Source) -> bool:
    """Whether the text is canonical already; compared in pieces."""
    from f2csp.text.writer import chunks

    at = 0
    for chunk in chunks(problem):
        if not source.data.startswith(chunk, at):
            return False
        at += len(chunk)
    return at == len(source.data)
