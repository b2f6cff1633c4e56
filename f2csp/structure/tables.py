"""Many tables of one arity end to end, so that all of them are looked at in a few steps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import concatenated_ranges, offsets_of
from f2csp.model import Ids, Offsets
from f2csp.structure.domains import Bools, Domains


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables of one arity, end to end.

    Attributes:
        ranks: the values of all tuples, as ranks.
        starts: where each table begins; one more at the end.
        domains: for each table the domains of its scope.
        are_positive: for each table whether it lists what is allowed.

    Shape:
        ranks: (n_tuples, arity); starts: (n_tables + 1,); domains: (n_tables, arity); are_positive: (n_tables,).
    """

    ranks: Ids
    starts: Offsets
    domains: Ids
    are_positive: Bools

    @property
    def arity(self) -> int:
        """How many values a tuple has."""
        return int(self.domains.shape[1])

    def __len__(self) -> int:
        """How many tables there are."""
        return len(self.domains)

    @property
    def sizes(self) -> Offsets:
        """How many tuples each table has."""
        return np.diff(self.starts)

    @property
    def firsts(self) -> Offsets:
        """Where each table begins, as ``ufunc.reduceat`` wants it where each has a tuple."""
        return self.starts[:-1]

    def only(self, tables: Offsets) -> "Tables":
        """Some of them."""
        if len(tables) == len(self):
            return self
        sizes = self.sizes[tables]
        tuples, _ = concatenated_ranges(self.firsts[tables], sizes)
        return Tables(self.ranks[tuples], offsets_of(sizes), self.domains[tables], self.are_positive[tables])

    def turned(self, known: Domains) -> "Tables":
        """Those that say the same by all the other tuples over their domains, of which there are not many."""
        sizes = known.sizes[self.domains]
        products = np.cumprod(sizes[:, ::-1], axis=1)[:, ::-1]
        strides = np.column_stack((products[:, 1:], np.ones(len(self), dtype=np.int64)))
        starts = offsets_of(products[:, 0])
        owners = np.repeat(np.arange(len(self)), self.sizes)
        places, _ = known.find(self.domains[owners], self.ranks)
        are_others = np.ones(starts[-1], dtype=np.bool_)
        are_others[starts[owners] + (places * strides[owners]).sum(axis=1)] = False
        owners = np.repeat(np.arange(len(self)), products[:, 0])[are_others]
        others = np.flatnonzero(are_others) - starts[owners]
        places = others[:, None] // strides[owners] % sizes[owners]
        ranks = known.held[known.starts[self.domains[owners]] + places]
        return Tables(ranks, offsets_of(products[:, 0] - self.sizes), self.domains, ~self.are_positive)


def n_tuples_over(domains: Ids, known: Domains) -> NDArray[np.float64]:
    """How many tuples there are over the domains of each scope: exact as long as a table can have as many."""
    with np.errstate(over="ignore"):
        n_tuples: NDArray[np.float64] = np.multiply.reduce(known.sizes[domains].astype(np.float64), axis=1)
    return n_tuples


def most_steps(tables: Tables) -> Offsets:
    """How many values of a domain are gone through for each table at most, so that it takes no more than to read it.

    Where that is too few the table has few of the pairs that it would have with a meaning, as a rule: a comparison does
    not leave so many values of a domain without one. Only what holds of the odd value of a large domain is missed.
    """
    return 8 * tables.sizes + 32
