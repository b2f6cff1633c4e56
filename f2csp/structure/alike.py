"""Constraints that say the same of other variables."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from f2csp.arrays import by_value, row_codes
from f2csp.model import Ids, Offsets, Problem, Relation


@dataclass(frozen=True, slots=True)
class Alike:
    """Constraints with the same table over the same domains.

    Attributes:
        relation: the table.
        domains: the domain of each variable of a scope.
        constraints: which they are, as indices.
        scopes: their scopes.

    Shape:
        scopes: (n_constraints, arity).
    """

    relation: Relation
    domains: tuple[int, ...]
    constraints: Offsets
    scopes: Ids


def alike(problem: Problem, constraints: Offsets | None = None) -> Iterator[Alike]:
    """All constraints of a problem, or some of them, those at once that are alike.

    Complexity:
        time O(n log n) for the scopes of n variables together.
    """
    if constraints is None:
        constraints = np.arange(problem.n_constraints)
    offsets = problem.scope_offsets[constraints]
    for arity, places in by_value(problem.scope_offsets[constraints + 1] - offsets):
        scopes = problem.scopes[offsets[places][:, None] + np.arange(arity)]
        domains = problem.variable_domains[scopes]
        relations = problem.constraint_relations[constraints[places]]
        _, firsts, groups = np.unique(row_codes([relations, *domains.T]), return_index=True, return_inverse=True)
        for group, members in by_value(groups):
            first = firsts[group]
            relation = problem.relations[relations[first]]
            yield Alike(relation, tuple(domains[first].tolist()), constraints[places[members]], scopes[members])
