"""What the constraints of a problem mean: each table is looked at once for all scopes over the same domains."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Offsets, Problem
from f2csp.structure.domains import Domains
from f2csp.structure.meaning import Meaning, MeaningKind, meaning
from f2csp.validation.keys import row_keys
from f2csp.validation.scopes import by_value


@dataclass(frozen=True, slots=True)
class Meanings:
    """What the constraints of a problem mean.

    Attributes:
        distinct: the different meanings.
        of_constraint: for each constraint the index of its meaning.

    Shape:
        of_constraint: (n_constraints,), int32.
    """

    distinct: tuple[Meaning, ...]
    of_constraint: Ids

    def __getitem__(self, constraint: int) -> Meaning:
        """What the constraint at this index means."""
        return self.distinct[int(self.of_constraint[constraint])]

    def are(self, *kinds: MeaningKind) -> NDArray[np.bool_]:
        """For each constraint, whether it means one of these."""
        wanted = np.array([one.kind in kinds for one in self.distinct], dtype=np.bool_)
        return wanted[self.of_constraint]


def meanings(problem: Problem) -> Meanings:
    """What each constraint of a problem means.

    Complexity:
        time O(m log m + t) for m constraints and t tuples in tables that differ in the domains of their scopes.
    """
    domains = Domains(problem)
    distinct: dict[Meaning, int] = {}
    of_constraint = np.empty(problem.n_constraints, dtype=np.int32)
    for arity, constraints in by_value(np.diff(problem.scope_offsets)):
        relations = problem.constraint_relations[constraints]
        scopes = _domains_of_scopes(problem, constraints, arity)
        _, firsts, groups = np.unique(row_keys([relations, *scopes.T]), return_index=True, return_inverse=True)
        found = [
            meaning(problem.relations[relation], scope, domains)
            for relation, scope in zip(relations[firsts].tolist(), scopes[firsts].tolist(), strict=True)
        ]
        numbers = np.array([distinct.setdefault(one, len(distinct)) for one in found], dtype=np.int32)
        of_constraint[constraints] = numbers[groups]
    return Meanings(tuple(distinct), of_constraint)


def _domains_of_scopes(problem: Problem, constraints: Offsets, arity: int) -> Ids:
    """The domains of the variables of each scope; shape (n_constraints, arity)."""
    variables: Ids = problem.scopes[problem.scope_offsets[constraints][:, None] + np.arange(arity)]
    return problem.variable_domains[variables]
