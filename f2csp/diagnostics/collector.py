"""Findings on their way to become diagnostics: byte offsets until the end, when all are placed in one pass."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from f2csp.diagnostics.catalogue import CATALOGUE
from f2csp.diagnostics.diagnostic import Diagnostic
from f2csp.diagnostics.errors import InvalidInput
from f2csp.diagnostics.source import Place, Source

DEFAULT_LIMIT = 100

_LONGEST_WORD = 80
_LONG_WORD = re.compile(rf"([^ ]{{{_LONGEST_WORD - 20}}})[^ ]{{21,}}")

Mark = tuple[int, int, str]  # start, end (byte offsets), label


@dataclass(frozen=True, slots=True)
class _Finding:
    start: int
    order: int
    code: str
    message: str
    marks: tuple[Mark, ...]  # the first is the place itself
    notes: tuple[str, ...]
    hint: str | None


def _short(text: str) -> str:
    """The text with each word that is too long to be read cut, for a word of the input can be megabytes."""
    return _LONG_WORD.sub(r"\1...", text) if len(text) > _LONGEST_WORD else text


def _is_about_a_character(finding: _Finding, end: int) -> bool:
    return finding.code in ("F001", "F002") and finding.marks[0][1] < end


@dataclass(slots=True)
class Collector:
    """Takes findings in any order and gives the first ``limit`` diagnostics of each severity in the order of the text.

    Its memory is bounded by the limit, however many findings come.
    """

    source: Source
    limit: int = DEFAULT_LIMIT
    n_errors: int = 0
    n_warnings: int = 0
    _findings: dict[str, list[_Finding]] = field(default_factory=lambda: {"error": [], "warning": []})
    _spoiled_starts: "array[int]" = field(default_factory=lambda: array("q"))
    _spoiled_ends: "array[int]" = field(default_factory=lambda: array("q"))
    _order: int = 0

    def add(
        self,
        code: str,
        start: int,
        end: int,
        message: str,
        *,
        label: str = "",
        related: Sequence[Mark] = (),
        notes: Sequence[str] = (),
        hint: str | None = None,
    ) -> None:
        """Take one finding at the byte offsets ``start`` to ``end``, unless its line is already spoiled."""
        if self.is_spoiled(start):
            return
        self._order += 1
        severity = CATALOGUE[code].severity
        self._count(severity, 1)
        findings = self._findings[severity]
        marks = ((start, end, _short(label)), *[(s, e, _short(text)) for s, e, text in related])
        short_hint = _short(hint) if hint else None
        findings.append(
            _Finding(start, self._order, code, _short(message), marks, tuple(map(_short, notes)), short_hint)
        )
        if len(findings) >= 4 * self.limit + 100:
            self._findings[severity] = self._first(severity)

    def count_hidden(self, n: int) -> None:
        """Count ``n`` errors that are known to be there but too many to be told."""
        self._count("error", n)

    @property
    def is_full(self) -> bool:
        """Whether further errors, if they stand later in the text, would only be counted."""
        return len(self._findings["error"]) >= self.limit

    def spoil(self, start: int, end: int) -> None:
        """Pass over findings to come that begin in this range: they follow from what was already said of it."""
        at = bisect_right(self._spoiled_starts, start)
        if at > 0 and start <= self._spoiled_ends[at - 1]:
            self._spoiled_ends[at - 1] = max(end, self._spoiled_ends[at - 1])
        else:
            self._spoiled_starts.insert(at, start)
            self._spoiled_ends.insert(at, end)

    def withdraw(self, start: int, end: int) -> None:
        """Take back the findings that begin in this range, and pass over those to come.

        A character that may not be there stays told, unless it is one that stands cut at the very end.
        """
        for severity, findings in self._findings.items():
            kept = [f for f in findings if not start <= f.start < end or _is_about_a_character(f, end)]
            self._count(severity, len(kept) - len(findings))
            self._findings[severity] = kept
        self.spoil(start, end)

    def is_spoiled(self, start: int, end: int | None = None) -> bool:
        """Whether a finding at this offset would be passed over, or at any offset before ``end``."""
        at = bisect_right(self._spoiled_starts, start)
        if at > 0 and start < self._spoiled_ends[at - 1]:
            return True
        return end is not None and at < len(self._spoiled_starts) and self._spoiled_starts[at] < end

    @property
    def n_hidden(self) -> int:
        """How many findings are counted but not given."""
        return self.n_errors + self.n_warnings - sum(len(self._first(s)) for s in self._findings)

    def diagnostics(self) -> list[Diagnostic]:
        """The first findings of each severity, in the order of the text."""
        findings = sorted(self._first("error") + self._first("warning"), key=lambda f: (f.start, f.order))
        places = self.source.places_of(offset for f in findings for start, end, _ in f.marks for offset in (start, end))
        return [self._diagnostic(f, places) for f in findings]

    def raise_if_errors(self) -> None:
        """Raise what was found, if any of it is an error.

        Raises:
            InvalidInput: there are errors.
        """
        if self.n_errors:
            raise InvalidInput(self.diagnostics(), self.n_hidden)

    def _count(self, severity: str, n: int) -> None:
        if severity == "error":
            self.n_errors += n
        else:
            self.n_warnings += n

    def _first(self, severity: str) -> list[_Finding]:
        return sorted(self._findings[severity], key=lambda f: (f.start, f.order))[: self.limit]

    def _diagnostic(self, finding: _Finding, places: dict[int, Place]) -> Diagnostic:
        place, *related = [self.source.excerpt(*mark, places) for mark in finding.marks]
        return Diagnostic(
            finding.code, finding.message, self.source.name, place, tuple(related), finding.notes, finding.hint
        )
