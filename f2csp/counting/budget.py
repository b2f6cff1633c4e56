"""What counting may cost."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import starmap
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import F2cspError
from f2csp.files import writing

MAX_STATES = 1_500_000
"""The default budget of states that are objects; they need one gigabyte to five."""

_BYTES = 256  # of words in arrays, which are copied as they are merged, that need as much as such a state
_KEEP_EVERY = 30.0  # seconds
_N_AHEAD = 16  # results of some MB each that may wait

_Result = TypeVar("_Result")

Kept = tuple[int, NDArray[Any], NDArray[np.uint64]]
"""The number of stages done, the words of the states, and the digits of their numbers of partial solutions."""

Advance = Callable[[int, int, int], None]
"""Called with the number of stages done, that of all stages, and the number of states."""


class BeyondBudget(F2cspError):
    """A layer has more states than the budget, or the time is over."""

    exit_code = 4


@dataclass
class Budget:
    """What merging may cost."""

    max_states: int | None = None  # of a layer; of all layers where all are kept; None: as many as need some GB
    seconds: float | None = None
    advance: Advance | None = None
    kept_in: Path | None = None  # the folder in which the states of long counts are kept
    submit: Callable[..., Any] | None = None  # gives a function and its arguments to a worker, and returns a future
    most: int = 0  # states of a layer so far

    def __post_init__(self) -> None:
        self._last_kept = monotonic()
        self._end = None if self.seconds is None else self._last_kept + self.seconds

    def check(self, stage: int, n_stages: int, n_states: int, n_bytes: int = _BYTES) -> None:
        """Take note of a layer of states of some bytes; raises BeyondBudget if it is too large, or the time is over."""
        self.most = max(self.most, n_states)
        max_states = MAX_STATES * _BYTES // n_bytes if self.max_states is None else self.max_states
        if n_states > max_states:
            raise BeyondBudget(f"more than {max_states:,} states after {stage} of {n_stages} stages")
        if self._end is not None and monotonic() > self._end:
            raise BeyondBudget(f"the time is over after {stage} of {n_stages} stages")
        if self.advance is not None:
            self.advance(stage, n_stages, n_states)

    def map(self, work: Callable[..., _Result], items: Sequence[tuple[Any, ...]]) -> Iterator[_Result]:
        """The results of some work, in the order of its arguments; by workers, if there are any, where it pays."""
        if self.submit is None or len(items) == 1:
            yield from starmap(work, items)
            return
        pending: deque[Any] = deque()
        for item in items:
            pending.append(self.submit(work, *item))
            if len(pending) > _N_AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()

    def keep(self, key: str, stage: int, words: NDArray[Any], numbers: NDArray[np.uint64]) -> None:
        """Write the states of a count to a file, if there is a folder for it and the last time is long ago."""
        if self.kept_in is not None and monotonic() - self._last_kept > _KEEP_EVERY:
            self.kept_in.mkdir(parents=True, exist_ok=True)
            digest = _digest(key, stage, words, numbers)
            with writing(self.kept_in / f"{key}.npz") as stream:
                np.savez(stream, stage=stage, words=words, numbers=numbers, digest=digest)
            self._last_kept = monotonic()

    def kept(self, key: str) -> Kept | None:
        """The states that were written of a count, if there are any."""
        path = None if self.kept_in is None else self.kept_in / f"{key}.npz"
        if path is None or not path.exists():
            return None
        try:
            with path.open("rb") as file, np.load(file) as arrays:
                stage, words, numbers = int(arrays["stage"]), arrays["words"], arrays["numbers"]
                if np.array_equal(arrays["digest"], _digest(key, stage, words, numbers)):
                    return stage, words, numbers
        except (OSError, MemoryError):
            raise
        except Exception:  # noqa: S110 - NumPy has many for a file that is not its own
            pass
        raise F2cspError(f"{path} holds no states of this count; remove it to count from the start")

    def forget(self, key: str) -> None:
        """Remove the file of a count that is done."""
        if self.kept_in is not None:
            (self.kept_in / f"{key}.npz").unlink(missing_ok=True)


def _digest(key: str, stage: int, *arrays: NDArray[Any]) -> NDArray[np.uint8]:
    """What binds states to their count: they would be believed otherwise, and give any number."""
    digest = blake2b(repr((key, stage, [(array.dtype.str, array.shape) for array in arrays])).encode())
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    return np.frombuffer(digest.digest(), np.uint8)
