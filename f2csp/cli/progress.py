"""Progress on standard error: a bar or a clock, if that is a terminal and the work takes longer than two seconds."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import RLock, Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from f2csp.files import COMPRESSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    from f2csp.diagnostics import Source
    from f2csp.model import ConstraintBlock, ProblemStream

DELAY = 2.0  # seconds
_BAR_WIDTH = 40


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
    """A bar, or a clock where the rest of the work is unknown, that appears after the delay and is wiped at the end.

    rich is not imported before the delay.
    """

    def __init__(
        self, label: str, total: int | None = None, unit: str = "", *, limit: str = "", then: str | None = None
    ) -> None:
        """Prepare a display; ``bytes`` are shown as MB, ``then`` is the label of the clock after a full bar."""
        self._label, self._then, self._limit = label, then or label, limit
        self._total, self._unit = total, unit
        self._done = 0
        self._states = ""  # of a count by merging
        self._n_items = 0  # of a batch
        self._begin = monotonic()
        self._lock = RLock()
        self._timer: Timer | None = None
        self._live: Live | None = None

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
        from rich.live import Live

        with self._lock, suppress(OSError):  # the terminal is gone
            if self._timer is not None and self._live is None:
                console = Console(stderr=True)  # results go to standard output, which rich must not replace
                look: dict[str, Any] = {"transient": True, "redirect_stdout": False, "redirect_stderr": False}
                self._live = Live(console=console, get_renderable=self._picture, **look)
                self._live.start(refresh=True)

    def _wipe(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._live is not None:
                self._live.stop()
            self._timer = self._live = None

    def advance(self, n: int, n_items: int = 0) -> None:
        was_measured = self._is_measured
        self._done += n
        self._n_items += n_items
        if self._live is not None and was_measured != self._is_measured:
            self._live.refresh()

    def show_states(self, stage: int, n_stages: int, n_states: int) -> None:
        """Show how far a count by merging is, until work is added."""
        self._states = f", stage {stage:,} of {n_stages:,}, {n_states:,} states"

    @property
    def _is_measured(self) -> bool:
        return self._total is not None and 0 < self._done < self._total

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Keep the terminal free of the display while results are printed on it, and for the delay after them."""
        if self._timer is None or not sys.stdout.isatty():
            yield
            return
        self._wipe()
        yield
        self._wait()

    def _picture(self) -> Text | Table:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        seconds = monotonic() - self._begin
        if self._total is None or not self._is_measured:
            label = self._then if self._total and self._done >= self._total else self._label
            amount = f", {self._amount(seconds)}" if self._n_items or (self._done and self._total is None) else ""
            return Text(f"{label}, {seconds:.0f} s{self._limit}{amount or self._states}")
        done = self._done / self._total
        rest = timedelta(seconds=round(seconds / done - seconds))
        line = Table.grid(padding=(0, 1))
        bar = ProgressBar(self._total, self._done, _BAR_WIDTH)
        line.add_row(self._label, bar, self._amount(seconds), f"{done:.0%}", f"{rest} left")
        return line

    def _amount(self, seconds: float) -> str:
        if self._n_items:
            return f"{self._n_items:,} problems, {self._n_items / seconds:,.0f}/s"
        if self._unit == "bytes":
            from rich.filesize import decimal

            return decimal(self._done) + (f"/{decimal(self._total)}" if self._total else "")
        unit = self._unit.removesuffix("s" * (self._done == 1))
        return f"{self._done:,}/{self._total:,}" if self._total else f"{self._done:,} {unit}"
