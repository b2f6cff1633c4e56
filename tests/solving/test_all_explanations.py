"""All explanations and relaxations of small problems, compared with those by enumeration."""

from collections.abc import Collection
from itertools import combinations

import pytest
from hypothesis import given

from f2csp.generation.kinds import generate
from f2csp.model import Problem
from f2csp.solving import Status
from f2csp.solving.explanation import explanations, relaxations
from tests.small import solutions
from tests.strategies import examples, problems

pytest.importorskip("pysat")


def minimal(sets: Collection[frozenset[int]]) -> set[frozenset[int]]:
    return {one for one in sets if not any(other < one for other in sets)}


def labels(problem: Problem, constraints: Collection[int]) -> list[str]:
    return [problem.label(constraint) for constraint in constraints]


@examples(60)
@given(problems(max_variables=4, max_constraints=5, max_arity=2))
def test_all_minimal_subsets_and_all_smallest_relaxations(problem: Problem) -> None:
    found, sets = [*explanations(problem)], [*relaxations(problem)]
    every = frozenset(range(problem.n_constraints))
    some = [frozenset(kept) for n in range(len(every) + 1) for kept in combinations(every, n)]
    without_solution = {kept for kept in some if not solutions(problem.without(*labels(problem, every - kept)))}
    if every not in without_solution:
        assert [why.status for why in found] == [Status.SATISFIABLE]
        assert sets == [()]
        return
    groups = [frozenset(group.constraints) for why in found for group in why.groups]
    if all(len(group) == 1 for group in groups):
        assert {frozenset(why.constraints) for why in found} == minimal(without_solution)
    sizes = [len(why.groups) for why in found]
    assert sizes == sorted(sizes)
    assert all(why.is_minimal and frozenset(why.constraints) in without_solution for why in found)
    assert found[0].is_smallest
    for removed in sets:
        gone = frozenset(constraint for group in removed or () for constraint in group.constraints)
        assert every - gone not in without_solution
    assert [len(removed or ()) for removed in sets] == sorted(len(removed or ()) for removed in sets)


def test_the_time_limit_is_the_end_of_all_explanations() -> None:
    problem = generate("pigeonhole", pigeons=12, holes=11)
    *_, last = explanations(problem, seconds=0)
    assert last.status == Status.UNKNOWN
    assert [*relaxations(problem, seconds=0)] == [None]
