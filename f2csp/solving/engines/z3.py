"""Z3, an SMT solver: linear arithmetic over the numbers of the values, and tables as formulas.

De Moura and Bjørner, "Z3: An Efficient SMT Solver", TACAS 2008.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import ArgumentError
from typing import Any

import z3

from f2csp.model import Relation
from f2csp.model.linear_sums import Term
from f2csp.search import Stopped
from f2csp.solving.interruption import InterruptibleThread, OneByOne
from f2csp.solving.search_run import SearchRun, Statistics
from f2csp.structure import Numbering, groups_by_relation

_LARGEST = 1 << 62
_N_SEEDS = 1 << 31
_COUNTERS = {"decisions": "nodes", "conflicts": "failures", "propagations": "propagations"}  # and their names here


@contextmanager
def _showing_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt where ctypes, which converts the arguments of Z3, makes an ArgumentError of it."""
    try:
        yield
    except ArgumentError as error:
        if "KeyboardInterrupt" not in str(error):
            raise
        raise KeyboardInterrupt from None


class _Z3(OneByOne):
    @_showing_interrupts()
    def __init__(self, run: SearchRun) -> None:
        super().__init__(run)
        model = run.model
        numbering = Numbering.in_order(model.problem, _LARGEST)
        self._numbers = numbering.numbers
        self.numbers: list[int] = numbering.numbers.tolist()
        self._word_of = {number: word for word, number in enumerate(self.numbers)}
        self.context = z3.Context()
        self.false = z3.BoolVal(False, self.context)
        self.solver = z3.Solver(ctx=self.context)
        self.solver.set("random_seed", run.limits.seed % _N_SEEDS)
        self.solver.set("ctrl_c", False)  # Z3 would take the signal, and end as if a limit was reached
        self.variables = [z3.Int(f"x{i}", self.context) for i in range(model.problem.n_variables)]
        for variable, words in zip(self.variables, model.values, strict=True):
            self.solver.add(self._among(variable, sorted(self.numbers[word] for word in words.tolist())))
        for clique in model.all_different:
            self.solver.add(z3.Distinct(*[self.variables[i] for i in clique]))
        compared = list(model.exact(numbering))
        for case in compared:
            for i, k in case.scopes.tolist():
                self.solver.add(case.between(self.variables[i], self.variables[k]))
        for parity in model.parities:
            for scope in parity.scopes.tolist():
                self.solver.add(sum(self.variables[i] for i in scope) % 2 == parity.odd)
        for total in model.sums:
            parts = [self._weight(*pair) for pair in zip(total.terms, total.variables, strict=True)]
            for n, ranges in total.ranges:
                part = z3.Sum(parts[:n])
                self.solver.add(z3.Or(*[z3.And(part >= low, part <= high) for low, high in ranges]))
        written = *(case.constraints for case in compared), *(case.constraints for case in model.parities)
        for group in groups_by_relation(model.problem, model.rest(model.unary, *written)):
            for scope in group.scopes.tolist():
                if run.is_late:
                    return
                self.solver.add(self._table(group.relation, [self.variables[i] for i in scope]))

    @_showing_interrupts()
    def find(self, thread: InterruptibleThread) -> Sequence[int] | None:
        left = self.run.seconds_left
        if left is not None:
            self.solver.set("timeout", max(1, int(left * 1000)))
        answer = thread.run(self.solver.check, self.context.interrupt)
        if answer == z3.unsat:
            return None
        if answer == z3.unknown:
            raise Stopped
        model = self.solver.model()
        self._values = [model.eval(variable, model_completion=True).as_long() for variable in self.variables]
        return [self._word_of[value] for value in self._values]

    @_showing_interrupts()
    def exclude_last(self) -> None:
        self.solver.add(z3.Or(*[self.variables[i] != self._values[i] for i in self.run.projection.tolist()]))

    def statistics(self, seconds: float) -> Statistics:
        counted: dict[str, Any] = dict.fromkeys(_COUNTERS.values(), 0)
        for key, value in self.solver.statistics():
            name = _COUNTERS.get(key.removeprefix("sat "))
            if name is not None:
                counted[name] += value
        return Statistics(**counted, solve_time=seconds)

    def _among(self, variable: z3.ArithRef, numbers: Sequence[int]) -> Any:
        """The variable has one of these numbers, which ascend; neighbours are put into ranges."""
        ranges: list[list[int]] = []
        for number in numbers:
            if ranges and ranges[-1][1] == number - 1:
                ranges[-1][1] = number
            else:
                ranges.append([number, number])
        return z3.Or(*[z3.And(variable >= low, variable <= high) for low, high in ranges], self.false)

    def _weight(self, term: Term, index: int) -> Any:
        variable = self.variables[index]
        line = term.line(self._numbers)
        if line is not None:
            return line[0] * variable + line[1]
        weight: Any = int(term.weights[0])
        for word, of_word in zip(term.words.tolist(), term.weights.tolist(), strict=True):
            if of_word != term.weights[0]:
                weight = z3.If(variable == self.numbers[word], of_word, weight)
        return weight

    def _table(self, relation: Relation, variables: Sequence[z3.ArithRef]) -> Any:
        rows = [
            z3.And(*[variable == self.numbers[word] for variable, word in zip(variables, row, strict=True)])
            for row in relation.tuples.tolist()
        ]
        holds = z3.Or(*rows, self.false)
        return holds if relation.kind == "Accept" else z3.Not(holds)


search = _Z3.search
