"""At most one of some literals, in pairs for few of them and as a product for many.

The product puts the literals on a grid and says that at most one row and at most one column of it is in use: Chen, "A
new SAT encoding of the at-most-one constraint", 2010. Here a row is in use only if one of its literals holds, which
the paper leaves open; so the auxiliary literals follow from the others, and models are counted right.
"""

from math import isqrt

import numpy as np

from f2csp.encode.cnf import CnfBuilder
from f2csp.model import Ids

MOST_IN_PAIRS = 30
"""Of so many literals, or fewer, pairs are still few, and solvers get on better with them."""


def at_most_one(groups: Ids, cnf: CnfBuilder) -> None:
    """Say that of each group of literals at most one holds; auxiliary literals follow from the group's.

    Complexity:
        O(n) clauses for a group of n.

    Shape:
        groups: (n_groups, n).
    """
    n_groups, n = groups.shape
    if n <= MOST_IN_PAIRS:
        one, other = np.triu_indices(n, 1)
        cnf.add(-np.stack((groups[:, one], groups[:, other]), axis=2).reshape(-1, 2))
        return
    n_columns = isqrt(n - 1) + 1
    rows = [slice(start, start + n_columns) for start in range(0, n, n_columns)]
    columns = [slice(start, n, n_columns) for start in range(n_columns)]
    for lines in (rows, columns):
        in_use = np.arange(n_groups * len(lines), dtype=np.int32).reshape(n_groups, -1) + cnf.new(n_groups * len(lines))
        for line, used in zip(lines, in_use.T, strict=True):
            members = groups[:, line]
            cnf.add(np.stack((-members, np.broadcast_to(used[:, None], members.shape)), axis=2).reshape(-1, 2))
            cnf.add(np.concatenate((-used[:, None], members), axis=1))
        at_most_one(in_use, cnf)
