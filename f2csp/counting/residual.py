"""What is left of a problem when the first variables of an order have values: the states that are merged.

A state is a tuple of integers. Level ``i`` assigns the variable ``i`` of the order; the successors of a state are the
states that its values leave. Two partial solutions with the same state have the same completions, so that a layer of
states with numbers is a level of a decision diagram (compare Darwiche and Marquis, "A Knowledge Compilation Map",
JAIR 17, 2002; Bergman et al., "Decision Diagrams for Optimization", 2016, chapter 3).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

State = tuple[int, ...]
Values = Sequence[int]  # of a variable

_FREE = -1  # a table that is satisfied whatever follows


class Successor(NamedTuple):
    """A value, in how many ways the state has it, and the state that it leaves."""

    value: int
    n_ways: int  # values that leave equal states; always 1 where values are not merged
    state: State


class Residuals(Protocol):
    """A way to write down what is left of a problem."""

    start: State

    def successors(self, level: int, state: State, *, each: bool = False) -> Iterator[Successor]:
        """The states that the values of the variable of this level leave, those that are seen to be dead left out.

        Values that leave equal states come once, unless ``each`` asks for all.
        """

    def merged(self, state: State) -> State:
        """The state that stands for all states with as many completions."""


class ByValue:
    """The residual problems of variables that must differ and nothing else: for each value the variables open to it.

    Such a problem does not change if values change places. States that differ only so are merged: sorted, they are
    equal. Bit ``j`` of a mask is the variable ``j`` levels below the current one.
    """

    def __init__(self, values: Sequence[Values], neighbours: Sequence[set[int]]) -> None:
        """Prepare a problem; ``values`` and ``neighbours`` (those that must differ) are by level."""
        self._n_levels = len(values)
        self.values = sorted({value for some in values for value in some})
        self.start = tuple(
            sum(1 << level for level, some in enumerate(values) if value in some) for value in self.values
        )
        self._kept = [~sum(1 << (j - i - 1) for j in some if j > i) for i, some in enumerate(neighbours)]

    def merged(self, state: State) -> State:
        """The state with the values in a fixed order."""
        return tuple(sorted(state))

    def successors(self, level: int, state: State, *, each: bool = False) -> Iterator[Successor]:
        """The states that the values leave; values with equal masks leave equal ones."""
        kept = self._kept[level]
        everything = (1 << (self._n_levels - level - 1)) - 1
        below = [mask >> 1 for mask in state]
        seen: set[int] = set()
        for index, mask in enumerate(state):
            if not mask & 1 or mask in seen:
                continue
            n = 1
            if not each:
                seen.add(mask)
                n = state.count(mask)
            left = below.copy()
            left[index] &= kept
            covered = 0
            for one in left:
                covered |= one
            if covered == everything:  # every variable has a value left
                yield Successor(self.values[index], n, tuple(left))


class Diagram(NamedTuple):
    """A table as a decision diagram: tables with equal remainders share them."""

    root: int
    is_positive: bool


class Diagrams:
    """Tables as reduced decision diagrams, over the values of their first column, then of the second and so on.

    A node maps a value to the node of the next column; to a mask of values where one column is left. Of a negative
    table, a value that is missing leaves no constraint.
    """

    def __init__(self) -> None:
        self.nodes: list[dict[int, int]] = [{}]  # number 0 is none, so that no state contains it
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}

    def add(self, rows: Sequence[Sequence[int]], is_positive: bool) -> Diagram:
        """The diagram of the tuples ``rows``, as bits of values, of two columns or more."""
        return Diagram(self._node(sorted(set(map(tuple, rows)))) if rows else 0, is_positive)

    def _node(self, rows: list[tuple[int, ...]]) -> int:
        children: dict[int, int] = {}
        if len(rows[0]) == 2:
            for first, second in rows:
                children[first] = children.get(first, 0) | second
        else:
            start = 0
            for end in range(1, len(rows) + 1):
                if end == len(rows) or rows[end][0] != rows[start][0]:
                    children[rows[start][0]] = self._node([row[1:] for row in rows[start:end]])
                    start = end
        key = (len(rows[0]), *children.items())
        number = self._numbers.setdefault(key, len(self.nodes))  # type: ignore[arg-type]
        if number == len(self.nodes):
            self.nodes.append(children)
        return number


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table and the levels of its variables, ascending."""

    levels: tuple[int, ...]
    diagram: Diagram


class _Step(NamedTuple):
    """What a level does with one table."""

    source: int  # its place in the state; below 0: it is met here
    root: int
    is_positive: bool
    is_last: bool  # one variable is left, whose mask it restricts
    target: int  # the place of that mask, or of the table, in the next state


class _Level(NamedTuple):
    place: int  # of the variable's mask in the state; below 0: it has all its values
    mask: int
    base: list[tuple[int, int]]  # for each part of the next state its place in this one, or below 0 and a value
    differ: list[int]  # the places in the next state of the masks of variables that must differ
    steps: list[_Step]


class ByVariable:
    """The residual problems of any tables: the values left to each variable, and the rest of each open table.

    Only variables of which some neighbour has a value, and tables of which some variable has one, are in a state.
    """

    def __init__(
        self, values: Sequence[Values], neighbours: Sequence[set[int]], tables: Sequence[OpenTable], diagrams: Diagrams
    ) -> None:
        """Prepare a problem; everything is by level."""
        self._nodes = diagrams.nodes
        masks = [sum(1 << value for value in some) for some in values]
        self.start: State = ()
        self._levels: list[_Level] = []
        places: Mapping[tuple[str, int], int] = {}
        met: dict[int, int] = {}  # for each level the first level of a variable or table before it
        for i, some in enumerate(neighbours):
            for j in some:
                met[max(i, j)] = min(i, j, met.get(max(i, j), j))
        for table in tables:
            last, before = table.levels[-1], table.levels[-2]
            met[last] = min(before, met.get(last, before))
        for level in range(len(values)):
            keys = [("variable", j) for j in range(level + 1, len(values)) if met.get(j, j) <= level]
            keys += [("table", t) for t, table in enumerate(tables) if table.levels[0] <= level < table.levels[-2]]
            after = {key: place for place, key in enumerate(keys)}
            base = [(places.get(key, -1), masks[key[1]] if key[0] == "variable" else _FREE) for key in keys]
            steps = []
            for t, table in enumerate(tables):
                if level not in table.levels[:-1]:
                    continue
                is_last = level == table.levels[-2]
                target = after["variable", table.levels[-1]] if is_last else after["table", t]
                place = places.get(("table", t), -1)
                steps.append(_Step(place, table.diagram.root, table.diagram.is_positive, is_last, target))
            differ = [after["variable", j] for j in neighbours[level] if j > level]
            self._levels.append(_Level(places.get(("variable", level), -1), masks[level], base, differ, steps))
            places = after

    def merged(self, state: State) -> State:
        """The state itself."""
        return state

    def successors(self, level: int, state: State, *, each: bool = False) -> Iterator[Successor]:  # noqa: ARG002 - no two
        """The states that the values leave."""
        place, mask, base, differ, steps = self._levels[level]
        if place >= 0:
            mask = state[place]
        common = [state[at] if at >= 0 else value for at, value in base]
        nodes = self._nodes
        while mask:
            value = mask & -mask
            mask ^= value
            left = common.copy()
            for at in differ:
                left[at] &= ~value
            for source, root, is_positive, is_last, target in steps:
                node = state[source] if source >= 0 else root
                child = _FREE if node == _FREE else nodes[node].get(value, 0 if is_positive else _FREE)
                if not is_last:
                    left[target] = child
                elif child != _FREE:
                    left[target] &= child if is_positive else ~child
            if 0 not in left:
                yield Successor(value.bit_length() - 1, 1, tuple(left))
