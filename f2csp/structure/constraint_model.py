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

from f2csp.arrays import Bools, by_value, concatenated_ranges
from f2csp.diagnostics import counted
from f2csp.model import Ids, Kind, Offsets, Problem, expect_problem
from f2csp.model.linear_sums import MAX_WEIGHT, LinearSum
from f2csp.model.views import View
from f2csp.structure.chained_sums import known_sums
from f2csp.structure.classification import classify
from f2csp.structure.cliques import clique_cover
from f2csp.structure.meanings import Classification, ConstraintKind, Recognised, sentence
from f2csp.structure.numbering import Numbering

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
    sums: tuple[LinearSum, ...] = ()  # of ``with_sums``

    @cached_property
    def has_too_few_values(self) -> bool:
        """Whether a clique has more variables than values, which searches find out late (the pigeonhole principle)."""
        domain_of = self.problem.variable_domains.tolist()

        @cache
        def n_values(domains: frozenset[int]) -> int:
            return len(np.unique(np.concatenate([self.problem.domain_values[domain] for domain in domains])))

        return any(len(clique) > n_values(frozenset([domain_of[i] for i in clique])) for clique in self.all_different)

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

    def complete(self, words: list[int]) -> None:
        """Set the state variables of sums in an assignment: table by table, they follow from the other variables."""
        for known in self.sums:
            states = set(known.states)
            for constraint in known.constraints:
                scope = self.problem.scope(constraint).tolist()
                for state in states.intersection(scope):
                    states.remove(state)
                    position = scope.index(state)
                    after = self._following(int(self.problem.constraint_relations[constraint]), position)
                    others = tuple([words[variable] for variable in scope if variable != state])
                    words[state] = after.get(others, words[state])

    def _following(self, relation: int, position: int) -> dict[tuple[int, ...], int]:
        """For the other values of each tuple of a table, the value at a position, which follows from these."""
        if (relation, position) not in self._followers:
            rows = self.problem.relations[relation].tuples.tolist()
            followers = {(*row[:position], *row[position + 1 :]): row[position] for row in rows}
            self._followers[relation, position] = followers
        return self._followers[relation, position]

    @cached_property
    def _followers(self) -> dict[tuple[int, int], dict[tuple[int, ...], int]]:
        return {}

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


def with_sums(model: ConstraintModel, projection: Offsets, max_weight: int = MAX_WEIGHT) -> ConstraintModel:
    """The model with the sums that are known instead of their chains of tables.

    State variables of sums have one value each; ``complete`` gives them that of a solution. A sum stays a chain of
    tables if one of them is in another constraint, or in a projection unless all variables are in it, or if a weight is
    too large.
    """
    problem = model.problem
    all_sums = known_sums(problem)
    if not all_sums:
        return model
    is_free = _n_scopes(problem, all_sums) == np.bincount(problem.scopes, minlength=problem.n_variables)
    if len(projection) < problem.n_variables:
        is_free[projection] = False
    free = [known for known in all_sums if is_free[list(known.states)].all()]
    sums = tuple([one for one in free if all(np.abs(term.weights).max() <= max_weight for term in one.terms)])
    states = {state for known in sums for state in known.states}
    of_constraint = model.classification.of_constraint.copy()
    of_constraint[_constraints(sums)] = len(model.classification.distinct)
    always_true = Recognised(ConstraintKind.ALWAYS_TRUE)
    found = Classification((*model.classification.distinct, always_true), of_constraint)
    cliques = (tuple(variable for variable in clique if variable not in states) for clique in model.all_different)
    all_different = tuple(clique for clique in cliques if len(clique) > 1)
    values = View(problem.n_variables, lambda variable: model.values[variable][: 1 if variable in states else None])
    return replace(model, classification=found, values=values, all_different=all_different, sums=sums)


def _constraints(sums: Iterable[LinearSum]) -> Offsets:
    return np.array([constraint for known in sums for constraint in known.constraints], dtype=np.int64)


def _n_scopes(problem: Problem, sums: Iterable[LinearSum]) -> Offsets:
    """For each variable the number of scopes that it is in among the constraints of sums."""
    constraints = _constraints(sums)
    starts = problem.scope_offsets[constraints]
    places, _ = concatenated_ranges(starts, problem.scope_offsets[constraints + 1] - starts)
    return np.bincount(problem.scopes[places], minlength=problem.n_variables)


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
        return f"<Structure: {kinds}; {counted(n, 'all-different group')}>"


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
