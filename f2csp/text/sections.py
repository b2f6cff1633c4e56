"""What the section lines of a text mean: a state machine that reads one body after the other.

It reads any text, and tells every fault of form in one run: where a section, a line or a count is not what the
grammar's rule ``start`` asks for. What names, values and counts may be is left to the rules of ``validation``.
"""

import re

from f2csp.diagnostics import Collector, Source
from f2csp.text.blocks import Block, BlockReader
from f2csp.text.columns import Columns
from f2csp.text.constraints import Constraints
from f2csp.text.definitions import Definitions, read_title
from f2csp.text.headers import SPELLING, Header, header_at, is_count, was_told
from f2csp.text.lines import last_line, lines_of, text_of
from f2csp.text.terminals import terminal

MAX_RANGE_VALUES = 10**6

_RANKS = {"domains": 1, "variables": 2, "constraints": 3, "goal": 4}
_INNER = {"vars", "reject", "accept"}
_BLOCK = "block"  # in place of a section word: what stands behind a block of constraints
_GOAL = re.compile(rb"satisfy(?:[ \t]+all(?:[ \t]+constraints)?)?\.?", re.IGNORECASE)
_DOMAINS_IN_TITLE = re.compile(rb"^[ \t]*+domains[ \t]*+:", re.IGNORECASE | re.MULTILINE)


class Sections:
    """Takes one section line after the other; when the next one comes, reads the body of the one before.

    The order of the sections is judged at the end, when all are known.
    """

    def __init__(self, source: Source, collector: Collector, max_range_values: int) -> None:
        """Begin with the title; the ranges of the text may add ``max_range_values`` values."""
        self._data = source.data
        self._collector = collector
        self._columns = Columns(source)
        self._definitions = Definitions(self._columns, collector, max_range_values)
        self._constraints = Constraints(
            self._columns, self._definitions.words, self._definitions.variable_index, collector
        )
        self._current = Header("title", source.start, source.start, (source.start, source.start), source.start)
        self._is_skipped = False  # the current section stands for the second time
        self._seen: dict[str, Header] = {}
        self._first_inner: Header | None = None  # Vars, Reject or Accept before Constraints
        self._has_ended = False  # something behind the goal was told
        self._goal_is_missing = False

    @property
    def is_at_constraints(self) -> bool:
        """Whether all sections before the constraints are read, in their order, and nothing of the constraints."""
        return self._current.word == "constraints" and list(self._seen) == ["domains", "variables", "constraints"]

    def block_reader(self) -> BlockReader:
        """A reader of blocks for these columns; the domains and variables must be read."""
        definitions = self._definitions
        return BlockReader(self._columns, definitions.words, definitions.variable_index)

    def can_take_block(self, start: int) -> bool:
        """Whether all that stands before ``start`` is as it should be, so that a label may begin there."""
        here = self._current
        if here.word == _BLOCK:
            return True
        if self._is_skipped or self._first_inner or "goal" in self._seen:
            return False
        if here.word == "constraints":
            match = terminal("CONSTRAINTS").match(self._data, here.start, start)
            return match is not None and match.end() == start
        return here.word in ("reject", "accept") and self._constraints.is_complete(here, start)

    def take_block(self, block: Block, start: int, stop: int) -> None:
        """Take the constraints that stand from ``start`` to ``stop``."""
        if self._current.word != _BLOCK:
            self._close(start, _BLOCK, start)
        self._constraints.extend(block, start, stop)
        self._current = Header(_BLOCK, stop, stop, (stop, stop), stop)

    def add(self, start: int) -> None:
        """Take the section line at ``start``."""
        header = header_at(self._data, start)
        if self._is_definition(header):
            return
        if self._is_doubled_line(header):
            self._tell_doubled(header, self._current, f"the line {SPELLING[header.word]} stands twice")
            self._current = header
            return
        self._close(start, header.word, header.start)
        previous, self._current = self._current, header
        if header.word in _INNER:
            self._open_inner(header, previous)
        else:
            self._open(header)

    def finish(self) -> Columns:
        """Read the last body, judge the order, and give the columns."""
        end = len(self._data)
        self._close(end, None, end)
        self._definitions.resolve()
        self._constraints.finish()
        cut = self._cut_off()
        if cut:
            self._tell_cut(cut, end)
        elif "goal" not in self._seen:
            self._collector.add("F402", end, end, "the file has no goal", hint="write Goal: and Satisfy")
        self._judge_order(is_cut=bool(cut))
        return self._columns

    def _is_definition(self, header: Header) -> bool:
        """Whether a line that looks like a section header is a line of the current section instead."""
        here, word = self._current.word, header.word
        if not header.has_rest or (word == "goal" and self._is_goal(header) and here != "title"):
            return False
        rest_is_count = is_count(self._data, header.rest)
        if here == "title":
            return not rest_is_count
        if here == "domains":
            return word in _INNER or (word != "variables" and not rest_is_count)
        if here == "variables":
            return word in ("reject", "accept") or (word != "constraints" and not rest_is_count)
        return False

    def _is_doubled_line(self, header: Header) -> bool:
        """Whether the line before is the same header, with nothing in between: then the two are one."""
        before = self._current
        return before.word == header.word and last_line(self._data, before.body, header.start) is None

    def _tell_doubled(self, header: Header, first: Header, message: str) -> None:
        related = [(first.start, first.end, "the first is here")]
        hint = "put everything of a kind into one section"
        self._collector.add("F004", header.start, header.end, message, related=related, hint=hint)

    def _open(self, header: Header) -> None:
        word = header.word
        self._is_skipped = False
        if word in self._seen:
            self._is_skipped = True
            if "goal" in self._seen and (word != "goal" or self._has_ended):  # a second problem in the same text
                self._tell_text_after_goal(header.start, header.end)
                return
            self._tell_doubled(header, self._seen[word], f"the section {SPELLING[word]} stands twice")
            if word == "constraints":
                self._columns.sections[word].is_comparable = False
            return
        later = next((w for w in reversed(self._seen) if _RANKS[w] > _RANKS[word]), None)
        if later is not None:
            name, other = SPELLING[word], SPELLING[later]
            self._collector.add(
                "F005",
                header.start,
                header.end,
                f"the section {name} stands after {other}",
                related=[(self._seen[later].start, self._seen[later].end, f"{name} belongs before this")],
                hint="the order is title, Domains, Variables, Constraints, Goal",
            )
        self._seen[word] = header

    def _open_inner(self, header: Header, previous: Header) -> None:
        if "goal" in self._seen:
            self._is_skipped = True
            self._tell_text_after_goal(header.start, header.end)
            return
        self._is_skipped = False
        if "constraints" not in self._seen and self._first_inner is None:
            self._first_inner = header
        if header.word != "vars" and previous.word != "vars":
            self._constraints.table_without_scope(header, previous)

    def _close(self, end: int, next_word: str | None, next_start: int) -> None:
        """Read the body of the current section, which ends at ``end``."""
        header, word = self._current, self._current.word
        if word == "title":
            self._close_title(end, next_word)
        elif self._is_skipped and (word != "constraints" or "goal" in self._seen):
            pass
        elif word == "domains":
            self._close_definitions(header, end, next_word, follower="variables")
        elif word == "variables":
            self._close_definitions(header, end, next_word, follower="constraints")
        elif word == "constraints":
            self._constraints.begin(header, end, next_word)
        elif word == _BLOCK:
            self._constraints.between(header.body, end, next_word)
        elif word == "vars":
            self._constraints.scope(header, end, next_word, next_start)
        elif word == "goal":
            self._close_goal(header, end)
        else:
            self._constraints.table(header, end, next_word)

    def _close_title(self, end: int, next_word: str | None) -> None:
        """Read the title; a line ``Domains: x`` in it was meant as the section if no other follows."""
        data = self._data
        start = self._current.start
        match = _DOMAINS_IN_TITLE.search(data, start, end) if next_word != "domains" else None
        if match is None:
            read_title(self._columns, start, end, self._collector)
            return
        read_title(self._columns, start, match.start(), self._collector)
        header = self._current = self._seen["domains"] = header_at(data, match.start())
        self._close_definitions(header, end, next_word, follower="variables")

    def _close_definitions(self, header: Header, end: int, next_word: str | None, follower: str) -> None:
        follower_is_missing = next_word not in (follower, None)
        if next_word == "vars":
            self._constraints.take_label_below(header.body, end)
        if header.word == "domains":
            self._definitions.read_domains(header, end, only_declared=follower_is_missing)
        else:
            self._definitions.read_variables(header, end, only_declared=follower_is_missing)

    def _is_goal(self, header: Header) -> bool:
        return _GOAL.fullmatch(self._data, *header.rest) is not None

    def _close_goal(self, header: Header, end: int) -> None:
        data = self._data
        match = terminal("GOAL").match(data, header.start, end)
        if match:
            rest = match.end()
        else:
            goal = header.rest if header.has_rest else next(lines_of(data, header.body, end), None)
            if goal is None or (goal[1] == len(data) and b"satisfy".startswith(data[slice(*goal)].lower())):
                self._goal_is_missing = True
                return
            text = text_of(data, goal)[:40]
            self._collector.add("F008", *goal, f"{text} is no goal that the format knows", hint="write Satisfy")
            rest = goal[1] if not header.has_rest else header.body
        extra = next(lines_of(data, rest, end), None)
        if extra:
            self._tell_text_after_goal(*extra)

    def _tell_text_after_goal(self, start: int, end: int) -> None:
        if not self._has_ended:
            hint = "remove it, or move it into a file of its own"
            self._collector.add("F009", start, end, "text follows the goal, which ends a problem", hint=hint)
        self._has_ended = True

    def _cut_off(self) -> str | None:
        """What the text lacks, if it ends inside a section or before a declared count is reached."""
        word = self._current.word
        last = max((_RANKS[w] for w in self._seen), default=0)
        if last < _RANKS["constraints"] and self._first_inner is None:
            due = next(w for w, rank in _RANKS.items() if rank == last + 1)
            inside = f"in the section {SPELLING[word]}" if word != "title" else "in the title"
            return f"{inside}, before {SPELLING[due]}"
        if word == "goal":
            return "after Goal:, before Satisfy" if self._goal_is_missing and not self._is_skipped else None
        if "goal" in self._seen:
            return None
        return self._cut_off_in_constraints(word)

    def _cut_off_in_constraints(self, word: str) -> str | None:
        section = self._columns.sections["constraints"]
        if word == "vars":
            return f"in the scope of constraint {section.found}, before its Reject: or Accept:"
        if self._constraints.missing_rows:
            return self._constraints.missing_rows[1]
        if word in SPELLING and not self._current.has_rest and self._has_no_body():
            return f"after {SPELLING[word]}, before the count"
        declared = section.count.value if section.count else None
        if declared is not None and section.found < declared:
            return f"declared {declared} constraints, found {section.found}"
        last = last_line(self._data, self._current.body, len(self._data))
        if last and last[1] == len(self._data) and b"goal".startswith(self._data[last[0] : last[1]].lower()):
            return "inside the word Goal"
        return None

    def _tell_cut(self, what: str, end: int) -> None:
        """One fault for the end; what the cut has made of the last line is no fault of its own."""
        if self._collector.is_spoiled(end):  # nothing of the text could be read, which was told
            return
        if not self._data.endswith(b"\n"):
            self._collector.withdraw(self._data.rfind(b"\n") + 1, end)
        if not self._current.has_rest and self._has_no_body():
            self._collector.withdraw(self._current.start, end)
        if self._constraints.missing_rows:
            count, _ = self._constraints.missing_rows
            self._collector.spoil(count.start, count.end)
        self._columns.sections["constraints"].is_comparable = False
        if self._current.word in self._columns.sections:
            self._columns.sections[self._current.word].is_comparable = False
        message = f"the file ends early: {what}"
        hint = "get the whole file again" if self._seen else "an F2CSP file has a line Domains: below its title"
        self._collector.add("F007", end, end, message, label="the file ends here", hint=hint)

    def _has_no_body(self) -> bool:
        return last_line(self._data, self._current.body, len(self._data)) is None

    def _judge_order(self, *, is_cut: bool) -> None:
        """Tell the sections that are missing or stand before their time; look no further for what they declare."""
        columns = self._columns
        headers = sorted((h.start, w) for w, h in self._seen.items())
        for word in ("domains", "variables", "constraints"):
            if word in self._seen:
                continue
            if word == "domains":
                columns.knows_domains = False
            columns.knows_variables = columns.knows_variables and word != "variables"
            followers = [start for start, w in headers if _RANKS[w] > _RANKS[word]]
            if self._first_inner is not None:
                followers.append(self._first_inner.start)
            if followers:
                self._tell_missing(word, min(followers))
        if "constraints" in self._seen and self._first_inner is not None:
            inner = self._first_inner
            message = f"{SPELLING[inner.word]} stands before the section Constraints:"
            self._collector.add("F005", inner.start, inner.end, message, hint="constraints belong below Constraints:")
            columns.sections["constraints"].is_comparable = False
        if "constraints" in self._seen and self._seen["constraints"].start < self._start_of("variables"):
            columns.knows_variables = False
        if "domains" in self._seen and headers[0][1] != "domains":
            self._columns.domain_is_open[:] = [True] * len(columns.domain_names)
        if is_cut and not columns.sections["variables"].is_comparable:
            columns.knows_variables = False

    def _start_of(self, word: str) -> int:
        return self._seen[word].start if word in self._seen else 0

    def _tell_missing(self, word: str, start: int) -> None:
        if was_told(word, self._data, 0, start, self._collector):
            return
        header = header_at(self._data, self._data.rfind(b"\n", 0, start) + 1 or self._columns.source.start)
        name = SPELLING[word]
        message = f"the section {name} is missing before {SPELLING[header.word]}"
        self._collector.add("F003", header.start, header.end, message, hint=f"write {name} and its count before this")
