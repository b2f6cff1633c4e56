"""CaDiCaL, a SAT solver, on the problem as clauses.

Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt, "CaDiCaL 2.0", 2024; in python-sat by Ignatiev, Morgado and
Marques-Silva, "PySAT: a Python toolkit for prototyping with SAT oracles", 2018.

The solver cannot be interrupted, so it runs with a budget of conflicts and is resumed.
"""

from collections.abc import Sequence
from functools import partial
from time import perf_counter

import numpy as np
from pysat.solvers import Cadical195

from f2csp.encode import Cnf, EncodingMethod, encode
from f2csp.search import Stopped
from f2csp.solving.interruption import InterruptibleThread, OneByOne
from f2csp.solving.search_run import SearchRun, Statistics

_N_SEEDS = 1 << 30
_CHUNK = 1 << 14  # clauses between two looks at the clock
_SLICE_SECONDS = 0.3  # the aim for one run of the solver
_FIRST_BUDGET = 100
_LEAST_BUDGET = 20
_MAX_BUDGET = 1 << 30
_WORK = 50_000_000  # clauses times conflicts in a second, roughly
_RESERVE = 16 << 20  # bytes, for a small formula
_CLAUSE_BYTES = 200  # for each, while a formula is simplified
_LARGE = 1_000_000  # tuples of a problem, each for each constraint that has them


class Clauses:
    """Clauses in the solver, with the time limit and the seed of a run."""

    def __init__(self, run: SearchRun) -> None:
        self.solver = Cadical195()
        sizes = np.array([relation.n_tuples for relation in run.problem.relations], dtype=np.int64)
        # Nothing ends its simplification of a large formula, which takes seconds.
        is_simplified = run.limits.seconds is None or sizes[run.problem.constraint_relations].sum() <= _LARGE
        self.solver.configure({"seed": run.limits.seed % _N_SEEDS, "inprocessing": int(is_simplified)})
        self._run = run
        self._budget = _FIRST_BUDGET  # conflicts of the first run of the solver; fewer if the time may not suffice
        self._n_clauses = 0

    def add(self, cnf: Cnf, *condition: int) -> None:
        """Add clauses, as far as the time suffices, each with the literals of a condition."""
        for block in cnf.blocks:
            for start in range(0, len(block), _CHUNK):
                if self._run.is_late:
                    return
                self._expect_memory()
                rows = block[start : start + _CHUNK].tolist()
                for clause in [[*condition, *row] for row in rows] if condition else rows:
                    self.solver.add_clause(clause)
                self._n_clauses += len(rows)
                if (left := self._run.seconds_left) is not None:
                    fitting = int(min(left, _SLICE_SECONDS) * _WORK) // self._n_clauses
                    self._budget = min(self._budget, max(fitting, _LEAST_BUDGET))

    def model(self, thread: InterruptibleThread, assumptions: Sequence[int] = ()) -> list[int] | None:
        """A model of the clauses with some literals true; None if there is none, Stopped at the time limit."""
        while not self._run.is_late:
            start = perf_counter()
            self._expect_memory()
            self.solver.conf_budget(self._budget)
            answer = thread.run(partial(self.solver.solve_limited, assumptions))
            if answer is not None:
                model: list[int] | None = self.solver.get_model() if answer else None
                return model
            self._adapt(perf_counter() - start)
        raise Stopped

    def _expect_memory(self) -> None:
        """Raise MemoryError where so little is left that the solver, which is C++, would end the process."""
        np.empty(_RESERVE + _CLAUSE_BYTES * self._n_clauses, np.uint8)

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


class _Sat(OneByOne):
    def __init__(self, run: SearchRun) -> None:
        super().__init__(run)
        encoding = encode(run.model, EncodingMethod(run.options["encoding"]))
        self._literals = encoding.literals
        self._clauses = Clauses(run)
        self._clauses.add(encoding.cnf)

    def find(self, thread: InterruptibleThread) -> Sequence[int] | None:
        model = self._clauses.model(thread)
        self._found = model or []
        return None if model is None else self._literals.words_in(model)

    def exclude_last(self) -> None:
        self._clauses.solver.add_clause((-self._literals.true_in(self._found)[self.run.projection]).tolist())

    def statistics(self, seconds: float) -> Statistics:
        counted = self._clauses.solver.accum_stats()
        return Statistics(counted["decisions"], counted["conflicts"], counted["propagations"], solve_time=seconds)


search = _Sat.search
