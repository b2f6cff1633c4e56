"""Cliques that cover the edges of a graph: pairs that must differ, back into all-different constraints.

An edge whose ends and common neighbours are all joined lies in one maximal clique only, so any cover by maximal cliques
has that one. Such edges are looked for first; on Sudokus, Latin squares and their like they give all the cliques there
are, whatever the order of the variables. The rest is covered greedily, as in Kellerman's heuristic with Kou, Stockmeyer
and Wong's improvement ("Covering edges by cliques with regard to keyword conflicts and intersection graphs", 1978).
"""

from collections.abc import Iterator
from itertools import chain, islice, pairwise

import numpy as np

from f2csp.model import Ids

_COMPARED = 16  # candidates for a clique's next vertex; more make it larger by little, and are slow in dense graphs

Neighbours = dict[int, set[int]]


def clique_cover(edges: Ids) -> list[list[int]]:
    """Cliques of the graph, each maximal, which have every edge between them.

    Args:
        edges: the pairs of vertices that are joined; no vertex with itself.

    Returns:
        The cliques in the order of their first vertices; the vertices of each in ascending order.

    Shape:
        edges: (n, 2).

    Complexity:
        memory: O(n). Time: for each vertex whose edges are not covered yet, the degrees of its neighbours together.
    """
    neighbours = _neighbours(edges)
    uncovered = {vertex: set(others) for vertex, others in neighbours.items()}
    cliques = []
    for vertex, open_ends in uncovered.items():
        for clique in chain(_forced(vertex, open_ends, neighbours), _greedy(vertex, open_ends, neighbours)):
            cliques.append(sorted(clique))
            for member in clique:
                uncovered[member] -= clique
    return sorted(cliques)


def _neighbours(edges: Ids) -> Neighbours:
    """The neighbours of each vertex that has any, in ascending order of the vertices."""
    n = int(edges.max(initial=-1)) + 1
    ends = edges.astype(np.int64)
    vertices, others = np.divmod(np.sort(np.concatenate((ends @ [n, 1], ends @ [1, n]))), max(n, 1))
    bounds = [*np.flatnonzero(np.diff(vertices, prepend=-1)).tolist(), len(others)]
    listed = others.tolist()
    return {int(vertices[start]): set(listed[start:end]) for start, end in pairwise(bounds)}


def _forced(vertex: int, open_ends: set[int], neighbours: Neighbours) -> Iterator[set[int]]:
    """The cliques that every cover has, of those with an uncovered edge at the vertex; whoever takes one covers it."""
    for other in sorted(open_ends, reverse=True):  # in a puzzle the far ones are in one line alone, not in a box too
        if other in open_ends:
            common = neighbours[vertex] & neighbours[other]
            if _is_clique(common, neighbours):
                yield common | {vertex, other}


def _is_clique(vertices: set[int], neighbours: Neighbours) -> bool:
    n_others = len(vertices) - 1
    return all(len(vertices & neighbours[vertex]) == n_others for vertex in vertices)


def _greedy(vertex: int, open_ends: set[int], neighbours: Neighbours) -> Iterator[set[int]]:
    """Maximal cliques, until the vertex has no uncovered edge; whoever takes one covers it."""
    while open_ends:
        clique = {vertex}
        candidates = neighbours[vertex]
        while candidates:
            best = _best(candidates, open_ends, neighbours)
            clique.add(best)
            candidates = candidates & neighbours[best]
        yield clique


def _best(candidates: set[int], open_ends: set[int], neighbours: Neighbours) -> int:
    """The candidate that leaves most to choose from, among some of those whose edge to the vertex is not covered."""
    compared = islice(candidates & open_ends or candidates, _COMPARED)
    return max(compared, key=lambda vertex: (len(candidates & neighbours[vertex]), -vertex))
