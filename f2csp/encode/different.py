"""Cliques of variables that differ, value by value."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from f2csp.encode.at_most_one import at_most_one
from f2csp.encode.cnf import rows_of
from f2csp.encode.draft import Draft


def write_different(cliques: Sequence[Sequence[int]], is_left: NDArray[np.bool_], draft: Draft) -> None:
    """Say that in each clique a value stands at most once, and at least once if all values are needed.

    Args:
        cliques: variables that all differ, as indices.
        is_left: for each literal of a value, whether its variable can still have it.
        draft: where to say it.
    """
    members = np.fromiter(chain.from_iterable(cliques), dtype=np.int64)
    n_members = np.array([len(clique) for clique in cliques], dtype=np.int64)
    literals = draft.literals.of_variables(members)
    n_values = draft.problem.domain_sizes[draft.problem.variable_domains[members]]
    clique = np.repeat(np.repeat(np.arange(len(cliques)), n_members), n_values)[is_left[literals - 1]]
    literals = literals[is_left[literals - 1]]
    n_words = max(len(draft.problem.words), 1)
    keys = clique * n_words + draft.literals.words[literals - 1]
    n_distinct = np.bincount(np.unique(keys) // n_words, minlength=len(cliques))
    if (n_distinct < n_members).any():
        draft.cnf.contradict()
    for rows in rows_of(literals, keys):
        at_most_one(rows, draft.cnf)
    needs_all = (n_distinct == n_members)[clique]
    for rows in rows_of(literals[needs_all], keys[needs_all]):
        draft.cnf.add(rows)
