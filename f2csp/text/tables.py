"""Table bodies and domain values as indices into the words, in bulk."""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from f2csp.diagnostics import Collector
from f2csp.model import Ids, Kind
from f2csp.model.words import is_integer, is_range, range_ends
from f2csp.text.columns import UNKNOWN, Table
from f2csp.text.lines import row_fault

_SPECIAL = re.compile(rb"[:,(){}=]|\.\.")
_AS_PLAIN = bytes.maketrans(b",()", b"  \n")  # (1, 2) (3, 4) becomes two lines
_BLANKED = bytes.maketrans(b",{}", b"   ")
_CHUNK = 1 << 16


@dataclass(slots=True)
class Words:
    """The word table: the values of the domains in the order in which they first appear."""

    texts: list[str] = field(default_factory=list)
    index: dict[bytes, int] = field(default_factory=dict)

    def add(self, word: bytes) -> int:
        """The index of a word, which is taken in if it is new."""
        found = self.index.setdefault(word, len(self.texts))
        if found == len(self.texts):
            self.texts.append(word.decode("utf-8", "replace"))
        return found


def domain_values(
    data: bytes, start: int, end: int, words: Words, ranges: "RangeBudget", collector: Collector
) -> tuple[Ids, bool]:
    """The values of a list with blanks, commas, braces and ranges, and whether all of them could be read."""
    indices = array("i")
    is_complete = True
    at = start
    for word in data[start:end].translate(_BLANKED).split():
        if b".." in word and is_range(text := word.decode("utf-8", "replace")):
            at = data.index(word, at)
            expanded = ranges.expand(text, at, collector)
            is_complete = is_complete and expanded is not None
            indices.extend(words.add(str(i).encode()) for i in expanded or ())
            at += len(word)
        else:
            indices.append(words.add(word))
    return np.array(indices, dtype=np.int32), is_complete


@dataclass(slots=True)
class RangeBudget:
    """How many values the ranges of a file may still add."""

    limit: int
    used: int = 0

    def expand(self, text: str, at: int, collector: Collector) -> range | None:
        """The values of a range that stands at ``at``, or None and a finding."""
        start_text, end_text = range_ends(text)
        if not (is_integer(start_text) and is_integer(end_text)):
            collector.add("F308", at, at + len(text), "an end of the range is beyond 64 bits")
            return None
        start, end = int(start_text), int(end_text)
        if end < start:
            hint = f"write {end}..{start}"
            collector.add("F303", at, at + len(text), f"the range ends at {end}, below its start {start}", hint=hint)
            return None
        size = end - start + 1
        if self.used + size > self.limit:
            message = f"the range adds {size} values, and all ranges together may add {self.limit}"
            notes = [f"the ranges before it add {self.used}"] if self.used else []
            collector.add("F305", at, at + len(text), message, notes=notes, hint="write a smaller range")
            return None
        self.used += size
        return range(start, end + 1)


def read_table(kind: Kind, arity: int, data: bytes, start: int, end: int, words: Words, collector: Collector) -> Table:
    """The tuples of a body; a line without tuples is told, and counts as one that is malformed.

    Args:
        kind: ``Reject`` or ``Accept``.
        arity: the size of the scope, which the tuples of an empty body have too.
        data: the text.
        start: where the body begins.
        end: where it ends.
        words: the word table.
        collector: takes the findings.
    """
    is_punctuated = _SPECIAL.search(data, start, end) is not None
    rows = _punctuated_rows(data, start, end, collector) if is_punctuated else _plain_rows(data, start, end)
    return _read_rows(kind, arity, rows, words)


def _plain_rows(data: bytes, start: int, end: int) -> Iterator[list[bytes] | None]:
    for chunk_start, chunk_end in _chunks(data, start, end):
        for line in data[chunk_start:chunk_end].split(b"\n"):
            row = line.split()
            if row:
                yield row


def _punctuated_rows(data: bytes, start: int, end: int, collector: Collector) -> Iterator[list[bytes] | None]:
    """The words of each tuple, or None for a line on which there is none."""
    for chunk_start, chunk_end in _chunks(data, start, end):
        at = chunk_start
        for line in data[chunk_start:chunk_end].split(b"\n"):
            if line and not line.isspace():
                yield from _rows_on_line(data, at, at + len(line), collector)
            at += len(line) + 1


def _rows_on_line(data: bytes, start: int, end: int, collector: Collector) -> Iterator[list[bytes] | None]:
    line = data[start:end]
    fault = row_fault(data, start, end) if _SPECIAL.search(line) else None
    if fault:
        collector.add(fault.code, fault.start, fault.end, fault.message, hint=fault.hint)
        yield None
    elif b"(" in line:
        for row in line.translate(_AS_PLAIN).split(b"\n")[:-1]:
            yield row.split()
    else:
        yield line.translate(_AS_PLAIN).split()


def _read_rows(kind: Kind, arity: int, rows: Iterator[list[bytes] | None], words: Words) -> Table:
    index = words.index
    values, sizes = array("i"), array("q")
    malformed = []
    for row in rows:
        if row is None:
            malformed.append(len(sizes))
            sizes.append(0)
        else:
            sizes.append(len(row))
            values.extend([index.get(word, UNKNOWN) for word in row])
    n_rows = len(sizes)
    flat = np.array(values, dtype=np.int32)
    size_of_each = np.array(sizes, dtype=np.int64)
    if n_rows == 0 or ((size_of_each == size_of_each[0]).all() and not malformed):
        size = int(size_of_each[0]) if n_rows else arity
        return Table(kind, size, flat.reshape(n_rows, size), None, n_rows)
    return Table(kind, UNKNOWN, flat, size_of_each, n_rows, frozenset(malformed))


def _chunks(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Pieces of whole lines, so that the words of a large table are never all in memory."""
    while start < end:
        stop = data.find(b"\n", min(start + _CHUNK, end), end) + 1
        stop = stop or end
        yield start, stop
        start = stop
