"""Solve a problem by any engine: find solutions that differ in some variables, check that there is one only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from f2csp.diagnostics import F2cspError, ProblemError, Unsuitable, listed
from f2csp.model import Problem, Value, expect_problem
from f2csp.model.words import is_auxiliary
from f2csp.puzzles.puzzle import cell_of
from f2csp.search import TraceStep
from f2csp.solutions import Solution
from f2csp.solving.registry import engine_and_options
from f2csp.solving.search_run import Limits, Observer, Result, SearchRun, Statistics, Status
from f2csp.structure import raw_model

if TYPE_CHECKING:
    from f2csp.instances import Instance


def solve(
    problem: Problem,
    *,
    engine: str | None = None,
    seconds: float | None = None,
    solutions: int | None = 1,
    workers: int | None = None,
    seed: int = 0,
    project: Sequence[str] | None = None,
    limits: Limits | None = None,
    use_structure: bool = True,
    observer: Observer | None = None,
    keep_solutions: bool = True,
    trace: Callable[[TraceStep], None] | None = None,
) -> Result:
    """Search for solutions.

    Args:
        problem: the problem; it is not changed.
        engine: the name of an engine, see ``engines()``, or ``NAME:OPTION=VALUE,...``; None for ``auto``.
        seconds: the time limit of the search.
        solutions: the number of solutions to find; None for all.
        workers: the number of threads, for engines that use several.
        seed: the random seed.
        project: the variables in which solutions must differ to count as distinct; None for all variables.
        limits: the five above as one value, in their place.
        use_structure: whether the engine gets the recovered structure, or the tables as they are.
        observer: called with each solution as soon as it is found.
        keep_solutions: whether the result contains the solutions; there may be more of them than memory holds.
        trace: called with each step of the engine ``search``: the records of docs/json.md.

    Returns:
        The result, true if a solution was found; that there is none is a status. Every solution was checked against
        every constraint. If the search is interrupted, the result contains the solutions so far.

    Raises:
        TypeError: an argument is of the wrong type.
        F2cspError: there is no such engine, or it is not installed.

    Example:
        >>> from f2csp import generate
        >>> found = solve(generate("queens", size=4), solutions=None, seconds=60)
        >>> found.n_solutions, found.is_complete
        (2, True)
        >>> sorted(solution["Q1"] for solution in found.solutions)
        [2, 3]
    """
    limits = limits_of(limits, 1, Limits(seconds, solutions, workers, seed, project))
    expect_problem(problem)
    chosen, options = engine_and_options(engine)
    if trace is not None and not chosen.has_trace:
        raise F2cspError(f"the engine {chosen.name} has no trace; use the engine search")
    run = SearchRun(raw_model(problem), limits, observer, keep_solutions=keep_solutions, trace=trace)
    run.options, run.use_structure = options, use_structure
    times: dict[str, float] = {}
    try:
        is_complete, statistics = chosen.search(run, times)
    except KeyboardInterrupt:  # the solutions so far are worth having
        is_complete, statistics, run.is_interrupted = False, Statistics(), True
    status = Status.SATISFIABLE if run.n_found else Status.UNSATISFIABLE if is_complete else Status.UNKNOWN
    kept, name = tuple(run.solutions), run.answered_by or chosen.name
    return Result(status, run.n_found, kept, is_complete, name, statistics, times, run.is_interrupted, problem)


def limits_of(limits: Limits | None, solutions: int | None, given: Limits) -> Limits:
    """The limits, or else those given one by one; ``solutions`` is the number that answers the question."""
    if limits is None:
        return given
    if not isinstance(limits, Limits):
        raise TypeError(f"expected Limits, found {limits!r:.80}")
    if given != Limits(solutions=solutions):
        raise TypeError("limits takes the place of seconds, solutions, workers, seed and project: write them in it")
    return replace(limits, solutions=solutions) if limits.solutions == "default" else limits


class Uniqueness(StrEnum):
    """The verdict of a uniqueness check."""

    UNIQUE = "unique"
    NONE = "none"
    MULTIPLE = "multiple"
    UNKNOWN = "unknown"


_MAX_SHOWN = 8  # variables in a representation


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """The result of a uniqueness check; true if there is exactly one solution.

    Attributes:
        uniqueness: the verdict in a word.
        solutions: the only solution, or two that differ; if the verdict is unknown, the one that was found, if any.
        differing: the variables of the projection in which the two differ.
    """

    uniqueness: Uniqueness
    solutions: tuple[Solution, ...]
    differing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.uniqueness == Uniqueness.UNIQUE

    def __repr__(self) -> str:
        names = f"; they differ in {listed(self.differing, _MAX_SHOWN)}" if self.differing else ""
        return f"<Verdict: {self.uniqueness}{names}>"


def unique(
    problem: Problem,
    *,
    engine: str | None = None,
    seconds: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    project: Sequence[str] | None = None,
    limits: Limits | None = None,
) -> Verdict:
    """Check whether a problem has exactly one solution; the arguments are those of :func:`solve`.

    Returns:
        A verdict, true if there is exactly one.

    Example:
        >>> from f2csp import generate
        >>> bool(unique(generate("queens", size=4)))
        False
    """
    limits = replace(limits_of(limits, 2, Limits(seconds, 2, workers, seed, project)), solutions=2)
    result = solve(problem, engine=engine, limits=limits)
    if result.is_interrupted:
        raise KeyboardInterrupt
    return verdict_of(result, problem.variable_names if limits.project_onto is None else limits.project_onto)


def verdict_of(result: Result, names: Sequence[str]) -> Verdict:
    """What a search for two solutions that differ in these variables says of uniqueness."""
    solutions = result.solutions
    if result.n_solutions == 2:
        differing = tuple(name for name in names if solutions[0][name] != solutions[1][name])
        return Verdict(Uniqueness.MULTIPLE, solutions, differing)
    if not result.is_complete:
        return Verdict(Uniqueness.UNKNOWN, solutions)
    return Verdict(Uniqueness.UNIQUE if solutions else Uniqueness.NONE, solutions)


def complete(problem: Problem, values: Mapping[str, Value], seconds: float | None = None) -> Result:
    """Search for a solution that gives some variables these values."""
    return solve(problem.restricted(values), seconds=seconds)


def projection(instance: "Instance", wanted: str | None, solutions: int | None = None) -> tuple[str, ...] | None:
    """The names of the variables in which solutions must differ to count as distinct; None for all variables.

    Args:
        instance: the problem.
        wanted: ``all``, ``cells`` (the variables ``V<row>-<column>``), or names separated by blanks or commas; None for
            the cells of a puzzle, and for all variables of another problem but the auxiliary ones of an import.
        solutions: the number of solutions to find; one alone has no others to differ from, so that the puzzle need
            not be recognised.
    """
    if wanted == "all" or (wanted is None and solutions == 1):
        return None
    if wanted is None:
        puzzle = instance.recognised
        if puzzle is not None:
            return tuple([cell.variable for cell in puzzle.cells])
        own = tuple(name for name in instance.problem.variable_names if not is_auxiliary(name))
        return own if len(own) < instance.problem.n_variables else None
    if wanted == "cells":
        cells = tuple(name for name in instance.problem.variable_names if cell_of(name))
        if not cells:
            raise Unsuitable("the problem has no cells: no variable is called V<row>-<column>")
        return cells
    names = tuple(dict.fromkeys(wanted.replace(",", " ").split()))
    known = set(instance.problem.variable_names)
    for name in names:
        if name not in known:
            raise ProblemError(f"the problem has no variable {name}")
    return names
