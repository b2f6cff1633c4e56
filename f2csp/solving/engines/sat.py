"""CaDiCaL, a SAT solver, on the problem as clauses.

Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt, "CaDiCaL 2.0", 2024; in python-sat by Ignatiev, Morgado and
Marques-Silva, "PySAT: a Python toolkit for prototyping with SAT oracles", 2018.

The solver cannot be stopped, but told after how many conflicts to stop of itself; it goes on from there.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import perf_counter

from pysat.solvers import Cadical195

from f2csp.encode import Cnf, Encoding, Method, encode
from f2csp.solving.interrupt import awaited
from f2csp.solving.result import Statistics, Status
from f2csp.solving.task import Task

_SEEDS = 1 << 30
_ROWS_AT_ONCE = 1 << 14  # clauses between two looks at the clock
_SECONDS_AT_ONCE = 0.3
_FIRST_CONFLICTS = 100
_MOST_CONFLICTS = 1 << 30


def search(task: Task, times: dict[str, float]) -> tuple[Status, bool, Statistics]:
    """See :class:`f2csp.solving.registry.EngineModule`."""
    start = perf_counter()
    with Cadical195() as solver:
        solver.configure({"seed": task.limits.seed % _SEEDS})
        search = _Search(task, encode(task.problem, task.structure, Method.ORDER), solver)
        search.load()
        times["build"] = perf_counter() - start
        start = perf_counter()
        is_complete = False
        with suppress(KeyboardInterrupt):  # what was found is worth having
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
    return Status.SATISFIABLE if task.n_found else status, is_complete, statistics


class _Search:
    """Asks the solver for one solution after the other."""

    def __init__(self, task: Task, encoding: Encoding, solver: Cadical195) -> None:
        self._task = task
        self._encoding = encoding
        self._solver = solver
        self._n_conflicts = _FIRST_CONFLICTS

    def load(self) -> None:
        """Give the solver its clauses, unless there is no time for that."""
        for clauses in _chunks(self._encoding.cnf):
            if self._task.is_late:
                break
            for clause in clauses:
                self._solver.add_clause(clause)

    def run(self) -> bool:
        """Search until there are enough solutions, no more of them, or no more time; say whether there are no more."""
        literals = self._encoding.literals
        with ThreadPoolExecutor(1) as thread:
            while not (self._task.has_enough or self._task.is_late):
                start = perf_counter()
                self._solver.conf_budget(self._n_conflicts)
                answer = awaited(thread.submit(self._solver.solve_limited))
                if answer is None:
                    self._adapt(perf_counter() - start)
                elif answer:
                    model = self._solver.get_model()
                    self._task.take(literals.words_in(model))
                    self._solver.add_clause((-literals.true_in(model)[self._task.over]).tolist())
                else:
                    return True
        return False

    def _adapt(self, seconds: float) -> None:
        """Choose for the next go so many conflicts that it will not take too long; the last took so many seconds."""
        left = self._task.seconds_left
        wanted = _SECONDS_AT_ONCE if left is None else min(_SECONDS_AT_ONCE, left)
        if seconds > wanted:
            self._n_conflicts = max(int(self._n_conflicts * wanted / seconds), 1)
        for factor in (8, 2):  # not whatever the clock says, so that a search can mostly be repeated
            if seconds * factor <= wanted:
                self._n_conflicts = min(self._n_conflicts * factor, _MOST_CONFLICTS)
                break


def _chunks(cnf: Cnf) -> Iterator[list[list[int]]]:
    for block in cnf.blocks:
        for start in range(0, len(block), _ROWS_AT_ONCE):
            yield block[start : start + _ROWS_AT_ONCE].tolist()
