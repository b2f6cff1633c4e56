"""Calls into solvers written in other languages, which Ctrl-C and a time limit can end.

In the main thread such solvers handle the signal themselves and do not restore it properly: after CP-SAT the next one
ends the process, and python-sat jumps out of its solver at any point. So they run in a thread of their own, and the
main thread, which waits for them, is interrupted. Where no thread can be started, the call is made in place: then a
time limit of the solver itself ends it, and nothing else.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from time import monotonic, perf_counter
from typing import Any, Self, TypeVar

from f2csp.solving.search_run import SearchRun, Statistics

_T = TypeVar("_T")

_POLL_SECONDS = 0.1  # a signal that arrives just before a wait does not end it
_STOP_SECONDS = 2.0  # for a call to end after Ctrl-C; the root relaxation of HiGHS does not look at it


class InterruptibleThread:
    """A thread that makes one call after the other; it does not keep the process alive.

    Attributes:
        n_abandoned: the number of calls, of all threads, that were given up and may go on.
    """

    n_abandoned = 0

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._is_started = False

    def __enter__(self) -> Self:
        with suppress(RuntimeError):  # WebAssembly has no threads, and a system may have a limit on them
            Thread(target=self._work, daemon=True).start()
            self._is_started = True
        return self

    def __exit__(self, *_: object) -> None:
        self._calls.put(None)

    def run(
        self, call: Callable[[], _T], stop: Callable[[], object] = lambda: None, *, seconds: float | None = None
    ) -> _T:
        """Make a call and return its result.

        Args:
            call: the call.
            stop: asks the call to end early; repeated where the call had only just begun.
            seconds: gives up on a call that has not ended then; it goes on in the thread.

        Raises:
            KeyboardInterrupt: the wait was interrupted; the call has ended, or was given up.
            TimeoutError: the call did not end in time.
        """
        if not self._is_started:
            return call()
        outcome: Future[_T] = Future()
        self._calls.put((call, outcome))
        end = None if seconds is None else monotonic() + seconds
        try:
            while not wait([outcome], _POLL_SECONDS).done:
                if end is not None and monotonic() > end:
                    stop()
                    raise TimeoutError
            return outcome.result()
        except KeyboardInterrupt:
            end = monotonic() + _STOP_SECONDS
            while not outcome.done() and monotonic() < end:
                stop()
                wait([outcome], _POLL_SECONDS)
            raise
        finally:
            InterruptibleThread.n_abandoned += not outcome.done()

    def _work(self) -> None:
        while (task := self._calls.get()) is not None:
            call, outcome = task
            try:
                outcome.set_result(call())
            except BaseException as error:
                outcome.set_exception(error)


class OneByOne(ABC):
    """A solver that finds one solution after the other, each of which is excluded before the next.

    The constructor of a subclass builds the model of a run, as far as the time suffices.
    """

    def __init__(self, run: SearchRun) -> None:
        self.run = run

    @classmethod
    def search(cls, run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
        """See :class:`f2csp.solving.registry.EngineModule`."""
        start = perf_counter()
        solver = cls(run)
        times["build"] = perf_counter() - start
        start = perf_counter()
        is_complete = run.until_interrupted(solver.find_all)
        times["search"] = perf_counter() - start
        return is_complete, solver.statistics(times["search"])

    def find_all(self) -> bool:
        """Search until a limit is reached or there are no more solutions; whether the latter."""
        run = self.run
        with InterruptibleThread() as thread:
            while not (run.has_enough or run.is_late):
                words = self.find(thread)
                if words is None:
                    return True
                run.add_solution(words)
                if not len(run.projection):
                    return True
                self.exclude_last()
        return False

    @abstractmethod
    def find(self, thread: InterruptibleThread) -> Sequence[int] | None:
        """Another solution, as the index of a word for each variable; None if there is none, Stopped at a limit."""

    @abstractmethod
    def exclude_last(self) -> None:
        """Exclude the values of the last solution on the projection of the run, which has a variable."""

    @abstractmethod
    def statistics(self, seconds: float) -> Statistics: ...  # of a search of this duration
