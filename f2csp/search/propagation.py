"""What an assignment does to the domains of the other variables: forward checking and arc consistency.

Forward checking (Haralick and Elliott, "Increasing tree search efficiency", 1980) filters the neighbours of the
assigned variable. Maintaining arc consistency (Sabin and Freuder, "Contradicting conventional wisdom", 1994) goes on
from each variable that has lost values until nothing changes; on tables of three variables or more, which lose every
value without support, this is generalised arc consistency.

Both work on the same domains and write every change to a trail, from which the search takes them back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from f2csp.search.network import Network, Table, without_collections

if TYPE_CHECKING:
    from f2csp.search.trace import Trace

DEFINITIONS = {
    "nodes": "consistent partial assignments visited, the empty one included: accepted values + 1",
    "failures": "values rejected: by a check, or because a domain was wiped out",
    "backtracks": "steps back to an earlier variable that has no consistent value below it; a backjump is one, and "
    "so is the end of a search without further solutions",
    "values_tried": "values given to a variable, consistent or not",
    "assignments": "values accepted: those tried that did not fail at once",
    "constraint_checks": "values checked against a constraint (none: with the assigned variables, up to the first "
    "conflict; fc: each value left in the domain of each later variable, up to a wipeout; mac: revisions of a "
    "variable's domain by a constraint); where several constraints are on one pair of variables, one for each",
    "pair_checks": "the same, one for all constraints on a pair of variables",
    "generated": "states made by a state-space search, the first included",
    "expanded": "states whose successors a state-space search has made",
    "peak_depth": "the most variables assigned at once",
}
"""What each counter counts. Variables that ``counted`` leaves out, and auxiliary ones, count nowhere."""


@dataclass(slots=True)
class Counters:
    """The effort of a search; :data:`DEFINITIONS` says what each counter counts."""

    nodes: int = 1
    failures: int = 0
    backtracks: int = 0
    values_tried: int = 0
    assignments: int = 0
    constraint_checks: int = 0
    pair_checks: int = 0
    generated: int = 0
    expanded: int = 0
    peak_depth: int = 0


class Propagation:
    """The current domains, and their changes."""

    def __init__(self, network: Network, domains: Iterable[int], counters: Counters) -> None:
        self.network = network
        self.domains = list(domains)
        self.trail: list[tuple[int, int]] = []  # a variable, and its domain before a change
        self.is_assigned = bytearray(len(self.domains))  # by the search
        self.counters = counters
        self.weights = list(network.degrees)
        self.wiped_out = -1  # the variable that had no value left when an assignment failed
        self.trace: Trace | None = None
        self.node = 0  # of the search tree; a trace numbers them

    def assign(self, variable: int, bit: int) -> bool:
        """Give a variable a value of its domain; false for a wipeout."""
        raise NotImplementedError

    def try_value(self, variable: int, bit: int) -> bool:
        """Assign a value as a step of its own in the trace; false for a wipeout."""
        if self.trace is None:
            return self.assign(variable, bit)
        mark = len(self.trail)
        self.node = self.trace.assign(self.node, variable, bit)
        holds = self.assign(variable, bit)
        self.trace.changes(self, mark, holds, variable)
        return holds

    def report(self, mark: int, holds: bool) -> None:
        """Report all changes but the first ``mark`` in the trace, and whether they ended in a wipeout."""
        if self.trace is not None:
            self.trace.changes(self, mark, holds, -1)

    def backtrack(self, variable: int, node: int) -> None:
        """Report in the trace that the search goes back from a variable without further values to a node."""
        if self.trace is not None:
            self.trace.backtrack(node, variable)

    def undo(self, mark: int) -> None:
        """Take back all changes but the first ``mark``."""
        domains = self.domains
        for variable, domain in reversed(self.trail[mark:]):
            domains[variable] = domain
        del self.trail[mark:]

    def _fail(self, variable: int, scope: Iterable[int]) -> bool:
        """Note a wipeout; the variables of the constraint that caused it gain weight (Boussemart and others, 2004)."""
        self.wiped_out = variable
        for member in scope:
            self.weights[member] += 1
        return False


class ForwardChecking(Propagation):
    """Filters the unassigned neighbours of the assigned variable, in a fixed order, up to a wipeout.

    A table of three variables or more filters its last unassigned one (nFC0 of Bessiere, Meseguer, Freuder and Larrosa,
    "On forward checking for non-binary constraint satisfaction", 2002).
    """

    def __init__(self, network: Network, domains: Iterable[int], counters: Counters, rank: Mapping[int, int]) -> None:
        """Neighbours are filtered by ascending rank."""
        super().__init__(network, domains, counters)
        self.stops = True  # at a wipeout, which is otherwise left for the search to find
        ranked = [sorted(arcs, key=lambda arc: rank[arc.other]) for arcs in network.arcs]
        self._arcs = [[(arc.other, arc.image, arc.n_constraints) for arc in arcs] for arcs in ranked]

    def assign(self, variable: int, bit: int) -> bool:
        domains, is_assigned, trail, stops = self.domains, self.is_assigned, self.trail, self.stops
        if domains[variable] != bit:
            trail.append((variable, domains[variable]))
            domains[variable] = bit
        pairs = checks = 0
        try:
            for other, image, n_constraints in self._arcs[variable]:
                if is_assigned[other]:
                    continue
                old = domains[other]
                n_values = old.bit_count()
                pairs += n_values
                checks += n_values * n_constraints
                new = old & image[bit]
                if new != old:
                    trail.append((other, old))
                    domains[other] = new
                    if not new and stops:
                        return self._fail(other, (variable, other))
        finally:
            self.counters.pair_checks += pairs
            self.counters.constraint_checks += checks
        return not self.network.tables[variable] or self._check_tables(variable)

    def _check_tables(self, variable: int) -> bool:
        domains = self.domains
        for table in self.network.tables[variable]:
            unassigned = [other for other in table.scope if other != variable and not self.is_assigned[other]]
            if len(unassigned) != 1:
                continue
            (other,) = unassigned
            old = domains[other]
            self.counters.pair_checks += old.bit_count()
            self.counters.constraint_checks += old.bit_count()
            new = table.left(other, domains)
            if new != old:
                self.trail.append((other, old))
                domains[other] = new
                if not new and self.stops:
                    return self._fail(other, table.scope)
        return True


class ArcConsistency(Propagation):
    """Keeps the network (generalised) arc consistent.

    A relation such as "different" prunes only from a variable with one value left; other changes do not look at it.
    """

    def assign(self, variable: int, bit: int) -> bool:
        if self.domains[variable] != bit:
            self.trail.append((variable, self.domains[variable]))
            self.domains[variable] = bit
            return self.propagate([variable])
        return True

    @without_collections()
    def establish(self) -> bool:
        """Make the network arc consistent; false for a wipeout."""
        for variable, domain in enumerate(self.domains):
            if not domain:
                return self._fail(variable, ())
        return self.propagate(range(len(self.domains)))

    def propagate(self, changed: Iterable[int]) -> bool:
        """Go on from variables that have lost values until nothing changes; false for a wipeout.

        Pairs come first, then tables, each once for all changes before it.
        """
        domains, trail, constraints_of, waits = self.domains, self.trail, self.network.grouped, self.network.waits
        queue = dict.fromkeys(changed)
        touched: dict[int, None] = {}  # variables whose tables are to be filtered
        tables_of = self.network.tables
        waiting: dict[Table, None] = {}
        n_revisions = 0
        try:
            while queue or waiting:
                while queue:
                    variable, _ = queue.popitem()
                    domain = domains[variable]
                    touched[variable] = None
                    n_arcs, n_waiting, others_of, supports = constraints_of[variable]
                    n_revisions += n_arcs if not domain & (domain - 1) else n_arcs - n_waiting
                    for relation, supported in supports[domain]:
                        for other in others_of[relation]:
                            old = domains[other]
                            new = old & supported
                            if new != old:
                                trail.append((other, old))
                                domains[other] = new
                                if not new & (new - 1):
                                    if not new:
                                        return self._fail(other, (variable, other))
                                    queue[other] = None
                                elif waits[other]:
                                    touched[other] = None
                                else:
                                    queue[other] = None
                waiting |= dict.fromkeys(chain.from_iterable(map(tables_of.__getitem__, touched)))
                touched.clear()
                while waiting and not queue:
                    table, _ = waiting.popitem()
                    n_revisions += len(table.scope)
                    before = table.domains_of(domains)
                    after = table.filtered[before]
                    if after is None:
                        return self._fail(table.scope[0], table.scope)
                    if after != before:
                        for variable, old, new in zip(table.scope, before, after, strict=True):
                            if new != old:
                                trail.append((variable, old))
                                domains[variable] = new
                                if constraints_of[variable].n_arcs:
                                    queue[variable] = None
                                else:
                                    for one in tables_of[variable]:
                                        waiting[one] = None
                        waiting.pop(table, None)  # which leaves its own changes as they are
        finally:
            self.counters.constraint_checks += n_revisions
            self.counters.pair_checks += n_revisions
        return True
