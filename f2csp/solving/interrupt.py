"""Ctrl-C while a solver in another language is at work.

Called in the main thread, such solvers take the signal for themselves and do not give it back in order: after CP-SAT
the next one ends the process, and python-sat jumps out of its solver wherever that is. So they are called in a thread
of their own, and the main thread, which waits for them, is the one that is interrupted.
"""

from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

T = TypeVar("T")

_SECONDS_TO_STOP = 0.1


def awaited(future: "Future[T]", stop: Callable[[], object] = lambda: None) -> T:
    """The result of a call in another thread.

    Args:
        future: the call.
        stop: asks it to end early; asked again where it had only just begun.

    Raises:
        KeyboardInterrupt: the wait was interrupted; the call is over then too.
    """
    try:
        return future.result()
    except KeyboardInterrupt:
        while not future.done():
            stop()
            wait([future], _SECONDS_TO_STOP)
        raise
