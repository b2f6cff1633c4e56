"""Problems whose constraints come in blocks, so that more of them than memory holds can be written."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import accumulate
from typing import Any

import numpy as np

from f2csp.arrays import offsets_of
from f2csp.model.linear_sums import LinearSum
from f2csp.model.problem import Declarations, Ids, Problem, expect_problem

_BLOCK_SIZE = 1 << 15  # constraints


@dataclass(frozen=True, slots=True)
class ConstraintBlock:
    """Consecutive constraints."""

    scopes: Ids  # end to end, as indices of variables; each as long as its relation's arity
    relations: Ids  # for each constraint the index of its relation
    sums: tuple[LinearSum, ...] = ()  # what some of them say together; constraints count from the first of the block


@dataclass(frozen=True, eq=False)
class ProblemStream(Declarations):
    """A problem whose constraints come in blocks, once: one with more than memory holds can be written.

    Attributes:
        n_constraints: the number of constraints in all blocks.
        blocks: the constraints.
        labels: the constraints' names, or None for C1, C2, ...

    Example:
        A line of variables whose neighbours differ, a thousand constraints at a time:

        >>> from dataclasses import replace
        >>> import numpy as np
        >>> from f2csp import ProblemBuilder
        >>> b = ProblemBuilder("Line")
        >>> b.domain("colour", ["red", "green"])
        >>> for i in range(3000):
        ...     b.variable(f"x{i}", "colour")
        >>> b.reject(["x0", "x1"], lambda one, other: one == other)
        >>> def blocks():
        ...     for start in (0, 1000, 2000):
        ...         ends = np.arange(start, min(start + 1000, 2999), dtype=np.int32)
        ...         scopes = np.column_stack((ends, ends + 1)).ravel()
        ...         yield ConstraintBlock(scopes, relations=np.zeros(len(ends), dtype=np.int32))
        >>> line = replace(ProblemStream.of(b.build()), n_constraints=2999, blocks=blocks())
        >>> line.collect()
        <Problem 'Line': 1 domain, 3,000 variables, 2,999 constraints>
    """

    n_constraints: int
    blocks: Iterable[ConstraintBlock]
    labels: tuple[str, ...] | None = None

    @classmethod
    def of(cls, problem: Problem) -> "ProblemStream":
        """A problem as a stream."""
        expect_problem(problem)
        n, blocks = problem.n_constraints, _blocks(problem)
        return cls(**_declarations(problem), n_constraints=n, blocks=blocks, labels=problem.labels)

    def collect(self) -> Problem:
        """The problem with all its constraints."""
        blocks = list(self.blocks)
        starts = accumulate((len(block.relations) for block in blocks), initial=0)
        sums = [(start, known) for start, block in zip(starts, blocks, strict=False) for known in block.sums]
        empty = np.empty(0, dtype=np.int32)
        relations = np.concatenate([empty, *(block.relations for block in blocks)])
        arities = np.array([relation.arity for relation in self.relations], dtype=np.int64)
        return Problem(
            **_declarations(self),
            scopes=np.concatenate([empty, *(block.scopes for block in blocks)]),
            scope_offsets=offsets_of(arities[relations]),
            constraint_relations=relations,
            labels=self.labels,
            sums=tuple([moved for start, known in sums for moved in known.moved(start.__add__)]),
            is_checked=True,
        )


def _declarations(source: Declarations) -> dict[str, Any]:
    return {field.name: getattr(source, field.name) for field in fields(Declarations)}


def _blocks(problem: Problem) -> Iterator[ConstraintBlock]:
    for start in range(0, problem.n_constraints, _BLOCK_SIZE):
        relations = problem.constraint_relations[start : start + _BLOCK_SIZE]
        first, last = problem.scope_offsets[[start, start + len(relations)]]
        yield ConstraintBlock(problem.scopes[first:last], relations)
