"""The rules over columns of another format: a small format of numbers, in which constraints share tables."""

from collections.abc import Callable

import numpy as np
import pytest

from f2csp.diagnostics import ByteSpan, Collector, Diagnostic, InvalidInput, Source
from f2csp.model import Problem
from f2csp.text.columns import UNKNOWN, ColumnsBuilder, DeclaredCount, SourcePlaces
from f2csp.text.rule_book import checked_problem

TEXT = "v x y z / t 0,1 1,0 / c x y / c y z"
"""Variables over 0 and 1; a table of rejected tuples; constraints, which all have the table."""


class NumberPlaces(SourcePlaces):
    """Places of the parts that are separated by slashes; the tuples are in the part ``t``."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        spans, start = [], 0
        for part in source.data.split(b" / "):
            spans.append((start, start + len(part)))
            start += len(part) + 3
        self.variables, self.tuples, *self.constraints = spans

    def words(self, span: ByteSpan) -> list[ByteSpan]:
        start, end = span
        found, at = [], start
        for word in self.source.data[start:end].split(b" "):
            found.append((at, at + len(word)))
            at += len(word) + 1
        return found[1:]

    def variable(self, index: int) -> ByteSpan:
        return self.words(self.variables)[index]

    def constraint(self, index: int) -> ByteSpan:
        return self.constraints[index]

    def names(self, index: int) -> list[ByteSpan]:
        return self.words(self.constraints[index])

    def table(self, index: int) -> ByteSpan:
        return self.tuples

    def rows(self, index: int, wanted: object) -> dict[int, ByteSpan]:
        return dict(enumerate(self.words(self.tuples)))

    def row_values(self, row: ByteSpan) -> list[ByteSpan]:
        return [(row[0], row[0] + 1), (row[1] - 1, row[1])]


def read(text: str, places: type[SourcePlaces] = NumberPlaces) -> Problem:
    source = Source("text", text.encode())
    collector = Collector(source)
    builder = ColumnsBuilder(source, "A title")
    variables, tuples, *constraints = [part.split()[1:] for part in text.split(" / ")]
    domain = builder.domain("D", ["0", "1"])
    indices = {name: builder.variable(name, domain) for name in variables}
    rows = [[builder.words.get(value, UNKNOWN) for value in row.split(",")] for row in tuples]
    if len(set(map(len, rows))) == 1:
        table = builder.table("Reject", np.array(rows))
    else:
        table = builder.ragged_table("Reject", rows)
    for scope in constraints:
        builder.constraint([indices.get(name, UNKNOWN) for name in scope], table)
    return checked_problem(builder.columns(), places(source), collector)


def faults_of(attempt: Callable[[], object]) -> tuple[Diagnostic, ...]:
    with pytest.raises(InvalidInput) as caught:
        attempt()
    assert caught.value.n_hidden == 0
    return caught.value.diagnostics


FAULTS = [
    ("v x y z", "v x y y", ["F201 6-7"]),
    ("v x y z", "v x y goal", ["F202 6-10"]),
    ("v x y z", "v x y z(", ["F509 6-8"]),
    ("c y z", "c y u", ["F204 34-35"]),
    ("c y z", "c y y", ["F205 34-35"]),
    ("c y z", "c y", ["F306 12-15", "F306 16-19"]),
    ("c y z", "c", ["F104 30-31"]),
    ("0,1 1,0", "0,1 0,1", ["F307 16-19"]),
    ("0,1 1,0", "0,1 2,0", ["F304 16-17"]),
    ("0,1 1,0", "0,1 2,3", ["F304 16-17", "F304 18-19"]),
    ("0,1 1,0", "0,1 1,0,1", ["F306 16-21"]),
]


@pytest.mark.parametrize(("sound", "faulty", "expected"), FAULTS)
def test_a_fault_is_reported_once_at_its_place_or_at_the_start(sound: str, faulty: str, expected: list[str]) -> None:
    assert TEXT.count(sound) == 1
    found = faults_of(lambda: read(TEXT.replace(sound, faulty)))
    assert [f"{d.code} {d.span.column - 1}-{d.span.end_column - 1}" for d in found] == expected
    found = faults_of(lambda: read(TEXT.replace(sound, faulty), SourcePlaces))
    assert {(d.span.column, d.span.end_column) for d in found} == {(1, 1)}
    assert {d.code for d in found} == {code[:4] for code in expected}


def test_a_domain_is_checked_at_its_values_or_at_its_declaration() -> None:
    class DomainPlaces(SourcePlaces):
        def declaration(self, index: int) -> ByteSpan:
            return 0, 5

    for places, expected in ((SourcePlaces, (1, 1)), (DomainPlaces, (1, 6))):
        source = Source("text", b"1 2 1")
        builder = ColumnsBuilder(source)
        builder.domain("D", ["1", "2", "1"])
        (fault,) = faults_of(lambda: checked_problem(builder.columns(), places(source), Collector(source)))  # noqa: B023
        assert (fault.code, fault.message) == ("F302", "domain D holds the value 1 twice")
        assert (fault.span.column, fault.span.end_column) == expected


def test_declared_numbers_are_compared_where_the_format_has_them() -> None:
    class CountPlaces(SourcePlaces):
        def arity(self, index: int) -> DeclaredCount:
            return DeclaredCount(3, 1, 2)

        def n_tuples(self, index: int) -> DeclaredCount:
            return DeclaredCount(5, 3, 4)

    source = Source("text", b"?3?5?")
    builder = ColumnsBuilder(source)
    domain = builder.domain("D", ["1"])
    builder.constraint([builder.variable("x", domain)], builder.table("Accept", np.array([[0]])))
    columns = builder.columns()
    columns.declared_arities.append(3)
    columns.declared_tuples.append(5)
    found = faults_of(lambda: checked_problem(columns, CountPlaces(source), Collector(source)))
    assert [(d.code, d.message) for d in found] == [
        ("F104", "constraint C1 declared 3 variables, found 1"),
        ("F103", "constraint C1 declared 5 tuples, found 1"),
    ]


@pytest.mark.parametrize(
    ("given", "labels"), [(["1", "2"], None), ([None, "C2"], None), ([None, "here"], ("C1", "here"))]
)
def test_labels_are_kept_where_they_are_not_the_default_ones(
    given: list[str | None], labels: tuple[str, ...] | None
) -> None:
    source = Source("text", b"")
    builder = ColumnsBuilder(source)
    builder.variable("x", builder.domain("D", ["a", "b"]))
    for value, label in enumerate(given):
        builder.constraint([0], builder.table("Accept", np.array([[value]])), label)
    assert checked_problem(builder.columns(), SourcePlaces(source), Collector(source)).labels == labels
