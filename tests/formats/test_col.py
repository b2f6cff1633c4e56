"""DIMACS graphs: their colourings are counted, and every fault has its place."""

import io
import random
from itertools import combinations, product
from pathlib import Path

import pytest

import f2csp
from f2csp.diagnostics import F2cspError, InvalidInput
from tests.fault_cases import sound_text

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


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_loop_is_left_out_whether_it_is_counted_or_not(n: int) -> None:
    text = f"p edge 3 {n}\ne 1 2\ne 3 3\ne 2 1\ne 2 3\ne 3 2\n"
    problem = f2csp.read(io.StringIO(text), colours=2)
    assert [constraint.scope for constraint in problem.constraints] == [("v1", "v2"), ("v2", "v3")]
    with pytest.raises(InvalidInput, match="declared 1 edges, found 3"):
        f2csp.read(io.StringIO(text.replace(f"edge 3 {n}", "edge 3 1")), colours=2)


def test_comments_may_be_in_any_encoding() -> None:
    text = b"c Jos\xe9\x01\np edge 2 1\n c \xff\r\ne 1 2\n"
    assert f2csp.read(io.BytesIO(text), colours=2).n_constraints == 1
    with pytest.raises(InvalidInput, match="F001 byte 0xE9 is not UTF-8"):
        f2csp.read(io.BytesIO(text + b"e 1 \xe9\n"), "col", colours=2)


@pytest.mark.skipif(not INSTANCES.is_dir(), reason="puzzle data not present")
@pytest.mark.parametrize(
    ("name", "colours", "is_satisfiable"),
    [("five-wheel", 3, False), ("five-wheel", 4, True), ("3-FullIns_3", 5, False), ("3-FullIns_3", 6, True)],
)
def test_chromatic_numbers_of_the_literature(name: str, colours: int, is_satisfiable: bool) -> None:
    assert bool(f2csp.solve(f2csp.read(INSTANCES / f"{name}.col", colours=colours))) == is_satisfiable


@pytest.mark.parametrize("colours", [None, 0, "3"])
def test_the_number_of_colours_is_asked_for(colours: object) -> None:
    with pytest.raises(F2cspError, match="give the number of colours, 1 to 100000, with --colours"):
        f2csp.read(io.StringIO(sound_text("col")), colours=colours)
