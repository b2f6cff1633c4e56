"""All solutions of a problem, however many: their exact number, fair samples, and how often each value occurs."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from math import comb, log2, prod
from random import Random

import numpy as np

from f2csp.arrays import components
from f2csp.counting.budget import BeyondBudget, Budget
from f2csp.counting.least_images import affordable_symmetries
from f2csp.counting.merging import MANY, Component
from f2csp.counting.residual import Diagrams, OpenTable
from f2csp.model import Problem, Value
from f2csp.solutions import values_by_word
from f2csp.structure import ConstraintModel, FunctionalClosure, recover
from f2csp.symmetry import SymmetryGroup

_MAX_CELLS = 3_000_000  # of tables, which become diagrams in memory
_MAX_COUNTS = 5  # for marginals, instead of three passes over the states of all layers
_MAX_VALUES = 4096  # of variables with constraints: a set of values is an integer with a bit for each

Scope = tuple[int, ...]


class SolutionSpace:
    """The solutions of a problem.

    Attributes:
        count: their number, exact.
        n_states: the number of states of the largest layer.

    Example:
        >>> from f2csp.model import ProblemBuilder
        >>> b = ProblemBuilder("Latin square of order 3")
        >>> b.domain("D", range(1, 4))
        >>> cells = [[f"V{row}-{column}" for column in range(1, 4)] for row in range(1, 4)]
        >>> for name in sum(cells, []):
        ...     b.variable(name, "D")
        >>> for line in (*cells, *zip(*cells)):
        ...     b.all_different(line)
        >>> SolutionSpace(b.build()).count
        12
    """

    def __init__(self, problem: Problem, budget: Budget | None = None) -> None:
        """Prepare a problem; all that is asked of it raises BeyondBudget if that is beyond the budget."""
        self._problem = problem
        self._budget = budget or Budget()
        model = recover(problem)
        self._is_empty = model.is_contradictory
        self._components = [] if self._is_empty else list(_components(model))

    @cached_property
    def count(self) -> int:
        return 0 if self._is_empty else prod([component.count(self._budget) for component in self._components])

    @property
    def n_states(self) -> int:
        return self._budget.most

    def sample(self, n: int, seed: int = 0) -> Iterator[dict[str, Value]]:
        """Solutions drawn uniformly and independently; none if there are none."""
        random = Random(seed)  # noqa: S311 - reproducible, no secret
        draws = (component.samples(n, random, self._budget) for component in self._components)
        for _, *parts in zip(range(0 if self._is_empty else n), *draws, strict=False):
            words = dict(chain.from_iterable(parts))
            yield {name: self._values[i][words[i]] for i, name in enumerate(self._problem.variable_names)}

    def marginals(self) -> dict[str, dict[Value, int]]:
        """For each variable the number of solutions with each of its values.

        If these take many states, but symmetries map most pairs of a variable and a value to each other, a few counts.
        """
        most = self._budget.max_states
        try:
            self._budget.max_states = MANY if most is None else min(MANY, most)
            return self._occurrences()
        except BeyondBudget:
            self._budget.max_states = most
            return self._from_classes() or self._occurrences()
        finally:
            self._budget.max_states = most

    def _occurrences(self) -> dict[str, dict[Value, int]]:
        """The marginals, from the states of all layers."""
        numbers = [component.occurrences(self._budget) for component in self._components]
        counts = [sum(of_levels[0].values()) for of_levels in numbers]
        self.count = 0 if self._is_empty else prod(counts)  # which need not be counted again
        found = [dict.fromkeys(values.values(), 0) for values in self._values]
        for component, count, of_levels in zip(self._components, counts, numbers, strict=True):
            for variable, of_values in zip(component.variables, of_levels, strict=True):
                for index, n in of_values.items():
                    value = self._values[variable][component.words[index]]
                    found[variable][value] = self.count // count * n if count else 0
        return dict(zip(self._problem.variable_names, found, strict=True))

    def _from_classes(self) -> dict[str, dict[Value, int]] | None:
        """The marginals, if a few counts give them: pairs that symmetries map to each other have as many solutions."""
        names, words = self._problem.variable_names, self._problem.words
        classes = self._classes_of_pairs()
        pairs = {number: (v, word) for v, own in enumerate(classes) for word, number in own.items()}
        if len(pairs) > _MAX_COUNTS:
            return None
        numbers = {-1: 0}
        for number, (v, word) in pairs.items():
            if set(classes[v].values()) == {number}:
                numbers[number] = self.count // len(classes[v])
            else:
                fixed = self._problem.restricted({names[v]: [words[word]]})
                numbers[number] = SolutionSpace(fixed, self._budget).count
        self.count = sum(numbers[number] for number in classes[0].values())
        return {
            name: {value: numbers[own.get(word, -1)] for word, value in values.items()}
            for name, values, own in zip(names, self._values, classes, strict=True)
        }

    def _classes_of_pairs(self) -> list[dict[int, int]]:
        """For each variable the classes of its values, by word, of pairs that symmetries map to each other."""
        n_words = len(self._problem.words)
        pairs = np.arange(self._problem.n_variables * n_words).reshape(-1, n_words)
        edges = [np.zeros((2, 0), dtype=np.int64)]
        for one in affordable_symmetries(self._problem, SymmetryGroup.ALL, MANY) or ():
            images = one.variables * n_words + one.words
            edges.append(np.stack([pairs, images])[:, one.words >= 0])
        classes = components(pairs.size, *np.concatenate(edges, axis=1)).reshape(pairs.shape)
        values = [some.tolist() for some in recover(self._problem).values]
        return [dict(zip(some, own[some].tolist(), strict=True)) for some, own in zip(values, classes, strict=True)]

    @cached_property
    def _values(self) -> list[dict[int, Value]]:
        """For each variable its values by the indices of their words."""
        of_domains = values_by_word(self._problem)
        return [of_domains[domain] for domain in self._problem.variable_domains.tolist()]


def _components(model: ConstraintModel) -> Iterator[Component]:
    """The parts of a problem that no constraint connects."""
    n = model.problem.n_variables
    n_cells = sum(relation.tuples.size for relation in model.problem.relations)
    if n_cells > _MAX_CELLS:
        raise BeyondBudget(f"the tables have more than {_MAX_CELLS:,} values")
    tables = {index: tuple(model.problem.scope(index)) for index in model.rest(model.unary, model.never_true).tolist()}
    order = counting_order(model, list(tables.values()))
    pairs = [pair for scope in (*model.all_different, *tables.values()) for pair in pairwise(scope)]
    part_of = components(n, *np.array(pairs, dtype=np.int64).reshape(-1, 2).T).tolist()
    parts: dict[int, list[int]] = {}
    for variable in order:
        parts.setdefault(part_of[variable], []).append(variable)
    groups_of: dict[int, list[Scope]] = {part: [] for part in parts}
    for clique in model.all_different:
        groups_of[part_of[clique[0]]].append(clique)
    tables_of: dict[int, dict[int, Scope]] = {part: {} for part in parts}
    for index, scope in tables.items():
        tables_of[part_of[scope[0]]][index] = scope
    for part, variables in parts.items():
        yield _component(model, {variable: order[variable] for variable in variables}, groups_of[part], tables_of[part])


def _component(
    model: ConstraintModel, follows: dict[int, bool], groups: Sequence[Scope], scopes: dict[int, Scope]
) -> Component:
    """One part; ``follows`` has its variables in their order."""
    level_of = {variable: level for level, variable in enumerate(follows)}
    words = sorted({word for variable in follows for word in model.values[variable].tolist()})
    if len(words) > _MAX_VALUES and len(follows) > 1:
        raise BeyondBudget(f"variables that are connected have more than {_MAX_VALUES:,} values")
    number = {word: i for i, word in enumerate(words)}
    values = [tuple([number[word] for word in model.values[variable].tolist()]) for variable in follows]
    diagrams = Diagrams()
    roots: dict[object, int] = {}
    tables = []
    for index, scope in scopes.items():
        relation = int(model.problem.constraint_relations[index])
        columns = sorted(range(len(scope)), key=lambda i: level_of[scope[i]])
        levels = tuple(level_of[scope[i]] for i in columns)
        domains = [values[level] for level in levels]
        table = model.problem.relations[relation]
        is_positive = table.kind == "Accept"
        key = (relation, *columns, *domains)
        if key not in roots:
            allowed = [{words[value]: 1 << value for value in some} for some in domains]
            rows = [
                [allowed[i][word] for i, word in enumerate(row)]
                for row in table.tuples[:, columns].tolist()
                if all(word in allowed[i] for i, word in enumerate(row))
            ]
            roots[key] = diagrams.add(rows, is_positive, [list(some.values()) for some in allowed])
        tables.append(OpenTable(levels, roots[key], is_positive))
    return Component(
        variables=tuple(follows),
        values=tuple(values),
        words=tuple(words),
        groups=tuple(tuple(level_of[variable] for variable in group) for group in groups),
        tables=tuple(tables),
        follows=tuple(follows.values()),
        diagrams=diagrams,
        problem=model.problem,
    )


_MAX_GREEDY = 1000  # variables for which an order is searched, at a cost of their square


def counting_order(model: ConstraintModel, tables: Sequence[Sequence[int]]) -> dict[int, bool]:
    """The variables of a problem in an order, each with whether its value follows from those before it.

    The order is the file's, a greedy one or its reverse, by estimate. A variable whose value follows comes right after
    those that it follows from: it has a single value there, and closes tables. ``tables`` are the scopes of the
    constraints that are more than pairs that must differ.
    """
    sizes = [len(values) for values in model.values]
    cliques, scopes = (
        [[variable for variable in scope if sizes[variable] > 1] for scope in some]
        for some in (model.all_different, tables)
    )
    bases = [list(range(len(sizes)))]
    if len(sizes) <= _MAX_GREEDY:
        greedy = _greedy(len(sizes), (*cliques, *scopes))
        bases += [greedy, greedy[::-1]]  # the reverse keeps those few that are taken and have a neighbour left
    orders = [with_dependents(model, base) for base in bases]
    return min(orders, key=lambda order: _estimate(model, cliques, scopes, order))


def with_dependents(model: ConstraintModel, base: Sequence[int]) -> dict[int, bool]:
    """Variables in an order, each with those right behind it that follow, and whether it follows from those before."""
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
    model: ConstraintModel, cliques: Sequence[Sequence[int]], tables: Sequence[Sequence[int]], order: dict[int, bool]
) -> float:
    """The logarithm of the number of states of the largest layer, as if its parts were independent.

    Of a clique of variables that must differ, a state has the set of the values that are taken; of an open table, the
    values of its variables. There are no more states than values of the variables so far, without those that follow.
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
    bits = [log2(max(1, len(values))) for values in model.values]
    for variable, last in last_use.items():
        change[level[variable]] += bits[variable]
        change[last] -= bits[variable]
    free = accumulate(0.0 if follows else bits[variable] for variable, follows in order.items())
    return max(map(min, accumulate(change), free), default=0.0)
