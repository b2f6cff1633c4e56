"""Variables whose values follow from those of others, table by table."""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from f2csp.arrays import has_equal, row_codes
from f2csp.model import Ids, Problem
from f2csp.structure.alike import alike
from f2csp.structure.allowed import allowed_tuples


def determined(problem: Problem, known: Iterable[int]) -> set[int]:
    """The variables whose values follow from those of some, as far as single tables show it.

    Args:
        problem: the problem.
        known: the indices of the variables to begin with.

    Returns:
        The indices of these and of those that follow, from these or from one another.

    Complexity:
        time O(n) for scopes of n variables together, besides a sort of each table that differs for each of its columns.
    """
    unknown: dict[int, set[int]] = {}  # for each constraint by which a value follows
    following: dict[int, set[int]] = {}
    constraints_on = defaultdict(list)
    for group in alike(problem):
        tuples = allowed_tuples(group.relation, [problem.domain_values[domain] for domain in group.domains])
        positions = [] if tuples is None else _following(tuples)
        if not positions:
            continue
        for constraint, scope in zip(group.constraints.tolist(), group.scopes.tolist(), strict=True):
            unknown[constraint] = set(scope)
            following[constraint] = {scope[position] for position in positions}
            for variable in scope:
                constraints_on[variable].append(constraint)
    sizes = problem.domain_sizes[problem.variable_domains]
    agenda = [*known, *np.flatnonzero(sizes == 1).tolist()]
    agenda += [variable for variables in unknown.values() if len(variables) == 1 for variable in variables]
    found: set[int] = set()
    while agenda:
        variable = agenda.pop()
        if variable in found:
            continue
        found.add(variable)
        for constraint in constraints_on[variable]:
            unknown[constraint].discard(variable)
            if len(unknown[constraint]) == 1:
                agenda += unknown[constraint] & following[constraint]
    return found


def _following(tuples: Ids) -> list[int]:
    """The positions at which the value of a tuple follows from the rest of it."""
    same = np.zeros(len(tuples), dtype=np.int64)  # so that of a single column there is a rest, too
    return [
        position
        for position in range(tuples.shape[1])
        if not has_equal(row_codes([same, *np.delete(tuples, position, axis=1).T]))
    ]
