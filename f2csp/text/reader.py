"""The reader of texts, valid or not: it fills columns, and reports every fault of form.

A text is cut at its section lines; each body is read knowing the header before it and the one after it. Constraints
are read in parts, and only those with a fault one after the other. After a fault of structure (a section missing,
doubled or misplaced) nothing more is reported of that section. Columns are filled with everything that can be read, so
that the rules find further faults in them.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from f2csp.diagnostics import Collector, Fault, Source, near_word_hint
from f2csp.files import ByteProgress, check_encoding
from f2csp.model.words import is_section_word
from f2csp.text.columns import SECTIONS, Columns
from f2csp.text.constraint_sections import ConstraintReader
from f2csp.text.line_faults import explain_domain, explain_variable
from f2csp.text.parts import Change, Part, PartReader, ReadParts, first_label
from f2csp.text.recorder import MAX_COUNTED, MAX_RANGE_VALUES, Recorder
from f2csp.text.source_lines import SPELLING, Header, header_at, last_line, line_spans, text_at, word_spans
from f2csp.text.terminals import pattern, terminal

_PART = "part"  # the word of a header that stands for a part without a fault
_RANKS = {word: rank for rank, word in enumerate(("title", *SECTIONS, "goal"))}
_INNER = ("vars", "reject", "accept")
_SECTION_LINE = re.compile(rb"^(?:%b)" % pattern("_SECTION"), re.MULTILINE)
_DOMAINS_IN_TITLE = re.compile(rb"^[ \t]*+domains[ \t]*+:", re.IGNORECASE | re.MULTILINE)
_OTHER_FORMATS = {
    "XCSP3": re.compile(rb"<instance\b"),
    "DIMACS CNF": re.compile(rb"^p cnf ", re.MULTILINE),
    "JSON": re.compile(rb"\A\s*+\{"),
    "a puzzle": re.compile(rb"\A(?:[ \t]*+[0-9]++(?:[ \t]++[0-9]++){0,2}+[ \t\r]*+\n){2}"),
}
_MAX_GOAL_LENGTH = 40  # characters of a wrong goal that a message shows


@dataclass(frozen=True, slots=True)
class TextReading:
    """A text that was read: its columns, and its parts, so that it can be read again after an edit."""

    columns: Columns
    is_text: bool  # without a forbidden character
    parts: ReadParts | None  # None where the constraints are not behind the domains and the variables
    max_range_values: int

    def edited(self, source: Source, changes: Sequence[Change], collector: Collector) -> "TextReading":
        """Read the text after changes, which are in its order; only the head and what they touch are read again."""
        return read(source, collector, self.max_range_values, known=self, changes=changes)


def read(
    source: Source,
    collector: Collector,
    max_range_values: int = MAX_RANGE_VALUES,
    advance: ByteProgress | None = None,
    *,
    known: TextReading | None = None,
    changes: Sequence[Change] = (),
) -> TextReading:
    """Read a text into columns; every fault of form goes to the collector. Linear in the text, in time and memory.

    What was ``known`` of it before some changes is not read again.
    """
    if not known or not known.is_text or not _are_text(source, changes):
        check_encoding(source, collector)
    is_text = not collector.n_errors
    reader = _SectionReader(source, collector, max_range_values, advance, known.parts if known else None, changes)
    return TextReading(reader.run(), is_text, reader.parts, max_range_values)


def _are_text(source: Source, changes: Sequence[Change]) -> bool:
    """Whether the lines that were changed have no forbidden character."""
    shift = 0
    for change in changes:
        start = source.data.rfind(b"\n", 0, change.start + shift) + 1
        shift += change.growth
        end = source.data.find(b"\n", change.end + shift) + 1 or len(source.data)
        collector = Collector(Source(source.name, source.data[start:end]))
        check_encoding(collector.source, collector)
        if collector.n_errors:
            return False
    return True


class _SectionReader:
    """Goes through the sections of a text in their order."""

    def __init__(
        self,
        source: Source,
        collector: Collector,
        max_range_values: int,
        advance: ByteProgress | None = None,
        known: ReadParts | None = None,
        changes: Sequence[Change] = (),
    ) -> None:
        """Read a text; what was ``known`` of its constraints before some changes is not read again."""
        self._source, self._data, self._collector = source, source.data, collector
        self._recorder = Recorder(source, max_range_values, collector.report)
        self._report = collector.report
        self._columns = self._recorder.columns
        self._constraints = ConstraintReader(self._recorder, collector)
        self._last = Header("title", source.start, source.start, (source.start, source.start), source.start)
        self._seen: dict[str, Header] = {}
        self._first_inner: Header | None = None  # Vars, Reject or Accept before Constraints
        self.parts: ReadParts | None = None
        self._advance, self._known, self._changes = advance, known, changes
        self._good: dict[int, Part] = {}  # parts without a fault of form, by the place of their first ``Vars:``
        self._late: set[str] = set()  # sections behind one that needs what they declare
        self._goal_is_missing = False
        self._has_ended = False  # text after the goal is reported

    def run(self) -> Columns:
        """Read all sections, then check their order."""
        constraints = self._constraints
        readers: dict[str, Callable[[Header, int, str | None], None]]
        readers = {"title": self._read_title, "domains": self._read_definitions, "variables": self._read_definitions}
        readers |= {"constraints": constraints.begin, "vars": constraints.scope, "goal": self._read_goal}
        readers[_PART] = self._take_part
        for first, header, following in self._sections():
            if self._collector.n_errors > MAX_COUNTED:
                for section in self._columns.sections.values():
                    section.is_comparable = section.is_complete = False  # behind this place nothing is looked for
                return self._recorder.finish()
            previous, self._last = self._last, header
            self._goal_is_missing = False
            if self._open(first, previous):
                end, next_word = (following.start, following.word) if following else (len(self._data), None)
                readers.get(header.word, constraints.table)(header, end, next_word)
        self._recorder.finish()
        cut = self._cut_off()
        if cut:
            self._report_cut(cut)
        elif "goal" not in self._seen:
            self._recorder.report_missing_goal()
        self._check_order(is_cut=bool(cut))
        if self._collector.n_errors and self._data.startswith(b"{\\rtf"):
            self._collector.clear()
            hint = "save it as plain text in UTF-8"
            self._report(Fault("F012", 0, 5, "the text is RTF, as a word processor writes it", hint))
            self._collector.suppress(0, len(self._data) + 1)
        return self._columns

    # ---- Sections

    def _sections(self) -> Iterator[tuple[Header, Header, Header | None]]:
        """The title and every section header, each with the one after it; a repeated one comes first and last."""
        first = current = self._last
        at = self._source.start  # ^ does not match behind a byte-order mark
        match = terminal("_SECTION").match(self._data, at) or _SECTION_LINE.search(self._data, at)
        parts: Iterator[Part] = iter(())
        part = None
        while match:
            header = header_at(self._data, match.start())
            if part and header.start > part.start:
                yield first, current, header
                first = current = header._replace(word=_PART)
                self._good[header.start] = part
                match = _SECTION_LINE.search(self._data, self._data.rfind(b"\n", 0, part.end) + 1)
                part = next(parts, None)
                continue
            if not self._is_definition(current.word, header):
                has_goal = header.word == "goal" and current.has_rest
                is_empty = last_line(self._data, current.body, header.start) is None and not has_goal
                if current.word == header.word and is_empty:
                    self._report_doubled(header, current, f"the line {SPELLING[header.word]} is repeated")
                else:
                    yield first, current, header
                    first = header
                    if header.word in ("constraints", "vars") and self.parts is None:
                        parts = self._read_parts(header)
                        part = next(parts, None)
                current = header
            match = _SECTION_LINE.search(self._data, match.end())
        yield first, current, None

    def _read_parts(self, header: Header) -> Iterator[Part]:
        """Read the constraints in parts; gives those without a fault, but the last one if it may be cut off."""
        recorder, parts = self._recorder, list[Part]()
        count = terminal("CONSTRAINTS").match(self._data, header.start)
        if start := first_label(self._data, count.end() - 1 if count else header.end):
            parts = PartReader(recorder, self._collector, self._advance).read(start, self._known, self._changes)
            if self._advance:  # by what is not in the parts
                self._advance(len(self._data) - parts[-1].end + start)
        self.parts = ReadParts(parts, self._columns.tables, recorder.words, recorder.variable_index)
        is_whole = "variables" in self._seen and bool(parts) and parts[-1].end < len(self._data)  # a goal follows
        return (part for part in (parts if is_whole else parts[:-1]) if part.block)

    def _is_definition(self, here: str, header: Header) -> bool:
        """Whether a line that looks like a header is a line of the section ``here``."""
        word = header.word
        if not header.has_rest or here not in ("title", "domains", "variables"):
            return False
        rest = self._data[slice(*header.rest)]
        is_count = terminal("COUNT").fullmatch(rest) is not None
        if here == "title" or (word == "goal" and terminal("GOAL_TEXT").fullmatch(rest)):
            return not is_count and here == "title"
        follower, parts = ("variables", _INNER) if here == "domains" else ("constraints", _INNER[1:])
        return word in parts or (word != follower and not is_count)

    def _open(self, header: Header, previous: Header) -> bool:
        """Note a header and report its order; whether its section is to be read."""
        word = "vars" if header.word == _PART else header.word
        if word == "title":
            return True
        if self._has_ended:  # better silent than wrong
            if word not in (*_INNER, *self._seen):
                self._seen[word] = header
                self._late.add(word)
            return False
        if "goal" in self._seen and (word in _INNER or (word in self._seen and word != "goal")):
            self._report_text_after_goal(*header.place)
            return False
        if word in _INNER:
            if "constraints" not in self._seen:
                self._first_inner = self._first_inner or header
            if word != "vars" and previous.word != "vars":
                self._constraints.table_without_scope(header, previous)
            return True
        if word in self._seen:
            self._report_doubled(header, self._seen[word], f"the section {SPELLING[word]} is repeated")
            if word == "constraints":
                self._columns.sections[word].is_comparable = False
            return word == "constraints"
        later = next((w for w in reversed(self._seen) if _RANKS[w] > _RANKS[word]), None)
        if later is not None:
            related = [(*self._seen[later].place, f"{SPELLING[word]} belongs before this")]
            message = f"the section {SPELLING[word]} follows {SPELLING[later]}"
            hint = "the order is title, Domains, Variables, Constraints, Goal"
            self._report(Fault("F005", *header.place, message, hint, related=related))
        if later is not None or self._columns.n_constraints:
            self._late.add(word)
        self._seen[word] = header
        return True

    def _report_doubled(self, header: Header, first: Header, message: str) -> None:
        related = [(*first.place, "the first is here")]
        hint = "put everything of one kind into one section"
        self._report(Fault("F004", *header.place, message, hint, related=related))

    def _report_text_after_goal(self, start: int, end: int) -> None:
        hint = "remove it, or move it into a file of its own"
        self._report(Fault("F009", start, end, "text follows the goal, which ends a problem", hint))
        self._has_ended = True

    # ---- Bodies

    def _read_title(self, title: Header, end: int, next_word: str | None) -> None:
        """Read the title; a line ``Domains: x`` in it is the section if no other follows."""
        match = _DOMAINS_IN_TITLE.search(self._data, title.start, end) if next_word != "domains" else None
        self._recorder.title(title.start, match.start() if match else end)
        if match:
            self._last = self._seen["domains"] = header_at(self._data, match.start())
            self._read_definitions(self._last, end, next_word)

    def _read_definitions(self, header: Header, end: int, next_word: str | None) -> None:
        """Read the lines of a section; where the next one is missing, those beyond the count belong to that."""
        word = header.word
        section = self._columns.sections[word]
        if next_word == "vars":
            self._constraints.take_label(header.body, end)
        count, body = self._recorder.count(header, end, any_word=True)
        section.count = section.count or count
        is_domain = word == "domains"
        line = terminal("DOMAIN_LINE" if is_domain else "VARIABLE_LINE")
        record = self._recorder.domain_line if is_domain else self._recorder.variable_line
        n_left = len(self._data)
        if next_word not in ("variables" if is_domain else "constraints", None) and section.count.value is not None:
            n_left = section.count.value
        while body < end and n_left:
            match = line.match(self._data, body, end)
            if match and not self._collector.is_suppressed(body, match.end()):
                record(body, match.end())
                body = match.end()
            elif faulty := next(line_spans(self._data, body, end), None):
                self._read_definition(word, *faulty)
                body = faulty[1]
            else:
                break
            n_left -= 1

    def _read_definition(self, section: str, start: int, end: int) -> None:
        """Read one line of the domains or the variables."""
        data, recorder, columns = self._data, self._recorder, self._columns
        is_domain = section == "domains"
        line, explain = ("DOMAIN_LINE", explain_domain) if is_domain else ("VARIABLE_LINE", explain_variable)
        fault = None if terminal(line).fullmatch(data, start, end) else explain(data, start, end)
        if fault:
            self._report(fault)
            columns.sections[section].n_faulty += 1
        name = next(word_spans(data, start, end), None)
        is_known = name is not None and not self._collector.is_suppressed(start, end)
        columns.sections[section].is_complete &= is_known
        index = recorder.domain_index if is_domain else recorder.variable_index
        if name is None or (fault and fault.start == name[0] and _is_no_new_name(data[slice(*name)], index)):
            columns.sections[section].found += 1  # the recorder counts the others
        elif is_domain:
            recorder.domain(name, end, is_open=fault is not None or not is_known)
        else:
            *_, domain = word_spans(data, start, end)
            recorder.variable(name, b"" if fault else data[slice(*domain)])

    def _take_part(self, header: Header, end: int, next_word: str | None) -> None:
        """Record the constraints of a part without a fault, and read what is between it and the next header."""
        part = self._good[header.start]
        if part.block:
            self._recorder.block(part.block, part.start)
            self._constraints.pass_over(part, end, next_word)

    def _read_goal(self, header: Header, end: int, _: str | None) -> None:
        data = self._data
        match = terminal("GOAL").match(data, header.start, end)
        rest = match.end() if match else header.body
        if not match:
            goal = header.rest if header.has_rest else next(line_spans(data, header.body, end), None)
            if goal is None or (goal[1] == len(data) and b"satisfy".startswith(data[slice(*goal)].lower())):
                self._goal_is_missing = True
                return
            shown = text_at(data, goal)[:_MAX_GOAL_LENGTH]
            edit = (*goal, "Satisfy") if near_word_hint(shown.capitalize(), ["Satisfy"]) else None
            self._report(Fault("F008", *goal, f"expected the goal Satisfy, found {shown}", "write Satisfy", edit=edit))
            rest = max(rest, goal[1])
        extra = next(line_spans(data, rest, end), None)
        if extra:
            self._report_text_after_goal(*extra)

    # ---- The end, and the order

    def _cut_off(self) -> str | None:
        """What the text lacks, if it ends inside a section or before a declared count is reached."""
        word = self._last.word
        last = max((_RANKS[w] for w in self._seen), default=0)
        if last < _RANKS["constraints"] and self._first_inner is None:
            inside = f"in the section {SPELLING[word]}" if word != "title" else "in the title"
            return f"{inside}, before {SPELLING[list(_RANKS)[last + 1]]}"
        if "goal" in self._seen:
            return "after Goal:, before Satisfy" if self._goal_is_missing else None
        return self._constraints.cut_off(self._last, has_body=self._has_body())

    def _report_cut(self, what: str) -> None:
        """Report one fault for the end, and retract the faults that it causes in the last line."""
        end = len(self._data)
        if self._collector.is_suppressed(end):  # nothing of the text could be read, which is reported
            return
        if not self._data.endswith(b"\n"):
            self._collector.retract(self._data.rfind(b"\n") + 1, end)
        if not self._last.has_rest and not self._has_body():
            self._collector.retract(self._last.start, end)
        for word in ("constraints", self._last.word):
            if word in self._columns.sections:
                self._columns.sections[word].is_comparable = False
        hint = "get the whole file again" if self._seen else "an F2CSP file has a line Domains: below its title"
        other = next((name for name, form in _OTHER_FORMATS.items() if form.search(self._data)), None)
        if other and not self._seen:
            hint = f"the text looks like {other}; --from names another format, as does f2csp.read"
        place = what if what.startswith(("in", "after")) else f"early: {what}"
        self._report(Fault("F007", end, end, f"the file ends {place}", hint, label="the file ends here"))

    def _has_body(self) -> bool:
        return last_line(self._data, self._last.body, len(self._data)) is not None

    def _check_order(self, *, is_cut: bool) -> None:
        """Report sections that are missing or misplaced; the names that they declare are not known."""
        columns, seen, inner = self._columns, self._seen, self._first_inner
        starts = {word: header.start for word, header in seen.items()} | ({"vars": inner.start} if inner else {})
        for rank, word in enumerate(SECTIONS, 1):
            others = [start for other, start in starts.items() if _RANKS.get(other, rank + 1) > rank]
            is_missing = word not in seen
            if is_missing and others:
                self._report_missing(word, min(others))
            is_late = word in self._late
            columns.sections[word].is_complete &= not is_missing and (not is_late or word == "domains")
            if is_late and word == "domains":
                columns.domain_is_open[:] = [True] * len(columns.domain_names)
        if "constraints" in seen and inner:
            message = f"{SPELLING[inner.word]} precedes the section Constraints:"
            self._report(Fault("F005", *inner.place, message, "constraints belong below Constraints:"))
            columns.sections["constraints"].is_comparable = False
        if is_cut and not columns.sections["variables"].is_comparable:
            columns.sections["variables"].is_complete = False

    def _report_missing(self, word: str, start: int) -> None:
        line_start = self._data.rfind(b"\n", 0, start) + 1 or self._source.start
        if not self._constraints.is_hidden(word, 0, line_start):
            header, name = header_at(self._data, line_start), SPELLING[word]
            message = f"the section {name} is missing before {SPELLING[header.word]}"
            self._report(Fault("F003", *header.place, message, f"write {name} and its count before this"))


def _is_no_new_name(word: bytes, index: Mapping[bytes, int]) -> bool:
    return word in index or is_section_word(word.decode("utf-8", "replace"))
