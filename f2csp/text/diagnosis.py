"""The diagnosis: finds every fault of form in a text that the grammar refuses, and reads the rest of it.

The text is cut at its section lines; each body is read knowing the header before it and the one after it. After a fault
of structure (a section missing, doubled or misplaced) nothing more is reported of that section. Columns are filled with
everything that can be read, so that the rules find further faults in them.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from f2csp.diagnostics import Collector, Source, near_word_hint
from f2csp.model.words import is_section_word
from f2csp.text.columns import Columns
from f2csp.text.diagnosis_constraints import ConstraintDiagnosis
from f2csp.text.diagnosis_lines import explain_domain, explain_variable
from f2csp.text.recorder import Recorder
from f2csp.text.source_lines import (
    SPELLING,
    Fault,
    Header,
    header_at,
    last_line,
    lines_of,
    read_count,
    text_of,
    words_of,
)
from f2csp.text.terminals import pattern, terminal

_RANKS = {"title": 0, "domains": 1, "variables": 2, "constraints": 3, "goal": 4}
_INNER = ("vars", "reject", "accept")
_SECTION = re.compile(rb"^(?:%b)" % pattern("_SECTION"), re.MULTILINE)
_DOMAINS_IN_TITLE = re.compile(rb"^[ \t]*+domains[ \t]*+:", re.IGNORECASE | re.MULTILINE)
_OTHER_FORMATS = {
    "XCSP3": re.compile(rb"<instance\b"),
    "DIMACS CNF": re.compile(rb"^p cnf ", re.MULTILINE),
    "JSON": re.compile(rb"\A\s*+\{"),
    "a puzzle": re.compile(rb"\A(?:[ \t]*+[0-9]++(?:[ \t]++[0-9]++){0,2}+[ \t\r]*+\n){2}"),
}
_SHOWN = 40  # characters of a wrong goal that a message shows


class Diagnosis:
    """Goes through the sections of a text in their order."""

    def __init__(self, source: Source, collector: Collector, max_range_values: int) -> None:
        self._source = source
        self._data = source.data
        self._collector = collector
        self._recorder = Recorder(source, max_range_values, lambda fault: fault.report(collector))
        self._report = self._recorder.report
        self._columns = self._recorder.columns
        self._constraints = ConstraintDiagnosis(self._recorder, collector)
        self._last = Header("title", source.start, source.start, (source.start, source.start), source.start)
        self._seen: dict[str, Header] = {}
        self._first_inner: Header | None = None  # Vars, Reject or Accept before Constraints
        self._goal_is_missing = False
        self._has_ended = False  # text after the goal is reported

    def run(self) -> Columns:
        """Read all sections, then check their order."""
        if self._data.startswith(b"{\\rtf"):
            hint = "save it as plain text in UTF-8"
            self._report(Fault("F012", 0, 5, "the text is RTF, as a word processor writes it", hint))
            self._collector.suppress(0, len(self._data) + 1)
        for first, header, following in self._sections():
            previous, self._last = self._last, header
            self._goal_is_missing = False
            if self._open(first, previous):
                self._read(header, following)
        columns = self._recorder.finish()
        cut = self._cut_off()
        if cut:
            self._report_cut(cut)
        elif "goal" not in self._seen:
            self._recorder.report_missing_goal()
        self._check_order(is_cut=bool(cut))
        return columns

    # ---- Sections

    def _sections(self) -> Iterator[tuple[Header, Header, Header | None]]:
        """The title and every section header, each with the one after it; a repeated one comes first and last."""
        first = current = self._last
        at = self._source.start  # ^ does not match behind a byte-order mark
        match = terminal("_SECTION").match(self._data, at) or _SECTION.search(self._data, at)
        while match:
            header = header_at(self._data, match.start())
            if self._is_definition(current.word, header):
                pass
            elif current.word == header.word and last_line(self._data, current.body, header.start) is None:
                self._report_doubled(header, current, f"the line {SPELLING[header.word]} is repeated")
                current = header
            else:
                yield first, current, header
                first = current = header
            match = _SECTION.search(self._data, match.end())
        yield first, current, None

    def _is_definition(self, here: str, header: Header) -> bool:
        """Whether a line that looks like a header is a line of the section ``here``."""
        word = header.word
        if not header.has_rest or here not in ("title", "domains", "variables"):
            return False
        rest = self._data[slice(*header.rest)]
        if here == "title":
            return not terminal("COUNT").fullmatch(rest)
        if word == "goal" and terminal("GOAL_TEXT").fullmatch(rest):
            return False
        if here == "domains":
            return word in _INNER or (word != "variables" and not terminal("COUNT").fullmatch(rest))
        return word in ("reject", "accept") or (word != "constraints" and not terminal("COUNT").fullmatch(rest))

    def _open(self, header: Header, previous: Header) -> bool:
        """Note a header and report its order; whether its section is to be read."""
        word = header.word
        if word == "title":
            return True
        if self._has_ended:  # better silent than wrong
            if word in _RANKS:
                self._seen.setdefault(word, header)
            return False
        if "goal" in self._seen and (word in _INNER or (word in self._seen and word != "goal")):
            self._report_text_after_goal(header.start, header.end)
            return False
        if word in _INNER:
            if "constraints" not in self._seen and self._first_inner is None:
                self._first_inner = header
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
            name, other = SPELLING[word], self._seen[later]
            related = ((other.start, other.end, f"{name} belongs before this"),)
            message = f"the section {name} follows {SPELLING[later]}"
            hint = "the order is title, Domains, Variables, Constraints, Goal"
            self._report(Fault("F005", header.start, header.end, message, hint, related=related))
        self._seen[word] = header
        return True

    def _report_doubled(self, header: Header, first: Header, message: str) -> None:
        related = ((first.start, first.end, "the first is here"),)
        hint = "put everything of one kind into one section"
        self._report(Fault("F004", header.start, header.end, message, hint, related=related))

    def _report_text_after_goal(self, start: int, end: int) -> None:
        hint = "remove it, or move it into a file of its own"
        self._report(Fault("F009", start, end, "text follows the goal, which ends a problem", hint))
        self._has_ended = True

    def _read(self, header: Header, following: Header | None) -> None:
        """Read the body of a section."""
        word = header.word
        end, next_word = (following.start, following.word) if following else (len(self._data), None)
        if word == "title":
            self._read_title(header.start, end, next_word)
        elif word in ("domains", "variables"):
            self._read_definitions(header, end, next_word)
        elif word == "constraints":
            self._constraints.begin(header, end, next_word)
        elif word == "vars":
            self._constraints.scope(header, end, next_word)
        elif word == "goal":
            self._read_goal(header, end)
        else:
            self._constraints.table(header, end, next_word)

    # ---- Bodies

    def _read_title(self, start: int, end: int, next_word: str | None) -> None:
        """Read the title; a line ``Domains: x`` in it is the section if no other follows."""
        match = _DOMAINS_IN_TITLE.search(self._data, start, end) if next_word != "domains" else None
        self._recorder.title(start, match.start() if match else end)
        if match:
            self._last = self._seen["domains"] = header_at(self._data, match.start())
            self._read_definitions(self._last, end, next_word)

    def _read_definitions(self, header: Header, end: int, next_word: str | None) -> None:
        """Read the lines of a section; where the next one is missing, those beyond the count belong to that."""
        word = header.word
        section = self._columns.sections[word]
        if next_word == "vars":
            self._constraints.take_label(header.body, end)
        count, body, fault = read_count(self._data, header, end, takes_any_word=True)
        section.count = section.count or count
        if fault:
            self._report(fault)
        lines = lines_of(self._data, body, end)
        follower = "variables" if word == "domains" else "constraints"
        if next_word not in (follower, None) and section.count.value is not None:
            lines = islice(lines, section.count.value)
        for line in lines:
            self._read_definition(word, *line)

    def _read_definition(self, section: str, start: int, end: int) -> None:
        """Read one line of the domains or the variables."""
        data, recorder, columns = self._data, self._recorder, self._columns
        is_domain = section == "domains"
        line, explain = ("DOMAIN_LINE", explain_domain) if is_domain else ("VARIABLE_LINE", explain_variable)
        fault = None if terminal(line).fullmatch(data, start, end) else explain(data, start, end)
        if fault:
            self._report(fault)
            columns.sections[section].n_faulty += 1
        name = next(words_of(data, start, end), None)
        is_known = name is not None and not self._collector.is_suppressed(start, end)
        columns.knows_domains &= is_known or not is_domain
        columns.knows_variables &= is_known or is_domain
        index = recorder.domain_index if is_domain else recorder.variable_index
        if name is None or (fault and fault.start == name[0] and _is_no_new_name(data[slice(*name)], index)):
            columns.sections[section].found += 1  # the recorder counts the others
        elif is_domain:
            recorder.domain(name, end, is_open=fault is not None or not is_known)
        else:
            *_, domain = words_of(data, start, end)
            recorder.variable(name, b"" if fault else data[slice(*domain)])

    def _read_goal(self, header: Header, end: int) -> None:
        data = self._data
        match = terminal("GOAL").match(data, header.start, end)
        rest = match.end() if match else header.body
        if not match:
            goal = header.rest if header.has_rest else next(lines_of(data, header.body, end), None)
            if goal is None or (goal[1] == len(data) and b"satisfy".startswith(data[slice(*goal)].lower())):
                self._goal_is_missing = True
                return
            shown = text_of(data, goal)[:_SHOWN]
            edit = (*goal, "Satisfy") if near_word_hint(shown.capitalize(), ["Satisfy"]) else None
            self._report(Fault("F008", *goal, f"expected the goal Satisfy, found {shown}", "write Satisfy", edit=edit))
            rest = max(rest, goal[1])
        extra = next(lines_of(data, rest, end), None)
        if extra:
            self._report_text_after_goal(*extra)

    # ---- The end, and the order

    def _cut_off(self) -> str | None:
        """What the text lacks, if it ends inside a section or before a declared count is reached."""
        word = self._last.word
        last = max((_RANKS[w] for w in self._seen), default=0)
        if last < _RANKS["constraints"] and self._first_inner is None:
            following = next(w for w, rank in _RANKS.items() if rank == last + 1)
            inside = f"in the section {SPELLING[word]}" if word != "title" else "in the title"
            return f"{inside}, before {SPELLING[following]}"
        if "goal" in self._seen:
            return "after Goal:, before Satisfy" if self._goal_is_missing else None
        return self._constraints.cut_off(self._last, has_body=self._has_body())

    def _report_cut(self, what: str) -> None:
        """Report one fault for the end, and retract those that the cut has made of the last line."""
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
            hint = f"the text looks like {other}; f2csp.read and the commands of f2csp read other formats"
        self._report(Fault("F007", end, end, f"the file ends early: {what}", hint, label="the file ends here"))

    def _has_body(self) -> bool:
        return last_line(self._data, self._last.body, len(self._data)) is not None

    def _check_order(self, *, is_cut: bool) -> None:
        """Report sections that are missing or misplaced; the names that they declare are not known."""
        columns, seen, inner = self._columns, self._seen, self._first_inner
        headers = sorted((h.start, w) for w, h in seen.items())
        for word in ("domains", "variables", "constraints"):
            if word in seen:
                continue
            if word == "domains":
                columns.knows_domains = False
            columns.knows_variables &= word != "variables"
            followers = [start for start, w in headers if _RANKS[w] > _RANKS[word]]
            followers += [inner.start] if inner else []
            if followers:
                self._report_missing(word, min(followers))
        if "constraints" in seen and inner:
            message = f"{SPELLING[inner.word]} precedes the section Constraints:"
            self._report(Fault("F005", inner.start, inner.end, message, "constraints belong below Constraints:"))
            columns.sections["constraints"].is_comparable = False
        for word, header in seen.items():
            is_late = any(start < header.start and _RANKS[w] > _RANKS[word] for start, w in headers)
            is_late |= inner is not None and inner.start < header.start
            columns.knows_variables &= word != "variables" or not is_late
            if word == "domains" and is_late:
                columns.domain_is_open[:] = [True] * len(columns.domain_names)
        if is_cut and not columns.sections["variables"].is_comparable:
            columns.knows_variables = False

    def _report_missing(self, word: str, start: int) -> None:
        line_start = self._data.rfind(b"\n", 0, start) + 1 or self._source.start
        if self._constraints.is_hidden(word, 0, line_start):
            return
        header = header_at(self._data, line_start)
        name = SPELLING[word]
        message = f"the section {name} is missing before {SPELLING[header.word]}"
        hint = f"write {name} and its count before this"
        self._report(Fault("F003", header.start, header.end, message, hint))


def _is_no_new_name(word: bytes, index: Mapping[bytes, int]) -> bool:
    return word in index or is_section_word(word.decode("utf-8", "replace"))
