"""CaDiCaL, a SAT solver, on the problem as clauses.

Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt, "CaDiCaL 2.0", 2024; in python-sat by Ignatiev, Morgado and
Marques-Silva, "PySAT: a Python toolkit for prototyping with SAT oracles", 2018.

The solver cannot be interrupted, so it runs with a budget of conflicts and is resumed.
"""

from time import perf_counter

from pysat.solvers import Cadical195

from f2csp.encode import Encoding, Method, encode
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.search_run import SearchRun, Statistics

_N_SEEDS = 1 << 30
_CHUNK = 1 << 14  # clauses between two looks at the clock
_SLICE_SECONDS = 0.3  # the aim for one run of the solver
_FIRST_BUDGET = 100
_MAX_BUDGET = 1 << 30


def search(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    """See :class:`f2csp.solving.registry.EngineModule`."""
    start = perf_counter()
    with Cadical195() as solver:
        solver.configure({"seed": run.limits.seed % _N_SEEDS})
        search = _Search(run, encode(run.model, Method(run.options["encoding"])), solver)
        search.load()
        times["build"] = perf_counter() - start
        start = perf_counter()
        is_complete = run.until_interrupted(search.run)
        times["search"] = perf_counter() - start
        counted = solver.accum_stats()
    return is_complete, Statistics(
        counted["decisions"], counted["conflicts"], counted["propagations"], solve_time=times["search"]
    )


class _Search:
    """Asks the solver for one solution after the other."""

    def __init__(self, run: SearchRun, encoding: Encoding, solver: Cadical195) -> None:
        self._run = run
        self._encoding = encoding
        self._solver = solver
        self._budget = _FIRST_BUDGET

    def load(self) -> None:
        """Give the solver its clauses, as far as the time suffices."""
        for block in self._encoding.cnf.blocks:
            for start in range(0, len(block), _CHUNK):
                if self._run.is_late:
                    return
                for clause in block[start : start + _CHUNK].tolist():
                    self._solver.add_clause(clause)

    def run(self) -> bool:
        """Search until a limit is reached or there are no more solutions; whether the latter."""
        literals = self._encoding.literals
        with InterruptibleThread() as thread:
            while not (self._run.has_enough or self._run.is_late):
                start = perf_counter()
                self._solver.conf_budget(self._budget)
                answer = thread.run(self._solver.solve_limited)
                if answer is None:
                    self._adapt(perf_counter() - start)
                elif answer:
                    model = self._solver.get_model()
                    self._run.add_solution(literals.words_in(model))
                    self._solver.add_clause((-literals.true_in(model)[self._run.projection]).tolist())
                else:
                    return True
        return False

    def _adapt(self, seconds: float) -> None:
        """Adapt the budget so that the next run takes about ``_SLICE_SECONDS``; the last one took ``seconds``."""
        left = self._run.seconds_left
        wanted = _SLICE_SECONDS if left is None else min(_SLICE_SECONDS, left)
        if seconds > wanted:
            self._budget = max(int(self._budget * wanted / seconds), 1)
        for factor in (8, 2):  # coarse steps, so that a search can mostly be repeated
            if seconds * factor <= wanted:
                self._budget = min(self._budget * factor, _MAX_BUDGET)
                break
