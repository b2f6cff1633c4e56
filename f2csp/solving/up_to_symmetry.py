"""Solutions that no symmetry maps to each other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from time import monotonic, time

import numpy as np

from f2csp.arrays import components
from f2csp.counting import Advance, BeyondBudget, Budget
from f2csp.counting.solution_space import counting_order, with_dependents
from f2csp.model import Problem, Value
from f2csp.solutions import Solution
from f2csp.solving.counts import count, submitting_to
from f2csp.solving.questions import solve
from f2csp.solving.search_run import Limits
from f2csp.structure import ConstraintModel, recover
from f2csp.symmetry import Automorphism, Symmetry, SymmetryGroup, fixed_solutions, symmetry, symmetry_classes

_MAX_LISTED = 20_000  # solutions that are listed before partial ones are compared
_MAX_CLASSES = 200_000  # of partial solutions
_MAX_SYMMETRIES = 2_000  # conjugacy classes, beside those of permutations of values
_MAX_FIXED = 20_000  # conjugacy classes in all


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


@dataclass(frozen=True, slots=True)
class EssentialCount:
    """How many solutions a problem has up to symmetry.

    Attributes:
        classes: the number of classes of solutions that symmetries map to each other.
        solutions: the number of all solutions.
        symmetry: the symmetries that were used.
    """

    classes: int
    solutions: int
    symmetry: Symmetry


def count_essentially_different(
    problem: Problem,
    *,
    group: str = SymmetryGroup.ALL,
    seconds: float | None = None,
    engine: str | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    advance: Advance | None = None,
) -> EssentialCount:
    """Count the classes of solutions that symmetries map to each other.

    All solutions are listed if there are few. Otherwise the number of classes is the mean of the numbers of solutions
    that a symmetry leaves as they are (the lemma of Cauchy, Frobenius and Burnside), which are counted for one symmetry
    of each conjugacy class. If there are too many of these, a solution of each class is found.

    Args:
        problem: the problem.
        group: which symmetries count, as for :func:`f2csp.symmetry`.
        seconds: the time limit.
        engine: that lists the solutions.
        workers: the number of processes that count.
        cluster: the address of the scheduler of a Dask cluster that counts.
        advance: called with the number of conjugacy classes done, that of all, and that of the states for the last one.

    Raises:
        BeyondBudget: the solutions that a symmetry leaves as they are are too many to count, or the time is over.
        MissingExtra, Unsuitable: as for :func:`essentially_different`.

    Example:
        >>> from f2csp import generate
        >>> found = count_essentially_different(generate("queens", size=8))
        >>> found.classes, found.solutions
        (12, 92)
    """
    end = None if seconds is None else monotonic() + seconds
    found = symmetry(problem, group)
    classes = _listed(found, seconds, engine)
    if classes is None:
        try:
            return _by_fixed_solutions(found, end, workers, cluster, advance)
        except _ManySymmetriesError:
            classes = _of_grown(found, end)
    return EssentialCount(len(classes), sum(classes.sizes), found)


class _ManySymmetriesError(Exception):
    """There are too many conjugacy classes."""


def _by_fixed_solutions(
    found: Symmetry, end: float | None, workers: int | None, cluster: str | None, advance: Advance | None
) -> EssentialCount:
    def check(n_classes: int) -> None:
        if n_classes > _MAX_SYMMETRIES:
            raise _ManySymmetriesError
        if end is not None and monotonic() > end:
            raise BeyondBudget("the time is over before the symmetries are known")

    classes = list(islice(symmetry_classes(found, check), _MAX_FIXED + 1))
    if len(classes) > _MAX_FIXED:
        raise _ManySymmetriesError
    classes.sort(key=itemgetter(1))  # from the identity on, which takes long
    last = None if end is None else time() + end - monotonic()  # which other processes know
    budget = Budget()
    total = 0
    solutions: list[int] = []
    with submitting_to(workers, cluster) as budget.submit:
        counts = budget.map(_count_fixed, [(found.problem, one, last) for one, _ in classes])
        for (_, size), (n, n_states) in zip(classes, counts, strict=True):
            total += size * n
            solutions.append(n)
            if advance is not None:
                advance(len(solutions), len(classes), n_states)
    return EssentialCount(total // found.order, max(solutions), found)  # the identity leaves all


def _count_fixed(problem: Problem, symmetry: Automorphism, last: float | None) -> tuple[int, int]:
    """The number of solutions that a symmetry leaves as they are, and of the states that this needed."""
    fixed = fixed_solutions(problem, symmetry)
    if fixed is None:
        return 0, 0
    left = None if last is None else max(0.0, last - time())
    counted = count(fixed, seconds=left)
    if counted.result.is_interrupted:
        raise KeyboardInterrupt
    if not counted.is_complete:
        raise BeyondBudget(f"the solutions that a symmetry leaves as they are are not counted: {counted.reason}")
    return int(counted), counted.n_states or 0


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
    classes = _listed(found, seconds, engine)
    return _of_grown(found, end) if classes is None else classes


def _listed(found: Symmetry, seconds: float | None, engine: str | None) -> EssentiallyDifferent | None:
    """The classes of all solutions, if these are few."""
    listed = solve(found.problem, engine=engine, limits=Limits(seconds, _MAX_LISTED + 1))
    if listed.is_interrupted:
        raise KeyboardInterrupt
    return _of_listed(found, listed.solutions) if listed.is_complete else None


def _of_grown(found: Symmetry, end: float | None) -> EssentiallyDifferent:
    graphs = ((words, found.graph.with_assignment(words)) for words in _grown(found, end))
    classes = {graph.certificate(): (words, graph) for words, graph in graphs}  # those that grew on different variables
    rows = [[words[v] for v in range(found.problem.n_variables)] for words, _ in classes.values()]
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
    if model.is_contradictory:
        return
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
