"""The text of a file that is only counted: whole lines, lines that are not blank, and constraints in plain form.

Plain are the canonical form, counts on the header's own line, and scopes and names of any form. Constraints in plain
form are passed over at the speed of comparing bytes; everything else is left alone.
"""

import re
from collections.abc import Iterator

from f2csp.diagnostics import BOM
from f2csp.text.terminals import pattern

FILLED_LINE = re.compile(rb"[ \t\r]*+([^ \t\r\n][^\n]*+)\n?")
"""A line that is not blank, from its first word on; blank lines before it are passed over by a search."""


_WHITE = b" \t\r\n"
_BLANK_ENDS = (b"\n\n", b" \n", b"\t\n", b"\r\n")  # one of them ends every blank line
_KNOWN_BYTES = 1 << 23  # of the tables that are kept to be known again
_ENTRY_BYTES = 300  # what it takes to keep one, besides its text
_BLANK = ord(" ")
_VARS = (b"\nVars:", b"\nvars:", b"\nVARS:")
_TABLE = re.compile(
    rb"\n((?i:Reject|Accept)):[ \t]*+\n?+(%b)\n((?:%b[^\x00-\x1f\x7f:(){}=]*+\n)*+)"
    % (pattern("COUNT"), pattern("_WORD"))
)

_Table = tuple[str, int, int]  # "accept" or "reject", its tuples, its lines


def whole_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The text in pieces that end at the end of a line, without its byte-order mark and carriage returns."""
    rest: list[bytes | memoryview] = []
    is_first = True
    for chunk in chunks:
        cut = chunk.rfind(b"\n") + 1
        if cut:
            rest.append(memoryview(chunk)[:cut])
            yield _cleaned(b"".join(rest), is_first)
            rest, is_first = [], False
        rest.append(chunk[cut:])
    yield _cleaned(b"".join(rest), is_first)


def _cleaned(text: bytes, is_first: bool) -> bytes:
    text = text.removeprefix(BOM) if is_first else text
    return text.replace(b"\r\n", b"\n") if b"\r" in text else text


def n_lines(text: bytes) -> int:
    """The number of lines that are not blank."""
    text = text.rstrip(_WHITE)
    if text[:1] and text[:1] not in _WHITE and not any(blank in text for blank in _BLANK_ENDS):
        return text.count(b"\n") + 1
    return sum(1 for _ in FILLED_LINE.finditer(text))


def n_tuples(text: bytes) -> int:
    """The number of tuples: one for each line, or as many as it has in parentheses."""
    if b"(" not in text:
        return n_lines(text)
    return sum(match[1].count(b"(") or 1 for match in FILLED_LINE.finditer(text))


class PlainConstraints:
    """Passes over constraints, and remembers their tables."""

    def __init__(self) -> None:
        self._known: dict[bytes, _Table] = {}
        self._n_known_bytes = 0

    def run(self, text: bytes, start: int, totals: dict[str, int]) -> tuple[int, int, bytes]:
        """Add the plain constraints from ``start`` on, behind a ``Vars:``, to the totals.

        Returns:
            The place behind the colon of the next ``Vars:``, the number of lines before it, and the label above it.
        """
        find, startswith = text.find, text.startswith
        at = label = label_end = start
        n_lines = n_constraints = 0
        n_tuples = {"accept": 0, "reject": 0}
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
            n_tuples[table[0]] += table[1]
            n_lines += text.count(b"\n", at, head_end) + table[2] + 1
            n_constraints += 1
            label, label_end = next_label, next_end
            at = next_end + len(_VARS[0])
        totals["constraints"] += n_constraints
        for word, n in n_tuples.items():
            totals[word] += n
        return at, n_lines, text[label:label_end]

    def _examine(self, body: bytes) -> _Table | None:
        """A table in plain form whose count matches; None for any other."""
        match = _TABLE.fullmatch(body)
        if match is None or match[3].count(b"\n") != int(match[2]):
            return None
        if self._n_known_bytes > _KNOWN_BYTES:
            self._known.clear()
            self._n_known_bytes = 0
        self._n_known_bytes += len(body) + _ENTRY_BYTES
        self._known[body] = table = match[1].lower().decode(), int(match[2]), body.count(b"\n")
        return table


def _table_at(text: bytes, start: int) -> bytes:
    """The text from ``start`` to the label of the next constraint."""
    colon = text.find(b":", start + 8)
    return text[start : text.rfind(b"\n", start, max(colon - 5, start)) + 1]
