"""Commands above a text: each runs a program, which can be stopped, and shows what it prints."""

import asyncio
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable
from uuid import uuid4

from lsprotocol import types as t
from pygls.exceptions import JsonRpcInvalidParams

from f2csp.editor.document import Document
from f2csp.editor.server import EditorServer
from f2csp.running.child import interpreter_line

COMMAND_TITLES = {
    "solve": "Solve",
    "unique": "Is the solution unique?",
    "count": "Count solutions",
    "board": "Show board",
    "explain": "Explain why there is no solution",
}
_ANSWERS = (0, 3)  # exit codes; with others, standard error says what is wrong


def code_lenses(document: Document, params: t.CodeLensParams) -> list[t.CodeLens]:  # noqa: ARG001
    """The commands, above a text without faults."""
    form, diagnostics = document.reading
    if not form or any(diagnostic.severity == "error" for diagnostic in diagnostics):
        return []
    top = t.Range(t.Position(0, 0), t.Position(0, 0))
    commands = [t.Command(title, f"f2csp.{name}", arguments=[document.uri]) for name, title in COMMAND_TITLES.items()]
    return [t.CodeLens(top, command) for command in commands]


def command_handler(name: str) -> Callable[[EditorServer, str], Awaitable[str]]:
    """The function that runs a command of the table on an open text, shows the answer, and returns it."""

    async def run(ls: EditorServer, uri: str) -> str:
        document = ls.documents.get(uri)
        if document is None:
            raise JsonRpcInvalidParams(f"{uri} is not open")
        request = ls.protocol.msg_id
        ls.running[request] = asyncio.current_task()
        try:
            code, answer = await _answer(ls, name, document)
        finally:
            del ls.running[request]
        is_answer = code in _ANSWERS
        if is_answer and "\n" in answer and _can_show_documents(ls):
            file = ls.folder / f"{document.path.stem or 'text'}-{name}.txt"
            file.write_text(f"{answer}\n", encoding="utf-8")
            ls.window_show_document(t.ShowDocumentParams(file.as_uri()))
        else:
            kind = t.MessageType.Info if is_answer else t.MessageType.Error
            ls.window_show_message(t.ShowMessageParams(kind, answer))
        return answer

    return run


async def _answer(ls: EditorServer, name: str, document: Document) -> tuple[int, str]:
    """Run a command of ``f2csp`` on a text; return its exit code and what it prints, or that it was stopped."""
    line = [*interpreter_line("f2csp.cli.main", "main"), name, "-", "--from", document.reading[0] or "auto"]
    process = await asyncio.create_subprocess_exec(*line, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    progress, token = ls.work_done_progress, str(uuid4())

    def begin(_: object) -> None:
        if process.returncode is None:
            about = t.WorkDoneProgressBegin(f"f2csp {name} {document.path.name}", cancellable=True)
            progress.begin(token, about)
            progress.tokens[token].add_done_callback(lambda _: process.kill())

    window = ls.client_capabilities.window
    if window and window.work_done_progress:
        progress.create(token, begin)
    try:
        output, errors = await process.communicate(document.data)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        if progress.tokens.pop(token, None):
            progress.end(token, t.WorkDoneProgressEnd())
    code = process.returncode or 0
    if code < 0:
        return 0, f"f2csp {name} was stopped"
    return code, (output if code in _ANSWERS and output.strip() else errors).decode("utf-8", "replace").strip()


def _can_show_documents(ls: EditorServer) -> bool:
    window = ls.client_capabilities.window
    return bool(window and window.show_document and window.show_document.support)
