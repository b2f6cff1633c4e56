"""Which literal says what: one for each variable and each value of its domain."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from f2csp.arrays import concatenated_ranges
from f2csp.model import Ids, Offsets, Problem


@dataclass(frozen=True, slots=True)
class Literals:
    """The literals of the values: ``first[v] + p`` says that variable v has the value at position p of its domain.

    They are counted through from 1 in the order of the variables. Larger literals are auxiliary.

    Attributes:
        first: for each variable the literal of its first value; one more at the end, which is the first auxiliary one.
        variables: for each literal, from 1, its variable.
        words: for each literal, from 1, its value, as the index of a word.

    Shape:
        first: (n_variables + 1,), int64.
        variables, words: (n_values,), int32.
    """

    first: Offsets
    variables: Ids
    words: Ids

    @property
    def n_values(self) -> int:
        """How many literals speak of values."""
        return len(self.words)

    def of_variables(self, variables: Offsets) -> Ids:
        """The literals of all values of some variables, one after the other."""
        sizes = self.first[variables + 1] - self.first[variables]
        return concatenated_ranges(self.first[variables], sizes)[0].astype(np.int32)

    def true_in(self, model: Sequence[int]) -> Ids:
        """The literal of each variable's value in a model.

        Args:
            model: the literals in their order, each negated if it does not hold; there may be auxiliary ones.
        """
        holds = np.array(model[: self.n_values], dtype=np.int32) > 0
        return (np.flatnonzero(holds) + 1).astype(np.int32)

    def words_in(self, model: Sequence[int]) -> list[int]:
        """Each variable's value in a model, as the index of a word."""
        words: list[int] = self.words[self.true_in(model) - 1].tolist()
        return words


def literals_of(problem: Problem) -> Literals:
    """The literals for the values of a problem's variables."""
    domains = problem.variable_domains
    sizes = problem.domain_sizes[domains]
    starts = np.cumsum(problem.domain_sizes) - problem.domain_sizes
    words = np.concatenate((*problem.domain_values, np.empty(0, dtype=np.int32)))
    return Literals(
        first=np.cumsum(np.concatenate(([1], sizes))),
        variables=np.repeat(np.arange(problem.n_variables, dtype=np.int32), sizes),
        words=words[concatenated_ranges(starts[domains], sizes)[0]],
    )
