"""The textbook searches of :mod:`f2csp.search`, on the tables as they are; needs no other package."""

from dataclasses import asdict
from time import perf_counter

from f2csp.puzzles.puzzle import cell_of
from f2csp.search import Configuration, Counters, Search, Stopped, Trace, network_of
from f2csp.solving.search_run import SearchRun, Statistics


def search(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    """See :class:`f2csp.solving.registry.EngineModule`."""
    start = perf_counter()
    try:
        search = _search_of(run)
    except Stopped:
        return False, Statistics(solve_time=0.0, **asdict(Counters()))
    finally:
        times["build"] = perf_counter() - start
    start = perf_counter()
    is_complete = run.until_interrupted(lambda: _run(run, search))
    times["search"] = perf_counter() - start
    return is_complete, Statistics(solve_time=times["search"], **asdict(search.counters))


def _run(run: SearchRun, search: Search) -> bool:
    solutions = search.solutions()
    while not run.has_enough and (domains := next(solutions, None)) is not None:
        run.add_solution(search.network.words(domains))
    solutions.close()
    return search.is_complete


def _search_of(run: SearchRun) -> Search:
    settings = {name.replace("-", "_"): value for name, value in run.options.items() if name != "node-limit"}
    limit = run.options.get("node-limit", "none")
    configuration = Configuration(**settings, node_limit=None if limit == "none" else int(limit), seed=run.limits.seed)
    is_projected = run.limits.project_onto is not None
    variables = run.projection.tolist()
    if not is_projected:
        variables = [i for i in variables if cell_of(run.problem.variable_names[i])] or variables
    network = network_of(run.model.problem, lambda: run.is_late)
    trace = None if run.trace is None else Trace(run.problem, network, run.trace)
    return Search(network, variables, configuration, lambda: run.is_late, is_projected=is_projected, trace=trace)
