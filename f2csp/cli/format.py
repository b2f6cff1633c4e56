"""``f2csp format``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.failures import for_each_file, is_coloured, refuse, write_diagnostics
from f2csp.cli.options import EXCLUDE, FILES, ConfiguredCommand, flag, problem_files
from f2csp.cli.progress import dump_watched, reading
from f2csp.diagnostics import InvalidInput, Source
from f2csp.files import read_source, write_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from f2csp.model import Problem
    from f2csp.text.load import Report

_WOULD_CHANGE = 3  # the exit code of --check and --diff
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}  # of the lines of a difference


@click.command("format", cls=ConfiguredCommand)
@FILES
@flag("--check", "only_check", help="Write nothing; exit with 3 if a file would change.")
@flag("--diff", help="Write nothing; show what would change, and exit with 3 if anything would.")
@flag("--fix", help="First mend the faults that have one sure cure, such as wrong counts.")
@flag("--stdout", "to_stdout", help="Write to standard output instead of the files.")
@EXCLUDE
def format_(files: tuple[str, ...], exclude: tuple[str, ...], **options: Any) -> int:
    """Rewrite F2CSP files in canonical form.

    FILE may be a directory (all .csp files in it, compressed or not) or - for standard input, whose canonical form goes
    to standard output. A file with faults is not changed. --fix mends counts, letter case and leading zeros of values,
    repeated tuples, trailing commas and a missing goal; a file that still has faults then is written as it was, except
    for what is mended.

    Exit code 1: a file has faults; 2: a file cannot be read or written; 3: a file would change (--check, --diff).

    \b
    Examples:
      f2csp format puzzle.csp
      f2csp format --fix --diff puzzle.csp
      f2csp format --check problems/
      f2csp format - < puzzle.csp > canonical.csp
    """
    run = _Run(**options)
    refuse(run.to_stdout and run.is_dry, "--check and --stdout cannot be combined; nor can --diff and --stdout")
    names = problem_files(files, exclude)
    code = for_each_file(names, run.format)
    if len(names) > 1 and not run.to_stdout:
        click.echo(run.summary(), err=True)
    return code


@dataclass
class _Run:
    only_check: bool
    diff: bool
    fix: bool
    to_stdout: bool
    n_changed: int = 0
    n_faulty: int = 0
    n_unchanged: int = 0

    @property
    def is_dry(self) -> bool:
        return self.only_check or self.diff

    def format(self, name: str) -> int:
        original, source, n_fixes, report = self._read(name)
        self.n_faulty += not report.is_valid
        if report.problem is None:
            form = "concise" if self.is_dry else "full"
            write_diagnostics(report.diagnostics, form, sys.stderr)
            if report.n_hidden:
                click.echo(f"{name}: {report.n_hidden} more not listed", err=True)
        is_same = n_fixes == 0 and (report.problem is None or _is_canonical(report.problem, original))
        to_stdout = self.to_stdout or (name == "-" and not self.is_dry)
        if to_stdout and (report.problem or n_fixes):
            _write(report.problem, source, "-")
        elif is_same:
            self.n_unchanged += report.is_valid
        else:
            self.n_changed += report.is_valid
            self._change(name, original, source, report.problem, n_fixes)
            return 1 if not report.is_valid else _WOULD_CHANGE if self.is_dry else 0
        return int(not report.is_valid)

    def summary(self) -> str:
        verb = "would change" if self.is_dry else "rewritten"
        counts = {verb: self.n_changed, "with faults": self.n_faulty, "unchanged": self.n_unchanged}
        first, *others = [(n, what) for what, n in counts.items() if n or what == verb]
        files = f"{first[0]:,} file{'s' * (first[0] != 1)} {first[1]}"
        return ", ".join([files, *[f"{n:,} {what}" for n, what in others]])

    def _read(self, name: str) -> tuple[Source, Source, int, Report]:
        """A file as it is and after its fixes, the number of fixes, and the faults that are left."""
        from f2csp.text.load import Report, apply_fixes, examine

        try:
            source = read_source(name)
        except InvalidInput as error:
            return Source(name, b""), Source(name, b""), 0, Report(None, error.diagnostics, error.n_hidden)
        with reading(source) as display:
            if self.fix:
                return source, *apply_fixes(source, display.advance)
            return source, source, 0, examine(source, advance=display.advance)

    def _change(self, name: str, original: Source, source: Source, problem: Problem | None, n_fixes: int) -> None:
        if self.diff:
            after = b"".join(_chunks(problem, source))
            click.echo("".join(_difference(name, original.data, after)).encode("utf-8", "surrogateescape"), nl=False)
        elif self.only_check:
            click.echo(f"{name}: would change")
        else:
            _write(problem, source, name)
            fixes = f" ({n_fixes:,} fix{'es' * (n_fixes != 1)})" if n_fixes else ""
            click.echo(f"{name}: rewritten{fixes}", err=True)


def _chunks(problem: Problem | None, source: Source) -> Iterator[bytes]:
    """The canonical text of a problem, in pieces, or a text with faults as it is."""
    from f2csp.text.writer import chunks

    return chunks(problem) if problem else iter([source.data])


def _write(problem: Problem | None, source: Source, file: str) -> None:
    from f2csp.model import ProblemStream

    if problem:
        dump_watched(ProblemStream.of(problem), file)
    else:
        write_chunks([source.data], file)


def _is_canonical(problem: Problem, source: Source) -> bool:
    """Whether the text is canonical already; compared in pieces."""
    at = 0
    for chunk in _chunks(problem, source):
        if not source.data.startswith(chunk, at):
            return False
        at += len(chunk)
    return at == len(source.data)


def _difference(name: str, before: bytes, after: bytes) -> Iterator[str]:
    """The lines of a unified diff, in colour where standard output is."""
    for line in unified_diff(_lines(before), _lines(after), name, name):
        whole = line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        yield click.style(whole, fg=_COLOURS.get(line[0])) if is_coloured(sys.stdout) else whole


def _lines(data: bytes) -> list[str]:
    *lines, last = data.decode("utf-8", "surrogateescape").split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])
