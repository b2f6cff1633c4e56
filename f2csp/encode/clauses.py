"""The cases of a constraint model as clauses: at most one literal, all-different cliques, parities, tables.

Auxiliary literals follow from the others. A table is a clause for each conflict, or the supports of each value: it
implies one of the tuples that contain it. Those of a binary table are clauses on the values alone (Gent, "Arc
consistency in SAT", 2002); in a larger table each tuple has a literal, which is true exactly where all values of the
tuple are (Bacchus, "GAC via unit propagation", 2007).
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate, chain
from math import isqrt, prod

import numpy as np

from f2csp.arrays import Bools
from f2csp.encode.cnf import Cnf, CnfBuilder, Literals, rows_of
from f2csp.model import Ids, Relation
from f2csp.structure import conflicts, supports

MAX_PAIRWISE = 30
"""The largest group that is encoded by pairs: they are still few, and solvers do better with them."""

_MAX_PARITY = 4  # literals of a parity that is written out
_MAX_CONFLICTS = 16  # for each tuple that a positive table lists; with more conflicts, supports are shorter


class Method(StrEnum):
    """How constraints become clauses."""

    DIRECT = "direct"  # conflicts, unless they are far more than the tuples that a table accepts
    SUPPORT = "support"  # supports, unless a table forbids less than it allows
    ORDER = "order"  # as supports, but comparisons by order literals


def at_most_one(groups: Ids, cnf: CnfBuilder) -> None:
    """At most one literal of each group is true: by pairs in small groups, else by a product.

    The product puts the literals on a grid and allows one row and one column of it: Chen, "A new SAT encoding of the
    at-most-one constraint", 2010. Here a row is in use only if one of its literals is true, which the paper leaves
    open; so the auxiliary literals follow from the others, and the number of models does not change. A group of n
    needs O(n) clauses.
    """
    n_groups, n = groups.shape
    if n <= MAX_PAIRWISE:
        one, other = np.triu_indices(n, 1)
        cnf.add(-np.stack((groups[:, one], groups[:, other]), axis=2).reshape(-1, 2))
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
        self._cliques = np.repeat(np.repeat(np.arange(len(cliques)), self._n_members), n_values)
        self._n_words = int(literals.words.max(initial=0)) + 1
        self._keys = self._cliques * self._n_words + literals.words[self._values]  # clique and value

    def propagate_units(self, is_possible: Bools) -> Bools:
        """The possible values, except those that are the only value of another variable in a clique."""
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
        n_distinct = np.bincount(np.unique(keys) // self._n_words, minlength=len(self._n_members))
        if (n_distinct < self._n_members).any():
            cnf.contradict()
        for rows in rows_of(literals, keys):
            at_most_one(rows, cnf)
        needs_all = (n_distinct == self._n_members)[cliques]
        for rows in rows_of(literals[needs_all], keys[needs_all]):
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


def table_template(relation: Relation, scope: Sequence[Ids], literals: Sequence[Ids], method: Method) -> Cnf:
    """The clauses of a table as a template; see :meth:`CnfBuilder.instantiate`.

    The scope is the values of each variable. Their literals begin with 1 for each variable; a 0 that shares its literal
    with 1 has a negative one.
    """
    sizes = [int(np.abs(own).max()) for own in literals]
    cnf = CnfBuilder(sum(sizes))
    shifted = [own + np.sign(own) * shift for own, shift in zip(literals, accumulate(sizes, initial=0), strict=False)]
    table = _respelled(relation, scope, method)
    columns = zip(shifted, scope, table.tuples.T, strict=True)
    tuples = np.stack([own[_positions(values, words)] for own, values, words in columns], axis=1).astype(np.int32)
    if table.kind == "Reject":
        cnf.add(-tuples)
    else:
        _add_supports(tuples, np.concatenate(shifted).astype(np.int32), cnf)
    return cnf.take()


def _respelled(relation: Relation, scope: Sequence[Ids], method: Method) -> Relation:
    """The table itself, or its complement with the opposite sign where the method prefers that."""
    n_all = prod(map(len, scope))
    n_allowed = relation.n_tuples if relation.kind == "Accept" else n_all - relation.n_tuples
    max_conflicts = _MAX_CONFLICTS * relation.n_tuples if method == Method.DIRECT else n_allowed
    lists_conflicts = relation.arity == 1 or n_all - n_allowed <= max_conflicts
    tuples = (conflicts if lists_conflicts else supports)(relation, scope)
    return relation if tuples is None else Relation("Reject" if lists_conflicts else "Accept", tuples)


def _positions(values: Ids, words: Ids) -> Ids:
    """The positions of words in a domain."""
    order = np.argsort(values).astype(np.int32)
    return order[np.searchsorted(values, words, sorter=order)]


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
    for clauses in rows_of(np.concatenate((-supported, reasons)), np.concatenate((supported, values))):
        ordered = np.sort(np.abs(clauses), axis=1)  # with a literal and its negation, a clause is always true
        cnf.add(clauses[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)])
