"""Counts of a text without its names and values, in constant memory.

The structure is found from the section lines, and each count is compared with what follows it. Constraints in plain
form are passed over in one loop; every other spelling is counted here, section by section.
"""

import os
import re
from dataclasses import dataclass

from f2csp.diagnostics import DEFAULT_LIMIT, Diagnostic, InvalidInput, Source
from f2csp.files import MAX_TEXT_BYTES, BrokenText, FileName, text_chunks
from f2csp.text.counter_lines import FILLED_LINE, PlainConstraints, n_lines, n_tuples, whole_lines
from f2csp.text.terminals import pattern, terminal

_HEADER = re.compile(rb"[ \t]*+(%b)[ \t]*+:[ \t]*+([^\n]*+)\n?" % pattern("_SECTION_WORD"))
_COUNT = terminal("COUNT")

_FOLLOWERS = {
    "title": ("domains",),
    "domains": ("variables",),
    "variables": ("constraints",),
    "constraints": ("vars", "goal"),
    "vars": ("reject", "accept"),
    "reject": ("vars", "goal"),
    "accept": ("vars", "goal"),
    "goal": (),
}
_TABLES = ("reject", "accept")
_SHOWN = 40  # characters of a malformed count that a message shows
_HINT = "f2csp-validate reports every fault of the file"


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of a text.

    Attributes:
        title: its lines joined by newlines.
        domains: the number of domains.
        variables: the number of variables.
        constraints: the number of constraints.
        accepted_tuples: the tuples of all positive tables.
        rejected_tuples: the tuples of all negative tables.
    """

    title: str
    domains: int
    variables: int
    constraints: int
    accepted_tuples: int
    rejected_tuples: int


@dataclass(frozen=True, slots=True)
class _Declared:
    """A declared count and its place: a line, its text, and where the count is in that."""

    value: int
    line: int
    text: bytes
    start: int
    end: int


class Counter:
    """Goes through a text from section line to section line."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._word = "title"
        self._line = 1  # of the text that is taken next
        self._header = b""
        self._declared: _Declared | None = None
        self._is_at_scope = False  # just behind a line of Vars
        self._found = 0  # lines of a section, tuples of a table
        self._last_line = b""
        self._label = b""
        self._title: list[str] = []
        self._totals = dict.fromkeys(("domains", "variables", "constraints", *_TABLES), 0)
        self._constraints: _Declared | None = None
        self._plain = PlainConstraints()
        self._diagnostics: list[Diagnostic] = []
        self._n_hidden = 0

    def take(self, text: bytes) -> None:
        """Take the next lines."""
        at = 0
        while at < len(text):
            if self._is_at_scope:
                at, n_passed, label = self._plain.run(text, at, self._totals)
                if n_passed:
                    self._line += n_passed
                    self._label, self._declared = label, None
            header = self._next_header(text, at)
            end = header.start() if header else len(text)
            self._take_body(text[at:end])
            if header:
                self._take_header(header)
            at = header.end() if header else end

    def finish(self) -> Counts:
        """Compare the last counts, and return the totals."""
        if self._word in ("title", "domains", "variables", "vars"):
            self.stop("F007", f"the file ends early: before {_expected_after(self._word)}")
        self._close("")
        totals = self._totals
        if self._constraints:
            self._compare(self._constraints, totals["constraints"], "", "constraints")
        if self._diagnostics:
            self._diagnostics.sort(key=lambda diagnostic: diagnostic.span.line)
            raise InvalidInput(self._diagnostics, self._n_hidden)
        counts = (totals[word] for word in ("domains", "variables", "constraints", "accept", "reject"))
        return Counts("\n".join(self._title), *counts)

    def stop(self, code: str, message: str, text: bytes = b"", start: int = 0, end: int = 0) -> None:
        """Give up at the current line, whose text is ``text``: what follows cannot be counted."""
        self._diagnostics.append(self._diagnostic(code, message, _Declared(0, self._line, text, start, end)))
        raise InvalidInput(self._diagnostics, self._n_hidden)

    def _diagnostic(self, code: str, message: str, place: _Declared, label: str = "") -> Diagnostic:
        source = Source(self._name, place.text)
        columns = source.places_of((place.start, place.end))
        places = {offset: (place.line, column) for offset, (_, column) in columns.items()}
        return Diagnostic(code, message, self._name, source.excerpt(place.start, place.end, label, places), hint=_HINT)

    def _next_header(self, text: bytes, at: int) -> re.Match[bytes] | None:
        colon = text.find(b":", at)
        while colon >= 0:
            match = _HEADER.match(text, max(text.rfind(b"\n", at, colon) + 1, at))
            if match and not (self._word == "title" and _is_title_line(match[2])):
                return match
            end = text.find(b"\n", colon)
            colon = text.find(b":", end) if end >= 0 else -1
        return None

    def _take_header(self, header: re.Match[bytes]) -> None:
        word = header[1].lower().decode()
        if word not in _FOLLOWERS[self._word]:
            place = (header[0].rstrip(b"\n"), header.start(1) - header.start(), header.end(1) - header.start())
            if self._word == "goal":
                self.stop("F009", "text follows the goal, which ends a problem", *place)
            self.stop(
                "F003", f"expected {_expected_after(self._word)}, found {header[1].decode().capitalize()}:", *place
            )
        self._close(word)
        if word == "vars":
            self._totals["constraints"] += 1
            self._label = self._last_line
        self._word, self._header = word, header[0]
        self._declared, self._found, self._last_line = None, 0, b""
        rest = header[2].strip(b" \t\r")
        if rest and word != "goal":
            start = header.start(2) - header.start()
            self._declare(header[0], start, start + len(rest))
        self._is_at_scope = word == "vars"
        self._line += header[0].count(b"\n")

    def _take_body(self, text: bytes) -> None:
        """Take the text below a section line, or a part of it."""
        self._is_at_scope = self._is_at_scope and not text
        at = 0
        if self._declared is None and self._word not in ("title", "goal"):
            match = FILLED_LINE.search(text)
            if match is None:
                self._line += text.count(b"\n")
                return
            self._line += text.count(b"\n", 0, match.start())
            start = match.start(1) - match.start()
            self._declare(match[0], start, start + len(match[1].rstrip(b" \t\r")))
            self._line -= text.count(b"\n", 0, match.start())
            at = match.end()
        self._count(text[at:])
        self._line += text.count(b"\n")

    def _count(self, text: bytes) -> None:
        if self._word == "title":
            self._title += [
                match[1].rstrip(b" \t\r").decode("utf-8", "replace") for match in FILLED_LINE.finditer(text)
            ]
        elif self._word in ("domains", "variables"):
            self._found += n_lines(text)
        elif self._word in _TABLES:
            self._found += n_tuples(text)
        if self._word == "constraints" or self._word in _TABLES:
            filled = text.rstrip(b" \t\r\n")
            self._last_line = filled[filled.rfind(b"\n") + 1 :] or self._last_line

    def _declare(self, line: bytes, start: int, end: int) -> None:
        """Take the count at this place of the current line."""
        text = line.rstrip(b"\r\n")
        if not _COUNT.fullmatch(text, start, end):
            shown = text[start:end][:_SHOWN].decode("utf-8", "replace")
            message = f"expected a count for {self._word.capitalize()}:, found {shown}"
            self.stop("F102", message, text, start, end)
        self._declared = _Declared(int(text[start:end]), self._line, text, start, end)

    def _close(self, next_word: str) -> None:
        """Compare the count of a section that is at its end."""
        word, declared = self._word, self._declared
        if word in ("title", "goal"):
            return
        if declared is None:
            self.stop("F101", f"{word.capitalize()}: has no count", self._header.rstrip(b"\n"))
        elif word == "constraints":
            self._constraints = declared
        elif word in _TABLES:
            found = self._found - (next_word == "vars")  # the next constraint's label is no tuple
            self._totals[word] += found
            label = self._label.strip(b" \t\r").removesuffix(b":").rstrip(b" \t").decode("utf-8", "replace")
            self._compare(declared, found, f"constraint {label} ", "tuples")
        elif word != "vars":
            self._totals[word] = self._found
            self._compare(declared, self._found, "", word)

    def _compare(self, declared: _Declared, found: int, owner: str, things: str) -> None:
        if declared.value == found:
            return
        if len(self._diagnostics) >= DEFAULT_LIMIT:
            self._n_hidden += 1
            return
        message = f"{owner}declared {declared.value} {things}, found {found}"
        self._diagnostics.append(self._diagnostic("F103", message, declared, f"{found} follow"))


def count(file: FileName, max_bytes: int = MAX_TEXT_BYTES) -> Counts:
    """Count the contents of a file, without reading names and values.

    Args:
        file: a path, or ``-`` for standard input; compressed or not.
        max_bytes: the largest size that a compressed file may expand to.

    Raises:
        InvalidInput: a count differs from what follows it, or the sections are not found; other faults are not seen.
        OSError: the file cannot be read.

    Complexity:
        time: linear; memory: constant, but for the title and the longest line.
    """
    counter = Counter(os.fspath(file))
    try:
        for text in whole_lines(text_chunks(file, max_bytes)):
            counter.take(text)
    except BrokenText as error:
        counter.stop(error.code, str(error))
    return counter.finish()


def _expected_after(word: str) -> str:
    return " or ".join(f"{follower.capitalize()}:" for follower in _FOLLOWERS[word])


def _is_title_line(rest: bytes) -> bool:
    """Whether a title may hold a section word and its colon before ``rest``."""
    rest = rest.strip(b" \t\r")
    return bool(rest) and not _COUNT.fullmatch(rest)
