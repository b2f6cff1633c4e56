"""Clauses for one constraint, written once for all constraints that say the same over the same domains.

A pattern is a formula about a scope alone: literal 1 is the first value of its first variable, and so on through the
domains in the order of the scope; larger literals are auxiliary.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from f2csp.encode.cnf import Cnf, CnfBuilder
from f2csp.model import Offsets


def first_literals(sizes: Sequence[int]) -> list[int]:
    """The first literal of each variable of a pattern's scope, from the sizes of the domains."""
    return list(accumulate(sizes[:-1], initial=1))


def stamp(pattern: Cnf, sizes: Sequence[int], firsts: Offsets, cnf: CnfBuilder) -> Offsets:
    """Write the clauses of a pattern for many scopes; each gets auxiliary literals of its own.

    Args:
        pattern: the clauses.
        sizes: how many literals each variable of the scope has.
        firsts: for each scope and each of its variables the first literal that it has in truth.
        cnf: where the clauses go.

    Returns:
        The first auxiliary literal of each scope.

    Complexity:
        linear in the clauses that are written.

    Shape:
        sizes: (arity,); firsts: (n_scopes, arity).
    """
    n_auxiliary = pattern.n_literals - sum(sizes)
    auxiliary = cnf.new(n_auxiliary * len(firsts)) + n_auxiliary * np.arange(len(firsts))
    starts = np.cumsum([0, *sizes])
    shifts = (np.column_stack((firsts, auxiliary)) - 1 - starts).astype(np.int32)
    for block in pattern.blocks:
        literals = np.abs(block)
        slots = np.searchsorted(starts, literals) - 1
        clauses = (shifts[:, slots] + literals) * np.sign(block)
        cnf.add(clauses.reshape(len(firsts) * len(block), block.shape[1]))
    return auxiliary
