"""Constraints read one after the other: labels, scopes and tables between one section line and the next."""

import re

from f2csp.diagnostics import ByteSpan, Collector, Fault
from f2csp.text.columns import UNKNOWN, DeclaredCount
from f2csp.text.line_faults import TABLES_ONLY, explain_scope, is_expression
from f2csp.text.parts import Part
from f2csp.text.recorder import TABLE_KINDS, Head, Recorder
from f2csp.text.source_lines import (
    SPELLING,
    Header,
    TextPlaces,
    count_tuples,
    find_tuples,
    last_line,
    line_spans,
    text_at,
    word_spans,
)
from f2csp.text.terminals import pattern

_LABEL_LINE = re.compile(rb"(%b)[ \t]*+(:?)" % pattern("_WORD"))
_LIKE_LABELS = re.compile(rb"^[ \t]*+(C[0-9]++)[ \t]*+:?+[ \t\r]*+$", re.MULTILINE)
_MAX_SHOWN = 40  # characters of a faulty line that a message shows


class ConstraintReader:
    """Reads label, scope and table of constraint after constraint, and reports their faults."""

    def __init__(self, recorder: Recorder, collector: Collector) -> None:
        self._recorder, self._collector, self._data = recorder, collector, recorder.source.data
        self._report = collector.report
        self._section = recorder.columns.sections["constraints"]
        self._label: ByteSpan | None = None  # of the next constraint
        self._label_is_reported = False  # as malformed
        self._known_labels: set[bytes] | None = None  # of the form C1, found when one is missing
        self._n_scopes = 0
        self._begun: Head | None = None
        self._has_surplus = False  # the last table had more tuples than declared, and no label after them
        # Label, count and surplus tuples, if the text ends in the table.
        self._last_table: tuple[str, DeclaredCount, int] | None = None

    def begin(self, header: Header, end: int, next_word: str | None) -> None:
        """Read the body of ``Constraints:``: its count and the first label."""
        data = self._data
        count, body = self._recorder.count(header, end, any_word=not self._is_label_alone(header.body, end, next_word))
        self._section.count = self._section.count or count
        if next_word in TABLE_KINDS:  # a constraint without Vars:, which is reported at its table
            return
        end = self.take_label(body, end) if next_word == "vars" else end
        self._label_is_reported = count.value is None and count.start > header.start and self._label is None
        if next_word is None and self._section.count.value:  # the text is cut off here
            return
        line = next(line_spans(data, body, end), None)
        if line:
            message = f"{text_at(data, line)[:_MAX_SHOWN]} is no part of a constraint"
            hint = TABLES_ONLY if is_expression(data, *line) else "a constraint begins with its label and Vars:"
            self._report(Fault("F012", *line, message, hint))
            self._label_is_reported = self._label is None
            self._section.is_comparable &= next_word == "vars"  # otherwise lines are all that the section holds

    def scope(self, header: Header, end: int, next_word: str | None) -> None:
        """Read the body of ``Vars:``."""
        label, self._label = self._label, None
        self._n_scopes += 1
        name = self._data[slice(*label)] if label else b"C%d" % self._n_scopes
        if label is None and not self._label_is_reported:
            hint = f"write a label, such as C{self._n_scopes}, on the line before Vars:"
            if self._known_labels is None:
                self._known_labels = set(_LIKE_LABELS.findall(self._data))
            is_new = name not in self._known_labels
            edit = (header.start, header.start, f"C{self._n_scopes}\n") if is_new else None
            self._report(Fault("F006", *header.place, "the constraint has no label", hint, edit=edit))
        self._label_is_reported = False
        count, body = self._recorder.count(header, end)
        if next_word not in TABLE_KINDS:
            self._report_missing_table(name.decode("utf-8", "replace"), body, end, next_word)
            return
        fault = explain_scope(self._data, body, end)
        arity = UNKNOWN if count.value is None else count.value
        if fault:
            self._report(fault)
        elif arity == UNKNOWN:
            names = self._recorder.names((body, end))
            if names and UNKNOWN not in names:
                arity = len(names)
                TextPlaces(self._recorder.columns).offer_count(count, arity, self._collector)
        start = label[0] if label else header.start
        is_malformed = arity == UNKNOWN or fault is not None or self._collector.is_suppressed(start, end)
        self._begun = Head(name, start, arity, (body, end), is_malformed)

    def table(self, header: Header, end: int, next_word: str | None) -> None:
        """Read the body of ``Reject:`` or ``Accept:``, and the label of the next constraint."""
        begun, self._begun = self._begun, None
        count, body = self._recorder.count(header, end, any_word=not self._is_label_alone(header.body, end, next_word))
        self._has_surplus = False
        if next_word == "vars":
            end = self.take_label(body, end, (begun, count.value) if begun else None)
        if begun is None:
            return
        if next_word not in ("vars", "goal"):
            end = self._without_surplus(body, end, count, is_last=next_word is None)
        n_tuples = UNKNOWN if count.value is None else count.value
        head = begun._replace(is_malformed=begun.is_malformed or self._collector.is_suppressed(header.start, end))
        n_rows = self._recorder.constraint(head, TABLE_KINDS[header.word], n_tuples, (body, end))
        if next_word is None and count.value is not None:
            self._last_table = begun.label.decode("utf-8", "replace"), count, n_rows - count.value

    def pass_over(self, part: Part, end: int, next_word: str | None) -> None:
        """Go on behind a part that is recorded; its text extends to ``end``."""
        self._n_scopes += len(part.block.labels) if part.block else 0
        self._label, self._label_is_reported, self._has_surplus = None, False, False
        if next_word == "vars":
            self.take_label(part.end, end)

    def table_without_scope(self, header: Header, previous: Header) -> None:
        """Report a table without a scope before it: a missing ``Vars:``, or a second table."""
        name = SPELLING[header.word]
        if previous.word in TABLE_KINDS and not self._has_surplus:
            message, related = f"the constraint has a second table, {name}", [(*previous.place, "the first is here")]
            self._report(Fault("F004", *header.place, message, "write two constraints", related=related))
            return
        if not self.is_hidden("vars", previous.body, header.start):
            hint = "write Vars:, the number of variables and their names"
            self._report(Fault("F003", *header.place, f"Vars: is missing before {name}", hint))
        self._section.found += 1
        self._section.n_faulty += 1

    def take_label(self, start: int, end: int, table: tuple[Head, int | None] | None = None) -> int:
        """Take the label of the next constraint off the end of a body, and return the new end."""
        self._label = None
        line = last_line(self._data, start, end)
        match = _LABEL_LINE.fullmatch(self._data, *line) if line else None
        if line is None or match is None:
            return line[0] if line and table and self._is_malformed_label(line, start, table[1]) else end
        if table and self._is_tuple(match, start, *table):
            return end
        self._label = match.span(1)
        return line[0]

    def is_hidden(self, word: str, start: int, end: int) -> bool:
        """Whether a missing header is on a line with a character that is reported."""
        header = re.compile(word.encode() + rb"[ \t]*+:", re.IGNORECASE)
        return any(self._collector.is_suppressed(match.start()) for match in header.finditer(self._data, start, end))

    def cut_off(self, last: Header, *, has_body: bool) -> str | None:
        """What a text without goal lacks, if it ends before a declared count is reached or inside a header."""
        found, count = self._section.found, self._section.count
        if last.word == "vars":
            return f"in the scope of constraint {found}, before its Reject: or Accept:"
        label, n_tuples, n_extra = self._last_table or ("", DeclaredCount(None, 0, 0), None)
        if n_extra is not None and n_extra < 0:
            self._collector.suppress(*n_tuples.place)
            declared = n_tuples.value or 0
            return f"constraint {label} declared {declared} tuples, found {declared + n_extra}"
        if not last.has_rest and not has_body:
            return f"after {SPELLING[last.word]}, before the count"
        if count is not None and count.value is not None and found < count.value:
            return f"declared {count.value} constraints, found {found}"
        line = last_line(self._data, last.body, len(self._data)) if n_extra != 0 else None
        if line and line[1] == len(self._data) and b"goal".startswith(self._data[slice(*line)].lower()):
            return "inside the word Goal"
        return None

    def _report_missing_table(self, label: str, body: int, end: int, next_word: str | None) -> None:
        if next_word == "vars":
            self.take_label(body, end)
        if next_word is not None:
            at = self._label[0] if self._label else end
            lines = line_spans(self._data, body, at)
            expression = next((line for line in lines if is_expression(self._data, *line)), None)
            if expression:
                written = text_at(self._data, expression)[:_MAX_SHOWN]
                message = f"expected the table of constraint {label}, found {written}"
                self._report(Fault("F003", *expression, message, TABLES_ONLY))
            elif not self.is_hidden("(?:reject|accept)", body, at):
                message = f"constraint {label} has no Reject: and no Accept:"
                hint = "write Reject: or Accept:, the number of tuples and the tuples"
                self._report(Fault("F003", at, at, message, hint, label="expected before this"))
        self._section.found += 1
        self._section.n_faulty += 1

    def _is_label_alone(self, start: int, end: int, next_word: str | None) -> bool:
        """Whether a body is one line before ``Vars:``, which can only be the label; so the body has no count."""
        if next_word != "vars":
            return False
        first = next(line_spans(self._data, start, end), None)
        return first is not None and first == last_line(self._data, start, end)

    def _is_malformed_label(self, line: ByteSpan, body: int, declared: int | None) -> bool:
        """Whether the last line before ``Vars:``, which is no label, is in the place of one; then it is reported.

        It is if all declared tuples precede it, and its first word is no value.
        """
        first = next(word_spans(self._data, *line), line)
        if self._data[slice(*first)] in self._recorder.words or self._data[line[0]] == ord("("):
            return False
        if count_tuples(self._data, body, line[0]) != declared:
            return False
        message = f"expected a label, found {text_at(self._data, line)[:_MAX_SHOWN]}"
        self._report(Fault("F012", *line, message, "a label is one name, without blanks"))
        self._label_is_reported = True
        return True

    def _is_tuple(self, match: re.Match[bytes], body: int, begun: Head, declared: int | None) -> bool:
        """Whether a word on the last line before ``Vars:`` is the last tuple of a unary table, and the label missing.

        By the grammar it is the label; a count that is right with it, and a word that is a value and not the next
        default label, say otherwise.
        """
        word, colon = match.groups()
        if colon or word not in self._recorder.words or word == b"C%d" % (self._n_scopes + 1):
            return False
        if len(self._data[slice(*begun.scope)].replace(b",", b" ").split()) != 1:
            return False
        return count_tuples(self._data, body, match.start()) + 1 == declared

    def _without_surplus(self, body: int, end: int, count: DeclaredCount, *, is_last: bool) -> int:
        """The end of the declared tuples, where those beyond them belong to a constraint that is cut off."""
        declared = self._section.count.value if self._section.count else None
        goes_on = declared is not None and declared > self._section.found + 1
        if count.value is None or (is_last and not goes_on):
            return end
        surplus = find_tuples(self._data, body, end, [count.value])
        self._has_surplus = bool(surplus)
        return surplus[count.value][0] if surplus else end
