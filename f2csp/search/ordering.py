"""The orders in which a search takes variables and values.

Smallest domain first is from Haralick and Elliott, 1980, its ties by degree from Brelaz, 1979; the domain over the
weighted degree from Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints", 2004
(here all constraints of a variable weigh, also those without another open variable). Values that leave the neighbours
most come first in ``lcv`` (least constraining value; Russell and Norvig, "Artificial Intelligence", 6.3). In
``recent``, a value that is tried moves before the others of its variable, as in the code of that book: there the values
that an assignment removes come back behind it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from math import inf
from random import Random

from f2csp.search.network import Network, bits_of, is_single
from f2csp.search.propagation import Propagation

OrderValues = Callable[[Propagation, int], Iterator[int]]

STATIC_ORDERS = ("static", "name", "row", "column")

_NUMBERS = re.compile(r"[0-9]+")


def static_order(network: Network, variables: Sequence[int], order: str) -> list[int]:
    """Some variables in a fixed order: that of the problem, of their names, or along rows or columns of a board."""
    if order == "name":
        return sorted(variables, key=lambda variable: network.names[variable])
    if order in ("row", "column"):  # by the numbers in names such as V3-12; those without numbers come first
        step = 1 if order == "row" else -1
        return sorted(variables, key=lambda variable: [*map(int, _NUMBERS.findall(network.names[variable]))][::step])
    return list(variables)


def variable_order(
    order: str, propagation: Propagation, variables: Sequence[int], *, skips_single: bool
) -> Callable[[], int]:
    """A function that chooses the next of some variables, the first of several alike; -1 if all are assigned.

    The variables are in their static order; those with a single value left may be taken as assigned.
    """
    domains, is_assigned, weights = propagation.domains, propagation.is_assigned, propagation.weights
    network = propagation.network

    def is_open(variable: int) -> bool:
        return not is_assigned[variable] and not (skips_single and is_single(domains[variable]))

    def size(variable: int) -> int:
        return domains[variable].bit_count()

    def degree(variable: int) -> int:
        """The number of constraints on unassigned variables."""
        pairs = sum(arc.n_constraints for arc in network.arcs[variable] if not is_assigned[arc.other])
        others = ((other for other in table.scope if other != variable) for table in network.tables[variable])
        return pairs + sum(not all(map(is_assigned.__getitem__, some)) for some in others)

    def smallest() -> int:
        best, least = -1, inf
        for variable in variables:
            values = domains[variable]
            if not is_assigned[variable] and (values & (values - 1) or not skips_single):
                n_values = values.bit_count()
                if n_values < least:
                    best, least = variable, n_values
                    if least <= (2 if skips_single else 0):  # no open variable has fewer values
                        break
        return best

    def smallest_then_degree() -> int:
        unassigned = list(filter(is_open, variables))
        least = min(map(size, unassigned), default=0)
        return max([variable for variable in unassigned if size(variable) == least], key=degree, default=-1)

    def least_ratio() -> int:  # the default, and so without a call for each variable
        best, least = -1, inf
        for variable in variables:
            values = domains[variable]
            if not is_assigned[variable] and (values & (values - 1) or not skips_single):
                ratio = values.bit_count() / weights[variable]
                if ratio < least:
                    best, least = variable, ratio
        return best

    chosen = {"mrv": smallest, "mrv+degree": smallest_then_degree, "dom/wdeg": least_ratio}
    return chosen.get(order, lambda: next(filter(is_open, variables), -1))


def value_order(order: str, seed: int) -> OrderValues:
    """A function that lists the values that a variable has left, in the order in which they are tried."""
    random = Random(seed)  # noqa: S311 - not for secrets

    def least_constraining(propagation: Propagation, variable: int) -> Iterator[int]:
        domains = propagation.domains
        arcs = [arc for arc in propagation.network.arcs[variable] if not propagation.is_assigned[arc.other]]

        def n_removed(bit: int) -> int:
            return sum((domains[arc.other] & ~arc.image[bit]).bit_count() for arc in arcs)

        return iter(sorted(bits_of(domains[variable]), key=n_removed))

    def shuffled(propagation: Propagation, variable: int) -> Iterator[int]:
        values = list(bits_of(propagation.domains[variable]))
        random.shuffle(values)
        return iter(values)

    def static(propagation: Propagation, variable: int) -> Iterator[int]:
        return bits_of(propagation.domains[variable])

    latest_first: dict[int, list[int]] = {}  # for each variable all its values

    def recent(propagation: Propagation, variable: int) -> Iterator[int]:
        values = latest_first.setdefault(variable, list(bits_of(propagation.network.domains[variable])))
        for bit in [bit for bit in values if bit & propagation.domains[variable]]:
            values.remove(bit)
            values.insert(0, bit)
            yield bit

    return {"static": static, "lcv": least_constraining, "random": shuffled, "recent": recent}[order]
