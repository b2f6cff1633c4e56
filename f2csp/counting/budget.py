"""What counting may cost."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from f2csp.diagnostics import F2cspError

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
