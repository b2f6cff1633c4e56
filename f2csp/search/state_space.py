"""Search in the space of partial assignments: breadth first, depth first, greedy best first, and A*.

A state is what an assignment has left of the domains, its successors are the values of one more variable (Russell and
Norvig, "Artificial Intelligence", 3 and 6). The heuristic is the number of values left beyond one for each variable; A*
adds the number of assignments so far.
"""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from f2csp.search.backtracking import Alarm
from f2csp.search.network import Stopped
from f2csp.search.ordering import OrderValues
from f2csp.search.propagation import Propagation

_MAX_KEPT = 1 << 26  # domains in all states that wait


class _State(NamedTuple):
    """A state that waits to be expanded."""

    priority: int
    number: int  # in the order in which they were generated
    depth: int
    node: int  # of the search tree
    domains: list[int]
    is_assigned: bytes


def state_space(
    propagation: Propagation,
    choose: Callable[[], int],
    order_values: OrderValues,
    alarm: Alarm,
    is_counted: Callable[[int], bool],
    strategy: str,
) -> Iterator[list[int]]:
    """Search by a strategy: ``bfs``, ``dfs``, ``greedy`` or ``astar``.

    Yields:
        The domains at each solution, when its state is taken out of those that wait.
    """
    counters, domains = propagation.counters, propagation.domains
    numbers = count()
    propagation.trail.clear()

    def state(depth: int) -> _State:
        number = next(numbers)
        n_left = sum(map(int.bit_count, domains))
        priority = {"bfs": number, "dfs": -number, "greedy": n_left, "astar": depth + n_left}[strategy]
        return _State(priority, number, depth, propagation.node, list(domains), bytes(propagation.is_assigned))

    waiting = [state(0)]
    counters.generated += 1
    next_check = 0
    while waiting:
        current = heappop(waiting)
        domains[:], propagation.is_assigned[:] = current.domains, current.is_assigned
        propagation.node = current.node
        variable = choose()
        if variable < 0:
            yield domains
            continue
        is_one = is_counted(variable)
        counters.expanded += is_one
        if counters.expanded >= next_check:
            next_check = alarm.next_check(counters.expanded)
        values = list(order_values(propagation, variable))
        for bit in reversed(values) if strategy == "dfs" else values:
            counters.values_tried += is_one
            propagation.is_assigned[variable] = 1
            if propagation.try_value(variable, bit):
                counters.assignments += is_one
                counters.nodes += is_one
                counters.generated += is_one
                heappush(waiting, state(current.depth + is_one))
            else:
                counters.failures += is_one
            propagation.undo(0)
            propagation.node = current.node
        counters.peak_depth = max(counters.peak_depth, current.depth + is_one)
        if len(waiting) * len(domains) > _MAX_KEPT:
            raise Stopped
