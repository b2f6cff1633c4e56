"""A call in a process of its own, with limits of time and memory that nothing in it can escape."""

import gc
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from select import select
from tempfile import TemporaryFile
from threading import current_thread, main_thread
from time import monotonic
from typing import IO, Any, NamedTuple, NoReturn

from f2csp.diagnostics import F2cspError

_GRACE = 2.0  # seconds beyond the limit, in which the call may end by itself
_MB = 1 << 20
_RSS_UNIT = 1 if sys.platform == "darwin" else 1 << 10  # bytes, of ru_maxrss
_CHUNK = 1 << 16
_MAX_MESSAGE_LENGTH = 500
_NO_MEMORY = re.compile("bad_alloc|out of memory|cannot allocate|temporarily unavailable", re.IGNORECASE)


class Outcome(NamedTuple):
    """What is known of a call after its end."""

    report: Mapping[str, Any] | None  # that the call returned; None if it failed
    failure: str  # time limit, memory limit or failed; empty if it did not fail
    message: str  # of the failure
    cpu: float  # seconds of all its threads
    memory: float | None  # MB of main memory that the call took at its peak


def isolated(call: Callable[[], Mapping[str, object]], seconds: float, megabytes: float) -> Outcome:
    """Make a call in a child of this process, which is killed with all of its own children at the end.

    The child is a fork of this process. A fresh interpreter would need half a second to import an engine and to read
    the problem once more; a process that makes several calls would pass warm caches from one to the next.

    ``megabytes`` limits the address space that the call adds to that of this process, where the system tells its size.
    """
    if not hasattr(os, "fork"):
        raise F2cspError("experiments need an operating system that can fork processes")
    reading, writing = os.pipe()
    with TemporaryFile() as errors:
        handler, interrupts = signal.getsignal(signal.SIGINT), list[int]()
        is_deferred = callable(handler) and current_thread() is main_thread()
        # Until the child is certain to be killed; other threads may receive a signal that this one blocks.
        if is_deferred:
            signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
        child = os.fork()
        if not child:
            _be_child(call, writing, errors, seconds, megabytes)
        try:
            os.close(writing)
            if is_deferred:
                signal.signal(signal.SIGINT, handler)
                if interrupts:
                    signal.raise_signal(signal.SIGINT)
            lines = _received(reading, monotonic() + seconds + _GRACE)
        finally:
            _kill(child)
            _, ending, usage = os.wait4(child, 0)
            os.close(reading)
        cpu = usage.ru_utime + usage.ru_stime
        if lines is None:
            return Outcome(None, "time limit", f"killed {_GRACE:g} s after the time limit", cpu, None)
        memory = (usage.ru_maxrss - int(lines[0])) * _RSS_UNIT / _MB if lines else None
        return Outcome(*_judged(lines[1:], ending, errors), cpu, memory)


def _judged(lines: list[bytes], ending: int, errors: IO[bytes]) -> tuple[Mapping[str, Any] | None, str, str]:
    """The report and the failure: from what the child reported, how it ended, and its standard error."""
    if lines:
        report = json.loads(lines[0])
        if "failure" not in report:
            return report, "", ""
        message = report["failure"]
    else:
        errors.seek(0)
        lines_of_text = errors.read(_CHUNK).decode(errors="replace").splitlines()
        number = os.WTERMSIG(ending) if os.WIFSIGNALED(ending) else 0
        how = f"ended by {signal.Signals(number).name}" if number else f"ended with code {os.WEXITSTATUS(ending)}"
        message = ": ".join([how, *filter(None, map(str.strip, lines_of_text))])[:_MAX_MESSAGE_LENGTH]
        if number == signal.SIGKILL:  # by the system, which does so when memory runs out
            return None, "memory limit", message
    return None, "memory limit" if _NO_MEMORY.search(message) else "failed", message


def _received(reading: int, end: float) -> list[bytes] | None:
    """The whole lines that the child writes until it ends; None if it does not end in time."""
    data = b""
    while select([reading], [], [], max(0.0, end - monotonic()))[0]:
        if not (piece := os.read(reading, _CHUNK)):
            return data.split(b"\n")[:-1]
        data += piece
    return None


def _kill(child: int) -> None:
    """Kill a child that is not yet waited for, and the processes of its group."""
    for kill in (os.kill, os.killpg):  # it may have no group of its own yet
        with suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)


def _be_child(
    call: Callable[[], Mapping[str, object]], writing: int, errors: IO[bytes], seconds: float, megabytes: float
) -> NoReturn:
    """Make the call, write the peak of memory before it and its report, and end without any clean-up."""
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds + 2 * _GRACE)  # if nobody is left to kill it
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream, file in enumerate((nothing, nothing, errors.fileno())):
            os.dup2(file, stream)
        gc.freeze()  # collections look at what the call makes, not at what this process had before
        import resource  # not on Windows

        os.write(writing, b"%d\n" % resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        if used := _address_space():
            limit = used + int(megabytes * _MB)
            resource.setrlimit(resource.RLIMIT_AS, (limit if most < 0 else min(limit, most), most))
        try:
            report = dict(call())
        except BaseException as error:
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            message = "out of memory" if isinstance(error, MemoryError) else str(error)
            name = "" if isinstance(error, (MemoryError, F2cspError)) else f"{type(error).__name__}: "
            report = {"failure": f"{name}{message}"[:_MAX_MESSAGE_LENGTH]}
        os.write(writing, json.dumps(report).encode() + b"\n")
        os._exit(0)
    finally:
        os._exit(1)


def _address_space() -> int:
    """Bytes of this process's address space; 0 where the system does not say them."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
