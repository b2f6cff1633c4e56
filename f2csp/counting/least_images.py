"""States that permutations of values map to each other, of which the least goes on.

A permutation of the values of each variable that leaves all tables as they are maps the states of a stage to each
other, part by part. The least image of a state is found part by part, too, with the permutations that have given the
least parts so far (as least images of sets are; see :mod:`f2csp.symmetry.canonical`); what a part leads to is kept.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache

import numpy as np

from f2csp.counting.residual import Diagrams, Key, OpenTable, ResidualState, moved_mask
from f2csp.diagnostics import Unsuitable
from f2csp.model import Offsets, Problem
from f2csp.structure import recover
from f2csp.symmetry import Automorphism, ProblemGraph, SymmetryGroup, can_find_automorphisms

_MAX_PERMUTATIONS = 720  # of six values that can be swapped
_PAIRS_PER_STEP = 400  # of vertices of a graph, of which symmetries are found in the time of a step


def affordable_symmetries(problem: Problem, group: SymmetryGroup, n_steps: int) -> list[Automorphism] | None:
    """Symmetries that generate all, also of the state variables of sums; none without nauty or in too large a graph.

    None if finding them would take longer, about, than a number of steps from a state to another.
    """
    model = recover(problem)
    tables = [problem.relations[i] for i in problem.constraint_relations[model.rest(model.unary, model.never_true)]]
    # Pairs are edges, which take less than the vertices that larger tuples are.
    n_vertices = sum(len(table.tuples) // (10 if table.tuples.shape[1] == 2 else 1) for table in tables)
    if n_vertices**2 > _PAIRS_PER_STEP * n_steps:
        return None
    if can_find_automorphisms():
        with suppress(Unsuitable):
            graph = ProblemGraph(problem, group, has_sums=False)
            return [graph.automorphism(one) for one in graph.graph.generators()]
    return []


class LeastImages:
    """The least images of states by the permutations that some generate, or by some of these if they are many."""

    def __init__(self, generators: Sequence[Offsets], tables: Sequence[OpenTable], diagrams: Diagrams) -> None:
        """Prepare a problem; generators have the images of values by level, of shape (n_levels, n_values).

        Those that do not leave each table as it is are left out.
        """
        self._diagrams = diagrams
        self._rests = {table.rest(n): (table, n) for table in tables for n in range(len(table.levels) - 1)}
        kept = []
        for one in generators:
            images = one.tolist()  # Python's integers: masks of more than 62 values do not fit NumPy's
            if all(self._moved(table, 0, table.root, images) == table.root for table in tables):
                kept.append(one)
        self._permutations = [np.tile(np.arange(one.shape[1], dtype=np.int64), (len(one), 1)) for one in kept[:1]]
        known = {one.tobytes() for one in self._permutations}
        for one in self._permutations:
            for other in kept:
                product = np.take_along_axis(other, one, axis=1)
                if product.tobytes() not in known and len(known) < _MAX_PERMUTATIONS:
                    known.add(product.tobytes())
                    self._permutations.append(product)

    def of_states(self, keys: Sequence[Key]) -> Callable[[ResidualState], ResidualState] | None:
        """What maps states with these parts to their least images; None if no permutation moves anything in them."""
        levels = sorted({level for key in keys for level in ([key] if isinstance(key, int) else key[1])})
        different: dict[bytes, list[list[int]]] = {}  # the identity is the first
        for one in self._permutations:
            different.setdefault(one[levels].tobytes(), one.tolist())
        if len(different) < 2:
            return None

        @cache
        def step(place: int, which: int, content: int) -> tuple[int, int]:
            """The least image of a part by some permutations, as bits, and which of them give it."""
            images = [
                (self._image(keys[place], content, one), 1 << number)
                for number, one in enumerate(different.values())
                if which >> number & 1
            ]
            least, _ = min(images)
            return least, sum(bit for image, bit in images if image == least)

        def least(state: ResidualState) -> ResidualState:
            which = (1 << len(different)) - 1
            found: list[int] = []
            for place, content in enumerate(state):
                if which == 1:
                    return (*found, *state[place:])
                image, which = step(place, which, content)
                found.append(image)
            return tuple(found)

        return least

    def _image(self, key: Key, content: int, images: Sequence[Sequence[int]]) -> int:
        """That of a part of a state."""
        if isinstance(key, int):
            return moved_mask(content, images[key])
        return self._moved(*self._rests[key], content, images)

    def _moved(self, table: OpenTable, n: int, node: int, images: Sequence[Sequence[int]]) -> int:
        """The image of what is left of a table when its first ``n`` variables have values."""
        return self._diagrams.moved(node, table.is_positive, [images[level] for level in table.levels[n:]])
