"""The input of an engine, a constraint model with limits; the place for its solutions, each checked; and the result."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from html import escape
from math import isnan
from numbers import Integral, Real
from time import monotonic
from typing import TYPE_CHECKING, Literal

import numpy as np

from f2csp.arrays import data_frame
from f2csp.diagnostics import ProblemError, counted, listed
from f2csp.model import Checker, Offsets, Problem, Value
from f2csp.model.arguments import items_of
from f2csp.notebook import Drawn
from f2csp.search import Stopped, TraceStep
from f2csp.solutions import Solution, values_by_word
from f2csp.structure import ConstraintModel, FunctionalClosure

if TYPE_CHECKING:
    import pandas

_MAX_SHOWN = 8  # values of a solution in a representation

Observer = Callable[[Solution], None]
"""Called with each solution as soon as it is found, perhaps in another thread."""


class Status(StrEnum):
    """What is known of a problem; that there is no solution is an answer like any other."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops, as one value for several calls.

    Attributes:
        seconds: the time limit of the search; None for none.
        solutions: the number of distinct solutions to find; None for all, ``default`` for the number that answers the
            question: one to solve, two to decide uniqueness, all to count.
        workers: the number of threads, for engines that use several; None for one per core.
        seed: the random seed.
        project_onto: the variables in which solutions must differ to count as distinct; None for all variables.

    Raises:
        TypeError: a limit is of the wrong type.
        ProblemError: a limit is out of range.

    Example:
        >>> Limits(seconds="10")
        Traceback (most recent call last):
        ...
        TypeError: expected a number as seconds, found '10'
    """

    seconds: float | None = None
    solutions: int | Literal["default"] | None = "default"
    workers: int | None = None
    seed: int = 0
    project_onto: Sequence[str] | None = None

    def __post_init__(self) -> None:
        _check_number("seconds", 0.0 if self.seconds is None else self.seconds, is_integer=False)
        _check_number("solutions", 0 if self.solutions in (None, "default") else self.solutions)
        _check_number("workers", 1 if self.workers is None else self.workers, least=1)
        _check_number("seed", self.seed)
        if isinstance(self.project_onto, str):
            raise TypeError(f"expected a list of variables to project onto, found the string {self.project_onto!r}")
        if self.project_onto is not None:
            names = tuple(items_of(self.project_onto, "a list of variables to project onto"))
            if not all(isinstance(name, str) for name in names):
                raise ProblemError(f"expected names of variables to project onto, found {names!r:.80}")
            object.__setattr__(self, "project_onto", names)


def _check_number(name: str, value: object, *, is_integer: bool = True, least: int = 0) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral if is_integer else Real):
        raise TypeError(f"expected {'an integer' if is_integer else 'a number'} as {name}, found {value!r}")
    if value < least or isnan(value):
        raise ProblemError(f"expected at least {least} as {name}, found {value}")


@dataclass(frozen=True, slots=True)
class Statistics:
    """The effort of a search, under MiniZinc's names and some more; None where an engine does not count it.

    The engine ``search`` defines its counters in :data:`f2csp.search.DEFINITIONS`.
    """

    nodes: int | None = None  # decisions
    failures: int | None = None
    propagations: int | None = None
    solve_time: float | None = None  # seconds
    backtracks: int | None = None
    values_tried: int | None = None
    assignments: int | None = None
    constraint_checks: int | None = None
    pair_checks: int | None = None
    generated: int | None = None
    expanded: int | None = None
    peak_depth: int | None = None
    engines: Mapping[str, Mapping[str, object]] | None = None  # of ``auto``: what each did: status, seconds, message


@dataclass(frozen=True, slots=True, repr=False)
class Result(Drawn):
    """The result of a search.

    Attributes:
        status: what is known of the problem.
        n_solutions: the number of solutions found.
        solutions: these in the order in which they were found; empty if they were not kept.
        is_complete: whether there are no others: the search was exhaustive.
        engine: the name of the engine; for ``auto`` that of the one which answered.
        statistics: the effort of the search.
        times: seconds for each stage: ``structure``, ``build``, ``search``.
        is_interrupted: whether it was interrupted by Ctrl-C.
        problem: the problem, for pictures; None after pickling.

    A result is true if a solution was found; iterating over it gives its solutions.
    """

    status: Status
    n_solutions: int
    solutions: tuple[Solution, ...]
    is_complete: bool
    engine: str
    statistics: Statistics = field(default_factory=Statistics)
    times: Mapping[str, float] = field(default_factory=dict)
    is_interrupted: bool = False
    problem: Problem | None = field(default=None, compare=False)

    @property
    def solution(self) -> Solution | None:
        """The first solution, if there is one."""
        return self.solutions[0] if self.solutions else None

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with a row for each solution and a column for each variable; needs pandas."""
        return data_frame(self.solutions)

    def __bool__(self) -> bool:
        return self.n_solutions > 0

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.solutions)

    def __getstate__(self) -> list[object]:
        return [None if column.name == "problem" else getattr(self, column.name) for column in fields(self)]

    def _repr_html_(self) -> str:
        """The representation, and the solved board if there is one, for notebooks."""
        return f"<p>{escape(repr(self))}</p>{self._repr_svg_() or ''}"

    def __repr__(self) -> str:
        n = f"{counted(self.n_solutions, 'solution')}{'' if self.is_complete else ', perhaps others'}"
        pairs = (f"{name} = {value}" for name, value in (self.solution or {}).items())
        first = f": {listed(pairs, _MAX_SHOWN, ', ')}" if self.solutions else ""
        return f"<Result: {self.status}, {n}{first}>"


class WrongSolutionError(AssertionError):
    """An engine returned values that violate a constraint: a defect of the engine or of its input."""


@dataclass(eq=False)
class SearchRun:
    """One search: its input, its limits and its solutions. The clock starts when it is made."""

    model: ConstraintModel
    limits: Limits
    observer: Observer | None = None
    _: KW_ONLY
    keep_solutions: bool = True
    options: Mapping[str, str] = field(default_factory=dict)  # those of the engine, with all defaults
    use_structure: bool = True  # whether the engine gets the recovered structure
    trace: Callable[[TraceStep], None] | None = None  # called with each step of the search
    answered_by: str = ""  # the name of the engine, where one has asked others
    n_found: int = 0  # solutions; no two agree on the projection
    is_interrupted: bool = False  # by Ctrl-C
    solutions: list[Solution] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.problem = self.model.problem
        self.n_wanted = 1 if self.limits.solutions == "default" else self.limits.solutions
        self._end = None if self.limits.seconds is None else monotonic() + self.limits.seconds
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
        return len(self.projection) == n or len(FunctionalClosure(self.problem, self.projection.tolist()).found) == n

    @property
    def seconds_left(self) -> float | None:
        """The rest of the time limit; None for no limit."""
        return None if self._end is None else max(0.0, self._end - monotonic())

    @property
    def is_late(self) -> bool:
        return self._end is not None and monotonic() >= self._end

    @property
    def has_enough(self) -> bool:
        return self.n_wanted is not None and self.n_found >= self.n_wanted

    def until_interrupted(self, search: Callable[[], bool]) -> bool:
        """The result of a search; false at a limit, and after Ctrl-C, which keeps solutions and statistics."""
        try:
            return search()
        except KeyboardInterrupt:
            self.is_interrupted = True
        except Stopped:
            pass
        return False

    def add_solution(self, words: Sequence[int]) -> None:
        """Record a solution, the index of a word for each variable; raises WrongSolutionError if it is none."""
        words = list(words)
        self.model.complete(words)
        violation = next(self._checker.violations(words), None)
        if violation is not None:
            raise WrongSolutionError(f"the engine's solution violates a constraint: {violation}")
        self.n_found += 1
        if not self.keep_solutions and self.observer is None:
            return
        of_variables = zip(self.problem.variable_names, self.problem.variable_domains.tolist(), words, strict=True)
        solution = {name: self._values[domain][word] for name, domain, word in of_variables}
        if self.keep_solutions:
            self.solutions.append(solution)
        if self.observer is not None:
            self.observer(solution)

    @cached_property
    def _checker(self) -> Checker:
        return Checker(self.problem)

    @cached_property
    def _values(self) -> list[dict[int, Value]]:
        return values_by_word(self.problem)
