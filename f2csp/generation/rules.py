"""The rules of puzzles beside groups of different cells, as constraints of a network.

A domain is an integer: bit ``i`` is set if the cell may still have the ``i``-th value.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from f2csp.search import Domains

CellGroup = Sequence[int]
"""The indices of cells."""


class BoardRules(NamedTuple):
    """Further constraints, as a network takes them."""

    ascending: tuple[tuple[int, int], ...] = ()
    tables: tuple[tuple[CellGroup, Callable[[Domains], Domains]], ...] = ()


NO_RULES = BoardRules()


def cage_sums(cages: Sequence[tuple[int, CellGroup]], n_values: int) -> BoardRules:
    """The values of each cage, which differ, have a total; its values are among the sets of values with this total."""
    kinds = {(total, len(group)) for total, group in cages}
    prune = {(total, n): partial(_in_cage, _value_sets(total, n, n_values)) for total, n in kinds}
    return BoardRules(tables=tuple((tuple(group), prune[total, len(group)]) for total, group in cages))


def _in_cage(sets: Sequence[int], domains: Domains) -> Domains:
    union = fixed = possible = 0
    for domain in domains:
        union |= domain
        if not domain & (domain - 1):
            fixed |= domain
    for values in sets:
        if not (fixed & ~values or values & ~union):
            possible |= values
    return tuple([domain & possible for domain in domains])


def _value_sets(total: int, n: int, n_values: int) -> list[int]:
    """The sets of ``n`` of the values 1, 2, ... with this total; bit ``i`` is the value ``i + 1``."""
    if n == 0:
        return [0] if total == 0 else []
    top = min(total, n_values)
    return [rest | 1 << v - 1 for v in range(n, top + 1) for rest in _value_sets(total - v, n - 1, v - 1)]


def balanced_lines(lines: Sequence[CellGroup]) -> BoardRules:
    """The rules of a Takuzu for rows and columns of one length.

    No three neighbours are equal, a line has as many zeros as ones, or one more of either, and no two rows and no two
    columns are equal.
    """
    n = len(lines[0])
    whole = [(range(n * n), partial(_different_lines, parallel)) for parallel in (lines[:n], lines[n:])]
    return BoardRules(tables=(*whole, *((line, _balanced_line) for line in lines)))  # the last ones are filtered first


def _balanced_line(domains: Domains) -> Domains:
    ones = sum(1 << i for i, domain in enumerate(domains) if domain == 2)
    zeros = sum(1 << i for i, domain in enumerate(domains) if domain == 1)
    some, every = _common(len(domains), ones, zeros)
    return tuple([domain & ((~every >> i & 1) | (some >> i & 1) << 1) for i, domain in enumerate(domains)])


def _different_lines(lines: Sequence[CellGroup], domains: Domains) -> Domains:
    contents = [tuple([domains[cell] for cell in line]) for line in lines]
    complete = [content for content in contents if 3 not in content]
    return domains if len(set(complete)) == len(complete) else (0,) * len(domains)


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
