"""One call from a problem to its solutions, by any engine."""

from collections.abc import Mapping
from time import perf_counter

from f2csp.model import Problem
from f2csp.solving.registry import DEFAULT_ENGINE, named_engine
from f2csp.solving.result import Limits, Observer, Result, Statistics, Status
from f2csp.solving.task import Task
from f2csp.structure import recover


def solve(
    problem: Problem,
    engine: str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    *,
    use_structure: bool = True,
    observer: Observer | None = None,
    keeps: bool = True,
) -> Result:
    """Solve a problem.

    Args:
        problem: the problem; it is not changed.
        engine: which engine; see ``ENGINES``.
        limits: when to stop; without them, at the first solution.
        use_structure: whether the engine is told what the tables mean, or has them as they are.
        observer: called with each solution as soon as it is found.
        keeps: whether the result holds the solutions; there may be more of them than memory does.

    Returns:
        What was found; that there is no solution is a status. Every solution was checked against every constraint. If
        the search is interrupted, it is what was found so far.

    Raises:
        F2cspError: there is no such engine, or it is not installed.
    """
    wanted = named_engine(engine)
    module = wanted.load()
    start = perf_counter()
    structure = recover(problem) if use_structure else None
    times = {"structure": perf_counter() - start}
    task = Task(problem, limits or Limits(), structure, observer, keeps=keeps)
    if structure is not None and structure.is_contradictory:
        return _result(Status.UNSATISFIABLE, task, wanted.name, is_complete=True, times=times)
    try:
        status, is_complete, statistics = module.search(task, times)
    except KeyboardInterrupt:  # what was found is worth having
        status = Status.SATISFIABLE if task.n_found else Status.UNKNOWN
        is_complete, statistics = False, None
    return _result(status, task, wanted.name, is_complete=is_complete, times=times, statistics=statistics)


def _result(
    status: Status,
    task: Task,
    name: str,
    *,
    is_complete: bool,
    times: Mapping[str, float],
    statistics: Statistics | None = None,
) -> Result:
    return Result(status, task.n_found, tuple(task.solutions), is_complete, name, statistics or Statistics(), times)
