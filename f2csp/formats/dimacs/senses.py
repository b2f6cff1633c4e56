"""What literals say: of which variable, and which of its values.

A literal of the notes says that a variable has a value. A further literal that the clauses tie to one variable says
that this has one of some values, as those do by which at most one of many is told, or that a number is at most so
large. Any other is a variable of its own, over 0 and 1.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from f2csp.formats.dimacs.formula import Formula
from f2csp.formats.dimacs.notes import Notes
from f2csp.model import Ids

MOST_LOOKED_AT = 1 << 10
"""Of variables with more values no sets of these are looked for: they take memory."""

Sense = tuple[int, int]
"""The index of a variable, and a bit for each position in its domain at which the literal holds."""


class Senses:
    """The senses of the literals of a formula.

    Attributes:
        variables: for each literal, from 1, the variable that it speaks of.
        sizes: for each variable how many values it has.
        n_noted: how many variables the notes have.
        n_values: how many literals speak of values of these.
        own: the literals that are variables of their own, in order; these variables come after those of the notes.
    """

    def __init__(self, formula: Formula, notes: Notes) -> None:
        """Find the senses; the notes must be no longer than the formula."""
        sizes = np.array([len(notes.domains[domain]) for domain in notes.variables.values()], dtype=np.int64)
        self.n_noted = len(sizes)
        self.n_values = int(sizes.sum())
        self._firsts: list[int] = (np.cumsum(sizes) - sizes + 1).tolist()
        self.sizes: list[int] = sizes.tolist()
        self.variables = np.zeros(formula.n_variables + 1, dtype=np.int32)
        self.variables[1 : self.n_values + 1] = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        self._of_value: list[int] = self.variables[: self.n_values + 1].tolist()
        self._sets: dict[int, Sense] = {}
        if self.n_values and formula.n_variables > self.n_values:
            self._find_sets(formula)
        is_own = np.arange(formula.n_variables + 1) > self.n_values
        is_own[list(self._sets)] = False
        self.own = np.flatnonzero(is_own)
        self.variables[self.own] = np.arange(len(self.own), dtype=np.int32) + self.n_noted
        self.sizes += [2] * len(self.own)

    def of(self, literal: int) -> Sense:
        """What a positive literal says."""
        if literal <= self.n_values:
            variable = self._of_value[literal]
            return variable, 1 << (literal - self._firsts[variable])
        return self._sets.get(literal) or (int(self.variables[literal]), 0b10)

    def positions(self, literal: int) -> tuple[int, Sequence[int]]:
        """What a positive literal says, with the positions themselves."""
        if literal <= self.n_values:
            variable = self._of_value[literal]
            return variable, (literal - self._firsts[variable],)
        if literal not in self._sets:
            return int(self.variables[literal]), (1,)
        variable, holds = self._sets[literal]
        return variable, _positions_of(holds)

    def single_falsifiers(self) -> tuple[Ids, Ids]:
        """For each literal, from 1, the only position at which it does not hold, positive and negated; else -1."""
        positive = np.full(len(self.variables), -1, dtype=np.int32)
        negative = positive.copy()
        values = np.arange(1, self.n_values + 1)
        negative[values] = values - np.array(self._firsts)[self.variables[values]]
        are_two = values[np.array(self.sizes, dtype=np.int64)[self.variables[values]] == 2]
        positive[are_two] = 1 - negative[are_two]
        positive[self.own], negative[self.own] = 0, 1
        return positive, negative

    def bits(self) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
        """For each literal, from 1, a bit for each position at which it does not hold, positive and negated.

        For variables with very many values there are none.
        """
        negative = np.zeros(len(self.variables), dtype=np.object_)
        positive = negative.copy()
        for first, size in zip(self._firsts, self.sizes, strict=False):
            if size <= MOST_LOOKED_AT:
                negative[first : first + size], positive[first : first + size] = _bits_of(size)
        for literal, (variable, holds) in self._sets.items():
            negative[literal], positive[literal] = holds, (1 << self.sizes[variable]) - 1 & ~holds
        return positive, negative

    def _find_sets(self, formula: Formula) -> None:
        """Find the literals that say of one variable that it has one of some values.

        Such a literal follows from others, and one of these follows from it: all of them speak of that variable, and
        are counted before it.
        """
        reasons: dict[int, list[int]] = defaultdict(list)
        definitions: dict[int, list[list[int]]] = defaultdict(list)
        for _, clauses in formula.blocks():
            if clauses.shape[1] < 2:
                continue
            tops = clauses[np.arange(len(clauses)), np.abs(clauses).argmax(axis=1)]
            n_positive = (clauses > 0).sum(axis=1)
            if clauses.shape[1] == 2:
                for clause in clauses[(tops > self.n_values) & (n_positive == 1)].tolist():
                    reasons[max(clause)].append(-min(clause))
            for clause in clauses[(tops < -self.n_values) & (n_positive == clauses.shape[1] - 1)].tolist():
                definitions[-min(clause)].append(sorted(clause)[1:])
        for literal in sorted(definitions):
            known = self._known(reasons[literal])
            for definition in definitions[literal]:
                said = self._said_by(definition)
                if said is not None and not said[1] & ~known.get(said[0], 0):
                    self._sets[literal] = said
                    self.variables[literal] = said[0]
                    break

    def _known(self, literals: list[int]) -> dict[int, int]:
        """What some literals say of each variable, those that speak of themselves left out."""
        known: dict[int, int] = {}
        for literal in literals:
            if literal <= self.n_values or literal in self._sets:
                variable, holds = self.of(literal)
                if self.sizes[variable] <= MOST_LOOKED_AT:
                    known[variable] = known.get(variable, 0) | holds
        return known

    def _said_by(self, literals: list[int]) -> Sense | None:
        """What some literals together say of one variable, or None if they speak of several, or of themselves."""
        variables, values = set(), 0
        for literal in literals:
            if literal > self.n_values and literal not in self._sets:
                return None
            variable, holds = self.of(literal)
            variables.add(variable)
            values |= holds
            if len(variables) > 1 or self.sizes[variable] > MOST_LOOKED_AT:
                return None
        return variables.pop(), values


@cache
def _bits_of(size: int) -> tuple[list[int], list[int]]:
    """For each value of a domain the bit of its position, and all others."""
    values = [1 << position for position in range(size)]
    return values, [(1 << size) - 1 - value for value in values]


@lru_cache(1 << 12)
def _positions_of(bits: int) -> tuple[int, ...]:
    """The bits that are set."""
    return tuple(position for position in range(bits.bit_length()) if bits >> position & 1)
