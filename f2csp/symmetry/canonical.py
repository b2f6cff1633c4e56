"""The least of the assignments to some variables that the symmetries of a problem map to each other.

It is found as least images of sets are: variable by variable, the images that are least so far go on, with the
symmetries that leave these variables (Jefferson et al., "Minimal and canonical images", Journal of Algebra 521, 2019).
Where these are too many, the symmetries that leave what is assigned so far go on, which may still exchange variables,
and of images that these map to each other one goes on.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

import numpy as np

from f2csp.diagnostics import Unsuitable
from f2csp.model import Ids
from f2csp.symmetry.problem_graph import Automorphism, ProblemGraph

_MAX_IMAGES = 1 << 22  # times variables
_MAX_COMPARED = 1 << 27  # images, times pairs of vertices
_TOO_MANY = "the least form is not found: too many images of the board begin alike"
_MAX_KEPT = 512  # groups and their elements: puzzles on one board need the same


def least_assignment(graph: ProblemGraph, words: Mapping[int, int]) -> dict[int, int]:
    """The least assignment that a symmetry maps an assignment to some variables to.

    Assignments are compared variable by variable; a variable without a word is less than one with any, and words are
    in the order of the problem.

    Raises:
        Unsuitable: there are too many images to compare, as of a Sudoku of 25x25.
    """
    images = np.full((1, len(graph.vertices)), -1, dtype=np.int32)
    images[0, list(words)] = list(words.values())
    with suppress(Unsuitable):
        return _least(graph, images, is_merged=False)
    return _least(graph, images, is_merged=True)


def _least(graph: ProblemGraph, images: Ids, *, is_merged: bool) -> dict[int, int]:
    fixed: tuple[int, ...] = ()
    for variable, own in enumerate(graph.vertices):
        decided = tuple(images[0, :variable].tolist()) if is_merged else ()
        moves = _moves_to(graph, decided, fixed, variable)
        if len(moves) > 1:
            images, fixed = _moved([(move, images) for move in moves.values()]), (*fixed, variable)
        images = images[(images[:, variable] < 0) | (images[:, variable].min() >= 0)]
        for word in sorted(own) if images[0, variable] >= 0 else ():
            moves = _moves_to(graph, decided, fixed, own[word])
            parts = [(moves[own[one]], images[images[:, variable] == one]) for one in own if own[one] in moves]
            if sum(len(part) for _, part in parts):
                images = _moved(parts) if len(moves) > 1 else parts[0][1]
                fixed += (own[word],) * (len(moves) > 1)
                break
        if is_merged:
            images, fixed = _merged(graph, images, variable + 1), ()
    return {variable: word for variable, word in enumerate(images[0].tolist()) if word >= 0}


def _merged(graph: ProblemGraph, images: Ids, n_decided: int) -> Ids:
    """One of the images that symmetries map to each other which leave what is assigned to the first variables."""
    if len(images) == 1:
        return images
    if len(images) * graph.graph.n**2 > _MAX_COMPARED:
        raise Unsuitable(_TOO_MANY)
    assigned = ({v: word for v, word in enumerate(image) if word >= 0} for image in images.tolist())
    places = {graph.with_assignment(some, n_decided).certificate(): place for place, some in enumerate(assigned)}
    return images[list(places.values())]


def _moved(parts: Sequence[tuple[Automorphism, Ids]]) -> Ids:
    """The images of images, each once."""
    n_variables = parts[0][1].shape[1]
    if sum(part.size for _, part in parts) > _MAX_IMAGES:
        raise Unsuitable(_TOO_MANY)
    found = np.concatenate([move.images(part) for move, part in parts])
    rows = found.view(f"V{found.itemsize * n_variables}").ravel().tolist()
    return found[list({row: place for place, row in enumerate(rows)}.values())]


@lru_cache(_MAX_KEPT)
def _moves_to(
    graph: ProblemGraph, decided: tuple[int, ...], fixed: tuple[int, ...], vertex: int
) -> dict[int, Automorphism]:
    """For each vertex that symmetries map to another one such a symmetry.

    They leave what is assigned to the first variables (-1 for nothing), and some vertices.
    """
    generators = _generators(graph, decided, fixed)
    found = {vertex: np.arange(graph.graph.n, dtype=np.int32)}
    for image, move in (queue := list(found.items())):
        for generator in generators:
            source = int(np.flatnonzero(generator == image)[0])
            if source not in found:
                found[source] = move[generator]
                queue.append((source, found[source]))
    return {source: graph.automorphism(move) for source, move in found.items()}


@lru_cache(_MAX_KEPT)
def _generators(graph: ProblemGraph, decided: tuple[int, ...], fixed: tuple[int, ...]) -> list[Ids]:
    assigned = graph.with_assignment({v: word for v, word in enumerate(decided) if word >= 0}, len(decided))
    return [np.array(one[: graph.graph.n], dtype=np.int32) for one in assigned.generators(fixed)]
