"""Backtracking: plain, with backjumping, and with look-ahead.

Chronological backtracking (BT), conflict-directed backjumping (CBJ) and its hybrid with forward checking (FC-CBJ) are
those of Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993, without recursion. A search is a
generator: it stops at each solution, and goes on when it is asked for the next.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from f2csp.search.network import Image, Network, Stopped, Table, bits_of
from f2csp.search.ordering import OrderValues
from f2csp.search.propagation import Counters, Propagation

if TYPE_CHECKING:
    from f2csp.search.trace import Trace

_CHECK_EVERY = 16  # nodes between two looks at the clock


@dataclass
class Alarm:
    """Stops a search when it is late, or at a number of nodes, which is that of one search after the other."""

    is_late: Callable[[], bool]
    node_limit: int | None = None

    def next_check(self, n_assignments: int) -> int:
        """The number of accepted values at which to ask again.

        Raises:
            Stopped: a limit is reached.
        """
        limit = self.node_limit
        if self.is_late() or (limit is not None and n_assignments + 1 >= limit):
            raise Stopped
        following = n_assignments + _CHECK_EVERY
        return following if limit is None else min(following, limit - 1)


class _Check(NamedTuple):
    """What a value is checked against: all constraints on a pair of variables, or a table."""

    levels: int  # those of its variables, as a set
    n_constraints: int  # up to it, with those of the checks before
    table: Table | None
    other: int  # of a pair, the variable that was assigned before


class PlainBacktracking:
    """Search in a fixed order of variables and values without inference: BT, or with ``jumps`` CBJ.

    A value is checked against the assigned variables in their order, then against the wider tables of which this is the
    last variable, up to the first conflict. The values that a check lets pass are found when the search comes to the
    variable.
    """

    def __init__(
        self,
        network: Network,
        domains: Sequence[int],
        given: Sequence[int],
        order: Sequence[int],
        counters: Counters,
        alarm: Alarm,
        moves: bool = False,
        trace: "Trace | None" = None,
    ) -> None:
        """The variables of the order are assigned and counted; those given have a single value from the start.

        Values are tried ascending; or each that is accepted ``moves`` before the others of its variable.
        """
        self._order, self._counters, self._alarm, self._moves, self._trace = order, counters, alarm, moves, trace
        self._domains = domains
        self._bits = list(domains)  # of an assigned variable, its value
        self._values = [list(bits_of(domains[variable])) for variable in order]
        self.node = 0  # of the search tree; a trace numbers them
        self._pairs: list[list[tuple[int, Image]]] = [[] for _ in order]
        self._tables: list[list[Table]] = [[] for _ in order]
        self._checks: list[list[_Check]] = [[] for _ in order]  # of the pairs, then of the tables
        rank = {variable: level for level, variable in enumerate((*given, *order), start=-len(given))}

        def add_check(level: int, scope: Iterable[int], n_constraints: int, table: Table | None, other: int) -> None:
            checks = self._checks[level]
            levels = sum(1 << rank[member] for member in scope if rank[member] >= 0)
            checks.append(_Check(levels, n_constraints + (checks[-1].n_constraints if checks else 0), table, other))

        for variable, level in rank.items():
            for arc in network.arcs[variable]:
                later = rank.get(arc.other, -1)
                if later > max(level, -1):
                    self._pairs[later].append((variable, arc.image))
                    add_check(later, (variable, arc.other), arc.n_constraints, None, variable)
        for level, variable in enumerate(order):
            for table in network.tables[variable]:
                if max(rank.get(other, len(order)) for other in table.scope) == level:
                    self._tables[level].append(table)
                    add_check(level, table.scope, 1, table, -1)

    def solutions(self, *, jumps: bool = False) -> Iterator[list[int]]:
        """The domains at each solution: single values of the variables in the order."""
        order, bits, checks, trace = self._order, self._bits, self._checks, self._trace
        n_levels = len(order)
        untried: list[Iterator[int]] = [iter(())] * n_levels
        passing: list[list[int]] = [[]] * n_levels  # for each level the values that each check lets pass
        culprits = [0] * n_levels  # for each level those that have to do with failures below it, as a set of levels
        nodes = [0] * n_levels  # from which the search came to each level
        level = next_check = peak = 0
        n_tried = n_accepted = n_pairs = n_constraints = n_backtracks = 0
        before = self._counters.pair_checks, self._counters.constraint_checks  # of the preprocessing

        def count() -> None:
            counters = self._counters
            counters.values_tried, counters.assignments, counters.backtracks = n_tried, n_accepted, n_backtracks
            counters.nodes, counters.failures, counters.peak_depth = n_accepted + 1, n_tried - n_accepted, peak
            counters.pair_checks, counters.constraint_checks = before[0] + n_pairs, before[1] + n_constraints

        is_new = True
        try:
            while level >= 0:
                variable = order[level]
                if is_new:
                    untried[level], passing[level] = iter(tuple(self._values[level])), self._passing(level)
                    culprits[level], nodes[level] = 0, self.node
                checks_here, passing_here, conflicts = checks[level], passing[level], 0
                for bit in untried[level]:
                    n_tried += 1
                    if trace is not None:
                        self.node = trace.assign(nodes[level], variable, bit)
                    n_checks = 0
                    for values in passing_here:
                        if not values & bit:
                            break
                        n_checks += 1
                    else:
                        break
                    check = checks_here[n_checks]
                    n_pairs += n_checks + 1
                    n_constraints += check.n_constraints
                    conflicts |= check.levels
                    if trace is not None:
                        reason = [check.table.constraint] if check.table else trace.on_pair(variable, check.other)
                        trace.prune(self.node, variable, bit, reason, is_last=True)
                else:
                    blamed = (culprits[level] | conflicts) & ((1 << level) - 1)
                    self.node = nodes[level]
                    if trace is not None:
                        trace.backtrack(self.node, variable)
                    level = blamed.bit_length() - 1 if jumps else level - 1
                    n_backtracks += 1
                    if level >= 0:
                        culprits[level] |= blamed
                    is_new = False
                    continue
                culprits[level] |= conflicts
                if n_checks:
                    n_pairs += n_checks
                    n_constraints += checks_here[-1].n_constraints
                bits[variable] = bit
                if self._moves:
                    self._values[level].remove(bit)
                    self._values[level].insert(0, bit)
                n_accepted += 1
                if n_accepted >= next_check:
                    next_check = self._alarm.next_check(n_accepted)
                if level >= peak:
                    peak = level + 1
                is_new = level < n_levels - 1
                if is_new:
                    level += 1
                else:
                    count()
                    yield bits
                    culprits[level] = -1  # all levels
        finally:
            count()

    def _passing(self, level: int) -> list[int]:
        """For each check of a level the values that it lets pass, with those assigned before."""
        bits, variable = self._bits, self._order[level]
        passing = [image[bits[other]] for other, image in self._pairs[level]]
        if self._tables[level]:
            bits[variable] = self._domains[variable]
            passing += [table.left(variable, bits) for table in self._tables[level]]
        return passing


@dataclass(slots=True)
class _Level:
    """A variable that a search has chosen, and what it needs to go on with it."""

    variable: int
    values: Iterator[int]  # those yet to be tried
    mark: int  # the length of the trail before any value of the variable
    node: int  # likewise
    is_counted: bool
    culprits: int  # the levels that have to do with its failures, as a set
    prunings: list[tuple[int, int]] = field(default_factory=list)  # pruned variables, and what pruned them before


class _Prunings:
    """For each variable the levels that have to do with the values that its domain has lost, as a set.

    These are Prosser's past-fc. What a table prunes has to do with all its assigned variables.
    """

    def __init__(self, propagation: Propagation) -> None:
        self._propagation = propagation
        self._of_variable: dict[int, int] = {}
        self._level_of: dict[int, int] = {}  # of an assigned variable, as a set

    def of(self, variable: int) -> int:
        return self._of_variable.get(variable, 0)

    def add(self, level: _Level, depth: int) -> None:
        self._level_of[level.variable] = 1 << depth
        for pruned, _ in self._propagation.trail[level.mark :]:
            level.prunings.append((pruned, self.of(pruned)))
            levels = 1 << depth
            for table in self._propagation.network.tables[pruned]:
                if level.variable in table.scope:
                    levels |= sum({self._level_of.get(other, 0) for other in table.scope})
            self._of_variable[pruned] = self.of(pruned) | levels

    def undo(self, level: _Level) -> None:
        self._level_of.pop(level.variable, None)
        while level.prunings:
            pruned, before = level.prunings.pop()
            self._of_variable[pruned] = before


def look_ahead(
    propagation: Propagation,
    choose: Callable[[], int],
    order_values: OrderValues,
    alarm: Alarm,
    is_counted: Callable[[int], bool],
    *,
    jumps: bool = False,
    max_failures: float = float("inf"),
) -> Generator[list[int], None, bool]:
    """Search with propagation after each assignment; with ``jumps`` and forward checking, this is FC-CBJ.

    Whether a variable ``is_counted`` is asked when it is chosen. The search gives up after ``max_failures``, unless it
    has found a solution.

    Yields:
        The domains at each solution.

    Returns:
        Whether it gave up.
    """
    counters, domains = propagation.counters, propagation.domains
    is_assigned, undo = propagation.is_assigned, propagation.undo
    assign = propagation.assign if propagation.trace is None else propagation.try_value
    prunings = _Prunings(propagation)  # kept for jumps only
    levels: list[_Level] = []
    next_check = 0  # the number of accepted values at which to look at the clock
    n_counted = n_failures = 0
    has_found = False
    while True:
        variable = choose()
        if variable < 0:
            has_found = True
            yield domains
            if levels:
                levels[-1].culprits = -1  # all levels
        else:
            values = order_values(propagation, variable)
            mark, node = len(propagation.trail), propagation.node
            levels.append(_Level(variable, values, mark, node, is_counted(variable), prunings.of(variable)))
            is_assigned[variable] = 1
            n_counted += levels[-1].is_counted
            counters.peak_depth = max(counters.peak_depth, n_counted)
        while levels:
            level, depth = levels[-1], len(levels) - 1
            if jumps:
                prunings.undo(level)
            undo(level.mark)
            propagation.node = level.node
            bit = next(level.values, 0)
            if bit:
                counters.values_tried += level.is_counted
                is_accepted = assign(level.variable, bit)
                if jumps:
                    prunings.add(level, depth)
                if is_accepted:
                    counters.assignments += level.is_counted
                    counters.nodes += level.is_counted
                    if counters.assignments >= next_check:
                        next_check = alarm.next_check(counters.assignments)
                    break
                if jumps:
                    level.culprits |= prunings.of(propagation.wiped_out)
                n_failures += 1
                counters.failures += level.is_counted
                if n_failures >= max_failures and not has_found:
                    for one in levels:
                        is_assigned[one.variable] = 0
                    undo(levels[0].mark)
                    propagation.node = levels[0].node
                    propagation.backtrack(level.variable, levels[0].node)
                    return True
            else:
                levels.pop()
                is_assigned[level.variable] = 0
                n_counted -= level.is_counted
                counters.backtracks += level.is_counted
                if jumps:
                    blamed = level.culprits & ((1 << depth) - 1)
                    while len(levels) > blamed.bit_length():
                        skipped = levels.pop()
                        is_assigned[skipped.variable] = 0
                        n_counted -= skipped.is_counted
                        prunings.undo(skipped)
                        undo(skipped.mark)
                        propagation.node = skipped.node
                    if levels:
                        levels[-1].culprits |= blamed
                propagation.backtrack(level.variable, propagation.node)
        else:
            return False
