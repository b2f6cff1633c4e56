"""Which tables of numbers say that a sum, a difference or a parity is a constant."""

from collections.abc import Iterator

import numpy as np

from f2csp.arrays import concatenated_ranges
from f2csp.model import Offsets
from f2csp.structure.domains import Bools, Domains
from f2csp.structure.findings import Said
from f2csp.structure.meaning import MeaningKind
from f2csp.structure.tables import Tables, most_steps, n_tuples_over


def sums(tables: Tables, known: Domains) -> Iterator[Said]:
    """Which positive tables of two variables have all pairs with some difference, or with some sum.

    Complexity:
        time O(n log n) for tables of n tuples together.
    """
    are_few = tables.sizes <= known.sizes[tables.domains].min(axis=1)
    numeric = np.flatnonzero(are_few & known.are_addable[tables.domains].all(axis=1))
    found = tables.only(numeric)
    first, second = known.numbers[found.ranks].T
    for kind, sign in ((MeaningKind.DIFFERENCE, -1), (MeaningKind.SUM, 1)):
        combined = first + sign * second
        constants = np.minimum.reduceat(combined, found.firsts)
        are_constant = constants == np.maximum.reduceat(combined, found.firsts)
        are_constant &= _are_all(found, known, sign, constants)
        details = np.zeros(len(tables), dtype=np.int64)
        details[numeric] = constants
        yield kind, np.isin(np.arange(len(tables)), numeric[are_constant]), details


def _are_all(tables: Tables, known: Domains, sign: int, constants: Offsets) -> Bools:
    """Whether there are no more pairs than a table has whose first and ``sign`` times whose second make a constant.

    The domain with fewer values is gone through, as far as what they lack to the constant lies among the others.
    """
    first, second = tables.domains.T
    is_first = known.sizes[first] < known.sizes[second]
    few, many = np.where(is_first, first, second), np.where(is_first, second, first)
    constants = np.where(is_first, sign * constants, constants)  # less ``sign`` times a value: what this lacks
    ends = sign * (constants - known.numbers[[known.least(many), known.greatest(many)]])
    begin, _ = known.find(few, np.searchsorted(known.numbers, ends.min(axis=0)))
    end, _ = known.find(few, np.searchsorted(known.numbers, ends.max(axis=0), side="right"))
    n_steps = end - begin
    are_gapless = known.are_gapless[few] & known.are_gapless[many]  # then they are what is lacked, every one
    which = np.flatnonzero((n_steps <= most_steps(tables)) & ~are_gapless)
    members, owners = concatenated_ranges(known.starts[few[which]] + begin[which], n_steps[which])
    owners = which[owners]
    lacked = constants[owners] - sign * known.numbers[known.held[members]]
    ranks = np.searchsorted(known.numbers, lacked)
    _, are_there = known.find(many[owners], ranks)
    are_there &= known.numbers[np.minimum(ranks, len(known.numbers) - 1)] == lacked
    n_pairs = np.where(are_gapless, n_steps, np.bincount(owners[are_there], minlength=len(tables)))
    are_all: Bools = n_pairs == tables.sizes
    return are_all


def parities(tables: Tables, known: Domains) -> Iterator[Said]:
    """Which positive tables have all tuples of zeros and ones with an odd number of ones, or with an even one."""
    are_binary = known.are_binary[tables.domains].all(axis=1)
    binary = np.flatnonzero(are_binary & (2 * tables.sizes == n_tuples_over(tables.domains, known)))
    found = tables.only(binary)
    odd = np.bitwise_xor.reduce(known.numbers[found.ranks], axis=1)
    least = np.minimum.reduceat(odd, found.firsts)
    are_constant = least == np.maximum.reduceat(odd, found.firsts)
    details = np.zeros(len(tables), dtype=np.int64)
    details[binary] = least
    yield MeaningKind.XOR, np.isin(np.arange(len(tables)), binary[are_constant]), details
