"""Messages over pipes: each has a head with its length. After what is no message, the next head is looked for."""

import asyncio
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread
from typing import BinaryIO

from pygls.exceptions import JsonRpcParseError

from f2csp.editor.server import EditorServer

_LENGTH = re.compile(rb"Content-Length: *([0-9]{1,20})\r?\n\Z", re.IGNORECASE)
_MAX_LENGTH = 1 << 28  # bytes of a message
_MAX_LINE = 1 << 16  # bytes of a line of a head


def serve(server: EditorServer, input_: BinaryIO, output: BinaryIO) -> int:
    """Answer the messages of a client in order, until it ends the server or a pipe ends; return the exit code."""
    server.protocol.set_writer(_Writer(output))
    try:
        asyncio.run(_serve(server, input_))
        return 0
    except SystemExit as end:  # of the request to exit, whose code says whether the client has shut the server down
        return int(end.code or 0)
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


async def _serve(server: EditorServer, input_: BinaryIO) -> None:
    loop, at_end = asyncio.get_running_loop(), asyncio.Event()

    async def take(body: bytes | JsonRpcParseError) -> None:
        server.editor_protocol.take(body)

    def read() -> None:
        with suppress(OSError):  # it is closed
            for body in _bodies(input_):
                asyncio.run_coroutine_threadsafe(take(body), loop).result()
        loop.call_soon_threadsafe(at_end.set)

    Thread(target=read, daemon=True).start()  # a daemon, since nothing can stop a read
    await at_end.wait()


def _bodies(stream: BinaryIO) -> Iterator[bytes | JsonRpcParseError]:
    """The bodies of the messages, and errors for heads without a length, or with one that is too large."""
    length: int | None = None
    is_head = False
    while line := stream.readline(_MAX_LINE):
        if found := _LENGTH.search(line):
            length = int(found[1])
        if line.strip():
            is_head = True
            continue
        if length is not None and length <= _MAX_LENGTH:
            body = stream.read(length)
            if len(body) < length:
                return
            yield body
        elif is_head:
            found_length = "none" if length is None else f"{length:,}"
            yield JsonRpcParseError(f"expected Content-Length: N with N up to {_MAX_LENGTH:,}, found {found_length}")
        length, is_head = None, False


class _Writer:
    """Writes messages; when nobody reads them any more, the server ends."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output

    def write(self, data: bytes) -> None:
        try:
            self._output.write(data)
            self._output.flush()
        except OSError:
            sys.exit()

    def close(self) -> None:
        self._output.close()
