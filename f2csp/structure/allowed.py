"""The tuples that a table allows or forbids, listed, where they are few."""

from collections.abc import Sequence
from math import prod

import numpy as np

from f2csp.arrays import row_codes
from f2csp.model import Ids, Relation

MAX_TUPLES = 1 << 16
"""The largest product of domains out of which rejected tuples are taken."""


def allowed_tuples(relation: Relation, scope: Sequence[Ids]) -> Ids | None:
    """The tuples that a table allows: those it accepts, or all over the domains but those it rejects.

    Args:
        relation: the table.
        scope: the values of each variable, as indices of words.

    Returns:
        The tuples, in no order that means anything; None if they are too many to be listed.
    """
    if relation.kind == "Accept":
        return relation.tuples
    n_all = prod(map(len, scope))
    if n_all > MAX_TUPLES:
        return None
    every = np.empty((n_all, len(scope)), dtype=np.int32)
    ranks = np.arange(n_all)
    for position, values in enumerate(scope):
        ranks, at = np.divmod(ranks, len(values))
        every[:, position] = values[at]
    keys = row_codes(np.concatenate((every, relation.tuples)).T)
    return every[~np.isin(keys[:n_all], keys[n_all:])]


def forbidden_tuples(relation: Relation, scope: Sequence[Ids]) -> Ids | None:
    """The tuples that a table forbids; as :func:`allowed_tuples`."""
    return allowed_tuples(Relation("Reject" if relation.kind == "Accept" else "Accept", relation.tuples), scope)
