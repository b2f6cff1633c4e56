"""The conjugacy classes of symmetries: as many solutions are left as they are by each symmetry of a class."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import factorial, prod
from random import Random

import numpy as np

from f2csp.model import Ids
from f2csp.symmetry.breaking import interchangeable_values
from f2csp.symmetry.graphs import Graph
from f2csp.symmetry.problem_graph import Automorphism, SymmetryGroup
from f2csp.symmetry.problem_symmetry import Symmetry, symmetry

ConjugacyClass = tuple[Ids, int]
"""One of the permutations of a class, and their number."""

_EXPONENTS = (2, 3, 5, 7)


def symmetry_classes(found: Symmetry, check: Callable[[int], None]) -> Iterator[tuple[Automorphism, int]]:
    """A symmetry of each conjugacy class of those of a problem, and the size of the class.

    Where all permutations of some values are symmetries, whatever is done to the variables, the classes of these and
    those of the others are found apart. ``check`` is as for :func:`conjugacy_classes`.
    """
    values = _free_values(found)
    others = symmetry(found.problem, SymmetryGroup.VARIABLES) if values else found
    if others.order * prod(factorial(len(words)) for words in values) != found.order:
        values, others = [], found
    for images, size in conjugacy_classes(others.graph.graph, check):
        own = others.graph.automorphism(images)
        for words, n in _value_permutations(values, len(found.problem.words)):
            yield Automorphism(own.variables, np.where(own.words >= 0, words[own.words], -1)), size * n


def _free_values(found: Symmetry) -> list[list[int]]:
    """Classes of words of which any two can be swapped in all variables."""
    if found.group != SymmetryGroup.ALL:
        return []
    parts = interchangeable_values(found.problem)
    return next((classes for variables, classes in parts if len(variables) == found.problem.n_variables), [])


def _value_permutations(classes: Sequence[list[int]], n_words: int) -> Iterator[tuple[Ids, int]]:
    """For the lengths of cycles in each class of words a permutation that has these, and how many have."""
    for chosen in product(*(_partitions(len(words)) for words in classes)):
        images, size = np.arange(n_words, dtype=np.int32), 1
        for words, lengths in zip(classes, chosen, strict=True):
            left = iter(words)
            for length in lengths:
                cycle = [next(left) for _ in range(length)]
                images[cycle] = [*cycle[1:], cycle[0]]
            size *= factorial(len(words)) // prod(n**times * factorial(times) for n, times in Counter(lengths).items())
        yield images, size


def _partitions(n: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """The ways to write a number as a sum of positive ones, greatest first."""
    if n == 0:
        yield ()
    for first in range(min(n, n if most is None else most), 0, -1):
        for others in _partitions(n - first, first):
            yield first, *others


def conjugacy_classes(graph: Graph, check: Callable[[int], None]) -> list[ConjugacyClass]:
    """The conjugacy classes of the automorphisms of a graph.

    Two automorphisms are conjugate exactly if an automorphism maps the arcs of the one to those of the other, and those
    that map the arcs of one to themselves are as many as the class has not. Products of known ones with random
    conjugates of generators are tried until all classes together have as many as there are.

    Args:
        graph: the graph.
        check: called with the number of classes before each product; may raise an exception to end the search.
    """
    random = Random(0)  # noqa: S311 - reproducible, no secret
    generators = [np.array(one, dtype=np.int32) for one in graph.generators()]
    walk: Ids = np.arange(graph.n, dtype=np.int32)
    found: dict[bytes, ConjugacyClass] = {}
    n_left = graph.order
    candidates = [walk]
    while True:
        candidate = candidates.pop()
        with_arcs = graph.with_arcs(candidate.tolist())
        key = with_arcs.digest()
        if key not in found:
            found[key] = candidate, graph.order // with_arcs.order
            n_left -= found[key][1]
            candidates += [_power(candidate, exponent) for exponent in _EXPONENTS]  # often of small classes
        if not n_left:
            return [*found.values()]
        check(len(found))
        if not candidates:
            walk = walk[random.choice(generators)]
            known, _ = random.choice([*found.values()])
            candidates.append(known[walk[random.choice(generators)[np.argsort(walk)]]])


def _power(permutation: Ids, exponent: int) -> Ids:
    found = permutation
    for _ in range(exponent - 1):
        found = found[permutation]
    return found
