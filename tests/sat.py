"""A problem's solutions by a SAT solver, from the tables word for word; nothing of the package's own encodings."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import pytest

from f2csp.model import Problem

solvers = pytest.importorskip("pysat.solvers")
Solution = dict[str, str]


class Sat:
    """A solver that holds a problem: one literal for each variable and value, one clause for each rejected tuple."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._literals: dict[tuple[str, str], int] = {}
        self._solver = solvers.Minisat22()
        for variable in problem.variables:
            literals = [self._literal(variable.name, word) for word in variable.domain.words]
            self._solver.add_clause(literals)
            for one, other in combinations(literals, 2):
                self._solver.add_clause([-one, -other])
        for constraint in problem.constraints:
            scope = constraint.scope
            words = [tuple(problem.words[i] for i in row) for row in constraint.relation.tuples.tolist()]
            if constraint.kind == "Accept":
                domains = {
                    v.name: v.domain.words for v in (problem.variables[i] for i in problem.scope(constraint.index))
                }
                words = list(set(product(*(domains[name] for name in scope))) - set(words))
            for row in words:
                self._solver.add_clause([-self._literal(*pair) for pair in zip(scope, row, strict=True)])

    def _literal(self, name: str, word: str) -> int:
        return self._literals.setdefault((name, word), len(self._literals) + 1)

    def solution(self, known: Solution | None = None) -> Solution | None:
        """A solution in which some variables have these values, or None."""
        if not self._solver.solve([self._literals[pair] for pair in (known or {}).items()]):
            return None
        true = {literal for literal in self._solver.get_model() if literal > 0}
        return {name: word for (name, word), literal in self._literals.items() if literal in true}

    def solutions(self, names: Sequence[str]) -> Iterator[Solution]:
        """Every way in which these variables can be part of a solution; the solver is of no use after that."""
        chosen = set(names)
        literals = {literal: pair for pair, literal in self._literals.items() if pair[0] in chosen}
        while self._solver.solve():
            model = self._solver.get_model()
            true = [literal for literal in literals if model[literal - 1] > 0]
            yield dict(literals[literal] for literal in true)
            self._solver.add_clause([-literal for literal in true])
