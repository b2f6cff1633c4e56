"""Counts of a text without its names and values, in constant memory.

The structure is found from the section lines, and each count is compared with what follows it. Constraints in plain
form (the canonical form, counts on the header's own line, scopes and names of any form) are passed over in one loop at
the speed of comparing bytes; every other spelling is counted section by section.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from f2csp.diagnostics import BOM, DEFAULT_LIMIT, Diagnostic, InvalidInput, Source
from f2csp.files import MAX_TEXT_BYTES, BrokenText, FileName, text_chunks
from f2csp.text.terminals import FOLLOWERS, pattern, terminal

_SECTION_LINE = re.compile(rb"[ \t]*+(%b)[ \t]*+:[ \t]*+([^\n]*+)\n?" % pattern("_SECTION_WORD"))
_WHOLE_COUNT = terminal("COUNT")

_FILLED_LINE = re.compile(rb"[ \t\r]*+([^ \t\r\n][^\n]*+)\n?")  # a search passes over the blank lines before it
_WHITE = b" \t\r\n"
_BLANK_ENDS = (b"\n\n", b" \n", b"\t\n", b"\r\n")  # one of them ends every blank line
_KNOWN_BYTES = 1 << 23  # of the tables that are kept to be known again
_ENTRY_BYTES = 300  # the overhead of an entry, beyond its text
_BLANK_CODE = ord(" ")
_VARS_SPELLINGS = (b"\nVars:", b"\nvars:", b"\nVARS:")
_PLAIN_TABLE = re.compile(
    rb"\n((?i:Reject|Accept)):[ \t]*+\n?+(%b)\n((?:%b[^\x00-\x1f\x7f:(){}=]*+\n)*+)"
    % (pattern("COUNT"), pattern("_WORD"))
)

_TABLES = ("accept", "reject")
_MAX_COUNT_LENGTH = 40  # characters of a malformed count that a message shows
_HINT = "f2csp-validate reports every fault of the file"


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


class _Place(NamedTuple):
    """A place in the lines that were taken together."""

    source: Source
    start: int
    end: int


class _PlainConstraints:
    """Passes over constraints, and remembers their tables."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[int, int]] = {}  # the numbers of accepted and rejected tuples
        self._n_known_bytes = 0

    def run(self, text: bytes, start: int, totals: dict[str, int]) -> tuple[int, bytes]:
        """Add the plain constraints from ``start`` on, behind a ``Vars:``, to the totals.

        Gives the place behind the colon of the next ``Vars:``, and the label above it, which is empty if none is plain.
        """
        find, startswith = text.find, text.startswith
        at = label = label_end = start
        n_constraints = n_accepted = n_rejected = 0
        body, table = b"", None
        while True:
            head_end = find(b":", at) - 7  # where the line before Reject: or Accept: ends
            if head_end < at:
                break
            if table is None or not startswith(body, head_end):
                colon = find(b":", head_end + 8)  # of the next Vars:; the line above is its label
                body = text[head_end : text.rfind(b"\n", head_end, max(colon - 5, head_end)) + 1]
                table = self._known.get(body) or self._examine(body)
                if table is None:
                    break
            next_label = head_end + len(body)
            next_end = find(b"\n", next_label)
            if next_end < 0 or text[next_label] <= _BLANK_CODE or not startswith(_VARS_SPELLINGS, next_end):
                break
            n_accepted += table[0]
            n_rejected += table[1]
            n_constraints += 1
            label, label_end = next_label, next_end
            at = next_end + len(_VARS_SPELLINGS[0])
        totals["constraints"] += n_constraints
        totals["accept"] += n_accepted
        totals["reject"] += n_rejected
        return at, text[label:label_end]

    def _examine(self, body: bytes) -> tuple[int, int] | None:
        """The tuples of a table in plain form whose count matches; None for any other."""
        match = _PLAIN_TABLE.fullmatch(body)
        if match is None or match[3].count(b"\n") != int(match[2]):
            return None
        if self._n_known_bytes > _KNOWN_BYTES:
            self._known.clear()
            self._n_known_bytes = 0
        self._n_known_bytes += len(body) + _ENTRY_BYTES
        n = int(match[2])
        self._known[body] = (n, 0) if match[1].lower() == b"accept" else (0, n)
        return self._known[body]


class _Counter:
    """Goes through a text from section line to section line."""

    def __init__(self, name: str) -> None:
        self._name, self._word = name, "title"
        self._source = Source(name, b"")  # the lines that were taken last
        self._header: _Place | None = None
        self._declared: tuple[int, _Place] | None = None  # the count of the section
        self._constraints: tuple[int, _Place] | None = None  # that of all constraints
        self._is_at_scope = False  # just behind a line of Vars
        self._found = 0  # lines of a section, tuples of a table
        self._last_line = self._label = b""
        self._title: list[str] = []
        self._totals = dict.fromkeys(("domains", "variables", "constraints", *_TABLES), 0)  # as in Counts
        self._plain = _PlainConstraints()
        self._diagnostics: list[Diagnostic] = []
        self._n_hidden = 0

    def take(self, text: bytes) -> None:
        self._source = Source(self._name, text, first_line=self._next_line())
        at = 0
        while at < len(text):
            if self._is_at_scope:
                at, label = self._plain.run(text, at, self._totals)
                if label:
                    self._label, self._declared = label, None
            header = self._next_header(text, at)
            end = header.start() if header else len(text)
            self._take_body(text, at, end)
            if header:
                self._take_header(header)
            at = header.end() if header else end

    def finish(self) -> Counts:
        """Compare the last counts, and return the totals."""
        if self._word in ("title", "domains", "variables", "vars"):
            self.stop("F007", f"the file ends early: before {_expected_after(self._word)}")
        self._close("")
        if self._constraints:
            self._compare(self._constraints, self._totals["constraints"], "", "constraints")
        if self._diagnostics:
            self._diagnostics.sort(key=lambda diagnostic: diagnostic.span.line)
            raise InvalidInput(self._diagnostics, self._n_hidden)
        return Counts("\n".join(self._title), *self._totals.values())

    def stop(self, code: str, message: str, place: _Place | None = None) -> None:
        """Give up, at the end of what was taken if there is no place: what follows cannot be counted."""
        end = _Place(Source(self._name, b"", first_line=self._next_line()), 0, 0)
        self._report(code, message, place or end)
        raise InvalidInput(self._diagnostics, self._n_hidden)

    def _next_line(self) -> int:
        return self._source.first_line + self._source.data.count(b"\n")

    def _report(self, code: str, message: str, place: _Place, label: str = "") -> None:
        source, start, end = place
        excerpt = source.excerpt(start, end, label, source.places_of((start, end)))
        self._diagnostics.append(Diagnostic(code, message, self._name, excerpt, hint=_HINT))

    def _next_header(self, text: bytes, at: int) -> re.Match[bytes] | None:
        colon = text.find(b":", at)
        while colon >= 0:
            match = _SECTION_LINE.match(text, max(text.rfind(b"\n", at, colon) + 1, at))
            rest = match[2].strip(b" \t\r") if match and self._word == "title" else b""
            if match and (not rest or _WHOLE_COUNT.fullmatch(rest)):  # a title may hold a section word and other text
                return match
            end = text.find(b"\n", colon)
            colon = text.find(b":", end) if end >= 0 else -1
        return None

    def _take_header(self, header: re.Match[bytes]) -> None:
        word, place = header[1].lower().decode(), _Place(self._source, *header.span(1))
        if word not in FOLLOWERS[self._word]:
            if self._word == "goal":
                self.stop("F009", "text follows the goal, which ends a problem", place)
            found = header[1].decode().capitalize()
            self.stop("F003", f"expected {_expected_after(self._word)}, found {found}:", place)
        self._close(word)
        if word == "vars":
            self._totals["constraints"] += 1
            self._label = self._last_line
        self._word, self._header = word, place
        self._declared, self._found, self._last_line = None, 0, b""
        if header[2].strip(b" \t\r") and word != "goal":
            self._declare(*header.span(2))
        self._is_at_scope = word == "vars"

    def _take_body(self, text: bytes, at: int, end: int) -> None:
        """Take the text below a section line, or a part of it."""
        self._is_at_scope = self._is_at_scope and at == end
        if self._declared is None and self._word not in ("title", "goal"):
            match = _FILLED_LINE.search(text, at, end)
            if match is None:
                return
            self._declare(*match.span(1))
            at = match.end()
        text = text[at:end]
        if self._word == "title":
            lines = (match[1].rstrip(b" \t\r") for match in _FILLED_LINE.finditer(text))
            self._title += [line.decode("utf-8", "replace") for line in lines]
        elif self._word in ("domains", "variables"):
            self._found += _n_lines(text)
        elif self._word in _TABLES:
            self._found += _n_tuples(text)
        if self._word == "constraints" or self._word in _TABLES:
            filled = text.rstrip(_WHITE)
            self._last_line = filled[filled.rfind(b"\n") + 1 :] or self._last_line

    def _declare(self, start: int, end: int) -> None:
        """Take the count at a place, which white space may follow."""
        text = self._source.data[start:end].rstrip(_WHITE)
        place = _Place(self._source, start, start + len(text))
        if not _WHOLE_COUNT.fullmatch(text):
            shown = text[:_MAX_COUNT_LENGTH].decode("utf-8", "replace")
            self.stop("F102", f"expected a count for {self._word.capitalize()}:, found {shown}", place)
        self._declared = int(text), place

    def _close(self, next_word: str) -> None:
        """Compare the count of a section that is at its end."""
        word, declared = self._word, self._declared
        if word in ("title", "goal"):
            return
        if declared is None:
            self.stop("F101", f"{word.capitalize()}: has no count", self._header)
        elif word == "constraints":
            self._constraints = declared
        elif word in _TABLES:
            n_tuples = self._found - (next_word == "vars")  # the next constraint's label is no tuple
            self._totals[word] += n_tuples
            label = self._label.strip(b" \t\r").removesuffix(b":").rstrip(b" \t").decode("utf-8", "replace")
            self._compare(declared, n_tuples, f"constraint {label} ", "tuples")
        elif word != "vars":
            self._totals[word] = self._found
            self._compare(declared, self._found, "", word)

    def _compare(self, declared: tuple[int, _Place], n_found: int, owner: str, things: str) -> None:
        n, place = declared
        if n == n_found:
            return
        if len(self._diagnostics) >= DEFAULT_LIMIT:
            self._n_hidden += 1
            return
        self._report("F103", f"{owner}declared {n} {things}, found {n_found}", place, f"{n_found} follow")


def count_contents(file: FileName, max_bytes: int = MAX_TEXT_BYTES) -> Counts:
    """Count the contents of a file without reading names and values, in memory for its longest line.

    Raises:
        InvalidInput: a count differs from what follows it, or the sections are not found; other faults are not seen.
        OSError: the file cannot be read.
    """
    counter = _Counter(os.fspath(file))
    try:
        for text in _whole_lines(text_chunks(file, max_bytes)):
            counter.take(text)
    except BrokenText as error:
        counter.stop(error.code, str(error))
    return counter.finish()


def _expected_after(word: str) -> str:
    return " or ".join(f"{follower.capitalize()}:" for follower in FOLLOWERS[word])


def _whole_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
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


def _n_lines(text: bytes) -> int:
    """The number of lines that are not blank."""
    text = text.rstrip(_WHITE)
    if text[:1] and text[:1] not in _WHITE and not any(blank in text for blank in _BLANK_ENDS):
        return text.count(b"\n") + 1
    return sum(1 for _ in _FILLED_LINE.finditer(text))


def _n_tuples(text: bytes) -> int:
    """The number of tuples: one for each line without parentheses, or for each opening one."""
    if b"(" not in text:
        return _n_lines(text)
    return sum(match[1].count(b"(") or 1 for match in _FILLED_LINE.finditer(text))
