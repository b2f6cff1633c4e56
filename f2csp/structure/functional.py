"""Which tables make one variable follow from the others."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import concatenated_ranges
from f2csp.model import Offsets
from f2csp.structure.domains import Bools, Domains
from f2csp.structure.findings import Said
from f2csp.structure.meaning import MeaningKind
from f2csp.structure.tables import Tables, n_tuples_over

Keys = NDArray[np.uint64]

_KEY_BITS = 64
_WEIGHT = 0x9E3779B97F4A7C15  # 2^64 by the golden ratio, as in Knuth's multiplicative hashing; its powers weigh values


def functions(tables: Tables, known: Domains) -> Iterator[Said]:
    """Which positive tables have no two tuples that differ in the value of one variable only.

    A variable that has a single value follows from nothing, and is not looked at.

    A tuple has a key to which each value adds its part, so that what the others add is known at once. That different
    tuples have the same key is so rare that it does not happen; a table to which it did could stay without a meaning.

    Complexity:
        time O(k n log n) for tables of n tuples together where k positions are looked at: no more than there are, and
        than the tuples of a table and one.
    """
    sizes = known.sizes[tables.domains]
    n_others = n_tuples_over(tables.domains, known)[:, None] / sizes
    are_possible = (sizes > 1) & (n_others >= tables.sizes[:, None])
    columns = tables.ranks.T.astype(np.uint64)
    weights = np.cumprod(np.full(len(columns), _WEIGHT, dtype=np.uint64))
    keys = np.zeros(len(tables.ranks), dtype=np.uint64)
    for column, weight in zip(columns, weights, strict=True):
        keys += column * weight
    for position in np.flatnonzero(are_possible.any(axis=0))[::-1].tolist():
        which = np.flatnonzero(are_possible[:, position])
        tuples, owners = concatenated_ranges(tables.firsts[which], tables.sizes[which])
        rests = keys[tuples] - columns[position, tuples] * weights[position]
        follows = np.zeros(len(tables), dtype=np.bool_)
        follows[which] = ~_have_equal(rests, owners, len(which))
        are_possible[follows] = False
        yield MeaningKind.FUNCTIONAL, follows, position


def _have_equal(keys: Keys, owners: Offsets, n_owners: int) -> Bools:
    """Which owners have two equal keys."""
    n_bits = n_owners.bit_length()
    owned = (owners.astype(np.uint64) << (_KEY_BITS - n_bits)) | (keys >> n_bits)
    owned.sort()
    repeated = owned[1:][owned[1:] == owned[:-1]] >> (_KEY_BITS - n_bits)
    has_equal: Bools = np.bincount(repeated.astype(np.int64), minlength=n_owners) > 0
    return has_equal
