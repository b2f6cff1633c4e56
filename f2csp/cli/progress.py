"""The progress bar, shown after two seconds."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from f2csp.model import ConstraintBlock, ProblemStream

DELAY = 2.0  # seconds


@contextmanager
def progress(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error after ``DELAY`` seconds, if that is a terminal; it is wiped at the end.

    Yields:
        A function to call with the work done since its last call.
    """
    if not sys.stderr.isatty():
        yield lambda n: None  # noqa: ARG005 - takes what the other one takes
        return
    bar = _Bar(label, total)
    try:
        yield bar.advance
    finally:
        bar.wipe()


def dump_watched(stream: ProblemStream, file: str) -> None:
    """Write a problem as :func:`f2csp.dump` does, with a progress bar."""
    from f2csp.text.writer import dump

    if file == "-" and sys.stdout.isatty():  # a bar would interrupt the text
        dump(stream, file)
        return
    with progress("Writing constraints", stream.n_constraints) as advance:
        dump(replace(stream, blocks=_counted(stream.blocks, advance)), file)


def _counted(blocks: Iterable[ConstraintBlock], advance: Callable[[int], None]) -> Iterator[ConstraintBlock]:
    for block in blocks:
        yield block
        advance(len(block.relations))


class _Bar:
    """A bar that is drawn after the delay; rich is not imported before it."""

    def __init__(self, label: str, total: int | None) -> None:
        self._label = label
        self._total = total
        self._done = 0
        self._due = monotonic() + DELAY
        self._wipe: Callable[[], None] | None = None
        self._show: Callable[[int], None] = self._draw

    def advance(self, n: int) -> None:
        self._done += n
        if monotonic() >= self._due:
            self._show(self._done)

    def wipe(self) -> None:
        if self._wipe:
            self._wipe()

    def _draw(self, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(self._label, total=self._total, completed=done)
        bar.start()
        self._wipe = bar.stop
        self._show = lambda n: bar.update(task, completed=n)
