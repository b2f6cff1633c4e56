"""Tables as clauses: what they forbid, tuple by tuple, or what supports each value.

What a table forbids is a clause for each tuple. Supports are the other way round: a value needs one of the tuples in
which it stands. Those of a binary table are clauses on the values alone (Gent, "Arc consistency in SAT", 2002); of a
larger one each tuple has a literal (Bacchus, "GAC via unit propagation", 2007). It holds exactly where all its values
do: if one of them does not, nor does it, and as each value needs a tuple, it holds otherwise.
"""

from collections.abc import Sequence
from enum import StrEnum
from math import prod

import numpy as np

from f2csp.encode.cnf import Cnf, CnfBuilder, rows_of
from f2csp.encode.draft import Draft
from f2csp.encode.pattern import first_literals, stamp
from f2csp.model import Ids, Offsets, Relation
from f2csp.structure import alike, allowed_tuples, forbidden_tuples

_MANY_TIMES = 16  # what a table forbids is not worth listing where it is so much more than what it accepts


class Method(StrEnum):
    """How constraints become clauses."""

    DIRECT = "direct"  # by what they forbid, unless that is very much more than what they accept
    SUPPORT = "support"  # by what supports the values, unless they forbid less than they allow
    ORDER = "order"  # as by supports, but numbers are compared by literals which say that one is at most so large


def write_tables(constraints: Offsets, method: Method, draft: Draft) -> None:
    """Say constraints as the tables that they are, those at once that have equal tables over equal domains."""
    for group in alike(draft.problem, constraints):
        values = [draft.problem.domain_values[domain] for domain in group.domains]
        pattern = table_pattern(group.relation, values, method)
        stamp(pattern, [len(words) for words in values], draft.literals.first[group.scopes], draft.cnf)


def table_pattern(relation: Relation, scope: Sequence[Ids], method: Method) -> Cnf:
    """The clauses for a table.

    Args:
        relation: the table.
        scope: the values of each variable, as indices of words.
        method: how.

    Complexity:
        memory and, but for a sort, time O(n) for a table of n tuples and its domains.
    """
    cnf = CnfBuilder(sum(map(len, scope)))
    table = _as_wanted(relation, scope, method)
    firsts = first_literals([len(values) for values in scope])
    columns = zip(firsts, scope, table.tuples.T, strict=True)
    literals = np.stack([first + _positions(values, words) for first, values, words in columns], axis=1)
    if table.kind == "Reject":
        cnf.add(-literals)
    else:
        _add_supports(literals, cnf)
    return cnf.build()


def _as_wanted(relation: Relation, scope: Sequence[Ids], method: Method) -> Relation:
    """The table as it is, or turned into one of the other kind where that suits the method."""
    n_all = prod(map(len, scope))
    n_allowed = relation.n_tuples if relation.kind == "Accept" else n_all - relation.n_tuples
    most = _MANY_TIMES * relation.n_tuples if method == Method.DIRECT else n_allowed
    lists_forbidden = relation.arity == 1 or n_all - n_allowed <= most
    if lists_forbidden == (relation.kind == "Reject"):
        return relation
    tuples = (forbidden_tuples if lists_forbidden else allowed_tuples)(relation, scope)
    return relation if tuples is None else Relation("Reject" if lists_forbidden else "Accept", tuples)


def _positions(values: Ids, words: Ids) -> Ids:
    """Where words stand in a domain."""
    order = np.argsort(values).astype(np.int32)
    return order[np.searchsorted(values, words, sorter=order)]


def _add_supports(tuples: Ids, cnf: CnfBuilder) -> None:
    """Say that the values of the scope, which are all literals so far, are those of one of these tuples."""
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
    known = np.unique(values)
    for clauses in rows_of(np.concatenate((-known, reasons)), np.concatenate((known, values))):
        cnf.add(clauses)
