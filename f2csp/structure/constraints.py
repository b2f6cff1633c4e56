"""What the constraints of a problem mean: each table is looked at once for all scopes over the same domains."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value, offsets_of, row_codes
from f2csp.model import Ids, Problem
from f2csp.structure.domains import Domains
from f2csp.structure.judge import judge
from f2csp.structure.meaning import Meaning, MeaningKind
from f2csp.structure.tables import Tables

_CELLS_AT_ONCE = 1 << 19  # values in tables that are looked at together, besides one table that may be larger

_VALUES = (MeaningKind.FIXED_VALUE, MeaningKind.FORBIDDEN_VALUE)
_CONSTANTS = (MeaningKind.DIFFERENCE, MeaningKind.SUM, MeaningKind.XOR)


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
        time O(m log m + a t log t) for m constraints, and tables that differ, or are over different domains, of t
        tuples together, of arity a. Domains that hold the same values are not different.
    """
    known = Domains(problem)
    numbers: dict[Meaning, int] = {}
    of_constraint = np.empty(problem.n_constraints, dtype=np.int32)
    for _, constraints in by_value(np.diff(problem.scope_offsets)):
        scopes = problem.scopes_of(constraints)
        domains = known.of_domain[problem.variable_domains[scopes]]
        relations = problem.constraint_relations[constraints]
        _, firsts, groups = np.unique(row_codes([relations, *domains.T]), return_index=True, return_inverse=True)
        found = [
            numbers.setdefault(one, len(numbers))
            for tables in _batches(problem, relations[firsts], domains[firsts], known)
            for one in _meanings(tables, known)
        ]
        of_constraint[constraints] = np.array(found, dtype=np.int32)[groups]
    return Meanings(tuple(numbers), of_constraint)


def _batches(problem: Problem, relations: Ids, domains: Ids, known: Domains) -> Iterator[Tables]:
    """Tables over domains, as many at a time as are looked at together."""
    tables = [problem.relations[relation] for relation in relations.tolist()]
    sizes = np.array([table.n_tuples for table in tables], dtype=np.int64)
    are_positive = np.array([table.kind == "Accept" for table in tables], dtype=np.bool_)
    batches = np.cumsum((sizes + 1) * domains.shape[1]) // _CELLS_AT_ONCE
    for batch in np.split(np.arange(len(tables)), np.flatnonzero(np.diff(batches)) + 1):
        ranks = known.ranks[np.concatenate([tables[i].tuples for i in batch.tolist()])]
        yield Tables(ranks, offsets_of(sizes[batch]), domains[batch], are_positive[batch])


def _meanings(tables: Tables, known: Domains) -> Iterator[Meaning]:
    """What each of some tables means."""
    made: dict[tuple[MeaningKind, int], Meaning] = {}
    for found in judge(tables, known):
        if found not in made:
            made[found] = _meaning(*found, known)
        yield made[found]


def _meaning(kind: MeaningKind, detail: int, known: Domains) -> Meaning:
    if kind in _VALUES:
        return Meaning(kind, int(known.numbers[detail]) if detail >= 0 else known.word(-1 - detail))
    if kind in _CONSTANTS:
        return Meaning(kind, detail)
    return Meaning(kind, position=detail) if kind == MeaningKind.FUNCTIONAL else Meaning(kind)
