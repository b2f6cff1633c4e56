"""Order literals, "x is at most k": templates that tie them to the literals of values, and comparisons by them.

Crawford and Baker, "Experimental results on the application of satisfiability algorithms to scheduling problems", 1994;
Tamura et al., "Compiling finite linear CSP into SAT", 2009.
"""

from typing import Literal

import numpy as np

from f2csp.encode.cnf import Cnf, CnfBuilder
from f2csp.model import Offsets


def order_template(numbers: Offsets) -> Cnf:
    """The order literals of a variable: at most its least number, at most the next, ..., the last but one.

    Args:
        numbers: the values of its domain, in the order of the domain.

    Complexity:
        O(n) clauses for n values.
    """
    cnf = CnfBuilder(len(numbers))
    if len(numbers) > 1:
        values = (np.argsort(numbers) + 1).astype(np.int32)
        at_most = np.arange(len(numbers) - 1, dtype=np.int32) + cnf.new(len(numbers) - 1)
        cnf.add(np.stack((-at_most[:-1], at_most[1:]), axis=1))
        cnf.add(np.stack((-values[:-1], at_most), axis=1))
        cnf.add(np.stack((-values[1:], -at_most), axis=1))
        cnf.add(np.array([[values[0], -at_most[0]], [values[-1], at_most[-1]]], dtype=np.int32))
        cnf.add(np.stack((values[1:-1], -at_most[1:], at_most[:-1]), axis=1))
    return cnf.take()


def less_template(first: Offsets, second: Offsets, *, or_equal: bool) -> Cnf:
    """One variable less than another, over the order literals of the two.

    Args:
        first: the values of the one variable.
        second: the values of the other.
        or_equal: whether they may be equal.

    Complexity:
        O(n) clauses for n values of the second.
    """
    cnf = CnfBuilder(len(first) + len(second) - 2)
    side: Literal["left", "right"] = "right" if or_equal else "left"
    # If the second is at most its number j, the first is among its n_below[j] least ones.
    n_below = np.searchsorted(np.sort(first), np.sort(second), side=side).astype(np.int32)
    n_ever = int(n_below[-1])
    at_most = np.arange(len(second) - 1, dtype=np.int32) + len(first)
    n_below = n_below[:-1]
    cnf.add(-at_most[n_below == 0][:, None])
    implies = (n_below > 0) & (n_below < len(first))
    cnf.add(np.stack((-at_most[implies], n_below[implies]), axis=1))
    if n_ever == 0:
        cnf.contradict()
    elif n_ever < len(first):
        cnf.add(np.array([[n_ever]], dtype=np.int32))
    return cnf.take()
