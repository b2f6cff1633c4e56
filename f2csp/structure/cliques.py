"""Cliques that cover the edges of a graph: pairs that must differ, back into all-different constraints.

An edge whose ends and common neighbours are all joined lies in one maximal clique only, so any cover by maximal cliques
has that one. Such edges are looked for first; on Sudokus, Latin squares and their like they give all the cliques there
are, whatever the order of the variables. The rest is covered greedily, as in Kellerman's heuristic with Kou, Stockmeyer
and Wong's improvement ("Covering edges by cliques with regard to keyword conflicts and intersection graphs", 1978).
"""

from collections.abc import Iterator
from itertools import islice
from typing import Generic

import numpy as np

from f2csp.model import Ids
from f2csp.structure.graphs import Graph, Vertices, as_bits, as_sets, is_dense

_COMPARED = 16  # candidates for a clique's next vertex; more make it larger by little, and are slow in dense graphs
_STEPS_OF_EDGE = 128  # how long is searched for cliques of each kind, so that the time is linear
_STEPS_OF_ANY = 1 << 20


def clique_cover(edges: Ids) -> list[list[int]]:
    """Cliques of the graph that have every edge between them.

    Each is maximal; only in a large graph that is neither sparse nor made of cliques many edges may be left over as
    cliques of their own, as others that hold them take too long to find.

    Args:
        edges: the pairs of vertices that are joined, in whatever direction and as often as they like; no vertex with
            itself.

    Returns:
        The cliques in the order of their first vertices; the vertices of each in ascending order.

    Shape:
        edges: (n, 2).

    Complexity:
        memory O(n), time O(n), but for a logarithm.
    """
    # Whoever has few neighbours comes first: what has many is then looked at from them, and its edges are soon covered.
    degrees = np.bincount(edges.ravel())
    order = np.argsort(degrees, kind="stable")[np.count_nonzero(degrees == 0) :]
    numbers = np.empty(len(degrees), dtype=np.int32)
    numbers[order] = np.arange(len(order))
    names = order.tolist()
    return sorted(sorted(names[vertex] for vertex in clique) for clique in _cliques(len(order), numbers[edges]))


def _cliques(n_vertices: int, edges: Ids) -> Iterator[list[int]]:
    if is_dense(n_vertices, len(edges)):
        return _Cover(as_bits(n_vertices, edges), len(edges)).cliques()
    return _Cover(as_sets(n_vertices, edges), len(edges)).cliques()


class _Cover(Generic[Vertices]):
    """The cliques that were found, as the edges that they cover."""

    def __init__(self, graph: Graph[Vertices], n_edges: int) -> None:
        self._graph: Graph[Vertices] = graph
        self._most_steps = _STEPS_OF_ANY + _STEPS_OF_EDGE * n_edges
        self._n_steps = 0
        self._covered: list[Vertices] = [graph.alone(vertex) for vertex in range(len(graph.neighbours))]

    def cliques(self) -> Iterator[list[int]]:
        """The cliques."""
        for find in (self._forced, self._greedy, self._pairs):
            self._n_steps = 0
            for clique in find():
                members = list(self._graph.listed(clique))
                for member in members:
                    self._covered[member] |= clique
                yield members

    def _open_ends(self, vertex: int) -> Vertices:
        """The other ends of the edges of a vertex that are not covered."""
        return self._graph.neighbours[vertex] ^ self._covered[vertex]

    def _forced(self) -> Iterator[Vertices]:
        """The cliques that every cover has."""
        neighbours, alone = self._graph.neighbours, self._graph.alone
        for vertex, mine in enumerate(neighbours):
            for other in self._graph.listed(self._open_ends(vertex)):  # in a puzzle the far ones are in one line alone
                if other < vertex or self._n_steps > self._most_steps:
                    break
                if not self._covered[vertex] & alone(other):
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
        """Maximal cliques for every edge that is left."""
        for vertex in range(len(self._covered)):
            open_ends = self._open_ends(vertex)
            while open_ends and self._n_steps < self._most_steps:
                clique = self._grown(vertex, open_ends)
                yield clique
                open_ends ^= open_ends & clique

    def _grown(self, vertex: int, open_ends: Vertices) -> Vertices:
        """A maximal clique of the vertex and one or more of the ends."""
        clique = self._graph.alone(vertex)
        candidates = self._graph.neighbours[vertex] ^ clique
        while candidates:
            best = self._best(candidates, open_ends)
            clique |= self._graph.alone(best)
            candidates = candidates & self._graph.neighbours[best] ^ self._graph.alone(best)
        return clique

    def _best(self, candidates: Vertices, open_ends: Vertices) -> int:
        """The candidate that leaves most to choose from, among some of those whose edge to the vertex is open."""
        neighbours, count = self._graph.neighbours, self._graph.count
        compared = list(islice(self._graph.listed(candidates & open_ends or candidates), _COMPARED))
        self._n_steps += (2 + len(compared)) * self._graph.n_steps(candidates)
        return max(compared, key=lambda vertex: count(candidates & neighbours[vertex]))

    def _pairs(self) -> Iterator[Vertices]:
        """Every edge that is left."""
        for vertex in range(len(self._covered)):
            for other in self._graph.listed(self._open_ends(vertex)):
                yield self._graph.alone(vertex) | self._graph.alone(other)
