"""What a problem says, in the few cases that a back end implements; equivalent to its tables.

A back end (an engine, an encoding, a writer of a foreign format) reads a :class:`ConstraintModel` and nothing else:

    model = recover(problem)                      # or raw_model(problem): nothing but tables
    numbering = Numbering.in_order(problem, LARGEST)
    variables = [new_variable(numbering.numbers[values]) for values in model.values]
    for clique in model.all_different:            # tuples of variables
        post_all_different(clique)
    written = [model.unary, model.never_true]     # in the values and model.is_contradictory
    for case in model.exact(numbering):           # one for each kind and constant
        for first, second in case.scopes:
            post_comparison(case.kind, first, second, case.constant)
        written.append(case.constraints)
    for case in model.parities:                   # likewise, with case.odd
        ...
    for case in model.sums:                       # of a model with_sums only
        ...
    for group in groups_by_relation(problem, model.rest(*written)):
        post_table(group.relation, group.scopes)

A case that a back end has no words for is left out of ``written`` and so becomes a table.
"""

import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from f2csp.arrays import Bools, by_value
from f2csp.model import Ids, Kind, Offsets, Problem, expect_problem
from f2csp.model.views import View
from f2csp.structure.classification import classify
from f2csp.structure.cliques import clique_cover
from f2csp.structure.meanings import Classification, ConstraintKind, Recognised, sentence
from f2csp.structure.numbering import Numbering
from f2csp.structure.weighted_sums import WeightedSum, weighted_sums

_OPERATORS: dict[ConstraintKind, Callable[[Any, Any], Any]] = {
    ConstraintKind.EQUAL: operator.eq,
    ConstraintKind.LESS: operator.lt,
    ConstraintKind.LESS_OR_EQUAL: operator.le,
    ConstraintKind.GREATER: operator.gt,
    ConstraintKind.GREATER_OR_EQUAL: operator.ge,
}
_COMPARED = [*_OPERATORS, ConstraintKind.DIFFERENCE, ConstraintKind.SUM]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Constraints that compare two variables in the same way, in the order of the scope."""

    kind: ConstraintKind
    constant: int  # the difference (first - second) or the sum
    constraints: Offsets  # their indices, ascending
    scopes: Ids  # (n_constraints, 2)

    def only(self, which: Bools) -> "Comparison":
        return replace(self, constraints=self.constraints[which], scopes=self.scopes[which])

    def between(self, first: Any, second: Any) -> Any:
        """The comparison of two expressions of a solver that overloads operators."""
        if self.kind in _OPERATORS:
            return _OPERATORS[self.kind](first, second)
        return (first - second if self.kind == ConstraintKind.DIFFERENCE else first + second) == self.constant


@dataclass(frozen=True, slots=True)
class Parity:
    """Constraints of one arity: an even (``odd`` is 0) or an odd number (1) of these variables over 0 and 1 is 1."""

    odd: int
    constraints: Offsets
    scopes: Ids


@dataclass(frozen=True)
class ConstraintModel:
    """A problem as cases; constraints and variables are indices."""

    problem: Problem
    classification: Classification
    values: Sequence[Ids]  # for each variable the node-consistent values, as indices of words; listed on access
    all_different: tuple[tuple[int, ...], ...]  # cliques; each pair that must differ is in one of them
    unary: Offsets  # the unary constraints, which the values contain
    is_contradictory: bool  # one constraint, or the unary constraints of one variable, cannot be satisfied
    sums: tuple[WeightedSum, ...] = ()  # of ``with_sums``

    @cached_property
    def never_true(self) -> Offsets:
        return np.flatnonzero(self.classification.are(ConstraintKind.NEVER_TRUE))

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """By kind and constant."""
        return tuple(
            Comparison(one.kind, int(one.value or 0), constraints, self.problem.scopes_of(constraints))
            for one, constraints in self._alike(*_COMPARED)
        )

    def exact(self, numbering: Numbering) -> Iterator[Comparison]:
        """The comparisons that say the same of the integers of a numbering as of the values."""
        return (case.only(numbering.is_exact(case.kind, case.scopes)) for case in self.comparisons)

    @cached_property
    def parities(self) -> tuple[Parity, ...]:
        """By arity and parity, in the order of their first constraints."""
        arities = np.diff(self.problem.scope_offsets)
        cases = [
            Parity(int(one.value or 0), constraints[places], self.problem.scopes_of(constraints[places]))
            for one, constraints in self._alike(ConstraintKind.XOR)
            for _, places in by_value(arities[constraints])
        ]
        return tuple(sorted(cases, key=lambda case: int(case.constraints[0])))

    def _alike(self, *kinds: ConstraintKind) -> Iterator[tuple[Recognised, Offsets]]:
        """The constraints of some kinds, those together that say the same."""
        constraints = np.flatnonzero(self.classification.are(*kinds))
        for index, places in by_value(self.classification.of_constraint[constraints]):
            yield self.classification.distinct[index], constraints[places]

    def rest(self, *written: Offsets) -> Offsets:
        """The constraints that a back end has yet to write as tables, ascending.

        These are neither written, nor always true, nor contained in ``all_different``.
        """
        remains = ~self.classification.are(ConstraintKind.DIFFERENT, ConstraintKind.ALWAYS_TRUE)
        for constraints in written:
            remains[constraints] = False
        return np.flatnonzero(remains)

    @property
    def tables(self) -> Offsets:
        """The constraints that are none of the cases."""
        comparisons = [case.constraints for case in self.comparisons]
        return self.rest(*comparisons, *(case.constraints for case in self.parities), self.unary, self.never_true)


def recover(problem: Problem) -> ConstraintModel:
    """Recover what the tables of a problem say together."""
    found = classify(problem)
    values, has_wipeout = _node_consistency(problem)
    different = problem.scopes_of(np.flatnonzero(found.are(ConstraintKind.DIFFERENT))).reshape(-1, 2)
    return ConstraintModel(
        problem=problem,
        classification=found,
        values=View(problem.n_variables, values),
        all_different=tuple(map(tuple, clique_cover(different))),
        unary=np.flatnonzero(np.diff(problem.scope_offsets) == 1),
        is_contradictory=has_wipeout or bool(found.are(ConstraintKind.NEVER_TRUE).any()),
    )


def with_sums(model: ConstraintModel, projection: Offsets) -> ConstraintModel:
    """The model with sums instead of the chains of tables that are sums.

    State variables of sums have one value each; ``WeightedSum.complete`` gives them that of a solution. Those in a
    projection stay what they are, unless all variables are in it.
    """
    problem = model.problem
    sums = tuple(weighted_sums(problem, projection if len(projection) < problem.n_variables else projection[:0]))
    if not sums:
        return model
    possible: defaultdict[int, list[Ids]] = defaultdict(list)
    states = {state for one in sums for state, _, _ in one.states}
    for one in sums:
        for variable, term in zip(one.variables, one.terms, strict=True):
            possible[variable].append(term.words)

    def values(variable: int) -> Ids:
        words = model.values[variable][: 1 if variable in states else None]
        for some in possible.get(variable, ()):
            words = words[np.isin(words, some)]
        return words

    of_constraint = model.classification.of_constraint.copy()
    of_constraint[[constraint for one in sums for constraint in one.constraints]] = len(model.classification.distinct)
    always_true = Recognised(ConstraintKind.ALWAYS_TRUE)
    found = Classification((*model.classification.distinct, always_true), of_constraint)
    cliques = (tuple(variable for variable in clique if variable not in states) for clique in model.all_different)
    return replace(
        model,
        classification=found,
        values=View(problem.n_variables, values),
        all_different=tuple(clique for clique in cliques if len(clique) > 1),
        is_contradictory=model.is_contradictory or not all(len(values(variable)) for variable in possible),
        sums=sums,
    )


def raw_model(problem: Problem) -> ConstraintModel:
    """The model without any structure: every constraint is a table."""
    domains = problem.variable_domains.tolist()
    return ConstraintModel(
        problem=problem,
        classification=Classification((Recognised(ConstraintKind.OTHER),), np.zeros_like(problem.constraint_relations)),
        values=View(problem.n_variables, lambda variable: problem.domain_values[domains[variable]]),
        all_different=(),
        unary=np.empty(0, dtype=np.int64),
        is_contradictory=False,
    )


def _node_consistency(problem: Problem) -> tuple[Callable[[int], Ids], bool]:
    """The values that the unary constraints leave to a variable, as a function of it; and whether one has none.

    They are listed on access: of a large domain they can be far more than the tuples of a table that rejects a few.
    """
    domains: list[int] = problem.variable_domains.tolist()
    unary = np.flatnonzero(np.diff(problem.scope_offsets) == 1)
    variables = problem.scopes[problem.scope_offsets[unary]].tolist()
    relations: defaultdict[int, set[int]] = defaultdict(set)
    for variable, relation in zip(variables, problem.constraint_relations[unary].tolist(), strict=True):
        relations[variable].add(relation)

    def tables(some: Iterable[int], kind: Kind) -> list[Ids]:
        return [problem.relations[one].tuples[:, 0] for one in some if problem.relations[one].kind == kind]

    @cache
    def left(domain: int, some: frozenset[int]) -> Ids:
        values: Ids = problem.domain_values[domain]
        accepted, rejected = tables(some, "Accept"), tables(some, "Reject")
        if accepted:
            words, counts = np.unique(np.concatenate(accepted), return_counts=True)
            values = words[counts == len(accepted)]
        return values[~np.isin(values, np.concatenate((values[:0], *rejected)))]

    def values(variable: int) -> Ids:
        some = relations.get(variable)
        domain = domains[variable]
        return left(domain, frozenset(some)) if some else problem.domain_values[domain]

    def may_be_empty(variable: int) -> bool:
        some, size = relations[variable], len(problem.domain_values[domains[variable]])
        return bool(tables(some, "Accept")) or sum(map(len, tables(some, "Reject"))) >= size

    return values, any(may_be_empty(variable) and not len(values(variable)) for variable in relations)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Structure:
    """What the tables of a problem say.

    Attributes:
        problem: the problem.
        classification: for each constraint what its table says.
        all_different: the groups of variables that must all differ, by name; each pair of variables that must differ
            is in one of them.
    """

    problem: Problem
    classification: Classification
    all_different: tuple[tuple[str, ...], ...]

    @property
    def kinds(self) -> dict[str, int]:
        """For each kind of constraint that occurs, the number of constraints."""
        return self.classification.n_of_kinds

    def kind(self, label: str) -> ConstraintKind:
        """The kind of the constraint of this label."""
        return self.classification[self.problem.constraints.position(label)].kind

    def meaning(self, label: str) -> str:
        """What the constraint of this label says, in words."""
        constraint = self.problem.constraints[label]
        found = self.classification[constraint.index]
        return sentence(found.kind, constraint.scope, found.value, f"{found.kind}: {{names}}")

    def __repr__(self) -> str:
        kinds = ", ".join(f"{n} {kind}" for kind, n in self.kinds.items()) or "no constraints"
        n = len(self.all_different)
        return f"<Structure: {kinds}; {n} all-different group{'s'[: n != 1]}>"


def structure(problem: Problem) -> Structure:
    """Recover what the tables of a problem say: comparisons, fixed values, groups of variables that all differ.

    Example:
        >>> from f2csp.model import ProblemBuilder
        >>> b = ProblemBuilder("Three cells")
        >>> b.domain("D1", "1..3")
        >>> for name in ("x", "y", "z"):
        ...     b.variable(name, "D1")
        >>> b.all_different(["x", "y", "z"])
        >>> b.accept(["x", "y"], lambda x, y: x < y)
        >>> found = structure(b.build())
        >>> found
        <Structure: 3 different, 1 less; 1 all-different group>
        >>> found.all_different
        (('x', 'y', 'z'),)
        >>> found.meaning("C4")
        'x < y'
    """
    expect_problem(problem)
    model = recover(problem)
    names = problem.variable_names
    groups = tuple(tuple(names[variable] for variable in clique) for clique in model.all_different)
    return Structure(problem, model.classification, groups)
