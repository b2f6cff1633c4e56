"""Progress on standard error: a bar or a clock, if that is a terminal and the work takes longer than two seconds."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from threading import RLock, Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.progress import Progress, TaskID

    Piece = TypeVar("Piece")

DELAY = 2.0  # seconds


def clock(label: str, seconds: float | None = None) -> Display:
    """The time that a search takes, its time limit, and the number of its solutions."""
    return Display(label, unit="solutions", limit=seconds)


class Display:
    """A bar, or a clock where the rest of the work is unknown, that appears after the delay and is wiped at the end.

    rich is not imported before the delay.
    """

    def __init__(
        self, label: str, total: int | None = None, unit: str = "", *, limit: float | None = None, then: str = ""
    ) -> None:
        """Prepare a display; ``bytes`` are shown as MB, ``then`` is the label of the clock after a full bar."""
        self._label, self._then = label, then or label
        self._limit = "" if limit is None else f" of {limit:g} s"
        self._total, self._unit = total or None, unit
        self._done = 0
        self._states = ""  # of a count by merging
        self._n_items = 0  # of a batch
        self._begin = monotonic()
        self._lock = RLock()
        self._timer: Timer | None = None
        self._progress: Progress | None = None
        self._task: TaskID

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            try:
                self._wait()
            except BaseException:  # Ctrl-C
                self._wipe()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        self._wipe()

    def _wait(self) -> None:
        self._timer = Timer(DELAY, self._draw)
        self._timer.daemon = True
        self._timer.start()

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TimeRemainingColumn

        with self._lock, suppress(OSError):  # the terminal is gone
            if self._timer is not None and self._progress is None:
                columns: list[Any] = ["{task.fields[display].label}"]
                if self._total is not None:
                    columns += [BarColumn(), "{task.fields[display].amount}", "{task.percentage:.0f}%"]
                    columns.append(TimeRemainingColumn())
                console = Console(stderr=True)  # results go to standard output, which rich must not replace
                look: dict[str, Any] = {"transient": True, "redirect_stdout": False, "redirect_stderr": False}
                self._progress = Progress(*columns, console=console, **look)
                self._task = self._progress.add_task("", total=self._total, completed=self._done, display=self)
                self._progress.start()

    def _wipe(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._progress is not None:
                self._progress.stop()
            self._timer = self._progress = None

    def advance(self, n: int, n_items: int = 0) -> None:
        self._done += n
        self._n_items += n_items
        if self._progress is not None:
            self._progress.update(self._task, completed=self._done)

    def watch(self, pieces: Iterable[Piece], size: Callable[[Piece], int]) -> Iterator[Piece]:
        """The pieces of what is written; the display advances by the size of each when the next one is wanted."""
        for piece in pieces:
            yield piece
            self.advance(size(piece))

    def show_states(self, stage: int, n_stages: int, n_states: int) -> None:
        """Show how far a count by merging is, until work is added."""
        self._states = f"stage {stage:,} of {n_stages:,}, {n_states:,} states"

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Keep the terminal free of the display while results are printed on it, and for the delay after them."""
        if self._timer is None or not sys.stdout.isatty():
            yield
            return
        self._wipe()
        yield
        self._wait()

    @property
    def label(self) -> str:
        """What is done, and the time it has taken where no bar shows how far it is."""
        if self._total is not None:
            return self._label if self._done < self._total else f"{self._then}, {self._seconds:.0f} s"
        amount = self.amount or self._states
        return f"{self._label}, {self._seconds:.0f} s{self._limit}{', ' if amount else ''}{amount}"

    @property
    def amount(self) -> str:
        """The amount of work done."""
        if self._n_items:
            return f"{self._n_items:,} problems, {self._n_items / self._seconds:,.0f}/s"
        if self._unit == "bytes":
            from rich.filesize import decimal

            return "/".join(map(decimal, filter(None, (self._done, self._total))))
        unit = f" {self._unit.removesuffix('s' * (self._done == 1))}"
        return f"{self._done:,}{unit if self._total is None else f'/{self._total:,}'}" if self._done else ""

    @property
    def _seconds(self) -> float:
        return monotonic() - self._begin
