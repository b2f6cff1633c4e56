"""Covers of a graph by cliques: pairs of variables that must differ become all-different constraints.

An edge whose ends and common neighbours are all adjacent lies in one maximal clique only, so every cover by maximal
cliques contains that one. These forced cliques come first; in Sudokus, Latin squares and the like they are all there
is, for every order of the variables. The rest is covered greedily, as in Kellerman's heuristic with the
improvement of Kou, Stockmeyer and Wong ("Covering edges by cliques with regard to keyword conflicts and intersection
graphs", 1978).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Generic, TypeVar

import numpy as np

from f2csp.arrays import bit_rows, count_each, offsets_of
from f2csp.model import Ids, Offsets

Vertices = TypeVar("Vertices", int, set[int])
"""Some vertices: an integer with their bits set, or a set. Both have the operators ``&``, ``|`` and ``^``."""

_MAX_CANDIDATES = 16  # for the next vertex of a clique; more improve it little, and are slow in dense graphs
_STEPS_PER_EDGE = 128  # of the search for cliques of either kind, so that the time is linear
_MIN_STEPS = 1 << 20
_DENSE = 512  # vertices squared per edge, up to which bits take no more memory than sets


def clique_cover(edges: Ids) -> list[list[int]]:
    """Cover the edges of a graph by cliques.

    They are in lexicographic order, each ascending. They are maximal, except that in a large graph that is neither
    sparse nor made of cliques many edges may remain as cliques of their own.

    Args:
        edges: pairs of adjacent vertices, in either direction, repeated or not; no loops; shape (n, 2).

    Complexity:
        memory O(n), time O(n) but for a logarithm.
    """
    # Vertices of low degree come first: they soon cover the edges of those with many.
    degrees = count_each(edges.ravel(), 0)
    order = np.argsort(degrees, kind="stable")[np.count_nonzero(degrees == 0) :]
    numbers = np.empty(len(degrees), dtype=np.int32)
    numbers[order] = np.arange(len(order))
    vertices = order.tolist()
    return sorted(sorted(vertices[number] for number in clique) for clique in _cliques(len(order), numbers[edges]))


def _cliques(n_vertices: int, edges: Ids) -> Iterator[list[int]]:
    if n_vertices * n_vertices <= _DENSE * len(edges):
        return _Cover(_as_bits(n_vertices, edges), len(edges)).cliques()
    return _Cover(_as_sets(n_vertices, edges), len(edges)).cliques()


@dataclass(frozen=True, slots=True)
class _Graph(Generic[Vertices]):
    """A graph, each vertex a neighbour of itself, and the operations that differ between bits and sets."""

    neighbours: list[Vertices]
    single: Callable[[int], Vertices]
    listed: Callable[[Vertices], Iterator[int]]  # in descending order
    count: Callable[[Vertices], int]
    n_steps: Callable[[Vertices], int]  # the time of an operation, in steps through a set


def _as_bits(n_vertices: int, edges: Ids) -> _Graph[int]:
    n_steps = 2 + n_vertices // 1024
    rows = bit_rows(*_directed(n_vertices, edges), n_vertices, n_vertices)
    return _Graph(rows, lambda vertex: 1 << vertex, _bits, int.bit_count, lambda _: n_steps)


def _as_sets(n_vertices: int, edges: Ids) -> _Graph[set[int]]:
    one, other = _directed(n_vertices, edges)
    order = np.argsort(one.astype(np.min_scalar_type(n_vertices)), kind="stable")  # 16 bits are sorted by radix
    shared = np.arange(n_vertices).astype(object)[other[order]]  # one object for each vertex
    starts = offsets_of(count_each(one, n_vertices))
    neighbours = [set(shared[start:end].tolist()) for start, end in pairwise(starts.tolist())]
    return _Graph(neighbours, lambda vertex: {vertex}, lambda vertices: iter(sorted(vertices, reverse=True)), len, len)


def _directed(n_vertices: int, edges: Ids) -> tuple[Offsets, Offsets]:
    """The ends of each edge in both directions, and of a loop at each vertex."""
    loops = np.arange(n_vertices)
    return np.concatenate((loops, *edges.T)), np.concatenate((loops, *edges.T[::-1]))


def _bits(number: int) -> Iterator[int]:
    """The positions of the bits that are set, in descending order."""
    while number:
        bit = number.bit_length() - 1
        yield bit
        number ^= 1 << bit


class _Cover(Generic[Vertices]):
    """The cliques so far, as the edges that they cover."""

    def __init__(self, graph: _Graph[Vertices], n_edges: int) -> None:
        self._graph: _Graph[Vertices] = graph
        self._max_steps = _MIN_STEPS + _STEPS_PER_EDGE * n_edges
        self._n_steps = 0
        self._covered: list[Vertices] = [graph.single(vertex) for vertex in range(len(graph.neighbours))]

    def cliques(self) -> Iterator[list[int]]:
        for find in (self._forced, self._greedy, self._single_edges):
            self._n_steps = 0
            for clique in find():
                members = list(self._graph.listed(clique))
                for member in members:
                    self._covered[member] |= clique
                yield members

    def _uncovered(self, vertex: int) -> Vertices:
        """The other ends of the uncovered edges of a vertex."""
        return self._graph.neighbours[vertex] ^ self._covered[vertex]

    def _forced(self) -> Iterator[Vertices]:
        """The cliques that every cover contains."""
        neighbours, single = self._graph.neighbours, self._graph.single
        for vertex, mine in enumerate(neighbours):
            for other in self._graph.listed(self._uncovered(vertex)):  # in a puzzle a far cell shares one line only
                if other < vertex or self._n_steps > self._max_steps:
                    break
                if not self._covered[vertex] & single(other):
                    common = mine & neighbours[other]
                    self._n_steps += self._graph.n_steps(mine)
                    if self._is_clique(common):
                        yield common

    def _is_clique(self, vertices: Vertices) -> bool:
        n_steps = self._graph.n_steps(vertices)
        for vertex in self._graph.listed(vertices):
            self._n_steps += n_steps
            if vertices & self._graph.neighbours[vertex] != vertices:
                return False
        return True

    def _greedy(self) -> Iterator[Vertices]:
        """A maximal clique for every edge that remains."""
        for vertex in range(len(self._covered)):
            ends = self._uncovered(vertex)
            while ends and self._n_steps < self._max_steps:
                clique = self._maximal(vertex, ends)
                yield clique
                ends ^= ends & clique

    def _maximal(self, vertex: int, ends: Vertices) -> Vertices:
        """A maximal clique of the vertex and one or more of the ends."""
        clique = self._graph.single(vertex)
        candidates = self._graph.neighbours[vertex] ^ clique
        while candidates:
            best = self._best(candidates, ends)
            clique |= self._graph.single(best)
            candidates = candidates & self._graph.neighbours[best] ^ self._graph.single(best)
        return clique

    def _best(self, candidates: Vertices, ends: Vertices) -> int:
        """The candidate that leaves most candidates, among the first of those whose edge to the vertex is uncovered."""
        neighbours, count = self._graph.neighbours, self._graph.count
        compared = list(islice(self._graph.listed(candidates & ends or candidates), _MAX_CANDIDATES))
        self._n_steps += (2 + len(compared)) * self._graph.n_steps(candidates)
        return max(compared, key=lambda vertex: count(candidates & neighbours[vertex]))

    def _single_edges(self) -> Iterator[Vertices]:
        for vertex in range(len(self._covered)):
            for other in self._graph.listed(self._uncovered(vertex)):
                yield self._graph.single(vertex) | self._graph.single(other)
