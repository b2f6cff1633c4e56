"""Cliques of variables that differ, value by value."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from f2csp.encode.at_most_one import at_most_one
from f2csp.encode.cnf import rows_of
from f2csp.encode.draft import Draft

Mask = NDArray[np.bool_]


class Cliques:
    """Cliques of variables that differ: the literals of all values of all their members."""

    def __init__(self, cliques: Sequence[Sequence[int]], draft: Draft) -> None:
        self._draft = draft
        self._n_members = np.array([len(clique) for clique in cliques], dtype=np.int64)
        members = np.fromiter(chain.from_iterable(cliques), dtype=np.int64)
        n_values = draft.problem.domain_sizes[draft.problem.variable_domains[members]]
        self._literals = draft.literals.of_variables(members)
        self._cliques = np.repeat(np.repeat(np.arange(len(cliques)), self._n_members), n_values)
        self._n_words = max(len(draft.problem.words), 1)
        self._keys = self._cliques * self._n_words + draft.literals.words[self._literals - 1]  # clique and value

    def without_taken(self, is_left: Mask) -> Mask:
        """The literals that are left, but those whose value is the only one of another variable in a clique."""
        variables = self._draft.literals.variables
        n_left = np.bincount(variables[is_left], minlength=self._draft.problem.n_variables)
        is_settled = (n_left == 1)[variables[self._literals - 1]]
        taken = self._keys[is_settled & is_left[self._literals - 1]]
        is_left = is_left.copy()
        is_left[self._literals[np.isin(self._keys, taken) & ~is_settled] - 1] = False
        return is_left

    def write(self, is_left: Mask) -> None:
        """Say that in each clique a value stands at most once, and at least once if all values are needed.

        Args:
            is_left: for each literal of a value, whether its variable can still have it.
        """
        keep = is_left[self._literals - 1]
        literals, cliques, keys = self._literals[keep], self._cliques[keep], self._keys[keep]
        n_distinct = np.bincount(np.unique(keys) // self._n_words, minlength=len(self._n_members))
        if (n_distinct < self._n_members).any():
            self._draft.cnf.contradict()
        for rows in rows_of(literals, keys):
            at_most_one(rows, self._draft.cnf)
        needs_all = (n_distinct == self._n_members)[cliques]
        for rows in rows_of(literals[needs_all], keys[needs_all]):
            self._draft.cnf.add(rows)
