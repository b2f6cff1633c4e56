"""The input of an engine, a constraint model with limits, and the place for its solutions, each of which is checked."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from time import monotonic

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model import Checker, Offsets
from f2csp.solving.result import Limits, Observer, Solution
from f2csp.structure import ConstraintModel, functional_closure


class WrongSolutionError(AssertionError):
    """An engine returned values that violate a constraint: a defect of the engine or of its input."""


class SearchRun:
    """One search: its input, its limits and its solutions."""

    def __init__(
        self,
        model: ConstraintModel,
        limits: Limits,
        observer: Observer | None = None,
        *,
        keep_solutions: bool = True,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """Start the clock; ``options`` are those of the engine, with all defaults."""
        self.model = model
        self.problem = model.problem
        self.limits = limits
        self.options = options or {}
        self.n_found = 0  # solutions; no two agree on the projection
        self.solutions: list[Solution] = []
        self._observer = observer
        self._keeps = keep_solutions
        self._end = None if limits.seconds is None else monotonic() + limits.seconds
        self.projection = self._projection()  # the variables that solutions must differ in

    def _projection(self) -> Offsets:
        names = self.limits.project_onto
        if names is None:
            return np.arange(self.problem.n_variables)
        index = {name: i for i, name in enumerate(self.problem.variable_names)}
        unknown = [name for name in names if name not in index]
        if unknown:
            raise ProblemError(f"the problem has no variable {unknown[0]}")
        return np.unique(np.array([index[name] for name in names], dtype=np.int64))

    @cached_property
    def projection_is_injective(self) -> bool:
        """Whether all variables are known to be functionally dependent on those of the projection."""
        n = self.problem.n_variables
        return len(self.projection) == n or len(functional_closure(self.problem, self.projection.tolist())) == n

    @property
    def seconds_left(self) -> float | None:
        """The rest of the time limit; None for no limit."""
        return None if self._end is None else max(0.0, self._end - monotonic())

    @property
    def is_late(self) -> bool:
        """Whether the time limit is reached."""
        return self._end is not None and monotonic() >= self._end

    @property
    def has_enough(self) -> bool:
        """Whether the wanted number of solutions is found."""
        wanted = self.limits.solutions
        return wanted is not None and self.n_found >= wanted

    def add_solution(self, words: Sequence[int]) -> None:
        """Check and record a solution, the index of a word for each variable.

        Raises:
            WrongSolutionError: it violates a constraint.
        """
        violation = next(self._checker.violations(words), None)
        if violation is not None:
            raise WrongSolutionError(f"the engine's solution violates a constraint: {violation}")
        self.n_found += 1
        if not self._keeps and self._observer is None:
            return
        of_variables = zip(self.problem.variable_names, self.problem.variable_domains.tolist(), words, strict=True)
        solution = {name: self._values[domain][word] for name, domain, word in of_variables}
        if self._keeps:
            self.solutions.append(solution)
        if self._observer is not None:
            self._observer(solution)

    @cached_property
    def _checker(self) -> Checker:
        return Checker(self.problem)

    @cached_property
    def _values(self) -> list[dict[int, int | str]]:
        """For each domain its values by the indices of their words."""
        domains = zip(self.problem.domain_values, self.problem.domains, strict=True)
        return [dict(zip(words.tolist(), domain.values, strict=True)) for words, domain in domains]
