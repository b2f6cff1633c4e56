"""The constraint model of a problem is equivalent to it, as evaluated by an interpreter that reads nothing else."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from math import prod

import numpy as np
from hypothesis import given

from f2csp.model import Problem, Value
from f2csp.structure import Comparison, ConstraintKind, ConstraintModel, raw_model, recover
from tests.small import small_problems, solutions
from tests.strategies import problems as any_problems

Row = tuple[Value, ...]
Words = tuple[int, ...]


def assignments(problem: Problem) -> list[Words]:
    return list(product(*(problem.domain_values[d].tolist() for d in problem.variable_domains.tolist())))


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
    return prod(problem.domain_sizes[problem.variable_domains].tolist()) <= 300


@given(small_problems() | any_problems(max_constraints=6).filter(is_small))
def test_a_model_has_the_solutions_of_its_problem(problem: Problem) -> None:
    expected = [[str(value) for value in one.values()] for one in solutions(problem)]
    for model in (recover(problem), raw_model(problem)):
        found = [words for words in assignments(problem) if satisfies(model, words)]
        assert [[problem.words[word] for word in words] for words in found] == expected


@given(small_problems() | any_problems(max_constraints=6))
def test_every_constraint_is_in_one_case(problem: Problem) -> None:
    model = recover(problem)
    kinds = [model.classification[i].kind for i in range(problem.n_constraints)]
    cases = [model.unary, model.tables, *(case.constraints for case in (*model.comparisons, *model.parities))]
    n_cases = Counter(np.concatenate(cases).tolist())
    silent = (ConstraintKind.ALWAYS_TRUE, ConstraintKind.NEVER_TRUE, ConstraintKind.DIFFERENT)
    for i, kind in enumerate(kinds):
        assert n_cases[i] == (problem.constraints[i].arity == 1 or kind not in silent)
    assert {kinds[i] for i in model.tables.tolist()} <= {ConstraintKind.OTHER, ConstraintKind.FUNCTIONAL}
    assert {kinds[i] for case in model.parities for i in case.constraints.tolist()} <= {ConstraintKind.XOR}
    assert pairs_in(model.all_different) == {
        tuple(sorted(problem.scope(i).tolist())) for i, kind in enumerate(kinds) if kind == ConstraintKind.DIFFERENT
    }


def pairs_in(groups: Sequence[Sequence[int]]) -> set[tuple[int, ...]]:
    return {pair for group in groups for pair in combinations(group, 2)}


@given(small_problems())
def test_values_are_node_consistent(problem: Problem) -> None:
    model = recover(problem)
    for variable, (left, domain) in enumerate(zip(model.values, problem.variable_domains, strict=True)):
        expected = set(problem.domain_values[domain].tolist())
        for i in range(problem.n_constraints):
            if problem.scope(i).tolist() == [variable]:
                expected = {word for word in expected if is_in_table(problem, i, (word,) * problem.n_variables)}
        assert sorted(left.tolist()) == sorted(expected)
        assert np.array_equal(model.values[variable], left)
