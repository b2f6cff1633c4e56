"""What tables mean, against all tuples over their domains."""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import f2csp
from f2csp.model import Kind, Problem, ProblemBuilder, Value
from f2csp.structure import Meaning, MeaningKind, allowed_tuples, forbidden_tuples, meanings
from f2csp.structure import allowed as allowed_module
from tests.strategies import problems

Row = tuple[Value, ...]

PREDICATES: dict[MeaningKind, Callable[..., bool]] = {
    MeaningKind.EQUAL: lambda a, b: a == b,
    MeaningKind.DIFFERENT: lambda a, b: a != b,
    MeaningKind.LESS: lambda a, b: a < b,
    MeaningKind.LESS_OR_EQUAL: lambda a, b: a <= b,
    MeaningKind.GREATER: lambda a, b: a > b,
    MeaningKind.GREATER_OR_EQUAL: lambda a, b: a >= b,
}


def allowed_rows(kind: Kind, rows: Sequence[Row], domains: Sequence[Sequence[Value]]) -> set[Row]:
    return set(rows) if kind == "Accept" else set(product(*domains)) - set(rows)


def expected(allowed: set[Row], domains: Sequence[Sequence[Value]]) -> Meaning:
    """The first meaning that fits, from its definition."""
    every = set(product(*domains))
    if not allowed:
        return Meaning(MeaningKind.NEVER_TRUE)
    if len(domains) == 1 and len(allowed) == 1:
        return Meaning(MeaningKind.FIXED_VALUE, next(iter(allowed))[0])
    if allowed == every:
        return Meaning(MeaningKind.ALWAYS_TRUE)
    if len(domains) == 1 and len(allowed) == len(every) - 1:
        return Meaning(MeaningKind.FORBIDDEN_VALUE, next(iter(every - allowed))[0])
    if len(domains) == 2:
        are_numbers = all(isinstance(value, int) for domain in domains for value in domain)
        for kind, holds in PREDICATES.items():
            is_order = kind not in (MeaningKind.EQUAL, MeaningKind.DIFFERENT)
            # Words are compared as words, also where one domain has numbers.
            shown = every if is_order and are_numbers else {tuple(map(str, row)) for row in every}
            named = allowed if is_order and are_numbers else {tuple(map(str, row)) for row in allowed}
            if (not is_order or are_numbers) and {row for row in shown if holds(*row)} == named:
                return Meaning(kind)
    return Meaning(MeaningKind.OTHER)


def holds(meaning: Meaning, allowed: set[Row], domains: Sequence[Sequence[Value]]) -> bool:
    """Whether a meaning that is told where none of the others fits is true, from its definition."""
    every = set(product(*domains))
    match meaning.kind:
        case MeaningKind.NEVER_TRUE | MeaningKind.ALWAYS_TRUE:
            return allowed == (every if meaning.kind == MeaningKind.ALWAYS_TRUE else set())
        case MeaningKind.DIFFERENCE:
            return allowed == {(a, b) for a, b in every if a - b == meaning.value}
        case MeaningKind.SUM:
            return allowed == {(a, b) for a, b in every if a + b == meaning.value}
        case MeaningKind.XOR:
            return allowed == {row for row in every if sum(row) % 2 == meaning.value}
        case MeaningKind.FUNCTIONAL:
            others = [row[: meaning.position] + row[meaning.position + 1 :] for row in allowed]
            return len(set(others)) == len(others)
        case kind:
            return kind == MeaningKind.OTHER


def problem_of(kind: Kind, rows: Sequence[Row], domains: Sequence[Sequence[Value]]) -> Problem:
    builder = ProblemBuilder()
    for i, values in enumerate(domains):
        builder.domain(f"D{i}", values)
        builder.variable(f"x{i}", f"D{i}")
    add = builder.accept if kind == "Accept" else builder.reject
    add([f"x{i}" for i in range(len(domains))], rows)
    return builder.build()


domains_of_values = st.lists(st.integers(-2, 4), min_size=1, max_size=5, unique=True) | st.lists(
    st.sampled_from(["1", "2", "a", "b", "c"]), min_size=1, max_size=4, unique=True
).filter(lambda words: not all(word.isdigit() for word in words))


@st.composite
def tables(draw: DrawFn) -> tuple[Kind, list[Row], list[list[Value]]]:
    """A table of one, two or three variables, most often one that means something, as either kind of table."""
    arity = draw(st.sampled_from([1, 1, 2, 2, 2, 3]))
    domains: list[list[Value]] = [list(draw(domains_of_values)) for _ in range(arity)]
    if arity == 2 and draw(st.booleans()):
        domains[1] = draw(st.permutations(domains[0]))
    every = list(product(*domains))
    if arity == 2 and draw(st.booleans()):
        holds = draw(st.sampled_from(list(PREDICATES.values())))
        are_numbers = all(isinstance(value, int) for domain in domains for value in domain)
        rows = [row for row in every if holds(*(row if are_numbers else map(str, row)))]
    else:
        rows = draw(st.permutations(every))[
            : draw(st.sampled_from([0, 1, len(every) - 1, len(every), len(every) // 2]))
        ]
    for _ in range(draw(st.integers(0, 1)) if rows else 0):  # nearly what it was
        rows.remove(draw(st.sampled_from(rows)))
    Random(draw(st.integers(0, 99))).shuffle(rows)
    return draw(st.sampled_from(["Accept", "Reject"])), rows, domains


def check(found: Meaning, allowed: set[Row], domains: Sequence[Sequence[Value]]) -> None:
    due = expected(allowed, domains)
    if due.kind == MeaningKind.OTHER or len(domains) > 2:
        assert holds(found, allowed, domains)
    else:
        assert found == due


@given(tables())
def test_a_table_means_what_it_allows(table: tuple[Kind, list[Row], list[list[Value]]]) -> None:
    kind, rows, domains = table
    check(meanings(problem_of(kind, rows, domains))[0], allowed_rows(kind, rows, domains), domains)


@given(tables())
def test_a_table_and_its_complement_mean_the_same(table: tuple[Kind, list[Row], list[list[Value]]]) -> None:
    kind, rows, domains = table
    others = [row for row in product(*domains) if row not in set(rows)]
    complement = problem_of("Reject" if kind == "Accept" else "Accept", others, domains)
    check(meanings(complement)[0], allowed_rows(kind, rows, domains), domains)


@given(tables())
def test_allowed_and_forbidden_tuples_are_listed(table: tuple[Kind, list[Row], list[list[Value]]]) -> None:
    kind, rows, domains = table
    problem = problem_of(kind, rows, domains)
    allowed = allowed_rows(kind, rows, domains)
    for listed, due in ((allowed_tuples, allowed), (forbidden_tuples, set(product(*domains)) - allowed)):
        found = listed(problem.relations[0], problem.domain_values)
        assert found is not None
        named = [tuple(problem.words[word] for word in row) for row in found.tolist()]
        assert sorted(named) == sorted(tuple(map(str, row)) for row in due)


def test_tuples_are_not_listed_where_they_are_too_many() -> None:
    side = 257
    assert side**2 > allowed_module.MAX_TUPLES
    domain = range(side)
    rejecting = problem_of("Reject", [(0, 0)], [domain, domain])
    assert allowed_tuples(rejecting.relations[0], rejecting.domain_values) is None
    accepting = problem_of("Accept", [(0, 0)], [domain, domain])
    found = allowed_tuples(accepting.relations[0], accepting.domain_values)
    assert found is not None
    assert found.tolist() == [[0, 0]]
    many = problem_of("Reject", [(0,) * 70], [range(1)] * 70)
    found = allowed_tuples(many.relations[0], many.domain_values)
    assert found is not None
    assert found.shape == (0, 70)


@given(problems())
def test_every_constraint_of_any_problem_has_its_meaning(problem: Problem) -> None:
    found = meanings(problem)
    assert len(set(found.distinct)) == len(found.distinct)
    for i, constraint in enumerate(problem.constraints):
        domains = [next(v.domain.values for v in problem.variables if v.name == name) for name in constraint.scope]
        check(found[i], allowed_rows(constraint.kind, constraint.tuples, domains), domains)
    for kind in MeaningKind:
        assert found.are(kind).tolist() == [found[i].kind == kind for i in range(problem.n_constraints)]
    assert found.are(*MeaningKind).all()


def test_one_table_means_different_things_over_different_domains() -> None:
    builder = ProblemBuilder()
    builder.domain("two", [1, 2])
    builder.domain("three", [1, 2, 3])
    for name, domain in (("a", "two"), ("b", "two"), ("c", "three"), ("d", "three")):
        builder.variable(name, domain)
    for scope in (["a", "b"], ["c", "d"], ["a", "c"]):
        builder.reject(scope, [(1, 1), (2, 2)])
    builder.accept(["a", "b"], [(1, 2)])
    builder.accept(["d", "b"], [(1, 2)])
    builder.reject(["a"], [1])
    builder.reject(["c"], [1])
    problem = builder.build()
    found = meanings(problem)
    assert [found[i].kind.value for i in range(5)] == ["different", "other", "different", "less", "less"]
    assert [found[i] for i in (5, 6)] == [Meaning(MeaningKind.FIXED_VALUE, 2), Meaning(MeaningKind.FORBIDDEN_VALUE, 1)]


@pytest.mark.parametrize("domain", [["a", "b"], ["1", "2", "b"]])
def test_words_that_are_no_numbers_have_no_order(domain: list[str]) -> None:
    pairs: list[Row] = [(a, b) for a in domain for b in domain if a < b]
    found = meanings(problem_of("Accept", pairs, [domain, domain]))
    assert not found.are(*list(PREDICATES), MeaningKind.DIFFERENCE, MeaningKind.SUM).any()


def test_the_ends_of_64_bits_are_in_order() -> None:
    ends = [(1 << 63) - 1, -(1 << 63), 0]
    rows = [(a, b) for a in ends for b in ends if a < b]
    assert meanings(problem_of("Accept", rows, [ends, ends]))[0].kind == MeaningKind.LESS
    assert meanings(problem_of("Accept", [(ends[1],)], [ends]))[0] == Meaning(MeaningKind.FIXED_VALUE, ends[1])


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("Reject:\n1\n1 1", MeaningKind.OTHER),
        ("Accept:\n3\n1 2\n1 3\n2 3", MeaningKind.OTHER),
        ("Reject:\n0", MeaningKind.ALWAYS_TRUE),
        ("Accept:\n0", MeaningKind.NEVER_TRUE),
    ],
)
def test_large_domains_are_not_multiplied_out(table: str, kind: MeaningKind) -> None:
    text = f"\nDomains:\n1\nD: 1..100000\nVariables:\n2\nx: D\ny: D\nConstraints:\n1\nC1\nVars:\n2\nx y\n{table}\n"
    assert meanings(f2csp.loads(text))[0].kind == kind


def test_a_table_of_a_million_tuples() -> None:
    size = 1000
    rows = "\n".join(f"{a} {b}" for a in range(size) for b in range(size) if a != b)
    text = (
        f"Domains:\n2\nD: 0..{size - 1}\nE: {' '.join(str(i) for i in reversed(range(size)))}\nVariables:\n2\nx: D\n"
        f"y: E\nConstraints:\n1\nC1\nVars:\n2\nx y\nAccept:\n{size * (size - 1)}\n{rows}\n"
    )
    assert meanings(f2csp.loads(text))[0].kind == MeaningKind.DIFFERENT


def test_a_problem_without_constraints_has_no_meanings() -> None:
    found = meanings(ProblemBuilder().build())
    assert (found.distinct, len(found.of_constraint)) == ((), 0)
    assert np.array_equal(found.are(MeaningKind.LESS), [])
