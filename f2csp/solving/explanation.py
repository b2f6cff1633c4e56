"""Explanations of unsatisfiability: a minimal unsatisfiable subset of a problem's constraints.

First of groups, such as a given or a row that must be all different; then of the single constraints in these. The
subsets are found by deletion with refinement by cores: Marques-Silva, "Minimal unsatisfiability: models, algorithms and
applications", 2010.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from time import monotonic

import numpy as np

from f2csp.arrays import grouped
from f2csp.encode import Encoder
from f2csp.model import Problem, Value, expect_problem
from f2csp.notebook import Lines
from f2csp.puzzles.puzzle import Puzzle, cell_of
from f2csp.search import Stopped
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.questions import solve
from f2csp.solving.registry import named_engine
from f2csp.solving.search_run import Limits, SearchRun, Status
from f2csp.structure import ConstraintKind, ConstraintModel, Numbering, linked, recover, sentence

Core = list[int]
CoreOf = Callable[[Sequence[int]], Core | None]
"""Of some groups, by index, an unsatisfiable subset, or None if they are satisfiable together."""

_MAX_ORDERS = 20  # of deletion that are tried; the smallest subset wins
_MAX_SECONDS = 1.0  # of these tries
_SMALL = 3  # groups; there is no search for a smaller subset
_MAX_NUMBER = 1 << 40  # of a value in a sum
_MAX_NODES = 1000  # of the engine `search` to leave out a group, which it keeps where that is not enough


@dataclass(frozen=True, slots=True)
class Group:
    """Constraints that say one thing together; ``OTHER``, if they are several, unless their variables all differ."""

    kind: ConstraintKind
    variables: tuple[int, ...]  # for a single constraint in the order of its scope
    constraints: tuple[int, ...]
    value: Value | None = None  # the value, the difference or the sum, for a kind that has one
    words: str = ""  # what a clause or a chain of tables that is a sum says, with places for the names

    @property
    def is_readable(self) -> bool:
        """Whether people think of it as one thing: a given, or variables that all differ."""
        return self.kind in (ConstraintKind.FIXED_VALUE, ConstraintKind.DIFFERENT)

    def describe(self, names: Sequence[str]) -> str:
        """The group in words; ``names`` are those of its variables."""
        form = "the constraints on {names}" if len(self.constraints) > 1 else "the table on {names}"
        return sentence(self.kind, names, self.value, self.words or form)


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Lines):
    """Why there is no solution; true if there is none.

    Attributes:
        status: what is known of the problem; if it is not ``unsatisfiable``, the rest is empty.
        groups: a minimal unsatisfiable subset of the groups of constraints.
        constraints: an unsatisfiable subset of their constraints, as ascending indices.
        is_minimal: whether the subset of the constraints is minimal; at the time limit it may not be.
        is_smallest: whether it is known that no other subset has fewer groups.
        labels: the labels of these constraints.
        sentences: the groups in words.
    """

    status: Status
    groups: tuple[Group, ...] = ()
    constraints: tuple[int, ...] = ()
    is_minimal: bool = False
    is_smallest: bool = False
    labels: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.status == Status.UNSATISFIABLE

    def __str__(self) -> str:
        return "\n".join(self.sentences) if self else str(self.status)

    def __repr__(self) -> str:
        return f"<Explanation: {'; '.join([self.status, *self.sentences])}>"


def describe_group(problem: Problem, group: Group, puzzle: Puzzle | None) -> str:
    """A group in words: of a puzzle in those of its rules, of another problem in its own names."""
    names = [problem.variable_names[variable] for variable in group.variables]
    if puzzle is None:
        return group.describe(names)
    cells = [cell for name in names if (cell := cell_of(name)) is not None]
    if group.kind == ConstraintKind.FIXED_VALUE and cells and cells[0] in {clue.cell for clue in puzzle.clues}:
        return f"{group.value} is given at {cells[0]}"
    are_different = group.kind == ConstraintKind.DIFFERENT
    states = (puzzle.rule_of(name) for name in names if cell_of(name) is None)
    words = next(states, None) or (puzzle.describe(cells, are_different=are_different) if cells else None)
    return words or group.describe(names if are_different else [str(cell_of(name) or name) for name in names])


def explain(
    problem: Problem, *, seconds: float | None = None, seed: int = 0, auxiliary: Collection[str] = ()
) -> Explanation:
    """Explain why a problem has no solution.

    Args:
        problem: the problem.
        seconds: the time limit.
        seed: the random seed for the order in which constraints are tried.
        auxiliary: the names of variables without a meaning of their own; the constraints that share one are a group.

    Example:
        >>> from f2csp.model import ProblemBuilder
        >>> b = ProblemBuilder("Three cells")
        >>> b.domain("D1", [1, 2])
        >>> for name in ("x", "y", "z"):
        ...     b.variable(name, "D1")
        >>> b.accept(["y", "z"], lambda y, z: y <= z)
        >>> b.accept(["x"], [2])
        >>> b.accept(["x", "z"], lambda x, z: x < z)
        >>> why = explain(b.build())
        >>> print(why)
        x = 2
        x < z
        >>> why.labels
        ('C2', 'C3')
    """
    run, groups, core_of = _question(problem, seconds, seed, auxiliary)
    try:
        core = core_of(range(len(groups)))
    except Stopped:
        return Explanation(Status.UNKNOWN)
    if core is None:
        return Explanation(Status.SATISFIABLE)
    return _explanation(run, groups, *_small_mus(core, groups, core_of, seed))


def contradicting_values(problem: Problem, names: Collection[str], seconds: float) -> dict[str, Value]:
    """Of the values that some variables are given, a small set that leaves no solution; empty if none is found."""
    _, groups, core_of = _question(problem, seconds, 0, ())
    variables = problem.variable_names
    given = [g for g in groups if g.kind == ConstraintKind.FIXED_VALUE and variables[g.variables[0]] in names]
    numbers = {groups.index(group): number for number, group in enumerate(given)}
    rules = [number for number in range(len(groups)) if number not in numbers]

    def core_of_given(tried: Sequence[int]) -> Core | None:
        core = core_of([*rules, *[[*numbers][number] for number in tried]])
        return None if core is None else [numbers[number] for number in core if number in numbers]

    try:
        core = core_of_given(range(len(given)))
    except Stopped:
        return {}
    least, _ = ([], False) if core is None else _small_mus(core, given, core_of_given, 0)
    values = {variables[given[number].variables[0]]: given[number].value for number in sorted(least)}
    return {name: value for name, value in values.items() if value is not None}


def explanations(
    problem: Problem, *, seconds: float | None = None, seed: int = 0, auxiliary: Collection[str] = ()
) -> Iterator[Explanation]:
    """All minimal unsatisfiable subsets of the groups of a problem, the smallest first.

    They are hitting sets of the minimal correction sets: Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS
    extraction with minimal hitting set dualization", 2015. The arguments are those of :func:`explain`.

    Returns:
        The explanations. At the time limit the last one has the status ``unknown``; if none was found before, one that
        may not be the smallest precedes it.

    Raises:
        MissingExtra: python-sat is not installed.

    Example:
        >>> from f2csp.puzzles.latin import LatinSquare
        >>> from f2csp.puzzles.puzzle import Clue
        >>> from f2csp.puzzles.to_problem import to_problem
        >>> twice = LatinSquare(2, clues=(Clue(1, 1, 1), Clue(1, 2, 1), Clue(2, 1, 1)))
        >>> [len(why.groups) for why in explanations(to_problem(twice))]
        [3, 3, 5, 5]
    """
    run, groups, core_of = _question(problem, seconds, seed, auxiliary)
    core: Core | None = None
    least = 0

    def missed(chosen: Sequence[int]) -> Core | None:
        """A correction set without a group of an unsatisfiable subset that lacks more; None if it lacks none."""
        if core_of(chosen) is not None:
            return None
        kept = [*chosen]
        rest: Core = []
        for group in range(len(groups)):
            if group not in kept:
                (kept if core_of([*kept, group]) is None else rest).append(group)
        return rest

    try:
        core = core_of(range(len(groups)))
        if core is None:
            yield Explanation(Status.SATISFIABLE)
            return
        for chosen in _smallest_hitting_sets(run, missed):
            least = least or len(chosen)
            yield _explanation(run, groups, chosen, are_minimal=True, is_smallest=len(chosen) == least)
    except Stopped:
        if core is not None and not least:
            yield _explanation(run, groups, *_small_mus(core, groups, core_of, seed))
        yield Explanation(Status.UNKNOWN)


def relaxations(
    problem: Problem, *, seconds: float | None = None, seed: int = 0, auxiliary: Collection[str] = ()
) -> Iterator[tuple[Group, ...] | None]:
    """The minimal sets of groups without which a problem has a solution, the smallest first.

    They are hitting sets of the unsatisfiable subsets. The arguments are those of :func:`explain`.

    Returns:
        The sets; the only one of a satisfiable problem is empty. At the time limit the last one is None.

    Raises:
        MissingExtra: python-sat is not installed.

    Example:
        >>> from f2csp import generate
        >>> [len(groups) for groups in relaxations(generate("pigeonhole", pigeons=3, holes=2))]
        [1]
    """
    run, groups, core_of = _question(problem, seconds, seed, auxiliary)
    try:
        for chosen in _smallest_hitting_sets(run, lambda out: core_of([*{*range(len(groups))} - {*out}])):
            yield tuple([groups[i] for i in chosen])
    except Stopped:
        yield None


def _smallest_hitting_sets(run: SearchRun, missed: CoreOf) -> Iterator[Core]:
    """The minimal sets that miss none of some sets; the function finds one that is missed, or none."""
    named_engine("sat").require("finding all explanations")
    from pysat.examples.hitman import Hitman

    with Hitman(htype="sorted") as hitman, InterruptibleThread() as thread:
        while True:
            try:
                chosen = thread.run(hitman.get, seconds=run.seconds_left)
            except TimeoutError:
                raise Stopped from None
            if chosen is None:
                return
            to_hit = missed(chosen)
            if to_hit is not None:
                hitman.hit(to_hit)
                continue
            yield sorted(chosen)
            if not chosen:
                return
            hitman.block(chosen)


def _question(
    problem: Problem, seconds: float | None, seed: int, auxiliary: Collection[str]
) -> tuple[SearchRun, list[Group], CoreOf]:
    expect_problem(problem)
    run = SearchRun(recover(problem), Limits(seconds=seconds, seed=seed))
    groups = groups_of(run.model, auxiliary)
    return run, groups, _core_finder(run, groups)


def _explanation(
    run: SearchRun, groups: Sequence[Group], indices: Core, are_minimal: bool, *, is_smallest: bool = False
) -> Explanation:
    """The explanation by some groups, with a minimal unsatisfiable subset of their constraints."""
    problem = run.problem
    chosen = [groups[i] for i in sorted(indices)]
    constraints = sorted({constraint for group in chosen for constraint in group.constraints})
    singles = [Group(ConstraintKind.OTHER, (), (constraint,)) for constraint in constraints]
    kept, is_minimal = _mus(range(len(constraints)), _core_finder(run, singles))
    subset = tuple(constraints[i] for i in sorted(kept))
    are_needed, labels = are_minimal and is_minimal, tuple(map(problem.label, subset))
    sentences = tuple([describe_group(problem, group, None) for group in chosen])
    return Explanation(Status.UNSATISFIABLE, tuple(chosen), subset, are_needed, is_smallest, labels, sentences)


def _small_mus(core: Core, groups: Sequence[Group], core_of: CoreOf, seed: int) -> tuple[Core, bool]:
    """The smallest minimal unsatisfiable subset of several orders of deletion; of equal size, the most readable."""
    random = Random(seed)  # noqa: S311 - no secret depends on it
    end = monotonic() + _MAX_SECONDS

    def cost(subset: tuple[Core, bool]) -> tuple[int, int]:
        return len(subset[0]), sum(not groups[group].is_readable for group in subset[0])

    best = _mus(core, core_of)
    for _ in range(_MAX_ORDERS):
        if monotonic() > end or len(best[0]) <= _SMALL:
            break
        order = list(range(len(groups)))
        random.shuffle(order)
        order.sort(key=lambda group: not groups[group].is_readable)
        best = min(best, _mus(order, core_of), key=cost)
    return best


def _mus(groups: Sequence[int], core_of: CoreOf) -> tuple[Core, bool]:
    """A minimal unsatisfiable subset, by deletion from the end; and whether it is minimal, which needs time."""
    needed: Core = []
    rest = list(groups)
    is_minimal = True
    try:
        while rest:
            tried = rest.pop()
            try:
                core = core_of([*needed, *rest])
            except _TooHardError:
                core, is_minimal = None, False
            if core is None:
                needed.append(tried)
            else:
                known = set(core)
                rest = [group for group in rest if group in known]
    except Stopped:
        return [*needed, *rest, tried], False
    return needed, is_minimal


class _TooHardError(Exception):
    """A search for a solution without a group is given up."""


def _core_finder(run: SearchRun, groups: Sequence[Group]) -> CoreOf:
    """By the SAT solver, or by the engine ``search`` where it is not installed; raises Stopped at the time limit."""
    if named_engine("sat").is_installed:
        return _GroupSat(run, groups).core
    problem = run.problem
    labels = np.array([*problem.constraints.names])

    def core(tried: Sequence[int]) -> Core | None:
        kept = sorted({constraint for group in tried for constraint in groups[group].constraints})
        part = problem.without(*np.delete(labels, kept).tolist())
        reasons: set[str] = set()  # of all that was pruned: no solution without these alone
        engine = "search" if len(tried) == len(groups) else f"search:node-limit={_MAX_NODES}"
        # With all variables in the projection, nothing is completed behind the trace.
        limits = Limits(run.seconds_left, project_onto=part.variable_names)
        result = solve(
            part, engine=engine, limits=limits, trace=lambda step: reasons.update(step.get("constraints", ()))
        )
        if result.is_interrupted:
            raise KeyboardInterrupt
        if result.status == Status.UNKNOWN:
            raise Stopped if run.is_late else _TooHardError
        used = {kept[part.constraints.position(label)] for label in reasons}
        return None if result else [group for group in tried if not used.isdisjoint(groups[group].constraints)]

    return core


class _GroupSat:
    """The variables and the groups of a problem as clauses; those of a group hold only if its selector is assumed."""

    def __init__(self, run: SearchRun, groups: Sequence[Group]) -> None:
        from f2csp.solving.engines.sat import Clauses

        self._clauses = Clauses(run)
        self._encoder = Encoder(run.problem)
        self._encoder.write_variables()
        self._clauses.add(self._encoder.cnf.take())
        self._selectors = [self._add_group(group) for group in groups]

    def core(self, groups: Sequence[int]) -> Core | None:
        """An unsatisfiable subset of some groups, by index; None if they are satisfiable together."""
        selectors = [self._selectors[group] for group in groups]
        with InterruptibleThread() as thread:
            if self._clauses.model(thread, selectors) is not None:
                return None
        failed = set(self._clauses.solver.get_core() or [])
        return [group for group, selector in zip(groups, selectors, strict=True) if selector in failed]

    def _add_group(self, group: Group) -> int:
        """Add the clauses of a group, and return its selector."""
        if group.kind == ConstraintKind.DIFFERENT:
            self._encoder.write_all_different(group.variables)
        else:
            self._encoder.write_tables(np.array(group.constraints))
        selector = self._encoder.cnf.new(1)
        self._clauses.add(self._encoder.cnf.take(), -selector)
        return selector


def groups_of(model: ConstraintModel, auxiliary: Collection[str]) -> list[Group]:
    """All-different cliques, then givens, then constraints that auxiliary variables connect, or single ones.

    Every constraint that can be violated is in a group, some are in several.
    """
    different = model.classification.are(ConstraintKind.DIFFERENT)
    given = model.classification.are(ConstraintKind.FIXED_VALUE)
    others = ~different & ~given & ~model.classification.are(ConstraintKind.ALWAYS_TRUE)
    return [
        *_cliques(model, np.flatnonzero(different).tolist()),
        *(_single(model, constraint) for constraint in np.flatnonzero(given).tolist()),
        *_connected(model, np.flatnonzero(others).tolist(), frozenset(auxiliary)),
    ]


def _single(model: ConstraintModel, constraint: int) -> Group:
    meaning, scope = model.classification[constraint], tuple(model.problem.scope(constraint).tolist())
    if len(scope) > 1 and (words := _clause(model.problem, constraint)):
        return Group(ConstraintKind.OTHER, scope, (constraint,), words=words)
    return Group(meaning.kind, scope, (constraint,), meaning.value)


def _clause(problem: Problem, constraint: int) -> str:
    """A table over 0 and 1 that rejects one tuple as the clause that it is, with places for names; else nothing."""
    view = problem.constraints[constraint]
    domains = {problem.domains[domain].words for domain in problem.variable_domains[problem.scope(constraint)]}
    if view.kind != "Reject" or view.relation.n_tuples != 1 or domains != {("0", "1")}:
        return ""
    return " or ".join([f"{{{i}}}" if value == 0 else f"not {{{i}}}" for i, value in enumerate(view.tuples[0])])


def _cliques(model: ConstraintModel, different: Sequence[int]) -> Iterator[Group]:
    constraints_on = grouped((tuple(sorted(model.problem.scope(c).tolist())), c) for c in different)
    for clique in model.all_different:
        constraints = tuple(c for pair in combinations(clique, 2) for c in constraints_on[pair])
        yield Group(ConstraintKind.DIFFERENT, clique, constraints)


def _connected(model: ConstraintModel, constraints: Sequence[int], auxiliary: frozenset[str]) -> Iterator[Group]:
    """The constraints that auxiliary variables connect, and each other one alone."""
    problem = model.problem
    numbers = Numbering.in_order(problem, _MAX_NUMBER).numbers
    hidden = {v for v, name in enumerate(problem.variable_names) if name in auxiliary}
    for group, total in linked(problem, constraints, hidden):
        if total is not None:
            words = f"{total.in_words(numbers)}: {{names}}"
            yield Group(ConstraintKind.OTHER, total.variables, tuple(group), words=words)
        elif len(group) == 1:
            yield _single(model, group[0])
        else:
            variables = dict.fromkeys([v for constraint in group for v in problem.scope(constraint).tolist()])
            yield Group(ConstraintKind.OTHER, tuple(variables), tuple(group))
