"""What the constraints of a problem mean: each table is looked at once for all scopes over the same domains."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Problem
from f2csp.structure.alike import alike
from f2csp.structure.domains import Domains
from f2csp.structure.meaning import Meaning, MeaningKind, meaning


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
    for group in alike(problem):
        found = meaning(group.relation, group.domains, domains)
        of_constraint[group.constraints] = distinct.setdefault(found, len(distinct))
    return Meanings(tuple(distinct), of_constraint)
