"""A problem put together from what a reader has already found right, without a look at each tuple."""

from collections.abc import Collection, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Kind, Problem, Relation
from f2csp.model.builder import labels_if_named


class Assembly:
    """Takes domains, variables, tables and constraints by their numbers, and gives the problem.

    Attributes:
        words: the number of each value, in the order in which they first appear.
        domain_values: for each domain the numbers of its values.
        domain_names: the names of the domains.
        variable_names: the names of the variables.
        variable_domains: for each variable the number of its domain.
    """

    def __init__(self, title: str = "") -> None:
        """Begin an empty problem."""
        self.words: dict[str, int] = {}
        self.domain_values: list[Ids] = []
        self.domain_names: list[str] = []
        self.variable_names: list[str] = []
        self.variable_domains: list[int] = []
        self._title = title
        self._tables: list[Relation] = []
        self._known: dict[tuple[Kind, int, bytes], int] = {}
        self._scopes: list[int] = []
        self._constraint_relations: list[int] = []

    def domain(self, name: str, words: Sequence[str]) -> int:
        """Add a domain and give its number."""
        numbers = [self.words.setdefault(word, len(self.words)) for word in words]
        self.domain_values.append(np.array(numbers, dtype=np.int32))
        self.domain_names.append(name)
        return len(self.domain_names) - 1

    def variable(self, name: str, domain: int) -> int:
        """Add a variable and give its number."""
        self.variable_names.append(name)
        self.variable_domains.append(domain)
        return len(self.variable_names) - 1

    def relation(self, kind: Kind, tuples: Ids) -> int:
        """The number of a table; equal tables have the same."""
        table = Relation(kind, np.ascontiguousarray(tuples, dtype=np.int32))
        number = self._known.setdefault(table.key, len(self._tables))
        if number == len(self._tables):
            self._tables.append(table)
        return number

    def constraint(self, scope: Sequence[int], relation: int) -> None:
        """Add a constraint by the numbers of its variables and of its table."""
        self._scopes.extend(scope)
        self._constraint_relations.append(relation)

    def build(self, labels: Sequence[str | None] | None = None) -> Problem:
        """The problem; tables that no constraint has are left out."""
        numbers = np.array(self._constraint_relations, dtype=np.int32)
        used, order = _in_order_of_use(numbers)
        tables = tuple(self._tables[i] for i in used)
        arities = np.array([table.arity for table in tables], dtype=np.int64)
        relations = order[numbers].astype(np.int32)
        return Problem(
            title=self._title,
            words=tuple(self.words),
            domain_names=tuple(self.domain_names),
            domain_values=tuple(self.domain_values),
            variable_names=tuple(self.variable_names),
            variable_domains=np.array(self.variable_domains, dtype=np.int32),
            relations=tables,
            scopes=np.array(self._scopes, dtype=np.int32),
            scope_offsets=np.concatenate([[0], np.cumsum(arities[relations])]).astype(np.int64),
            constraint_relations=relations,
            labels=None if labels is None else labels_if_named(labels),
        )


def free_name(first: str, taken: Collection[str]) -> str:
    """The first of NAME1, NAME2, ... that is not taken."""
    return next(name for name in map(f"{first}{{}}".format, count(1)) if name not in taken)


def _in_order_of_use(numbers: NDArray[np.int32]) -> tuple[list[int], NDArray[np.int64]]:
    """The numbers in the order in which they first appear, and for each its place in that order."""
    distinct, first = np.unique(numbers, return_index=True)
    used = distinct[np.argsort(first)]
    order = np.zeros(int(distinct[-1]) + 1 if len(distinct) else 0, dtype=np.int64)
    order[used] = np.arange(len(used))
    return used.tolist(), order


def repeated_rows(rows: Ids) -> list[int]:
    """The rows that are the same as one before, in order."""
    codes = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        codes = np.unique(codes, return_inverse=True)[1] * (int(column.max(initial=0)) + 1) + column
    order = np.argsort(codes, kind="stable")
    is_repeat = codes[order][1:] == codes[order][:-1]
    repeats: list[int] = np.sort(order[1:][is_repeat]).tolist()
    return repeats
