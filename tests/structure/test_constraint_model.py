"""The constraint model of a problem is equivalent to it, as evaluated by an interpreter that reads nothing else."""

import tracemalloc
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import f2csp
from f2csp.model import Problem, ProblemBuilder, Value
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.structure import Comparison, ConstraintKind, ConstraintModel, Recognised, raw_model, recover
from tests.strategies import problems as any_problems

Row = tuple[Value, ...]
Words = tuple[int, ...]

DOMAINS: list[list[Value]] = [
    [0, 1],
    [1, 0],
    [0],
    [1, 2, 3],
    [3, 1, 2, 5],
    [-2, 0, 2],
    [2**63 - 1, -(2**63), 0],
    ["a", "b"],
    ["1", "b", "3"],
    ["0", "1", "x"],
    ["b"],
]


def as_numbers(row: Row) -> list[int]:
    """Numbers for values; words have some, too, so that any of the following can be asked of them."""
    return [value if isinstance(value, int) else len(value) + ord(value[0]) for value in row]


PREDICATES: dict[str, Callable[[Row], bool]] = {
    "all different": lambda row: len(set(map(str, row))) == len(row),
    "all equal": lambda row: len(set(map(str, row))) == 1,
    "ascending": lambda row: as_numbers(row) == sorted(as_numbers(row)),
    "descending": lambda row: as_numbers(row) == sorted(set(as_numbers(row)), reverse=True),
    "sum": lambda row: sum(as_numbers(row)) == 3,
    "difference": lambda row: as_numbers(row)[0] - sum(as_numbers(row)[1:]) == 1,
    "parity": lambda row: sum(as_numbers(row)) % 2 == 1,
    "function": lambda row: as_numbers(row)[0] == sum(number**2 for number in as_numbers(row)[1:]) % 3,
    "all": lambda row: True,
}


@st.composite
def meaningful_problems(draw: DrawFn) -> Problem:
    """A few variables, and constraints that mean something of each kind, or nearly do, as either kind of table."""
    builder = ProblemBuilder()
    choice = draw(st.sampled_from([DOMAINS, DOMAINS[:2], DOMAINS[:3], DOMAINS[3:5], DOMAINS[3:6]]))
    domains = draw(st.lists(st.sampled_from(choice), min_size=1, max_size=5))
    for i, values in enumerate(domains):
        builder.domain(f"D{i}", values)
        builder.variable(f"x{i}", f"D{i}")
    for _ in range(draw(st.integers(0, 8))):
        arity = min(len(domains), draw(st.sampled_from([1, 2, 2, 2, 2, 3, 3, 4])))
        scope = draw(st.permutations(range(len(domains))))[:arity]
        every: list[Row] = list(product(*(domains[i] for i in scope)))
        allowed = set(filter(PREDICATES[draw(st.sampled_from(sorted(PREDICATES)))], every))
        allowed ^= set(draw(st.lists(st.sampled_from(every), max_size=draw(st.sampled_from([0, 0, 0, 0, 2])))))
        add, listed = draw(
            st.sampled_from([(builder.accept, allowed), (builder.reject, set(every) - allowed)]),
        )
        add([f"x{i}" for i in scope], sorted(listed, key=str))
    return builder.build()


def assignments(problem: Problem) -> list[Words]:
    return list(product(*(problem.domain_values[d].tolist() for d in problem.variable_domains.tolist())))


def solutions(problem: Problem) -> list[Words]:
    """All solutions, by what tables are."""
    tables = [set(map(tuple, relation.tuples.tolist())) for relation in problem.relations]
    constraints = [
        (problem.scope(i).tolist(), tables[relation], problem.relations[relation].kind == "Accept")
        for i, relation in enumerate(problem.constraint_relations.tolist())
    ]
    return [
        words
        for words in assignments(problem)
        if all((tuple(words[v] for v in scope) in table) == accepts for scope, table, accepts in constraints)
    ]


def satisfies(model: ConstraintModel, words: Words) -> bool:
    """Whether every case of a model is satisfied."""
    problem = model.problem
    return (
        not model.is_contradictory
        and all(word in left.tolist() for word, left in zip(words, model.values, strict=True))
        and all(len({words[v] for v in group}) == len(group) for group in model.all_different)
        and all(holds(case, scope, problem, words) for case in model.comparisons for scope in case.scopes.tolist())
        and all(
            sum(number(problem, words[v]) for v in scope) % 2 == case.odd
            for case in model.parities
            for scope in case.scopes.tolist()
        )
        and all(is_in_table(problem, constraint, words) for constraint in model.tables.tolist())
    )


def holds(case: Comparison, scope: Sequence[int], problem: Problem, words: Words) -> bool:
    first, second = (words[variable] for variable in scope)
    if case.kind == ConstraintKind.EQUAL:
        return first == second
    one, other = number(problem, first), number(problem, second)
    return {
        ConstraintKind.LESS: one < other,
        ConstraintKind.LESS_OR_EQUAL: one <= other,
        ConstraintKind.GREATER: one > other,
        ConstraintKind.GREATER_OR_EQUAL: one >= other,
        ConstraintKind.DIFFERENCE: one - other == case.constant,
        ConstraintKind.SUM: one + other == case.constant,
    }[case.kind]


def number(problem: Problem, word: int) -> int:
    return int(problem.words[word])


def is_in_table(problem: Problem, constraint: int, words: Words) -> bool:
    relation = problem.constraints[constraint].relation
    row = [words[v] for v in problem.scope(constraint).tolist()]
    return (row in relation.tuples.tolist()) == (relation.kind == "Accept")


def is_small(problem: Problem) -> bool:
    return prod(problem.domain_sizes[problem.variable_domains].tolist()) <= 2000


@given(meaningful_problems() | any_problems(max_constraints=6).filter(is_small))
def test_a_model_has_the_solutions_of_its_problem(problem: Problem) -> None:
    for model in (recover(problem), raw_model(problem)):
        assert [words for words in assignments(problem) if satisfies(model, words)] == solutions(problem)


@given(meaningful_problems() | any_problems(max_constraints=6))
def test_every_constraint_is_in_one_case(problem: Problem) -> None:
    model = recover(problem)
    unary = [i for i, constraint in enumerate(problem.constraints) if constraint.arity == 1]
    by_kind = Counter(model.classification[i].kind for i in range(problem.n_constraints) if i not in unary)
    n_others = by_kind.pop(ConstraintKind.ALWAYS_TRUE, 0) + by_kind.pop(ConstraintKind.NEVER_TRUE, 0)
    n_others += by_kind.pop(ConstraintKind.DIFFERENT, 0)
    n_compared = sum(len(case.scopes) for case in model.comparisons)
    n_parities = sum(len(case.scopes) for case in model.parities)
    assert sum(by_kind.values()) == n_compared + n_parities + len(model.tables)
    assert n_others + sum(by_kind.values()) + len(unary) == problem.n_constraints
    assert by_kind[ConstraintKind.XOR] == n_parities
    assert by_kind[ConstraintKind.OTHER] + by_kind[ConstraintKind.FUNCTIONAL] == len(model.tables)
    assert not set(model.tables.tolist()) & set(unary)
    assert pairs_in(model.all_different) == {
        tuple(sorted(problem.scope(i).tolist()))
        for i in range(problem.n_constraints)
        if model.classification[i].kind == ConstraintKind.DIFFERENT
    }


def pairs_in(groups: Sequence[Sequence[int]]) -> set[tuple[int, ...]]:
    return {pair for group in groups for pair in combinations(group, 2)}


@given(meaningful_problems())
def test_values_are_node_consistent(problem: Problem) -> None:
    model = recover(problem)
    for variable, (left, domain) in enumerate(zip(model.values, problem.variable_domains, strict=True)):
        expected = set(problem.domain_values[domain].tolist())
        for i in range(problem.n_constraints):
            if problem.scope(i).tolist() == [variable]:
                expected = {word for word in expected if is_in_table(problem, i, (word,) * problem.n_variables)}
        assert sorted(left.tolist()) == sorted(expected)
        assert np.array_equal(model.values[variable], left)


def problem_of(domain: Sequence[Value], *constraints: tuple[str, str, Sequence[Row]], n: int = 3) -> Problem:
    """Variables x0, x1, ... over one domain, and constraints on some of them."""
    builder = ProblemBuilder()
    builder.domain("D", domain)
    for i in range(n):
        builder.variable(f"x{i}", "D")
    for kind, scope, rows in constraints:
        (builder.accept if kind == "Accept" else builder.reject)([f"x{i}" for i in scope], rows)
    return builder.build()


@pytest.mark.parametrize(
    ("tables", "is_contradictory"),
    [
        ([("Accept", "0", [(1,)]), ("Accept", "0", [(2,)])], True),
        ([("Accept", "0", [(1,), (2,)]), ("Accept", "0", [(2,), (3,)])], False),
        ([("Accept", "0", [(1,), (2,)]), ("Reject", "0", [(1,)]), ("Reject", "0", [(2,), (3,)])], True),
        ([("Reject", "0", [(1,), (2,)]), ("Reject", "0", [(2,), (3,)])], True),
        ([("Reject", "0", [(1,)]), ("Reject", "0", [(2,), (3,)])], True),
        ([("Reject", "0", [(1,), (2,)]), ("Reject", "1", [(2,), (3,)])], False),
        ([("Reject", "0", [(1,), (2,)]), ("Reject", "0", [(2,), (1,)])], False),
        ([("Reject", "0", [(1,), (2,), (3,)])], True),
        ([("Accept", "01", [])], True),
        ([("Accept", "012", [])], True),
    ],
)
def test_contradictions_on_one_variable_are_seen(
    tables: list[tuple[str, str, Sequence[Row]]], is_contradictory: bool
) -> None:
    problem = problem_of([1, 2, 3], *tables)
    assert recover(problem).is_contradictory == is_contradictory
    assert bool(solutions(problem)) != is_contradictory


def test_one_table_leaves_different_values_of_different_domains() -> None:
    builder = ProblemBuilder()
    for i, values in enumerate(([1, 2], [3, 1, 2])):
        builder.domain(f"D{i}", values)
        builder.variable(f"x{i}", f"D{i}")
        builder.reject([f"x{i}"], [(1,)])
    problem = builder.build()
    assert len(problem.relations) == 1
    assert [{problem.words[i] for i in left.tolist()} for left in recover(problem).values] == [{"2"}, {"2", "3"}]


def test_comparisons_of_one_kind_and_constant_are_one_case() -> None:
    digits = range(1, 5)
    greater = [(a, b) for a in digits for b in digits if a > b]
    sums = [(a, 5 - a) for a in digits]
    tables = ("Accept", "20", greater), ("Reject", "12", greater), ("Accept", "10", greater), ("Accept", "21", sums)
    model = recover(problem_of(digits, *tables))
    found = {(case.kind, case.constant): case for case in model.comparisons}
    assert {key: case.scopes.tolist() for key, case in found.items()} == {
        (ConstraintKind.GREATER, 0): [[2, 0], [1, 0]],
        (ConstraintKind.LESS_OR_EQUAL, 0): [[1, 2]],
        (ConstraintKind.SUM, 5): [[2, 1]],
    }
    assert found[ConstraintKind.GREATER, 0].constraints.tolist() == [0, 2]
    assert model.rest().tolist() == [0, 1, 2, 3]
    assert model.rest(
        found[ConstraintKind.GREATER, 0].constraints, found[ConstraintKind.SUM, 5].constraints
    ).tolist() == [1]


def test_a_pair_that_differs_by_several_constraints() -> None:
    equal = [(a, a) for a in "abc"]
    unequal = [(a, b) for a in "abc" for b in "abc" if a != b]
    pairs = [("Reject", "01", equal), ("Accept", "10", unequal), ("Reject", "12", equal), ("Accept", "02", unequal)]
    model = recover(problem_of(["a", "b", "c"], *pairs))
    assert model.all_different == ((0, 1, 2),)
    assert len(model.tables) == 0


def test_a_problem_without_constraints() -> None:
    for problem in (ProblemBuilder().build(), problem_of([1, 2])):
        model = recover(problem)
        assert not model.is_contradictory
        assert (model.all_different, model.comparisons, model.parities) == ((), (), ())
        assert [left.tolist() for left in model.values] == [[0, 1]] * problem.n_variables


def test_a_sudoku_is_its_lines_boxes_and_givens() -> None:
    problem = to_problem(Sudoku(25, 5, 5, clues=(Clue(2, 3, 25),)))
    model = recover(problem)
    assert [len(group) for group in model.all_different] == [25] * 75
    assert set(model.classification.distinct) == {
        Recognised(ConstraintKind.FIXED_VALUE, 25),
        Recognised(ConstraintKind.DIFFERENT),
    }
    assert (len(model.comparisons), len(model.tables)) == (0, 0)
    assert [problem.words[i] for i in model.values[27].tolist()] == ["25"]
    assert [len(left) for left in model.values] == [1 if cell == 27 else 25 for cell in range(625)]


def test_values_of_large_domains_are_not_listed_needlessly() -> None:
    size, n = 100_000, 1000
    variables = "".join(f"x{i}: D\n" for i in range(n))
    constraints = "".join(f"C{i + 1}\nVars:\n1\nx{i}\nReject:\n1\n{i}\n" for i in range(n))
    text = f"\nDomains:\n1\nD: 1..{size}\nVariables:\n{n}\n{variables}Constraints:\n{n}\n{constraints}"
    problem = f2csp.loads(text.replace("Reject:\n1\n0\n", "Accept:\n1\n7\n"))
    tracemalloc.start()
    model = recover(problem)
    assert not model.is_contradictory
    assert tracemalloc.get_traced_memory()[1] < 100 * size
    tracemalloc.stop()
    assert [problem.words[i] for i in model.values[0].tolist()] == ["7"]
    assert len(model.values[5]) == size - 1
