"""Solutions that no symmetry maps to each other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import monotonic

import numpy as np

from f2csp.arrays import components
from f2csp.counting import BeyondBudget
from f2csp.counting.solution_space import counting_order, with_dependents
from f2csp.model import Problem, Value
from f2csp.solutions import Solution
from f2csp.solving.questions import solve
from f2csp.solving.search_run import Limits
from f2csp.structure import ConstraintModel, recover
from f2csp.symmetry import Symmetry, SymmetryGroup, symmetry

_MAX_LISTED = 20_000  # solutions that are listed before partial ones are compared
_MAX_CLASSES = 200_000  # of partial solutions


@dataclass(frozen=True, slots=True)
class EssentiallyDifferent:
    """The classes of the solutions of a problem up to symmetry.

    Attributes:
        solutions: one of each class.
        sizes: the number of solutions in each class.
        symmetry: the symmetries that were used.
    """

    solutions: tuple[Solution, ...]
    sizes: tuple[int, ...]
    symmetry: Symmetry

    def __len__(self) -> int:
        return len(self.solutions)


def essentially_different(
    problem: Problem, *, group: str = SymmetryGroup.ALL, seconds: float | None = None, engine: str | None = None
) -> EssentiallyDifferent:
    """Find a solution of each class of solutions that symmetries map to each other.

    All solutions are listed if there are few. Otherwise partial solutions are: of those that a symmetry maps to each
    other one is kept, and is given each value of the next variable (as McKay, "Isomorph-free exhaustive generation",
    Journal of Algorithms 26, 1998, but with all certificates kept).

    Args:
        problem: the problem.
        group: which symmetries count, as for :func:`f2csp.symmetry`.
        seconds: the time limit.
        engine: that lists the solutions.

    Raises:
        MissingExtra: nauty is not installed.
        Unsuitable: the tables are too large for finding symmetries, or there is no board to turn.
        BeyondBudget: there are too many classes of partial solutions, or the time is over.

    Example:
        >>> from f2csp import generate
        >>> found = essentially_different(generate("queens", size=6))
        >>> len(found), found.sizes
        (1, (4,))
    """
    end = None if seconds is None else monotonic() + seconds
    found = symmetry(problem, group)
    listed = solve(problem, engine=engine, limits=Limits(seconds, _MAX_LISTED + 1))
    if listed.is_interrupted:
        raise KeyboardInterrupt
    if listed.is_complete:
        return _of_listed(found, listed.solutions)
    graphs = ((words, found.graph.with_assignment(words)) for words in _grown(found, end))
    classes = {graph.certificate(): (words, graph) for words, graph in graphs}  # those that grew on different variables
    rows = [[words[v] for v in range(problem.n_variables)] for words, _ in classes.values()]
    sizes = tuple(found.order // graph.order for _, graph in classes.values())
    return EssentiallyDifferent(tuple(map(found.assignment, rows)), sizes, found)


def _of_listed(found: Symmetry, solutions: tuple[Mapping[str, Value], ...]) -> EssentiallyDifferent:
    """The orbits of all solutions."""
    if not solutions:
        return EssentiallyDifferent((), (), found)
    rows = found.rows(solutions)
    place = {row.tobytes(): i for i, row in enumerate(rows)}
    first: list[int] = []
    second: list[int] = []
    for generator in found.generators:
        first += range(len(rows))
        second += [place[row.tobytes()] for row in generator.images(rows)]
    orbits = components(len(rows), np.array(first, dtype=np.int64), np.array(second, dtype=np.int64))
    firsts, sizes = np.unique(orbits, return_counts=True)
    return EssentiallyDifferent(tuple(solutions[i] for i in firsts), tuple(sizes.tolist()), found)


def _grown(found: Symmetry, end: float | None) -> Iterator[dict[int, int]]:
    """A solution of each class, as words by variable, in growing partial solutions."""
    model = recover(found.problem)
    by_size = counting_order(model, [found.problem.scope(i).tolist() for i in _tables(model)])
    states = set(found.graph.states)  # each comes where it follows: partial solutions are compared without them
    order = with_dependents(model, sorted(by_size, key=states.__contains__))
    is_consistent = _Checks(model, list(order))
    classes: list[dict[int, int]] = [{}]
    for n_done, (variable, follows) in enumerate(order.items()):
        following: dict[object, dict[int, int]] = {}
        for assignment in classes:
            if end is not None and monotonic() > end:
                raise BeyondBudget(f"the time is over after {n_done} of {len(order)} variables")
            for word in model.values[variable].tolist():
                extended = assignment | {variable: word}
                if is_consistent(extended, variable):
                    key = len(following) if follows else found.graph.with_assignment(extended).certificate()
                    following.setdefault(key, extended)
            if len(following) > _MAX_CLASSES:
                raise BeyondBudget(f"more than {_MAX_CLASSES:,} classes after {n_done} of {len(order)} variables")
        classes = list(following.values())
    yield from classes


def _tables(model: ConstraintModel) -> list[int]:
    found: list[int] = model.rest(model.unary, model.never_true).tolist()
    return found


class _Checks:
    """The constraints of each variable with those before it in an order."""

    def __init__(self, model: ConstraintModel, order: list[int]) -> None:
        problem = model.problem
        level = {variable: i for i, variable in enumerate(order)}
        self._differ: dict[int, set[int]] = {variable: set() for variable in order}
        for clique in model.all_different:
            for variable in clique:
                self._differ[variable].update(v for v in clique if level[v] < level[variable])
        tuples = [set(map(tuple, relation.tuples.tolist())) for relation in problem.relations]
        self._tables: dict[int, list[tuple[list[int], set[tuple[int, ...]], bool]]] = {v: [] for v in order}
        for index in _tables(model):
            scope = problem.scope(index).tolist()
            relation = int(problem.constraint_relations[index])
            accepts = problem.relations[relation].kind == "Accept"
            self._tables[max(scope, key=level.__getitem__)].append((scope, tuples[relation], accepts))

    def __call__(self, assignment: Mapping[int, int], variable: int) -> bool:
        """Whether the value of the last variable satisfies its constraints with those before it."""
        word = assignment[variable]
        return all(assignment[other] != word for other in self._differ[variable]) and all(
            (tuple([assignment[v] for v in scope]) in tuples) == accepts
            for scope, tuples, accepts in self._tables[variable]
        )
