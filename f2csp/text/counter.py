"""Counts of a text that is read in pieces, in memory for its declarations and its largest constraint.

Names and values are looked at only in the declarations, and in a piece with a fault of form or a wrong count.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from f2csp.diagnostics import DEFAULT_LIMIT, Collector, Diagnostic, InvalidInput, Source
from f2csp.files import MAX_TEXT_BYTES, BrokenText, FileName, text_chunks
from f2csp.text.columns import Columns, as_indices
from f2csp.text.load import findings, report_on
from f2csp.text.parts import PartReader, body_end, next_label
from f2csp.text.reader import read
from f2csp.text.recorder import MAX_RANGE_VALUES, Recorder
from f2csp.text.rule_book import apply_rules
from f2csp.text.source_lines import TextPlaces
from f2csp.text.terminals import terminal

_PIECE = 1 << 22  # bytes
_GOAL = b"Goal:\nSatisfy\n"


@dataclass(frozen=True, slots=True)
class Counts:
    title: str  # its lines joined by newlines
    domains: int
    variables: int
    constraints: int
    accepted_tuples: int  # of all positive tables
    rejected_tuples: int

    def labelled(self) -> dict[str, object]:
        """The numbers as lines for people: a label, and what it is."""
        return {
            "Title": self.title.replace("\n", " / "),
            "Domains": self.domains,
            "Variables": self.variables,
            "Constraints": self.constraints,
            "Accepted tuples": self.accepted_tuples,
            "Rejected tuples": self.rejected_tuples,
        }


def count_contents(file: FileName, max_bytes: int = MAX_TEXT_BYTES) -> Counts:
    """Count the contents of a file; only one whose declarations have a fault of form is in memory as a whole.

    Raises:
        InvalidInput: the text has a fault of form, or a count that differs from what follows it; other faults need not
            be seen.
        OSError: the file cannot be read.
    """
    name, text = os.fspath(file), b""
    counter: _Counter | None = None
    chunks = text_chunks(file, max_bytes)
    try:
        while (more := _enlarged(text, chunks)) != text:
            text = more
            if counter is None and (counter := _begun(Source(name, text))):
                text = text[len(counter.head) :]
            cut = next_label(text, 0, len(text) // 8 * 7, len(text)) if counter else len(text)
            if counter and cut < len(text):
                counter.take(b"".join([memoryview(text)[:cut], _GOAL]))
                text = text[cut:]
    except BrokenText as error:
        collector = Collector(Source(name, b""))
        collector.add(error.code, 0, 0, str(error))
        collector.raise_if_errors()
    if counter is None:
        problem = report_on(Source(name, text)).require()
        return Counts(problem.title, problem.n_domains, problem.n_variables, 0, 0, 0)
    counter.take(text if body_end(text, 0) < len(text) else text + b"\n" + _GOAL)
    return counter.finish()


def _enlarged(text: bytes, chunks: Iterator[bytes]) -> bytes:
    """The text with at least as much again behind it, if there is as much."""
    parts, n_missing = [text], max(len(text), _PIECE)
    for chunk in chunks:
        parts.append(chunk)
        n_missing -= len(chunk)
        if n_missing <= 0:
            break
    return b"".join(parts)


def _begun(source: Source) -> "_Counter | None":
    """The counter of a text; None if it does not begin with sound declarations, and a constraint."""
    parts = read(source, Collector(source)).parts
    if not parts or not parts.parts:
        return None
    counter = _Counter(source.name, source.data[: parts.parts[0].start])
    return None if counter.has_faults else counter


class _Counter:
    """Reads constraints, some at a time, and adds up their tuples."""

    def __init__(self, name: str, head: bytes) -> None:
        """Read the declarations."""
        self._name, self.head = name, head
        self._collector = Collector(Source(name, head + _GOAL))
        self._reading = read(self._collector.source, self._collector)
        known = self._reading.parts
        self._names = (known.words, known.variable_index) if known else ({}, {})
        self.has_faults = self._collector.n_errors > 0
        self._n_lines = head.count(b"\n")  # that were read
        self._n_constraints = self._n_accepted = self._n_rejected = 0
        self._diagnostics, self._n_hidden = list[Diagnostic](), 0

    def take(self, text: bytes) -> None:
        """Count constraints, which a goal follows."""
        collector = Collector(Source(self._name, text))
        recorder = Recorder(collector.source, MAX_RANGE_VALUES, collector.report)
        recorder.words, recorder.variable_index = self._names
        parts = PartReader(recorder, collector, is_counting=True).read(0)
        blocks = [part.block for part in parts if part.block]
        if len(blocks) == len(parts) and terminal("GOAL").fullmatch(text, body_end(text, 0)):
            all_tables, tables = recorder.columns.tables, np.concatenate([block.tables for block in blocks])
            self._n_constraints += len(tables)
        else:
            columns = self._examined(text)
            all_tables, tables = columns.tables, as_indices(columns.constraint_tables)
            self._n_constraints += columns.sections["constraints"].found
        n_rows = np.array([table.n_rows for table in all_tables], dtype=np.int64)[tables]
        is_positive = np.array([table.kind == "Accept" for table in all_tables], dtype=np.bool_)[tables]
        self._n_accepted += int(n_rows[is_positive].sum())
        self._n_rejected += int(n_rows[~is_positive].sum())
        self._n_lines += int(np.count_nonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n"))) - _GOAL.count(b"\n")

    def finish(self) -> Counts:
        """Compare the declared numbers, and return what was found."""
        columns = self._reading.columns
        columns.sections["constraints"].found = self._n_constraints
        apply_rules(columns, TextPlaces(columns), self._collector)
        found = [*self._collector.diagnostics(), *self._diagnostics]
        if found:
            n_hidden = self._n_hidden + self._collector.n_hidden + len(found[DEFAULT_LIMIT:])
            raise InvalidInput(found[:DEFAULT_LIMIT], n_hidden)
        n_domains, n_variables = len(columns.domain_names), len(columns.variable_names)
        n_tuples = self._n_accepted, self._n_rejected
        return Counts(columns.title, n_domains, n_variables, self._n_constraints, *n_tuples)

    def _examined(self, text: bytes) -> Columns:
        """The columns of constraints whose faults are added to those that were found."""
        first_line = self._n_lines + 1 - self.head.count(b"\n")
        source = Source(self._name, self.head + text, first_line=first_line)
        collector = Collector(source)
        reading = read(source, collector)
        report = findings(reading, collector)
        self._diagnostics += [
            d for d in report.diagnostics if d.severity == "error" and d.excerpt.start >= len(self.head)
        ]
        self._n_hidden += report.n_hidden
        return reading.columns
