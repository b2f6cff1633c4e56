"""Tables that the engine ``cpsat`` writes as differences."""

from collections.abc import Callable

import pytest

from f2csp.solving import solve
from tests.small import problem_of

_VALUES = [*range(18), 25, 40]
_PAIRS = [(x, y) for x in _VALUES for y in _VALUES]


@pytest.mark.parametrize(
    "holds",
    [
        lambda x, y: abs(x - y) > 3,
        lambda x, y: x - y in (-2, 5, 6),
        lambda x, y: x + y > 20,
        lambda x, y: abs(x - y) > 3 or (x, y) == (0, 0),
        lambda x, y: (x - y) % 2 == 0,
        lambda x, y: False,
    ],
    ids=["distance", "few", "sum", "exception", "many-ranges", "never"],
)
@pytest.mark.parametrize("kind", ["accept", "reject"])
def test_large_tables_on_pairs_keep_their_solutions(kind: str, holds: Callable[[int, int], bool]) -> None:
    listed = [pair for pair in _PAIRS if holds(*pair) == (kind == "accept")]
    shorter = [pair for pair in listed if pair[0] > 2]
    domains = {"D: x y": _VALUES, "E: z": _VALUES[3:]}
    problem = problem_of(domains, (f"{kind} x y", listed), (f"{kind} z y", shorter))
    found = solve(problem, engine="cpsat", solutions=None)
    expected = solve(problem, engine="search", solutions=None)
    assert found.is_complete
    assert {tuple(one.values()) for one in found.solutions} == {tuple(one.values()) for one in expected.solutions}
