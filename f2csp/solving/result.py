"""What an engine is told, and what it says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from f2csp.model import Value

Solution = Mapping[str, Value]
"""A value for each variable: a number where its domain is an integer one, else a word."""

Observer = Callable[[Solution], None]
"""Called with each solution as soon as it is found, perhaps in another thread."""


class Status(StrEnum):
    """What is known of a problem; that there is no solution is an answer like another."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Limits:
    """When an engine is to stop.

    Attributes:
        seconds: of search; None for no limit.
        solutions: how many different ones are wanted; None for all.
        workers: how many threads it may use, if it can use several; None for as many as there are cores.
        seed: of whatever is random in it.
        over: the variables in which solutions must differ to count as different; None for all variables.
    """

    seconds: float | None = None
    solutions: int | None = 1
    workers: int | None = None
    seed: int = 0
    over: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a search took, under MiniZinc's names; None where an engine does not count it.

    Attributes:
        nodes: choices made.
        failures: dead ends.
        propagations: values set by inference.
        peak_depth: the most choices that stood at once.
        constraint_checks: questions put to a table.
        solve_time: seconds of search.
    """

    nodes: int | None = None
    failures: int | None = None
    propagations: int | None = None
    peak_depth: int | None = None
    constraint_checks: int | None = None
    solve_time: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What an engine found.

    Attributes:
        status: what is known of the problem.
        n_solutions: how many were found.
        solutions: these, in the order in which they were found; none if they were not to be kept.
        is_complete: whether there are no others: the search came to its end.
        engine: its name.
        statistics: what the search took.
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
