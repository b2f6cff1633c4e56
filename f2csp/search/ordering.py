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
    if order in ("row", "column"):
        last_first = order == "column"
        return sorted(variables, key=lambda variable: _place(network.names[variable], last_first))
    return list(variables)


def _place(name: str, last_first: bool) -> list[int]:
    """The numbers in a name such as V3-12; a name without numbers comes first."""
    numbers = [int(number) for number in _NUMBERS.findall(name)]
    return numbers[::-1] if last_first else numbers


class VariableOrder:
    """Chooses the next variable to assign among some."""

    def __init__(self, propagation: Propagation, variables: Sequence[int], *, skips_single: bool) -> None:
        """The variables are in their static order; those with a single value left may be taken as assigned."""
        self._propagation = propagation
        self._variables = variables
        self._skips_single = skips_single

    def __call__(self) -> int:
        """The next variable; -1 if all are assigned."""
        domains, is_assigned = self._propagation.domains, self._propagation.is_assigned
        for variable in self._variables:
            if not is_assigned[variable] and not (self._skips_single and is_single(domains[variable])):
                return variable
        return -1


class SmallestDomain(VariableOrder):
    """The variable with fewest values left (minimum remaining values), the first of several."""

    def __call__(self) -> int:
        """The next variable; -1 if all are assigned."""
        domains, is_assigned, skips = self._propagation.domains, self._propagation.is_assigned, self._skips_single
        best, least = -1, 1 << 62
        stop = 2 if skips else 0  # no size is less
        for variable in self._variables:
            if is_assigned[variable]:
                continue
            size = domains[variable].bit_count()
            if size < least and not (skips and size == 1):
                best, least = variable, size
                if size <= stop:
                    break
        return best


class SmallestDomainThenDegree(VariableOrder):
    """The variable with fewest values left; of several, the one with most constraints on unassigned variables."""

    def __call__(self) -> int:
        """The next variable; -1 if all are assigned."""
        domains, is_assigned, skips = self._propagation.domains, self._propagation.is_assigned, self._skips_single
        ties: list[int] = []
        least = 1 << 62
        for variable in self._variables:
            size = domains[variable].bit_count()
            if size <= least and not is_assigned[variable] and not (skips and size == 1):
                ties = [*ties, variable] if size == least else [variable]
                least = size
        return max(ties, key=self._degree) if len(ties) > 1 else ties[0] if ties else -1

    def _degree(self, variable: int) -> int:
        network, is_assigned = self._propagation.network, self._propagation.is_assigned
        pairs = sum(arc.n_constraints for arc in network.arcs[variable] if not is_assigned[arc.other])
        return pairs + sum(
            any(not is_assigned[other] for other in table.scope if other != variable)
            for table in network.tables[variable]
        )


class DomainOverWeight(VariableOrder):
    """The variable with the least ratio of values left to the weight of its constraints (dom/wdeg)."""

    def __call__(self) -> int:
        """The next variable; -1 if all are assigned."""
        domains, is_assigned, skips = self._propagation.domains, self._propagation.is_assigned, self._skips_single
        weights = self._propagation.weights
        best, least = -1, float("inf")
        for variable in self._variables:
            if is_assigned[variable]:
                continue
            size = domains[variable].bit_count()
            if skips and size == 1:
                continue
            score = size / weights[variable]
            if score < least:
                best, least = variable, score
        return best


VARIABLE_ORDERS: dict[str, type[VariableOrder]] = {
    "mrv": SmallestDomain,
    "mrv+degree": SmallestDomainThenDegree,
    "dom/wdeg": DomainOverWeight,
} | dict.fromkeys(STATIC_ORDERS, VariableOrder)


def value_order(order: str, seed: int) -> OrderValues:
    """A function that lists the values that a variable has left, in the order in which they are tried."""
    random = Random(seed)  # noqa: S311 - not for secrets

    def least_constraining(propagation: Propagation, variable: int) -> Iterator[int]:
        domains, arcs = propagation.domains, propagation.network.arcs[variable]

        def n_removed(bit: int) -> int:
            return sum(
                (domains[arc.other] & ~arc.image[bit]).bit_count()
                for arc in arcs
                if not propagation.is_assigned[arc.other]
            )

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
