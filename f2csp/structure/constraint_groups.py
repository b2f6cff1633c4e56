"""Constraints that have the same table, what a table allows, and which variables follow from others."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value, has_equal, row_codes
from f2csp.model import Ids, Offsets, Problem, Relation

_MULTIPLIER = 0x9E3779B97F4A7C15  # odd, without small factors or patterns

MAX_LISTED = 1 << 16
"""The largest product of domains that is listed to take the complement of a table."""


@dataclass(frozen=True, slots=True)
class RelationGroup:
    """Constraints with the same table over the same domains."""

    relation: Relation
    domains: tuple[int, ...]  # of the variables of a scope
    constraints: Offsets  # their indices, ascending
    scopes: Ids  # (n_constraints, arity)


def groups_by_relation(problem: Problem, constraints: Offsets | None = None) -> Iterator[RelationGroup]:
    """Group the constraints of a problem, or some of them, by table and domains."""
    if constraints is None:
        constraints = np.arange(problem.n_constraints)
    for _, places in by_value(problem.scope_offsets[constraints + 1] - problem.scope_offsets[constraints]):
        scopes = problem.scopes_of(constraints[places])
        domains = problem.variable_domains[scopes]
        relations = problem.constraint_relations[constraints[places]]
        for _, members in by_value(row_codes([relations, *domains.T])):
            relation, domain = problem.relations[relations[members[0]]], domains[members[0]]
            yield RelationGroup(relation, tuple(domain.tolist()), constraints[places[members]], scopes[members])


def supports(relation: Relation, scope: Sequence[Ids]) -> Ids | None:
    """The tuples that a table allows over some domains, unordered; None for more than ``MAX_LISTED`` to list."""
    return relation.tuples if relation.kind == "Accept" else _complement(relation, scope)


def conflicts(relation: Relation, scope: Sequence[Ids]) -> Ids | None:
    """The tuples that a table forbids over some domains; as :func:`supports`."""
    return relation.tuples if relation.kind == "Reject" else _complement(relation, scope)


def _complement(relation: Relation, scope: Sequence[Ids]) -> Ids | None:
    n_all = prod(map(len, scope))
    if n_all > MAX_LISTED:
        return None
    every = np.empty((n_all, len(scope)), dtype=np.int32)
    ranks = np.arange(n_all, dtype=np.int64)
    for position, values in enumerate(scope):
        ranks, at = np.divmod(ranks, len(values))
        every[:, position] = values[at]
    codes = row_codes(np.concatenate((every, relation.tuples)).T)
    return every[~np.isin(codes[:n_all], codes[n_all:])]


class FunctionalClosure:
    """The variables whose values are known, or follow from known ones, as far as single tables show it.

    Linear in the scopes, and in the sorts of each distinct table by its columns.
    """

    def __init__(self, problem: Problem, known: Iterable[int] = ()) -> None:
        """Begin with the variables of a single value, then the known ones."""
        self.found: dict[int, None] = {}  # in the order of discovery
        self._unknown: dict[int, set[int]] = {}  # for each constraint with a functional dependency
        self._dependent: dict[int, set[int]] = {}
        self._constraints_on: defaultdict[int, list[int]] = defaultdict(list)
        for group in groups_by_relation(problem):
            tuples = supports(group.relation, [problem.domain_values[domain] for domain in group.domains])
            positions = [] if tuples is None else _dependent_positions(tuples)
            if not positions:
                continue
            for constraint, scope in zip(group.constraints.tolist(), group.scopes.tolist(), strict=True):
                self._unknown[constraint] = set(scope)
                self._dependent[constraint] = {scope[position] for position in positions}
                for variable in scope:
                    self._constraints_on[variable].append(constraint)
        fixed = [variable for variables in self._unknown.values() if len(variables) == 1 for variable in variables]
        self.add([*fixed, *np.flatnonzero(problem.domain_sizes[problem.variable_domains] == 1).tolist(), *known])

    def add(self, known: Iterable[int]) -> None:
        agenda = list(known)
        while agenda:
            variable = agenda.pop()
            if variable in self.found:
                continue
            self.found[variable] = None
            for constraint in self._constraints_on[variable]:
                self._unknown[constraint].discard(variable)
                if len(self._unknown[constraint]) == 1:
                    agenda += self._unknown[constraint] & self._dependent[constraint]


def _dependent_positions(tuples: Ids) -> list[int]:
    """The positions whose values follow from the rest of the tuple, in O(n_tuples * arity) apart from sorting."""
    multipliers = np.multiply.accumulate(np.full(tuples.shape[1], _MULTIPLIER, dtype=np.uint64))
    terms = tuples.astype(np.uint64) * multipliers
    codes = terms.sum(axis=1, dtype=np.uint64)
    return [i for i in range(tuples.shape[1]) if not _has_equal_rests(tuples, i, codes - terms[:, i])]


def _has_equal_rests(tuples: Ids, position: int, codes: NDArray[np.uint64]) -> bool:
    """Whether two tuples differ at one position alone; the codes of equal rests are equal."""
    order = np.argsort(codes)
    equal = np.flatnonzero(codes[order[1:]] == codes[order[:-1]])
    if not len(equal):
        return False
    pair = tuples[order[equal[0] : equal[0] + 2]]
    if np.count_nonzero(pair[0] != pair[1]) == 1:
        return True
    same = np.zeros(len(tuples), dtype=np.int64)  # the rest of a single column
    return has_equal(row_codes([same, *np.delete(tuples, position, axis=1).T]))
