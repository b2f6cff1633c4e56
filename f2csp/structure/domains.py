"""The domains of a problem, so that values are compared as numbers and domains with the same values are one."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Offsets, Problem
from f2csp.model.words import is_integer

Bools = NDArray[np.bool_]
Integers = Ids | Offsets

_LARGEST_ADDED = 1 << 61  # so that sums and differences of two, and one more, are far from where 64 bits end


class Domains:
    """The domains of a problem by what they hold; the order of the values means nothing.

    A value is known by its rank among all words of the problem: first the numbers, in their order, then the other
    words, in no order that means anything. Domains that hold the same values have the same index here.

    Attributes:
        of_domain: for each domain of the problem its index here.
        sizes: how many values each domain has.
        starts: where in ``held`` each domain begins; one more at the end.
        held: the ranks of the values of all domains, each domain's in ascending order.
        are_integer: for each domain whether its values are numbers.
        are_addable: for each domain whether its values are numbers of which two can be added in 64 bits.
        are_gapless: for each domain whether its values are all the numbers from the least to the greatest.
        are_binary: for each domain whether its values are 0 and 1.
        ranks: for each word its rank.
        numbers: the numbers, in ascending order: for a rank the number.
    """

    def __init__(self, problem: Problem) -> None:
        self._words = problem.words
        self._rank_words()
        of_distinct: dict[bytes, int] = {}
        sorted_ranks = self._sorted(problem)
        ends = np.cumsum(problem.domain_sizes).tolist()
        keys = [sorted_ranks[start:end].tobytes() for start, end in pairwise([0, *ends])]
        self.of_domain: Ids = np.array([of_distinct.setdefault(key, len(of_distinct)) for key in keys], dtype=np.int32)
        self.held: Ids = np.frombuffer(b"".join(of_distinct), dtype=np.int32)
        self.sizes: Offsets = np.array([len(key) // self.held.itemsize for key in of_distinct], dtype=np.int64)
        self.starts: Offsets = np.cumsum(np.concatenate(([0], self.sizes)))
        self._keys = self._key(np.repeat(np.arange(len(self.sizes)), self.sizes), self.held)
        self._describe()

    def word(self, rank: int) -> str:
        """The word of a rank."""
        return self._words[int(self._word_of[rank])]

    def find(self, domains: Integers, ranks: Integers) -> tuple[Offsets, Bools]:
        """For each rank its place in a domain: how many values are less; and whether it is there."""
        keys = self._key(domains, ranks)
        places = np.searchsorted(self._keys, keys)
        is_there: Bools = self._keys[np.minimum(places, len(self._keys) - 1)] == keys
        return places - self.starts[domains], is_there

    def least(self, domains: Integers) -> Offsets:
        """The least rank in each domain."""
        return self.held[self.starts[domains]].astype(np.int64)

    def greatest(self, domains: Integers) -> Offsets:
        """The greatest rank in each domain."""
        return self.held[self.starts[domains + 1] - 1].astype(np.int64)

    def _rank_words(self) -> None:
        are_numbers = np.fromiter(map(is_integer, self._words), dtype=np.bool_, count=len(self._words))
        numbers = np.zeros(len(self._words), dtype=np.int64)
        numbers[are_numbers] = [int(self._words[i]) for i in np.flatnonzero(are_numbers).tolist()]
        self._word_of = np.lexsort((numbers, ~are_numbers))
        self.numbers: Offsets = numbers[self._word_of[: np.count_nonzero(are_numbers)]]
        self.ranks: Ids = np.empty(len(numbers), dtype=np.int32)
        self.ranks[self._word_of] = np.arange(len(numbers), dtype=np.int32)

    def _sorted(self, problem: Problem) -> Ids:
        """The ranks of the values of all domains of the problem, each domain's in ascending order."""
        words = np.concatenate((*problem.domain_values, np.empty(0, dtype=np.int32)))
        keys = self._key(np.repeat(np.arange(problem.n_domains), problem.domain_sizes), self.ranks[words])
        return (np.sort(keys) % max(len(self._words), 1)).astype(np.int32)

    def _key(self, domains: Integers, ranks: Integers) -> Offsets:
        """One number for a domain and a rank, in the order of both."""
        return domains.astype(np.int64) * len(self._words) + ranks

    def _describe(self) -> None:
        every = np.arange(len(self.sizes))
        self.are_integer: Bools = self.greatest(every) < len(self.numbers)
        self.are_addable, self.are_gapless, self.are_binary = np.zeros((3, len(every)), dtype=np.bool_)
        numeric = every[self.are_integer]
        least, greatest = self.numbers[self.least(numeric)], self.numbers[self.greatest(numeric)]
        self.are_addable[numeric] = (least >= -_LARGEST_ADDED) & (greatest <= _LARGEST_ADDED)
        self.are_gapless[numeric] = greatest - least == self.sizes[numeric] - 1  # cannot wrap around to this
        self.are_binary[numeric] = (least == 0) & (greatest == 1)
