"""Chains of tables are found to be sums, and engines that read sums find the solutions of the tables."""

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, product

import numpy as np
import pytest

from f2csp.model import Problem, ProblemBuilder
from f2csp.model.automaton import Chain, chain
from f2csp.solving import solve
from f2csp.structure import ConstraintModel, recover, with_sums

State = int
Weights = Sequence[dict[int, int]]  # what the values of each variable add


def chained(
    weights: Weights, is_accepted: Callable[[State], bool], name: Callable[[State], object] = lambda state: state
) -> Problem:
    """The chain of tables of a sum, with other names for the states."""
    return tabulated(chain(weights, 0, lambda i, state, value: state + weights[i][value], is_accepted), weights, name)


def tabulated(found: Chain, alphabets: Sequence[Iterable[int]], name: Callable[[State], object]) -> Problem:
    builder = ProblemBuilder("Chain")
    variables = [f"x{i}" for i in range(len(alphabets))] + [f"s{i}" for i in range(len(found.states))]
    for variable, values in zip(variables, [*alphabets, *found.states], strict=True):
        names = values if variable.startswith("x") else map(name, values)
        builder.domain(f"D{variable}", names)
        builder.variable(variable, f"D{variable}")
    for places, rows in zip(found.places, found.tables, strict=True):
        scope = [variables[place] for place in places]
        builder.accept(
            scope, [[name(v) if p >= found.length else v for p, v in zip(places, row, strict=True)] for row in rows]
        )
    return builder.build()


def modelled(problem: Problem) -> ConstraintModel:
    return with_sums(recover(problem), np.arange(problem.n_variables))


def linear(random: random.Random, n: int = 5) -> Weights:
    factors = [random.choice([-3, -1, 1, 1, 2, 5]) for _ in range(n)]
    return [{value: factor * value for value in random.choice([range(4), range(1, 6)])} for factor in factors]


def indicators(random: random.Random, n: int = 5) -> Weights:
    counted = random.sample(range(5), 2)
    return [{value: int(value in counted) for value in range(5)} for _ in range(n)]


@pytest.mark.parametrize("weights", [linear, indicators])
@pytest.mark.parametrize("compare", [int.__eq__, int.__le__, int.__ge__], ids=["eq", "le", "ge"])
@pytest.mark.parametrize("seed", range(8))
def test_a_chain_of_sums_is_a_sum(
    weights: Callable[[random.Random], Weights], compare: Callable[[int, int], bool], seed: int
) -> None:
    added = weights(random.Random(seed))
    total = sum(max(one.values()) + min(one.values()) for one in added) // 2
    problem = chained(added, lambda state: compare(state, total))
    (found,) = modelled(problem).sums
    assert len(found.constraints) == problem.n_constraints
    terms = [dict(zip(term.words.tolist(), term.weights.tolist(), strict=True)) for term in found.terms]
    for row in product(*added):
        totals = [0, *accumulate(term[problem.words.index(str(v))] for v, term in zip(row, terms, strict=True))]
        holds = all(any(low <= totals[n] <= high for low, high in ranges) for n, ranges in found.ranges)
        assert holds == compare(sum(one[value] for one, value in zip(added, row, strict=True)), total)


def test_states_may_have_any_names() -> None:
    weights = [{value: factor * value for value in range(4)} for factor in (3, 2, 2, 1)]
    (found,) = modelled(chained(weights, lambda state: state == 11, lambda state: f"s{(7 * state) % 31}")).sums
    assert [term.weights.tolist() for term in found.terms] == [[0, 3, 6, 9], [0, 2, 4, 6], [0, 2, 4, 6], [0, 1, 2, 3]]
    assert found.ranges == ((4, ((11, 11),)),)


def test_a_chain_that_is_no_sum_stays_tables() -> None:
    found = chain([range(3)] * 5, 1, lambda _, state, value: state * (value + 1) % 7, lambda state: state == 1)
    assert modelled(tabulated(found, [range(3)] * 5, str)).sums == ()


@pytest.mark.parametrize("engine", ["cpsat", "z3", "milp"])
@pytest.mark.parametrize("seed", range(6))
def test_engines_find_the_solutions_of_the_tables(engine: str, seed: int) -> None:
    draws = random.Random(seed)
    added = draws.choice([linear, indicators])(draws, 4)
    totals = {sum(draws.choice([*one.values()]) for one in added) for _ in range(3)}
    problem = chained(added, lambda state: state in totals)
    expected = solve(problem, engine="search", solutions=None)
    own = [name for name in problem.variable_names if name.startswith("x")]
    for projection in (None, own, [*own[1:], "s1"]):
        some = solve(problem, engine="search", solutions=6, project=projection)
        found = solve(problem, engine=engine, solutions=6, project=projection)
        assert (found.n_solutions, found.is_complete) == (some.n_solutions, some.is_complete)
    every = solve(problem, engine="cpsat", solutions=None)
    assert {tuple(one.items()) for one in every.solutions} == {tuple(one.items()) for one in expected.solutions}


def test_a_value_that_no_table_allows_is_no_solution() -> None:
    problem = chained([{0: 0, 1: 1, 9: 9}] * 3, lambda state: state == 2)
    assert solve(problem, solutions=None, engine="cpsat").n_solutions == 3
