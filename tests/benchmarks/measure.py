"""Seconds and megabytes, of a function in this process and of a whole process; rows of the table of benchmarks."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.benchmarks.texts import Texts

_MB = 1e6


def best(action: Callable[[], object], seconds: float = 1.5, most: int = 9) -> float:
    """The shortest of some runs: two at the least, and more as long as they take less than ``seconds`` together."""
    times: list[float] = []
    while len(times) < 2 or (len(times) < most and sum(times) < seconds):
        start = perf_counter()
        action()
        times.append(perf_counter() - start)
    return min(times)


def peak_above(action: Callable[[], object]) -> float | None:
    """How many megabytes an action adds at its peak to what this process holds; None where that cannot be known."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = _kilobytes(status, "VmRSS")
    action()
    return (_kilobytes(status, "VmHWM") - before) * 1024 / _MB


def process(command: Sequence[str | Path], stdout: int = subprocess.DEVNULL) -> tuple[float, float]:
    """Seconds and peak megabytes of a program.

    The peak of a process that was forked begins with what its parent holds: so the caller must be small.
    """
    start = perf_counter()
    child = subprocess.Popen([str(word) for word in command], stdout=stdout, stderr=subprocess.PIPE)
    with child:
        assert child.stderr is not None
        message = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{command[0]} ended with {child.returncode}: {message}")
    return seconds, usage.ru_maxrss * 1024 / _MB


def best_process(command: Sequence[str | Path], runs: int = 3) -> tuple[float, float]:
    """The shortest time and the greatest peak of some runs."""
    found = [process(command) for _ in range(runs)]
    return min(seconds for seconds, _ in found), max(peak for _, peak in found)


def _kilobytes(status: Path, key: str) -> int:
    line = next(line for line in status.read_text().splitlines() if line.startswith(f"{key}:"))
    return int(line.split()[1])


@dataclass(frozen=True)
class Figure:
    """What a row found."""

    seconds: float
    value: float  # compared with the goals
    peak: float | None  # megabytes, above what the process held before, or of the whole process


Run = Callable[[Path, Texts], Figure]


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    name: str
    unit: str  # of the goals and of the figure's value
    must: float  # the value must not exceed it
    aim: float  # nor should it exceed this
    text: Callable[[Texts], Path]
    run: Run


def measured(action: Callable[[], object]) -> tuple[float, float | None]:
    """The best time of an action, and what its first run adds to the memory."""
    peak = peak_above(action)
    return best(action), peak


def above_nothing(command: Sequence[str | Path], runs: int) -> Figure:
    """Milliseconds of a program above those of ``python -c pass``."""
    seconds, peak = best_process(command, runs)
    nothing, _ = best_process([sys.executable, "-c", "pass"], runs)
    return Figure(seconds, (seconds - nothing) * 1e3, peak)
