"""What is left of a problem when the first variables of an order have values: the states that are merged.

A state is a tuple of integers. A stage assigns the next variable of the order, and those that follow from it; the
successors of a state are the states that its values leave. Two partial solutions with the same state have the same
completions, so that a layer of states with numbers is a level of a decision diagram (compare Darwiche and Marquis, "A
Knowledge Compilation Map", JAIR 17, 2002; Bergman et al., "Decision Diagrams for Optimization", 2016, chapter 3).
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

ResidualState = tuple[int, ...]
_Values = tuple[int, ...]
Successor = tuple[ResidualState, _Values]
"""A state and the values of the variables of a stage that lead to it."""

_FREE = -1  # a table that every continuation satisfies, and the mask of all values


class Diagrams:
    """Tables as reduced decision diagrams, over the values of their first column, then of the second and so on.

    A node maps the bit of a value to the node of the next column; to a mask of values where one column is left. A value
    that is missing has no support in a positive table (node 0), and no conflict in a negative one.
    """

    def __init__(self) -> None:
        self.nodes: list[dict[int, int]] = [{}]  # number 0 is none, so that no state contains it
        self._numbers: dict[tuple[object, ...], int] = {}

    def add(self, rows: Sequence[Sequence[int]], is_positive: bool, domains: Sequence[Sequence[int]]) -> int:
        """The node of a table of two columns or more; ``rows`` and ``domains`` have values as bits."""
        if not rows:
            return 0 if is_positive else _FREE
        table = sorted(set(map(tuple, rows)))
        shared = [0, *(_n_shared(*pair) for pair in pairwise(table))]  # columns that a row has in common with the last
        first, masks = 0, dict[int, int]()  # of the last column, by the first row of those that differ nowhere else
        for i, row in enumerate(table):
            first = first if i and shared[i] == len(row) - 1 else i
            masks[first] = masks.get(first, 0) | row[-1]
        whole = sum(domains[-1])
        nodes = {i: ~mask if not is_positive else _FREE if mask == whole else mask for i, mask in masks.items()}
        for column in range(len(domains) - 2, -1, -1):  # as rows may have thousands, without recursion
            children: dict[int, dict[int, int]] = {}
            for i, node in nodes.items():
                first = first if i and shared[i] >= column else i
                children.setdefault(first, {})[table[i][column]] = node
            start = len(domains) - column, is_positive
            nodes = {i: self._node(start, some, len(domains[column])) for i, some in children.items()}
        return nodes[0]

    def _node(self, start: tuple[int, bool], children: dict[int, int], n_values: int) -> int:
        if len(children) == n_values and set(children.values()) == {_FREE}:
            return _FREE
        number = self._numbers.setdefault((*start, *children.items()), len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(children)
        return number

    def moved(self, node: int, is_positive: bool, images: Sequence[Sequence[int]]) -> int:
        """The node of the same tuples with the images of their values, by column; 0 if there is none."""
        if node in (0, _FREE):
            return node
        first, *rest = images
        if not rest:
            return moved_mask(node, first)
        children = [
            (moved_mask(value, first), self.moved(child, is_positive, rest))
            for value, child in self.nodes[node].items()
        ]
        return self._numbers.get((len(images), is_positive, *sorted(children)), 0)


def _n_shared(one: Sequence[int], other: Sequence[int]) -> int:
    """The number of columns before the first in which two rows differ."""
    return next((i for i, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]), len(one))


def moved_mask(mask: int, images: Sequence[int]) -> int:
    """The images of values as bits, or all but these."""
    return ~moved_mask(~mask, images) if mask < 0 else sum(1 << to for at, to in enumerate(images) if mask >> at & 1)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table: the levels of its variables, ascending, and its diagram."""

    levels: tuple[int, ...]
    root: int
    is_positive: bool

    def n_before(self, level: int) -> int:
        """The number of its variables before a level."""
        return bisect_left(self.levels, level)

    def rest(self, n: int) -> "_Rest":
        """The key of what is left when its first ``n`` variables have values; tables with one key leave the same."""
        return self.root, self.levels[:n]


_Rest = tuple[int, tuple[int, ...]]
Key = int | _Rest  # what a state has: the mask of the variable of a level, or the rest of a table


class _Step(NamedTuple):
    """What the value of a variable does to tables of which the same variables have values."""

    source: int  # the place of what was left of them
    target: int  # that of what is left then; if one variable is left, of the mask that they restrict
    is_mask: bool  # whether the target is such a mask
    without: int  # what a value that the tables have not leaves of them


class _Assignment(NamedTuple):
    """What the value of a variable changes; its mask and those of the variables that must differ have places."""

    place: int
    differ: list[int]
    steps: list[_Step]


class _Plan(NamedTuple):
    fresh: list[int]  # what is appended to a state: the masks and tables that this stage touches first
    assignments: list[_Assignment]
    kept: Callable[[list[int]], ResidualState]


class ByVariable:
    """The residual problems of any tables: the values left to each variable, and the rest of each open table.

    Only variables of which some neighbour has a value, and tables of which some variable has one, are in a state. Equal
    tables of which the same variables have values are in it once.
    """

    def __init__(
        self,
        values: Sequence[_Values],
        neighbours: Sequence[Collection[int]],
        tables: Sequence[OpenTable],
        follows: Sequence[bool],
        diagrams: Diagrams,
    ) -> None:
        """Prepare a problem; everything is by level; a variable that follows has one value when its turn comes."""
        self._nodes = diagrams.nodes
        self.start: ResidualState = ()
        self.keys: list[list[Key]] = []  # of each stage, the parts of the states that it leaves
        tables_at: list[list[int]] = [[] for _ in values]
        for t, table in enumerate(tables):
            for level in table.levels[:-1]:
                tables_at[level].append(t)
        starts = [level for level, one in enumerate(follows) if not (level and one)]
        self.stages = [range(begin, end) for begin, end in zip(starts, [*starts[1:], len(values)], strict=True)]
        self._plans: list[_Plan] = []
        alive: list[Key] = []
        opened: set[int] = set()  # the tables in a state
        for levels in self.stages:
            places = {key: place for place, key in enumerate(alive)}

            def place(key: Key, places: dict[Key, int] = places) -> int:
                return places.setdefault(key, len(places))

            assignments = []
            for level in levels:
                steps: dict[_Step, None] = {}
                opened.update(tables_at[level])
                for t in tables_at[level]:
                    table = tables[t]
                    n_before = table.levels.index(level)
                    is_last = level == table.levels[-2]
                    target = place(table.levels[-1] if is_last else table.rest(n_before + 1))
                    step = _Step(place(table.rest(n_before)), target, is_last, 0 if table.is_positive else _FREE)
                    steps[step] = None
                differ = [place(other) for other in neighbours[level] if other > level]
                assignments.append(_Assignment(place(level), differ, list(steps)))
            fresh = [_fresh(key, values) for key in list(places)[len(alive) :]]
            opened = {t for t in opened if tables[t].levels[-2] >= levels.stop}
            used = {tables[t].rest(tables[t].n_before(levels.stop)) for t in opened}
            alive = [key for key in places if (key in used if isinstance(key, tuple) else key >= levels.stop)]
            self.keys.append(alive)
            self._plans.append(_Plan(fresh, assignments, _picker([places[key] for key in alive])))

    def successors(self, stage: int, state: ResidualState) -> Iterator[Successor]:
        """The states that the values of the variables of a stage leave, those that are seen to be dead left out."""
        fresh, assignments, kept = self._plans[stage]
        start = [*state, *fresh]
        place = assignments[0].place
        mask = start[place]
        while mask:
            value = mask & -mask
            mask ^= value
            left = start.copy()
            left[place] = value
            if self._assign(left, assignments):
                yield kept(left), tuple([left[one.place].bit_length() - 1 for one in assignments])

    def _assign(self, left: list[int], assignments: Sequence[_Assignment]) -> bool:
        """Assign to the variables of a stage the values in their masks; whether all others have values left."""
        nodes = self._nodes
        for place, differ, steps in assignments:
            value = left[place]
            for at in differ:
                left[at] &= ~value
                if not left[at]:
                    return False
            for source, target, is_mask, without in steps:
                node = left[source]
                if node == _FREE:
                    continue
                child = nodes[node].get(value, without)
                if is_mask:
                    child &= left[target]
                if not child:
                    return False
                left[target] = child
        return True


def _fresh(key: Key, values: Sequence[_Values]) -> int:
    """What a part of a state is when it is first touched: all values, a whole table, or what a step puts there."""
    if isinstance(key, int):
        return sum(1 << value for value in values[key])
    root, levels = key
    return _FREE if levels else root


def _picker(places: list[int]) -> Callable[[list[int]], ResidualState]:
    """A function that takes the elements at some places of a list."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda left: tuple([left[place] for place in places])
