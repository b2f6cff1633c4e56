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


def table_template(relation: Relation, scope: Sequence[Ids], method: Method) -> Cnf:
    """The clauses of a table over these values of its variables, as a template; see :meth:`CnfBuilder.instantiate`."""
    cnf = CnfBuilder(sum(map(len, scope)))
    table = _respelled(relation, scope, method)
    firsts = accumulate(map(len, scope[:-1]), initial=1)
    columns = zip(firsts, scope, table.tuples.T, strict=True)
    literals = np.stack([first + _positions(values, words) for first, values, words in columns], axis=1)
    if table.kind == "Reject":
        cnf.add(-literals)
    else:
        _add_supports(literals, cnf)
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


def _add_supports(tuples: Ids, cnf: CnfBuilder) -> None:
    """The values of the scope, which are all literals so far, are those of one of the tuples."""
    n_tuples, arity = tuples.shape
    if not n_tuples:
        cnf.contradict()
    unsupported = np.setdiff1d(np.arange(1, cnf.n_literals + 1, dtype=np.int32), tuples)
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
        cnf.add(clauses)
