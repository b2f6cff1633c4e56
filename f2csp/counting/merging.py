"""Partial solutions that leave the same problem are merged, and only their numbers are kept."""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from random import Random
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import Bools
from f2csp.counting.residual import ByValue, ByVariable, Diagrams, OpenTable, Residuals, ResidualState
from f2csp.diagnostics import F2cspError

_CHECK_EVERY = 1 << 12  # successors between two looks at the clock
_MANY = 2000  # states of a layer that arrays serve better

_Words = NDArray[np.uint64]

_MAX_LEVELS = 64  # that are left for arrays: a mask is an integer of 64 bits

_LIMB = np.uint64(32)  # bits of a digit of a number of partial solutions
_LOW = np.uint64((1 << 32) - 1)
_ONE = np.uint64(1)

Layer = dict[ResidualState, int]

Advance = Callable[[int, int, int], None]
"""Called with the number of stages done, that of all stages, and the number of states."""


class BeyondBudget(F2cspError):
    """A layer has more states than the budget, or the time is over."""

    exit_code = 4


@dataclass
class Budget:
    """What merging may cost."""

    max_states: int = 1_500_000  # of a layer; of all layers where all are kept
    seconds: float | None = None
    advance: Advance | None = None
    most: int = 0  # states of a layer so far

    def __post_init__(self) -> None:
        self._end = None if self.seconds is None else monotonic() + self.seconds

    def check(self, stage: int, n_stages: int, n_states: int) -> None:
        """Take note of a layer; raises BeyondBudget if it is too large, or the time is over."""
        self.most = max(self.most, n_states)
        if n_states > self.max_states:
            raise BeyondBudget(f"more than {self.max_states:,} states after {stage} of {n_stages} stages")
        if self._end is not None and monotonic() > self._end:
            raise BeyondBudget(f"the time is over after {stage} of {n_stages} stages")
        if self.advance is not None:
            self.advance(stage, n_stages, n_states)


@dataclass(frozen=True)
class Component:
    """Variables that constraints connect with each other and with no others, in the order of their assignment."""

    variables: tuple[int, ...]  # by level
    values: tuple[tuple[int, ...], ...]  # of each, as numbers
    words: tuple[int, ...]  # for each number the index of its word in the problem
    neighbours: tuple[frozenset[int], ...]  # the levels of the variables that must differ from each
    tables: tuple[OpenTable, ...]
    follows: tuple[bool, ...]  # whether the value of each follows from those before
    diagrams: Diagrams

    @cached_property
    def residuals(self) -> Residuals:
        """How states are written down."""
        if self.tables:
            return ByVariable(self.values, self.neighbours, self.tables, self.follows, self.diagrams)
        return ByValue(self.values, self.neighbours)

    def count(self, budget: Budget) -> int:
        residuals = self.residuals
        n_stages = len(residuals.stages)
        for stage, layer in enumerate(_layers(residuals, budget)):
            if isinstance(residuals, ByValue) and len(layer) > _MANY and n_stages - stage <= _MAX_LEVELS:
                arrays = _LayerArrays(residuals, layer)
                for following in range(stage, n_stages):
                    arrays.assign(following, partial(budget.check, following, n_stages))
                    budget.check(following + 1, n_stages, len(arrays))
                return arrays.total
        return sum(layer.values())

    def completions(self, budget: Budget) -> list[Layer]:
        return _completions(self.residuals, _kept_layers(self.residuals, budget), budget)

    def sample(self, completions: Sequence[Layer], random: Random) -> Iterator[tuple[int, int]]:
        """The values of one solution, as pairs of a variable and the index of a word."""
        residuals, state = self.residuals, self.residuals.start
        values: list[int] = []
        for stage in range(len(residuals.stages)):
            after = completions[stage + 1]
            ways = list(residuals.successors(stage, state, each=True))
            weights = [after[residuals.merged(successor)] for _, successor, _ in ways]
            at = bisect(list(accumulate(weights)), random.randrange(sum(weights)))
            _, state, chosen = ways[at]
            values += chosen
        return zip(self.variables, [self.words[value] for value in values], strict=True)

    def occurrences(self, budget: Budget) -> list[dict[int, int]]:
        """For each level and value the number of solutions."""
        residuals = self.residuals if self.tables else ByValue(self.values, self.neighbours, are_marked=True)
        layers = _kept_layers(residuals, budget)
        after = _completions(residuals, layers, budget)
        found: list[dict[int, int]] = [dict.fromkeys(some, 0) for some in self.values]
        for stage, levels in enumerate(residuals.stages):
            budget.check(stage, len(residuals.stages), len(layers[stage]))
            for state, n in layers[stage].items():
                for _, successor, values in residuals.successors(stage, state, each=True):
                    amount = n * after[stage + 1][residuals.merged(successor)]
                    for level, value in zip(levels, values, strict=True):
                        found[level][value] += amount
        for numbers in found:
            for alike in residuals.interchangeable:  # in as many solutions each
                numbers |= dict.fromkeys(numbers.keys() & alike, sum(numbers.get(v, 0) for v in alike) // len(alike))
        return found


def _layers(residuals: Residuals, budget: Budget) -> Iterator[Layer]:
    """For each number of stages the states, with the number of partial solutions that lead to each."""
    layer = {residuals.merged(residuals.start): 1}
    budget.check(0, len(residuals.stages), len(layer))
    yield layer
    for stage in range(len(residuals.stages)):
        following: Layer = {}
        n_made = 0
        for state, n in layer.items():
            for n_ways, successor, _ in residuals.successors(stage, state):
                key = residuals.merged(successor)
                following[key] = following.get(key, 0) + n * n_ways
                n_made += 1
                if not n_made % _CHECK_EVERY:
                    budget.check(stage, len(residuals.stages), len(following))
        layer = following
        budget.check(stage + 1, len(residuals.stages), len(layer))
        yield layer


def _kept_layers(residuals: Residuals, budget: Budget) -> list[Layer]:
    found: list[Layer] = []
    n_states = 0
    for layer in _layers(residuals, budget):
        n_states += len(layer)
        budget.check(len(found), len(residuals.stages), n_states)
        found.append(layer)
    return found


def _completions(residuals: Residuals, layers: Sequence[Layer], budget: Budget) -> list[Layer]:
    """The states of each layer with the numbers of their completions."""
    found = [dict.fromkeys(layers[-1], 1)]
    for stage in reversed(range(len(residuals.stages))):
        after = found[-1]
        budget.check(stage, len(residuals.stages), len(after))
        found.append(
            {
                state: sum(
                    n_ways * after[residuals.merged(successor)]
                    for n_ways, successor, _ in residuals.successors(stage, state)
                )
                for state in layers[stage]
            }
        )
    return found[::-1]


# ---- Arrays ----------------------------------------------------------------------------------------------------------


class _LayerArrays:
    """A large layer of states of variables that must differ, each stage on all states at once.

    The states are sorted masks in rows, their numbers of partial solutions digits of 32 bits in rows.
    """

    def __init__(self, residuals: ByValue, layer: Mapping[ResidualState, int]) -> None:
        self._residuals = residuals
        self._states = np.sort(np.array(list(layer), dtype=np.uint64), axis=1)
        n_digits = max(1, -(-max(layer.values(), default=0).bit_length() // 32))
        digits = [[n >> 32 * i & 0xFFFFFFFF for i in range(n_digits)] for n in layer.values()]
        self._numbers = np.array(digits, dtype=np.uint64)

    def __len__(self) -> int:
        return len(self._states)

    @property
    def total(self) -> int:
        return sum(sum(column) << 32 * i for i, column in enumerate(self._numbers.T.tolist()))

    def assign(self, stage: int, check: Callable[[int], None]) -> None:
        """Replace the states by their successors; ``check``, with the number of states, may raise an exception."""
        kept = np.uint64(self._residuals.kept[stage] & ((1 << 64) - 1))
        everything = np.uint64((1 << (len(self._residuals.stages) - stage - 1)) - 1)
        below = self._states >> _ONE
        states, numbers = [], []
        for column in range(self._states.shape[1]):
            check(len(self))
            masks = self._states[:, column]
            is_taken = (masks & _ONE).astype(np.bool_)
            if column:  # equal masks are neighbours
                is_taken &= masks != self._states[:, column - 1]
            left = below[is_taken]
            left[:, column] &= kept
            is_alive = np.bitwise_or.reduce(left, axis=1) == everything
            n_ways = (self._states[is_taken] == masks[is_taken][:, None])[is_alive].sum(axis=1, dtype=np.uint64)
            states.append(np.sort(left[is_alive], axis=1))
            numbers.append(self._numbers[is_taken][is_alive] * n_ways[:, None])
        check(len(self))
        self._merge(np.concatenate(states), np.concatenate(numbers))

    def _merge(self, states: _Words, numbers: _Words) -> None:
        order, is_first = _grouped(states)
        firsts = np.flatnonzero(is_first)
        self._states = states[order[firsts]]
        sums = np.add.reduceat(numbers[order], firsts, axis=0) if len(firsts) else numbers
        carry = np.zeros(len(sums), dtype=np.uint64)
        for digit in sums.T:
            digit += carry
            carry = digit >> _LIMB
            digit &= _LOW
        self._numbers = np.column_stack((sums, carry)) if carry.any() else sums


def _grouped(states: _Words) -> tuple[NDArray[np.intp], Bools]:
    """An order with equal rows next to each other, and whether each of it is the first of its kind."""
    codes = _codes(states)
    order = np.argsort(codes)
    is_first = _are_first(states, order)
    if np.count_nonzero(is_first) != len(np.unique(codes)):  # different rows have equal codes
        order = np.lexsort(states.T)
        is_first = _are_first(states, order)
    return order, is_first


def _codes(states: _Words) -> _Words:
    """A code for each row; those of different rows are hardly ever equal."""
    factors = np.random.default_rng(1).integers(1, 1 << 63, states.shape[1], dtype=np.uint64) | _ONE
    codes: _Words = ((states ^ states >> np.uint64(29)) * factors).sum(axis=1, dtype=np.uint64)
    return codes


def _are_first(states: _Words, order: NDArray[np.intp]) -> Bools:
    """Whether each row in some order differs from the one before."""
    is_first = np.ones(len(states), dtype=np.bool_)
    is_first[1:] = (states[order[1:]] != states[order[:-1]]).any(axis=1)
    return is_first
