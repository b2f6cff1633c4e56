"""What a problem says, in terms that solvers have better means for than tables; equivalent to what was read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from f2csp.model import Ids, Offsets, Problem
from f2csp.model.problem import View
from f2csp.structure.cliques import clique_cover
from f2csp.structure.constraints import Meanings, meanings
from f2csp.structure.left import Left
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
        values: for each variable those that its domain and its unary constraints leave, as indices of words; listed
            when they are asked for.
        all_different: variables that must all differ, as indices; every pair that must differ is in one of these.
        comparisons: what holds between two variables otherwise.
        parities: variables over 0 and 1 that hold an even (0) or an odd (1) number of ones.
        tables: the constraints that remain tables, as indices; none of them is unary.
        is_contradictory: whether some constraint, or those on one variable, cannot hold whatever the others say.
    """

    meanings: Meanings
    values: Sequence[Ids]
    all_different: tuple[tuple[int, ...], ...]
    comparisons: tuple[Comparison, ...]
    parities: tuple[tuple[tuple[int, ...], int], ...]
    tables: Offsets
    is_contradictory: bool


def recover(problem: Problem) -> Structure:
    """Recover what the tables of a problem mean together.

    Complexity:
        that of :func:`meanings`, and of :func:`clique_cover` for the pairs that must differ.
    """
    found = meanings(problem)
    left = Left(problem)
    different = np.flatnonzero(found.are(MeaningKind.DIFFERENT))
    tables = found.are(MeaningKind.OTHER, MeaningKind.FUNCTIONAL) & (np.diff(problem.scope_offsets) > 1)
    return Structure(
        meanings=found,
        values=View(problem.n_variables, left.of),
        all_different=tuple(map(tuple, clique_cover(_pairs(problem, different)))),
        comparisons=tuple(_comparisons(problem, found)),
        parities=tuple(_parities(problem, found)),
        tables=np.flatnonzero(tables),
        is_contradictory=bool(found.are(MeaningKind.NEVER_TRUE).any()) or left.is_nothing,
    )


def _pairs(problem: Problem, constraints: Offsets) -> Ids:
    """The scopes of constraints on two variables."""
    pairs: Ids = problem.scopes_of(constraints).reshape(-1, 2)
    return pairs


def _comparisons(problem: Problem, found: Meanings) -> Iterator[Comparison]:
    compared = np.flatnonzero(found.are(*_COMPARED))
    pairs = _pairs(problem, compared).tolist()
    for (first, second), index in zip(pairs, found.of_constraint[compared].tolist(), strict=True):
        meaning = found.distinct[index]
        if meaning.kind in _TURNED:
            first, second = second, first
        yield Comparison(_COMPARED[meaning.kind], first, second, int(meaning.value or 0))


def _parities(problem: Problem, found: Meanings) -> Iterator[tuple[tuple[int, ...], int]]:
    for constraint in np.flatnonzero(found.are(MeaningKind.XOR)).tolist():
        yield tuple(problem.scope(constraint).tolist()), int(found[constraint].value or 0)
