"""``f2csp format``."""

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from f2csp.diagnostics import Source
    from f2csp.model import Problem


@click.command("format", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--stdout", "to_stdout", is_flag=True, help="Write to standard output, and leave the files alone.")
def format_(files: tuple[str, ...], only_check: bool, to_stdout: bool) -> int:
    """Rewrite F2CSP files in canonical form.

    FILE may be a directory (all .csp files in it) or - for standard input, whose canonical form goes to standard
    output. A file with faults stays as it is. Exits with 0 when all is done, 1 when a file has faults or --check found
    one that would change, 2 when one cannot be read or written.

    \b
    Examples:
      f2csp format puzzle.csp
      f2csp format --check problems/
      f2csp format - < puzzle.csp > canonical.csp
    """
    from f2csp.cli.report import problem_files, report_failure
    from f2csp.diagnostics import F2cspError

    if not files:
        raise click.UsageError("give at least one file, or - for standard input (see --help)")
    if only_check and to_stdout:
        raise click.UsageError("--check writes nothing, so --stdout does not go with it")
    code = 0
    for name in problem_files(files):
        try:
            code = max(code, _format(name, only_check, to_stdout))
        except (OSError, F2cspError) as error:
            code = max(code, report_failure(name, error))
    return code


def _format(name: str, only_check: bool, to_stdout: bool) -> int:
    """Format one file, and give the exit code."""
    from f2csp.cli.progress import dump_watched, progress
    from f2csp.files import read_source
    from f2csp.model import ProblemStream
    from f2csp.text.load import examine

    source = read_source(name)
    with progress("Reading bytes", len(source.data)) as advance:
        problem = examine(source, advance=advance).require()
    if to_stdout or (name == "-" and not only_check):
        dump_watched(ProblemStream.of(problem), "-")
        return 0
    is_canonical = _is_canonical(problem, source)
    if only_check:
        if not is_canonical:
            click.echo(f"{name}: would change")
        return int(not is_canonical)
    if not is_canonical:
        dump_watched(ProblemStream.of(problem), name)
        click.echo(f"{name}: rewritten", file=sys.stderr)
    return 0


def _is_canonical(problem: "Problem", source: "Source") -> bool:
    """Whether the text is the problem's canonical text already; compared in pieces."""
    from f2csp.text.writer import chunks

    at = 0
    for chunk in chunks(problem):
        if not source.data.startswith(chunk, at):
            return False
        at += len(chunk)
    return at == len(source.data)
