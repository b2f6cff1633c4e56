"""The server as clients start it, with the capabilities of VS Code, Neovim and Emacs: every request has an answer.

pytest-lsp holds each answer against what the client can take.
"""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.editor.documents import MAP, applied

CLIENTS = ["visual-studio-code", "neovim", "emacs"]
SERVER = [sys.executable, "-m", "f2csp", "lsp"]
OPTIONS = t.FormattingOptions(4, insert_spaces=True)
FAULTY = MAP.replace("green green", "green Green")
UNIQUE = "One\nDomains: 1\nd: a b\nVariables: 1\nx: d\nConstraints: 1\nC1\nVars: 1\nx\nAccept: 1\na\nGoal: Satisfy\n"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER), scope="module", params=CLIENTS)
async def client(request, lsp_client: LanguageClient):
    capabilities = client_capabilities(request.param)
    await lsp_client.initialize_session(t.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


async def until(condition: Callable[[], object]) -> None:
    for _ in range(6_000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("nothing came for a minute")


class Session:
    """One text that is open in a client."""

    n = 0

    def __init__(self, client: LanguageClient, text: str, name: str = "map.csp", language: str = "f2csp"):
        Session.n += 1
        self.client, self.uri, self.text = client, f"file:///tmp/{Session.n}/{name}", text
        self.document, self.version, self.language = t.TextDocumentIdentifier(self.uri), 1, language

    async def open(self):
        item = t.TextDocumentItem(self.uri, self.language, self.version, self.text)
        self.client.text_document_did_open(t.DidOpenTextDocumentParams(item))
        return await self.diagnostics()

    async def diagnostics(self):
        """The diagnostics of the latest version."""
        await until(lambda: self.uri in self.client.diagnostics)
        return self.client.diagnostics[self.uri]

    async def change(self, *changes: t.TextDocumentContentChangeEvent):
        self.version += 1
        document = t.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.diagnostics.pop(self.uri, None)
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(document, changes))
        return await self.diagnostics()

    def place(self, text: str, shift: int = 1) -> t.Position:
        offset = self.text.index(text) + shift
        return t.Position(self.text.count("\n", 0, offset), offset - self.text.rfind("\n", 0, offset) - 1)


async def test_diagnostics_follow_the_text(client: LanguageClient):
    session = Session(client, FAULTY)
    (found,) = await session.open()
    assert found.code == "F304"
    place = session.place("Green", 0)
    end = t.Position(place.line, place.character + 5)
    assert await session.change(t.TextDocumentContentChangePartial(t.Range(place, end), "green")) == ()
    one = t.TextDocumentContentChangePartial(t.Range(place, place), "x")
    two = t.TextDocumentContentChangePartial(t.Range(t.Position(0, 0), t.Position(1, 0)), "")
    assert [d.code for d in await session.change(one, two)] == ["F304"]
    client.diagnostics.pop(session.uri)
    client.text_document_did_close(t.DidCloseTextDocumentParams(session.document))
    assert await session.diagnostics() == ()


async def test_a_burst_of_changes_ends_in_the_diagnostics_of_the_last(client: LanguageClient):
    session = Session(client, MAP)
    await session.open()
    start = t.Range(session.place("green green", 0), session.place("green green", 0))
    for version in range(2, 22):
        document = t.VersionedTextDocumentIdentifier(version, session.uri)
        change = t.TextDocumentContentChangePartial(start, "x")
        client.text_document_did_change(t.DidChangeTextDocumentParams(document, [change]))
    await until(lambda: any("x" * 20 in d.message for d in client.diagnostics[session.uri]))


async def test_navigation(client: LanguageClient):
    session = Session(client, MAP)
    await session.open()
    document, place = session.document, session.place("France Spain")
    symbols = await client.text_document_document_symbol_async(t.DocumentSymbolParams(document))
    assert [symbol.name for symbol in symbols] == ["Domains", "Variables", "Constraints"]
    assert await client.text_document_folding_range_async(t.FoldingRangeParams(document))
    hover = await client.text_document_hover_async(t.HoverParams(document, place))
    assert "France Spain all differ" in hover.contents.value
    definition = await client.text_document_definition_async(t.DefinitionParams(document, place))
    assert definition.range.start == t.Position(6, 0)
    context = t.ReferenceContext(include_declaration=True)
    references = await client.text_document_references_async(t.ReferenceParams(context, document, place))
    highlights = await client.text_document_document_highlight_async(t.DocumentHighlightParams(document, place))
    assert len(references) == len(highlights) == 3


async def test_edits(client: LanguageClient):
    session = Session(client, FAULTY)
    (diagnostic,) = await session.open()
    document, place = session.document, session.place("Green", 3)
    completion = await client.text_document_completion_async(t.CompletionParams(document, session.place("Green", 0)))
    assert {"red", "green", "blue"} <= {item.label for item in completion.items}
    signature = await client.text_document_signature_help_async(t.SignatureHelpParams(document, place))
    assert signature.active_parameter == 1
    context = t.CodeActionContext([diagnostic])
    here = t.Range(place, place)
    actions = await client.text_document_code_action_async(t.CodeActionParams(document, here, context))
    assert [action.kind for action in actions] == ["quickfix", "source.fixAll.f2csp"]
    assert all(applied(FAULTY, action.edit.changes[session.uri]) == MAP for action in actions)
    assert await client.text_document_formatting_async(t.DocumentFormattingParams(document, OPTIONS)) is None


async def test_rename_and_formatting(client: LanguageClient):
    session = Session(client, MAP.replace("Vars:\n2", "Vars: 2"))
    await session.open()
    document, place = session.document, session.place("France Spain")
    found = await client.text_document_prepare_rename_async(t.PrepareRenameParams(document, place))
    assert found == t.Range(t.Position(12, 0), t.Position(12, 6))
    edit = await client.text_document_rename_async(t.RenameParams(document, place, "Gaul"))
    assert applied(session.text, edit.changes[session.uri]) == session.text.replace("France", "Gaul")
    with pytest.raises(JsonRpcException, match="expected a name"):
        await client.text_document_rename_async(t.RenameParams(document, place, "a b"))
    edits = await client.text_document_formatting_async(t.DocumentFormattingParams(document, OPTIONS))
    assert applied(session.text, edits) == MAP
    whole = t.Range(t.Position(0, 0), t.Position(99, 0))
    asked = t.DocumentRangeFormattingParams(document, whole, OPTIONS)
    assert await client.text_document_range_formatting_async(asked) == edits


async def test_annotations(client: LanguageClient):
    session = Session(client, MAP)
    await session.open()
    document, whole = session.document, t.Range(t.Position(0, 0), t.Position(99, 0))
    full = await client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(document))
    part = await client.text_document_semantic_tokens_range_async(t.SemanticTokensRangeParams(document, whole))
    assert full.data == part.data
    hints = await client.text_document_inlay_hint_async(t.InlayHintParams(document, whole))
    assert hints[0].label == "France Spain all differ"


@pytest.mark.parametrize(
    ("name", "text", "answer"),
    [
        ("solve", UNIQUE, "x = a"),
        ("count", UNIQUE, "1"),
        ("unique", UNIQUE, "there is exactly one solution"),
        ("board", "4\n1\n2 3 4\n", "┌"),
        ("explain", UNIQUE.replace("Accept: 1\na", "Reject: 2\na\nb"), "C1"),
    ],
    ids=["solve", "count", "unique", "board", "explain"],
)
@pytest.mark.parametrize("client", ["visual-studio-code"], indirect=True)
async def test_lenses_run_commands(client: LanguageClient, name: str, text: str, answer: str):
    is_puzzle = text[0] == "4"
    session = Session(client, text, "board.txt" if is_puzzle else "a.csp", "f2csp-puzzle" if is_puzzle else "f2csp")
    await session.open()
    lenses = await client.text_document_code_lens_async(t.CodeLensParams(session.document))
    (command,) = [lens.command for lens in lenses if lens.command.command == f"f2csp.{name}"]
    n_messages, n_shown = len(client.messages), len(client.shown_documents)
    params = t.ExecuteCommandParams(command.command, command.arguments)
    found = await client.workspace_execute_command_async(params)
    assert answer in found
    shown = [message.message for message in client.messages[n_messages:]]
    files = [Path(show.uri.removeprefix("file://")) for show in client.shown_documents[n_shown:]]
    shown += [file.read_text(encoding="utf-8").rstrip("\n") for file in files]
    assert shown == [found]


async def test_a_command_on_a_text_that_is_not_open_is_refused(client: LanguageClient):
    with pytest.raises(JsonRpcException, match="is not open"):
        await client.workspace_execute_command_async(t.ExecuteCommandParams("f2csp.solve", ["file:///nowhere"]))


async def test_a_question_about_a_text_that_is_not_open_has_no_answer(client: LanguageClient):
    nowhere = t.TextDocumentIdentifier("file:///nowhere")
    assert await client.text_document_hover_async(t.HoverParams(nowhere, t.Position(0, 0))) is None


async def test_other_formats(client: LanguageClient):
    session = Session(client, "p cnf 1 1\n2 0\n", "a.cnf", "plaintext")
    assert [d.code for d in await session.open()] == ["F503"]
    assert await client.text_document_document_symbol_async(t.DocumentSymbolParams(session.document)) is None


async def test_a_request_can_be_cancelled(client: LanguageClient):
    session = Session(client, UNIQUE)
    await session.open()
    params = t.ExecuteCommandParams("f2csp.solve", [session.uri])
    request = asyncio.wrap_future(
        client.protocol.send_request(t.WORKSPACE_EXECUTE_COMMAND, params, msg_id=f"stop {session.uri}")
    )
    client.cancel_request(t.CancelParams(f"stop {session.uri}"))
    with pytest.raises(JsonRpcException, match="cancel"):
        await request
    n_messages = len(client.messages)
    await client.workspace_execute_command_async(t.ExecuteCommandParams("f2csp.count", [session.uri]))
    assert [message.message for message in client.messages[n_messages:]] == ["1"]


@pytest.mark.parametrize("client", ["visual-studio-code"], indirect=True)
async def test_a_command_shows_its_progress_and_can_be_stopped(client: LanguageClient):
    session = Session(client, f"{'.' * 81}\n", "board.txt", "f2csp-puzzle")  # more solutions than can be counted
    await session.open()
    client.progress_reports.clear()
    asked = client.workspace_execute_command_async(t.ExecuteCommandParams("f2csp.count", [session.uri]))
    request = asyncio.ensure_future(asked)
    await until(lambda: any(client.progress_reports.values()))
    ((token, (begin, *_)),) = client.progress_reports.items()
    assert (begin.title, begin.cancellable) == ("f2csp count board.txt", True)
    client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token))
    assert await request == "f2csp count was stopped"
    await until(lambda: len(client.progress_reports[token]) == 2)


async def test_folders_come_and_go(client: LanguageClient):
    folders = [t.WorkspaceFolder(f"file:///{name}", name) for name in ("one", "two")]
    event = t.WorkspaceFoldersChangeEvent(folders, [])
    client.workspace_did_change_workspace_folders(t.DidChangeWorkspaceFoldersParams(event))
    event = t.WorkspaceFoldersChangeEvent([], [*folders, t.WorkspaceFolder("file:///none", "none")])
    client.workspace_did_change_workspace_folders(t.DidChangeWorkspaceFoldersParams(event))
    assert await Session(client, MAP).open() == ()


async def test_settings_are_those_of_the_folder_of_the_text(client: LanguageClient, tmp_path: Path):
    folders = {"strict": "[tool.f2csp]\nwarnings-as-errors = true\n", "lax": '[tool.f2csp]\nignore = ["F4"]\n'}
    text, found = MAP.replace("Goal:\nSatisfy\n", ""), {}
    for name, settings in folders.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(settings, encoding="utf-8")
        session = Session(client, text)
        session.uri = (tmp_path / name / "map.csp").as_uri()
        found[name] = await session.open()
    assert found["lax"] == ()
    assert [d.severity for d in found["strict"]] == [t.DiagnosticSeverity.Error]
    (tmp_path / "lax/pyproject.toml").write_text("[tool.f2csp]\nignored = 1\n", encoding="utf-8")
    uri = (tmp_path / "lax/map.csp").as_uri()
    client.diagnostics.clear()
    changes = [t.FileEvent((tmp_path / "lax/pyproject.toml").as_uri(), t.FileChangeType.Changed)]
    client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams(changes))
    await until(lambda: client.diagnostics.get(uri))
    assert any("ignored" in message.message for message in client.log_messages)
