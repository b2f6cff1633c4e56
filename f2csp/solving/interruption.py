"""Calls into solvers written in other languages, which Ctrl-C and a time limit can end.

In the main thread such solvers handle the signal themselves and do not restore it properly: after CP-SAT the next one
ends the process, and python-sat jumps out of its solver at any point. So they run in a thread of their own, and the
main thread, which waits for them, is interrupted.
"""

from collections.abc import Callable
from concurrent.futures import Future, wait
from queue import SimpleQueue
from threading import Thread
from typing import Any, Self, TypeVar

T = TypeVar("T")

_POLL_SECONDS = 0.1  # a signal that arrives just before a wait does not end it


class InterruptibleThread:
    """A thread that makes one call after the other; it does not keep the process alive.

    Attributes:
        n_abandoned: the number of calls, of all threads, that were given up and may go on.
    """

    n_abandoned = 0

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()

    def __enter__(self) -> Self:
        Thread(target=self._work, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._calls.put(None)

    def run(
        self, call: Callable[[], T], stop: Callable[[], object] = lambda: None, *, seconds: float | None = None
    ) -> T:
        """Make a call and return its result.

        Args:
            call: the call.
            stop: asks the call to end early; repeated where the call had only just begun.
            seconds: gives up on a call that has not ended then; it goes on in the thread.

        Raises:
            KeyboardInterrupt: the wait was interrupted; the call has ended.
            TimeoutError: the call did not end in time.
        """
        outcome: Future[T] = Future()
        self._calls.put((call, outcome))
        waited = 0.0
        try:
            while not wait([outcome], _POLL_SECONDS).done:
                waited += _POLL_SECONDS
                if seconds is not None and waited > seconds:
                    stop()
                    InterruptibleThread.n_abandoned += 1
                    raise TimeoutError
            return outcome.result()
        except KeyboardInterrupt:
            while not outcome.done():
                stop()
                wait([outcome], _POLL_SECONDS)
            raise

    def _work(self) -> None:
        while (task := self._calls.get()) is not None:
            call, outcome = task
            try:
                outcome.set_result(call())
            except BaseException as error:
                outcome.set_exception(error)
