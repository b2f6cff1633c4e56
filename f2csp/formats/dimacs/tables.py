"""Clauses as tables of what they reject.

A clause fails where each of its literals does. So it rejects the tuples out of one set of values for each of its
variables. Mostly these sets have one value each; then many clauses become tuples at once.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from f2csp.formats.dimacs.formula import Formula
from f2csp.formats.dimacs.senses import MOST_LOOKED_AT, Senses
from f2csp.model import Ids, Offsets

_MOST_TUPLES = 1 << 12  # that one clause becomes; of one that would become more the literals are made variables
_MOST_VALUES = 1 << 24  # in all tuples; and so many for each literal of the formula
_VALUES_A_LITERAL = 1 << 6


@dataclass(frozen=True, slots=True)
class Rows:
    """Rejected tuples of one arity.

    Attributes:
        clauses: the clause that each comes from.
        scopes: the variables of each.
        positions: its values, as positions in the domains of these.

    Shape:
        clauses: (n,); scopes, positions: (n, arity).
    """

    clauses: Offsets
    scopes: Ids
    positions: Ids


class TooManyTuples(Exception):
    """There are so many tuples that the clauses are better left alone."""


class Tables:
    """Turns the clauses of a formula into tuples.

    Attributes:
        linked: the literals that are made variables although they speak of another, in order; these variables come
            after all others.
        impossible: the clauses that hold nowhere.
    """

    def __init__(self, formula: Formula, senses: Senses) -> None:
        """Begin with no tuple."""
        self._formula = formula
        self._senses = senses
        self._n_left = _MOST_VALUES + _VALUES_A_LITERAL * len(formula.literals)
        self._bits = senses.bits()
        self._sizes = np.array(senses.sizes, dtype=np.int64)
        self._found: dict[int, list[Rows]] = defaultdict(list)
        self.linked: dict[int, int] = {}
        self.impossible: list[int] = []

    def rows(self) -> Iterator[Rows]:
        """The tuples of each arity, in the order of their clauses.

        Raises:
            TooManyTuples: there are too many for the size of the formula.
        """
        falsifiers = self._senses.single_falsifiers()
        for clauses, literals in self._formula.blocks():
            if literals.shape[1]:
                self._read_block(clauses, literals, falsifiers)
            else:
                self.impossible += clauses.tolist()
        for arity in sorted(self._found):
            found = self._found.pop(arity)
            clauses = np.concatenate([rows.clauses for rows in found])
            order = np.argsort(clauses, kind="stable")
            scopes = np.concatenate([rows.scopes for rows in found])[order]
            yield Rows(clauses[order], scopes, np.concatenate([rows.positions for rows in found])[order])

    def _read_block(self, clauses: Offsets, literals: Ids, falsifiers: tuple[Ids, Ids]) -> None:
        """Turn clauses of one width into tuples; all at once that are one tuple each."""
        numbers = np.abs(literals)
        positions = np.where(literals > 0, falsifiers[0][numbers], falsifiers[1][numbers])
        scopes = self._senses.variables[numbers]
        ordered = np.sort(scopes, axis=1)
        is_plain = (positions >= 0).all(axis=1) & (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
        self._add(Rows(clauses[is_plain], scopes[is_plain], positions[is_plain]))
        others = np.flatnonzero(~is_plain)
        others = others[~self._is_of_course(literals[others], scopes[others])]
        for clause, row in zip(clauses[others].tolist(), literals[others].tolist(), strict=True):
            self._tabulate(clause, row)

    def _is_of_course(self, literals: Ids, scopes: Ids) -> NDArray[np.bool_]:
        """Whether a clause speaks of one variable, and holds for each of its values."""
        senses, numbers = self._senses, np.abs(literals)
        n_values = self._sizes[scopes[:, 0]]
        is_one = (scopes == scopes[:, :1]).all(axis=1) & (scopes[:, 0] < senses.n_noted)
        found: NDArray[np.bool_] = is_one & (literals[:, 0] > 0) & (literals.shape[1] == n_values)
        found &= (literals[:, 1:] == literals[:, :-1] + 1).all(axis=1) & (numbers.max(axis=1) <= senses.n_values)
        rows = np.flatnonzero(is_one & ~found & (n_values <= MOST_LOOKED_AT))
        fails = np.where(literals[rows] > 0, self._bits[0][numbers[rows]], self._bits[1][numbers[rows]])
        found[rows] = np.bitwise_and.reduce(fails, axis=1) == 0
        return found

    def _add(self, rows: Rows) -> None:
        self._n_left -= rows.positions.size
        if self._n_left < 0:
            raise TooManyTuples
        if len(rows.clauses):
            self._found[rows.positions.shape[1]].append(rows)

    def _tabulate(self, clause: int, literals: list[int]) -> None:
        """Turn one clause into tuples, whatever it is made of."""
        within: dict[int, set[int]] = {}  # where the negated literals of a variable fail
        outside: dict[int, set[int]] = {}  # where its other literals do not
        for literal in literals:
            variable, positions = self._senses.positions(abs(literal))
            if literal > 0:
                outside.setdefault(variable, set()).update(positions)
            elif variable in within:
                within[variable].intersection_update(positions)
            else:
                within[variable] = set(positions)
        n_tuples, sizes = 1, self._senses.sizes
        for variable in outside.keys() | within.keys():
            if variable in within:
                within[variable] -= outside.get(variable, set())
            n = len(within[variable]) if variable in within else sizes[variable] - len(outside[variable])
            if n == 0:
                return  # it always holds
            n_tuples = min(n_tuples * n, _MOST_TUPLES + 1)
        if n_tuples > _MOST_TUPLES:
            variables = {abs(literal): self._own_variable(clause, abs(literal)) for literal in literals}
            self._add_product(clause, {variables[abs(literal)]: [int(literal < 0)] for literal in literals})
            return
        scope = dict.fromkeys(self._senses.positions(abs(literal))[0] for literal in literals)
        fails = {
            variable: sorted(within.get(variable) or set(range(sizes[variable])) - outside[variable])
            for variable in scope
        }
        self._add_product(clause, fails)

    def _add_product(self, clause: int, fails: dict[int, list[int]]) -> None:
        self._add_tuples(clause, list(fails), list(product(*fails.values())))

    def _add_tuples(self, clause: int, scope: list[int], tuples: Sequence[tuple[int, ...]]) -> None:
        positions = np.array(tuples, dtype=np.int32)
        clauses = np.full(len(positions), clause, dtype=np.int64)
        self._add(Rows(clauses, np.tile(np.array(scope, dtype=np.int32), (len(positions), 1)), positions))

    def _own_variable(self, clause: int, literal: int) -> int:
        """The variable over 0 and 1 that is a literal."""
        variable, positions = self._senses.positions(literal)
        if variable >= self._senses.n_noted:
            return variable
        if literal not in self.linked:
            self.linked[literal] = len(self._senses.sizes) + len(self.linked)
            holds = set(positions)
            link = [(position, int(position not in holds)) for position in range(self._senses.sizes[variable])]
            self._add_tuples(clause, [variable, self.linked[literal]], link)
        return self.linked[literal]
