"""What is special about CP-SAT: its numbers, its presolve, its thread."""

from itertools import product
from time import monotonic

import pytest

pytest.importorskip("ortools")

from f2csp.solving import Status, solve
from f2csp.solving.engines import cpsat
from tests.small import problem_of
from tests.solving.hard_parities import parities


@pytest.mark.parametrize("large", [1 << 31, (1 << 31) - 1, 1 << 40, (1 << 63) - 1, -(1 << 63)])
def test_a_table_of_large_values_keeps_its_solutions(large: int) -> None:
    tuples = [(1, 0, large), (large, large, 0), (large, large, 1), (large, large, large)]
    problem = problem_of({"D: x y z": [0, 1, large]}, ("accept y z x", tuples))
    for use_structure in (True, False):
        found = solve(problem, engine="cpsat", solutions=None, use_structure=use_structure)
        assert {(one["y"], one["z"], one["x"]) for one in found.solutions} == set(tuples)


@pytest.mark.parametrize("large", [3, 1 << 24, (1 << 24) + 1, (1 << 62) + 1])
def test_sums_and_differences_of_large_values(large: int) -> None:
    domain = [0, 1, 2, large, -large]
    sums = [pair for pair in product(domain, repeat=2) if sum(pair) == large + 1]
    others = [(a, b) for a, b in product(domain, repeat=2) if a - b != large - 1]
    found = solve(
        problem_of({"D: x y": domain}, ("accept x y", sums), ("reject y x", others)), engine="cpsat", solutions=None
    )
    assert found.solutions == ({"x": 1, "y": large},)


def test_a_search_that_does_not_stop_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpsat, "_GRACE", -60)
    start = monotonic()
    result = solve(parities(), engine="cpsat", seconds=60)
    assert (result.status, result.is_complete) == (Status.UNKNOWN, False)
    assert monotonic() - start < 20


def test_the_first_error_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise MemoryError("no room")

    monkeypatch.setattr(cpsat.cp_model.CpSolver, "solve", refuse)
    with pytest.raises(MemoryError, match="no room"):
        solve(parities(), engine="cpsat")
