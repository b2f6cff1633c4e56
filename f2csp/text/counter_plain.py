"""Constraints in a plain form, passed over at the speed of comparing bytes.

Plain are the canonical form, counts on the header's own line, and scopes and names of any form. What is not plain is
left alone.
"""

import re
from dataclasses import dataclass

_KNOWN_BYTES = 1 << 23  # of the tables that are kept to be known again
_ENTRY_BYTES = 300  # what it takes to keep one, besides its text
_BLANK = 0x20

_VARS = (b"\nVars:", b"\nvars:", b"\nVARS:")
_TABLE = re.compile(
    rb"\n((?i:Reject|Accept)):[ \t]*+\n?+(0|[1-9][0-9]{0,17})\n"
    rb"((?:[^\x00-\x20\x7f:,(){}=][^\x00-\x1f\x7f:(){}=]*+\n)*+)"
)


@dataclass(slots=True)
class Run:
    """Constraints that stand one after the other.

    Attributes:
        end: where they end: behind the colon of the ``Vars:`` that follows.
        n: how many there are.
        n_lines: how many lines they take.
        label: the label above the ``Vars:`` that follows.
        accepted_tuples: the tuples of their positive tables.
        rejected_tuples: the tuples of their negative tables.
    """

    end: int
    n: int = 0
    n_lines: int = 0
    label: bytes = b""
    accepted_tuples: int = 0
    rejected_tuples: int = 0


@dataclass(frozen=True, slots=True)
class _Table:
    is_positive: bool
    n_tuples: int
    n_lines: int


class PlainConstraints:
    """Passes over constraints, and knows the tables that it has seen."""

    def __init__(self) -> None:
        self._known: dict[bytes, _Table] = {}
        self._n_known_bytes = 0

    def run(self, text: bytes, start: int) -> Run:
        """The run of plain constraints that begins at ``start``, behind a line of ``Vars:``."""
        find, startswith = text.find, text.startswith
        run = Run(start)
        at = label = label_end = start
        n = n_lines = 0
        body, table = b"", None
        while True:
            head_end = find(b":", at) - 7  # where the line before Reject: or Accept: ends
            if head_end < at:
                break
            if table is None or not startswith(body, head_end):
                body = _table_at(text, head_end)
                table = self._known.get(body) or self._examine(body)
                if table is None:
                    break
            next_label = head_end + len(body)
            next_end = find(b"\n", next_label)
            if next_end < 0 or text[next_label] <= _BLANK or not startswith(_VARS, next_end):
                break
            if table.is_positive:
                run.accepted_tuples += table.n_tuples
            else:
                run.rejected_tuples += table.n_tuples
            n_lines += text.count(b"\n", at, head_end) + table.n_lines + 1
            n += 1
            label, label_end = next_label, next_end
            at = next_end + len(_VARS[0])
        run.end, run.n, run.n_lines, run.label = at, n, n_lines, text[label:label_end]
        return run

    def _examine(self, body: bytes) -> _Table | None:
        """A table in plain form whose count matches; None if it is not such a one."""
        match = _TABLE.fullmatch(body)
        if match is None or match[3].count(b"\n") != int(match[2]):
            return None
        if self._n_known_bytes > _KNOWN_BYTES:
            self._known.clear()
            self._n_known_bytes = 0
        self._n_known_bytes += len(body) + _ENTRY_BYTES
        self._known[body] = table = _Table(match[1].lower() == b"accept", int(match[2]), body.count(b"\n"))
        return table


def _table_at(text: bytes, start: int) -> bytes:
    """What stands from ``start`` to the label of the next constraint."""
    colon = text.find(b":", start + 8)
    return text[start : text.rfind(b"\n", start, max(colon - 5, start)) + 1]
