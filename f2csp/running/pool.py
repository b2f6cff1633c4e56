"""Calls that are made side by side, by children of this process."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from f2csp.running.child import Child, ChildEnded, n_cores

_T = TypeVar("_T")


class Pool:
    """Some children, each with a thread that waits for it, and the calls that wait for a child."""

    def __init__(self, n: int | None = None) -> None:
        """Start no more children than processors, or than ``n``, and none before there is a call for it."""
        self.n = n or n_cores()
        self._threads = ThreadPoolExecutor(self.n)
        self._children: set[Child] = set()
        self._idle: list[Child] = []
        self._lock, self._is_closed = Lock(), False

    def submit(self, function: Callable[..., _T], *arguments: object) -> Future[_T]:
        """What a call will return or raise: ChildEnded if the child ends before."""
        return self._threads.submit(self._call, function, *arguments)

    def _call(self, function: Callable[..., _T], *arguments: object) -> _T:
        child = self._child()
        try:
            answer = child.call(function, *arguments)
        except ChildEnded:
            self._children.remove(child)
            child.close()
            raise
        except Exception:
            self._idle.append(child)
            raise
        self._idle.append(child)
        return answer

    def _child(self) -> Child:
        with self._lock:
            if self._is_closed:
                raise ChildEnded("the pool is closed")
            if self._idle:
                return self._idle.pop()
            child = Child()
            self._children.add(child)
            return child

    def close(self) -> None:
        """End the children, whatever they do."""
        with self._lock:
            self._is_closed = True
            for child in self._children:
                child.kill()
        self._threads.shutdown(cancel_futures=True)
        for child in self._children:
            child.close()
