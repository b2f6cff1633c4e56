"""States of one stage in an order that is the same for isomorphic ones, by colour refinement of all at once.

A state has a word for each value, with a bit for each of some sets of variables. Refinement and the fixing of one
vertex after the other are those of McKay and Piperno, "Practical graph isomorphism, II", 2014.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import Bools
from f2csp.symmetry import Graph, Permutation

Unsigned = NDArray[np.uint64]
Indices = NDArray[np.intp]

WORD_BITS = 64  # bits
_ONE = np.uint64(1)


class Certificates:
    """Words in an order of their bits that is the same for isomorphic states, as a rule.

    The permutations of sets are those that leave each pair of sets in its class.
    """

    def __init__(self, classes: NDArray[np.int64]) -> None:
        """``classes`` has the number of the class of each pair of sets."""
        self._orbits = classes.diagonal().copy()
        relations = []
        for first, second in product(np.unique(self._orbits), repeat=2):
            block = classes[np.ix_(self._orbits == first, self._orbits == second)]
            some, sizes = np.unique(block[~np.isin(block, self._orbits)], return_counts=True)
            relations += [classes == one for one in some[np.argsort(sizes)][:-1]]  # the largest is what is left
        self._relations = relations

    @classmethod
    def of(cls, group: Sequence[Permutation], n: int) -> "Certificates | None":
        """For the classes that some permutations of n sets generate."""
        if not group:
            return None
        classes = np.arange(n * n)
        images = [np.add.outer(np.array(one) * n, np.array(one)).ravel() for one in group]
        while True:
            before = classes.copy()
            for image in images:
                np.minimum.at(classes, image, classes[np.arange(n * n)])
                classes = np.minimum(classes, classes[image])
            if np.array_equal(before, classes):
                return cls(classes.reshape(n, n))

    def permutations(self) -> list[Permutation]:
        """Generators of all permutations that leave each pair of sets in its class."""
        n = len(self._orbits)
        colours: list[tuple[int, int]] = [(0, orbit) for orbit in self._orbits.tolist()]
        edges = []
        for i, relation in enumerate(self._relations):
            for first, second in np.argwhere(relation).tolist():  # a directed edge, as two vertices
                at = len(colours)
                edges += [(first, at), (at, at + 1), (at + 1, second)]
                colours += [(1, i), (2, i)]
        return [one[:n] for one in Graph(colours, edges).generators()]

    def __call__(self, words: Unsigned) -> Unsigned:
        """A certificate of each state, of shape (n_rows, n_states); ``words`` are sorted."""
        n = len(self._orbits)
        order, found = self.in_order(words)
        found.sort(axis=0)
        rows = [found]
        for relation in self._relations:
            pairs = relation[order[:, None], order[None]].reshape(n * n, -1)
            rows += [_joined_bits(pairs[None, at : at + WORD_BITS]) for at in range(0, n * n, WORD_BITS)]
        return np.concatenate(rows)

    def in_order(self, words: Unsigned) -> tuple[Indices, Unsigned]:
        """For each state the sets in their order, of shape (n_sets, n_states), and the words with the bits so."""
        bits = words[:, None] >> np.arange(len(self._orbits), dtype=np.uint64)[:, None] & _ONE
        order = np.argsort(self._colours(bits), axis=0)
        return order, _joined_bits(np.take_along_axis(bits, order[None], axis=1))

    def _colours(self, bits: Unsigned) -> Unsigned:
        """A colour for each set of each state; no two sets of a state have the same."""
        counts = bits.astype(np.float32).transpose(2, 1, 0)
        common = np.matmul(counts, counts.transpose(0, 2, 1)).astype(np.uint64)  # values that are closed to two sets
        sets = mixed(common).sum(axis=2, dtype=np.uint64).T
        common = np.matmul(counts.transpose(0, 2, 1), counts).astype(np.uint64)
        values = mixed(common).sum(axis=2, dtype=np.uint64).T
        sets, values = self._refined(bits, sets, values, 3)
        found = np.empty_like(sets)
        left = np.arange(sets.shape[1])
        while True:
            in_order = np.sort(sets, axis=0)
            is_twice = in_order[1:] == in_order[:-1]
            has_twice = is_twice.any(axis=0)
            found[:, left[~has_twice]] = sets[:, ~has_twice]
            if not has_twice.any():
                return found
            left, bits, sets, values = left[has_twice], bits[:, :, has_twice], sets[:, has_twice], values[:, has_twice]
            each = np.arange(len(left))
            colour = in_order[:, has_twice][is_twice[:, has_twice].argmax(axis=0), each]
            sets[(sets == colour).argmax(axis=0), each] ^= np.uint64(1 << 40)  # one of several gets a colour of its own
            sets, values = self._refined(bits, sets, values, 2)

    def _refined(self, bits: Unsigned, sets: Unsigned, values: Unsigned, n_rounds: int) -> tuple[Unsigned, Unsigned]:
        """The colours of sets and values after some rounds in which each takes those of its neighbours in."""
        orbits = self._orbits.astype(np.uint64)[:, None] << np.uint64(WORD_BITS - 8)
        for _ in range(n_rounds):
            values = mixed(values + (bits * mixed(sets)).sum(axis=1, dtype=np.uint64))
            taken = (bits * mixed(values + _ONE)[:, None]).sum(axis=0, dtype=np.uint64)
            for i, relation in enumerate(self._relations):
                of_sets = mixed(sets + np.uint64(i + 2))
                taken += mixed(np.array([of_sets[row].sum(axis=0, dtype=np.uint64) for row in relation]))
            sets = mixed(sets + taken) >> np.uint64(8) | orbits
        return sets, values


def mixed(words: Unsigned) -> Unsigned:
    """Other words, equal where these are equal, that look random (the finalizer of SplitMix64)."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


def _joined_bits(bits: Unsigned | Bools) -> Unsigned:
    """Bits of shape (n_rows, n_bits, n_states) as words of shape (n_rows, n_states)."""
    weights = np.uint64(1) << np.arange(bits.shape[1], dtype=np.uint64)
    joined: Unsigned = (bits * weights[:, None]).sum(axis=1, dtype=np.uint64)
    return joined
