"""Parities as clauses: of some variables over 0 and 1 an even number is 1, or an odd one.

What is forbidden is a clause for every second assignment. So that these do not become too many, a long parity is cut,
with a literal for the parity of each piece, which follows from it.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from f2csp.encode.cnf import CnfBuilder
from f2csp.encode.draft import Draft
from f2csp.model import Ids

_MOST_AT_ONCE = 4


def write_parities(parities: Sequence[tuple[Sequence[int], int]], draft: Draft) -> None:
    """Say of groups of variables, given as indices, that they hold an even (0) or an odd (1) number of ones."""
    groups = defaultdict(list)
    for variables, odd in parities:
        groups[len(variables), odd].append(variables)
    if groups:
        ones = np.flatnonzero(draft.literals.words == draft.problem.words.index("1"))
        of_variable = np.zeros(draft.problem.n_variables, dtype=np.int32)
        of_variable[draft.literals.variables[ones]] = ones + 1
    for (_, odd), scopes in groups.items():
        parity(of_variable[np.array(scopes)], odd, draft.cnf)


def parity(groups: Ids, odd: int, cnf: CnfBuilder) -> None:
    """Say that of each group of literals an even (0) or an odd (1) number holds.

    Complexity:
        O(n) clauses for a group of n.

    Shape:
        groups: (n_groups, n).
    """
    n_groups = len(groups)
    while groups.shape[1] > _MOST_AT_ONCE:
        piece = np.arange(n_groups, dtype=np.int32)[:, None] + cnf.new(n_groups)
        _forbid(np.concatenate((groups[:, : _MOST_AT_ONCE - 1], piece), axis=1), 1, cnf)
        groups = np.concatenate((groups[:, _MOST_AT_ONCE - 1 :], piece), axis=1)
    _forbid(groups, 1 - odd, cnf)


def _forbid(groups: Ids, odd: int, cnf: CnfBuilder) -> None:
    """A clause for each way in which an even or an odd number holds."""
    n = groups.shape[1]
    holds = np.arange(1 << n)[:, None] >> np.arange(n) & 1
    signs = np.where(holds[holds.sum(axis=1) % 2 == odd], -1, 1).astype(np.int32)
    cnf.add((groups[:, None, :] * signs).reshape(-1, n))
