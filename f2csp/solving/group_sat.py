"""Satisfiability of groups of constraints, by a SAT solver in which each group can be left out."""

from collections.abc import Sequence
from time import monotonic

import numpy as np

from f2csp.encode import Encoder
from f2csp.model import Problem
from f2csp.solving.groups import Group
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.registry import named_engine
from f2csp.structure import ConstraintKind

_BUDGET = 2000  # conflicts between two looks at the clock


class OutOfTimeError(Exception):
    """The time limit is reached before an answer is known."""


class GroupSat:
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
            OutOfTimeError: the answer is not known in time.
        """
        selectors = [self._selectors[group] for group in groups]
        answer = None
        with InterruptibleThread() as thread:
            while answer is None:
                if self._end is not None and monotonic() > self._end:
                    raise OutOfTimeError
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
