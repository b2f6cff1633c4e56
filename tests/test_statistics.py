"""Every number against its definition, by brute force on small problems; and that large ones do not explode."""

import json
import math
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations

import networkx
import numpy as np
import pytest
from hypothesis import given

from f2csp import statistics
from f2csp.model import Problem, Relation
from f2csp.statistics import Spread, stats
from tests.strategies import problems


def constraint_graph(problem):
    graph = networkx.Graph()
    graph.add_nodes_from(problem.variable_names)
    graph.add_edges_from(pair for constraint in problem.constraints for pair in combinations(constraint.scope, 2))
    return graph


def tightness(problem):
    size = {variable.name: len(variable.domain.words) for variable in problem.variables}
    for constraint in problem.constraints:
        listed = Fraction(len(constraint.tuples), math.prod(size[name] for name in constraint.scope))
        yield listed if constraint.kind == "Reject" else 1 - listed


def spread(numbers):
    return numbers and pytest.approx((float(min(numbers)), float(sum(numbers) / len(numbers)), float(max(numbers))))


def as_tuple(found):
    return [] if found is None else (found.min, found.mean, found.max)


@given(problems(max_variables=7, max_constraints=6))
def test_numbers_are_what_they_are_defined_to_be(problem):
    found = stats(problem)
    graph = constraint_graph(problem)
    n = problem.n_variables
    degrees = [degree for _, degree in graph.degree]
    sizes = [len(variable.domain.words) for variable in problem.variables]
    sections = (problem.title, len(problem.domains), n, len(problem.constraints))
    assert (found.title, found.domains, found.variables, found.constraints) == sections
    for kind, total in (("Accept", found.accepted_tuples), ("Reject", found.rejected_tuples)):
        assert total == sum(len(c.tuples) for c in problem.constraints if c.kind == kind)
    assert found.distinct_relations == len({(c.kind, c.arity, c.tuples) for c in problem.constraints})
    assert found.arities == {a: sum(c.arity == a for c in problem.constraints) for a in found.arities}
    assert sum(found.arities.values()) == len(problem.constraints)
    assert found.domain_sizes == {size: sizes.count(size) for size in sorted(set(sizes))}
    assert as_tuple(found.tightness) == spread(list(tightness(problem)))
    assert as_tuple(found.degrees) == spread(degrees)
    assert found.density == (pytest.approx(sum(degrees) / (n * (n - 1))) if n > 1 else None)
    assert found.components == networkx.number_connected_components(graph)
    assert found.log10_search_space == pytest.approx(math.log10(math.prod(sizes)))
    for each in (found.tightness, found.degrees):
        assert each is None or each.min <= each.mean <= each.max
    assert json.loads(json.dumps(asdict(found), allow_nan=False))["components"] == found.components


def columns(n_variables, scopes, n_values=2, kind="Reject"):
    """A problem of one domain and one relation, made without going through each constraint."""
    scopes = np.asarray(scopes, dtype=np.int32)
    n, arity = scopes.shape
    equal = np.repeat(np.arange(n_values, dtype=np.int32)[:, np.newaxis], arity, axis=1)
    return Problem(
        title="",
        words=tuple(map(str, range(n_values))),
        domain_names=("D",),
        domain_values=(np.arange(n_values, dtype=np.int32),),
        variable_names=tuple(f"V{i}" for i in range(n_variables)),
        variable_domains=np.zeros(n_variables, dtype=np.int32),
        relations=(Relation(kind, equal),),
        scopes=scopes.ravel(),
        scope_offsets=np.arange(0, n * arity + 1, arity, dtype=np.int64),
        constraint_relations=np.zeros(n, dtype=np.int32),
    )


def test_too_many_pairs_are_not_made_but_components_are_still_counted(monkeypatch):
    problem = columns(8, [[0, 1, 2], [2, 3, 4]])
    monkeypatch.setattr(statistics, "MAX_PAIRS", 6)
    assert stats(problem).degrees == Spread(0, 1.5, 4)
    monkeypatch.setattr(statistics, "MAX_PAIRS", 5)
    found = stats(problem)
    assert (found.density, found.degrees, found.components) == (None, None, 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_a_long_path_is_one_component(seed):
    n = 100_000
    order = np.arange(n) if seed is None else np.random.default_rng(seed).permutation(n)
    found = stats(columns(n, np.stack([order[:-1], order[1:]], axis=1)))
    assert found.components == 1
    assert found.degrees == Spread(1, pytest.approx(2 - 2 / n), 2)
    cut = stats(columns(n, np.stack([order[:-1:2], order[1::2]], axis=1)))
    assert cut.components == n // 2
