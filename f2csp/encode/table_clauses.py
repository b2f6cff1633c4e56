"""Tables as clauses: a clause for each conflict, or the supports of each value.

Supports: a value implies one of the tuples that contain it. Those of a binary table are clauses on the values alone
(Gent, "Arc consistency in SAT", 2002); in a larger table each tuple has a literal (Bacchus, "GAC via unit propagation",
2007). That literal is true exactly where all values of the tuple are.
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate
from math import prod

import numpy as np

from f2csp.encode.cnf import Cnf, CnfBuilder, rows_of
from f2csp.model import Ids, Relation
from f2csp.structure import conflicts, supports

_MAX_CONFLICTS = 16  # for each tuple that a positive table lists; with more conflicts, supports are shorter


class Method(StrEnum):
    """How constraints become clauses."""

    DIRECT = "direct"  # conflicts, unless they are far more than the tuples that a table accepts
    SUPPORT = "support"  # supports, unless a table forbids less than it allows
    ORDER = "order"  # as supports, but comparisons by order literals


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
