"""The groups of constraints that an explanation of unsatisfiability consists of."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from f2csp.diagnostics import listed
from f2csp.model import Value
from f2csp.structure import ConstraintKind, ConstraintModel

_MAX_NAMES = 8  # of variables in a sentence

_SENTENCES = {
    ConstraintKind.EQUAL: "{0} = {1}",
    ConstraintKind.LESS: "{0} < {1}",
    ConstraintKind.LESS_OR_EQUAL: "{0} <= {1}",
    ConstraintKind.GREATER: "{0} > {1}",
    ConstraintKind.GREATER_OR_EQUAL: "{0} >= {1}",
    ConstraintKind.DIFFERENCE: "{0} - {1} = {value}",
    ConstraintKind.SUM: "{0} + {1} = {value}",
    ConstraintKind.FIXED_VALUE: "{0} = {value}",
    ConstraintKind.FORBIDDEN_VALUE: "{0} is not {value}",
    ConstraintKind.DIFFERENT: "{names} all differ",
    ConstraintKind.NEVER_TRUE: "nothing is allowed for {names}",
}


@dataclass(frozen=True, slots=True)
class Group:
    """Constraints that say one thing together.

    Attributes:
        kind: what they say; several constraints say that their variables differ, or are ``OTHER``.
        variables: the variables, as indices; for a single constraint in the order of its scope.
        constraints: the constraints, as indices.
        value: the value, the difference or the sum, for a kind that has one.
    """

    kind: ConstraintKind
    variables: tuple[int, ...]
    constraints: tuple[int, ...]
    value: Value | None = None

    @property
    def is_readable(self) -> bool:
        """Whether people think of it as one thing: a given, or variables that all differ."""
        return self.kind in (ConstraintKind.FIXED_VALUE, ConstraintKind.DIFFERENT)

    def describe(self, names: Sequence[str]) -> str:
        """The group in words; ``names`` are those of its variables."""
        form = "the constraints on {names}" if len(self.constraints) > 1 else "the table on {names}"
        return _SENTENCES.get(self.kind, form).format(*names, names=listed(names, _MAX_NAMES), value=self.value)


def groups_of(model: ConstraintModel, auxiliary: Collection[str] = ()) -> list[Group]:
    """Every constraint that can be violated is in a group, some are in several.

    Args:
        model: the constraint model.
        auxiliary: the names of variables without a meaning of their own; the constraints that share one are a group.

    Returns:
        All-different cliques, then givens, then constraints that auxiliary variables connect, or single ones.
    """
    different = model.classification.are(ConstraintKind.DIFFERENT)
    given = model.classification.are(ConstraintKind.FIXED_VALUE)
    others = ~different & ~given & ~model.classification.are(ConstraintKind.ALWAYS_TRUE)
    return [
        *_cliques(model, np.flatnonzero(different).tolist()),
        *(_single(model, constraint) for constraint in np.flatnonzero(given).tolist()),
        *_connected(model, np.flatnonzero(others).tolist(), frozenset(auxiliary)),
    ]


def single_groups(constraints: Sequence[int]) -> list[Group]:
    """A group for each of some constraints, as a table."""
    return [Group(ConstraintKind.OTHER, (), (constraint,)) for constraint in constraints]


def _single(model: ConstraintModel, constraint: int) -> Group:
    one = model.classification[constraint]
    return Group(one.kind, tuple(model.problem.scope(constraint).tolist()), (constraint,), one.value)


def _cliques(model: ConstraintModel, different: Sequence[int]) -> Iterator[Group]:
    constraints_on: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for constraint in different:
        constraints_on[tuple(sorted(model.problem.scope(constraint).tolist()))].append(constraint)
    for clique in model.all_different:
        constraints = tuple(c for pair in combinations(clique, 2) for c in constraints_on[pair])
        yield Group(ConstraintKind.DIFFERENT, clique, constraints)


def _connected(model: ConstraintModel, constraints: Sequence[int], auxiliary: frozenset[str]) -> Iterator[Group]:
    """The constraints that auxiliary variables connect, and each other one alone."""
    problem = model.problem
    is_auxiliary = [name in auxiliary for name in problem.variable_names]
    leader = list(range(problem.n_variables))

    def root(variable: int) -> int:
        while leader[variable] != variable:
            leader[variable] = variable = leader[leader[variable]]
        return variable

    links = {c: [v for v in problem.scope(c).tolist() if is_auxiliary[v]] for c in constraints}
    for linked in links.values():
        for variable in linked[1:]:
            leader[root(variable)] = root(linked[0])
    components: defaultdict[int, list[int]] = defaultdict(list)
    for constraint, linked in links.items():
        components[root(linked[0]) if linked else -1 - constraint].append(constraint)
    for group in components.values():
        if len(group) == 1:
            yield _single(model, group[0])
        else:
            variables = {v for constraint in group for v in problem.scope(constraint).tolist()}
            yield Group(ConstraintKind.OTHER, tuple(sorted(variables)), tuple(group))
