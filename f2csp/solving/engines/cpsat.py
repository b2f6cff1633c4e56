"""OR-Tools CP-SAT: the cases of the constraint model as its own constraints, the rest as its tables.

Perron and Didier, "CP-SAT", https://developers.google.com/optimization/cp/cp_solver.
"""

from collections.abc import Sequence
from math import prod

import numpy as np
from ortools.sat.python import cp_model

from f2csp.model import Offsets
from f2csp.model.linear_sums import LinearSum, Term
from f2csp.search import Stopped
from f2csp.solving.interruption import InterruptibleThread, OneByOne
from f2csp.solving.search_run import SearchRun, Statistics
from f2csp.structure import ConstraintModel, Numbering, RelationGroup, groups_by_relation

# The largest number of CP-SAT: sums of two, with its own products of coefficients and bounds, stay far below 2^63.
# Tables with values of 2^31 lose solutions in OR-Tools 9, and larger ones end the process.
_LARGEST = 1 << 24

_MANY_PAIRS = 100  # of a table that may be written as one of differences
_MAX_PAIRS = 1 << 22  # of their values
_MAX_RANGES = 8  # of differences

_GRACE = 1.0  # seconds beyond the time limit after which a search that does not stop is abandoned


class _CpSat(OneByOne):
    def __init__(self, run: SearchRun) -> None:
        super().__init__(run)
        self._n_nodes = self._n_failures = 0
        model = run.model
        self.numbering = Numbering.in_order(model.problem, _LARGEST)
        self._word_of = {number: word for word, number in enumerate(self.numbering.numbers.tolist())}
        self.cp = cp_model.CpModel()
        self.variables = self._variables(model)
        self._literals: dict[tuple[int, tuple[int, ...]], cp_model.IntVar] = {}  # of a variable among some values
        for clique in model.all_different:
            self.cp.add_all_different([self.variables[i] for i in clique])
        compared = list(model.exact(self.numbering))
        for case in compared:
            for i, k in case.scopes.tolist():
                self.cp.add(case.between(self.variables[i], self.variables[k]))
        for parity in model.parities:
            for scope in parity.scopes.tolist():
                ones = [self.variables[i] for i in scope]
                self.cp.add_bool_xor(ones if parity.odd else [*ones, True])
        for total in model.sums:
            self._sum(total)
        written = *(case.constraints for case in compared), *(case.constraints for case in model.parities)
        self._tables(model, model.rest(model.unary, model.never_true, *written))

    def _variables(self, model: ConstraintModel) -> list[cp_model.IntVar]:
        domains: dict[bytes, cp_model.Domain] = {}
        variables = []
        for name, words in zip(model.problem.variable_names, model.values, strict=True):
            key = words.tobytes()
            if key not in domains:
                domains[key] = cp_model.Domain.from_values(self.numbering.numbers[words].tolist())
            variables.append(self.cp.new_int_var_from_domain(domains[key], name))
        return variables

    def _sum(self, case: LinearSum) -> None:
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
            if (differences := self._differences(model, group)) is not None:
                for i, k in group.scopes.tolist():
                    self.cp.add_linear_expression_in_domain(self.variables[i] - self.variables[k], differences)
                continue
            rows = self.numbering.numbers[group.relation.tuples].tolist()
            for scope in group.scopes.tolist():
                variables = [self.variables[i] for i in scope]
                if group.relation.kind == "Accept":
                    self.cp.add_allowed_assignments(variables, rows)
                elif rows:  # CP-SAT refuses an empty negative table
                    self.cp.add_forbidden_assignments(variables, rows)

    def _differences(self, model: ConstraintModel, group: RelationGroup) -> cp_model.Domain | None:
        """What a large table on a pair leaves of the difference of its variables; None if it says more.

        Distances of frequencies and tasks that exclude each other are solved 5 times as fast as by their tables.
        """
        relation = group.relation
        if relation.arity != 2 or relation.n_tuples < _MANY_PAIRS:
            return None
        if prod(len(model.problem.domain_values[domain]) for domain in group.domains) > _MAX_PAIRS:
            return None
        first, second = (self.numbering.numbers[model.problem.domain_values[domain]] for domain in group.domains)
        every = np.subtract.outer(first, second)
        listed = np.unique(np.subtract(*self.numbering.numbers[relation.tuples].T))
        if np.isin(every, listed).sum() != relation.n_tuples:
            return None
        left = listed if relation.kind == "Accept" else np.setdiff1d(every, listed)
        n_ranges = len(left) - np.isin(left + 1, left).sum()
        return cp_model.Domain.from_values(left.tolist()) if n_ranges <= _MAX_RANGES else None

    def find_all(self) -> bool:
        """As other solvers; in a single search where no two solutions agree on the projection."""
        if self.run.n_wanted in (0, 1) or not self.run.projection_is_injective:
            return super().find_all()
        callback = _Enumeration(self.run, self)
        with InterruptibleThread() as thread:
            status, _ = self._solve(thread, callback)
        callback.is_over = True
        if callback.error is not None:
            raise callback.error
        return status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)

    def find(self, thread: InterruptibleThread) -> Sequence[int] | None:
        status, solver = self._solve(thread)
        if status == cp_model.INFEASIBLE:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise Stopped
        self._values = [solver.value(variable) for variable in self.variables]
        return self.words(self._values)

    def words(self, values: Sequence[int]) -> list[int]:
        return [self._word_of[value] for value in values]

    def exclude_last(self) -> None:
        projection = self.run.projection.tolist()
        row = [self._values[i] for i in projection]
        self.cp.add_forbidden_assignments([self.variables[i] for i in projection], [row])

    def statistics(self, seconds: float) -> Statistics:
        return Statistics(self._n_nodes, self._n_failures, solve_time=seconds)

    def _solve(
        self, thread: InterruptibleThread, callback: cp_model.CpSolverSolutionCallback | None = None
    ) -> tuple[int, cp_model.CpSolver]:
        """The status and the solver after a search for one solution, or with a callback for all."""
        solver, seconds = cp_model.CpSolver(), self.run.seconds_left
        solver.parameters.random_seed = self.run.limits.seed % (1 << 31)
        solver.parameters.num_workers = 1 if callback else self.run.limits.workers or 0
        solver.parameters.enumerate_all_solutions = callback is not None
        if seconds is not None:
            solver.parameters.max_time_in_seconds = seconds
        solver.parameters.catch_sigint_signal = False
        try:
            limit = None if seconds is None else seconds + _GRACE
            status = thread.run(lambda: int(solver.solve(self.cp, callback)), solver.stop_search, seconds=limit)
        except TimeoutError:  # its presolve of large tables does not look at the clock
            return int(cp_model.UNKNOWN), solver
        self._n_nodes += solver.num_branches
        self._n_failures += solver.num_conflicts
        return status, solver


class _Enumeration(cp_model.CpSolverSolutionCallback):
    """Adds each solution that CP-SAT finds to a run."""

    def __init__(self, run: SearchRun, engine: _CpSat) -> None:
        super().__init__()
        self._run = run
        self._engine = engine
        self.is_over = False
        self.error: Exception | None = None

    def on_solution_callback(self) -> None:
        """Called by CP-SAT for each solution, perhaps also after the search was given up."""
        if self.is_over:
            return
        try:
            self._run.add_solution(self._engine.words([self.value(variable) for variable in self._engine.variables]))
        except Exception as error:
            self.error = error
        self.is_over = self.error is not None or self._run.has_enough
        if self.is_over:
            self.stop_search()


search = _CpSat.search
