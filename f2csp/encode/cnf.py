"""Formulas in conjunctive normal form, in arrays: literals, clauses, and templates of clauses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from f2csp.arrays import by_value, concatenated_ranges, offsets_of
from f2csp.diagnostics import Unsuitable
from f2csp.model import Ids, Offsets, Problem

MAX_LITERALS = (1 << 31) - 1
"""The largest literal that 32 bits hold, as in most solvers."""


@dataclass(frozen=True, slots=True)
class Cnf:
    """A formula: a clause is a disjunction of literals, positive numbers from 1 or, negated, negative ones."""

    n_literals: int  # positive ones
    blocks: tuple[Ids, ...]  # clauses of equal width, (n_clauses, width) each; the empty clause is a row of width 0

    @property
    def n_clauses(self) -> int:
        """The number of clauses."""
        return sum(len(block) for block in self.blocks)


class CnfBuilder:
    """Collects literals and clauses."""

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
        auxiliary = self.new(n_auxiliary * len(firsts)) + n_auxiliary * np.arange(len(firsts))
        starts = np.cumsum([0, *sizes])
        shifts = (np.column_stack((firsts, auxiliary)) - 1 - starts).astype(np.int32)
        for block in template.blocks:
            literals = np.abs(block)
            slots = np.searchsorted(starts, literals) - 1
            clauses = (shifts[:, slots] + literals) * np.sign(block)
            self.add(clauses.reshape(len(firsts) * len(block), block.shape[1]))
        return auxiliary


def rows_of(literals: Ids, keys: Ids | Offsets) -> Iterator[Ids]:
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
    """The literals of the values: ``first[v] + p`` means that variable v has the value at position p of its domain.

    They are numbered from 1 in the order of the variables. Larger literals are auxiliary.
    """

    first: Offsets  # for each variable the literal of its first value; one more at the end, the first auxiliary literal
    variables: Ids  # for each literal of a value its variable
    words: Ids  # for each literal of a value its value, as the index of a word

    @property
    def n_values(self) -> int:
        """The number of literals of values."""
        return len(self.words)

    def of_variables(self, variables: Offsets) -> Ids:
        """The literals of all values of some variables, end to end."""
        sizes = self.first[variables + 1] - self.first[variables]
        return concatenated_ranges(self.first[variables], sizes)[0].astype(np.int32)

    def true_in(self, model: Sequence[int]) -> Ids:
        """The literal of each variable's value in a model: all literals in order, negated where they are false."""
        is_true = np.array(model[: self.n_values], dtype=np.int32) > 0
        return (np.flatnonzero(is_true) + 1).astype(np.int32)

    def words_in(self, model: Sequence[int]) -> list[int]:
        """Each variable's value in a model, as the index of a word."""
        words: list[int] = self.words[self.true_in(model) - 1].tolist()
        return words


def literals_of(problem: Problem) -> Literals:
    """The literals of the values of a problem's variables."""
    sizes = problem.domain_sizes[problem.variable_domains]
    starts = offsets_of(problem.domain_sizes)[problem.variable_domains]
    words = np.concatenate((*problem.domain_values, np.empty(0, dtype=np.int32)))
    return Literals(
        first=1 + offsets_of(sizes),
        variables=np.repeat(np.arange(problem.n_variables, dtype=np.int32), sizes),
        words=words[concatenated_ranges(starts, sizes)[0]],
    )
