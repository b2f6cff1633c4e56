"""HiGHS, SCIP, CP-SAT or BOP on linear constraints: a 0/1 variable x(u, v) for each variable u and each value v of it.

Huangfu and Hall, "Parallelizing the dual revised simplex method", Mathematical Programming Computation 10, 2018;
Bolusani et al., "The SCIP Optimization Suite 9.0", 2024. All are those of OR-Tools: the package of HiGHS itself cannot
be loaded beside them. The models of pairs that must differ are those of graph colouring: an edge constraint for each
pair and value (``pairs``), or a clique constraint for each clique and value (``cube``); see Méndez-Díaz and Zabala,
Discrete Applied Mathematics 154, 2006.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, count
from operator import contains

from ortools.linear_solver import pywraplp

from f2csp.diagnostics import F2cspError
from f2csp.model import Relation
from f2csp.model.linear_sums import LinearSum
from f2csp.search import Stopped
from f2csp.solving.interruption import InterruptibleThread, OneByOne
from f2csp.solving.search_run import SearchRun, Statistics
from f2csp.structure import groups_by_relation

_INFINITY = float("inf")
_GRACE = 0.2  # seconds for a search to end by itself; HiGHS does not look at the time before its root is solved
_HALF = 0.5  # between 0 and 1, which the solver's numbers are close to


class _Milp(OneByOne):
    def __init__(self, run: SearchRun) -> None:
        super().__init__(run)
        self._n_nodes: int | None = None
        model, solver, has_cliques = run.model, run.options["solver"], run.options["model"] == "cube"
        self.solver = pywraplp.Solver.CreateSolver("SAT" if solver == "cpsat" else solver.upper())
        if self.solver is None:
            raise F2cspError(f"this build of OR-Tools has no {solver}")
        if solver == "highs":  # otherwise it prints a line for each search, even with SuppressOutput
            self.solver.SetSolverSpecificParametersAsString("output_flag=false")
        numbers = count()
        # For each variable the index of x(u, v) by v, and for each x(u, v) the index of v.
        self._column = [{word: next(numbers) for word in words.tolist()} for words in model.values]
        self.words = [word for columns in self._column for word in columns]
        self._variables = [self.solver.BoolVar("") for _ in self.words]
        for columns in self._column:
            self.add(columns.values(), 1, 1)
        for clique in model.all_different:
            for scope in (clique,) if has_cliques else combinations(clique, 2):
                if run.is_late:
                    return
                self._differ(scope)
        for case in model.sums:
            self._sum(case)
        for group in groups_by_relation(model.problem, model.rest(model.unary)):
            for scope in group.scopes.tolist():
                if run.is_late:
                    return
                self._table(group.relation, scope)

    def find(self, thread: InterruptibleThread) -> Sequence[int] | None:
        seconds = self.run.seconds_left
        if seconds is not None:
            self.solver.SetTimeLimit(max(1, int(seconds * 1000)))
            seconds += _GRACE
        try:
            status = thread.run(self.solver.Solve, self.solver.InterruptSolve, seconds=seconds)
        except TimeoutError:
            raise Stopped from None
        if self.run.options["solver"] != "bop":  # which prints an error instead
            self._n_nodes = (self._n_nodes or 0) + max(0, self.solver.nodes())
        if status == pywraplp.Solver.INFEASIBLE:
            return None
        if status not in (pywraplp.Solver.OPTIMAL, pywraplp.Solver.FEASIBLE):
            raise Stopped
        self._chosen = [  # for each variable the index of x(u, v) of its value v
            next(column for column in columns.values() if self._variables[column].solution_value() > _HALF)
            for columns in self._column
        ]
        return [self.words[column] for column in self._chosen]

    def exclude_last(self) -> None:
        projection = self.run.projection.tolist()
        self.add([self._chosen[i] for i in projection], 0, len(projection) - 1)

    def statistics(self, seconds: float) -> Statistics:
        return Statistics(nodes=self._n_nodes, solve_time=seconds)

    def add(self, columns: Iterable[int], low: float, high: float) -> pywraplp.Constraint:
        """The number of ones among these variables is from ``low`` to ``high``."""
        constraint = self.solver.Constraint(low, high)
        for column in columns:
            constraint.SetCoefficient(self._variables[column], 1)
        return constraint

    def _differ(self, scope: Sequence[int]) -> None:
        """At most one of the variables has a value, for each value that two of them can have."""
        columns: dict[int, list[int]] = {}
        for variable in scope:
            for word, column in self._column[variable].items():
                columns.setdefault(word, []).append(column)
        for of_value in columns.values():
            if len(of_value) > 1:
                self.add(of_value, 0, 1)

    def _sum(self, case: LinearSum) -> None:
        """The sum of the weights is in one of the ranges, for each of which there is a variable."""
        for n, ranges in case.ranges:
            chosen = [self.solver.BoolVar("") for _ in ranges]
            exactly_one = self.solver.Constraint(1, 1)
            least, most = self.solver.Constraint(0, _INFINITY), self.solver.Constraint(-_INFINITY, 0)
            for variable, (low, high) in zip(chosen, ranges, strict=True):
                exactly_one.SetCoefficient(variable, 1)
                least.SetCoefficient(variable, -low)
                most.SetCoefficient(variable, -high)
            weights: Counter[int] = Counter()
            for i, term in list(zip(case.variables, case.terms, strict=True))[:n]:
                for word, weight in zip(term.words.tolist(), term.weights.tolist(), strict=True):
                    if word in self._column[i]:
                        weights[self._column[i][word]] += weight
            for column, weight in weights.items():
                least.SetCoefficient(self._variables[column], weight)
                most.SetCoefficient(self._variables[column], weight)

    def _table(self, relation: Relation, scope: Sequence[int]) -> None:
        """Of a negative table, not all values of a tuple; of a positive one, the values of one of its tuples."""
        columns = [self._column[variable] for variable in scope]
        rows = [row for row in relation.tuples.tolist() if all(map(contains, columns, row))]
        if relation.kind == "Reject":
            for row in rows:
                self.add([column_of[word] for word, column_of in zip(row, columns, strict=True)], 0, len(scope) - 1)
            return
        first = len(self._variables)  # of a variable for each tuple
        self._variables += [self.solver.BoolVar("") for _ in rows]
        self.add(range(first, len(self._variables)), 1, 1)
        for position, column_of in enumerate(columns):
            with_word: dict[int, list[int]] = {word: [] for word in column_of}
            for i, row in enumerate(rows):
                with_word[row[position]].append(first + i)
            for word, tuples in with_word.items():
                self.add(tuples, 0, 0).SetCoefficient(self._variables[column_of[word]], -1)


search = _Milp.search
