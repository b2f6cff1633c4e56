"""What a problem says, in terms that solvers have better means for than tables; equivalent to what was read."""

from dataclasses import dataclass

import numpy as np

from f2csp.model import Ids, Offsets, Problem
from f2csp.structure.cliques import clique_cover
from f2csp.structure.constraints import Meanings, meanings
from f2csp.structure.meaning import MeaningKind

_COMPARED = {
    MeaningKind.EQUAL: MeaningKind.EQUAL,
    MeaningKind.LESS: MeaningKind.LESS,
    MeaningKind.LESS_OR_EQUAL: MeaningKind.LESS_OR_EQUAL,
    MeaningKind.GREATER: MeaningKind.LESS,
    MeaningKind.GREATER_OR_EQUAL: MeaningKind.LESS_OR_EQUAL,
    MeaningKind.DIFFERENCE: MeaningKind.DIFFERENCE,
    MeaningKind.SUM: MeaningKind.SUM,
}
"""The comparisons as they are given back: the greater one is always the second."""

_TURNED = (MeaningKind.GREATER, MeaningKind.GREATER_OR_EQUAL)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What holds between two variables.

    Attributes:
        kind: equal, less, less or equal, difference or sum.
        first: the index of a variable.
        second: the index of the other.
        constant: the difference or the sum.
    """

    kind: MeaningKind
    first: int
    second: int
    constant: int = 0


@dataclass(frozen=True, slots=True)
class Structure:
    """What the constraints of a problem say together.

    Attributes:
        meanings: what each constraint means alone.
        values: for each variable those that its domain and its unary constraints leave, as indices of words.
        all_different: variables that must all differ, as indices; every pair that must differ is in one of these.
        comparisons: what holds between two variables otherwise.
        parities: variables over 0 and 1 that hold an even (0) or an odd (1) number of ones.
        tables: the constraints that remain tables, as indices.
    """

    meanings: Meanings
    values: tuple[Ids, ...]
    all_different: tuple[tuple[int, ...], ...]
    comparisons: tuple[Comparison, ...]
    parities: tuple[tuple[tuple[int, ...], int], ...]
    tables: Offsets

    @property
    def is_contradictory(self) -> bool:
        """Whether some constraint, or those on one variable, cannot hold whatever the others say."""
        never = any(meaning.kind == MeaningKind.NEVER_TRUE for meaning in self.meanings.distinct)
        return never or any(not len(left) for left in self.values)


def recover(problem: Problem) -> Structure:
    """Recover what the tables of a problem mean together.

    Complexity:
        that of :func:`meanings`, and of :func:`clique_cover` for the pairs that must differ.
    """
    found = meanings(problem)
    different = np.flatnonzero(found.are(MeaningKind.DIFFERENT))
    pairs = problem.scopes[problem.scope_offsets[different][:, None] + np.arange(2)]
    compared = np.flatnonzero(found.are(*_COMPARED)).tolist()
    xors = np.flatnonzero(found.are(MeaningKind.XOR)).tolist()
    tables = found.are(MeaningKind.OTHER, MeaningKind.FUNCTIONAL) & (np.diff(problem.scope_offsets) > 1)
    return Structure(
        meanings=found,
        values=_values(problem),
        all_different=tuple(map(tuple, clique_cover(pairs))),
        comparisons=tuple(_comparison(problem, found, constraint) for constraint in compared),
        parities=tuple(
            (tuple(problem.scope(constraint).tolist()), int(found[constraint].value or 0)) for constraint in xors
        ),
        tables=np.flatnonzero(tables),
    )


def _values(problem: Problem) -> tuple[Ids, ...]:
    """The values that each variable has left after the unary constraints, in the order of its domain."""
    values = [problem.domain_values[domain] for domain in problem.variable_domains.tolist()]
    unary = np.flatnonzero(np.diff(problem.scope_offsets) == 1)
    variables = problem.scopes[problem.scope_offsets[unary]].tolist()
    for variable, index in zip(variables, problem.constraint_relations[unary].tolist(), strict=True):
        relation = problem.relations[index]
        left = values[variable]
        values[variable] = left[np.isin(left, relation.tuples[:, 0], invert=relation.kind == "Reject")]
    return tuple(values)


def _comparison(problem: Problem, found: Meanings, constraint: int) -> Comparison:
    meaning = found[constraint]
    first, second = problem.scope(constraint).tolist()
    if meaning.kind in _TURNED:
        first, second = second, first
    return Comparison(_COMPARED[meaning.kind], first, second, int(meaning.value or 0))
