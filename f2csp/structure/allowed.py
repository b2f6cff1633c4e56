"""The tuples that a table allows or forbids, listed, where they are few."""

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np

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
    if prod(map(len, scope)) > MAX_TUPLES:
        return None
    rejected = set(map(tuple, relation.tuples.tolist()))
    rows = [row for row in product(*(values.tolist() for values in scope)) if row not in rejected]
    return np.array(rows, dtype=np.int32).reshape(len(rows), len(scope))


def forbidden_tuples(relation: Relation, scope: Sequence[Ids]) -> Ids | None:
    """The tuples that a table forbids; as :func:`allowed_tuples`."""
    return allowed_tuples(Relation("Reject" if relation.kind == "Accept" else "Accept", relation.tuples), scope)
