"""What a problem can be taken apart into when one asks which parts of it cannot hold together."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from f2csp.model import Problem
from f2csp.structure import MeaningKind, Structure


@dataclass(frozen=True, slots=True)
class Part:
    """Constraints that say one thing together.

    Attributes:
        constraints: their indices.
        all_different: the variables that they say all differ, if that is what they say.
        is_given: whether it is one constraint that leaves a variable one value.
    """

    constraints: tuple[int, ...]
    all_different: tuple[int, ...] = ()
    is_given: bool = False

    @property
    def is_telling(self) -> bool:
        """Whether people think of it as one thing: a given, or variables that all differ."""
        return self.is_given or bool(self.all_different)


def parts_of(problem: Problem, structure: Structure, auxiliary: Collection[str] = ()) -> list[Part]:
    """Take a problem apart: every constraint that can fail is in some part, a few are in several.

    Args:
        problem: the problem.
        structure: what its tables mean.
        auxiliary: variables of no meaning of their own: the constraints that share one say one thing together.

    Returns:
        All-different groups, then givens, then what goes together by auxiliary variables, or stands alone.
    """
    different = structure.meanings.are(MeaningKind.DIFFERENT)
    givens = structure.meanings.are(MeaningKind.FIXED_VALUE)
    others = ~different & ~givens & ~structure.meanings.are(MeaningKind.ALWAYS_TRUE)
    return [
        *_all_different(problem, structure, np.flatnonzero(different).tolist()),
        *(Part((constraint,), is_given=True) for constraint in np.flatnonzero(givens).tolist()),
        *_together(problem, np.flatnonzero(others).tolist(), auxiliary),
    ]


def _all_different(problem: Problem, structure: Structure, different: Sequence[int]) -> Iterator[Part]:
    of_pair: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for constraint in different:
        of_pair[tuple(sorted(problem.scope(constraint).tolist()))].append(constraint)
    for group in structure.all_different:
        yield Part(tuple(c for pair in combinations(group, 2) for c in of_pair[pair]), group)


def _together(problem: Problem, constraints: Sequence[int], auxiliary: Collection[str]) -> Iterator[Part]:
    """The constraints that hang together by auxiliary variables, and each other one alone."""
    names = frozenset(auxiliary)
    is_auxiliary = [name in names for name in problem.variable_names]
    leader = list(range(problem.n_variables))

    def find(variable: int) -> int:
        while leader[variable] != variable:
            leader[variable] = variable = leader[leader[variable]]
        return variable

    links = {c: [v for v in problem.scope(c).tolist() if is_auxiliary[v]] for c in constraints}
    for linked in links.values():
        for variable in linked[1:]:
            leader[find(variable)] = find(linked[0])
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for constraint, linked in links.items():
        groups[find(linked[0]) if linked else -1 - constraint].append(constraint)
    for group in groups.values():
        yield Part(tuple(group))
