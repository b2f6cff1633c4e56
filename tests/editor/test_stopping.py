"""A request that is cancelled ends the program that it started."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as t

from f2csp.editor.features import server_in
from f2csp.editor.lenses import command_handler
from tests.editor.documents import URI, opened

HARD = f"{'.' * 81}\n"  # more solutions than can be counted


def test_a_cancelled_command_ends_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    started = []
    start = asyncio.create_subprocess_exec

    async def recorded(*arguments, **more):
        started.append(await start(*arguments, **more))
        return started[-1]

    async def cancel_when_it_runs():
        server = server_in(tmp_path)
        server.protocol.client_capabilities = t.ClientCapabilities()
        server.documents[URI] = opened(HARD, language="f2csp-puzzle", uri="file:///folder/board.txt")
        task = asyncio.ensure_future(command_handler("count")(server, URI))
        while not started:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        server.running[7] = server.running[None]  # the number of no request, as none was read
        message = {"jsonrpc": "2.0", "method": t.CANCEL_REQUEST, "params": {"id": 7}}
        server.protocol.handle_message(server.protocol.structure_message(message))
        with pytest.raises(asyncio.CancelledError):
            await task
        return await started[0].wait()

    monkeypatch.setattr(asyncio, "create_subprocess_exec", recorded)
    assert asyncio.run(cancel_when_it_runs()) == -9
