"""Progress on standard error: a bar or a clock, if that is a terminal and the work takes longer than two seconds."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import Event, RLock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Self

from f2csp.files import COMPRESSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.progress import Progress

    from f2csp.diagnostics import Source
    from f2csp.model import ConstraintBlock, ProblemStream

DELAY = 2.0  # seconds
_REFRESH_SECONDS = 0.2
_CLOCK = "{task.description}, {task.elapsed:.0f} s{task.fields[limit]}{task.fields[amount]}"


def reading(file: str | Source) -> Display:
    """The progress of reading a file, by the name or the text of which its size is known, and of checking it."""
    size = _size(file) if isinstance(file, str) else len(file.data)
    return Display("Reading", size, "bytes", then="Checking")


def clock(label: str, seconds: float | None = None) -> Display:
    """The time that a search takes, its time limit, and the number of its solutions."""
    return Display(label, unit="solutions", limit="" if seconds is None else f" of {seconds:g} s")


def dump_watched(stream: ProblemStream, file: str) -> None:
    """Write a problem as :func:`f2csp.dump` does, with a progress bar."""
    from f2csp.cli.options import confirm_written
    from f2csp.text.writer import dump

    if file == "-" and sys.stdout.isatty():  # a bar would interrupt the text
        dump(stream, file)
        return
    with Display("Writing", stream.n_constraints, "constraints") as display:
        dump(replace(stream, blocks=_counted(stream.blocks, display)), file)
    confirm_written(file, f": {len(stream.variable_names):,} variables, {stream.n_constraints:,} constraints")


def _counted(blocks: Iterable[ConstraintBlock], display: Display) -> Iterator[ConstraintBlock]:
    for block in blocks:
        yield block
        display.advance(len(block.relations))


def _size(name: str) -> int | None:
    """The size of a file; None where that of its text is unknown."""
    if name == "-" or name.endswith(COMPRESSIONS):
        return None
    with suppress(OSError):
        return Path(name).stat().st_size
    return None


class Display:
    """A bar, or a clock where the total is unknown, that a thread draws after the delay, and that is wiped at the end.

    rich is not imported before the delay.
    """

    def __init__(
        self, label: str, total: int | None = None, unit: str = "", *, limit: str = "", then: str | None = None
    ) -> None:
        """Prepare a display; ``bytes`` are shown as MB, ``then`` is the label of the clock after a full bar."""
        self._label = label
        self._total = total
        self._unit = unit
        self._limit = limit
        self._then = then or label
        self._done = 0
        self._states = ""  # of a count by merging
        self._n_items = 0  # of a batch
        self._begin = monotonic()
        self._draw_at = inf
        self._bar: Progress | None = None
        self._is_bar = False  # whether it is a bar, not a clock
        self._lock = RLock()
        self._ended = Event()
        self._thread = Thread(target=self._refresh, daemon=True)

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self._draw_at = self._begin + DELAY
            try:
                self._thread.start()
                self._draw_if_late()
            except BaseException:  # Ctrl-C, which wipes it too
                self.__exit__()
                raise
        return self

    def _refresh(self) -> None:
        with suppress(OSError):  # the terminal is gone
            while not self._ended.wait(_REFRESH_SECONDS):
                self._draw_if_late()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        with self._lock:
            self._wipe()
        if self._thread.is_alive():
            self._thread.join()

    def advance(self, n: int) -> None:
        """Add work done."""
        self._done += n
        if self._bar is None or self._is_bar != self._is_measured:
            self._draw_if_late()

    def advance_items(self, n_items: int, n: int) -> None:
        """Add items of a batch, and the work that they were."""
        self._n_items += n_items
        self.advance(n)

    def show_states(self, stage: int, n_stages: int, n_states: int) -> None:
        """Show how far a count by merging is, until work is added."""
        self._states = f", stage {stage:,} of {n_stages:,}, {n_states:,} states"
        self._draw_if_late()

    @property
    def _is_measured(self) -> bool:
        """Whether the rest of the work is known."""
        return self._total is not None and 0 < self._done < self._total

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Keep the terminal free of the display while results are printed on it, and for the delay after them."""
        if self._draw_at == inf or not sys.stdout.isatty():
            yield
            return
        with self._lock:
            self._wipe()
            yield
            self._draw_at = monotonic() + DELAY

    def _wipe(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _draw_if_late(self) -> None:
        with self._lock:
            if monotonic() < self._draw_at or self._ended.is_set():
                return
            if self._bar is None or self._is_bar != self._is_measured:
                self._wipe()
                self._is_bar = self._is_measured
                self._bar = self._new_bar()
                self._bar.start()
            self._bar.update(self._bar.task_ids[0], completed=self._done, amount=self._amount(), refresh=True)

    def _new_bar(self) -> Progress:
        from rich import progress as rich
        from rich.console import Console

        columns: list[rich.ProgressColumn] = [rich.SpinnerColumn(), rich.TextColumn(_CLOCK)]
        label = self._then if self._total and self._done >= self._total else self._label
        if self._is_bar:
            amount: rich.ProgressColumn = rich.DownloadColumn() if self._unit == "bytes" else rich.MofNCompleteColumn()
            amount = rich.TextColumn("{task.fields[amount]}") if self._n_items else amount
            columns = [rich.TextColumn("{task.description}"), rich.BarColumn(), amount]
            columns += [rich.TaskProgressColumn(), rich.TimeRemainingColumn()]
        # Results go to standard output, which rich must not replace.
        bar = rich.Progress(
            *columns,
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        bar.add_task(label, total=self._total, limit=self._limit, amount="")
        bar.tasks[0].start_time = self._begin
        return bar

    def _amount(self) -> str:
        """The work done, for a clock, or the items of a batch."""
        if self._n_items:
            rate = self._n_items / (monotonic() - self._begin)
            return f"{'' if self._is_bar else ', '}{self._n_items:,} problems, {rate:,.0f}/s"
        if not self._done:
            return self._states
        if self._total is not None or not self._unit:
            return ""
        if self._unit == "bytes":
            from rich.filesize import decimal

            return f", {decimal(self._done)}"
        return f", {self._done:,} {self._unit[: -1 if self._done == 1 else None]}"
