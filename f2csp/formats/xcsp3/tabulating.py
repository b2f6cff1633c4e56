"""Tables of what expressions mean over domains."""

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import Collector
from f2csp.formats.assembly import Assembly
from f2csp.formats.xcsp3.expressions import Expression, Program
from f2csp.formats.xcsp3.limits import Limits
from f2csp.formats.xcsp3.operators import BY_NAME, DIVISIONS, Numbers
from f2csp.formats.xcsp3.texts import Span
from f2csp.formats.xcsp3.values import Values
from f2csp.model import Ids, Kind

_AT_ONCE = 1 << 14  # tuples
_LARGEST = 1 << 62

_PAIRS: dict[Program, Kind] = {
    (("", 0), ("", 1), ("eq", 2)): "Accept",
    (("", 0), ("", 1), ("ne", 2)): "Reject",
}
"""What needs no look at all the tuples: the equal ones are accepted or rejected."""


class _Refused(Exception):
    """What cannot be calculated; its text says why."""


class Tabulator:
    """Makes tables of expressions, equal ones over equal domains once."""

    def __init__(self, values: Values, assembly: Assembly, collector: Collector, limits: Limits) -> None:
        """Begin without any."""
        self._values = values
        self._assembly = assembly
        self._collector = collector
        self._limits = limits
        self._known: dict[tuple[Program, tuple[int, ...]], int] = {}

    def relation(self, expression: Expression, what: str, place: Span) -> int | None:
        """The number of the table for an expression, or None if there is none, which is told.

        Args:
            expression: what is to hold; at least one variable is in it.
            what: what messages call the constraint.
            place: where it stands.
        """
        domains = tuple([self._assembly.variable_domains[variable] for variable in expression.scope])
        key = expression.program, domains
        if key not in self._known:
            if expression.program in _PAIRS:
                self._known[key] = self._assembly.relation(_PAIRS[expression.program], self._equal_pairs(*domains))
            else:
                found = self._tabulated(expression.program, domains, what, place)
                if found is None:
                    return None
                self._known[key] = found
        return self._known[key]

    def equal(self, first: int, second: int) -> int:
        """The number of the table that accepts the equal values of two domains."""
        return self._assembly.relation("Accept", self._equal_pairs(first, second))

    def different(self, first: int, second: int, but: Sequence[int] = ()) -> int | None:
        """The number of the table that rejects the equal values of two domains but some, None if there are none."""
        pairs = self._equal_pairs(first, second)
        if but:
            pairs = pairs[~np.isin(pairs[:, 0], self._values.indices(np.array(but, dtype=np.int64)))]
        return self._assembly.relation("Reject", pairs) if len(pairs) else None

    def truth(self, program: Program, place: Span) -> bool | None:
        """Whether an expression without variables holds."""
        try:
            return bool(_holds(program, [], np.zeros(1, dtype=np.int64))[0])
        except _Refused as error:
            self._collector.add("F502", *place, str(error))
            return None

    def _equal_pairs(self, first: int, second: int) -> Ids:
        words = self._assembly.domain_values
        shared = words[first][np.isin(words[first], words[second])]
        return np.stack((shared, shared), axis=1)

    def _tabulated(self, program: Program, domains: tuple[int, ...], what: str, place: Span) -> int | None:
        numbers = [self._values.numbers_of(domain) for domain in domains]
        n_tuples = prod(map(len, numbers))
        if not self._limits.can_tabulate(what, n_tuples, len(program) + len(domains), place):
            return None
        try:
            holds = np.concatenate([_holds(program, numbers, ranks) for ranks in _ranks(n_tuples)])
        except _Refused as error:
            self._collector.add("F502", *place, str(error))
            return None
        accepts = 2 * int(np.count_nonzero(holds)) <= n_tuples
        listed = np.flatnonzero(holds == accepts)
        words = self._assembly.domain_values
        places = np.unravel_index(listed, [len(values) for values in numbers])
        columns = [words[domain][at] for domain, at in zip(domains, places, strict=True)]
        return self._assembly.relation("Accept" if accepts else "Reject", np.stack(columns, axis=1))


def _ranks(n_tuples: int) -> Iterator[Numbers]:
    """The numbers of the tuples, some at once."""
    for start in range(0, n_tuples, _AT_ONCE):
        yield np.arange(start, min(start + _AT_ONCE, n_tuples))


def _holds(program: Program, domains: Sequence[Numbers], ranks: Numbers) -> NDArray[np.bool_]:
    """Whether an expression holds of some tuples, given by their numbers."""
    columns: list[Numbers] = []
    for domain in reversed(domains):
        ranks, places = np.divmod(ranks, len(domain))
        columns.insert(0, domain[places])
    values: list[Numbers] = []
    bounds: list[int] = []
    for step in program:
        if isinstance(step, int):
            values.append(np.full(1, step, dtype=np.int64))
            bounds.append(abs(step))
        elif step[0] == "":
            values.append(columns[step[1]])
            bounds.append(_magnitude(columns[step[1]]))
        else:
            name, n = step
            arguments, magnitudes = values[-n:], bounds[-n:]
            del values[-n:], bounds[-n:]
            bounds.append(BY_NAME[name].bound(*magnitudes))
            if bounds[-1] > _LARGEST:
                raise _Refused(f"the values of {name} may have more than 64 bits")
            if name in DIVISIONS and not arguments[1].all():
                raise _Refused(f"{name} divides by a value that may be 0")
            values.append(BY_NAME[name].function(*arguments).astype(np.int64))
    return np.broadcast_to(values[0] != 0, ranks.shape)


def _magnitude(numbers: Numbers) -> int:
    return max(abs(int(numbers.min())), abs(int(numbers.max())))
