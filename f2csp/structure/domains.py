"""What tables are compared with: how many pairs of values from two domains are equal, and how many are in order."""

from typing import NamedTuple

import numpy as np

from f2csp.model import Ids, Offsets, Problem, Value


class PairCounts(NamedTuple):
    """Of the pairs of values from two domains, how many are equal, less and greater; words are in no order."""

    n_equal: int
    n_less: int
    n_greater: int


class Domains:
    """The domains of a problem, and counts of pairs over them, each made once."""

    def __init__(self, problem: Problem) -> None:
        self._values = problem.domain_values
        self._words = problem.words
        self._are_integers = [domain.is_integer for domain in problem.domains]
        self._numbers = np.zeros(len(problem.words), dtype=np.int64)
        for values, are_integers in zip(self._values, self._are_integers, strict=True):
            if are_integers:
                self._numbers[values] = [int(self._words[word]) for word in values.tolist()]
        self._sorted: dict[tuple[int, bool], Offsets] = {}
        self._counts: dict[tuple[int, int], PairCounts] = {}

    def words(self, domain: int) -> Ids:
        """The values of a domain as indices of words, in its order."""
        return self._values[domain]

    def value(self, domain: int, word: int) -> Value:
        """A value as its domain has it."""
        return int(self._numbers[word]) if self._are_integers[domain] else self._words[word]

    def size(self, domain: int) -> int:
        """How many values a domain has."""
        return len(self._values[domain])

    def are_integer(self, *domains: int) -> bool:
        """Whether the values of all these domains are numbers."""
        return all(self._are_integers[domain] for domain in domains)

    def holds_zero_and_one(self, domain: int) -> bool:
        """Whether these are the values of a domain of numbers."""
        return self.size(domain) == 2 and sorted(self._numbers[self._values[domain]].tolist()) == [0, 1]

    def numbers(self, words: Ids) -> Offsets:
        """The numbers that words of integer domains write."""
        return self._numbers[words]

    def pair_counts(self, first: int, second: int) -> PairCounts:
        """How the pairs of values compare, the value of the first domain with that of the second.

        Complexity:
            time O(k log n) for domains of k <= n values, after each is sorted once; nothing when asked again.
        """
        if (first, second) not in self._counts:
            self._counts[first, second] = self._compared(first, second)
        return self._counts[first, second]

    def n_pairs_with(self, first: int, second: int, sign: int, constant: int) -> int:
        """How many pairs of numbers there are whose first and ``sign`` times whose second add up to a constant."""
        firsts, seconds = ([int(self._words[w]) for w in self._values[domain].tolist()] for domain in (first, second))
        known = set(firsts)
        return sum(constant - sign * number in known for number in seconds)

    def _compared(self, first: int, second: int) -> PairCounts:
        are_integer = self.are_integer(first, second)
        one, other = self._in_order(first, are_integer), self._in_order(second, are_integer)
        few, many = (one, other) if len(one) <= len(other) else (other, one)
        n_below = np.searchsorted(many, few, side="left")
        n_up_to = np.searchsorted(many, few, side="right")
        n_equal = int((n_up_to - n_below).sum())
        if not are_integer:
            return PairCounts(n_equal, 0, 0)
        few_less, many_less = int((len(many) - n_up_to).sum()), int(n_below.sum())
        return PairCounts(n_equal, few_less, many_less) if few is one else PairCounts(n_equal, many_less, few_less)

    def _in_order(self, domain: int, are_integer: bool) -> Offsets:
        """The sorted values of a domain: as numbers, or as indices of words."""
        key = domain, are_integer
        if key not in self._sorted:
            words = self._values[domain]
            self._sorted[key] = np.sort(self._numbers[words] if are_integer else words.astype(np.int64))
        return self._sorted[key]
