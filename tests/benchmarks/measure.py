"""Times of functions and of processes, as multiples of others in the same run; rows of the table of benchmarks.

A time is one of the processor, so that what else runs on the machine counts as little as possible.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from shutil import which
from tempfile import TemporaryFile
from threading import Timer
from time import process_time

from tests.benchmarks.texts import Texts

_MB = 1e6
MAX_TURNS = 9
MAX_RUNS = 3 * MAX_TURNS + 1  # of an action: in turns, and for its peak
_SHORT, _LONG = 0.05, 30.0  # seconds; what is shorter has three runs in each turn, what is longer only one turn
NUMPY = (sys.executable, "-c", "import numpy")

Action = Callable[[], object]
Clock = Callable[[], float]
Prepare = Callable[[Path, Texts], Action]


class Skipped(Exception):
    """Something that a row needs is not there; the message names it."""


@dataclass(frozen=True)
class Figure:
    """What a row found."""

    seconds: float  # of the processor of this machine
    value: float  # compared with the goals
    peak: float | None = None  # megabytes, above what the process held before, or of the whole process


Run = Callable[[Path, Texts], Figure]


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    name: str
    unit: str  # of the goals and of the figure's value: a ratio, or megabytes
    must: float  # the value must not exceed it
    aim: float  # nor should it exceed this
    text: Callable[[Texts], Path]
    run: Run

    def measured(self, texts: Texts) -> Figure:
        return self.run(self.text(texts), texts)


def timed(prepare: Prepare, peer: Prepare, each: float = 1.0) -> Run:
    """The time of an action as a multiple of another's, for each of some items; and what it adds to the memory."""

    def run(path: Path, texts: Texts) -> Figure:
        action, other = prepare(path, texts), peer(path, texts)
        peak = peak_above(action)
        mine, theirs = best(action, other)
        return Figure(mine, mine / theirs / each, peak)

    return run


def byte_loop(path: Path, _: Texts) -> Action:
    """A Python loop over the bytes of a text: how fast this machine runs Python."""
    return partial(loop_over, path.read_bytes())


def loop_over(data: bytes) -> int:
    n_lines = 0
    for byte in data:
        n_lines += byte == 10
    return n_lines


def program(
    words: str,
    value: Callable[[float, float, Path], float] = lambda ratio, peak, out: ratio,
    peer: Sequence[str] = NUMPY,
    codes: tuple[int, ...] = (0,),
    limit: float = 600,
) -> Run:
    """The time of a program of the package as a multiple of a peer's, or a value made of it.

    Args:
        words: the function of the program and its arguments; ``IN`` is the text.
        value: what is compared with the goals, from the ratio, the peak and the file ``OUT``.
        peer: its command line.
        codes: the exit codes that the program may have.
        limit: the seconds after which the program is killed.
    """

    def run(path: Path, texts: Texts) -> Figure:
        needs(peer[0])
        words_of = {"IN": str(path)}
        name, *arguments = [
            words_of.get(word, word.replace("OUT", str(texts.folder / "out"))) for word in words.split()
        ]
        command, other = [*start(name), *arguments], [words_of.get(word, word) for word in peer]
        peaks: list[float] = []
        mine, theirs = best(lambda: peaks.append(process(command, codes, limit)), lambda: process(other))
        files = sorted(texts.folder.glob("out.*"))
        figure = Figure(mine, value(mine / theirs, max(peaks), files[0] if files else path), max(peaks))
        for file in files:
            file.unlink()
        return figure

    return run


def start(name: str = "main") -> list[str]:
    """The command line of one of the package's programs."""
    return [sys.executable, "-c", f"from f2csp.cli.main import {name}; {name}()"]


def needs(name: str) -> None:
    """Skip the row if a program or a package is not there."""
    if not (which(name) or (name.isidentifier() and find_spec(name))):
        raise Skipped(f"{name} is not installed")


def cpu_seconds() -> float:
    """Of this process and of those that it has waited for."""
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def best(*actions: Action, seconds: float = 1.5, clock: Clock = cpu_seconds) -> list[float]:
    """The shortest time of each action; they take turns, more of them the shorter they are."""
    times: list[list[float]] = [[] for _ in actions]
    for turn in range(MAX_TURNS):
        if sum(map(sum, times)) > (seconds if turn >= 2 else _LONG):
            break
        for action, own in zip(actions, times, strict=True):
            own.append(time_of(action, clock))
            if own[-1] < _SHORT:
                own += [time_of(action, clock), time_of(action, clock)]
    return [min(own) for own in times]


def time_of(action: Action, clock: Clock = cpu_seconds) -> float:
    begin = clock()
    action()
    return clock() - begin


def peak_above(action: Action) -> float | None:
    """How many megabytes an action adds at its peak to what this process holds; None where that cannot be known."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = _kilobytes(status, "VmRSS")
    action()
    return (_kilobytes(status, "VmHWM") - before) * 1024 / _MB


@dataclass(frozen=True)
class Answer:
    """What a program must print: lines of its standard output that a regular expression matches."""

    pattern: str
    n_lines: int = 1  # at least

    def is_in(self, output: str) -> bool:
        return len(re.findall(self.pattern, output, re.MULTILINE)) >= self.n_lines


def process(
    command: Sequence[str | Path],
    codes: tuple[int, ...] = (0,),
    limit: float = 600,
    *,
    folder: Path | None = None,
    stdin: str | None = None,
    answer: Answer | None = None,
) -> float:
    """Run a program; its peak in megabytes.

    The peak of a process that was forked begins with what its parent holds: so the caller must be small.

    Args:
        command: its words.
        codes: the exit codes that it may have.
        limit: the seconds after which it is killed.
        folder: the working directory, where it finds its files.
        stdin: its standard input, a file of the folder.
        answer: what it must print.

    Raises:
        RuntimeError: it ended with another exit code, or did not print the answer.
        TimeoutError: it was killed.
    """
    words = [str(word) for word in command]
    given = Path(folder or ".", stdin or os.devnull)
    with given.open("rb") as source, TemporaryFile() as output, TemporaryFile() as errors:
        child = subprocess.Popen(words, stdin=source, stdout=output, stderr=errors, cwd=folder)
        timer = Timer(limit, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if not timer.is_alive():
            raise TimeoutError(f"{shlex.join(words)} did not end within {limit:.0f} s")
        timer.cancel()
        output.seek(0)
        errors.seek(0)
        if child.returncode not in codes:
            raise RuntimeError(f"{shlex.join(words)} ended with {child.returncode}: {errors.read().decode()}")
        if answer and not answer.is_in(text := output.read().decode()):
            raise RuntimeError(f"{shlex.join(words)}: expected {answer}, found {text[:1000]!r}")
    return usage.ru_maxrss * 1024 / _MB


def _kilobytes(status: Path, key: str) -> int:
    line = next(line for line in status.read_text().splitlines() if line.startswith(f"{key}:"))
    return int(line.split()[1])
