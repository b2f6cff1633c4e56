"""Mends a text: applies the cures that are certain, until there are no more of them."""

from collections.abc import Iterable
from typing import NamedTuple

from f2csp.diagnostics import DEFAULT_LIMIT, Fix, Source
from f2csp.text.load import Advance, Report, examine

_MAX_ROUNDS = 200  # a cure may reveal a further fault, such as the next use of a misspelt word
_MAX_FIXES = 100_000  # in one round


class Mended(NamedTuple):
    """A text after all fixes."""

    source: Source
    n_fixes: int
    report: Report  # of what is left


def mend(source: Source, advance: Advance | None = None) -> Mended:
    """Apply the fixes of all diagnostics of a text, read it again, and go on until no diagnostic has one.

    A valid text keeps its meaning. ``advance`` is called with the number of bytes read since its last call.
    """
    report = examine(source, limit=_MAX_FIXES, advance=advance)
    n_fixes = 0
    for _ in range(_MAX_ROUNDS):
        fixes = {diagnostic.fix for diagnostic in report.diagnostics if diagnostic.fix}
        if not fixes:
            break
        data, n_applied = _applied(source.data, fixes)
        source = Source(source.name, data)
        n_fixes += n_applied
        report = examine(source, limit=_MAX_FIXES)
    left, others = report.diagnostics[:DEFAULT_LIMIT], report.diagnostics[DEFAULT_LIMIT:]
    return Mended(source, n_fixes, Report(report.problem, left, report.n_hidden + len(others)))


def _applied(data: bytes, fixes: Iterable[Fix]) -> tuple[bytes, int]:
    """The text with the fixes applied, of two that overlap only the first; and the number of those applied."""
    pieces: list[bytes] = []
    at = n_applied = 0
    for fix in sorted(fixes):
        if fix.start >= at:
            pieces += [data[at : fix.start], fix.text.encode()]
            at = fix.end
            n_applied += 1
    return b"".join([*pieces, data[at:]]), n_applied
