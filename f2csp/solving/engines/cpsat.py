"""OR-Tools CP-SAT: the cases of the constraint model as its own constraints, the rest as its tables.

Perron and Didier, "CP-SAT", https://developers.google.com/optimization/cp/cp_solver.
"""

from time import perf_counter

import numpy as np
from ortools.sat.python import cp_model

from f2csp.model import Offsets
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.search_run import SearchRun, Statistics
from f2csp.structure import Comparison, ConstraintModel, Numbering, Term, WeightedSum, groups_by_relation

# The largest number of CP-SAT: sums of two, with its own products of coefficients and bounds, stay far below 2^63.
# Tables with values of 2^31 lose solutions in OR-Tools 9, and larger ones end the process.
_LARGEST = 1 << 24

_GRACE = 1.0  # seconds beyond the time limit after which a search that does not stop is abandoned


def search(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
    """See :class:`f2csp.solving.registry.EngineModule`."""
    start = perf_counter()
    model = _Model(run.model)
    times["build"] = perf_counter() - start
    start = perf_counter()
    search = _Search(run, model)
    is_complete = run.until_interrupted(search.run)
    times["search"] = perf_counter() - start
    return is_complete, Statistics(search.n_nodes, search.n_failures, solve_time=search.solve_time)


class _Model:
    """A constraint model in CP-SAT."""

    def __init__(self, model: ConstraintModel) -> None:
        self.numbering = Numbering.in_order(model.problem, _LARGEST)
        self.cp = cp_model.CpModel()
        self.variables = self._variables(model)
        self._literals: dict[tuple[int, tuple[int, ...]], cp_model.IntVar] = {}  # of a variable among some values
        for clique in model.all_different:
            self.cp.add_all_different([self.variables[i] for i in clique])
        written = [model.unary, model.never_true, *(case.constraints for case in model.parities)]
        written.extend(self._compare(case) for case in model.comparisons)
        for parity in model.parities:
            for scope in parity.scopes.tolist():
                ones = [self.variables[i] for i in scope]
                self.cp.add_bool_xor(ones if parity.odd else [*ones, True])
        for case in model.sums:
            self._sum(case)
        self._tables(model, model.rest(*written))

    def _variables(self, model: ConstraintModel) -> list[cp_model.IntVar]:
        domains: dict[bytes, cp_model.Domain] = {}
        variables = []
        for name, words in zip(model.problem.variable_names, model.values, strict=True):
            key = words.tobytes()
            if key not in domains:
                domains[key] = cp_model.Domain.from_values(self.numbering.numbers[words].tolist())
            variables.append(self.cp.new_int_var_from_domain(domains[key], name))
        return variables

    def _compare(self, case: Comparison) -> Offsets:
        """Add the comparisons that are exact on CP-SAT's numbers, and return them."""
        exact = self.numbering.is_exact(case.kind, case.scopes)
        for i, k in case.scopes[exact].tolist():
            self.cp.add(case.between(self.variables[i], self.variables[k]))
        return case.constraints[exact]

    def _sum(self, case: WeightedSum) -> None:
        parts: list[cp_model.LinearExprT] = []
        for i, term in zip(case.variables, case.terms, strict=True):
            variable, line = self.variables[i], term.line(self.numbering.numbers)
            parts.append(self._steps(variable, term) if line is None else line[0] * variable + line[1])
        for n, ranges in case.ranges:
            total = cp_model.LinearExpr.sum(parts[:n])
            self.cp.add_linear_expression_in_domain(total, cp_model.Domain.from_intervals(ranges))

    def _steps(self, variable: cp_model.IntVar, term: Term) -> cp_model.LinearExprT:
        """The weight of a value, with a literal for each weight but the least."""
        least, *others = np.unique(term.weights).tolist()
        total: cp_model.LinearExprT = least
        for weight in others:
            values = self.numbering.numbers[term.words[term.weights == weight]].tolist()
            key = variable.index, tuple(values)
            if key not in self._literals:
                domain, literal = cp_model.Domain.from_values(values), self.cp.new_bool_var("")
                self.cp.add_linear_expression_in_domain(variable, domain).only_enforce_if(literal)
                self.cp.add_linear_expression_in_domain(variable, domain.complement()).only_enforce_if(~literal)
                self._literals[key] = literal
            total += (weight - least) * self._literals[key]
        return total

    def _tables(self, model: ConstraintModel, constraints: Offsets) -> None:
        for group in groups_by_relation(model.problem, constraints):
            rows = self.numbering.numbers[group.relation.tuples].tolist()
            for scope in group.scopes.tolist():
                variables = [self.variables[i] for i in scope]
                if group.relation.kind == "Accept":
                    self.cp.add_allowed_assignments(variables, rows)
                elif rows:  # CP-SAT refuses an empty negative table
                    self.cp.add_forbidden_assignments(variables, rows)


class _Search(cp_model.CpSolverSolutionCallback):
    """Asks CP-SAT for one solution after the other, or for all of them together."""

    def __init__(self, run: SearchRun, model: _Model) -> None:
        super().__init__()
        self._run = run
        self._model = model
        self._word_of = {number: word for word, number in enumerate(model.numbering.numbers.tolist())}
        self.n_nodes = self.n_failures = 0
        self.solve_time = 0.0
        self._error: Exception | None = None
        self._enumerates = False
        self._is_asked = True
        self._last: list[int] = []

    def run(self) -> bool:
        """Search until a limit is reached or there are no more solutions; whether the latter."""
        if self._run.n_wanted not in (0, 1) and self._run.projection_is_injective:
            return self._solve(enumerates=True) in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        while not (self._run.has_enough or self._run.is_late):
            n_found = self._run.n_found
            if self._solve(enumerates=False) == cp_model.INFEASIBLE:
                return True
            if self._run.n_found == n_found:
                break
            if len(self._run.projection) == 0:
                return True
            projection = self._run.projection.tolist()
            row = [self._last[i] for i in projection]
            self._model.cp.add_forbidden_assignments([self._model.variables[i] for i in projection], [row])
        return False

    def _solve(self, *, enumerates: bool) -> int:
        self._enumerates = enumerates
        self._is_asked = True
        solver = cp_model.CpSolver()
        solver.parameters.random_seed = self._run.limits.seed % (1 << 31)
        solver.parameters.num_workers = 1 if enumerates else self._run.limits.workers or 0
        solver.parameters.enumerate_all_solutions = enumerates
        seconds = self._run.seconds_left
        if seconds is not None:
            solver.parameters.max_time_in_seconds = seconds
        solver.parameters.catch_sigint_signal = False
        start = perf_counter()
        try:
            with InterruptibleThread() as thread:
                status = thread.run(
                    lambda: int(solver.solve(self._model.cp, self)),
                    solver.stop_search,
                    seconds=None if seconds is None else seconds + _GRACE,
                )
        except TimeoutError:  # its presolve of large tables does not look at the clock
            self._is_asked = False
            self.solve_time += perf_counter() - start
            return int(cp_model.UNKNOWN)
        self.n_nodes += solver.num_branches
        self.n_failures += solver.num_conflicts
        self.solve_time += solver.wall_time
        if self._error is not None:
            raise self._error
        return status

    def on_solution_callback(self) -> None:
        """Called by CP-SAT for each solution, and perhaps once more by another worker at the same time."""
        if not self._is_asked:
            return
        self._last = [self.value(variable) for variable in self._model.variables]
        try:
            self._run.add_solution([self._word_of[number] for number in self._last])
        except Exception as error:
            self._error = error
        self._is_asked = self._enumerates and self._error is None and not self._run.has_enough
        if not self._is_asked:
            self.stop_search()
