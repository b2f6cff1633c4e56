"""``f2csp format``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING

import click

from f2csp.cli.convert import write_problem
from f2csp.cli.failures import is_coloured, refuse, say, write_diagnostics
from f2csp.cli.options import EXCLUDE, FILES
from f2csp.cli.pyproject import ConfiguredCommand
from f2csp.cli.session import Session, command, gathered, reading, switch
from f2csp.diagnostics.render import not_listed, visible
from f2csp.files import STDIN, write_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from f2csp.diagnostics import Source
    from f2csp.model import Problem

_WOULD_CHANGE = 3  # the exit code of --check and --diff
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}  # of the lines of a difference


@dataclass
class _Formatting(Session):
    """A session that rewrites files, or says what would change, and counts them."""

    only_check: bool = switch("--check", "Write nothing; exit with 3 if a file would change.")
    diff: bool = switch("--diff", "Write nothing; show what would change, and exit with 3 if anything would.")
    fix: bool = switch("--fix", "First fix the errors that have exactly one possible fix, such as missing counts.")
    unsafe_fixes: bool = switch("--unsafe-fixes", "Also apply fixes that may lose something, such as tuples.")
    to_stdout: bool = switch("--stdout", "Write to standard output instead of the files.")
    quiet: bool = switch("-q --quiet", "List errors only: no names of files that are rewritten, no totals.")

    @property
    def is_dry(self) -> bool:
        return self.only_check or self.diff

    def format(self, name: str) -> int:
        from f2csp.text.load import apply_fixes, report_on

        original = self.read(name)
        with reading(name) as display:
            if self.fix or self.unsafe_fixes:
                source, n_fixes, report = apply_fixes(original, display.advance, unsafe=self.unsafe_fixes)
            else:
                source, n_fixes, report = original, 0, report_on(original, advance=display.advance)
        problem, code = report.problem, int(not report.is_valid)
        if problem is None:
            write_diagnostics(report.diagnostics, "concise" if self.is_dry else "full", sys.stderr, source)
            if report.n_hidden:
                say(f"{name}: {not_listed(report.n_hidden)}")
        is_same = n_fixes == 0 and (problem is None or _is_canonical(problem, original))
        verdict = "unchanged" if is_same else "would change" if self.is_dry else "rewritten"
        self.verdicts[verdict if report.is_valid else "with errors"] += 1
        if self.to_stdout or (name == STDIN and not self.is_dry):
            if problem or n_fixes:
                _write(problem, source, STDIN)
        elif not is_same:
            self._change(name, original, source, problem, n_fixes)
            return code or (_WOULD_CHANGE if self.is_dry else 0)
        return code

    def _change(self, name: str, original: Source, source: Source, problem: Problem | None, n_fixes: int) -> None:
        if self.diff:
            after = b"".join(_chunks(problem, source))
            click.echo("".join(_difference(name, original.data, after)).encode("utf-8", "surrogateescape"), nl=False)
        elif not self.only_check:
            _write(problem, source, name)
            fixes = f" ({n_fixes:,} fix{'es' * (n_fixes != 1)})" if n_fixes else ""
            if not self.quiet:
                say(f"{name}: rewritten{fixes}")
        elif not self.quiet:
            say(f"{name}: would change", err=False)

    def sum_up(self) -> None:
        verb = "would change" if self.is_dry else "rewritten"
        first, *others = [verb, *(word for word in ("with errors", "unchanged") if self.verdicts[word])]
        n = self.verdicts[first]
        counts = [f"{n:,} file{'s' * (n != 1)} {first}", *(f"{self.verdicts[word]:,} {word}" for word in others)]
        say(", ".join(counts))


@command("format", cls=ConfiguredCommand)
@gathered("session", _Formatting, FILES, EXCLUDE)
def format_command(session: _Formatting) -> int:
    """Rewrite F2CSP files in canonical form.

    FILE may be a directory (all .csp files in it, compressed or not) or - for standard input, whose canonical form goes
    to standard output. A file with errors is not changed. --fix fixes every error that has exactly one possible
    fix, such as missing counts, letter case and leading zeros of values, repeated tuples, trailing commas and a missing
    goal; --unsafe-fixes also fixes a count that promises more than follows, although text may have been lost. A file
    that still has errors is written unchanged, except for the fixes.

    Exit code 1: a file has errors; 2: a file cannot be read or written; 3: a file would change (--check, --diff).

    \b
    Examples:
      f2csp format puzzle.csp
      f2csp format --fix --diff puzzle.csp
      f2csp format --check problems/
      f2csp format - < puzzle.csp > canonical.csp
    """
    is_wrong = session.to_stdout and session.is_dry
    refuse(is_wrong, "--check and --stdout cannot be combined; nor can --diff and --stdout")
    session.is_f2csp_only = True
    code = session.work_on_each_file(session.format)
    if len(session.sources) > 1 and not session.to_stdout and not session.quiet:
        session.sum_up()
    return code


def _chunks(problem: Problem | None, source: Source) -> Iterator[bytes]:
    """The canonical text of a problem, in pieces, or a text with faults as it is."""
    from f2csp.text.writer import chunks

    return chunks(problem) if problem else iter([source.data])


def _write(problem: Problem | None, source: Source, file: str) -> None:
    from f2csp.model import ProblemStream

    if problem:
        write_problem(ProblemStream.of(problem), file)
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
    for line in unified_diff(_lines(before), _lines(after), visible(name), visible(name)):
        whole = line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        yield click.style(whole, fg=_COLOURS.get(line[0])) if is_coloured(sys.stdout) else whole


def _lines(data: bytes) -> list[str]:
    *lines, last = data.decode("utf-8", "surrogateescape").split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])
