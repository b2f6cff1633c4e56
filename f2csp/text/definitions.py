"""The title, the domains and the variables of a text."""

import re
from collections.abc import Iterator
from itertools import islice

from f2csp.diagnostics import Collector
from f2csp.model.words import is_section_word
from f2csp.text.columns import UNKNOWN, UNREADABLE, Columns, Section
from f2csp.text.headers import Header, read_count
from f2csp.text.lines import Fault, Word, domain_fault, lines_of, text_of, variable_fault, words_of
from f2csp.text.tables import RangeBudget, Words, domain_values

_NAME_AND_COLON = re.compile(rb"([^\x00-\x20\x7f:,(){}=]++)[ \t]*+[:=]")
_SIGN = re.compile(rb"[:,(){}=]")
_PLAIN_VARIABLE = re.compile(rb"([^\x00-\x20\x7f:,(){}=]++)[ \t]*+:[ \t]*+([^\x00-\x20\x7f:,(){}=]++)")
_SECOND_MARK = "\ufeff".encode()


def read_title(columns: Columns, start: int, end: int, collector: Collector) -> None:
    """Everything before the domains; blank lines are dropped."""
    data = columns.source.data
    columns.title = "\n".join(text_of(data, line) for line in lines_of(data, start, end))
    at, _ = next(lines_of(data, start, end), (end, end))
    if columns.title and data.startswith(_SECOND_MARK, at):
        hint = "remove it: a file begins with one byte-order mark at the most"
        collector.add("F015", at, at + len(_SECOND_MARK), "the title begins with a byte-order mark", hint=hint)


class Definitions:
    """Reads the lines of the sections Domains and Variables into columns."""

    def __init__(self, columns: Columns, collector: Collector, max_range_values: int) -> None:
        """Read into ``columns``; the ranges of the text may add ``max_range_values`` values."""
        self._columns = columns
        self._data = columns.source.data
        self._collector = collector
        self._ranges = RangeBudget(max_range_values)
        self._domain_index: dict[bytes, int] = {}
        self._variable_domain_names: list[bytes] = []
        self.words = Words(columns.words)
        self.variable_index: dict[bytes, int] = {}

    def read_domains(self, header: Header, end: int, *, only_declared: bool) -> None:
        """Read the body of Domains; with ``only_declared``, what goes beyond the count belongs to a missing section."""
        for start, stop in self._lines("domains", header, end, only_declared=only_declared):
            self._read_domain(start, stop)

    def read_variables(self, header: Header, end: int, *, only_declared: bool) -> None:
        """Read the body of Variables; ``only_declared`` as for the domains."""
        for start, stop in self._lines("variables", header, end, only_declared=only_declared):
            self._read_variable(start, stop)

    def resolve(self) -> None:
        """Find the domains of the variables, once both sections are read, in whatever order they stood."""
        index, columns = self._domain_index, self._columns
        columns.variable_domains.extend(
            [index.get(name, UNKNOWN) if name else UNREADABLE for name in self._variable_domain_names]
        )

    def _lines(self, word: str, header: Header, end: int, *, only_declared: bool) -> Iterator[Word]:
        section = self._columns.sections[word]
        body = read_section_count(section, self._data, header, end, self._collector)
        lines = lines_of(self._data, body, end)
        if only_declared and section.count and section.count.value is not None:
            lines = islice(lines, section.count.value)
        for line in lines:
            section.found += 1
            yield line

    def _read_domain(self, start: int, end: int) -> None:
        columns, data = self._columns, self._data
        match = _NAME_AND_COLON.match(data, start, end)
        is_plain = match is not None and not _SIGN.search(data, match.end(), end)
        fault = None if is_plain else domain_fault(data, start, end)
        name = match.span(1) if match else self._first_word(start, end)
        self._tell(fault, "domains")
        if name is None:
            columns.knows_domains = False
            return
        values, is_complete = domain_values(
            data, match.end() if match else end, end, self.words, self._ranges, self._collector
        )
        if self._repeats_only(fault, name, self._domain_index):
            return
        self._domain_index.setdefault(data[name[0] : name[1]], len(columns.domain_names))
        columns.domain_names.append(text_of(data, name))
        columns.domain_starts.append(name[0])
        columns.domain_values.append(values)
        columns.domain_is_open.append(bool(fault) or not is_complete or self._collector.is_spoiled(start, end))
        if self._collector.is_spoiled(start, end):
            columns.knows_domains = False

    def _read_variable(self, start: int, end: int) -> None:
        columns, data = self._columns, self._data
        match = _PLAIN_VARIABLE.fullmatch(data, start, end)
        if match:
            name, domain = match.span(1), match.group(2)
        else:
            fault = variable_fault(data, start, end)
            self._tell(fault, "variables")
            first = self._first_word(start, end)
            if first is None:
                columns.knows_variables = False
                return
            name, domain = first, b""
            if self._repeats_only(fault, name, self.variable_index):
                return
        if self._collector.is_spoiled(start, end):
            columns.knows_variables = False
        self.variable_index.setdefault(data[name[0] : name[1]], len(columns.variable_names))
        columns.variable_names.append(text_of(data, name))
        columns.variable_starts.append(name[0])
        self._variable_domain_names.append(domain)

    def _first_word(self, start: int, end: int) -> Word | None:
        return next(words_of(self._data, start, end), None)

    def _repeats_only(self, fault: Fault | None, name: Word, index: dict[bytes, int]) -> bool:
        """Whether a line that was told for its first word defines nothing: that word is a known name, or no name."""
        if fault is None or fault.start != name[0]:
            return False
        word = self._data[name[0] : name[1]]
        return word in index or is_section_word(text_of(self._data, name))

    def _tell(self, fault: Fault | None, section: str) -> None:
        if fault:
            self._collector.add(fault.code, fault.start, fault.end, fault.message, hint=fault.hint)
            self._columns.sections[section].n_faulty += 1


def read_section_count(
    section: Section, data: bytes, header: Header, end: int, collector: Collector, *, takes_any_word: bool = True
) -> int:
    """Read the count of a section, if it has none yet, and give the place where its body begins."""
    count, body, fault = read_count(data, header, end, takes_any_word=takes_any_word)
    section.count = section.count or count
    if fault:
        collector.add(fault.code, fault.start, fault.end, fault.message, hint=fault.hint)
    return body
