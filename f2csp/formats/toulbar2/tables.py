"""Tables with the domains of their variables: what constraints must share so that toulbar2 lets them share a table.

A value is a place in a domain there, so one table of words can be several of places.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Problem, Relation


@dataclass(frozen=True)
class PlacedTables:
    """The distinct tables of a problem with their domains, in the order of their first use.

    Attributes:
        problem: the problem.
        of_constraints: for each constraint the number of its table.
        first: for each table the first constraint that has it.
        last: for each table the last constraint that has it.
    """

    problem: Problem
    of_constraints: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]

    @classmethod
    def of(cls, problem: Problem) -> "PlacedTables":
        """Those of a problem."""
        codes = _codes(problem)
        distinct, first, which = np.unique(codes, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(distinct), dtype=np.int64)
        number[order] = np.arange(len(distinct))
        tables = number[which]
        last = np.empty(len(distinct), dtype=np.int64)
        last[tables] = np.arange(problem.n_constraints)  # of several, the last one stays
        return cls(problem, tables, first[order], last)

    @property
    def is_shared(self) -> NDArray[np.bool_]:
        """For each table whether more constraints than one have it."""
        return np.not_equal(self.first, self.last)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many values each table has."""
        sizes = np.array([relation.tuples.size for relation in self.problem.relations], dtype=np.int64)
        return sizes[self.problem.constraint_relations[self.first]]

    @property
    def arities(self) -> NDArray[np.int64]:
        """The arity of each table."""
        return np.diff(self.problem.scope_offsets)[self.first]

    def relation(self, table: int) -> Relation:
        """A table as words."""
        return self.problem.relations[int(self.problem.constraint_relations[self.first[table]])]

    def domains(self, table: int) -> list[int]:
        """The domains of a table's columns."""
        domains: list[int] = self.problem.variable_domains[self.problem.scope(int(self.first[table]))].tolist()
        return domains


def places(words: Ids, values: Ids) -> Ids:
    """For each word its place among the values of its domain."""
    order = np.argsort(values)
    return order[np.searchsorted(values, words, sorter=order)].astype(np.int32)


def _codes(problem: Problem) -> NDArray[np.int64]:
    """A number for each constraint: equal tables on equal domains have equal ones."""
    codes = problem.constraint_relations.astype(np.int64)
    if problem.n_domains <= 1:
        return codes
    arities = np.diff(problem.scope_offsets)
    n_codes = len(problem.relations)
    for column in range(int(arities.max(initial=0))):
        has_column = arities > column
        variables = problem.scopes[problem.scope_offsets[:-1][has_column] + column]
        pairs = codes[has_column] * problem.n_domains + problem.variable_domains[variables]
        distinct, which = np.unique(pairs, return_inverse=True)
        codes[has_column] = n_codes + which  # different from those of constraints that have no such column
        n_codes += len(distinct)
    return codes
