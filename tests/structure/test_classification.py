"""Classification of tables, against all tuples over their domains."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from f2csp.model import Kind, Problem, Value
from f2csp.structure import ConstraintKind, Recognised, classification, classify, conflicts, supports
from f2csp.structure.constraint_groups import MAX_LISTED
from tests.small import problem_of
from tests.strategies import problems

Row = tuple[Value, ...]

PREDICATES: dict[ConstraintKind, Callable[..., bool]] = {
    ConstraintKind.EQUAL: lambda a, b: a == b,
    ConstraintKind.DIFFERENT: lambda a, b: a != b,
    ConstraintKind.LESS: lambda a, b: a < b,
    ConstraintKind.LESS_OR_EQUAL: lambda a, b: a <= b,
    ConstraintKind.GREATER: lambda a, b: a > b,
    ConstraintKind.GREATER_OR_EQUAL: lambda a, b: a >= b,
}
UNORDERED = (ConstraintKind.EQUAL, ConstraintKind.DIFFERENT)
COMBINED: dict[ConstraintKind, Callable[..., int]] = {
    ConstraintKind.DIFFERENCE: lambda a, b: a - b,
    ConstraintKind.SUM: lambda a, b: a + b,
}


def allowed_rows(kind: Kind, rows: Sequence[Row], domains: Sequence[Sequence[Value]]) -> set[Row]:
    return set(rows) if kind == "Accept" else set(product(*domains)) - set(rows)


def expected(allowed: set[Row], domains: Sequence[Sequence[Value]]) -> Recognised:
    """The first meaning that fits, from its definition."""
    return next(fitting(allowed, set(product(*domains)), domains))


def fitting(allowed: set[Row], every: set[Row], domains: Sequence[Sequence[Value]]) -> Iterator[Recognised]:
    """Every meaning that fits, in their order."""
    if not allowed:
        yield Recognised(ConstraintKind.NEVER_TRUE)
    if len(domains) == 1 and len(allowed) == 1:
        yield Recognised(ConstraintKind.FIXED_VALUE, next(iter(allowed))[0])
    if allowed == every:
        yield Recognised(ConstraintKind.ALWAYS_TRUE)
    if len(domains) == 1 and len(every - allowed) == 1:
        yield Recognised(ConstraintKind.FORBIDDEN_VALUE, next(iter(every - allowed))[0])
    if len(domains) == 2:
        yield from fitting_pairs(allowed, every)
    elif len(domains) > 2 and all(set(domain) == {0, 1} for domain in domains):
        parities = {sum(map(int, row)) % 2 for row in allowed}
        if len(parities) == 1 and allowed == {row for row in every if sum(map(int, row)) % 2 in parities}:
            yield Recognised(ConstraintKind.XOR, parities.pop())
    for position in reversed(range(len(domains) if len(domains) > 1 else 0)):
        others = {row[:position] + row[position + 1 :] for row in allowed}
        if len(domains[position]) > 1 and len(others) == len(allowed):
            yield Recognised(ConstraintKind.FUNCTIONAL, position=position)
    yield Recognised(ConstraintKind.OTHER)


def fitting_pairs(allowed: set[Row], every: set[Row]) -> Iterator[Recognised]:
    are_numbers = all(isinstance(value, int) for row in every for value in row)
    for kind, holds in PREDICATES.items():
        # Words are compared as words, also where one domain has numbers.
        if kind in UNORDERED and allowed == {row for row in every if holds(*map(str, row))}:
            yield Recognised(kind)
        if kind not in UNORDERED and are_numbers and allowed == {row for row in every if holds(*row)}:
            yield Recognised(kind)
    if are_numbers:
        for kind, combined in COMBINED.items():
            constants = {combined(*row) for row in allowed}
            if len(constants) == 1 and allowed == {row for row in every if combined(*row) in constants}:
                yield Recognised(kind, constants.pop())


def table_of(kind: Kind, rows: Sequence[Row], domains: Sequence[Sequence[Value]]) -> Problem:
    """A problem of one constraint."""
    names = [f"x{i}" for i in range(len(domains))]
    declared = {f"{name}: {name}": values for name, values in zip(names, domains, strict=True)}
    return problem_of(declared, (f"{kind.lower()} {' '.join(names)}", rows))


def meaning(kind: Kind, rows: Sequence[Row], *domains: Sequence[Value]) -> Recognised:
    return classify(table_of(kind, rows, domains))[0]


domains_of_values = st.one_of(
    st.lists(st.integers(-2, 4), min_size=1, max_size=5, unique=True),
    st.lists(st.integers(-9, 9), min_size=1, max_size=5, unique=True),
    st.permutations([0, 1]),
    st.lists(st.sampled_from([0, 1, 2**61, 2**61 + 1, 2**63 - 1, -(2**63)]), min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from(["1", "2", "a", "b", "c"]), min_size=1, max_size=4, unique=True).filter(
        lambda words: not all(word.isdigit() for word in words)
    ),
)


@st.composite
def tables(draw: DrawFn) -> tuple[Kind, list[Row], list[list[Value]]]:
    """A table of one to four variables, most often one that means something, as either kind of table."""
    arity = draw(st.sampled_from([1, 1, 2, 2, 2, 3, 4]))
    domains: list[list[Value]] = [list(draw(domains_of_values)) for _ in range(arity)]
    if draw(st.booleans()):
        domains[1:] = [list(draw(st.permutations(domains[0]))) for _ in domains[1:]]
    every = list(product(*domains))
    are_numbers = all(isinstance(value, int) for domain in domains for value in domain)
    kind = draw(st.sampled_from(["any", "compared", "combined", "parity", "function"]))
    if kind == "compared" and arity == 2:
        holds = draw(st.sampled_from(list(PREDICATES.values())))
        rows = [row for row in every if holds(*(row if are_numbers else map(str, row)))]
    elif kind == "combined" and arity == 2 and are_numbers:
        combined, constant = draw(st.sampled_from(list(COMBINED.values()))), draw(st.integers(-3, 5))
        rows = [row for row in every if combined(*row) == constant]
    elif kind == "parity" and are_numbers:
        rows = [row for row in every if sum(map(int, row)) % 2]
    elif kind == "function":
        position = draw(st.integers(0, arity - 1))
        of_rest = {row[:position] + row[position + 1 :]: row for row in draw(st.permutations(every))}
        rows = [row for row in of_rest.values() if draw(st.integers(0, 9))]
    else:
        sizes = st.sampled_from([0, 1, len(every) - 1, len(every), len(every) // 2])
        rows = list(draw(st.permutations(every)))[: draw(sizes)]
    for _ in range(draw(st.integers(0, 1)) if rows else 0):  # nearly what it was
        rows.remove(draw(st.sampled_from(rows)))
    if draw(st.booleans()):
        rows = [row for row in every if row not in set(rows)]
    Random(draw(st.integers(0, 99))).shuffle(rows)
    return draw(st.sampled_from(["Accept", "Reject"])), rows, domains


Table = tuple[Kind, list[Row], list[list[Value]]]


@given(tables())
def test_a_table_is_classified_by_what_it_allows(table: Table) -> None:
    kind, rows, domains = table
    assert meaning(kind, rows, *domains) == expected(allowed_rows(kind, rows, domains), domains)


@given(st.lists(tables(), min_size=1, max_size=8), st.sampled_from([1, 10, 1000]))
def test_many_tables_are_classified_as_each_alone(given_tables: list[Table], n_cells: int) -> None:
    domains_of, constraints = {}, []
    for i, (kind, rows, domains) in enumerate(given_tables):
        domains_of |= {f"x{i}-{j}: x{i}-{j}": values for j, values in enumerate(domains)}
        constraints.append((" ".join([kind.lower(), *(f"x{i}-{j}" for j in range(len(domains)))]), rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classification, "_MAX_CELLS", n_cells)
        found = classify(problem_of(domains_of, *constraints))
    for i, (kind, rows, domains) in enumerate(given_tables):
        assert found[i] == expected(allowed_rows(kind, rows, domains), domains)


NUMBERS: list[list[Value]] = [[0], [1, 2], [0, 1, 2, 3], [0, 5, 12], [12, 7, 0, 5], [-3, 2, 8, 40, 41]]


@pytest.mark.parametrize("first", NUMBERS, ids=str)
@pytest.mark.parametrize("second", NUMBERS, ids=str)
def test_every_comparison_sum_and_difference_of_numbers(first: list[Value], second: list[Value]) -> None:
    every: set[Row] = set(product(first, second))
    found_by = [*PREDICATES.values()]
    for combined in COMBINED.values():
        found_by += [partial(is_constant, combined, combined(*row)) for row in sorted(every)]
    for holds in found_by:
        allowed = {row for row in every if holds(*row)}
        for kind, rows in (("Accept", allowed), ("Reject", every - allowed)):
            assert meaning(kind, sorted(rows), first, second) == expected(allowed, [first, second])


def is_constant(combined: Callable[..., int], constant: int, *row: int) -> bool:
    return combined(*row) == constant


@given(tables())
def test_allowed_and_conflicts_are_listed(table: Table) -> None:
    kind, rows, domains = table
    problem = table_of(kind, rows, domains)
    allowed = allowed_rows(kind, rows, domains)
    for listed, wanted in ((supports, allowed), (conflicts, set(product(*domains)) - allowed)):
        found = listed(problem.relations[0], problem.domain_values)
        assert found is not None
        named = [tuple(problem.words[word] for word in row) for row in found.tolist()]
        assert sorted(named) == sorted(tuple(map(str, row)) for row in wanted)


@given(problems())
def test_every_constraint_of_any_problem(problem: Problem) -> None:
    found = classify(problem)
    assert len(set(found.distinct)) == len(found.distinct)
    for i, constraint in enumerate(problem.constraints):
        domains = [next(v.domain.values for v in problem.variables if v.name == name) for name in constraint.scope]
        assert found[i] == expected(allowed_rows(constraint.kind, constraint.tuples, domains), domains)
    for kind in ConstraintKind:
        assert found.are(kind).tolist() == [found[i].kind == kind for i in range(problem.n_constraints)]
    assert found.are(*ConstraintKind).all()


LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
ENDS = [GREATEST, LEAST, 0]
LARGE = (1 << 61) + 1
SIDE = range(1, 100_001)
TENS: list[Row] = [tuple((i * j) % 10 for j in range(40)) for i in range(10)]
LAST: list[Row] = [(*[0] * 39, i) for i in range(3)]
FIRST: list[Row] = [(i, *[0] * 39) for i in range(1, 3)]


@pytest.mark.parametrize(
    ("kind", "rows", "domains", "found"),
    [
        ("Accept", [(a, b) for a in ENDS for b in ENDS if a < b], [ENDS] * 2, Recognised(ConstraintKind.LESS)),
        ("Accept", [(LEAST,)], [ENDS], Recognised(ConstraintKind.FIXED_VALUE, LEAST)),
        *(
            ("Accept", rows, [[GREATEST, LEAST], [-1, 0]], Recognised(ConstraintKind.FUNCTIONAL, position=1))
            for rows in ([(GREATEST, -1), (LEAST, 0)], [(GREATEST, 0), (LEAST, -1)])
        ),
        *(
            ("Accept", rows, domains, Recognised(kind, constant))
            for kind, constant, rows, *domains in (
                (ConstraintKind.DIFFERENCE, LEAST - 1, [(LEAST, 1)], [LEAST, 5], [1, 2]),
                (ConstraintKind.DIFFERENCE, GREATEST - LEAST, [(GREATEST, LEAST)], [GREATEST, 5], [LEAST, 6]),
                (ConstraintKind.DIFFERENCE, LEAST - GREATEST, [(LEAST, GREATEST)], [LEAST, 5], [GREATEST, 6]),
                (ConstraintKind.SUM, GREATEST + 5, [(GREATEST, 5), (5, GREATEST)], [GREATEST, 5, 7], [GREATEST, 5]),
                (ConstraintKind.SUM, LARGE, [(LARGE, 0), (0, LARGE)], [0, LARGE, 3], [LARGE, 0, 4]),
            )
        ),
        *(
            (kind, rows, [SIDE] * 2, Recognised(meant))  # domains that are not multiplied out
            for kind, rows, meant in (
                ("Reject", [(1, 1)], ConstraintKind.OTHER),
                ("Accept", [(1, 2), (1, 3), (2, 3)], ConstraintKind.OTHER),
                ("Reject", [], ConstraintKind.ALWAYS_TRUE),
                ("Accept", [], ConstraintKind.NEVER_TRUE),
            )
        ),
        *(
            (kind, rows, domains, Recognised(meant))
            for rows, domains in ((list(product(range(41), repeat=3)), [range(41)] * 3), ([(0,) * 70], [range(1)] * 70))
            for kind, meant in (("Accept", ConstraintKind.ALWAYS_TRUE), ("Reject", ConstraintKind.NEVER_TRUE))
        ),
        *(
            (kind, rows, [range(10)] * 40, found)
            for kind, rows, found in (
                ("Accept", TENS, Recognised(ConstraintKind.FUNCTIONAL, position=39)),
                ("Accept", LAST, Recognised(ConstraintKind.FUNCTIONAL, position=38)),
                ("Accept", [*LAST, *FIRST], Recognised(ConstraintKind.FUNCTIONAL, position=38)),
                ("Accept", [], Recognised(ConstraintKind.NEVER_TRUE)),
                ("Reject", TENS, Recognised(ConstraintKind.OTHER)),
                ("Reject", [], Recognised(ConstraintKind.ALWAYS_TRUE)),
            )
        ),
    ],
)
def test_large_numbers_domains_and_scopes(
    kind: Kind, rows: list[Row], domains: list[Sequence[Value]], found: Recognised
) -> None:
    assert meaning(kind, rows, *domains) == found


@pytest.mark.slow
def test_a_table_of_a_million_tuples() -> None:
    size = 1000
    pairs = [(a, b) for a in range(size) for b in range(size) if a != b]
    assert meaning("Accept", pairs, range(size), range(size)[::-1]) == Recognised(ConstraintKind.DIFFERENT)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Accept", "Reject"])
def test_large_tables_of_either_sign(kind: Kind) -> None:
    domain = range(300)
    pairs: set[Row] = set(product(domain, repeat=2))
    assert len(pairs) > MAX_LISTED
    bits: set[Row] = set(product((0, 1), repeat=17))
    for every, allowed, found in (
        (pairs, {(a, 299 - a) for a in domain}, Recognised(ConstraintKind.SUM, 299)),
        (pairs, {(a, a - 7) for a in domain[7:]}, Recognised(ConstraintKind.DIFFERENCE, 7)),
        (pairs, {(a, a * 7 % 300) for a in domain}, Recognised(ConstraintKind.FUNCTIONAL, position=1)),
        (pairs, {(a // 2, a) for a in domain}, Recognised(ConstraintKind.FUNCTIONAL, position=0)),
        (pairs, {(a // 2, a // 3) for a in domain}, Recognised(ConstraintKind.OTHER)),
        (bits, {row for row in bits if sum(map(int, row)) % 2}, Recognised(ConstraintKind.XOR, 1)),
        (bits, {row for row in bits if row[0] <= sum(map(int, row)) % 2}, Recognised(ConstraintKind.OTHER)),
    ):
        domains = [domain] * 2 if every is pairs else [range(2)] * 17
        rows = sorted(allowed if kind == "Accept" else every - allowed)
        assert meaning(kind, rows, *domains) == found
