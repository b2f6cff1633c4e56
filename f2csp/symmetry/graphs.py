"""Automorphisms of graphs with coloured vertices, by nauty.

McKay and Piperno, "Practical graph isomorphism, II", Journal of Symbolic Computation 60, 2014.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from importlib.util import find_spec
from typing import Any

from f2csp.diagnostics import optional_package

Permutation = tuple[int, ...]
"""The image of each element."""


def can_find_automorphisms() -> bool:
    """Whether nauty is installed."""
    return find_spec("pynauty") is not None


def require_nauty() -> Any:
    """The module of nauty; raises MissingExtra if it is not installed."""
    return optional_package("pynauty", "finding symmetries", "symmetry")


class Graph:
    """An undirected graph; an automorphism maps vertices to vertices of the same colour.

    Attributes:
        n: the number of vertices.
    """

    def __init__(self, colours: Sequence[Hashable], edges: Iterable[tuple[int, int]]) -> None:
        """Raises MissingExtra without nauty."""
        self.n = len(colours)
        self._colours = colours
        self._adjacent: dict[int, list[int]] = {}
        for first, second in edges:
            self._adjacent.setdefault(first, []).append(second)
        require_nauty()

    def generators(self, fixed: Sequence[int] = ()) -> list[Permutation]:
        """Automorphisms that generate all those that leave some vertices where they are."""
        return [tuple(one) for one in require_nauty().autgrp(self._with(fixed))[0]]

    def orbits(self, fixed: Sequence[int] = ()) -> list[int]:
        """For each vertex one of those that these automorphisms map it to, which is the same for all of them."""
        found: list[int] = require_nauty().autgrp(self._with(fixed))[3]
        return found

    def certificate(self, fixed: Sequence[int] = ()) -> bytes:
        """Equal for two lists of vertices exactly if an automorphism maps one to the other, in order."""
        found: bytes = require_nauty().certificate(self._with(fixed))
        return found

    def labelling(self, fixed: Sequence[int] = ()) -> list[int]:
        """The vertices in an order; for two lists with the same certificate, an automorphism maps one to the other."""
        found: list[int] = require_nauty().canon_label(self._with(fixed))
        return found

    def digest(self) -> bytes:
        """16 bytes that two graphs have in common exactly if they are isomorphic, but for chance."""
        sizes = sorted((str(colour), n) for colour, n in Counter(self._colours).items())
        return blake2b(repr(sizes).encode() + self.certificate(), digest_size=16).digest()

    @cached_property
    def order(self) -> int:
        """The number of automorphisms: the product of the sizes of orbits, each vertex fixed in turn."""
        order, fixed = 1, list[int]()
        while True:
            ((vertex, size),) = Counter(self.orbits(fixed)).most_common(1) or [(-1, 1)]
            if size == 1:
                return order
            order *= size
            fixed.append(vertex)

    def with_arcs(self, images: Sequence[int]) -> "Graph":
        """The graph with an arc from each vertex to its image, unless that is itself."""
        moved = [(vertex, image) for vertex, image in enumerate(images) if vertex != image]
        tails = range(self.n, self.n + 2 * len(moved), 2)
        edges = [(vertex, other) for vertex, others in self._adjacent.items() for other in others]
        for tail, (vertex, image) in zip(tails, moved, strict=True):
            edges += [(vertex, tail), (tail, tail + 1), (tail + 1, image)]
        return Graph([*self._colours, *(("tail", "head") * len(moved))], edges)

    def _with(self, fixed: Sequence[int]) -> Any:
        """The graph of the library; each of some vertices has a colour of its own."""
        cells: dict[Hashable, set[int]] = {}
        alone = set(fixed)
        for vertex, colour in enumerate(self._colours):
            if vertex not in alone:
                cells.setdefault(colour, set()).add(vertex)
        colouring = [{vertex} for vertex in fixed] + [cells[colour] for colour in sorted(cells, key=str)]
        return require_nauty().Graph(self.n, adjacency_dict=self._adjacent, vertex_coloring=colouring)
