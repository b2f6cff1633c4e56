"""Where the parts of an instance are in its text; the rules ask for the places of what they report."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable
from functools import cached_property

from f2csp.diagnostics import Source
from f2csp.formats.xcsp3.declarations import Variables
from f2csp.formats.xcsp3.xml_elements import Span, Text
from f2csp.text.columns import Columns, Places

TUPLE = re.compile(rb"\(([^()]*+)\)|\([^()\s]*+|[^\s()]++|\)")
"""A tuple, with its inside as a group; or a word, or part of a tuple."""

_VALUE = re.compile(rb"[^\s(),]++")


class InstancePlaces(Places):
    """The places of constraints, and of the declarations of variables.

    Attributes:
        columns: the columns that the constraints are in.
    """

    columns: Columns

    def __init__(self, source: Source, variables: Variables) -> None:
        super().__init__(source)
        self._variables = variables
        self._firsts = array("q")  # for each element with constraints the index of its first one
        self._spans = array("q")  # and the start and the end of its tag, of its list, of its table
        self._rows: dict[tuple[Span, int], list[int]] = {}

    def add(self, first: int, constraint: Span, scope: Span, table: Span) -> None:
        """Add an element: its first constraint, its tag or its arguments in a group, its list, its table."""
        self._firsts.append(first)
        self._spans.extend((*constraint, *scope, *table))

    def add_rows(self, table: Span, index: int, written: list[int]) -> None:
        """Add for each tuple of a table which written tuple it stems from, if these are fewer."""
        self._rows[table, index] = written

    def domain(self, index: int) -> Span:
        """The values in the first declaration with a domain."""
        return self._domain_texts[index].whole()

    def values(self, index: int) -> Iterable[Span]:
        """The values and ranges in the first declaration with a domain."""
        text = self._domain_texts[index]
        return [text.span(*word.span()) for word in text.words()]

    def variable(self, index: int) -> Span:
        """The tag of the declaration."""
        return self._variables.tags[index]

    def constraint(self, index: int) -> Span:
        """The tag of a constraint, or its arguments in a group."""
        return self._span(index, 0)

    def scope(self, index: int) -> Span:
        """The list of variables."""
        return self._text(self._span(index, 1)).whole()

    def names(self, index: int) -> Iterable[Span]:
        """Each name in the list, if it holds them in order."""
        text = self._text(self._span(index, 1))
        is_listed = [self._variables.index.get(word) for word in text.data.split()] == self.columns.scope(index)
        return [text.span(*word.span()) for word in text.words()] if is_listed else []

    def table(self, index: int) -> Span:
        """The text of the table, or the constraint."""
        return self._span(index, 2)

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, Span]:
        """The written tuples, or the values of an instantiation, one for each constraint."""
        table = self.table(index)
        text = self._text(table)
        if table == self.constraint(index) or b"x" in text.data:
            return dict.fromkeys(wanted, table)
        first = index - self._firsts[self._element(index)]
        written = self._rows.get((table, self.columns.constraint_tables[index]))
        numbers = {row: first + (written[row] if written else row) for row in wanted}
        listed = set(numbers.values())
        found = {i: text.span(*match.span()) for i, match in enumerate(TUPLE.finditer(text.data)) if i in listed}
        return {row: found.get(number, table) for row, number in numbers.items()}

    def row_values(self, row: Span) -> Iterable[Span]:
        """Each value of a tuple."""
        text = self._text(row)
        spans = [text.span(*value.span()) for value in _VALUE.finditer(text.data)]
        return spans if text.data.startswith(b"(") or len(spans) == 1 else []

    def _element(self, index: int) -> int:
        return bisect_right(self._firsts, index) - 1

    def _span(self, index: int, part: int) -> Span:
        at = 6 * self._element(index) + 2 * part
        return self._spans[at], self._spans[at + 1]

    def _text(self, span: Span) -> Text:
        return Text.of(self.source.data, *span)

    @cached_property
    def _domain_texts(self) -> dict[int, Text]:
        """The text of each domain; under the names in notes, of each that a variable has."""
        texts = self._variables.texts
        declared = [texts[domain] for domain in self._variables.domains]
        return dict(enumerate(texts)) | dict(zip(self.columns.variable_domains, declared, strict=True))
