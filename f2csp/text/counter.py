"""Counts of a text that is read in pieces, in memory for its declarations and its largest constraint.

Names and values are looked at only in the declarations, and in a piece with a fault of form or a wrong count.
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from f2csp.diagnostics import DEFAULT_LIMIT, Collector, Diagnostic, InvalidInput, Source
from f2csp.files import MAX_TEXT_BYTES, BrokenText, FileName, text_chunks
from f2csp.text.columns import Columns
from f2csp.text.load import findings, report_on
from f2csp.text.parts import body_end, first_label, next_label
from f2csp.text.reader import read
from f2csp.text.rule_book import apply_rules
from f2csp.text.scanner_blocks import BlockReader
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
            start = first_label(text, 0) if counter is None else None
            if start and not (begun := _Counter(name, text[:start])).has_faults:
                counter, text = begun, text[start:]
            cut = next_label(text, 0, len(text) // 8 * 7, len(text)) if counter else len(text)
            if counter and cut < len(text):
                counter.take(text[:cut], cut)
                text = text[cut:]
    except BrokenText as error:
        collector = Collector(Source(name, b""))
        collector.add(error.code, 0, 0, str(error))
        collector.raise_if_errors()
    if counter is None:  # there is no constraint, or a title looks like one
        problem = report_on(Source(name, text)).require()
        tuples = Counter[str]()
        for relation in problem.constraint_relations.tolist():
            tuples[problem.relations[relation].kind] += problem.relations[relation].n_tuples
        declared = problem.title, problem.n_domains, problem.n_variables
        return Counts(*declared, problem.n_constraints, tuples["Accept"], tuples["Reject"])
    counter.take(text, body_end(text, 0))
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


class _Counter:
    """Reads constraints, some at a time, and adds up their tuples."""

    def __init__(self, name: str, head: bytes) -> None:
        """Read the declarations."""
        self._name, self.head = name, head
        self._collector = Collector(Source(name, head + _GOAL))
        self._reading = read(self._collector.source, self._collector)
        self.has_faults = self._collector.n_errors > 0
        self._n_lines = head.count(b"\n")  # that were read
        self._n_constraints = self._n_accepted = self._n_rejected = 0
        self._diagnostics, self._n_hidden = list[Diagnostic](), 0

    def take(self, text: bytes, end: int) -> None:
        """Count constraints up to ``end``, behind which nothing is, or the goal."""
        counts = None
        if known := self._reading.parts:
            blocks = BlockReader(Columns(self._collector.source), known.words, known.variable_index)
            counts = blocks.count(text[:end]) if end == len(text) or terminal("GOAL").fullmatch(text, end) else None
        if counts is None:
            counts = self._examined(text if end < len(text) else text + b"\n" + _GOAL)
        n_constraints, n_accepted, n_rejected = counts
        self._n_constraints += n_constraints
        self._n_accepted += n_accepted
        self._n_rejected += n_rejected
        self._n_lines += int(np.count_nonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n")))

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

    def _examined(self, text: bytes) -> tuple[int, int, int]:
        """The same counts of any constraints, whose faults are added to those that were found."""
        source = Source(self._name, self.head + text, first_line=self._n_lines + 1 - self.head.count(b"\n"))
        collector = Collector(source)
        reading = read(source, collector)
        report = findings(reading, collector)
        errors = (found for found in report.diagnostics if found.severity == "error")
        self._diagnostics += [error for error in errors if error.excerpt.start >= len(self.head)]
        self._n_hidden += report.n_hidden
        tables = [reading.columns.tables[i] for i in reading.columns.constraint_tables]
        n_tuples = Counter[str]()
        for table in tables:
            n_tuples[table.kind] += table.n_rows
        return reading.columns.sections["constraints"].found, n_tuples["Accept"], n_tuples["Reject"]
