"""Child processes: interpreters that import nothing from the working folder, and end when their parent ends.

A child is a new interpreter, not a fork of its parent, so that threads, notebooks and other children can start it on
every system.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from math import inf
from multiprocessing.spawn import get_executable
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from traceback import format_exc
from typing import IO, Any, NoReturn, TypeVar, cast

_T = TypeVar("_T")

_HOME = str(Path(__file__).parents[2])  # of the package, in which it is found if the path has nothing else for it
_POLL_SECONDS = 0.5
_PR_SET_PDEATHSIG = 1  # of Linux: the signal that a process gets when its parent ends
_TOLD, _RETURNED, _RAISED = range(3)

_replies: IO[bytes]  # of a child
_idle_end = inf  # when a child without a call ends


class ChildEnded(Exception):
    """A child ended before it had returned; the message says how."""


def n_cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def interpreter_line(module: str, function: str) -> list[str]:
    """The command that calls a function without arguments in a child of this process.

    The child has the path of this process, but for the working folder where that is there only because of how Python
    was started: a file there may have the name of a module.
    """
    if getattr(sys, "frozen", False):
        raise OSError("the program has no interpreter of its own")
    path = [entry for i, entry in enumerate(sys.path) if entry and (i or not _is_working_folder(entry))]
    if _HOME not in path:
        path.append(_HOME)
    program = f"import sys; sys.path[:] = {path!a}; import {__name__} as child; child.follow({os.getpid()})"
    return [os.fsdecode(get_executable()), "-P", "-c", f"{program}; from {module} import {function}; {function}()"]


def _is_working_folder(entry: str) -> bool:
    with suppress(OSError):  # there is no such folder
        return Path(entry).samefile(".")
    return False


def follow(parent: int) -> None:
    """End this process soon after its parent, and leave Ctrl-C to that.

    On Linux it ends with the thread that started it, too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":  # at once, and also while a solver holds the interpreter lock
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> NoReturn:
    is_running = _process_check(parent)
    while is_running() and monotonic() < _idle_end:
        sleep(_POLL_SECONDS)
    os._exit(1)


def _process_check(parent: int) -> Callable[[], bool]:
    if sys.platform == "win32":  # where the number of a parent stays
        import _winapi

        handle = _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, parent)
        return lambda: _winapi.WaitForSingleObject(handle, 0) == _winapi.WAIT_TIMEOUT
    return lambda: os.getppid() == parent


class Child:
    """A process that makes calls for this one, one after the other, of functions that pickle knows by name.

    What its functions print is lost.
    """

    def __init__(self, *, idle_seconds: float = inf) -> None:
        """Start it; it ends when it has had no call for some seconds. Raises OSError where it cannot be started."""
        self._process = subprocess.Popen(  # noqa: S603 - the line above
            [*interpreter_line(__name__, "serve"), str(idle_seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.pid = self._process.pid
        self._requests, self._replies = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)

    def call(
        self, function: Callable[..., _T], *arguments: object, take: Callable[[Any], object] = lambda _: None
    ) -> _T:
        """The result of a call, whose messages by :func:`tell` are taken on the way, or what it raises.

        Raises:
            ChildEnded: the child has ended.
        """
        with suppress(OSError):  # it has ended, as its reply says
            pickle.dump((function, arguments), self._requests)
            self._requests.flush()
        while (reply := self._reply())[0] == _TOLD:
            take(reply[1])
        if reply[0] == _RAISED:
            raise reply[1]
        return cast("_T", reply[1])

    def _reply(self) -> tuple[int, Any]:
        try:
            return cast("tuple[int, Any]", pickle.load(self._replies))  # noqa: S301 - of our own child
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            code = self._process.wait()
        raise ChildEnded(f"the process ended {f'by {signal.Signals(-code).name}' if code < 0 else f'with code {code}'}")

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """End it, and with it a call that waits for it in another thread."""
        self._process.kill()

    def close(self) -> None:
        """End it, when no call waits for it any more."""
        self.kill()
        self._process.communicate()


def tell(message: object) -> None:
    """Send a message to the parent, from a call in a child."""
    _reply_with(_TOLD, message)


def _reply_with(kind: int, value: object) -> None:
    pickle.dump((kind, value), _replies)
    _replies.flush()


def serve() -> None:
    """Make one call after the other until the parent ends, or has none for a while."""
    global _replies, _idle_end
    _replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # for what solvers print
    with suppress(EOFError, OSError):  # of a parent that has ended
        while True:
            _idle_end = monotonic() + float(sys.argv[1])
            function, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 - of our own parent
            _idle_end = inf
            try:
                kind, value = _RETURNED, function(*arguments)
            except Exception as error:
                error.add_note(format_exc())
                kind, value = _RAISED, error
            _reply_with(kind, value)
    os._exit(0)
