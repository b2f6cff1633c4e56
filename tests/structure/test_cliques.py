"""Covers of graphs by cliques: exact, of maximal cliques, and of lines and boxes where a puzzle has them."""

import tracemalloc
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise, product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from f2csp.model import Ids
from f2csp.structure import cliques
from f2csp.structure.cliques import clique_cover

Edge = tuple[int, int]

BITS, SETS = 1 << 60, 0  # how dense a graph must be for bits


@pytest.fixture(params=[BITS, SETS], ids=["bits", "sets"])
def _either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cliques, "_DENSE", request.param)


def as_edges(pairs: Sequence[Edge]) -> Ids:
    return np.array(pairs, dtype=np.int32).reshape(len(pairs), 2)


def covers(pairs: Sequence[Edge]) -> tuple[list[list[int]], list[list[int]]]:
    """The cover, found in each way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cliques, "_DENSE", BITS)
        by_bits = clique_cover(as_edges(pairs))
        patch.setattr(cliques, "_DENSE", SETS)
        return by_bits, clique_cover(as_edges(pairs))


def edges_of(cliques: Sequence[Sequence[int]]) -> set[Edge]:
    return {(a, b) for clique in cliques for a, b in combinations(sorted(clique), 2)}


def is_maximal(clique: Sequence[int], edges: set[Edge]) -> bool:
    vertices = {vertex for edge in edges for vertex in edge}
    joined = [all((min(a, b), max(a, b)) in edges for b in clique) for a in vertices - set(clique)]
    return not any(joined)


@st.composite
def graphs(draw: DrawFn) -> list[Edge]:
    """Edges in either direction, some of them twice: random ones, those of random cliques, or most there can be."""
    names = draw(st.lists(st.integers(0, 60), min_size=2, max_size=14, unique=True))
    every = list(combinations(names, 2))
    groups = st.lists(st.lists(st.sampled_from(names), min_size=2, max_size=6, unique=True), max_size=8)
    some = st.lists(st.sampled_from(every), max_size=60)
    most = st.sets(st.sampled_from(every), max_size=10).map(lambda left_out: [e for e in every if e not in left_out])
    edges = draw(st.one_of(some, groups.map(lambda cliques: sorted(edges_of(cliques))), most))
    edges += edges[: draw(st.integers(0, 5))]
    return [edge if draw(st.booleans()) else edge[::-1] for edge in draw(st.permutations(edges))]


@given(graphs())
def test_a_cover_is_exact_and_of_maximal_cliques(pairs: list[Edge]) -> None:
    edges = {(min(pair), max(pair)) for pair in pairs}
    one, other = covers(pairs)
    assert one == other
    assert edges_of(one) == edges
    assert all(is_maximal(clique, edges) for clique in one)
    assert one == sorted(one)
    assert all(a < b for clique in one for a, b in pairwise(clique))
    assert len(set(map(tuple, one))) == len(one)


@given(graphs(), st.integers(0, 200))
def test_a_cover_that_took_too_long_is_exact(pairs: list[Edge], n_steps: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cliques, "_STEPS_PER_EDGE", 0)
        patch.setattr(cliques, "_MIN_STEPS", n_steps)
        for cover in covers(pairs):
            assert edges_of(cover) == {(min(pair), max(pair)) for pair in pairs}


def lines_and_boxes(rows: int, columns: int, height: int, width: int) -> list[set[int]]:
    """The rows, columns and boxes of a board, but for those that lie in another."""
    cells = np.arange(rows * columns).reshape(rows, columns)
    boxes = [
        cells[top : top + height, left : left + width].ravel()
        for top in range(0, rows, height)
        for left in range(0, columns, width)
    ]
    groups = [set(group.tolist()) for group in (*cells, *cells.T, *boxes)]
    distinct = [group for i, group in enumerate(groups) if group not in groups[:i] and len(group) > 1]
    return [group for group in distinct if not any(group < other for other in distinct)]


BOARDS = [
    *((n, n, 1, 1) for n in (2, 3, 5, 9, 16, 25)),
    *((h * w, h * w, h, w) for h in range(1, 7) for w in range(2, 7)),
    *((2, 7, 1, 1), (12, 3, 1, 1), (12, 4, 3, 2), (49, 49, 7, 7), (64, 64, 8, 8)),
]


@pytest.mark.usefixtures("_either_way")
@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize("seed", [None, 1])
def test_a_board_is_its_lines_and_boxes(board: tuple[int, int, int, int], seed: int | None) -> None:
    groups = lines_and_boxes(*board)
    names = list(range(board[0] * board[1]))
    edges = sorted(edges_of([sorted(group) for group in groups]))
    if seed is not None:
        random = Random(seed)
        names = random.sample(range(2 * len(names)), len(names))
        random.shuffle(edges)
    found = clique_cover(as_edges([(names[a], names[b]) for a, b in edges]))
    assert found == sorted(sorted(names[cell] for cell in group) for group in groups)


@pytest.mark.usefixtures("_either_way")
@pytest.mark.parametrize("seed", range(5))
def test_groups_that_share_little_are_found_again(seed: int) -> None:
    random = Random(seed)
    groups = [random.sample(range(3000), random.randint(5, 12)) for _ in range(200)]
    pairs = [pair for group in groups for pair in combinations(group, 2)]
    random.shuffle(pairs)
    found = clique_cover(as_edges(pairs))
    assert edges_of(found) == edges_of(groups)
    assert sorted(map(sorted, groups)) == found


@pytest.mark.usefixtures("_either_way")
def test_no_clique_is_taken_that_those_cover_which_every_cover_has() -> None:
    groups = [[0, 5, 7], [1, 3, 7], [1, 5, 6], [3, 4, 6]]
    assert {(1, 6), (3, 6), (1, 3)} < edges_of(groups)
    for seed in range(20):
        names = Random(seed).sample(range(8), 8)
        expected = sorted(sorted(names[vertex] for vertex in group) for group in groups)
        assert clique_cover(as_edges(sorted(edges_of(expected)))) == expected


@pytest.mark.usefixtures("_either_way")
@pytest.mark.parametrize("n", [6, 8, 13])
def test_lines_of_queens(n: int) -> None:
    """Rows, columns and diagonals cross so much that few of them are the only cliques of an edge."""
    cells = [divmod(cell, n) for cell in range(n * n)]
    edges = [
        (a, b)
        for (a, (i, j)), (b, (k, m)) in combinations(enumerate(cells), 2)
        if i == k or j == m or abs(i - k) == abs(j - m)
    ]
    found = clique_cover(as_edges(edges))
    assert edges_of(found) == set(edges)
    n_lines = 2 * n + 2 * (2 * n - 3)
    assert len(found) <= n_lines


def triangles_on_one_edge(n: int) -> Ids:
    thirds = np.arange(2, n // 2 + 2)
    return as_edges([(0, 1), *((end, int(third)) for third in thirds for end in (0, 1))])


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda n: as_edges([*pairwise(range(n + 1))]), id="path"),
        pytest.param(lambda n: as_edges([(0, i) for i in range(1, n + 1)]), id="star"),
        triangles_on_one_edge,
        pytest.param(lambda n: as_edges([*combinations(range(int((2 * n) ** 0.5)), 2)]), id="complete"),
        pytest.param(
            lambda n: as_edges([(a, 999 + b) for a, b in product(range(int(n**0.5)), repeat=2)]), id="bipartite"
        ),
    ],
)
def test_memory_is_linear_in_the_edges(make: Callable[[int], Ids]) -> None:
    peaks = []
    for n in (2_000, 16_000):
        edges = make(n)
        tracemalloc.start()
        clique_cover(edges)
        peaks.append(tracemalloc.get_traced_memory()[1] / len(edges))
        tracemalloc.stop()
    assert peaks[1] < min(2 * peaks[0], 1000)
