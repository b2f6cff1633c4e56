"""Exact counts of solutions, however many, by merging the partial solutions that leave the same problem."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from random import Random
from time import monotonic

from f2csp.counting.frontier import variable_order
from f2csp.counting.residual import ByValue, ByVariable, Diagram, Diagrams, OpenTable, Residuals, State
from f2csp.diagnostics import F2cspError
from f2csp.model import Problem, Value
from f2csp.structure import ConstraintModel, recover

_MAX_TUPLES = 1_000_000  # of a table, which becomes a diagram in memory
_CHECK_EVERY = 1 << 12  # states between two looks at the clock

Advance = Callable[[int, int, int], None]
"""Called with the number of levels done, that of all levels, and the number of states."""


class TooManyStates(F2cspError):
    """A layer has more states than the budget, or the time is over."""


@dataclass(frozen=True)
class Component:
    """Variables that constraints connect with each other and with no others, in the order of their assignment."""

    variables: tuple[int, ...]  # by level
    values: tuple[tuple[int, ...], ...]  # of each, as numbers
    words: tuple[int, ...]  # for each number the index of its word in the problem
    neighbours: tuple[frozenset[int], ...]  # the levels of those that must differ from each
    tables: tuple[OpenTable, ...]
    diagrams: Diagrams

    @cached_property
    def residuals(self) -> Residuals:
        """How states are written down."""
        neighbours = [set(some) for some in self.neighbours]
        if self.tables:
            return ByVariable(self.values, neighbours, self.tables, self.diagrams)
        return ByValue(self.values, neighbours)

    def with_value(self, level: int, value: int) -> "Component":
        """The component with one value left to a variable."""
        return replace(self, values=(*self.values[:level], (value,), *self.values[level + 1 :]))

    def layers(self, budget: "Budget") -> Iterator[dict[State, int]]:
        """For each number of assigned variables the states, with the number of partial solutions that lead to each."""
        residuals = self.residuals
        layer = {residuals.merged(residuals.start): 1}
        yield layer
        for level in range(len(self.variables)):
            following: dict[State, int] = {}
            for i, (state, n) in enumerate(layer.items()):
                if not i % _CHECK_EVERY:
                    budget.check(level, len(self.variables), len(following))
                for successor in residuals.successors(level, state):
                    key = residuals.merged(successor.state)
                    following[key] = following.get(key, 0) + n * successor.n_ways
            layer = following
            budget.check(level + 1, len(self.variables), len(layer))
            yield layer

    def completions(self, budget: "Budget") -> list[dict[State, int]]:
        """The states of each layer with the numbers of their completions."""
        layers = [dict.fromkeys(layer, 1) for layer in self.layers(budget)]
        for level in reversed(range(len(self.variables))):
            after = layers[level + 1]
            for state in layers[level]:
                layers[level][state] = sum(
                    successor.n_ways * after[self.residuals.merged(successor.state)]
                    for successor in self.residuals.successors(level, state)
                )
        return layers

    def sample(self, completions: Sequence[dict[State, int]], random: Random) -> Iterator[tuple[int, int]]:
        """The values of one solution, as pairs of a variable and the index of a word."""
        residuals, state = self.residuals, self.residuals.start
        for level, variable in enumerate(self.variables):
            after = completions[level + 1]
            ways = list(residuals.successors(level, state, each=True))
            at = random.randrange(sum(after[residuals.merged(way.state)] for way in ways))
            for way in ways:
                at -= after[residuals.merged(way.state)]
                if at < 0:
                    break
            state = way.state
            yield variable, self.words[way.value]


@dataclass
class Budget:
    """What a count may cost."""

    max_states: int = 1_000_000  # of a layer
    seconds: float | None = None
    advance: Advance | None = None
    most: int = 0  # states of a layer so far

    def __post_init__(self) -> None:
        self._end = None if self.seconds is None else monotonic() + self.seconds

    def check(self, level: int, n_levels: int, n_states: int) -> None:
        """Take note of a layer; raises TooManyStates if it is too large, or the time is over."""
        self.most = max(self.most, n_states)
        if n_states > self.max_states:
            raise TooManyStates(f"more than {self.max_states:,} states after {level} of {n_levels} variables")
        if self._end is not None and monotonic() > self._end:
            raise TooManyStates(f"the time is over after {level} of {n_levels} variables")
        if self.advance is not None:
            self.advance(level, n_levels, n_states)


class MergedStates:
    """The solutions of a problem, merged.

    Attributes:
        count: their number, exact.
        n_states: the number of states of the largest layer.
    """

    def __init__(self, problem: Problem, budget: Budget) -> None:
        """Count the solutions; raises TooManyStates if that is beyond the budget."""
        self._problem = problem
        self._budget = budget
        model = recover(problem)
        self._components = [] if model.is_contradictory else list(_components(model))
        self._counts = [self._count(one) for one in self._components]
        self.count = 0 if model.is_contradictory else prod(self._counts)
        self.n_states = budget.most

    def _count(self, component: Component) -> int:
        *_, last = component.layers(self._budget)
        return sum(last.values())

    def sample(self, n: int, seed: int = 0) -> Iterator[Mapping[str, Value]]:
        """Solutions drawn uniformly and independently; none if there are none."""
        random = Random(seed)  # noqa: S311 - reproducible, no secret
        if not self.count:
            return
        completions = [component.completions(self._budget) for component in self._components]
        domains = self._problem.variable_domains.tolist()
        for _ in range(n):
            words: dict[int, int] = {}
            for component, layers in zip(self._components, completions, strict=True):
                words.update(component.sample(layers, random))
            yield {
                name: self._values[domains[variable]][words[variable]]
                for variable, name in enumerate(self._problem.variable_names)
            }

    def marginals(self) -> dict[str, dict[Value, int]]:
        """For each variable the number of solutions with each of its values."""
        domains = self._problem.variable_domains.tolist()
        found = [dict.fromkeys(self._values[domain].values(), 0) for domain in domains]
        for component, count in zip(self._components, self._counts, strict=True):
            for level, variable in enumerate(component.variables):
                for index in component.values[level] if self.count else ():
                    value = self._values[domains[variable]][component.words[index]]
                    found[variable][value] = self.count // count * self._count(component.with_value(level, index))
        return dict(zip(self._problem.variable_names, found, strict=True))

    @cached_property
    def _values(self) -> list[dict[int, Value]]:
        """For each domain its values by the indices of their words."""
        domains = zip(self._problem.domain_values, self._problem.domains, strict=True)
        return [dict(zip(words.tolist(), domain.values, strict=True)) for words, domain in domains]


def count_by_merging(problem: Problem, budget: Budget | None = None) -> MergedStates:
    """Count the solutions of a problem exactly.

    Raises:
        TooManyStates: that is beyond the budget.

    Example:
        >>> from f2csp.model import ProblemBuilder
        >>> b = ProblemBuilder("Latin square of order 3")
        >>> b.domain("D", range(1, 4))
        >>> cells = [[f"V{row}-{column}" for column in range(1, 4)] for row in range(1, 4)]
        >>> for name in sum(cells, []):
        ...     b.variable(name, "D")
        >>> for line in (*cells, *zip(*cells)):
        ...     b.all_different(line)
        >>> count_by_merging(b.build()).count
        12
    """
    return MergedStates(problem, budget or Budget())


def _components(model: ConstraintModel) -> Iterator[Component]:
    """The parts of a problem that no constraint connects."""
    n = model.problem.n_variables
    differ: list[set[int]] = [set() for _ in range(n)]
    for clique in model.all_different:
        for variable in clique:
            differ[variable].update(clique)
    joined = [some - {variable} for variable, some in enumerate(differ)]
    differ = [set(some) for some in joined]
    tables = [
        (index, tuple(model.problem.scope(index))) for index in model.rest(model.unary, model.never_true).tolist()
    ]
    for _, scope in tables:
        for variable in scope:
            joined[variable].update(scope)
            joined[variable].discard(variable)
    place = {variable: i for i, variable in enumerate(variable_order(model, [scope for _, scope in tables]))}
    part_of: dict[int, int] = {}
    parts: list[list[int]] = []
    for variable in range(n):
        if variable not in part_of:
            parts.append(_reachable(variable, joined, part_of, len(parts)))
    tables_of: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in parts]
    for index, scope in tables:
        tables_of[part_of[scope[0]]].append((index, scope))
    for part, some in zip(parts, tables_of, strict=True):
        yield _component(model, sorted(part, key=place.__getitem__), differ, some)


def _reachable(start: int, joined: Sequence[set[int]], part_of: dict[int, int], part: int) -> list[int]:
    """The variables that are connected with one, ascending; their part is noted."""
    part_of[start] = part
    found = [start]
    for variable in found:
        for other in joined[variable]:
            if other not in part_of:
                part_of[other] = part
                found.append(other)
    return sorted(found)


def _component(
    model: ConstraintModel,
    order: Sequence[int],
    differ: Sequence[set[int]],
    tables: Sequence[tuple[int, tuple[int, ...]]],
) -> Component:
    values = [model.values[variable].tolist() for variable in order]
    level_of = {variable: level for level, variable in enumerate(order)}
    words = sorted({word for some in values for word in some})
    number = {word: i for i, word in enumerate(words)}
    diagrams = Diagrams()
    known: dict[tuple[int, tuple[int, ...]], Diagram] = {}
    open_tables = []
    for index, scope in tables:
        relation = int(model.problem.constraint_relations[index])
        columns = tuple(sorted(range(len(scope)), key=lambda i: level_of[scope[i]]))
        if (relation, columns) not in known:
            table = model.problem.relations[relation]
            if len(table.tuples) > _MAX_TUPLES:
                raise TooManyStates(f"a table has {len(table.tuples):,} tuples")
            rows = [
                [1 << number[word] for word in row]
                for row in table.tuples[:, columns].tolist()
                if number.keys() >= set(row)
            ]
            known[relation, columns] = diagrams.add(rows, table.kind == "Accept")
        levels = tuple(level_of[scope[i]] for i in columns)
        open_tables.append(OpenTable(levels, known[relation, columns]))
    return Component(
        variables=tuple(order),
        values=tuple(tuple(number[word] for word in some) for some in values),
        words=tuple(words),
        neighbours=tuple(frozenset(level_of[other] for other in differ[variable]) for variable in order),
        tables=tuple(open_tables),
        diagrams=diagrams,
    )
