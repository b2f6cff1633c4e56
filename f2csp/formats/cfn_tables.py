"""The tables of a .cfn text: costs of the tuples that are listed, or of all of them in order."""

import re
from decimal import Decimal
from math import prod

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import Collector, listed, near_word_hint, shown
from f2csp.formats.assembly import repeated_rows
from f2csp.formats.cfn_tokens import Token
from f2csp.formats.costs import Table, dense_table, sparse_table

_WORD = re.compile(rb'[^\s:,"]++')
_COST = re.compile(rb"[+-]?(?:[0-9]++(?:\.[0-9]*)?|\.[0-9]+)")
_LISTED = 5
_MOST_HINTS = 20
_SOFT = "only what is forbidden and what is allowed has a place in a table"

ALLOWED, FORBIDDEN, SOFT, NO_COST = range(4)


class TableReader:
    """Reads tables, each text of one only once for the same domains."""

    def __init__(self, collector: Collector, spelled: list[list[str]], bound: Decimal) -> None:
        """Begin; ``spelled`` are the values of each domain as toulbar2 calls them."""
        self._collector = collector
        self._spelled = spelled
        self._bound = bound
        self._places: dict[int, dict[bytes, int]] = {}
        self._costs: dict[bytes, int] = {b"inf": FORBIDDEN}
        self._known: dict[tuple[bytes, int | None, tuple[int, ...]], Table] = {}
        self._n_hints = 0

    def read(self, block: bytes, start: int, default: Token | None, domains: list[int]) -> Table | None:
        """The table as places in domains; None if it has a fault.

        Args:
            block: its text.
            start: where that begins.
            default: the cost of the tuples that are not listed; None if all are, without their values.
            domains: those of the variables.
        """
        default_cost = None if default is None else self._cost(default.text.encode())
        key = block, default_cost, tuple(domains)
        if key in self._known:
            return self._known[key]
        if default is not None and default_cost in (SOFT, NO_COST):
            self._tell_cost(default.start, default.end, default.text)
            return None
        words = _WORD.findall(block)
        if default_cost is None:
            table = self._dense(words, block, start, domains)
        else:
            table = self._sparse(words, block, start, default_cost == FORBIDDEN, domains)
        if table is not None:
            self._known[key] = table
        return table

    def _dense(self, words: list[bytes], block: bytes, start: int, domains: list[int]) -> Table | None:
        sizes = tuple(len(self._spelled[domain]) for domain in domains)
        costs = self._checked_costs(words, block, start, step=1)
        if len(words) != prod(sizes):
            message = f"the table has {len(words)} costs for {prod(sizes):,} tuples"
            self._collector.add("F504", start - 1, start + len(block) + 1, message, hint="give one for each tuple")
            return None
        return None if costs is None else dense_table(costs, sizes)

    def _sparse(
        self, words: list[bytes], block: bytes, start: int, is_default_forbidden: bool, domains: list[int]
    ) -> Table | None:
        if not domains:  # one cost, or the default one
            costs = self._checked_costs(words, block, start, step=1)
            is_forbidden = bool(costs[0]) if costs is not None and len(costs) else is_default_forbidden
            return ("Accept" if is_forbidden else "Reject"), np.empty((0, 0), dtype=np.int32)
        width = len(domains) + 1
        if self._has_other_size(words, block, start, width):
            return None
        columns = [list(map(self._places_of(d).get, words[i::width])) for i, d in enumerate(domains)]
        costs = self._checked_costs(words[width - 1 :: width], block, start, step=width)
        if any(None in column for column in columns):
            self._tell_values(words, block, start, domains)
            return None
        rows = np.array(columns, dtype=np.int32).reshape(len(domains), -1).T
        repeats = repeated_rows(rows)
        if repeats:
            bounds = _bounds(block, start)
            for i in repeats:
                span = bounds[i * width][0], bounds[(i + 1) * width - 2][1]
                self._collector.add("F508", *span, "the tuple stands twice in one table", hint="write each tuple once")
        return None if repeats or costs is None else sparse_table(rows, costs, is_default_forbidden)

    def _has_other_size(self, words: list[bytes], block: bytes, start: int, width: int) -> bool:
        """Whether there is a tuple of the wrong size; the first is told, for all that follows is out of step."""
        costs = words[width - 1 :: width]
        odd = next((i for i, word in enumerate(costs) if self._cost(word) == NO_COST), None)
        if odd is None and len(words) % width == 0:
            return False
        bounds = _bounds(block, start)
        first = (len(costs) if odd is None else odd) * width
        last = min(first + width, len(words)) - 1
        message = (
            f"a tuple of {width - 1} values and a cost is due here, and this is {shown(_text(words, first, last))}"
        )
        self._collector.add("F504", bounds[first][0], bounds[last][1], message)
        return True

    def _checked_costs(self, words: list[bytes], block: bytes, start: int, step: int) -> NDArray[np.bool_] | None:
        """For each cost whether it forbids; None if one is soft, of which the first is told."""
        costs = np.array([self._cost(word) for word in words], dtype=np.int8)
        wrong = np.flatnonzero(costs > FORBIDDEN)
        if len(wrong):
            span = _bounds(block, start)[(int(wrong[0]) + 1) * step - 1]
            self._tell_cost(*span, words[int(wrong[0])].decode())
            return None
        forbids: NDArray[np.bool_] = np.equal(costs, FORBIDDEN)
        return forbids

    def _cost(self, word: bytes) -> int:
        if word not in self._costs:
            if not _COST.fullmatch(word):
                return NO_COST
            cost = Decimal(word.decode())
            self._costs[word] = ALLOWED if cost == 0 else FORBIDDEN if cost >= self._bound else SOFT
        return self._costs[word]

    def _tell_cost(self, start: int, end: int, word: str) -> None:
        if self._cost(word.encode()) == NO_COST:
            self._collector.add("F501", start, end, f"{shown(word)} stands where a cost is due")
        else:
            message = f"the cost {shown(word)} is soft: it is neither 0 nor as large as the bound {self._bound}"
            self._collector.add("F502", start, end, message, hint=_SOFT)

    def _places_of(self, domain: int) -> dict[bytes, int]:
        """The place of each value of a domain, by its name and by that place."""
        if domain not in self._places:
            names = self._spelled[domain]
            self._places[domain] = {str(i).encode(): i for i in range(len(names))}
            self._places[domain].update((name.encode(), i) for i, name in enumerate(names))
        return self._places[domain]

    def _tell_values(self, words: list[bytes], block: bytes, start: int, domains: list[int]) -> None:
        bounds = _bounds(block, start)
        width = len(domains) + 1
        for i, word in enumerate(words):
            if i % width == width - 1 or word in self._places_of(domains[i % width]):
                continue
            names = self._spelled[domains[i % width]]
            message = f"value {shown(word.decode())} is not in the domain of its variable"
            self._n_hints += 1
            hint = near_word_hint(word.decode(), names) if self._n_hints <= _MOST_HINTS else None
            label = f"it takes {listed(names, _LISTED)}, or 0 to {len(names) - 1}"
            self._collector.add("F505", *bounds[i], message, label=label, hint=hint)


def _bounds(block: bytes, start: int) -> list[tuple[int, int]]:
    """Where each word of a table begins and ends."""
    return [(start + m.start(), start + m.end()) for m in _WORD.finditer(block)]


def _text(words: list[bytes], first: int, last: int) -> str:
    return b" ".join(words[first : last + 1]).decode()
