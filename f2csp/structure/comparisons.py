"""Which tables of two variables compare them."""

from collections.abc import Iterator

import numpy as np

from f2csp.model import Offsets
from f2csp.structure.domains import Domains
from f2csp.structure.findings import Said
from f2csp.structure.meaning import MeaningKind
from f2csp.structure.pairs import Pairs
from f2csp.structure.tables import Tables, most_steps

_LESS, _EQUAL, _GREATER = 1, 2, 4  # how the values of a pair compare; added up, how those of several pairs do
_ANY = _LESS | _EQUAL | _GREATER

_ALLOWED = {
    MeaningKind.EQUAL: _EQUAL,
    MeaningKind.DIFFERENT: _LESS | _GREATER,
    MeaningKind.LESS: _LESS,
    MeaningKind.LESS_OR_EQUAL: _LESS | _EQUAL,
    MeaningKind.GREATER: _GREATER,
    MeaningKind.GREATER_OR_EQUAL: _GREATER | _EQUAL,
}
_UNORDERED = (MeaningKind.EQUAL, MeaningKind.DIFFERENT)


def comparisons(tables: Tables, known: Domains) -> Iterator[Said]:
    """Which tables say how the first value compares with the second.

    The tuples of a table are distinct and lie in the domains: so they are all the pairs of a kind as soon as each is
    of that kind and they are as many. No table is spread out over its domains.

    Complexity:
        time O(n log n) for tables of n tuples together.
    """
    listed = _listed(tables)
    n_domains = len(known.sizes)
    pairs_of_domains, pair_of = np.unique(tables.domains @ [n_domains, 1], return_inverse=True)
    pairs = Pairs(known, *np.divmod(pairs_of_domains, n_domains))
    are_possible = (listed != _ANY) & (pairs.n_steps[pair_of] <= most_steps(tables))
    counted = np.unique(pair_of[are_possible])
    counts = np.zeros((3, len(pairs_of_domains)), dtype=np.int64)
    counts[:, counted] = pairs.counts(counted)
    are_ordered = known.are_integer[tables.domains].all(axis=1)
    for kind, allowed in _ALLOWED.items():
        due = np.where(tables.are_positive, allowed, _ANY - allowed)
        n_due = sum(counts[i, pair_of] * (due >> i & 1) for i in range(3))
        are_such = are_possible & (listed & ~due == 0) & (tables.sizes == n_due)
        yield kind, are_such if kind in _UNORDERED else are_such & are_ordered, 0


def _listed(tables: Tables) -> Offsets:
    """How the pairs of each table compare; values that are no numbers are at least equal or not."""
    less = np.subtract(*tables.ranks.T)
    lowest, highest = np.minimum.reduceat(less, tables.firsts), np.maximum.reduceat(less, tables.firsts)
    has_equal = np.logical_or.reduceat(less == 0, tables.firsts)
    listed: Offsets = _LESS * (lowest < 0) | _EQUAL * has_equal | _GREATER * (highest > 0)
    return listed
