"""Seconds and megabytes, of a function in this process and of a whole process."""

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

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
