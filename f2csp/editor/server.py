"""The server: the texts that are open, and when their diagnostics are sent."""

import asyncio
import json
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from lsprotocol import types as t
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from f2csp import __version__
from f2csp.editor.document import Document
from f2csp.editor.live_diagnostics import diagnostics_of
from f2csp.settings import settings_for

_REST = 2.0  # times as long as the last diagnostics took, no others are made of a text that goes on changing


class EditorProtocol(LanguageServerProtocol):
    """The protocol, with texts as bytes: pygls would cut a text into lines at every change."""

    _server: "EditorServer"

    @lsp_method(t.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: t.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        encoding = str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))
        document = Document(item.uri, item.text, item.version, item.language_id, encoding)
        self._server.documents[item.uri] = document
        self._server.schedule(document)

    @lsp_method(t.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: t.DidChangeTextDocumentParams) -> None:
        document = self._server.documents.get(params.text_document.uri)
        if document is None:
            raise JsonRpcInvalidParams(f"{params.text_document.uri} is not open")
        for change in params.content_changes:
            document.change(change)
        document.version = params.text_document.version
        self._server.schedule(document)

    @lsp_method(t.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: t.DidCloseTextDocumentParams) -> None:
        self._server.forget(params.text_document.uri)

    def handle_message(self, message: Any) -> None:
        """Take a message; one that cancels requests also stops the programs that they have started."""
        method = getattr(message, "method", "")
        if method == t.CANCEL_REQUEST and (task := self._server.running.get(message.params.id)):
            task.cancel()
        elif method == t.SHUTDOWN:  # pygls would cancel them while it iterates over those that are left
            for future in (*self._server.running.values(), *self._request_futures.values()):
                cast("asyncio.Future[Any]", future).cancel()
        super().handle_message(message)

    def take(self, body: bytes | JsonRpcException) -> None:
        """Take the body of a message. What cannot be one is answered with an error."""
        number: str | int | None = None
        try:
            if isinstance(body, JsonRpcException):
                raise body
            data = _message(body)
            method, number = data.get("method"), data.get("id") if "method" in data else None
            if self._workspace is None and method not in (t.INITIALIZE, t.EXIT):
                raise JsonRpcServerNotInitialized(f"expected {t.INITIALIZE} first, found {method}")
            if self._shutdown and method != t.EXIT:
                raise JsonRpcInvalidRequest(f"expected {t.EXIT} after {t.SHUTDOWN}, found {method}")
            defaults = {"params": None} if method else {}
            self.handle_message(self.structure_message(defaults | data))
        except JsonRpcException as error:
            self._send_response(number, error=error.to_response_error())  # type: ignore[arg-type]  # null where unknown


def _message(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise JsonRpcParseError(f"expected JSON: {error}") from None
    if not isinstance(data, dict) or data.get("jsonrpc") != "2.0":
        raise JsonRpcInvalidRequest('expected an object with "jsonrpc": "2.0"')
    if not isinstance(data.get("id"), str | int | None) or not isinstance(data.get("method"), str | None):
        raise JsonRpcInvalidRequest("expected a number or a string as id, a string as method")
    return data


class EditorServer(LanguageServer):
    """The server of one editor."""

    def __init__(self, folder: Path) -> None:
        """Begin without texts; answers of several lines are written to files in a folder."""
        super().__init__("f2csp", __version__, protocol_cls=EditorProtocol)
        self.folder = folder
        self.documents: dict[str, Document] = {}
        self.running: dict[str | int | None, asyncio.Task[Any] | None] = {}  # programs, by the numbers of requests
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._rests: dict[str, float] = {}  # until when

    @property
    def editor_protocol(self) -> EditorProtocol:
        return cast("EditorProtocol", self.protocol)

    def schedule(self, document: Document) -> None:
        """Send the diagnostics of a text: now, or after a rest if it changes fast."""
        self._stop_timer(document.uri)
        loop = asyncio.get_running_loop()
        at = max(loop.time(), self._rests.get(document.uri, 0))
        self._timers[document.uri] = loop.call_at(at, self._publish, document)

    def forget(self, uri: str) -> None:
        """A text was closed."""
        self._stop_timer(uri)
        self._rests.pop(uri, None)
        if self.documents.pop(uri, None):
            self.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, []))

    def _stop_timer(self, uri: str) -> None:
        if timer := self._timers.pop(uri, None):
            timer.cancel()

    def _publish(self, document: Document) -> None:
        start = perf_counter()
        settings: dict[str, Any] = {}
        try:
            settings = settings_for(Path(document.path).parent)
        except (OSError, ValueError) as error:
            self.window_log_message(t.LogMessageParams(t.MessageType.Warning, str(error)))
        found = diagnostics_of(document, settings)
        self.text_document_publish_diagnostics(t.PublishDiagnosticsParams(document.uri, found, document.version))
        self._rests[document.uri] = asyncio.get_running_loop().time() + _REST * (perf_counter() - start)
