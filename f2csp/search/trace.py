"""The steps of a search as records, each removal of values with the constraint that is its reason.

Propagation notes no reasons. They are derived from its trail: at each change, the domains of that moment, and a
constraint that leaves of the domain what is left. docs/json.md describes the records.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from f2csp.model import Problem
from f2csp.search.network import Network, bits_of
from f2csp.search.propagation import Propagation
from f2csp.structure import groups_by_relation

TraceStep = Mapping[str, Any]
"""A record of a trace."""


class Trace:
    """Makes a record of each step, and passes it to an observer."""

    def __init__(self, problem: Problem, network: Network, observer: Callable[[TraceStep], None]) -> None:
        """The network is that of the problem."""
        self._network = network
        self._observer = observer
        self._label = problem.label
        self._n_nodes = 1  # the root
        self._values = [problem.domains[domain].values for domain in problem.variable_domains.tolist()]
        self._images = {(variable, arc.other): arc.image for variable, arcs in enumerate(network.arcs) for arc in arcs}
        self._on: dict[tuple[int, ...], list[int]] = {}  # unary and binary constraints by their ascending scopes
        for group in groups_by_relation(problem):
            if len(group.domains) <= 2:
                for constraint, scope in zip(group.constraints.tolist(), group.scopes.tolist(), strict=True):
                    self._on.setdefault(tuple(sorted(scope)), []).append(constraint)

    def start(self) -> None:
        """Report what unary constraints have removed."""
        for variable, domain in enumerate(self._network.domains):
            removed = (1 << len(self._values[variable])) - 1 ^ domain
            if removed:
                self.prune(0, variable, removed, self._on[variable,], is_last=not domain)

    def assign(self, parent: int, variable: int, bit: int) -> int:
        """Report that a variable is given a value; the number of the new node."""
        node = self._n_nodes
        self._n_nodes += 1
        (value,) = self._named(variable, bit)
        self._write("assign", node, parent=parent, variable=self._network.names[variable], value=value)
        return node

    def prune(self, node: int, variable: int, bits: int, constraints: Sequence[int], *, is_last: bool) -> None:
        """Report values that a variable has lost, and a wipeout if they were its last ones.

        Without constraints, they are one value that had failed as the last assignment (singleton consistency).
        """
        name = self._network.names[variable]
        labels = [self._label(constraint) for constraint in sorted(constraints)]
        reason = {} if labels else {"failed": self._n_nodes - 1}
        self._write("prune", node, variable=name, values=self._named(variable, bits), constraints=labels, **reason)
        if is_last:
            self._write("wipeout", node, variable=name)

    def backtrack(self, node: int, variable: int) -> None:
        """Report that the search goes back to a node from a variable that has no further values."""
        self._write("backtrack", node, variable=self._network.names[variable])

    def solution(self, node: int, domains: Sequence[int]) -> None:
        """Report a solution, found at a node."""
        found = {name: self._named(i, domains[i])[0] for i, name in enumerate(self._network.names)}
        self._write("solution", node, solution=found)

    def changes(self, propagation: Propagation, mark: int, holds: bool, cause: int) -> None:
        """Report the changes of a trail after the first ``mark``.

        Args:
            propagation: it has the domains after them.
            mark: the number of changes that were reported before.
            holds: whether they did not end in a wipeout; a table is filtered without a change then.
            cause: the variable that was assigned, the constraints of which come first; -1 for none.
        """
        domains, trail = list(propagation.domains), propagation.trail[mark:]
        after = []
        for variable, before in reversed(trail):
            after.append(domains[variable])
            domains[variable] = before
        if not holds and all(after):
            trail, after = [*trail, (propagation.wiped_out, -1)], [0, *after]
        for (variable, _), left in zip(trail, reversed(after), strict=True):
            removed = domains[variable] & ~left
            if variable != cause or not left:  # else it is the assignment
                reason = self._reason(domains, variable, left, cause)
                self.prune(propagation.node, variable, removed, reason, is_last=not left)
            domains[variable] = left

    def on_pair(self, first: int, second: int) -> list[int]:
        return self._on[min(first, second), max(first, second)]

    def _reason(self, domains: Sequence[int], variable: int, left: int, cause: int) -> list[int]:
        """The constraints on one scope that leave these values of a variable; none for a value that was refuted."""
        others = [arc.other for arc in self._network.arcs[variable]]
        for other in [cause] * (cause in others) + others:
            if domains[variable] & self._images[other, variable][domains[other]] == left:
                return self.on_pair(variable, other)
        for table in sorted(self._network.tables[variable], key=lambda table: cause not in table.scope):
            if table.left(variable, domains) == left:
                return [table.constraint]
        return []

    def _named(self, variable: int, bits: int) -> list[int | str]:
        return [self._values[variable][bit.bit_length() - 1] for bit in bits_of(bits)]

    def _write(self, event: str, node: int, **content: object) -> None:
        self._observer({"event": event, "node": node, **content})
