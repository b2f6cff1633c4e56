"""What the server can do: one table of the requests that it answers."""

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lsprotocol import types as t

from f2csp.editor import annotations, edits, lenses, navigation
from f2csp.editor.document import Document
from f2csp.editor.server import EditorServer
from f2csp.editor.transport import serve

_TRIGGERS = [" ", ":", ",", "("]
_ANY_FORMAT = {t.TEXT_DOCUMENT_HOVER, t.TEXT_DOCUMENT_CODE_LENS}
_Feature = Callable[[Document, Any], object]
_FEATURES: dict[str, tuple[_Feature, object]] = {
    t.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (navigation.document_symbols, None),
    t.TEXT_DOCUMENT_FOLDING_RANGE: (navigation.folding_ranges, None),
    t.TEXT_DOCUMENT_HOVER: (navigation.hover, None),
    t.TEXT_DOCUMENT_DEFINITION: (navigation.definition, None),
    t.TEXT_DOCUMENT_REFERENCES: (navigation.references, None),
    t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (navigation.highlights, None),
    t.TEXT_DOCUMENT_COMPLETION: (edits.completion_list, t.CompletionOptions(_TRIGGERS)),
    t.TEXT_DOCUMENT_SIGNATURE_HELP: (edits.signature_help, t.SignatureHelpOptions(_TRIGGERS)),
    t.TEXT_DOCUMENT_PREPARE_RENAME: (edits.prepare_rename, None),
    t.TEXT_DOCUMENT_RENAME: (edits.rename, t.RenameOptions(prepare_provider=True)),
    t.TEXT_DOCUMENT_CODE_ACTION: (edits.code_actions, t.CodeActionOptions([t.CodeActionKind.QuickFix, edits.FIX_ALL])),
    t.TEXT_DOCUMENT_FORMATTING: (edits.formatting, None),
    t.TEXT_DOCUMENT_RANGE_FORMATTING: (edits.range_formatting, None),
    t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (annotations.semantic_tokens, annotations.TOKEN_LEGEND),
    t.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (annotations.semantic_tokens_in_range, annotations.TOKEN_LEGEND),
    t.TEXT_DOCUMENT_INLAY_HINT: (annotations.inlay_hints, None),
    t.TEXT_DOCUMENT_CODE_LENS: (lenses.code_lenses, None),
}


def serve_editor() -> int:
    """Answer an editor over standard input and output until it is done; return the exit code."""
    input_, output = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr  # so that nothing else is written between the messages
    pygls_log = logging.getLogger("pygls")  # the client has all errors as answers and messages
    pygls_log.addHandler(logging.NullHandler())
    pygls_log.propagate = False
    with TemporaryDirectory(prefix="f2csp-") as folder:
        return serve(server_in(Path(folder)), input_, output)


def server_in(folder: Path) -> EditorServer:
    """A server with all features, which may write answers to files in a folder."""
    server = EditorServer(folder)
    for method, (feature, options) in _FEATURES.items():
        server.feature(method, options)(_answering(feature, any_format=method in _ANY_FORMAT))
    for name in lenses.COMMAND_TITLES:
        server.command(f"f2csp.{name}")(lenses.command_handler(name))
    server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_settings_changed)
    return server


def _answering(feature: _Feature, *, any_format: bool) -> Callable[[EditorServer, Any], object]:
    def answer(ls: EditorServer, params: Any) -> object:
        document = ls.documents.get(params.text_document.uri)
        return feature(document, params) if document and (any_format or document.is_f2csp) else None

    return answer


def _settings_changed(ls: EditorServer, params: t.DidChangeWatchedFilesParams) -> None:  # noqa: ARG001
    for document in ls.documents.values():
        ls.schedule(document)
