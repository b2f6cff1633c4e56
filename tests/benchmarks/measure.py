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
_CODES = (0, 3)  # exit codes: some of the puzzles have several solutions
NOTHING = (sys.executable, "-c", "pass")

Action = Callable[[], object]


@dataclass(frozen=True)
class Figure:
    """What a row found."""

    seconds: float
    value: float  # compared with the goals
    peak: float | None = None  # megabytes, above what the process held before, or of the whole process


Run = Callable[[Path, Texts], Figure]
Unit = float | Callable[[Path, Texts], float]
"""Seconds in which a time is given: a millisecond, or what something else takes."""


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    name: str
    unit: str  # of the goals and of the figure's value
    must: float  # the value must not exceed it
    aim: float  # nor should it exceed this
    text: Callable[[Texts], Path]
    run: Run

    def measured(self, texts: Texts) -> Figure:
        return self.run(self.text(texts), texts)


def timed(prepare: Callable[[Path, Texts], Action], unit: Unit = 1.0) -> Run:
    """The time of an action, and what its first run adds to the memory."""

    def run(path: Path, texts: Texts) -> Figure:
        action = prepare(path, texts)
        peak, seconds = peak_above(action), best(action)
        return Figure(seconds, seconds / (unit if isinstance(unit, float) else unit(path, texts)), peak)

    return run


def program(
    words: str,
    value: Callable[[float, float, Path], float] = lambda seconds, peak, out: seconds,
    above: Sequence[str] = (),
    runs: int | None = None,
) -> Run:
    """The time of a program of the package, and a value made of it, of the peak and of the file ``OUT``.

    Args:
        words: the function of the program and its arguments; ``IN`` is the text.
        value: what is compared with the goals.
        above: the command whose time is taken away from the one that ``value`` gets.
        runs: of which the best is taken; None for as many as the scale has.
    """

    def run(path: Path, texts: Texts) -> Figure:
        out = texts.folder / "out"
        name, *arguments = [str(path) if word == "IN" else word.replace("OUT", str(out)) for word in words.split()]
        n = runs or texts.scale.n_processes
        seconds, peak = best_process([*start(name), *arguments], n)
        less = best_process(above, n)[0] if above else 0.0
        files = sorted(texts.folder.glob("out.*"))
        found = value(seconds - less, peak, files[0] if files else out)
        for file in files:
            file.unlink()
        return Figure(seconds, found, peak)

    return run


def start(name: str = "main") -> list[str]:
    """The command line of one of the package's programs."""
    return [sys.executable, "-c", f"from f2csp.cli.main import {name}; {name}()"]


def milliseconds(seconds: float, *_: object) -> float:
    return seconds * 1e3


def best(action: Action, seconds: float = 1.5, most: int = 9) -> float:
    """The shortest of some runs: two at the least, and more as long as they take less than ``seconds`` together."""
    times: list[float] = []
    while len(times) < 2 or (len(times) < most and sum(times) < seconds):
        begin = perf_counter()
        action()
        times.append(perf_counter() - begin)
    return min(times)


def peak_above(action: Action) -> float | None:
    """How many megabytes an action adds at its peak to what this process holds; None where that cannot be known."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = _kilobytes(status, "VmRSS")
    action()
    return (_kilobytes(status, "VmHWM") - before) * 1024 / _MB


def process(command: Sequence[str | Path]) -> tuple[float, float]:
    """Seconds and peak megabytes of a program.

    The peak of a process that was forked begins with what its parent holds: so the caller must be small.
    """
    begin = perf_counter()
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with child:
        assert child.stderr is not None
        message = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in _CODES:
        raise RuntimeError(f"{command[0]} ended with {child.returncode}: {message}")
    return seconds, usage.ru_maxrss * 1024 / _MB


def best_process(command: Sequence[str | Path], runs: int) -> tuple[float, float]:
    """The shortest time and the greatest peak of some runs."""
    found = [process(command) for _ in range(runs)]
    return min(seconds for seconds, _ in found), max(peak for _, peak in found)


def _kilobytes(status: Path, key: str) -> int:
    line = next(line for line in status.read_text().splitlines() if line.startswith(f"{key}:"))
    return int(line.split()[1])
