"""CaDiCaL, a SAT solver, on the problem as clauses.

Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt, "CaDiCaL 2.0", 2024; in python-sat by Ignatiev, Morgado and
Marques-Silva, "PySAT: a Python toolkit for prototyping with SAT oracles", 2018.

The solver cannot be interrupted, so it runs with a budget of conflicts and is resumed.
"""

from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter

from pysat.solvers import Cadical195

from f2csp.encode import Cnf, Encoding, Method, encode
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.result import Statistics, Status
from f2csp.solving.search_run import SearchRun

_N_SEEDS = 1 << 30
_CHUNK = 1 << 14  # clauses between two looks at the clock
_SLICE_SECONDS = 0.3  # the aim for one run of the solver
_FIRST_BUDGET = 100
_MAX_BUDGET = 1 << 30


def search(run: SearchRun, times: dict[str, float]) -> tuple[Status, bool, Statistics]:
    """See :class:`f2csp.solving.registry.EngineModule`."""
    start = perf_counter()
    with Cadical195() as solver:
        solver.configure({"seed": run.limits.seed % _N_SEEDS})
        search = _Search(run, encode(run.model, Method(run.options["encoding"])), solver)
        search.load()
        times["build"] = perf_counter() - start
        start = perf_counter()
        is_complete = False
        with suppress(KeyboardInterrupt):  # the solutions so far are worth having
            is_complete = search.run()
        times["search"] = perf_counter() - start
        status = Status.UNSATISFIABLE if is_complete else Status.UNKNOWN
        counted = solver.accum_stats()
    statistics = Statistics(
        nodes=counted["decisions"],
        failures=counted["conflicts"],
        propagations=counted["propagations"],
        solve_time=times["search"],
    )
    return Status.SATISFIABLE if run.n_found else status, is_complete, statistics


class _Search:
    """Asks the solver for one solution after the other."""

    def __init__(self, run: SearchRun, encoding: Encoding, solver: Cadical195) -> None:
        self._run = run
        self._encoding = encoding
        self._solver = solver
        self._budget = _FIRST_BUDGET

    def load(self) -> None:
        """Give the solver its clauses, as far as the time suffices."""
        for clauses in _chunks(self._encoding.cnf):
            if self._run.is_late:
                break
            for clause in clauses:
                self._solver.add_clause(clause)

    def run(self) -> bool:
        """Search until a limit is reached or there are no more solutions, and return the latter."""
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


def _chunks(cnf: Cnf) -> Iterator[list[list[int]]]:
    for block in cnf.blocks:
        for start in range(0, len(block), _CHUNK):
            yield block[start : start + _CHUNK].tolist()
