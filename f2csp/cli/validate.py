"""``f2csp validate``."""

from __future__ import annotations

import json
import sys
from codecs import getwriter
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

from f2csp.cli.failures import failure_text, for_each_file, refuse, write_diagnostics
from f2csp.cli.options import EXCLUDE, FILES, FORMAT, FROM_ZERO, OUT, ConfiguredCommand, flag, option, problem_files
from f2csp.cli.progress import reading
from f2csp.diagnostics import CATALOGUE, DEFAULT_LIMIT, Diagnostic, InvalidInput
from f2csp.diagnostics.render import DOCUMENTS, RENDERERS, Findings, hidden_as_json
from f2csp.file_formats import AUTO
from f2csp.files import read_source, writing
from f2csp.instances import Instance, instances

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_MAX_FILTERED = 100_000  # diagnostics of a file among which the wanted ones are looked for

_FOR_PEOPLE = ("full", "concise")
_FORMS = click.Choice([*RENDERERS, *DOCUMENTS])


def _codes(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG001 - click's signature
    """The codes, or first characters of codes, in values with commas."""
    codes = tuple(code.strip().upper() for value in values for code in value.split(","))
    for code in codes:
        if not code or not any(known.startswith(code) for known in CATALOGUE):
            raise click.BadParameter(f"no code begins with {code!r}; f2csp code lists all codes")
    return codes


@click.command(cls=ConfiguredCommand)
@FILES
@option("--from", "from_", **FORMAT, default=AUTO, help="Read input as FORMAT (default: detected from its text).")
@option("--format", "form", type=_FORMS, help="Output format (default: full).")
@flag("--json", "as_json", help="Same as --format json.")
@flag("-q", "--quiet", help="List errors only: no warnings, no verdicts.")
@flag("--statistics", help="Count the diagnostics of each code instead of listing them.")
@option("--select", multiple=True, callback=_codes, metavar="CODES", help="List only these, such as F304,F1.")
@option("--ignore", multiple=True, callback=_codes, metavar="CODES", help="Do not list these.")
@EXCLUDE
@option(
    "--max-errors",
    **FROM_ZERO,
    default=DEFAULT_LIMIT,
    show_default=True,
    help="List at most N errors, and N warnings, of a file; 0 for all.",
)
@flag("--warnings-as-errors", help="Exit with code 1 for warnings, too.")
@flag("--exit-zero", help="Exit with code 0 even if there are errors.")
@option("-o", "--output", **OUT, help="Write to OUT instead of standard output.")
def validate(
    files: tuple[str, ...],
    form: str | None,
    as_json: bool,
    exclude: tuple[str, ...],
    exit_zero: bool,
    output: str | None,
    **options: Any,
) -> int:
    """Report all faults and warnings of F2CSP files, and of files in other formats.

    FILE may be a directory (all .csp files in it, compressed or not) or - for standard input. Exit code 0: all files
    are valid; 1: a file has faults; 2: a file cannot be read. The table tool.f2csp of pyproject.toml can set exclude,
    select, ignore, max-errors and warnings-as-errors.

    \b
    Examples:
      f2csp-validate puzzle.csp
      f2csp-validate --format concise --ignore F402 problems/
      f2csp-validate --format sarif --output found.sarif problems/
      zcat puzzle.csp.gz | f2csp-validate --json -
    """
    refuse(as_json and form not in (None, "json"), f"--json and --format {form} cannot be combined")
    form = "json" if as_json else form or "full"
    if options["statistics"] and form not in (*_FOR_PEOPLE, "json"):
        raise click.UsageError(f"--statistics and --format {form} cannot be combined")
    names = problem_files(files, exclude)
    with _destination(output, form) as stream:
        run = _Run(form, stream, **options)
        code = for_each_file(names, run.validate, run.fail)
        run.finish()
    return 0 if exit_zero and code == 1 else code


@dataclass
class _Run:
    form: str
    stream: TextIO
    from_: str
    quiet: bool
    statistics: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    max_errors: int
    warnings_as_errors: bool
    codes: Counter[str] = field(default_factory=Counter)
    findings: Findings = field(default_factory=Findings)
    n_problems: int = 0
    n_invalid: int = 0
    n_fixes: int = 0

    @property
    def limit(self) -> int:
        """The number of diagnostics of each severity to look for: more than are listed, where not all are wanted."""
        is_filtered = self.select or self.ignore or self.quiet or self.statistics
        most = self.max_errors or sys.maxsize
        return max(_MAX_FILTERED, most) if is_filtered else most

    @property
    def has_verdicts(self) -> bool:
        """Whether a line says of each problem if it is valid."""
        return self.form in _FOR_PEOPLE and not self.quiet

    def is_wanted(self, diagnostic: Diagnostic) -> bool:
        is_selected = diagnostic.code.startswith(self.select or ("",)) and not diagnostic.code.startswith(self.ignore)
        return is_selected and (diagnostic.severity == "error" or self.warnings_as_errors or not self.quiet)

    def validate(self, name: str) -> int:
        with reading(name) as display:
            try:
                found = instances(read_source(name), self.from_, limit=self.limit, advance=display.advance)
                first = next(found)
            except InvalidInput as error:  # the text cannot be expanded, or its format is unclear
                found = iter(())
                first = Instance(name, "", None, diagnostics=error.diagnostics, n_hidden=error.n_hidden)
        return max(map(self._report, chain([first], found)))

    def _report(self, instance: Instance) -> int:
        found = list(filter(self.is_wanted, instance.diagnostics))
        self.n_problems += 1
        self.n_invalid += instance.content is None
        self.n_fixes += sum(d.fix is not None for d in found)
        self.codes.update(d.code for d in found)
        if not self.statistics:
            self._list(instance, found)
        elif instance.n_hidden:
            click.echo(f"{instance.name}: {instance.n_hidden} more not counted", err=True)
        return int(any(d.severity == "error" or self.warnings_as_errors for d in found))

    def fail(self, name: str, error: Exception) -> None:
        self.findings.messages.append(("error", failure_text(name, error)))

    def finish(self) -> None:
        from f2csp import __version__

        if self.form in DOCUMENTS:
            self.stream.write(DOCUMENTS[self.form](self.findings, __version__))
        if self.statistics:
            self._write_statistics()
        if self.has_verdicts and self.n_problems > 1:
            n_valid = f"{self.n_problems - self.n_invalid:,} of {self.n_problems:,}"
            click.echo(f"{n_valid if self.n_invalid else self.n_problems} problems are valid", err=True)
        if self.has_verdicts and self.n_fixes and self.form == "full":
            click.echo(f"{self.n_fixes:,} fixable with f2csp format --fix", err=True)

    def _list(self, instance: Instance, found: list[Diagnostic]) -> None:
        name = instance.name
        listed = list(_first(found, self.max_errors or sys.maxsize))
        n_hidden = instance.n_hidden + len(found) - len(listed)
        if self.form in DOCUMENTS:
            self.findings.files.append((instance.file, listed))
        else:
            write_diagnostics(listed, self.form, self.stream)
        if self.has_verdicts:
            n_ignored = _n_errors(instance.diagnostics) - _n_errors(found)
            self.stream.write(f"{name}: {_verdict(instance.content is not None, listed, n_hidden, n_ignored)}\n")
        elif n_hidden:
            message = f"{name}: {n_hidden} more not listed"
            self.findings.messages.append(("note", message))
            if self.form == "json":
                self.stream.write(hidden_as_json(name, n_hidden))
            click.echo(message, err=True)

    def _write_statistics(self) -> None:
        for code, n in sorted(self.codes.items(), key=lambda item: (-item[1], item[0])):
            entry = CATALOGUE[code]
            if self.form == "json":
                record = {"code": code, "name": entry.name, "severity": entry.severity, "count": n}
                self.stream.write(json.dumps(record) + "\n")
            else:
                self.stream.write(f"{n:>7}  {code}  {entry.severity:7}  {entry.name}\n")


def _first(diagnostics: Iterable[Diagnostic], most: int) -> Iterator[Diagnostic]:
    n: Counter[str] = Counter()
    for diagnostic in diagnostics:
        n[diagnostic.severity] += 1
        if n[diagnostic.severity] <= most:
            yield diagnostic


def _n_errors(diagnostics: Iterable[Diagnostic]) -> int:
    return sum(d.severity == "error" for d in diagnostics)


def _verdict(is_valid: bool, listed: list[Diagnostic], n_hidden: int, n_ignored: int) -> str:
    n_errors = _n_errors(listed)
    numbers = ((n_errors, "error"), (len(listed) - n_errors, "warning"))
    counts = [f"{n} {word}{'s' * (n != 1)}" for n, word in numbers if n]
    counts += [f"{n_hidden} more not listed"] if n_hidden else []
    counts += [f"{n_ignored} ignored"] if n_ignored else []
    return ("valid" if is_valid else "not valid") + (f" ({', '.join(counts)})" if counts else "")


@contextmanager
def _destination(output: str | None, form: str) -> Iterator[TextIO]:
    """The file to write, or standard output; UTF-8 unless people read it on standard output."""
    if output is None and form in _FOR_PEOPLE:
        yield sys.stdout
        return
    with writing(output or "-") as stream:
        # The name of a file need not be UTF-8.
        yield cast("TextIO", getwriter("utf-8")(stream, "backslashreplace"))
