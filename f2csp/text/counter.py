"""Counts of a text without its names and values, in constant memory.

The structure is found from the section lines, and each count is compared with what follows it. ``counter_plain`` passes
over constraints in plain spelling in a loop that looks once at each distinct table; every other spelling is counted
here, section by section.
"""

import os
import re
from dataclasses import dataclass

from f2csp.diagnostics import DEFAULT_LIMIT, Diagnostic, InvalidInput, Source
from f2csp.files import MAX_TEXT_BYTES, BrokenText, FileName, text_chunks
from f2csp.text.counter_lines import FILLED_LINE, n_lines, n_tuples, whole_lines
from f2csp.text.counter_plain import PlainConstraints

_HEADER = re.compile(
    rb"[ \t]*+(domains|variables|constraints|vars|reject|accept|goal)[ \t]*+:[ \t]*+([^\n]*+)\n?", re.IGNORECASE
)
_COUNT = re.compile(rb"0|[1-9][0-9]{0,17}")

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
_HINT = "f2csp-validate tells every fault of the file"


@dataclass(frozen=True, slots=True)
class Counts:
    """What a text holds.

    Attributes:
        title: its lines joined by newlines.
        domains: how many domains there are.
        variables: how many variables there are.
        constraints: how many constraints there are.
        accepted_tuples: the tuples of all positive tables.
        rejected_tuples: the tuples of all negative tables.
    """

    title: str
    domains: int
    variables: int
    constraints: int
    accepted_tuples: int
    rejected_tuples: int


@dataclass(slots=True)
class _Declared:
    """A declared count, and the line that it stands on."""

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
        self._line = 1  # where what is taken next begins
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
                at = self._take_plain(text, at)
            at = self._take_section(text, at)

    def finish(self) -> Counts:
        """Compare the last counts, and give the totals."""
        if self._word in ("title", "domains", "variables", "vars"):
            due = " or ".join(f"{word.capitalize()}:" for word in _FOLLOWERS[self._word])
            self.stop("F007", f"the file ends early: before {due}")
        self._close("")
        if self._constraints:
            self._compare(self._constraints, self._totals["constraints"], "", "constraints")
        if self._diagnostics:
            self._diagnostics.sort(key=lambda diagnostic: diagnostic.span.line)
            raise InvalidInput(self._diagnostics, self._n_hidden)
        totals = self._totals
        return Counts(
            title="\n".join(self._title),
            domains=totals["domains"],
            variables=totals["variables"],
            constraints=totals["constraints"],
            accepted_tuples=totals["accept"],
            rejected_tuples=totals["reject"],
        )

    def stop(self, code: str, message: str, text: bytes = b"", start: int = 0, end: int = 0) -> None:
        """Give up at the current line, part of which is ``text``: what follows cannot be counted."""
        self._diagnostics.append(self._diagnostic(code, message, self._line, text, start, end, ""))
        raise InvalidInput(self._diagnostics, self._n_hidden)

    def _diagnostic(
        self, code: str, message: str, line: int, text: bytes, start: int, end: int, label: str
    ) -> Diagnostic:
        name = self._name
        source = Source(name, text)
        places = {offset: (line, column) for offset, (_, column) in source.places_of((start, end)).items()}
        excerpt = source.excerpt(start, end, label, places)
        return Diagnostic(code, message, self._name, excerpt, hint=_HINT)

    def _take_plain(self, text: bytes, start: int) -> int:
        """Take plain constraints, if any stand here; give the place behind them."""
        run = self._plain.run(text, start)
        if run.n:
            self._totals["constraints"] += run.n
            self._totals["accept"] += run.accepted_tuples
            self._totals["reject"] += run.rejected_tuples
            self._line += run.n_lines
            self._label, self._declared = run.label, None
        return run.end

    def _take_section(self, text: bytes, at: int) -> int:
        """Take the text up to the next section line, and this line; give the place behind it."""
        header = self._next_header(text, at)
        end = header.start() if header else len(text)
        self._take_body(text[at:end])
        if header is None:
            return end
        self._take_header(header)
        return header.end()

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
            self._stop_at_header(header)
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

    def _stop_at_header(self, header: re.Match[bytes]) -> None:
        place = (header[0].rstrip(b"\n"), header.start(1) - header.start(), header.end(1) - header.start())
        if self._word == "goal":
            self.stop("F009", "text follows the goal, which ends a problem", *place)
        due = " or ".join(f"{word.capitalize()}:" for word in _FOLLOWERS[self._word])
        self.stop("F003", f"{header[1].decode().capitalize()}: stands here, where {due} is due", *place)

    def _take_body(self, text: bytes) -> None:
        """Take what stands below a section line, or a part of it."""
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
        """Take the count that stands at this place of the current line."""
        text = line.rstrip(b"\r\n")
        if not _COUNT.fullmatch(text, start, end):
            shown = text[start:end][:40].decode("utf-8", "replace")
            self.stop("F102", f"expected a count for {self._word.capitalize()}:, found {shown}", text, start, end)
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

    def _compare(self, declared: _Declared, found: int, who: str, things: str) -> None:
        if declared.value == found:
            return
        if len(self._diagnostics) >= DEFAULT_LIMIT:
            self._n_hidden += 1
            return
        message = f"{who}declared {declared.value} {things}, found {found}"
        place = (declared.line, declared.text, declared.start, declared.end)
        self._diagnostics.append(self._diagnostic("F103", message, *place, f"{found} follow"))


def count(file: FileName, max_bytes: int = MAX_TEXT_BYTES) -> Counts:
    """Count what a file holds, without reading names and values.

    Args:
        file: a path, or ``-`` for standard input; compressed or not.
        max_bytes: what a compressed file may expand to.

    Raises:
        InvalidInput: a count differs from what follows it, or no sections can be made out; other faults are not seen.
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


def _is_title_line(rest: bytes) -> bool:
    """Whether a section word and its colon with this behind them may stand in a title."""
    rest = rest.strip(b" \t\r")
    return bool(rest) and not _COUNT.fullmatch(rest)
