"""The values that unary constraints leave."""

from collections import defaultdict

import numpy as np

from f2csp.model import Ids, Kind, Problem

_NOTHING = np.empty(0, dtype=np.int32)


class Left:
    """What each variable has left after its domain and its unary constraints.

    Values are listed when they are asked for: of a large domain those that are left can be far more than the tuples of
    a table that rejects a few.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._domains: list[int] = problem.variable_domains.tolist()
        self._relations: defaultdict[int, set[int]] = defaultdict(set)
        unary = np.flatnonzero(np.diff(problem.scope_offsets) == 1)
        variables = problem.scopes[problem.scope_offsets[unary]].tolist()
        for variable, relation in zip(variables, problem.constraint_relations[unary].tolist(), strict=True):
            self._relations[variable].add(relation)
        self._listed: dict[tuple[int, ...], Ids] = {}

    def of(self, variable: int) -> Ids:
        """The values that a variable has left, as indices of words; in what order does not matter."""
        domain = self._domains[variable]
        if variable not in self._relations:
            return self._problem.domain_values[domain]
        key = (domain, *sorted(self._relations[variable]))
        if key not in self._listed:
            self._listed[key] = self._list(variable)
        return self._listed[key]

    @property
    def is_nothing(self) -> bool:
        """Whether some variable has none left.

        Complexity:
            time O(n log n) for n tuples in unary tables, whatever the domains.
        """
        return any(self._can_be_nothing(variable) and not len(self.of(variable)) for variable in self._relations)

    def _list(self, variable: int) -> Ids:
        left: Ids = self._problem.domain_values[self._domains[variable]]
        accepted, rejected = self._words(variable, "Accept"), self._words(variable, "Reject")
        if accepted:
            words, counts = np.unique(np.concatenate(accepted), return_counts=True)
            left = words[counts == len(accepted)]
        are_rejected = np.isin(left, np.concatenate([_NOTHING, *rejected]))
        return left[~are_rejected]

    def _can_be_nothing(self, variable: int) -> bool:
        size = len(self._problem.domain_values[self._domains[variable]])
        return bool(self._words(variable, "Accept")) or sum(map(len, self._words(variable, "Reject"))) >= size

    def _words(self, variable: int, kind: Kind) -> list[Ids]:
        """What each table of a kind lists."""
        relations = (self._problem.relations[relation] for relation in self._relations[variable])
        return [relation.tuples[:, 0] for relation in relations if relation.kind == kind]
