"""OR-Tools CP-SAT: recovered structure as its own constraints, the rest as its tables.

Perron and Didier, "CP-SAT", https://developers.google.com/optimization/cp/cp_solver.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import perf_counter

import numpy as np
from ortools.sat.python import cp_model

from f2csp.model import Problem
from f2csp.model.words import is_integer
from f2csp.solving.interrupt import awaited
from f2csp.solving.result import Statistics, Status
from f2csp.solving.task import Task
from f2csp.structure import Comparison, MeaningKind, Structure

_LARGEST_NUMBER = 1 << 40  # so that sums of two are far from where CP-SAT's numbers end


def search(task: Task, times: dict[str, float]) -> tuple[Status, bool, Statistics]:
    """See :class:`f2csp.solving.registry.EngineModule`."""
    start = perf_counter()
    model = _Model(task.problem, task.structure)
    times["build"] = perf_counter() - start
    start = perf_counter()
    search = _Search(task, model)
    is_complete = False
    with suppress(KeyboardInterrupt):  # what was found is worth having
        is_complete = search.run()
    times["search"] = perf_counter() - start
    status = Status.UNSATISFIABLE if is_complete else Status.UNKNOWN
    return Status.SATISFIABLE if task.n_found else status, is_complete, search.statistics


class _Numbers:
    """A number for each word, as CP-SAT knows only numbers; equal exactly where the words are.

    Words that are integers stand for themselves. Only where one of them is too large are they counted through, in their
    order: comparisons hold then, but sums do not.
    """

    def __init__(self, words: Sequence[str]) -> None:
        integers = sorted(int(word) for word in words if is_integer(word))
        self.are_themselves = not integers or max(-integers[0], integers[-1]) <= _LARGEST_NUMBER
        known = {number: number if self.are_themselves else i for i, number in enumerate(integers)}
        next_free = max(known.values(), default=0) + 1
        self.of_word = [known[int(word)] if is_integer(word) else next_free + i for i, word in enumerate(words)]


class _Model:
    """A problem as CP-SAT has it."""

    def __init__(self, problem: Problem, structure: Structure | None) -> None:
        self.problem = problem
        self.numbers = _Numbers(problem.words)
        self.cp = cp_model.CpModel()
        self.variables = self._variables(structure)
        if structure is None:
            self._tables(range(problem.n_constraints))
        else:
            self._structure(structure)

    def _variables(self, structure: Structure | None) -> list[cp_model.IntVar]:
        values = (
            [self.problem.domain_values[domain] for domain in self.problem.variable_domains.tolist()]
            if structure is None
            else structure.values
        )
        domains: dict[bytes, cp_model.Domain] = {}
        variables = []
        for name, words in zip(self.problem.variable_names, values, strict=True):
            key = words.tobytes()
            if key not in domains:
                domains[key] = cp_model.Domain.from_values([self.numbers.of_word[word] for word in words.tolist()])
            variables.append(self.cp.new_int_var_from_domain(domains[key], name))
        return variables

    def _structure(self, structure: Structure) -> None:
        for group in structure.all_different:
            self.cp.add_all_different([self.variables[i] for i in group])
        for comparison in structure.comparisons:
            self._compare(comparison)
        if self.numbers.are_themselves:
            for group, parity in structure.parities:
                ones = [self.variables[i] for i in group]
                self.cp.add_bool_xor(ones if parity else [*ones, True])
        else:
            counted = structure.meanings.are(MeaningKind.SUM, MeaningKind.DIFFERENCE, MeaningKind.XOR)
            self._tables(np.flatnonzero(counted).tolist())
        self._tables(structure.tables.tolist())

    def _compare(self, comparison: Comparison) -> None:
        first, second = self.variables[comparison.first], self.variables[comparison.second]
        if comparison.kind == MeaningKind.EQUAL:
            self.cp.add(first == second)
        elif comparison.kind == MeaningKind.LESS:
            self.cp.add(first < second)
        elif comparison.kind == MeaningKind.LESS_OR_EQUAL:
            self.cp.add(first <= second)
        elif not self.numbers.are_themselves:
            return  # told as a table
        elif comparison.kind == MeaningKind.DIFFERENCE:
            self.cp.add(first - second == comparison.constant)
        else:
            self.cp.add(first + second == comparison.constant)

    def _tables(self, constraints: Sequence[int]) -> None:
        of_word = np.array(self.numbers.of_word, dtype=np.int64)
        rows = {}
        for index in constraints:
            relation = int(self.problem.constraint_relations[index])
            table = self.problem.relations[relation]
            if relation not in rows:
                rows[relation] = of_word[table.tuples].tolist()
            scope = [self.variables[i] for i in self.problem.scope(index).tolist()]
            if table.kind == "Accept":
                self.cp.add_allowed_assignments(scope, rows[relation])
            elif rows[relation]:  # CP-SAT minds an empty one
                self.cp.add_forbidden_assignments(scope, rows[relation])


class _Search(cp_model.CpSolverSolutionCallback):
    """Asks CP-SAT for one solution after the other, or for all of them at once."""

    def __init__(self, task: Task, model: _Model) -> None:
        super().__init__()
        self._task = task
        self._model = model
        numbers = model.numbers.of_word
        self._word_of = {number: word for word, number in enumerate(numbers)}
        self._n_nodes = self._n_failures = self._n_propagations = 0
        self._solve_time = 0.0
        self._error: Exception | None = None
        self._enumerates = False
        self._is_asked = True
        self._last: list[int] = []

    def run(self) -> bool:
        """Search until there are enough solutions, no more of them, or no more time; say whether there are no more."""
        if self._task.limits.solutions not in (0, 1) and self._task.is_over_all:
            return self._solve(enumerates=True) in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        while not (self._task.has_enough or self._task.is_late):
            n_found = self._task.n_found
            if self._solve(enumerates=False) == cp_model.INFEASIBLE:
                return True
            if self._task.n_found == n_found:
                break
            if len(self._task.over) == 0:
                return True
            self._forbid_last()
        return False

    def _solve(self, *, enumerates: bool) -> int:
        self._enumerates = enumerates
        self._is_asked = True
        solver = cp_model.CpSolver()
        solver.parameters.random_seed = self._task.limits.seed % (1 << 31)
        solver.parameters.num_workers = 1 if enumerates else self._task.limits.workers or 0
        solver.parameters.enumerate_all_solutions = enumerates
        seconds = self._task.seconds_left
        if seconds is not None:
            solver.parameters.max_time_in_seconds = seconds
        solver.parameters.catch_sigint_signal = False
        try:
            with ThreadPoolExecutor(1) as thread:
                status = awaited(thread.submit(solver.solve, self._model.cp, self), solver.stop_search)
        finally:
            self._n_nodes += solver.num_branches
            self._n_failures += solver.num_conflicts
            self._solve_time += solver.wall_time
        if self._error is not None:
            raise self._error
        return int(status)

    def on_solution_callback(self) -> None:
        """Called by CP-SAT for each solution, and perhaps once more by another worker at the same time."""
        if not self._is_asked:
            return
        self._last = [self.value(variable) for variable in self._model.variables]
        try:
            self._task.take([self._word_of[number] for number in self._last])
        except Exception as error:  # whoever has to know of it, C++ is between here and there
            self._error = error
        self._is_asked = self._enumerates and self._error is None and not self._task.has_enough
        if not self._is_asked:
            self.stop_search()

    def _forbid_last(self) -> None:
        over = self._task.over.tolist()
        row = [self._last[i] for i in over]
        self._model.cp.add_forbidden_assignments([self._model.variables[i] for i in over], [row])

    @property
    def statistics(self) -> Statistics:
        """What all the solving took."""
        return Statistics(nodes=self._n_nodes, failures=self._n_failures, solve_time=self._solve_time)
