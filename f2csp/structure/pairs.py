"""How the pairs of values from two domains compare, counted for many pairs of domains at once."""

import numpy as np

from f2csp.arrays import concatenated_ranges
from f2csp.model import Offsets
from f2csp.structure.domains import Bools, Domains


class Pairs:
    """Some pairs of domains.

    Of each pair the domain with fewer values is gone through, as far as these lie among the others.

    Attributes:
        n_steps: for each pair how many values that are.
    """

    def __init__(self, known: Domains, firsts: Offsets, seconds: Offsets) -> None:
        self._known = known
        self._are_turned = known.sizes[firsts] > known.sizes[seconds]
        self._few = np.where(self._are_turned, seconds, firsts)
        self._many = np.where(self._are_turned, firsts, seconds)
        self._begin, _ = known.find(self._few, known.least(self._many))
        self._end, _ = known.find(self._few, known.greatest(self._many) + 1)
        self.n_steps = self._end - self._begin

    def counts(self, which: Offsets) -> tuple[Offsets, Offsets, Offsets]:
        """For some of them, of how many pairs of values the first has the lesser rank, an equal one, the greater one.

        Complexity:
            time O(k log n) for k steps and n values in all domains.
        """
        known, few, many = self._known, self._few[which], self._many[which]
        members, owners = concatenated_ranges(known.starts[few] + self._begin[which], self.n_steps[which])
        n_less, are_equal = known.find(many[owners], known.held[members])
        n_equal = _sums(are_equal, owners, len(which))
        n_below = (known.sizes[few] - self._end[which]) * known.sizes[many] + _sums(n_less, owners, len(which))
        n_above = known.sizes[few] * known.sizes[many] - n_equal - n_below
        is_turned = self._are_turned[which]
        return np.where(is_turned, n_below, n_above), n_equal, np.where(is_turned, n_above, n_below)


def _sums(numbers: Offsets | Bools, owners: Offsets, n_owners: int) -> Offsets:
    """The sum of what each owner has; exact, for these are numbers of pairs."""
    return np.bincount(owners, weights=numbers, minlength=n_owners).astype(np.int64)
