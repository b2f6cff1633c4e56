"""Random draws that are the same on every machine and with every version of Python.

Of the generators of :mod:`random`, Python guarantees the sequence of ``random()`` alone for a seed. Everything random
in this room is drawn from it, and nothing depends on the order of a set or on ``hash``.
"""

from collections.abc import Sequence
from math import floor, inf
from numbers import Integral
from random import Random
from time import monotonic
from typing import SupportsIndex, TypeVar

from f2csp.diagnostics import F2cspError, ProblemError

LATE = "the time limit was reached"

_T = TypeVar("_T")


class OutOfTimeError(F2cspError):
    """The time limit was reached before there was a result."""


class Draws:
    """A sequence of random draws, perhaps for some seconds only; the seed is an integer that is not negative."""

    def __init__(self, seed: SupportsIndex, seconds: float | None = None) -> None:
        if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
            raise ProblemError(f"expected an integer of at least 0 as seed, found {seed!r}")
        self._random = Random(int(seed)).random  # noqa: S311 - puzzles, not cryptography
        self._end = inf if seconds is None else monotonic() + seconds

    def is_late(self) -> bool:
        return monotonic() >= self._end

    @property
    def seconds_left(self) -> float | None:
        return None if self._end == inf else self._end - monotonic()

    def check_time(self) -> None:
        """Raise OutOfTimeError after the last second."""
        if self.is_late():
            raise OutOfTimeError(LATE)

    def below(self, n: int) -> int:
        """An integer from 0 to ``n - 1``."""
        self.check_time()
        return int(self._random() * n)

    def choice(self, items: Sequence[_T]) -> _T:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[_T]) -> list[_T]:
        """The items in a random order (Fisher and Yates)."""
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return mixed

    def sample(self, n: int, k: int) -> list[int]:
        """Different integers below ``n``, ``k`` of them, ascending (Floyd)."""
        chosen: set[int] = set()
        for last in range(n - k, n):
            one = self.below(last + 1)
            chosen.add(last if one in chosen else one)
        return sorted(chosen)


def rounded(number: float) -> int:
    """The nearest integer; a half is rounded up."""
    return floor(number + 0.5)
