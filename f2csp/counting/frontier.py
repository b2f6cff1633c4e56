"""An order of variables that leaves few different residual problems after each prefix."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import comb, log2

from f2csp.structure import ConstraintModel, FunctionalClosure

_MAX_GREEDY = 1000  # variables for which an order is searched, at a cost of their square


def variable_order(model: ConstraintModel, tables: Sequence[Sequence[int]]) -> dict[int, bool]:
    """An order of all variables of a problem: the file's, or a greedy one, whichever is estimated to be better.

    A variable whose value follows from others comes right after them: it has a single value there, and closes tables.

    Args:
        model: the problem.
        tables: the scopes of the constraints that are more than pairs that must differ.

    Returns:
        The variables in their order, each with whether its value follows from those before it.
    """
    sizes = [len(values) for values in model.values]
    cliques, scopes = (
        [[variable for variable in scope if sizes[variable] > 1] for scope in some]
        for some in (model.all_different, tables)
    )
    bases = [list(range(len(sizes)))]
    if len(sizes) <= _MAX_GREEDY:
        bases.append(_greedy(len(sizes), (*cliques, *scopes)))
    orders = [_with_dependents(model, base) for base in bases]
    return min(orders, key=lambda order: _estimate(model, cliques, scopes, list(order)))


def _with_dependents(model: ConstraintModel, base: Sequence[int]) -> dict[int, bool]:
    closure = FunctionalClosure(model.problem)
    chosen = set()
    for variable in base:
        if variable not in closure.found:
            chosen.add(variable)
            closure.add([variable])
    return {variable: variable not in chosen for variable in closure.found}


def _greedy(n: int, scopes: Sequence[Sequence[int]]) -> list[int]:
    """Take the variable that adds fewest to those with a neighbour among the taken; of several, one that has most."""
    neighbours: list[set[int]] = [{variable} for variable in range(n)]
    for scope in scopes:
        for variable in scope:
            neighbours[variable].update(scope)
    n_new = [len(some) for some in neighbours]  # for each variable its neighbours that have none among the taken
    order: list[int] = []
    frontier: set[int] = set()
    left = set(range(n))
    while left:
        chosen = min(left, key=lambda variable: (n_new[variable], variable))
        for variable in neighbours[chosen] - frontier:
            frontier.add(variable)
            for other in neighbours[variable]:
                n_new[other] -= 1
        left.discard(chosen)
        order.append(chosen)
    return order


def _estimate(
    model: ConstraintModel, cliques: Sequence[Sequence[int]], tables: Sequence[Sequence[int]], order: Sequence[int]
) -> float:
    """The logarithm of the number of states of the largest layer, as if its parts were independent.

    Of a clique of variables that must differ, a state has the set of the values that are taken; of an open table, the
    values of its variables.
    """
    level = {variable: i for i, variable in enumerate(order)}
    change = [0.0] * (len(order) + 1)
    for clique in cliques:
        size = len({value for variable in clique for value in model.values[variable].tolist()})
        levels = sorted(level[variable] for variable in clique)
        for n_taken, (begin, end) in enumerate(pairwise(levels), 1):
            amount = log2(comb(size, min(n_taken, size)))
            change[begin] += amount
            change[end] -= amount
    last_use = dict(level)
    for scope in tables:
        last = max([level[variable] for variable in scope], default=0)
        for variable in scope:
            last_use[variable] = max(last_use[variable], last)
    for variable, last in last_use.items():
        amount = log2(max(1, len(model.values[variable])))
        change[level[variable]] += amount
        change[last] -= amount
    return max(accumulate(change))
