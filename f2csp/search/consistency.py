"""Consistency before a search: AC-3, AC-2001 and singleton arc consistency.

AC-3 (Mackworth, "Consistency in networks of relations", 1977) looks for a support of each value from the first one on,
whenever the other domain has changed; AC-2001 (Bessiere and Regin, "Refining the basic constraint propagation
algorithm", 2001) goes on from the last support that it has found. Both make the same domains; a constraint check is a
pair of values looked at. Tables of three variables or more are filtered until nothing changes, a check for each value.
Singleton arc consistency (Debruyne and Bessiere, 1997) removes each value whose assignment wipes out a domain.
"""

from collections.abc import Callable
from functools import partial

from f2csp.search.backtracking import Alarm
from f2csp.search.network import Table, bits_of, is_single
from f2csp.search.propagation import ArcConsistency

Preprocess = Callable[[ArcConsistency, Alarm], bool]
"""Removes values from the domains; false for a wipeout."""


def _arc_consistency(propagation: ArcConsistency, alarm: Alarm, *, keeps_supports: bool) -> bool:
    """AC-3, or AC-2001 if it keeps supports."""
    network, domains, counters = propagation.network, propagation.domains, propagation.counters
    # Of a variable's value in its neighbour's domain, the last one found.
    supports: dict[tuple[int, int, int], int] = {}
    arcs = {(variable, arc.other): arc for variable, of_one in enumerate(network.arcs) for arc in of_one}
    queue = dict.fromkeys(arcs)  # of revisions of the first variable against the second; first in, first out
    tables = dict.fromkeys(table for of_one in network.tables for table in of_one)

    def change(variable: int, values: int, against: int | None) -> None:
        propagation.trail.append((variable, domains[variable]))
        domains[variable] = values
        queue.update(dict.fromkeys((arc.other, variable) for arc in network.arcs[variable] if arc.other != against))
        tables.update(dict.fromkeys(network.tables[variable]))

    while queue or tables:
        alarm.next_check(0)
        if not queue:
            if not _filter_table(tables.popitem()[0], propagation, change):
                return False
            continue
        variable, other = pair = next(iter(queue))
        del queue[pair]
        arc = arcs[pair]
        left = n_checks = 0
        for bit in bits_of(domains[variable]):
            last = supports.get((variable, bit, other), 0) if keeps_supports else 0
            if not last & domains[other]:
                candidates = domains[other] & -(last << 1) if last else domains[other]
                supported = arc.image[bit] & candidates
                last = supported & -supported
                n_checks += (candidates & (2 * last - 1)).bit_count() if last else candidates.bit_count()
                supports[variable, bit, other] = last
            left |= bit if last else 0
        counters.pair_checks += n_checks
        counters.constraint_checks += n_checks * arc.n_constraints
        if left != domains[variable]:
            change(variable, left, other)
        if not left:
            return False
    return True


def _filter_table(table: Table, propagation: ArcConsistency, change: Callable[[int, int, int | None], None]) -> bool:
    counters = propagation.counters
    before = table.domains_of(propagation.domains)
    counters.pair_checks += sum(map(int.bit_count, before))
    counters.constraint_checks += sum(map(int.bit_count, before))
    after = table.filtered[before] or (0, *before[1:])
    for variable, old, new in zip(table.scope, before, after, strict=True):
        if old != new:
            change(variable, new, None)
    return after[0] > 0


def _singleton_consistency(propagation: ArcConsistency, alarm: Alarm) -> bool:
    """Try every value until none fails."""
    is_consistent = propagation.establish()
    has_changed = True
    while is_consistent and has_changed:
        has_changed = False
        for variable in range(len(propagation.domains)):
            for bit in bits_of(propagation.domains[variable]):
                if not bit & propagation.domains[variable] or is_single(propagation.domains[variable]):
                    continue
                alarm.next_check(0)
                propagation.report(0, True)
                propagation.trail.clear()
                holds = propagation.try_value(variable, bit)
                propagation.undo(0)
                propagation.node = 0
                if not holds:
                    has_changed = True
                    propagation.trail.append((variable, propagation.domains[variable]))
                    propagation.domains[variable] ^= bit
                    if not propagation.propagate([variable]):
                        return False
    return is_consistent


PREPROCESSING: dict[str, Preprocess] = {
    "ac3": partial(_arc_consistency, keeps_supports=False),
    "ac2001": partial(_arc_consistency, keeps_supports=True),
    "sac": _singleton_consistency,
}
"""What makes a network consistent before a search."""
