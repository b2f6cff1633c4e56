"""At most one of some literals, in pairs for few of them and as a product for many.

The product puts the literals on a grid and says that at most one row and at most one column of it is in use: Chen, "A
new SAT encoding of the at-most-one constraint", 2010. Here a row is in use only if one of its literals holds, which
the paper leaves open; so the auxiliary literals follow from the others, and models are counted right.
"""

from math import isqrt

import numpy as np

from f2csp.encode.cnf import CnfBuilder
from f2csp.model import Ids

MOST_IN_PAIRS = 10
"""For more literals the product has fewer clauses, and no more literals in them."""


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
    places = np.arange(n)
    for lines in (places // n_columns, places % n_columns):
        n_lines = int(lines.max()) + 1
        in_use = (cnf.new(n_groups * n_lines) + np.arange(n_groups * n_lines, dtype=np.int32)).reshape(-1, n_lines)
        cnf.add(np.stack((-groups, in_use[:, lines]), axis=2).reshape(-1, 2))
        for line in range(n_lines):
            cnf.add(np.concatenate((-in_use[:, [line]], groups[:, lines == line]), axis=1))
        at_most_one(in_use, cnf)
