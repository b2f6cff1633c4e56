"""A constraint model as clauses: a literal for each value of each variable, and clauses for the constraints.

Auxiliary literals follow from the others. A table is a clause for each conflict, or the supports of each value: it
implies one of the tuples that contain it. Those of a binary table are clauses on the values alone (Gent, "Arc
consistency in SAT", 2002); in a larger table each tuple has a literal, which is true exactly where all values of the
tuple are (Bacchus, "GAC via unit propagation", 2007). Comparisons can be written with order literals, "x is at most k":
Crawford and Baker, "Experimental results on the application of satisfiability algorithms to scheduling problems", 1994;
Tamura et al., "Compiling finite linear CSP into SAT", 2009.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, chain, pairwise
from math import isqrt, prod
from typing import Literal

import numpy as np

from f2csp.arrays import Bools, by_value, count_each, in_order_of_first_use, positions_in, repeat_each, row_codes
from f2csp.encode.cnf import Cnf, CnfBuilder, Literals, literals_of, rows_by_key
from f2csp.model import Ids, Offsets, Problem, Relation
from f2csp.structure import Comparison, ConstraintKind, ConstraintModel, Parity, conflicts, groups_by_relation, supports

MAX_PAIRWISE = 30
"""The largest group that is encoded by pairs: they are still few, and solvers do better with them."""

_MAX_PARITY = 4  # literals of a parity that is written out
_MAX_CONFLICTS = 16  # for each tuple that a positive table lists; with more conflicts, supports are shorter
_ORDERED = {  # whether they are strict, and the step through the scope from the smaller variable
    ConstraintKind.LESS: (True, 1),
    ConstraintKind.LESS_OR_EQUAL: (False, 1),
    ConstraintKind.GREATER: (True, -1),
    ConstraintKind.GREATER_OR_EQUAL: (False, -1),
}


class EncodingMethod(StrEnum):
    """How constraints become clauses."""

    DIRECT = "direct"  # conflicts, unless they are far more than the tuples that a table accepts
    SUPPORT = "support"  # supports, unless a table forbids less than it allows
    ORDER = "order"  # as supports, but comparisons by order literals


@dataclass(frozen=True, slots=True)
class Encoding:
    """A problem as clauses, with as many models as solutions: auxiliary literals follow from those of the values."""

    cnf: Cnf
    literals: Literals  # of the values


def encode(model: ConstraintModel, method: EncodingMethod = EncodingMethod.SUPPORT) -> Encoding:
    """Encode a constraint model.

    Raises:
        Unsuitable: there are more literals than 32 bits can count.

    Complexity:
        memory O(n) for n values in the tables, in the domains of the variables, and in those of the members of each
        all-different clique; time O(n log n).
    """
    encoder = Encoder(model.problem, method)
    if model.is_contradictory:
        encoder.cnf.contradict()
    cliques = AllDifferent(model.all_different, encoder.literals)
    is_possible = cliques.propagate_units(_possible_values(model, encoder.literals))
    encoder.write_variables(is_possible)
    cliques.write(is_possible, encoder.cnf)
    encoder.write_parities(model.parities)
    written = [case.constraints for case in model.parities]
    if method == EncodingMethod.ORDER:
        has_own = encoder.literals.has_own  # two variables over 0 and 1 are compared by a clause or two
        comparisons = [case for case in model.comparisons if case.kind in _ORDERED]
        ordered = [case.only(np.any(has_own[case.scopes], axis=1)) for case in comparisons]
        encoder.write_order(ordered)
        written += [case.constraints for case in ordered]
    encoder.write_tables(model.rest(*written, model.unary, model.never_true))
    return Encoding(encoder.cnf.take(), encoder.literals)


def _possible_values(model: ConstraintModel, literals: Literals) -> Bools:
    """For each value whether it is node-consistent."""
    is_possible = np.ones(literals.n_values, dtype=np.bool_)
    for variable, (start, end) in enumerate(pairwise(literals.starts.tolist())):
        left = model.values[variable]
        if len(left) < end - start:
            is_possible[start:end] = np.isin(literals.words[start:end], left)
    return is_possible


class Encoder:
    """The clauses of a problem in the making."""

    def __init__(self, problem: Problem, method: EncodingMethod = EncodingMethod.SUPPORT) -> None:
        self.literals = literals_of(problem)
        self.cnf = CnfBuilder(int(self.literals.first[-1]) - 1)
        self._problem = problem
        self._method = method
        self._templates: dict[tuple[int, tuple[int, ...]], Cnf] = {}

    def write_variables(self, is_possible: Bools | None = None) -> None:
        """Each variable has exactly one of its possible values; without a mask all are possible."""
        if is_possible is None:
            is_possible = np.ones(self.literals.n_values, dtype=np.bool_)
        literals = self.literals
        if len(np.unique(literals.variables[is_possible])) < self._problem.n_variables:
            self.cnf.contradict()
        self.cnf.add(-literals.values[~is_possible][:, None])
        chosen = is_possible & literals.has_own[literals.variables]
        for rows in rows_by_key(literals.values[chosen], literals.variables[chosen]):
            self.cnf.add(rows)
            at_most_one(rows, self.cnf)

    def write_all_different(self, variables: Sequence[int]) -> None:
        is_possible = np.ones(self.literals.n_values, dtype=np.bool_)
        AllDifferent([variables], self.literals).write(is_possible, self.cnf)

    def write_parities(self, parities: Sequence[Parity]) -> None:
        if not parities:
            return
        ones = np.flatnonzero(self.literals.words == self._problem.words.index("1"))
        one_of = np.zeros(self._problem.n_variables, dtype=np.int32)
        one_of[self.literals.variables[ones]] = self.literals.values[ones]
        for case in parities:
            parity(one_of[case.scopes], case.odd, self.cnf)

    def write_order(self, comparisons: Sequence[Comparison]) -> None:
        """Comparisons by order, with order literals for their variables."""
        if not comparisons:
            return
        pairs, is_strict = _ascending_pairs(comparisons)
        firsts = np.zeros(self._problem.n_variables, dtype=np.int64)  # the first order literal of each
        variables = np.unique(pairs)
        numbers = {}
        for domain, places in by_value(self._problem.variable_domains[variables]):
            words = [self._problem.words[word] for word in self._problem.domain_values[domain].tolist()]
            numbers[domain] = np.array([int(word) for word in words], dtype=np.int64)
            members = variables[places]
            own = self.literals.of_domains[domain]
            template, first = _order_template(numbers[domain], own), self.literals.first[members][:, None]
            firsts[members] = self.cnf.instantiate(template, [int(np.abs(own).max())], first)
        domains = self._problem.variable_domains[pairs]
        _, groups = in_order_of_first_use(row_codes([is_strict.astype(np.int64), *domains.T]))
        for _, places in by_value(groups):
            first, second = (numbers[domain] for domain in domains[places[0]].tolist())
            template = _less_template(first, second, or_equal=not is_strict[places[0]])
            self.cnf.instantiate(template, [len(first) - 1, len(second) - 1], firsts[pairs[places]])

    def write_tables(self, constraints: Offsets) -> None:
        """Constraints as plain tables; equal tables over equal domains share one template."""
        for group in groups_by_relation(self._problem, constraints):
            values = [self._problem.domain_values[domain] for domain in group.domains]
            key = int(self._problem.constraint_relations[group.constraints[0]]), group.domains
            literals = [self.literals.of_domains[domain] for domain in group.domains]
            if key not in self._templates:
                self._templates[key] = table_template(group.relation, values, literals, self._method)
            sizes = [int(np.abs(own).max()) for own in literals]
            self.cnf.instantiate(self._templates[key], sizes, self.literals.first[group.scopes])


def _ascending_pairs(comparisons: Sequence[Comparison]) -> tuple[Ids, Bools]:
    """The variables of each comparison, the one that is to be smaller first; and whether they are to differ."""
    pairs = [case.scopes[:, :: _ORDERED[case.kind][1]] for case in comparisons]
    strict = np.repeat([_ORDERED[case.kind][0] for case in comparisons], [len(scopes) for scopes in pairs])
    order = np.argsort(np.concatenate([case.constraints for case in comparisons]))
    return np.concatenate(pairs)[order], strict[order]


def _order_template(numbers: Offsets, literals: Ids) -> Cnf:
    """Order literals of a variable over these values, as templates: at most the least number, ..., the last but one."""
    cnf = CnfBuilder(int(np.abs(literals).max()))
    if len(numbers) > 1:
        values = literals[np.argsort(numbers)]
        at_most = np.arange(len(numbers) - 1, dtype=np.int32) + cnf.new(len(numbers) - 1)
        cnf.add(np.stack((-at_most[:-1], at_most[1:]), axis=1))
        cnf.add(np.stack((-values[:-1], at_most), axis=1))
        cnf.add(np.stack((-values[1:], -at_most), axis=1))
        if (values > 0).all():  # otherwise, of 0 and 1, these clauses are the same
            cnf.add(np.array([[values[0], -at_most[0]], [values[-1], at_most[-1]]], dtype=np.int32))
        cnf.add(np.stack((values[1:-1], -at_most[1:], at_most[:-1]), axis=1))
    return cnf.take()


def _less_template(first: Offsets, second: Offsets, *, or_equal: bool) -> Cnf:
    """One variable less than another, given the values of the two; over their order literals."""
    cnf = CnfBuilder(len(first) + len(second) - 2)
    side: Literal["left", "right"] = "right" if or_equal else "left"
    # If the second is at most its number j, the first is among its n_below[j] least ones.
    n_below = np.searchsorted(np.sort(first), np.sort(second), side=side).astype(np.int32)
    n_ever = int(n_below[-1])
    at_most = np.arange(len(second) - 1, dtype=np.int32) + len(first)
    n_below = n_below[:-1]
    cnf.add(-at_most[n_below == 0][:, None])
    implies = (n_below > 0) & (n_below < len(first))
    cnf.add(np.stack((-at_most[implies], n_below[implies]), axis=1))
    if n_ever == 0:
        cnf.contradict()
    elif n_ever < len(first):
        cnf.add(np.array([[n_ever]], dtype=np.int32))
    return cnf.take()


# ---- The cases -------------------------------------------------------------------------------------------------------


def at_most_one(groups: Ids, cnf: CnfBuilder) -> None:
    """At most one literal of each group is true: by pairs in small groups, else by a product.

    The product puts the literals on a grid and allows one row and one column of it: Chen, "A new SAT encoding of the
    at-most-one constraint", 2010. Here a row is in use only if one of its literals is true, which the paper leaves
    open; so the auxiliary literals follow from the others, and the number of models does not change. A group of n
    needs O(n) clauses.
    """
    n_groups, n = groups.shape
    if n <= MAX_PAIRWISE:
        first, second = np.triu_indices(n, 1)
        cnf.add(-np.stack((groups[:, first], groups[:, second]), axis=2).reshape(-1, 2))
        return
    n_columns = isqrt(n - 1) + 1
    rows = [slice(start, start + n_columns) for start in range(0, n, n_columns)]
    columns = [slice(start, n, n_columns) for start in range(n_columns)]
    for lines in (rows, columns):
        in_use = np.arange(n_groups * len(lines), dtype=np.int32).reshape(n_groups, -1) + cnf.new(n_groups * len(lines))
        for line, used in zip(lines, in_use.T, strict=True):
            members = groups[:, line]
            cnf.add(np.stack((-members, np.broadcast_to(used[:, None], members.shape)), axis=2).reshape(-1, 2))
            cnf.add(np.concatenate((-used[:, None], members), axis=1))
        at_most_one(in_use, cnf)


class AllDifferent:
    """Cliques of variables that all differ: the literals of all values of all their members."""

    def __init__(self, cliques: Sequence[Sequence[int]], literals: Literals) -> None:
        self._variables = literals.variables
        self._n_variables = len(literals.starts) - 1
        self._n_members = np.array([len(clique) for clique in cliques], dtype=np.int64)
        members = np.fromiter(chain.from_iterable(cliques), dtype=np.int64)
        n_values = literals.starts[members + 1] - literals.starts[members]
        self._values = literals.values_of(members)
        self._literals = literals.values[self._values]
        self._cliques = repeat_each(repeat_each(np.arange(len(cliques), dtype=np.int64), self._n_members), n_values)
        self._n_words = int(literals.words.max(initial=0)) + 1
        self._keys = self._cliques * self._n_words + literals.words[self._values]  # clique and value

    def propagate_units(self, is_possible: Bools) -> Bools:
        """The possible values without the only values of other variables in a clique."""
        n_possible = np.bincount(self._variables[is_possible], minlength=self._n_variables)
        is_assigned = (n_possible == 1)[self._variables[self._values]]
        taken = self._keys[is_assigned & is_possible[self._values]]
        is_possible = is_possible.copy()
        is_possible[self._values[np.isin(self._keys, taken) & ~is_assigned]] = False
        return is_possible

    def write(self, is_possible: Bools, cnf: CnfBuilder) -> None:
        """In each clique at most one variable has a possible value, and at least one where the clique needs all."""
        keep = is_possible[self._values]
        literals, cliques, keys = self._literals[keep], self._cliques[keep], self._keys[keep]
        n_distinct = count_each(np.unique(keys) // self._n_words, len(self._n_members))
        if (n_distinct < self._n_members).any():
            cnf.contradict()
        for rows in rows_by_key(literals, keys):
            at_most_one(rows, cnf)
        needs_all = (n_distinct == self._n_members)[cliques]
        for rows in rows_by_key(literals[needs_all], keys[needs_all]):
            cnf.add(rows)


def parity(groups: Ids, odd: int, cnf: CnfBuilder) -> None:
    """An even (0) or an odd (1) number of literals of each group is true.

    There is a clause for each forbidden assignment, every second one. A long parity is cut, with an auxiliary literal
    for the parity of each piece: O(n) clauses for a group of n.
    """
    n_groups = len(groups)
    while groups.shape[1] > _MAX_PARITY:
        piece = np.arange(n_groups, dtype=np.int32)[:, None] + cnf.new(n_groups)
        _forbid_parity(np.concatenate((groups[:, : _MAX_PARITY - 1], piece), axis=1), 1, cnf)
        groups = np.concatenate((groups[:, _MAX_PARITY - 1 :], piece), axis=1)
    _forbid_parity(groups, 1 - odd, cnf)


def _forbid_parity(groups: Ids, odd: int, cnf: CnfBuilder) -> None:
    n = groups.shape[1]
    is_true = np.arange(1 << n)[:, None] >> np.arange(n) & 1
    signs = np.where(is_true[is_true.sum(axis=1) % 2 == odd], -1, 1).astype(np.int32)
    cnf.add((groups[:, None, :] * signs).reshape(-1, n))


def table_template(relation: Relation, scope: Sequence[Ids], literals: Sequence[Ids], method: EncodingMethod) -> Cnf:
    """The clauses of a table as a template; see :meth:`CnfBuilder.instantiate`.

    The scope is the values of each variable. Their literals begin with 1 for each variable; a 0 that shares its literal
    with 1 has a negative one.
    """
    sizes = [int(np.abs(own).max()) for own in literals]
    cnf = CnfBuilder(sum(sizes))
    shifted = [own + np.sign(own) * shift for own, shift in zip(literals, accumulate(sizes, initial=0), strict=False)]
    table = _respelled(relation, scope, method)
    columns = zip(shifted, scope, table.tuples.T, strict=True)
    tuples = np.stack([own[positions_in(values, words)] for own, values, words in columns], axis=1).astype(np.int32)
    if table.kind == "Reject":
        cnf.add(-tuples)
    else:
        _add_supports(tuples, np.concatenate(shifted).astype(np.int32), cnf)
    return cnf.take()


def _respelled(relation: Relation, scope: Sequence[Ids], method: EncodingMethod) -> Relation:
    """The table itself, or its complement with the opposite sign where the method prefers that."""
    n_all = prod(map(len, scope))
    n_allowed = relation.n_tuples if relation.kind == "Accept" else n_all - relation.n_tuples
    max_conflicts = _MAX_CONFLICTS * relation.n_tuples if method == EncodingMethod.DIRECT else n_allowed
    lists_conflicts = relation.arity == 1 or n_all - n_allowed <= max_conflicts
    tuples = (conflicts if lists_conflicts else supports)(relation, scope)
    return relation if tuples is None else Relation("Reject" if lists_conflicts else "Accept", tuples)


def _add_supports(tuples: Ids, literals: Ids, cnf: CnfBuilder) -> None:
    """The values of the scope, which have these literals, are those of one of the tuples."""
    n_tuples, arity = tuples.shape
    if not n_tuples:
        cnf.contradict()
    unsupported = np.setdiff1d(literals, tuples)
    cnf.add(-unsupported[:, None])
    if arity == 1:
        return
    values = tuples.ravel()
    if arity == 2:
        reasons = tuples[:, ::-1].ravel()
    else:
        reasons = np.repeat(np.arange(n_tuples, dtype=np.int32) + cnf.new(n_tuples), arity)
        cnf.add(np.stack((-reasons, values), axis=1))
    supported = np.unique(values)
    for clauses in rows_by_key(np.concatenate((-supported, reasons)), np.concatenate((supported, values))):
        ordered = np.sort(np.abs(clauses), axis=1)  # with a literal and its negation, a clause is always true
        cnf.add(clauses[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)])
