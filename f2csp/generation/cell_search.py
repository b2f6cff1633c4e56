"""A small search for the values of cells: bitsets, propagation, the cell with the fewest values first.

A domain is an integer: bit ``i`` is set if the cell may still have the ``i``-th value. Cells that must
differ are peers; everything else is a rule, a function that prunes domains and queues cells with a
new single value.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from f2csp.generation.draws import Draws

Domains = list[int]
Rule = Callable[[Domains, list[int]], bool]
"""Prunes domains and queues cells that get a single value; false for a wipeout."""

Group = Sequence[int]
"""The indices of cells."""


class SearchLimitError(Exception):
    """More values were tried than a search may try."""


class CellSearch:
    """The cells of a board and its rules; ``n_tried`` counts the values that its searches tried at choice points."""

    def __init__(self, n_cells: int, n_values: int, groups: Sequence[Group], rules: Sequence[Rule] = ()) -> None:
        """Cells that differ within each group, and further rules; a group with a cell for each value has them all."""
        self.blank = [(1 << n_values) - 1] * n_cells
        self.n_tried = 0
        complete = [group for group in groups if len(group) == n_values]
        self._rules = [hidden_singles(complete, self.blank[0]), *rules] if complete else list(rules)
        peers: list[dict[int, None]] = [{} for _ in range(n_cells)]
        for group in groups:
            for one, other in combinations(group, 2):
                peers[one][other] = peers[other][one] = None
        self.peers = [tuple(found) for found in peers]

    def assign(self, domains: Domains, cells: list[int]) -> bool:
        """Propagate from cells with a new single value; false for a wipeout."""
        while True:
            while cells:
                cell = cells.pop()
                bit = domains[cell]
                for peer in self.peers[cell]:
                    domain = domains[peer]
                    if domain & bit:
                        domain ^= bit
                        if not domain:
                            return False
                        domains[peer] = domain
                        if not domain & (domain - 1):
                            cells.append(peer)
            before = domains.copy()
            for rule in self._rules:
                if not rule(domains, cells):
                    return False
            if domains == before:
                return True

    def solutions(
        self, domains: Domains, draws: Draws | None = None, max_tried: int | None = None
    ) -> Iterator[Domains]:
        """All solutions within consistent domains; values in a random order if there are draws."""
        last = None if max_tried is None else self.n_tried + max_tried
        stack: list[tuple[Domains, int, int]] = [(domains, -1, 0)]  # domains, and an assignment that is to be made
        while stack:
            domains, cell, bit = stack.pop()
            if bit:
                self.n_tried += 1
                if last is not None and self.n_tried > last:
                    raise SearchLimitError
                domains = domains.copy()
                domains[cell] = bit
                if not self.assign(domains, [cell]):
                    continue
            open_cells = [cell for cell, domain in enumerate(domains) if domain & (domain - 1)]
            if not open_cells:
                yield domains
                continue
            sizes = [domains[cell].bit_count() for cell in open_cells]
            least = min(sizes)
            cell = open_cells[sizes.index(least)]
            bits = [1 << i for i in range(domains[cell].bit_length()) if domains[cell] >> i & 1]
            ordered = bits[::-1] if draws is None else draws.shuffled(bits)
            stack += [(domains, cell, bit) for bit in ordered]


def hidden_singles(groups: Sequence[Group], full: int) -> Rule:
    """Each group has each value: one that fits a single cell is there."""

    def prune(domains: Domains, cells: list[int]) -> bool:
        for group in groups:
            once = twice = 0
            for cell in group:
                domain = domains[cell]
                twice |= once & domain
                once |= domain
            if once != full:
                return False
            single = once & ~twice
            for cell in group if single else ():
                hit = domains[cell] & single
                if hit and hit != domains[cell]:
                    if hit & (hit - 1):
                        return False
                    domains[cell] = hit
                    cells.append(cell)
        return True

    return prune


def less_than(pairs: Sequence[tuple[int, int]]) -> Rule:
    """The first cell of each pair is smaller than the second."""

    def prune(domains: Domains, cells: list[int]) -> bool:
        for smaller, greater in pairs:
            least = domains[smaller] & -domains[smaller]
            below = (1 << max(domains[greater].bit_length() - 1, 0)) - 1
            for cell, kept in ((greater, -2 * least), (smaller, below)):
                if not _restrict(domains, cells, cell, kept):
                    return False
        return True

    return prune


def cage_sums(cages: Sequence[tuple[int, Group]], n_values: int) -> Rule:
    """The values of each cage, which differ, have a total; its values are among the sets of values with this total."""
    sets = {key: _value_sets(*key, n_values) for key in dict.fromkeys((total, len(group)) for total, group in cages)}

    def prune(domains: Domains, cells: list[int]) -> bool:
        for total, group in cages:
            union = fixed = 0
            for cell in group:
                domain = domains[cell]
                union |= domain
                if not domain & (domain - 1):
                    fixed |= domain
            possible = 0
            for values in sets[total, len(group)]:
                if not (fixed & ~values or values & ~union):
                    possible |= values
            for cell in group if union & ~possible else ():
                if not _restrict(domains, cells, cell, possible):
                    return False
        return True

    return prune


def _value_sets(total: int, n: int, n_values: int) -> list[int]:
    """The sets of ``n`` of the values 1, 2, ... with this total; bit ``i`` is the value ``i + 1``."""
    if n == 0:
        return [0] if total == 0 else []
    top = min(total, n_values)
    return [rest | 1 << v - 1 for v in range(n, top + 1) for rest in _value_sets(total - v, n - 1, v - 1)]


def balanced_lines(lines: Sequence[Group]) -> Rule:
    """The rules of a Takuzu for rows and columns of one length.

    No three neighbours are equal, a line has as many zeros as ones, or one more of either, and no two rows and no two
    columns are equal.
    """

    def prune(domains: Domains, cells: list[int]) -> bool:
        complete = set()
        for line in lines:
            ones = zeros = 0
            for i, cell in enumerate(line):
                if domains[cell] == 1:
                    zeros |= 1 << i
                elif domains[cell] == 2:
                    ones |= 1 << i
            some, every = _common(len(line), ones, zeros)
            if every & ~some:
                return False
            new = (every | ~some) & ~(ones | zeros)
            for i, cell in enumerate(line):
                if new >> i & 1:
                    domains[cell] = 2 if every >> i & 1 else 1
                    cells.append(cell)
            if some == every:
                content = line[1] - line[0], some  # rows and columns are not compared
                if content in complete:
                    return False
                complete.add(content)
        return True

    return prune


@lru_cache(maxsize=1 << 16)
def _common(length: int, ones: int, zeros: int) -> tuple[int, int]:
    """The places that are 1 in some, and in every balanced line with these ones and zeros; (0, -1) if there is none."""
    some, every = 0, -1
    for line in _balanced(length):
        if not (ones & ~line or zeros & line):
            some |= line
            every &= line
    return some, every


@lru_cache(maxsize=4)
def _balanced(length: int) -> tuple[int, ...]:
    """The balanced lines of a length without three equal neighbours; bit ``i`` is the cell ``i``."""
    found = [0]
    for i in range(length):
        found = [line | bit << i for line in found for bit in (0, 1) if i < 2 or line >> i - 2 & 3 != bit * 3]
    return tuple(line for line in found if line.bit_count() in (length // 2, (length + 1) // 2))


def _restrict(domains: Domains, cells: list[int], cell: int, kept: int) -> bool:
    """Keep some values of a cell; false if it has none of them."""
    domain = domains[cell] & kept
    if domain != domains[cell]:
        if not domain:
            return False
        domains[cell] = domain
        if not domain & (domain - 1):
            cells.append(cell)
    return True
