"""Backtracking: plain, with backjumping, and with look-ahead.

Chronological backtracking (BT), conflict-directed backjumping (CBJ) and its hybrid with forward checking (FC-CBJ) are
those of Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993, without recursion. A search is a
generator: it stops at each solution, and goes on when it is asked for the next.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field

from f2csp.search.network import Image, Network, Stopped, Table, bits_of
from f2csp.search.ordering import OrderValues
from f2csp.search.propagation import Counters, Propagation

_CHECK_EVERY = 128  # nodes between two looks at the clock


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


class PlainBacktracking:
    """Search in a fixed order of variables and values without inference: BT, or with ``jumps`` CBJ.

    A value is checked against the assigned variables in their order, then against the wider tables of which this is the
    last variable, up to the first conflict. That is done for all values of a variable at once, when the search comes to
    it: each assigned neighbour removes, from the values that are left, those that conflict, after a check of each.
    Values that are not tried yet when the search stops are taken off the counters again.
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
    ) -> None:
        """The variables of the order are assigned and counted; those given have a single value from the start.

        Values are tried ascending; or each that is accepted ``moves`` before the others of its variable.
        """
        self._order, self._counters, self._alarm = order, counters, alarm
        self._domains = domains
        self._rank = rank = {variable: level for level, variable in enumerate((*given, *order), start=-len(given))}
        self._pairs: list[list[tuple[int, Image, int]]] = [[] for _ in order]
        for variable, level in rank.items():
            for arc in network.arcs[variable]:
                if rank.get(arc.other, -1) > max(level, -1):
                    self._pairs[rank[arc.other]].append((variable, arc.image, arc.n_constraints - 1))
        self._tables: list[list[Table]] = [[] for _ in order]
        for level, variable in enumerate(order):
            for table in network.tables[variable]:
                if max(rank.get(other, len(order)) for other in table.scope) == level:
                    self._tables[level].append(table)
        self._bits = list(domains)  # of an assigned variable, its value
        self._moves = moves
        self._values = [list(bits_of(domains[variable])) for variable in order]
        self._places = [0] * len(order)  # of the present values among them, before these moved
        self.node = 0  # of the search tree; a traced search numbers them
        self._n_before = counters.constraint_checks, counters.pair_checks  # checks of the preprocessing

    def solutions(self, *, jumps: bool = False) -> Iterator[list[int]]:
        """The domains at each solution: single values of the variables in the order."""
        order, bits, domains, pairs, tables = self._order, self._bits, self._domains, self._pairs, self._tables
        moves = self._moves
        n_levels, last = len(order), len(order) - 1
        left = [0] * n_levels  # for each level the consistent values that are yet to be tried
        culprits = [0] * n_levels  # for each level those that have to do with failures below it, as a set of levels
        level = assignments = backtracks = n_tried = n_pairs = n_more = peak = 0
        next_check = 0
        is_new = True
        try:
            while level >= 0:
                if is_new:
                    allowed = domains[order[level]]
                    n_tried += allowed.bit_count()
                    for variable, image, more in pairs[level]:
                        n_pairs += allowed.bit_count()
                        if more:  # constraints on the same pair
                            n_more += allowed.bit_count() * more
                        allowed &= image[bits[variable]]
                        if not allowed:
                            break
                    for table in tables[level]:
                        n_pairs += allowed.bit_count()
                        allowed &= self._allowed(table, level)
                else:
                    allowed = left[level]
                if allowed:
                    bit = self._to_front(level, allowed) if moves else allowed & -allowed
                    left[level] = allowed ^ bit
                    bits[order[level]] = bit
                    assignments += 1
                    if assignments >= next_check:
                        next_check = self._alarm.next_check(assignments)
                    if is_new and level >= peak:
                        peak = level + 1
                    is_new = level < last
                    if is_new:
                        level += 1
                    else:
                        self._record(level, assignments, backtracks, n_tried, n_pairs, n_more, peak)
                        yield bits
                        culprits[level] = -1  # all levels
                elif jumps:
                    blamed = (culprits[level] | self._culprits(level)) & ((1 << level) - 1)
                    target = blamed.bit_length() - 1
                    if target < level - 1:
                        values, of_pairs, more = self._untried(range(target + 1, level))
                        n_tried, n_pairs, n_more = n_tried - values, n_pairs - of_pairs, n_more - more
                    culprits[target + 1 : level + 1] = [0] * (level - target)
                    level = target
                    if level >= 0:
                        backtracks += 1
                        culprits[level] |= blamed
                    is_new = False
                else:
                    backtracks += level > 0
                    level -= 1
                    is_new = False
        finally:
            self._record(level, assignments, backtracks, n_tried, n_pairs, n_more, peak)

    def _to_front(self, level: int, allowed: int) -> int:
        """The first of some values in the order of a level, where it moves before all others."""
        values, place = self._values[level], 0
        while not values[place] & allowed:
            place += 1
        self._places[level] = place
        bit = values.pop(place)
        values.insert(0, bit)
        return bit

    def _allowed(self, table: Table, level: int) -> int:
        """The values of the variable of a level that a table allows with those assigned."""
        bits, variable = self._bits, self._order[level]
        bits[variable] = self._domains[variable]
        return table.left(variable, bits)

    def _steps(self, level: int) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
        """Each constraint that the values of a level are checked against.

        Yields:
            The variables, the number of further constraints on the pair, and the values left before and after it.
        """
        before = self._domains[self._order[level]]
        for variable, image, more in self._pairs[level]:
            after = before & image[self._bits[variable]]
            yield (variable,), more, before, after
            before = after
        for table in self._tables[level]:
            bit = self._bits[self._order[level]]
            after = before & self._allowed(table, level)
            self._bits[self._order[level]] = bit
            yield table.scope, 0, before, after
            before = after

    def _culprits(self, level: int) -> int:
        """The levels whose values conflict with some value of a level."""
        levels = 0
        for variables, _, before, after in self._steps(level):
            if before != after:
                for variable in variables:
                    if self._rank[variable] >= 0:
                        levels |= 1 << self._rank[variable]
        return levels

    def _untried(self, levels: range) -> tuple[int, int, int]:
        """The values, pairs and further checks that were counted for values beyond the present ones of some levels."""
        n_tried = n_pairs = n_more = 0
        for level in levels:
            variable = self._order[level]
            after = self._values[level][self._places[level] + 1 :]
            untried = sum(after) if self._moves else -(self._bits[variable] << 1)
            n_tried += (self._domains[variable] & untried).bit_count()
            for _, more, before, _ in self._steps(level):
                n_values = (before & untried).bit_count()
                n_pairs += n_values
                n_more += n_values * more
        return n_tried, n_pairs, n_more

    def _record(
        self, level: int, assignments: int, backtracks: int, n_tried: int, n_pairs: int, n_more: int, peak: int
    ) -> None:
        """Set the counters; the levels up to this one have values yet to be tried."""
        untried, pairs, more = self._untried(range(level + 1))
        counters = self._counters
        counters.values_tried, counters.assignments = n_tried - untried, assignments
        counters.nodes, counters.failures = assignments + 1, n_tried - untried - assignments
        before, before_of_pairs = self._n_before
        counters.pair_checks = before_of_pairs + n_pairs - pairs
        counters.constraint_checks = before + n_pairs - pairs + n_more - more
        counters.backtracks, counters.peak_depth = backtracks, peak


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
                counters.backtracks += level.is_counted and n_counted > 0
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
