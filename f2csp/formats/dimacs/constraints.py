"""Rejected tuples as constraints: those of one scope in one table, equal tables once."""

import numpy as np

from f2csp.arrays import by_value, has_equal, repeats, row_codes
from f2csp.formats.dimacs.tables import Rows
from f2csp.model import Ids, Kind, Offsets, Relation

_MOST_COLUMNS = 32  # of tables that are compared column by column


class Constraints:
    """Collects constraints in any order, each with the clause after which it comes.

    Attributes:
        relations: the distinct tables; in the order of their use when all is built.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.relations: list[Relation] = []
        self._clauses: list[Offsets] = []
        self._scopes: list[Ids] = []
        self._used: list[Ids] = []

    def add_impossible(self, clauses: list[int]) -> None:
        """Add constraints that never hold, on the first variable."""
        if clauses:
            self._append(np.array(clauses), np.zeros((len(clauses), 1), dtype=np.int32), [_never()])

    def add_each(self, rows: Rows) -> None:
        """Add a constraint for each tuple."""
        tables, which = _distinct(rows.positions[:, None, :])
        self._append(rows.clauses, rows.scopes, tables, which)

    def add_by_scope(self, rows: Rows) -> None:
        """Add a constraint for each set of variables, in the order in which these stand first."""
        scopes, order = rows.scopes, None
        if not (scopes[:, 1:] > scopes[:, :-1]).all():
            order = np.argsort(scopes, axis=1)
            scopes = np.take_along_axis(scopes, order, axis=1)
        keys = row_codes(scopes.T)
        runs = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))  # mostly all tuples of a scope follow each other
        of_runs = np.unique(keys[runs], return_inverse=True)[1]
        groups = np.repeat(of_runs, np.diff(runs, append=len(keys)))
        by_group = np.argsort(groups, kind="stable")
        groups = groups[by_group]
        clauses, scopes, values = rows.clauses[by_group], rows.scopes[by_group], rows.positions[by_group]
        if order is not None:
            order = order[by_group]
            as_first = np.argsort(order[np.searchsorted(groups, groups)], axis=1)
            values = np.take_along_axis(np.take_along_axis(values, order, axis=1), as_first, axis=1)
        keys = row_codes((groups, *values.T))
        if has_equal(keys):
            is_new = np.ones(len(keys), dtype=np.bool_)
            is_new[list(repeats(keys))] = False
            groups, clauses, scopes, values = groups[is_new], clauses[is_new], scopes[is_new], values[is_new]
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        for size, places in by_value(np.diff(starts, append=len(groups))):
            tuples = values[starts[places][:, None] + np.arange(size)]
            tables, which = _distinct(tuples)
            self._append(clauses[starts[places]], scopes[starts[places]], tables, which)

    def build(self) -> tuple[Ids, Offsets, Ids]:
        """The scopes end to end, where each begins, and the number of each one's table."""
        sizes = [np.full(len(scopes), scopes.shape[1], dtype=np.int64) for scopes in self._scopes]
        arities = np.concatenate([np.empty(0, dtype=np.int64), *sizes])
        used = np.concatenate([np.empty(0, dtype=np.int32), *self._used])
        flat = np.concatenate([np.empty(0, dtype=np.int32), *(scopes.ravel() for scopes in self._scopes)])
        order = np.argsort(np.concatenate([np.empty(0, dtype=np.int64), *self._clauses]), kind="stable")
        starts = (np.cumsum(arities) - arities)[order]
        arities, used = arities[order], used[order]
        offsets = np.concatenate(([0], np.cumsum(arities)))
        scopes = flat[np.repeat(starts - offsets[:-1], arities) + np.arange(offsets[-1])]
        distinct, firsts = np.unique(used, return_index=True)
        in_use = distinct[np.argsort(firsts)]
        numbers = np.zeros(len(self.relations), dtype=np.int32)
        numbers[in_use] = np.arange(len(in_use), dtype=np.int32)
        self.relations = [self.relations[i] for i in in_use.tolist()]
        return scopes, offsets, numbers[used]

    def _append(self, clauses: Offsets, scopes: Ids, tables: list[Relation], which: Offsets | None = None) -> None:
        """Add constraints with some new tables; without ``which`` all have the first."""
        first = len(self.relations)
        self.relations += tables
        self._clauses.append(clauses)
        self._scopes.append(scopes)
        used = np.zeros(len(clauses), dtype=np.int64) if which is None else which
        self._used.append((used + first).astype(np.int32))


def _distinct(tables: Ids) -> tuple[list[Relation], Offsets]:
    """The distinct tables of some of the same shape, and which each is; shape (n_tables, n_tuples, arity)."""
    rows = tables.reshape(len(tables), -1)
    if rows.shape[1] <= _MOST_COLUMNS:
        _, firsts, which = np.unique(row_codes(rows.T), return_index=True, return_inverse=True)
        return [_table(tables[first]) for first in firsts.tolist()], which
    known: dict[bytes, int] = {}
    which = np.array([known.setdefault(row.tobytes(), len(known)) for row in rows])
    firsts = np.unique(which, return_index=True)[1]
    return [_table(tables[first]) for first in firsts.tolist()], which


def _table(tuples: Ids, kind: Kind = "Reject") -> Relation:
    return Relation(kind, np.array(tuples, dtype=np.int32))


def _never() -> Relation:
    return _table(np.empty((0, 1), dtype=np.int32), "Accept")
