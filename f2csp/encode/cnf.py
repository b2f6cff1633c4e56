"""Formulas in conjunctive normal form, in arrays: literals, clauses, and templates of clauses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value, concatenated_ranges, offsets_of
from f2csp.diagnostics import Unsuitable
from f2csp.model import Ids, Offsets, Problem

_BITS = {"0", "1"}

MAX_LITERALS = (1 << 31) - 1
"""The largest literal that 32 bits hold, as in most solvers."""


@dataclass(frozen=True, slots=True)
class Cnf:
    """A formula: a clause is a disjunction of literals, positive numbers from 1 or, negated, negative ones."""

    n_literals: int  # positive ones
    blocks: tuple[Ids, ...]  # clauses of equal width, (n_clauses, width) each; the empty clause is a row of width 0

    @property
    def n_clauses(self) -> int:
        return sum(len(block) for block in self.blocks)


class CnfBuilder:
    def __init__(self, n_literals: int = 0) -> None:
        self._blocks: list[Ids] = []
        self.n_literals = 0
        self.new(n_literals)

    def new(self, n: int) -> int:
        """Add literals, and return the first of them, unless there would be more than fit in 32 bits."""
        first = self.n_literals + 1
        self.n_literals += n
        if self.n_literals > MAX_LITERALS:
            raise Unsuitable(f"as clauses the problem has more than {MAX_LITERALS} literals")
        return first

    def add(self, clauses: Ids) -> None:
        """Add clauses, one per row."""
        if len(clauses):
            self._blocks.append(clauses)

    def contradict(self) -> None:
        """Add the empty clause."""
        self.add(np.empty((1, 0), dtype=np.int32))

    def take(self) -> Cnf:
        """The clauses since the last call, over all literals so far."""
        blocks, self._blocks = tuple(self._blocks), []
        return Cnf(self.n_literals, blocks)

    def instantiate(self, template: Cnf, sizes: Sequence[int], firsts: Offsets) -> Offsets:
        """Add the clauses of a template for many scopes; each scope gets auxiliary literals of its own.

        Args:
            template: clauses about one scope. Literal 1 is the first literal of its first variable, and so on through
                the literals of all its variables; larger literals are auxiliary.
            sizes: for each variable of the scope the number of its literals.
            firsts: for each scope and each variable the first literal in this formula; shape (n_scopes, arity).

        Returns:
            The first auxiliary literal of each scope.
        """
        n_auxiliary = template.n_literals - sum(sizes)
        auxiliary = self.new(n_auxiliary * len(firsts)) + n_auxiliary * np.arange(len(firsts), dtype=np.int64)
        starts = np.cumsum([0, *sizes])
        shifts = (np.column_stack((firsts, auxiliary)) - 1 - starts).astype(np.int32)
        for block in template.blocks:
            literals = np.abs(block)
            slots = np.searchsorted(starts, literals) - 1
            clauses = (shifts[:, slots] + literals) * np.sign(block)
            self.add(clauses.reshape(len(firsts) * len(block), block.shape[1]))
        return auxiliary


def rows_by_key(literals: Ids, keys: Ids | Offsets) -> Iterator[Ids]:
    """Group literals by key, a row for each key; rows of equal length in one array. Sorts unless the keys ascend."""
    if not len(keys):
        return
    if (keys[1:] < keys[:-1]).any():
        order = np.argsort(keys, kind="stable")
        literals, keys = literals[order], keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    for length, rows in by_value(np.diff(starts, append=len(keys))):
        yield literals[starts[rows][:, None] + np.arange(length)]


@dataclass(frozen=True, slots=True)
class Literals:
    """The literals of the values, numbered from 1 in the order of the variables; larger literals are auxiliary.

    A variable over 0 and 1 has one literal: it is 1 where that is true, and 0 where it is false. Any other variable has
    a literal for each value, of which exactly one is true.
    """

    first: Offsets  # for each variable its first literal; one more at the end, the first auxiliary literal
    of_domains: tuple[Ids, ...]  # for each domain the literals of its values, if its variable had the first literals
    starts: Offsets  # for each variable its first value, an index into the rest; one more at the end
    variables: Ids  # for each value its variable
    words: Ids  # for each value its word
    values: Ids  # for each value its literal, -n for the 0 of a variable with the literal n

    @property
    def n_values(self) -> int:
        return len(self.words)

    @property
    def has_own(self) -> NDArray[np.bool_]:
        """For each variable whether each value has a literal of its own."""
        return np.asarray(np.diff(self.first) == np.diff(self.starts))

    def values_of(self, variables: Offsets) -> Offsets:
        """The values of some variables, end to end, as indices."""
        return concatenated_ranges(self.starts[variables], self.starts[variables + 1] - self.starts[variables])[0]

    def true_in(self, model: Sequence[int]) -> Ids:
        """The literal of each variable's value in a model: literals in order, negated where they are false."""
        return self.values[self.are_true(model)]

    def words_in(self, model: Sequence[int]) -> list[int]:
        """Each variable's value in a model, as the index of a word."""
        return list(self.words[self.are_true(model)].tolist())

    def are_true(self, model: Sequence[int]) -> NDArray[np.bool_]:
        """For each value whether the model has it; a literal that is in no clause may be missing, and is false."""
        numbers = np.array(model[: int(self.first[-1]) - 1], dtype=np.int32)
        is_true = np.zeros(int(self.first[-1]), dtype=np.bool_)
        is_true[1 : len(numbers) + 1] = numbers > 0
        return np.asarray(is_true[np.abs(self.values)] == (self.values > 0))


def literals_of(problem: Problem) -> Literals:
    """The literals of the values of a problem's variables; raises Unsuitable for more than 32 bits can count."""
    of_domains = tuple(_literals_of(problem, words) for words in problem.domain_values)
    n_literals = np.array([np.abs(literals).max() for literals in of_domains], dtype=np.int64)
    first = 1 + offsets_of(n_literals[problem.variable_domains])
    CnfBuilder(int(first[-1]) - 1)  # refuses too many
    sizes = problem.domain_sizes[problem.variable_domains]
    values, variables = concatenated_ranges(offsets_of(problem.domain_sizes)[problem.variable_domains], sizes)
    own = np.concatenate((*of_domains, np.empty(0, dtype=np.int32)))[values]
    return Literals(
        first=first,
        of_domains=of_domains,
        starts=offsets_of(sizes),
        variables=variables.astype(np.int32),
        words=np.concatenate((*problem.domain_values, np.empty(0, dtype=np.int32)))[values],
        values=(own + np.sign(own) * (first[variables] - 1)).astype(np.int32),
    )


def _literals_of(problem: Problem, words: Ids) -> Ids:
    """The literals of the values of a domain, from 1."""
    if len(words) == len(_BITS) and {problem.words[word] for word in words.tolist()} == _BITS:
        return np.array([1 if problem.words[word] == "1" else -1 for word in words.tolist()], dtype=np.int32)
    return np.arange(1, len(words) + 1, dtype=np.int32)
