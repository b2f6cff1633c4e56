"""A layered automaton written as a chain of small tables.

A rule that reads a sequence of variables and keeps a state (a sum, a count, a position in a regular expression) becomes
one table for each variable. Consecutive tables share a state variable:

    x1 + x2 + x3 + x4 = 10:    (x1, x2, s2)    (s2, x3, s3)    (s3, x4)        s2 and s3 are partial sums

The automaton is minimal: a state that is not reachable or leads to no accepted end is left out, and states with the
same continuations are merged. It is deterministic, so the state variables follow from the sequence, and the number of
solutions does not change.

Source:
    G. Pesant, "A regular language membership constraint for finite sequences of variables", CP 2004.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import cast

from f2csp.model.linear_sums import Ranges

State = int
_Rows = tuple[tuple[int, ...], ...]
Transition = tuple[int, ...]  # a state, a value, the next state
Moves = Sequence[tuple[int, State]]  # values with the next states


@dataclass(frozen=True, slots=True)
class Chain:
    """The tables of an automaton that reads ``length`` variables."""

    length: int
    tables: tuple[_Rows, ...]  # the accepted tuples of each table
    places: tuple[tuple[int, ...], ...]  # the scopes: i is variable i of the sequence, length + j state variable j
    states: tuple[tuple[State, ...], ...]  # the values of each state variable
    ranges: tuple[tuple[int, Ranges], ...] = ()  # of a chain of partial sums; see ``LinearSum``

    def scopes(self, variables: Sequence[int], states: Sequence[int]) -> list[list[int]]:
        """The scope of each table on these variables and state variables."""
        all_variables = (*variables, *states)
        return [[all_variables[place] for place in places] for places in self.places]

    def n_words(self) -> int:
        """The number of sequences that are accepted, if no variable is twice in the sequence."""
        counts: Counter[State | None] = Counter({None: 1})
        for i, rows in enumerate(self.tables):
            before, counts = counts, Counter()
            for row in rows:
                counts[self._after(i, row)] += before[row[0] if i else None]
        return sum(counts.values())

    def words(self) -> list[tuple[int, ...]]:
        """The sequences that are accepted, each of which takes memory."""
        paths: dict[State | None, list[tuple[int, ...]]] = {None: [()]}
        for i, rows in enumerate(self.tables):
            before, paths = paths, defaultdict(list)
            for row in rows:
                after = self._after(i, row)
                read = row[bool(i) : len(row) - (after is not None)]
                paths[after] += [(*word, *read) for word in before[row[0] if i else None]]
        return sorted(word for found in paths.values() for word in found)

    def _after(self, table: int, row: tuple[int, ...]) -> State | None:
        """The state variable's value at the end of a row; None in a table without one."""
        return row[-1] if self.places[table][-1] >= self.length else None


def partial_sums(values: Sequence[int], bounds: Sequence[tuple[int, int]], *, keeps_last: bool = False) -> Chain:
    """The chain that adds up some of the values; ``bounds`` are those of each partial sum, the last of which is all."""

    def moves(position: int, partial: State) -> Moves:
        low, high = bounds[position]
        return [(value, partial + value) for value in values if low <= partial + value <= high]

    found, _ = unfolded([len(values)] * len(bounds), 0, moves, lambda _: True, keeps_last=keeps_last)
    ranges = []
    least, most = -inf, inf  # that the later bounds leave; a bound that excludes nothing is left out
    for n, (low, high) in reversed(list(enumerate(bounds, 1))):
        if low > max(least, n * min(values)) or high < min(most, n * max(values)):
            ranges.append((n, ((low, high),)))
        least, most = max(low, least) - max(values), min(high, most) - min(values)
    return replace(cast("Chain", found), ranges=tuple(reversed(ranges)))  # there is no limit


def unfolded(
    sizes: Sequence[int],
    start: State,
    moves: Callable[[int, State], Moves],
    is_accepted: Callable[[State], bool],
    *,
    keeps_last: bool = False,
    limit: float = inf,
) -> tuple[Chain | None, int]:
    """Unfold an automaton over a sequence of variables.

    Args:
        sizes: the number of values of each variable of the sequence.
        start: the state before the first variable.
        moves: the values that can be read, with the states after them: ``moves(position, state)``.
        is_accepted: whether the sequence may end in this state.
        keeps_last: whether the state after the last variable gets a state variable; its states are not merged then.
        limit: the largest number of transitions.

    Returns:
        The chain, None if the limit is passed, and the number of transitions before the automaton is minimal.
    """
    reached, n_steps = [], 0
    ends = [start]
    for position, size in enumerate(sizes):
        if n_steps + len(ends) * size > limit:
            return None, n_steps
        n_steps += len(ends) * size
        reached.append({state: moves(position, state) for state in ends})
        ends = sorted({after for found in reached[-1].values() for _, after in found})
    layers = _minimal(reached, list(filter(is_accepted, ends)), keeps_last=keeps_last)
    n = len(layers)
    # A first state that equals the first value needs no variable of its own.
    starts_itself = n > 1 and all(value == after for _, value, after in layers[0])
    tables: list[_Rows] = []
    places: list[tuple[int, ...]] = []
    states: list[tuple[State, ...]] = []
    before: tuple[int, ...] = (0,) if starts_itself else ()
    for i in range(int(starts_itself), n):
        after: tuple[int, ...] = ()
        if i < n - 1 or keeps_last:
            after = (n + len(states),)
            states.append(tuple(sorted({transition[2] for transition in layers[i]})))
        kept = slice(0 if before else 1, 3 if after else 2)
        is_whole = before and after
        tables.append(tuple(layers[i] if is_whole else [transition[kept] for transition in layers[i]]))
        places.append((*before, i, *after))
        before = after
    return Chain(n, tuple(tables), tuple(places), tuple(states)), n_steps


def _minimal(reached: list[dict[State, Moves]], accepted: list[State], *, keeps_last: bool) -> list[list[Transition]]:
    """The transitions of each layer of the minimal automaton, sorted, from the moves of the states that are reached."""
    merged = {state: state if keeps_last else accepted[0] for state in accepted}
    layers: list[list[Transition]] = []
    for layer in reversed(reached):
        first_with: dict[tuple[tuple[int, State], ...], State] = {}
        before = {}
        for state, found in layer.items():
            continuations = tuple((value, merged[after]) for value, after in found if after in merged)
            if continuations:
                before[state] = first_with.setdefault(continuations, state)
        layers.append(sorted((s, value, after) for found, s in first_with.items() for value, after in found))
        merged = before
    return layers[::-1]
