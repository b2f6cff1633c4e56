"""Limits, statistics and results of a search."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from f2csp.model import Value

Solution = Mapping[str, Value]
"""A value for each variable: a number where its domain is an integer one, else a word."""

Observer = Callable[[Solution], None]
"""Called with each solution as soon as it is found, perhaps in another thread."""


class Status(StrEnum):
    """What is known of a problem; that there is no solution is an answer like any other."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops.

    Attributes:
        seconds: the time limit of the search; None for none.
        solutions: the number of distinct solutions to find; None for all.
        workers: the number of threads, for engines that use several; None for one per core.
        seed: the random seed.
        project_onto: the variables in which solutions must differ to count as distinct; None for all variables.
    """

    seconds: float | None = None
    solutions: int | None = 1
    workers: int | None = None
    seed: int = 0
    project_onto: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """The effort of a search, under MiniZinc's names; None where an engine does not count it."""

    nodes: int | None = None  # decisions
    failures: int | None = None
    propagations: int | None = None
    solve_time: float | None = None  # seconds


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search.

    Attributes:
        status: what is known of the problem.
        n_solutions: the number of solutions found.
        solutions: these in the order in which they were found; empty if they were not kept.
        is_complete: whether there are no others: the search was exhaustive.
        engine: the name of the engine.
        statistics: the effort of the search.
        times: seconds for each stage: ``structure``, ``build``, ``search``.
    """

    status: Status
    n_solutions: int
    solutions: tuple[Solution, ...]
    is_complete: bool
    engine: str
    statistics: Statistics = field(default_factory=Statistics)
    times: Mapping[str, float] = field(default_factory=dict)

    @property
    def solution(self) -> Solution | None:
        """The first solution, if there is one."""
        return self.solutions[0] if self.solutions else None
