"""Large layers of states of variables that must differ, as arrays: each stage on all states at once."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import Bools
from f2csp.counting.residual import ByValue, State

Words = NDArray[np.uint64]

MAX_LEVELS = 64
"""The largest number of levels left: a mask is an integer of 64 bits."""

_LIMB = np.uint64(32)  # bits of a digit of a number of partial solutions
_LOW = np.uint64((1 << 32) - 1)
_ONE = np.uint64(1)


class LayerArrays:
    """A layer: its states, sorted masks in rows, and their numbers of partial solutions, digits of 32 bits in rows."""

    def __init__(self, residuals: ByValue, layer: Mapping[State, int]) -> None:
        """Take over a layer of states."""
        self._residuals = residuals
        self._states = np.sort(np.array(list(layer), dtype=np.uint64), axis=1)
        n_digits = max(1, -(-max(layer.values(), default=0).bit_length() // 32))
        digits = [[n >> 32 * i & 0xFFFFFFFF for i in range(n_digits)] for n in layer.values()]
        self._numbers = np.array(digits, dtype=np.uint64)

    def __len__(self) -> int:
        return len(self._states)

    @property
    def total(self) -> int:
        """The number of partial solutions."""
        return sum(sum(column) << 32 * i for i, column in enumerate(self._numbers.T.tolist()))

    def assign(self, stage: int) -> None:
        """Replace the states by their successors."""
        kept = np.uint64(self._residuals.kept[stage] & ((1 << 64) - 1))
        everything = np.uint64((1 << (len(self._residuals.stages) - stage - 1)) - 1)
        below = self._states >> _ONE
        states, numbers = [], []
        for column in range(self._states.shape[1]):
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
        self._merge(np.concatenate(states), np.concatenate(numbers))

    def _merge(self, states: Words, numbers: Words) -> None:
        """Merge equal states and add their numbers."""
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


def _grouped(states: Words) -> tuple[NDArray[np.intp], Bools]:
    """An order with equal rows next to each other, and whether each of it is the first of its kind."""
    codes = _codes(states)
    order = np.argsort(codes)
    is_first = _are_first(states, order)
    if np.count_nonzero(is_first) != len(np.unique(codes)):  # different rows have equal codes
        order = np.lexsort(states.T)
        is_first = _are_first(states, order)
    return order, is_first


def _codes(states: Words) -> Words:
    """A code for each row; those of different rows are hardly ever equal."""
    factors = np.random.default_rng(1).integers(1, 1 << 63, states.shape[1], dtype=np.uint64) | _ONE
    codes: Words = ((states ^ states >> np.uint64(29)) * factors).sum(axis=1, dtype=np.uint64)
    return codes


def _are_first(states: Words, order: NDArray[np.intp]) -> Bools:
    """Whether each row in some order differs from the one before."""
    is_first = np.ones(len(states), dtype=np.bool_)
    is_first[1:] = (states[order[1:]] != states[order[:-1]]).any(axis=1)
    return is_first
