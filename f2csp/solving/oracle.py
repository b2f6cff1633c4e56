"""Which parts of a problem cannot hold together, from a SAT solver that can leave out any of them."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import numpy as np

from f2csp.diagnostics import MissingExtra
from f2csp.encode.at_most_one import at_most_one
from f2csp.encode.cnf import Cnf, CnfBuilder, rows_of
from f2csp.encode.literals import literals_of
from f2csp.encode.pattern import stamp
from f2csp.encode.tables import Method, table_pattern
from f2csp.model import Problem
from f2csp.solving.interrupt import awaited
from f2csp.solving.parts import Part

_CONFLICTS_AT_ONCE = 2000  # between two looks at the clock


class OutOfTimeError(Exception):
    """The time is over before an answer is known."""


class Oracle:
    """A problem's variables and parts as clauses; those of a part hold only if its selector is assumed."""

    def __init__(self, problem: Problem, parts: Sequence[Part], end: float | None) -> None:
        """Give the solver all parts.

        Args:
            problem: the problem.
            parts: what may be left out.
            end: when to give up, on the monotonic clock; None for never.

        Raises:
            MissingExtra: the SAT solver is not installed.
        """
        try:
            from pysat.solvers import Cadical195
        except ImportError:
            raise MissingExtra("explaining", "solve") from None
        self._problem = problem
        self._literals = literals_of(problem)
        self._patterns: dict[tuple[int, bytes], Cnf] = {}
        self._end = end
        self._solver = Cadical195()
        variables = self._variables()
        self._solver.append_formula([clause for block in variables.blocks for clause in block.tolist()])
        self._selectors: list[int] = []
        n_literals = variables.n_literals
        for part in parts:
            clauses = self._clauses(part, n_literals)
            n_literals = clauses.n_literals + 1
            self._selectors.append(n_literals)
            for block in clauses.blocks:
                self._solver.append_formula(np.column_stack((np.full(len(block), -n_literals), block)).tolist())

    def core(self, parts: Sequence[int]) -> list[int] | None:
        """Ask whether parts can hold together.

        Args:
            parts: their numbers.

        Returns:
            None if they can; else the numbers of some of them that cannot.

        Raises:
            OutOfTimeError: it is not known in time.
        """
        selectors = [self._selectors[part] for part in parts]
        with ThreadPoolExecutor(1) as thread:
            answer = None
            while answer is None:
                if self._end is not None and monotonic() > self._end:
                    raise OutOfTimeError
                self._solver.conf_budget(_CONFLICTS_AT_ONCE)
                answer = awaited(thread.submit(self._solver.solve_limited, selectors))
        if answer:
            return None
        failed = set(self._solver.get_core() or [])
        return [part for part, selector in zip(parts, selectors, strict=True) if selector in failed]

    def _variables(self) -> Cnf:
        """Each variable has exactly one value of its domain."""
        literals = self._literals
        cnf = CnfBuilder(literals.n_values)
        values = np.arange(1, literals.n_values + 1, dtype=np.int32)
        for rows in rows_of(values, literals.variables.astype(np.int64)):
            cnf.add(rows)
            at_most_one(rows, cnf)
        return cnf.build()

    def _clauses(self, part: Part, n_literals: int) -> Cnf:
        """What a part says, with auxiliary literals after those that there are."""
        cnf = CnfBuilder(n_literals)
        if part.all_different:
            self._write_different(part.all_different, cnf)
        else:
            for constraint in part.constraints:
                self._write_table(constraint, cnf)
        return cnf.build()

    def _write_different(self, variables: Sequence[int], cnf: CnfBuilder) -> None:
        """Each value at most once, and at least once where there are no more values than variables."""
        literals = self._literals.of_variables(np.array(variables))
        words = self._literals.words[literals - 1].astype(np.int64)
        n_words = len(np.unique(words))
        if n_words < len(variables):
            cnf.contradict()
            return
        for rows in rows_of(literals, words):
            at_most_one(rows, cnf)
            if n_words == len(variables):
                cnf.add(rows)

    def _write_table(self, constraint: int, cnf: CnfBuilder) -> None:
        problem = self._problem
        relation = int(problem.constraint_relations[constraint])
        scope = problem.scope(constraint)
        domains = problem.variable_domains[scope]
        key = relation, domains.tobytes()
        if key not in self._patterns:
            values = [problem.domain_values[domain] for domain in domains.tolist()]
            self._patterns[key] = table_pattern(problem.relations[relation], values, Method.SUPPORT)
        sizes = problem.domain_sizes[domains].tolist()
        stamp(self._patterns[key], sizes, self._literals.first[scope][None, :], cnf)
