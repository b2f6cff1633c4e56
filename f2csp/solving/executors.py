"""Other processes for parts of one task: some of this machine, or the workers of a Dask cluster."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import closing, contextmanager
from functools import partial
from importlib import import_module
from typing import Any

from f2csp.diagnostics import F2cspError, optional_package
from f2csp.running.child import ChildEnded
from f2csp.running.pool import Pool

_CONNECT_SECONDS = 10


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
    with closing(Pool(n_workers)) as pool:
        try:
            yield pool.submit
        except ChildEnded:
            raise F2cspError("a worker process was ended; it may have had too little memory") from None
