"""Explanations of unsatisfiability: a minimal unsatisfiable subset of a problem's constraints.

First of groups, such as a given or a row that must be all different; then of the single constraints in these. The
subsets are found by deletion with refinement by cores: Marques-Silva, "Minimal unsatisfiability: models, algorithms and
applications", 2010.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from random import Random
from time import monotonic

import numpy as np

from f2csp.encode import Encoder
from f2csp.model import Problem
from f2csp.solving.groups import Group, groups_of, single_groups
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.registry import named_engine
from f2csp.solving.result import Limits, Status
from f2csp.structure import ConstraintKind, recover

Core = list[int]
CoreOf = Callable[[Sequence[int]], Core | None]
"""Of some groups, by index, an unsatisfiable subset, or None if they are satisfiable together."""

_MAX_ORDERS = 20  # of deletion that are tried; the smallest subset wins
_MAX_SECONDS = 1.0  # of these tries
_SMALL = 3  # groups; there is no search for a smaller subset
_BUDGET = 2000  # conflicts between two looks at the clock


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why there is no solution.

    Attributes:
        status: ``unsatisfiable``; or ``satisfiable`` or ``unknown``, and the rest is empty.
        groups: a minimal unsatisfiable subset of the groups.
        constraints: an unsatisfiable subset of their constraints, as indices in ascending order.
        is_minimal: whether the subset of the constraints is minimal; it may not be at the time limit.
    """

    status: Status
    groups: tuple[Group, ...] = ()
    constraints: tuple[int, ...] = ()
    is_minimal: bool = False


def explain(problem: Problem, limits: Limits | None = None, *, auxiliary: Collection[str] = ()) -> Explanation:
    """Explain why a problem has no solution.

    Args:
        problem: the problem.
        limits: the seconds and the seed; the others have no effect.
        auxiliary: the names of variables without a meaning of their own; the constraints that share one are a group.

    Raises:
        MissingExtra: the SAT solver is not installed.
    """
    limits = limits or Limits()
    end = None if limits.seconds is None else monotonic() + limits.seconds
    model = recover(problem)
    groups = groups_of(model, auxiliary)
    try:
        core_of = _GroupSat(problem, groups, end).core
        core = core_of(range(len(groups)))
    except _OutOfTimeError:
        return Explanation(Status.UNKNOWN)
    if core is None:
        return Explanation(Status.SATISFIABLE)
    chosen = [groups[i] for i in _small_mus(core, groups, core_of, limits.seed)]
    constraints = sorted({constraint for group in chosen for constraint in group.constraints})
    singles = _GroupSat(problem, single_groups(constraints), end)
    kept, is_minimal = _mus(range(len(constraints)), singles.core)
    return Explanation(Status.UNSATISFIABLE, tuple(chosen), tuple(constraints[i] for i in sorted(kept)), is_minimal)


def _small_mus(core: Core, groups: Sequence[Group], core_of: CoreOf, seed: int) -> Core:
    """The smallest minimal unsatisfiable subset of several orders of deletion; of equal size, the most readable."""
    random = Random(seed)  # noqa: S311 - no secret depends on it
    end = monotonic() + _MAX_SECONDS

    def cost(core: Core) -> tuple[int, int]:
        return len(core), sum(not groups[group].is_readable for group in core)

    best, _ = _mus(core, core_of)
    for _ in range(_MAX_ORDERS):
        if monotonic() > end or len(best) <= _SMALL:
            break
        order = list(range(len(groups)))
        random.shuffle(order)
        order.sort(key=lambda group: not groups[group].is_readable)
        best = min(best, _mus(order, core_of)[0], key=cost)
    return sorted(best)


def _mus(groups: Sequence[int], core_of: CoreOf) -> tuple[Core, bool]:
    """A minimal unsatisfiable subset of unsatisfiable groups, by deletion from the end.

    Returns:
        The subset; and whether it is minimal, for at the time limit it may not be.
    """
    needed: Core = []
    rest = list(groups)
    try:
        while rest:
            tried = rest.pop()
            core = core_of([*needed, *rest])
            if core is None:
                needed.append(tried)
            else:
                known = set(core)
                rest = [group for group in rest if group in known]
    except _OutOfTimeError:
        return [*needed, *rest, tried], False
    return needed, True


class _OutOfTimeError(Exception):
    """The time limit is reached before an answer is known."""


class _GroupSat:
    """The variables and the groups of a problem as clauses; those of a group hold only if its selector is assumed."""

    def __init__(self, problem: Problem, groups: Sequence[Group], end: float | None) -> None:
        """Encode all groups.

        Args:
            problem: the problem.
            groups: the groups.
            end: when to give up, on the monotonic clock; None for never.

        Raises:
            MissingExtra: the SAT solver is not installed.
        """
        named_engine("sat").load("explaining")
        from pysat.solvers import Cadical195

        self._end = end
        self._solver = Cadical195()
        self._encoder = Encoder(problem)
        self._encoder.write_variables()
        self._add_clauses()
        self._selectors = [self._add_group(group) for group in groups]

    def core(self, groups: Sequence[int]) -> list[int] | None:
        """Ask whether some groups are satisfiable together.

        Args:
            groups: their indices.

        Returns:
            None if they are; otherwise the indices of an unsatisfiable subset.

        Raises:
            _OutOfTimeError: the answer is not known in time.
        """
        selectors = [self._selectors[group] for group in groups]
        answer = None
        with InterruptibleThread() as thread:
            while answer is None:
                if self._end is not None and monotonic() > self._end:
                    raise _OutOfTimeError
                self._solver.conf_budget(_BUDGET)
                answer = thread.run(lambda: self._solver.solve_limited(selectors))
        if answer:
            return None
        failed = set(self._solver.get_core() or [])
        return [group for group, selector in zip(groups, selectors, strict=True) if selector in failed]

    def _add_group(self, group: Group) -> int:
        """Add the clauses of a group, and return its selector."""
        if group.kind == ConstraintKind.DIFFERENT:
            self._encoder.write_all_different(group.variables)
        else:
            self._encoder.write_tables(np.array(group.constraints))
        selector = self._encoder.cnf.new(1)
        self._add_clauses(-selector)
        return selector

    def _add_clauses(self, *condition: int) -> None:
        for block in self._encoder.cnf.take().blocks:
            conditions = np.tile(np.array(condition, dtype=np.int32), (len(block), 1))
            self._solver.append_formula(np.column_stack((conditions, block)).tolist())
