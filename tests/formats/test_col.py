"""DIMACS graphs: their colourings are counted, and every fault has its place."""

import io
import random
from itertools import combinations, product
from pathlib import Path

import pytest

import f2csp

INSTANCES = Path(__file__).parents[3] / "shared" / "instances" / "col"


@pytest.mark.parametrize("seed", range(20))
def test_a_graph_has_as_many_colourings_as_it_should(seed: int) -> None:
    draws = random.Random(seed)
    n, colours = draws.randint(0, 6), draws.randint(1, 4)
    edges = [pair for pair in combinations(range(1, n + 1), 2) if draws.random() < 0.5]
    both = [edge for pair in edges for edge in (pair, pair[::-1])]
    listed = draws.choice([edges, both, [*edges, *edges[:1]]])
    lines = ["c x", "", *(f"n {i} 3" for i in range(1, n + 1)), *(f"e {i} {j}" for i, j in listed)]
    text = f"p {draws.choice(['col', 'edge', 'edges'])} {n} {draws.choice([len(edges), len(listed)])}\n" + "\n".join(
        lines
    )
    problem = f2csp.read(io.StringIO(text), colours=colours)
    assert problem.n_constraints == len(edges)
    rows = product(range(colours), repeat=n)
    assert f2csp.count(problem) == sum(all(row[i - 1] != row[j - 1] for i, j in edges) for row in rows)


@pytest.mark.skipif(not INSTANCES.is_dir(), reason="puzzle data not present")
@pytest.mark.parametrize(
    ("name", "colours", "is_satisfiable"),
    [("five-wheel", 3, False), ("five-wheel", 4, True), ("3-FullIns_3", 5, False), ("3-FullIns_3", 6, True)],
)
def test_chromatic_numbers_of_the_literature(name: str, colours: int, is_satisfiable: bool) -> None:
    assert bool(f2csp.solve(f2csp.read(INSTANCES / f"{name}.col", colours=colours))) == is_satisfiable
