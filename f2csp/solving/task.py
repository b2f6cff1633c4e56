"""What an engine works on: a problem, what is known of its meaning, and the solutions that it finds, each checked."""

from collections.abc import Sequence
from functools import cached_property
from time import monotonic

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model import Checker, Offsets, Problem
from f2csp.solving.result import Limits, Observer, Solution
from f2csp.structure import Structure, determined


class WrongSolutionError(AssertionError):
    """An engine gave values that break a constraint: a defect of the engine, or of what it was told."""


class Task:
    """A problem for an engine, and the place where it puts what it finds.

    Attributes:
        problem: the problem.
        limits: when to stop.
        structure: what its tables mean; None if the engine is to have the tables as they are.
        n_found: how many solutions were taken; an engine gives no two that are alike in the variables of ``over``.
        solutions: those that are kept, in the order in which they were found.
    """

    def __init__(
        self,
        problem: Problem,
        limits: Limits,
        structure: Structure | None = None,
        observer: Observer | None = None,
        *,
        keeps: bool = True,
    ) -> None:
        """Begin; the time runs from here.

        Args:
            problem: see above, as for the others.
            limits: see above.
            structure: see above.
            observer: called with each solution.
            keeps: whether solutions are kept; there may be more of them than memory holds.

        Raises:
            ProblemError: the limits name a variable that the problem does not have.
        """
        self.problem = problem
        self.limits = limits
        self.structure = structure
        self.n_found = 0
        self.solutions: list[Solution] = []
        self._observer = observer
        self._keeps = keeps
        self._end = None if limits.seconds is None else monotonic() + limits.seconds
        self.over = self._over()

    def _over(self) -> Offsets:
        """The variables in which solutions must differ, as indices."""
        if self.limits.over is None:
            return np.arange(self.problem.n_variables)
        index = {name: i for i, name in enumerate(self.problem.variable_names)}
        unknown = [name for name in self.limits.over if name not in index]
        if unknown:
            raise ProblemError(f"the problem has no variable {unknown[0]}")
        return np.unique(np.array([index[name] for name in self.limits.over], dtype=np.int64))

    @cached_property
    def is_over_all(self) -> bool:
        """Whether solutions that differ in any variable count as different, as far as is easily known.

        That is so even where only some variables tell solutions apart, if the others follow from these.
        """
        n_variables = self.problem.n_variables
        return len(self.over) == n_variables or len(determined(self.problem, self.over.tolist())) == n_variables

    @property
    def seconds_left(self) -> float | None:
        """How long the engine may search on; None for any time."""
        return None if self._end is None else max(0.0, self._end - monotonic())

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and monotonic() >= self._end

    @property
    def has_enough(self) -> bool:
        """Whether as many solutions were found as are wanted."""
        wanted = self.limits.solutions
        return wanted is not None and self.n_found >= wanted

    def take(self, words: Sequence[int]) -> None:
        """Take a solution, the index of a word for each variable.

        Raises:
            WrongSolutionError: it is none.
        """
        violation = next(self._checker.violations(words), None)
        if violation is not None:
            raise WrongSolutionError(f"the values that were found break {violation}")
        self.n_found += 1
        if self._keeps or self._observer is not None:
            solution = self._named(words)
            if self._keeps:
                self.solutions.append(solution)
            if self._observer is not None:
                self._observer(solution)

    @cached_property
    def _checker(self) -> Checker:
        return Checker(self.problem)

    def _named(self, words: Sequence[int]) -> Solution:
        spelled = self._values
        domains = self.problem.variable_domains.tolist()
        names = self.problem.variable_names
        return {name: spelled[domain][word] for name, domain, word in zip(names, domains, words, strict=True)}

    @cached_property
    def _values(self) -> list[dict[int, int | str]]:
        """For each domain its values by the indices of their words: as numbers where the domain is one of numbers."""
        domains = zip(self.problem.domain_values, self.problem.domains, strict=True)
        return [dict(zip(words.tolist(), domain.values, strict=True)) for words, domain in domains]
