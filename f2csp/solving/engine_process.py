"""An engine in a process of its own: one that crashes, or does not stop, takes nothing else with it.

After an answer the process is kept for a while, as the next problem then needs no imports.
"""

import atexit
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Full, Queue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple

from f2csp.model import Problem
from f2csp.running.child import Child, ChildEnded, tell
from f2csp.solving.registry import engine_and_options
from f2csp.solving.search_run import Limits, SearchRun, Statistics
from f2csp.structure import raw_model

Take = Callable[[list[int]], object]
"""Receives each solution, the index of a word for each variable."""

SearchAnswer = tuple[bool, Statistics]
"""Whether a search was exhaustive, and its statistics."""

_IDLE_SECONDS = 30.0  # that a process is kept
_POLL_SECONDS = 0.1


@dataclass(eq=False)
class _Part(SearchRun):
    """The run of one engine, whose solutions go elsewhere to be checked."""

    take: Take = field(kw_only=True)
    is_over: Callable[[], bool] = field(kw_only=True)

    @property
    def is_late(self) -> bool:
        return super().is_late or self.is_over()

    def add_solution(self, words: Sequence[int]) -> None:
        solution = list(words)
        self.model.complete(solution)
        self.n_found += 1
        self.take(solution)


class Request(NamedTuple):
    """A problem for an engine, as ``NAME:OPTION=VALUE,...``."""

    problem: Problem
    line: str
    limits: Limits
    use_structure: bool

    def answer(self, take: Take, is_over: Callable[[], bool] = lambda: False) -> tuple[SearchAnswer, bool]:
        """The answer of the engine, which asks at times if the search is over, and whether Ctrl-C interrupted it."""
        engine, options = engine_and_options(self.line)
        model = raw_model(self.problem)
        run = _Part(model, self.limits, options=options, use_structure=self.use_structure, take=take, is_over=is_over)
        return engine.search(run, {}), run.is_interrupted


def _answer(request: Request) -> SearchAnswer:
    return request.answer(tell)[0]


class EngineProcess:
    """A process, and the requests that it has had; OSError where none can be started.

    Attributes:
        line: the engine of the last request.
        start: the time of that.
    """

    def __init__(self) -> None:
        self.line, self.start = "", 0.0
        self._used = 0.0  # seconds of the processor before the last request
        self._child = Child(idle_seconds=_IDLE_SECONDS)
        self._is_closed = False
        self._thread = Thread()  # that talks with it

    def ask(self, request: Request, messages: "Queue[tuple[EngineProcess, Any]]") -> None:
        """Send a request; its solutions as lists, then an answer, or a string if it failed, go to a queue."""
        self._used += self.seconds
        self.line, self.start = request.line, monotonic()
        self._thread = Thread(target=self._talk, args=(request, messages), daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            self.close()
            raise OSError("no thread can be started") from error

    @property
    def is_running(self) -> bool:
        """Whether it can have a request: on Linux, it has ended with the thread that started it."""
        return self._child.is_running

    @property
    def seconds(self) -> float:
        """Those of the processor for the last request, or all where the system does not say them."""
        with suppress(OSError, AttributeError):
            return time.clock_gettime(~self._child.pid << 3 | 2) - self._used  # the clock of a process, in Linux
        return monotonic() - self.start

    def _talk(self, request: Request, messages: "Queue[tuple[EngineProcess, Any]]") -> None:
        message: SearchAnswer | str
        try:
            message = self._child.call(_answer, request, take=lambda solution: self._put(solution, messages))
        except ChildEnded as error:
            message = str(error)
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
        self._put(message, messages)

    def _put(self, message: object, messages: "Queue[tuple[EngineProcess, Any]]") -> None:
        while not self._is_closed:
            with suppress(Full):
                messages.put((self, message), timeout=_POLL_SECONDS)
                return

    def close(self) -> None:
        """End the process; messages that are on the way are lost."""
        self._is_closed = True
        self._child.kill()
        if self._thread.ident is not None:
            self._thread.join()
        self._child.close()

    def keep(self) -> None:
        """Keep the process for the next request, unless another is kept."""
        self._thread.join()
        self.start = monotonic()
        if _idle.setdefault((os.getpid(), self.line), self) is not self:
            self.close()


_idle: dict[tuple[int, str], EngineProcess] = {}  # by the process that has started it, of which there may be forks


def process_for(line: str) -> EngineProcess:
    """A process for requests to an engine, perhaps one that is kept."""
    kept = _idle.pop((os.getpid(), line), None)
    if kept is not None and kept.is_running and monotonic() - kept.start < _IDLE_SECONDS / 2:
        return kept
    if kept is not None:
        kept.close()
    return EngineProcess()


@atexit.register
def _close_idle() -> None:
    for key in list(_idle):
        if key[0] == os.getpid():
            _idle.pop(key).close()
