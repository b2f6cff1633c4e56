"""Mends a text: applies the cures that are certain, until there are no more of them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from f2csp.diagnostics import DEFAULT_LIMIT, Edit, Source
from f2csp.text.load import Advance, Report, examined

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
    report, read = examined(source, limit=_MAX_FIXES, advance=advance)
    n_fixes = 0
    for _ in range(_MAX_ROUNDS):
        fixes = {(d.fix.start, d.fix.end, d.fix.text) for d in report.diagnostics if d.fix}
        data, n_applied = _applied(source.data, fixes.union(_repeated(read)) if fixes else ())
        if data == source.data:
            break
        source = Source(source.name, data)
        n_fixes += n_applied
        report, read = examined(source, limit=_MAX_FIXES)
    left, others = report.diagnostics[:DEFAULT_LIMIT], report.diagnostics[DEFAULT_LIMIT:]
    return Mended(source, n_fixes, Report(report.problem, left, report.n_hidden + len(others)))


def _repeated(source: Source) -> Iterator[Edit]:
    """The cures of slips that only the first with their cause has a diagnostic for."""
    from f2csp.text.mended_source import MendedSource

    while isinstance(source, MendedSource):
        at = source.original.original_offset
        has_cure = False
        for slip in source.slips:
            if slip.fault:
                has_cure = slip.fault.edit is not None
            elif has_cure:
                yield at(slip.start), at(slip.end), slip.meant.strip().decode("utf-8", "replace") or " "
        source = source.original


def _applied(data: bytes, fixes: Iterable[Edit]) -> tuple[bytes, int]:
    """The text with the fixes applied, of two that overlap only the first; and the number of those applied."""
    pieces: list[bytes] = []
    at = n_applied = 0
    for start, end, text in sorted(fixes):
        if start >= at:
            pieces += [data[at:start], text.encode()]
            at = end
            n_applied += 1
    return b"".join([*pieces, data[at:]]), n_applied
