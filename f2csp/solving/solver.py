"""One call from a problem to its solutions, by any engine."""

from time import perf_counter

from f2csp.model import Problem
from f2csp.solving.registry import named_engine
from f2csp.solving.result import Limits, Observer, Result, Statistics, Status
from f2csp.solving.search_run import SearchRun
from f2csp.structure import raw_model, recover


def solve(
    problem: Problem,
    engine: str | None = None,
    limits: Limits | None = None,
    *,
    use_structure: bool = True,
    observer: Observer | None = None,
    keep_solutions: bool = True,
) -> Result:
    """Solve a problem.

    Args:
        problem: the problem; it is not changed.
        engine: the name of an engine, see ``ENGINES``; None for the first that is installed.
        limits: when to stop; by default at the first solution.
        use_structure: whether the engine gets the recovered structure, or the tables as they are.
        observer: called with each solution as soon as it is found.
        keep_solutions: whether the result contains the solutions; there may be more of them than memory holds.

    Returns:
        The result; that there is no solution is a status. Every solution was checked against every constraint. If the
        search is interrupted, it contains the solutions so far.

    Raises:
        F2cspError: there is no such engine, or it is not installed.
    """
    chosen = named_engine(engine)
    module = chosen.load()
    start = perf_counter()
    model = recover(problem) if use_structure else raw_model(problem)
    times = {"structure": perf_counter() - start}
    run = SearchRun(model, limits or Limits(), observer, keep_solutions=keep_solutions)
    if model.is_contradictory:
        status, is_complete, statistics = Status.UNSATISFIABLE, True, Statistics()
    else:
        try:
            status, is_complete, statistics = module.search(run, times)
        except KeyboardInterrupt:  # the solutions so far are worth having
            status = Status.SATISFIABLE if run.n_found else Status.UNKNOWN
            is_complete, statistics = False, Statistics()
    return Result(status, run.n_found, tuple(run.solutions), is_complete, chosen.name, statistics, times)
