"""Graphs as the neighbourhoods of their vertices: as the bits of numbers where they are dense, else as sets.

Numbers and sets of Python share the operators ``&``, ``|`` and ``^``, so whoever uses no others serves both.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np

from f2csp.model import Ids, Offsets

Vertices = TypeVar("Vertices", int, set[int])
"""Some vertices: a number in which their bits are set, or a set."""

_DENSE = 512  # vertices times vertices for each edge: as many bits as its two ends take in sets
_BITS_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True)
class Graph(Generic[Vertices]):
    """A graph in which each vertex, from 0, is a neighbour of itself.

    Attributes:
        neighbours: for each vertex its neighbours.
        alone: the vertices that are a vertex alone.
        listed: lists vertices in descending order.
        count: says how many vertices there are in some.
        n_steps: about how long an operation with some vertices takes, compared with one step through a set.
    """

    neighbours: list[Vertices]
    alone: Callable[[int], Vertices]
    listed: Callable[[Vertices], Iterator[int]]
    count: Callable[[Vertices], int]
    n_steps: Callable[[Vertices], int]


def is_dense(n_vertices: int, n_edges: int) -> bool:
    """Whether bits take no more memory than so many edges do otherwise."""
    return n_vertices * n_vertices <= _DENSE * n_edges


def as_bits(n_vertices: int, edges: Ids) -> Graph[int]:
    """A graph of edges, some of which may be repeated, in whatever direction; each vertex has one.

    Complexity:
        memory O(n * n) bits for n vertices, besides O(m) for m edges.
    """
    others, starts = _adjacent(n_vertices, edges)
    n_steps = 2 + n_vertices // 1024
    neighbours = list(_numbers(n_vertices, others, starts))
    return Graph(neighbours, lambda vertex: 1 << vertex, _bits, int.bit_count, lambda _: n_steps)


def as_sets(n_vertices: int, edges: Ids) -> Graph[set[int]]:
    """The same.

    Complexity:
        memory O(m) for m edges.
    """
    others, starts = _adjacent(n_vertices, edges)
    shared = np.arange(n_vertices).astype(object)[others]  # one object for each vertex
    neighbours = [set(shared[start:end].tolist()) for start, end in pairwise(starts.tolist())]
    return Graph(neighbours, lambda vertex: {vertex}, _ordered, len, len)


def _adjacent(n_vertices: int, edges: Ids) -> tuple[Offsets, Offsets]:
    """The neighbours of each vertex, one vertex after the other, and where those of each begin."""
    loops = np.arange(n_vertices)
    one = np.concatenate((loops, edges[:, 0], edges[:, 1]))
    other: Offsets = np.concatenate((loops, edges[:, 1], edges[:, 0]))
    small = one.astype(np.min_scalar_type(n_vertices))  # sorted by digits, if it is small indeed
    starts = np.cumsum(np.concatenate(([0], np.bincount(one, minlength=n_vertices))))
    return other[np.argsort(small, kind="stable")], starts


def _numbers(n_vertices: int, others: Offsets, starts: Offsets) -> Iterator[int]:
    """The bits of the neighbours of each vertex."""
    n_rows = max(1, _BITS_AT_ONCE // max(n_vertices, 1))
    for first in range(0, n_vertices, n_rows):
        ends = starts[first : first + n_rows + 1]
        are_set = np.zeros((len(ends) - 1, n_vertices), dtype=np.bool_)
        are_set[np.repeat(np.arange(len(are_set)), np.diff(ends)), others[ends[0] : ends[-1]]] = True
        for row in np.packbits(are_set, axis=1, bitorder="little"):
            yield int.from_bytes(row.tobytes(), "little")


def _bits(number: int) -> Iterator[int]:
    """The bits that are set, in descending order."""
    while number:
        bit = number.bit_length() - 1
        yield bit
        number ^= 1 << bit


def _ordered(vertices: set[int]) -> Iterator[int]:
    return iter(sorted(vertices, reverse=True))
