"""Costs of tuples as a table: one that is reached or passed by the upper bound is forbidden, and 0 is allowed."""

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Kind

Table = tuple[Kind, Ids]


def sparse_table(rows: Ids, is_forbidden: NDArray[np.bool_], is_default_forbidden: bool) -> Table:
    """The table of listed tuples, where the others are all forbidden or all allowed."""
    if is_default_forbidden:
        return "Accept", rows[~is_forbidden]
    return "Reject", rows[is_forbidden]


def dense_table(is_forbidden: NDArray[np.bool_], sizes: tuple[int, ...]) -> Table:
    """The table of all tuples in lexicographic order, in the kind that is the shorter."""
    n_forbidden = int(np.count_nonzero(is_forbidden))
    kind: Kind = "Accept" if n_forbidden > len(is_forbidden) - n_forbidden else "Reject"
    chosen = np.flatnonzero(is_forbidden if kind == "Reject" else ~is_forbidden)
    rows = np.stack(np.unravel_index(chosen, sizes), axis=1) if sizes else np.empty((0, 0))
    return kind, rows.astype(np.int32)
