"""``f2csp validate``."""

import sys

import click

from f2csp.cli.options import FILE, Command, problem_files
from f2csp.cli.progress import reading
from f2csp.cli.report import for_each_file, write_diagnostics
from f2csp.diagnostics.render import RENDERERS, SarifLog

_FORMS = click.Choice([*RENDERERS, "sarif"])


@click.command(cls=Command)
@click.argument("files", nargs=-1, metavar="FILE...", type=FILE)
@click.option("--format", "form", type=_FORMS, default="full", show_default=True, help="Output format.")
@click.option("--json", "as_json", is_flag=True, help="Same as --format json.")
@click.option("--warnings-as-errors", is_flag=True, help="Exit with code 1 for warnings, too.")
def validate(files: tuple[str, ...], form: str, as_json: bool, warnings_as_errors: bool) -> int:
    """Report all faults and warnings of F2CSP files.

    FILE may be a directory (all .csp files in it) or - for standard input. Exit code 0: all files are valid; 1: a file
    has faults; 2: a file cannot be read.

    \b
    Examples:
      f2csp-validate puzzle.csp
      f2csp-validate --format concise problems/
      f2csp-validate --format sarif problems/ > found.sarif
      zcat puzzle.csp.gz | f2csp-validate --json -
    """
    from f2csp import __version__

    form = "json" if as_json else form
    log = SarifLog(__version__)
    code = for_each_file(
        problem_files(files),
        work=lambda name: _validate(name, form, log, warnings_as_errors),
        on_failure=lambda failure: log.notify("error", failure),
    )
    if form == "sarif":
        click.echo(log.text(), nl=False)
    return code


def _validate(name: str, form: str, log: SarifLog, warnings_as_errors: bool) -> int:
    """Report on one file, in the log if the form is SARIF, and return the exit code."""
    from f2csp.text.load import validate as find_faults

    with reading(name) as advance:
        report = find_faults(name, advance=advance)
    if form == "sarif":
        log.add(report.diagnostics)
    else:
        write_diagnostics(report.diagnostics, form, sys.stdout)
    errors = sum(d.severity == "error" for d in report.diagnostics)
    warnings = len(report.diagnostics) - errors
    if form in ("full", "concise"):
        click.echo(f"{name}: {_verdict(report.is_valid, errors, warnings, report.n_hidden)}")
    elif report.n_hidden:
        message = f"{name}: {report.n_hidden} more not listed"
        log.notify("note", message)
        click.echo(message, err=True)
    return int(not report.is_valid or (warnings_as_errors and warnings > 0))


def _verdict(is_valid: bool, errors: int, warnings: int, n_hidden: int) -> str:
    counts = [f"{n} {word}{'s' * (n != 1)}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    counts += [f"{n_hidden} more not listed"] if n_hidden else []
    return ("valid" if is_valid else "not valid") + (f" ({', '.join(counts)})" if counts else "")
