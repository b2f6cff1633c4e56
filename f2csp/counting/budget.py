"""What counting may cost."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import F2cspError
from f2csp.files import writing

_KEEP_EVERY = 30.0  # seconds

Kept = tuple[int, NDArray[np.uint64], NDArray[np.uint64]]
"""The number of stages done, the words of the states, and the digits of their numbers of partial solutions."""

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
    kept_in: Path | None = None  # the folder in which the states of long counts are kept
    most: int = 0  # states of a layer so far

    def __post_init__(self) -> None:
        self._last_kept = monotonic()
        self._end = None if self.seconds is None else self._last_kept + self.seconds

    def check(self, stage: int, n_stages: int, n_states: int) -> None:
        """Take note of a layer; raises BeyondBudget if it is too large, or the time is over."""
        self.most = max(self.most, n_states)
        if n_states > self.max_states:
            raise BeyondBudget(f"more than {self.max_states:,} states after {stage} of {n_stages} stages")
        if self._end is not None and monotonic() > self._end:
            raise BeyondBudget(f"the time is over after {stage} of {n_stages} stages")
        if self.advance is not None:
            self.advance(stage, n_stages, n_states)

    def keep(self, key: str, stage: int, words: NDArray[np.uint64], numbers: NDArray[np.uint64]) -> None:
        """Write the states of a count to a file, if there is a folder for it and the last time is long ago."""
        if self.kept_in is not None and monotonic() - self._last_kept > _KEEP_EVERY:
            self.kept_in.mkdir(parents=True, exist_ok=True)
            with writing(self.kept_in / f"{key}.npz") as stream:
                np.savez(stream, stage=stage, words=words, numbers=numbers)
            self._last_kept = monotonic()

    def kept(self, key: str) -> Kept | None:
        """The states that were written of a count, if there are any."""
        path = None if self.kept_in is None else self.kept_in / f"{key}.npz"
        if path is None or not path.exists():
            return None
        try:
            with path.open("rb") as file, np.load(file) as found:
                return int(found["stage"]), found["words"], found["numbers"]
        except (ValueError, KeyError, EOFError, BadZipFile):
            raise F2cspError(f"{path} holds no states of a count; remove it to count from the start") from None

    def forget(self, key: str) -> None:
        """Remove the file of a count that is done."""
        if self.kept_in is not None:
            (self.kept_in / f"{key}.npz").unlink(missing_ok=True)
