"""Integers of an instance as indices of the words that stand for them."""

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids

Numbers = NDArray[np.int64]

_UNKNOWN = -1


class Values:
    """The numbers of words and of domains."""

    def __init__(self, numbers: list[int], domain_values: list[Ids]) -> None:
        """Take the number of each word, all different, and the words of each domain."""
        self._numbers = np.array(numbers, dtype=np.int64)
        self._order = np.argsort(self._numbers)
        self._sorted = self._numbers[self._order]
        self._domain_values = domain_values
        self._lists: dict[int, list[int]] = {}
        self._sets: dict[int, frozenset[int]] = {}

    def indices(self, numbers: Numbers) -> Ids:
        """For each number the index of its word, or -1."""
        if not len(self._sorted):
            return np.full(numbers.shape, _UNKNOWN, dtype=np.int32)
        places = np.minimum(np.searchsorted(self._sorted, numbers), len(self._sorted) - 1)
        found = np.where(self._sorted[places] == numbers, self._order[places], _UNKNOWN)
        return found.astype(np.int32)

    def numbers_of(self, domain: int) -> Numbers:
        """The numbers of a domain in its order."""
        return self._numbers[self._domain_values[domain]]

    def of_domain(self, domain: int) -> list[int]:
        """The same as a list."""
        if domain not in self._lists:
            self._lists[domain] = self.numbers_of(domain).tolist()
        return self._lists[domain]

    def set_of_domain(self, domain: int) -> frozenset[int]:
        """The same as a set."""
        if domain not in self._sets:
            self._sets[domain] = frozenset(self.of_domain(domain))
        return self._sets[domain]
