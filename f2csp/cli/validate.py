"""``f2csp validate``."""

from __future__ import annotations

import json
import sys
from codecs import getwriter
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

from f2csp.cli.failures import failure_text, refuse, say, write_diagnostics
from f2csp.cli.options import EXCLUDE, FILES, FROM_ZERO, OUT, PROBLEMS, flag, option, parsed_by, shown
from f2csp.cli.pyproject import ConfiguredCommand
from f2csp.cli.session import Session, command, gathered, setting, switch
from f2csp.diagnostics import CATALOGUE, DEFAULT_LIMIT, Diagnostic
from f2csp.diagnostics.render import DOCUMENT_RENDERERS, RENDERERS, Findings, hidden_as_json, not_listed, visible
from f2csp.files import STDIN, writing
from f2csp.settings import codes_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from f2csp.instances import Instance


_MAX_FILTERED = 100_000  # diagnostics of a file among which the wanted ones are looked for

_FOR_PEOPLE = ("full", "concise")
_FORMS = click.Choice([*RENDERERS, *DOCUMENT_RENDERERS])


_CODES: dict[str, Any] = {"multiple": True, "callback": parsed_by(codes_in), "metavar": "CODES"}
_MOST = FROM_ZERO | shown(DEFAULT_LIMIT)


@dataclass
class _Validation(Session):
    """A session that lists or counts the diagnostics of all files, and sums them up."""

    quiet: bool = switch("-q --quiet", "List errors only: no warnings, no verdicts.")
    statistics: bool = switch("--statistics", "Count the diagnostics of each code instead of listing them.")
    select: tuple[str, ...] = setting("--select", "List only these, such as F304,F1.", **_CODES)
    ignore: tuple[str, ...] = setting("--ignore", "Do not list these.", **_CODES)
    max_errors: int = setting("--max-errors", "List at most N errors, and N warnings, of a file; 0 for all.", **_MOST)
    warnings_as_errors: bool = switch("--warnings-as-errors", "Exit with code 1 for warnings, too.")
    rendering: str = field(default="full", init=False)  # of the diagnostics, a key of RENDERERS or DOCUMENT_RENDERERS
    stream: TextIO = field(default=sys.stdout, init=False)
    codes: Counter[str] = field(default_factory=Counter, init=False)
    findings: Findings = field(default_factory=Findings, init=False)
    n_fixes: Counter[bool] = field(default_factory=Counter, init=False)  # by whether they are safe

    @property
    def has_verdicts(self) -> bool:
        """Whether a line says of a problem if it is valid."""
        return self.rendering in _FOR_PEOPLE and not self.quiet

    def validate(self) -> int:
        is_filtered = self.select or self.ignore or self.quiet or self.statistics
        most = self.max_errors or sys.maxsize
        self.max_found = max(_MAX_FILTERED, most) if is_filtered else most
        return self.work_on_each_problem(self._report)

    def fail(self, name: str, error: Exception) -> None:
        self.findings.messages.append(("error", failure_text(name, error)))

    def _is_wanted(self, diagnostic: Diagnostic) -> bool:
        is_selected = diagnostic.code.startswith(self.select or ("",)) and not diagnostic.code.startswith(self.ignore)
        return is_selected and (diagnostic.severity == "error" or self.warnings_as_errors or not self.quiet)

    def _report(self, instance: Instance) -> int:
        found = list(filter(self._is_wanted, instance.diagnostics))
        self.verdicts["valid" if instance.content is not None else "not valid"] += 1
        self.n_fixes.update(d.fix.is_safe for d in found if d.fix)
        self.codes.update(d.code for d in found)
        if not self.statistics:
            self._list(instance, found)
        elif instance.n_hidden:
            say(f"{instance.name}: {instance.n_hidden} more not counted")
        return int(any(d.severity == "error" or self.warnings_as_errors for d in found))

    def _list(self, instance: Instance, found: list[Diagnostic]) -> None:
        listed = list(_first(found, self.max_errors or sys.maxsize))
        n_hidden = instance.n_hidden + len(found) - len(listed)
        if self.rendering in DOCUMENT_RENDERERS:
            self.findings.files.append((instance.file, listed))
        else:
            write_diagnostics(listed, self.rendering, self.stream, self.source)
        if self.has_verdicts:
            n_ignored = _n_errors(instance.diagnostics) - _n_errors(found)
            if instance.content is None or n_hidden or not self.has_others(instance):
                self.stream.write(f"{visible(instance.name)}: {_verdict(instance, listed, n_hidden, n_ignored)}\n")
        elif n_hidden:
            message = f"{instance.name}: {not_listed(n_hidden)}"
            self.findings.messages.append(("note", message))
            if self.rendering == "json":
                self.stream.write(hidden_as_json(instance.name, n_hidden))
            say(message)

    def sum_up(self) -> None:
        from f2csp import __version__

        if self.rendering in DOCUMENT_RENDERERS:
            self.stream.write(DOCUMENT_RENDERERS[self.rendering](self.findings, __version__))
        for code, n in sorted(self.codes.items(), key=lambda item: (-item[1], item[0])) if self.statistics else ():
            entry = CATALOGUE[code]
            line = f"{n:>7}  {code}  {entry.severity:7}  {entry.name}"
            if self.rendering == "json":
                line = json.dumps({"code": code, "name": entry.name, "severity": entry.severity, "count": n})
            self.stream.write(f"{line}\n")
        n_problems, n_valid = self.verdicts.total(), self.verdicts["valid"]
        if self.has_verdicts and n_problems > 1:
            n_of_all = f"{n_problems:,}" if n_valid == n_problems else f"{n_valid:,} of {n_problems:,}"
            say(f"{n_of_all} problems are valid")
        if self.has_verdicts and self.n_fixes and self.rendering == "full":
            options = [(self.n_fixes[True], "--fix"), (self.n_fixes[False], "--unsafe-fixes")]
            counts = [f"{n:,} fixable with f2csp format {option}" for n, option in options if n]
            say(", ".join(counts))


@command("validate", cls=ConfiguredCommand)
@gathered("session", _Validation, FILES, *PROBLEMS, EXCLUDE, flag("--json", "as_json", help="Same as --format json."))
@option("--format", "rendering", type=_FORMS, help="Output format (default: full).")
@flag("--exit-zero", help="Exit with code 0 even if there are errors.")
@option("-o", "--output", **OUT, help="Write to OUT instead of standard output.")
def validate_command(session: _Validation, rendering: str | None, exit_zero: bool, output: str | None) -> int:
    """Report all errors and warnings of F2CSP files, and of files in other formats.

    Exit code 0: all files are valid; 1: a file has errors; 2: a file cannot be read. The table tool.f2csp of
    pyproject.toml can set exclude, select, ignore, max-errors and warnings-as-errors.

    \b
    Examples:
      f2csp-validate puzzle.csp
      f2csp-validate --format concise --ignore F402 problems/
      f2csp-validate --format sarif --output found.sarif problems/
      zcat puzzle.csp.gz | f2csp-validate --json -
    """
    refuse(session.as_json and rendering not in (None, "json"), f"--json and --format {rendering} cannot be combined")
    session.rendering = "json" if session.as_json else rendering or "full"
    if session.statistics and session.rendering not in (*_FOR_PEOPLE, "json"):
        raise click.UsageError(f"--statistics and --format {rendering} cannot be combined")
    with _destination(output, session.rendering) as session.stream:
        code = session.validate()
        session.sum_up()
    return 0 if exit_zero and code == 1 else code


def _first(diagnostics: Iterable[Diagnostic], most: int) -> Iterator[Diagnostic]:
    """The first diagnostics of each severity."""
    n: Counter[str] = Counter()
    for diagnostic in diagnostics:
        n[diagnostic.severity] += 1
        if n[diagnostic.severity] <= most:
            yield diagnostic


def _n_errors(diagnostics: Iterable[Diagnostic]) -> int:
    return sum(d.severity == "error" for d in diagnostics)


def _verdict(instance: Instance, listed: list[Diagnostic], n_hidden: int, n_ignored: int) -> str:
    n_errors = _n_errors(listed)
    numbers = ((n_errors, "error"), (len(listed) - n_errors, "warning"))
    counts = [f"{n} {word}{'s' * (n != 1)}" for n, word in numbers if n]
    counts += [not_listed(n_hidden)] if n_hidden else []
    counts += [f"{n_ignored} ignored"] if n_ignored else []
    return ("valid" if instance.content is not None else "not valid") + (f" ({', '.join(counts)})" if counts else "")


@contextmanager
def _destination(output: str | None, rendering: str) -> Iterator[TextIO]:
    """The file to write, or standard output; UTF-8 unless people read it on standard output."""
    if output is None and rendering in _FOR_PEOPLE:
        yield sys.stdout
        return
    with writing(output or STDIN) as stream:
        # The name of a file need not be UTF-8.
        yield cast("TextIO", getwriter("utf-8")(stream, "backslashreplace"))
