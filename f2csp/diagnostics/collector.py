"""A text, and the collector of its findings: byte offsets become lines and columns in one pass."""

import re
from array import array
from bisect import bisect_right
from codecs import getincrementaldecoder
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from f2csp.diagnostics.catalogue import CATALOGUE
from f2csp.diagnostics.diagnostic import Diagnostic, Excerpt, Fix, InvalidInput, Span, near_word_hint

BOM = b"\xef\xbb\xbf"
DEFAULT_LIMIT = 100

_DECODER = getincrementaldecoder("utf-8")
_CHARACTERS = ("F001", "F002")  # the codes of forbidden characters
_MAX_HINTS = 10  # unknown words for which a near one is looked for
_MAX_EXCERPT_LENGTH = 160
_MAX_BEFORE = 60  # characters before the place in an excerpt of a longer line
_MAX_WORD_LENGTH = 80
_LONG_WORD = re.compile(rf"([^ ]{{{_MAX_WORD_LENGTH - 20}}})[^ ]{{21,}}")

LineColumn = tuple[int, int]
ByteSpan = tuple[int, int]  # the offsets of the start and the end
Mark = tuple[int, int, str]  # start, end (byte offsets), label
Edit = tuple[int, int, str]  # start, end, replacement


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a text."""

    name: str  # in messages; usually the path
    data: bytes  # decompressed, as found (a byte-order mark included)
    first_line: int = field(default=1, kw_only=True)  # its number, where the bytes are a part of a file

    @property
    def start(self) -> int:
        """The offset of the first byte that is not a byte-order mark."""
        return len(BOM) if self.data.startswith(BOM) else 0

    def places_of(self, offsets: Iterable[int]) -> dict[int, LineColumn]:
        """The line and the column, both counted from 1, of every offset; one pass over the text for all of them."""
        places: dict[int, LineColumn] = {}
        line, column, counted = self.first_line, 1, self.start
        decoder = _DECODER("replace")  # an offset may be inside a malformed character
        for given in sorted(set(offsets)):
            offset = max(given, self.start)  # an edit of the first line may begin before the byte-order mark
            newlines = self.data.count(b"\n", counted, offset)
            if newlines:
                line += newlines
                column, counted = 1, self.data.rfind(b"\n", counted, offset) + 1
                decoder.reset()
            column += len(decoder.decode(self.data[counted:offset]))
            counted = offset
            is_inside = bool(decoder.getstate()[0])
            places[given] = line, column + is_inside
        return places

    def excerpt(self, start: int, end: int, label: str, places: dict[int, LineColumn]) -> Excerpt:
        """The span from ``start`` to ``end``, both of which are in ``places``, with the text around it."""
        span = Span(*places[start], *places[end])
        line_start = max(self.data.rfind(b"\n", 0, start) + 1, self.start)
        offset, text = self._window(line_start, start, span.column)
        return Excerpt(span, text, offset, label, start, end)

    def _window(self, line_start: int, start: int, column: int) -> tuple[int, str]:
        """The number of characters skipped, and the part of the line shown; a line of megabytes costs little."""
        line_end = self.data.find(b"\n", start)
        if line_end < 0:
            line_end = len(self.data)
        if line_end - line_start <= _MAX_EXCERPT_LENGTH:
            return 0, self.data[line_start:line_end].decode("utf-8", "replace").rstrip("\r")
        window = self.data[max(line_start, start - 4 * _MAX_BEFORE) : start]
        before = window.decode("utf-8", "replace")[-_MAX_BEFORE:]
        rest = self.data[start : min(line_end, start + 4 * _MAX_EXCERPT_LENGTH)].decode("utf-8", "replace")
        return column - 1 - len(before), (before + rest).rstrip("\r")[:_MAX_EXCERPT_LENGTH]


class Fault(NamedTuple):
    """What is found at a place of a text: a fault, or a warning."""

    code: str
    start: int
    end: int
    message: str
    hint: str | None = None
    label: str = ""
    related: Sequence[Mark] = ()
    edit: Edit | None = None  # its cure, where there is one
    notes: Sequence[str] = ()
    is_safe: bool = True  # nothing else than its cure can have been meant
    further: Sequence[Edit] = ()  # the cures of what has the same fault

    def moved(self, offset: Callable[[int], int]) -> "Fault":
        """The fault in a text where what is at an offset has another one."""

        def at(mark: Mark) -> Mark:
            return offset(mark[0]), offset(mark[1]), mark[2]

        edit, related, further = self.edit and at(self.edit), [*map(at, self.related)], [*map(at, self.further)]
        start, end = offset(self.start), offset(self.end)
        return self._replace(start=start, end=end, related=related, edit=edit, further=further)

    def shortened(self) -> "Fault":
        """The fault with each very long word of its texts cut: a word of the input can be megabytes."""
        related = [(start, end, _short(label)) for start, end, label in self.related]
        hint = self.hint and _short(self.hint)
        notes = tuple(map(_short, self.notes))
        message, label = _short(self.message), _short(self.label)
        return self._replace(message=message, hint=hint, label=label, related=related, notes=notes)


_Finding = tuple[int, int, Fault]  # start; a unique number, so that findings sort by place and order of report; fault


def _short(text: str) -> str:
    return _LONG_WORD.sub(r"\1...", text) if len(text) > _MAX_WORD_LENGTH else text


class Collector:
    """Takes findings in any order and keeps the first ``limit`` of each severity in the order of the text.

    Memory is bounded by the limit. A finding after the last one kept is only counted.
    """

    def __init__(self, source: Source, limit: int = DEFAULT_LIMIT) -> None:
        self.source = source
        self.limit = limit
        self.clear()

    def clear(self) -> None:
        """Forget all findings."""
        self.n_errors = 0
        self.n_warnings = 0
        self._n_hints = 0
        self._findings: dict[str, list[_Finding]] = {"error": [], "warning": []}
        self._ends: dict[str, int | None] = {"error": None, "warning": None}  # findings from here on are only counted
        self._suppressed_starts = array("q")
        self._suppressed_ends = array("q")
        # Of findings reported before, by code and start.
        self._edits: dict[tuple[str, int], tuple[Edit, str | None]] = {}

    def add(self, code: str, start: int, end: int, message: str, **more: Any) -> None:
        """Report a fault at the byte offsets ``start`` to ``end``, with further fields of :class:`Fault` by name."""
        self.report(Fault(code, start, end, message, **more))

    def report(self, fault: Fault) -> None:
        """Take one finding, unless its line is suppressed."""
        if self.is_suppressed(fault.start):
            return
        severity = CATALOGUE[fault.code].severity
        self._count(severity, 1)
        last = self._ends[severity]
        if last is not None and fault.start >= last:
            return
        findings = self._findings[severity]
        findings.append((fault.start, self.n_errors + self.n_warnings, fault.shortened()))
        if len(findings) >= 4 * self.limit + 100:
            self._findings[severity] = self._first(severity)
            self._ends[severity] = self._findings[severity][-1][0]

    def near_word_hint(self, word: str, known: Collection[str]) -> str | None:
        """As the function of this name, for the first unknown words of a text."""
        self._n_hints += 1
        return near_word_hint(word, known) if self._n_hints <= _MAX_HINTS else None

    def offer_edit(self, code: str, start: int, edit: Edit | None, hint: str | None = None) -> None:
        """Give the cure of a finding that was reported without it, and perhaps a better hint."""
        if edit:
            self._edits[code, start] = edit, hint

    def count_hidden(self, n: int) -> None:
        """Count ``n`` errors without listing them."""
        self._count("error", n)

    @property
    def is_full(self) -> bool:
        """Whether errors later in the text would only be counted."""
        return len(self._findings["error"]) >= self.limit

    def suppress(self, start: int, end: int) -> None:
        """Ignore later findings that begin in this range: they follow from those already reported."""
        at = bisect_right(self._suppressed_starts, start)
        if at > 0 and start <= self._suppressed_ends[at - 1]:
            self._suppressed_ends[at - 1] = max(end, self._suppressed_ends[at - 1])
        else:
            self._suppressed_starts.insert(at, start)
            self._suppressed_ends.insert(at, end)

    def retract(self, start: int, end: int) -> None:
        """Remove the findings that begin in this range, and ignore later ones.

        A forbidden character stays reported, unless it is cut off at the end of the range.
        """
        for severity, findings in self._findings.items():
            kept = [f for f in findings if not start <= f[0] < end or (f[2].code in _CHARACTERS and f[2].end < end)]
            self._count(severity, len(kept) - len(findings))
            self._findings[severity] = kept
            self._ends[severity] = None
        self.suppress(start, end)

    def is_suppressed(self, start: int, end: int | None = None) -> bool:
        """Whether a finding at this offset, or at any offset before ``end``, would be ignored."""
        at = bisect_right(self._suppressed_starts, start)
        if at > 0 and start < self._suppressed_ends[at - 1]:
            return True
        return end is not None and at < len(self._suppressed_starts) and self._suppressed_starts[at] < end

    @property
    def codes(self) -> set[str]:
        """The codes of the findings that are kept."""
        return {fault.code for findings in self._findings.values() for *_, fault in findings}

    @property
    def listed_starts(self) -> list[int]:
        """Where the errors begin that are kept; empty if some are only counted."""
        errors = self._findings["error"]
        return sorted(start for start, *_ in errors) if len(errors) == self.n_errors else []

    @property
    def n_hidden(self) -> int:
        """The number of findings that are not listed."""
        return self.n_errors + self.n_warnings - sum(len(self._first(s)) for s in self._findings)

    def diagnostics(self) -> list[Diagnostic]:
        """The first findings of each severity, in the order of the text."""
        faults = [self._cured(fault) for *_, fault in sorted(self._first("error") + self._first("warning"))]
        edits = (fault.edit for fault in faults if fault.edit)
        marks = chain(((fault.start, fault.end, "") for fault in faults), *(f.related for f in faults), edits)
        places = self.source.places_of(offset for start, end, _ in marks for offset in (start, end))
        return [self._diagnostic(fault, places) for fault in faults]

    def raise_if_errors(self) -> None:
        """Raise ``InvalidInput`` with the findings, if one of them is an error."""
        if self.n_errors:
            raise InvalidInput(self.diagnostics(), self.n_hidden)

    def moved(self, source: Source, offset: Callable[[int], int]) -> "Collector":
        """The findings in another text, where what is at an offset has another one."""
        collector = Collector(source, self.limit)
        collector.n_errors, collector.n_warnings = self.n_errors, self.n_warnings
        for severity, findings in self._findings.items():
            faults = [(n, self._cured(fault).moved(offset)) for _, n, fault in findings]
            collector._findings[severity] = [(fault.start, n, fault) for n, fault in faults]
        return collector

    def _count(self, severity: str, n: int) -> None:
        self.n_errors += n if severity == "error" else 0
        self.n_warnings += n if severity == "warning" else 0

    def _first(self, severity: str) -> list[_Finding]:
        return sorted(self._findings[severity])[: self.limit]

    def _diagnostic(self, f: Fault, places: dict[int, LineColumn]) -> Diagnostic:
        marks = [(f.start, f.end, f.label), *f.related]
        place, *related = [self.source.excerpt(*mark, places) for mark in marks]
        fix = None
        if f.edit:
            start, end, text = f.edit
            fix = Fix(Span(*places[start], *places[end]), text, start, end, f.is_safe, tuple(f.further))
        return Diagnostic(f.code, f.message, self.source.name, place, tuple(related), tuple(f.notes), f.hint, fix)

    def _cured(self, fault: Fault) -> Fault:
        edit, hint = self._edits.get((fault.code, fault.start), (None, None))
        return fault._replace(edit=fault.edit or edit, hint=hint or fault.hint)
