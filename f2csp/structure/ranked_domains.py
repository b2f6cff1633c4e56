"""The domains of a problem as ranks, so that values are compared as numbers and domains with equal values are one."""

from itertools import pairwise

import numpy as np

from f2csp.arrays import Bools, Integers, offsets_of
from f2csp.model import Ids, Offsets, Problem
from f2csp.model.words import is_integer

_MAX_SUMMAND = 1 << 61  # sums and differences of two such numbers, and one more, fit in 64 bits


class RankedDomains:
    """The distinct sets of values of a problem's domains.

    The rank of a value is its place among all values of the problem: first the integers in ascending order, then the
    other words in no meaningful order. Domains with the same values, in any order, have the same index here.
    """

    def __init__(self, problem: Problem) -> None:
        self.words = words = problem.words
        is_number = np.fromiter(map(is_integer, words), dtype=np.bool_, count=len(words))
        numbers = np.zeros(len(words), dtype=np.int64)
        numbers[is_number] = [int(words[i]) for i in np.flatnonzero(is_number).tolist()]
        self.word_of = np.lexsort((numbers, ~is_number))
        self.numbers: Offsets = numbers[self.word_of[: np.count_nonzero(is_number)]]  # ascending, that is, by rank
        self.ranks: Ids = np.empty(len(words), dtype=np.int32)  # of words
        self.ranks[self.word_of] = np.arange(len(words), dtype=np.int32)
        index: dict[bytes, int] = {}
        ranks = self._sorted_ranks(problem)
        keys = [ranks[start:end].tobytes() for start, end in pairwise(offsets_of(problem.domain_sizes).tolist())]
        # For each domain of the problem its index here.
        self.of_domain: Ids = np.array([index.setdefault(key, len(index)) for key in keys], dtype=np.int32)
        # The ranks of the values of all domains end to end, ascending in each.
        self.values: Ids = np.frombuffer(b"".join(index), dtype=np.int32)
        self.sizes: Offsets = np.array([len(key) // self.values.itemsize for key in index], dtype=np.int64)
        self.starts: Offsets = offsets_of(self.sizes)
        self._keys = self._key(np.repeat(np.arange(len(self.sizes)), self.sizes), self.values)
        every = np.arange(len(self.sizes))
        self.is_integer: Bools = self.greatest(every) < len(self.numbers)
        self.is_small, self.is_interval, self.is_binary = np.zeros((3, len(every)), dtype=np.bool_)
        numeric = every[self.is_integer]
        least, greatest = self.numbers[self.least(numeric)], self.numbers[self.greatest(numeric)]
        self.is_small[numeric] = (least >= -_MAX_SUMMAND) & (greatest <= _MAX_SUMMAND)
        self.is_interval[numeric] = greatest - least == self.sizes[numeric] - 1  # exact, as sizes are below 2^31
        self.is_binary[numeric] = (least == 0) & (greatest == 1)

    def locate(self, domains: Integers, ranks: Integers) -> tuple[Offsets, Bools]:
        """For each rank, the number of lesser values in a domain, and whether the domain contains the rank."""
        keys = self._key(domains, ranks)
        places = np.searchsorted(self._keys, keys)
        is_there: Bools = self._keys[np.minimum(places, len(self._keys) - 1)] == keys
        return places - self.starts[domains], is_there

    def least(self, domains: Integers) -> Offsets:
        """The least rank in each domain."""
        return self.values[self.starts[domains]].astype(np.int64)

    def greatest(self, domains: Integers) -> Offsets:
        """The greatest rank in each domain."""
        return self.values[self.starts[domains + 1] - 1].astype(np.int64)

    def _sorted_ranks(self, problem: Problem) -> Ids:
        """The ranks of the values of all domains of the problem, ascending in each domain."""
        words = np.concatenate((*problem.domain_values, np.empty(0, dtype=np.int32)))
        keys = self._key(np.repeat(np.arange(problem.n_domains), problem.domain_sizes), self.ranks[words])
        return (np.sort(keys) % max(len(self.words), 1)).astype(np.int32)

    def _key(self, domains: Integers, ranks: Integers) -> Offsets:
        """One integer for a domain and a rank, in the order of both."""
        return domains.astype(np.int64) * len(self.words) + ranks
