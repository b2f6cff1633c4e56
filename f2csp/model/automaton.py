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

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, prod
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import distinct
from f2csp.model.linear_sums import Ranges

Numbers = NDArray[Any]
"""Integers of 64 bits, or of any size as Python's."""

NO_STATE = -1 << 63
"""In place of the next state where a number cannot be read."""

Moves = Callable[[int, Numbers, Numbers], Numbers]
"""The next states at a position of the sequence: a row for each state, a column for each number."""

Ends = Callable[[Numbers], NDArray[np.bool_]]
"""In which of some states the sequence may end."""


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The tables of an automaton that reads ``length`` variables."""

    length: int
    tables: tuple[Numbers, ...]  # the accepted tuples of each table, sorted, of shape (n, arity)
    places: tuple[tuple[int, ...], ...]  # the scopes: i is variable i of the sequence, length + j state variable j
    states: tuple[tuple[int, ...], ...]  # the values of each state variable, ascending
    ranges: tuple[tuple[int, Ranges], ...] = ()  # of a chain of partial sums; see ``LinearSum``

    def scopes(self, variables: Sequence[int], states: Sequence[int]) -> list[list[int]]:
        """The scope of each table on these variables and state variables."""
        all_variables = (*variables, *states)
        return [[all_variables[place] for place in places] for places in self.places]

    def n_words(self, sizes: Sequence[int], most: int) -> tuple[int, int]:
        """The numbers of sequences that are accepted and that are not, each at most ``most``.

        ``sizes`` are the numbers of values of the variables, none of which is twice in the sequence.
        """
        counts, n_others, n_rest = np.ones(1), 0.0, prod(sizes)  # counts of the sequences that lead to each state
        for i, (rows, places) in enumerate(zip(self.tables, self.places, strict=True)):
            n_read = prod(sizes[place] for place in places if place < self.length)
            n_rest //= n_read
            before = np.searchsorted(self.states[i - 1], rows[:, 0]) if i else np.zeros(len(rows), dtype=np.intp)
            n_refused = n_read - np.bincount(before, minlength=len(counts))
            n_others += float((counts * n_refused).sum()) * min(n_rest, most)
            after = np.searchsorted(self.states[i], rows[:, -1]) if self._has_state(i) else np.zeros_like(before)
            counts = np.minimum(np.bincount(after, counts[before]), most)
        return int(min(counts.sum(), most)), int(min(n_others, most))

    def words(self) -> list[tuple[int, ...]]:
        """The sequences that are accepted, each of which takes memory."""
        paths: dict[int | None, list[tuple[int, ...]]] = {None: [()]}
        for i, rows in enumerate(self.tables):
            before, paths = paths, defaultdict(list)
            for row in rows.tolist():
                read = row[bool(i) : len(row) - self._has_state(i)]
                words = before[row[0] if i else None]
                paths[row[-1] if self._has_state(i) else None] += [(*word, *read) for word in words]
        return sorted(word for found in paths.values() for word in found)

    def _has_state(self, table: int) -> bool:
        """Whether a table ends with a state variable."""
        return self.places[table][-1] >= self.length


def partial_sums(values: Sequence[int], bounds: Sequence[tuple[int, int]], *, keeps_last: bool = False) -> Chain:
    """The chain that adds up some of the values; ``bounds`` are those of each partial sum, the last of which is all."""
    numbers = np.array(values, dtype=np.int64)

    def moves(position: int, partial: Numbers, added: Numbers) -> Numbers:
        low, high = bounds[position]
        after = partial[:, None] + added
        return np.where((low <= after) & (after <= high), after, NO_STATE)

    found, _ = unfolded([(numbers, numbers)] * len(bounds), 0, moves, keeps_last=keeps_last)
    ranges = []
    least, most = -inf, inf  # that the later bounds leave; a bound that excludes nothing is left out
    for n, (low, high) in reversed(list(enumerate(bounds, 1))):
        if low > max(least, n * min(values)) or high < min(most, n * max(values)):
            ranges.append((n, ((low, high),)))
        least, most = max(low, least) - max(values), min(high, most) - min(values)
    return replace(cast("Chain", found), ranges=tuple(reversed(ranges)))  # there is no limit


def unfolded(
    inputs: Sequence[tuple[Numbers, Numbers]],
    start: int,
    moves: Moves,
    are_accepted: Ends | None = None,
    *,
    keeps_last: bool = False,
    limit: float = inf,
) -> tuple[Chain | None, int]:
    """Unfold an automaton over a sequence of variables.

    Args:
        inputs: for each variable of the sequence its distinct values, and the number that each of them is read as.
        start: the state before the first variable.
        moves: for some states and numbers the next states; ``moves(position, states, numbers)``.
        are_accepted: in which of some states the sequence may end; in all, if it is not given.
        keeps_last: whether the state after the last variable gets a state variable; its states are not merged then.
        limit: the largest number of transitions.

    Returns:
        The chain, None if the limit is passed, and the number of transitions before the automaton is minimal.
    """
    reached: list[_Layer] = []
    known: dict[int, tuple[Numbers, Numbers, NDArray[np.int64]]] = {}  # by the id of what is read
    n_steps = 0
    states: Numbers = np.array([start], dtype=np.int64)
    for position, (values, read) in enumerate(inputs):
        if n_steps + len(states) * len(values) > limit:
            return None, n_steps
        n_steps += len(states) * len(values)
        if id(read) not in known:
            order = np.argsort(values)
            numbers, columns = distinct(read)
            known[id(read)] = numbers, values[order], columns[order]
        numbers, ordered_values, columns = known[id(read)]
        after = moves(position, states, numbers)
        is_move = after != NO_STATE
        next_states, indices = distinct(after[is_move])
        moved = np.full(after.shape, -1, dtype=np.int32)
        moved[is_move] = indices
        reached.append(_Layer(states, moved, ordered_values, columns))
        states = next_states
    is_end = np.ones(len(states), dtype=np.bool_) if are_accepted is None else are_accepted(states)
    layers = _minimal(reached, states, is_end, keeps_last=keeps_last)
    n = len(layers)
    # A first state that equals the first value needs no variable of its own.
    starts_itself = n > 1 and bool((layers[0][0][:, 1] == layers[0][0][:, 2]).all())
    tables: list[Numbers] = []
    places: list[tuple[int, ...]] = []
    kept_states: list[tuple[int, ...]] = []
    before: tuple[int, ...] = (0,) if starts_itself else ()
    for i, (rows, next_states) in list(enumerate(layers))[starts_itself:]:
        after_places: tuple[int, ...] = ()
        if i < n - 1 or keeps_last:
            after_places = (n + len(kept_states),)
            kept_states.append(tuple(next_states.tolist()))
        tables.append(rows[:, 0 if before else 1 : 3 if after_places else 2])
        places.append((*before, i, *after_places))
        before = after_places
    return Chain(n, tuple(tables), tuple(places), tuple(kept_states)), n_steps


def stepwise(
    step: Callable[[int, int, int], int | None], is_accepted: Callable[[int], bool] = lambda _: True
) -> tuple[Moves, Ends]:
    """The moves and the ends of an automaton that is given by its steps: ``step(position, state, number)``."""

    def moves(position: int, states: Numbers, numbers: Numbers) -> Numbers:
        after = [step(position, state, number) for state in states.tolist() for number in numbers.tolist()]
        known = [NO_STATE if state is None else state for state in after]
        return np.array(known, dtype=np.int64).reshape(len(states), len(numbers))

    return moves, lambda states: np.array([is_accepted(state) for state in states.tolist()], dtype=np.bool_)


class _Layer(NamedTuple):
    """The moves with one variable."""

    states: Numbers
    moves: NDArray[np.int32]  # for each state and number the index of the next state, -1 where there is none
    values: Numbers  # of the variable, sorted
    numbers: NDArray[np.int64]  # the index of the number of each value


def _minimal(
    layers: Sequence[_Layer], ends: Numbers, is_end: NDArray[np.bool_], *, keeps_last: bool
) -> list[tuple[Numbers, Numbers]]:
    """The transitions of each layer of the minimal automaton, rows (state, value, next state), and the next states.

    States with the same continuations are merged into the least of them.
    """
    names = ends[is_end] if keeps_last else ends[is_end][:1]  # of the classes of states
    classes = np.where(is_end, np.cumsum(is_end) - 1 if keeps_last else 0, -1)  # of each state; -1: leads nowhere
    found: list[tuple[Numbers, Numbers]] = []
    for states, moves, values, numbers in reversed(layers):
        after = np.append(classes, -1)[moves]
        n_bytes = after.itemsize * after.shape[1]
        class_of = {b"\xff" * n_bytes: -1}  # by the bytes of the continuations, which are all -1
        keys = after.view(f"V{n_bytes}").ravel().tolist()
        classes = np.array([class_of.setdefault(key, len(class_of) - 1) for key in keys], dtype=np.int64)
        firsts = np.flatnonzero(np.diff(np.maximum.accumulate(classes), prepend=-1))
        rows, columns = np.nonzero(after[firsts][:, numbers] >= 0)
        next_states = names[after[firsts[rows], numbers[columns]]]
        found.append((np.stack([states[firsts[rows]], values[columns], next_states], axis=1), names))
        names = states[firsts]
    return found[::-1]
