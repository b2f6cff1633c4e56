"""Other processes for parts of one task: some of this machine, or the workers of a Dask cluster."""

import logging
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any

from f2csp.diagnostics import F2cspError, optional_package

_CONNECT_SECONDS = 10


def follow_parent() -> None:
    """Let a worker process end when its parent does, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (parent := parent_process()) is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of a Dask cluster.

    Raises:
        F2cspError: no scheduler answers, or the connection is lost.
        MissingExtra: Dask is not installed.
    """
    distributed = optional_package("distributed", "--cluster", "cluster")
    logging.getLogger("distributed.client").disabled = True  # its tracebacks of what is told here in one line
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise F2cspError(f"no scheduler of Dask answers at {address}: {error}") from None
    try:
        yield client
    except Exception as error:  # Dask has many for an end of the connection
        if client.status == "running" and not isinstance(error, distributed.comm.CommClosedError):
            raise
        raise F2cspError(f"the connection to the cluster at {address} is lost") from None
    finally:
        client.close()


@contextmanager
def submitting(n_workers: int | None, cluster: str | None) -> Iterator[Callable[..., Any]]:
    """What gives a function and its arguments to a worker of a cluster, or of this machine, and returns a future.

    Raises:
        F2cspError: no scheduler answers, or a worker is lost at work.
        MissingExtra: Dask is not installed.
    """
    if cluster is not None:
        with connected(cluster) as client:
            try:
                yield partial(client.submit, pure=False)
            except (CancelledError, import_module("distributed").KilledWorker) as error:
                raise F2cspError(f"the cluster at {cluster} lost a task: {error}") from None
        return
    pool = ProcessPoolExecutor(n_workers, initializer=follow_parent)
    try:
        yield pool.submit
    except BrokenProcessPool:
        raise F2cspError("a worker process was ended; it may have had too little memory") from None
    finally:
        pool.shutdown(cancel_futures=True)
