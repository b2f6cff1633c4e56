"""A problem whose constraints come in blocks, so that one with more of them than memory holds can be written."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from f2csp.model.problem import Ids, Problem, Relation

_CONSTRAINTS_A_BLOCK = 1 << 15


@dataclass(frozen=True, slots=True)
class ConstraintBlock:
    """Constraints that stand one after the other.

    Attributes:
        scopes: their scopes end to end, as indices of variables; each has as many as its relation's arity.
        relations: for each constraint the index of its relation.

    Shape:
        scopes: (sum of arities,), int32.
        relations: (n,), int32.
    """

    scopes: Ids
    relations: Ids


@dataclass(frozen=True, slots=True)
class ProblemStream:
    """What a :class:`Problem` holds, but for the constraints, which can be gone through once.

    Attributes:
        title: see :class:`Problem`, as for all but the following.
        n_constraints: how many constraints the blocks hold together.
        blocks: the constraints.
    """

    title: str
    words: tuple[str, ...]
    domain_names: tuple[str, ...]
    domain_values: tuple[Ids, ...]
    variable_names: tuple[str, ...]
    variable_domains: Ids
    relations: tuple[Relation, ...]
    n_constraints: int
    blocks: Iterable[ConstraintBlock]
    labels: tuple[str, ...] | None = None

    @classmethod
    def of(cls, problem: Problem) -> "ProblemStream":
        """A problem as a stream."""
        return cls(
            title=problem.title,
            words=problem.words,
            domain_names=problem.domain_names,
            domain_values=problem.domain_values,
            variable_names=problem.variable_names,
            variable_domains=problem.variable_domains,
            relations=problem.relations,
            n_constraints=problem.n_constraints,
            blocks=_blocks(problem),
            labels=problem.labels,
        )

    def collect(self) -> Problem:
        """The problem with all its constraints."""
        blocks = list(self.blocks)
        empty = np.empty(0, dtype=np.int32)
        relations = np.concatenate([empty, *(block.relations for block in blocks)])
        arities = np.array([relation.arity for relation in self.relations], dtype=np.int64)
        return Problem(
            title=self.title,
            words=self.words,
            domain_names=self.domain_names,
            domain_values=self.domain_values,
            variable_names=self.variable_names,
            variable_domains=self.variable_domains,
            relations=self.relations,
            scopes=np.concatenate([empty, *(block.scopes for block in blocks)]),
            scope_offsets=np.concatenate([[0], np.cumsum(arities[relations])]),
            constraint_relations=relations,
            labels=self.labels,
        )


def _blocks(problem: Problem) -> Iterator[ConstraintBlock]:
    for start in range(0, problem.n_constraints, _CONSTRAINTS_A_BLOCK):
        relations = problem.constraint_relations[start : start + _CONSTRAINTS_A_BLOCK]
        first, last = problem.scope_offsets[[start, start + len(relations)]]
        yield ConstraintBlock(problem.scopes[first:last], relations)
