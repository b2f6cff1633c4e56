"""Automorphisms of graphs with coloured vertices, by nauty.

McKay and Piperno, "Practical graph isomorphism, II", Journal of Symbolic Computation 60, 2014.
"""

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from f2csp.diagnostics import MissingExtra

Permutation = tuple[int, ...]
"""The image of each element."""


def can_find_automorphisms() -> bool:
    """Whether nauty is installed."""
    return find_spec("pynauty") is not None


def nauty() -> Any:
    """The module of nauty; raises MissingExtra if it is not installed."""
    try:
        import pynauty
    except ModuleNotFoundError:
        raise MissingExtra("finding symmetries", "symmetry") from None
    return pynauty


class Graph:
    """An undirected graph; an automorphism maps vertices to vertices of the same colour.

    Attributes:
        n: the number of vertices.
    """

    def __init__(self, colours: Sequence[Hashable], edges: Iterable[tuple[int, int]]) -> None:
        """Raises MissingExtra without nauty; colours that are to be compared between graphs come in the same order."""
        self.n = len(colours)
        self._colours = colours
        self._adjacent: dict[int, list[int]] = {}
        for first, second in edges:
            self._adjacent.setdefault(first, []).append(second)
        nauty()

    def generators(self, fixed: Sequence[int] = ()) -> list[Permutation]:
        """Automorphisms that generate all those that leave some vertices where they are."""
        return [tuple(one) for one in nauty().autgrp(self._with(fixed))[0]]

    def certificate(self, fixed: Sequence[int] = ()) -> bytes:
        """Equal for two lists of vertices exactly if an automorphism maps one to the other, in order."""
        found: bytes = nauty().certificate(self._with(fixed))
        return found

    @cached_property
    def order(self) -> int:
        """The number of automorphisms: the product of the sizes of orbits, each vertex fixed in turn."""
        order, fixed = 1, list[int]()
        while True:
            orbits = nauty().autgrp(self._with(fixed))[3]
            sizes: dict[int, int] = {}
            for one in orbits:
                sizes[one] = sizes.get(one, 0) + 1
            vertex = max(sizes, key=sizes.__getitem__, default=-1)
            if sizes.get(vertex, 1) == 1:
                return order
            order *= sizes[vertex]
            fixed.append(vertex)

    def _with(self, fixed: Sequence[int]) -> Any:
        """The graph of the library; each of some vertices has a colour of its own."""
        cells: dict[Hashable, set[int]] = {}
        alone = set(fixed)
        for vertex, colour in enumerate(self._colours):
            if vertex not in alone:
                cells.setdefault(colour, set()).add(vertex)
        colouring = [{vertex} for vertex in fixed] + list(cells.values())
        return nauty().Graph(self.n, adjacency_dict=self._adjacent, vertex_coloring=colouring)
