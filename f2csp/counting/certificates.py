"""States of one stage in an order that is the same for isomorphic ones, by colour refinement of all at once.

A state has a word for each value, with a bit for each of some sets of variables. Refinement and the fixing of one
vertex after the other are those of McKay and Piperno, "Practical graph isomorphism, II", 2014.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import Bools
from f2csp.symmetry import Graph, Permutation

Words = NDArray[Any]  # of 32 bits or 64
Numbers = NDArray[np.uint64]
Colours = NDArray[Any]  # of 32 bits, twice as fast as 64; an accident costs a merging
Indices = NDArray[np.intp]


class Certificates:
    """Words in an order of their bits that is the same for isomorphic states, as a rule.

    The permutations of sets are those that leave each pair of sets in its class.
    """

    def __init__(self, classes: NDArray[np.int64]) -> None:
        """``classes`` has the number of the class of each pair of sets."""
        self._orbits = np.unique(classes.diagonal(), return_inverse=True)[1]  # at most 64, which colours have room for
        relations = []
        for first, second in product(np.unique(self._orbits), repeat=2):
            block = classes[np.ix_(self._orbits == first, self._orbits == second)]
            some, sizes = np.unique(block[~np.isin(block, classes.diagonal())], return_counts=True)
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

    def __call__(self, words: Words) -> Words:
        """A certificate of each state, of shape (n_rows, n_states); ``words`` are sorted."""
        n, n_bits = len(self._orbits), 8 * words.itemsize
        order, found = self.in_order(words)
        found.sort(axis=0)
        rows = [found]
        for relation in self._relations:
            pairs = relation[order[:, None], order[None]].reshape(n * n, -1)
            rows += [_joined_bits(pairs[None, at : at + n_bits], words.dtype) for at in range(0, n * n, n_bits)]
        return np.concatenate(rows)

    def in_order(self, words: Words) -> tuple[Indices, Words]:
        """For each state the sets in their order, of shape (n_sets, n_states), and the words with the bits so."""
        bits = (words[:, None] >> np.arange(len(self._orbits), dtype=words.dtype)[:, None]).astype(np.uint32) & 1
        order = np.argsort(self._colours(bits), axis=0)
        return order, _joined_bits(np.take_along_axis(bits, order[None], axis=1), words.dtype)

    def _colours(self, bits: Colours) -> Colours:
        """A colour for each set of each state; no two sets of a state have the same."""
        members = bits.astype(np.float32).transpose(2, 1, 0)
        sets, values = _in_common(members), _in_common(members.transpose(0, 2, 1))
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
            sets[(sets == colour).argmax(axis=0), each] ^= 1  # one of several gets a colour of its own
            sets, values = self._refined(bits, sets, values, 2)

    def _refined(self, bits: Colours, sets: Colours, values: Colours, n_rounds: int) -> tuple[Colours, Colours]:
        """The colours of sets and values after some rounds in which each takes those of its neighbours in."""
        orbits = self._orbits.astype(np.uint32)[:, None] << 26
        for _ in range(n_rounds):
            values = _mixed(values + np.einsum("vsn,sn->vn", bits, _mixed(sets)))
            taken = np.einsum("vsn,vn->sn", bits, _mixed(values + 1))
            for i, relation in enumerate(self._relations):
                of_sets = _mixed(sets + i + 2)
                taken += _mixed(np.array([of_sets[row].sum(axis=0, dtype=np.uint32) for row in relation]))
            sets = _mixed(sets + taken) >> 6 | orbits
        return sets, values


def _in_common(members: NDArray[np.float32]) -> Colours:
    """A number for each row of some matrices, from the numbers of members that it has in common with each other row."""
    numbers = np.matmul(members, members.transpose(0, 2, 1))
    found: Colours = np.einsum("nij,nij->in", numbers * numbers, numbers).astype(np.uint32)
    return found


def _mixed(words: Colours) -> Colours:
    """Other words, equal where these are equal, that look random (the finalizer of MurmurHash3)."""
    words = (words ^ words >> 16) * 0x85EBCA6B
    words = (words ^ words >> 13) * 0xC2B2AE35
    found: Colours = words ^ words >> 16
    return found


def _joined_bits(bits: Colours | Bools, dtype: np.dtype[Any]) -> Words:
    """Bits of shape (n_rows, n_bits, n_states) as words of shape (n_rows, n_states)."""
    weights = np.ones(1, dtype) << np.arange(bits.shape[1], dtype=dtype)
    joined: Words = np.einsum("rbn,b->rn", bits, weights)
    return joined
