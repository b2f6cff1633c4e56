"""Messages that no client should send: each ends in an error, none ends the server."""

import json
import subprocess
import sys
from collections.abc import Iterator
from threading import Thread

import pytest

SERVER = [sys.executable, "-m", "f2csp", "lsp"]
HOVER = {"textDocument": {"uri": "file:///a.csp"}, "position": {"line": 0, "character": 0}}


class Client:
    """A client that sends what it is told to, whole messages or bytes."""

    def __init__(self, encodings: tuple[str, ...] = (), *, initialize: bool = True, stderr: int = subprocess.DEVNULL):
        self.process = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)
        self.n = 0
        if not initialize:
            return
        capabilities = {"general": {"positionEncodings": encodings}} if encodings else {}
        about = {"processId": None, "rootUri": None, "capabilities": capabilities}
        self.encoding = self.ask("initialize", about)["result"]["capabilities"]["positionEncoding"]

    def send_bytes(self, body: bytes, head: bytes | None = None):
        self.process.stdin.write((head or b"Content-Length: %d\r\n\r\n" % len(body)) + body)
        self.process.stdin.flush()

    def send(self, method: str, params: object, **more: object):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | more).encode())

    def messages(self) -> Iterator[dict]:
        while head := self.process.stdout.readline():
            n_bytes = int(head.split(b":")[1])
            while self.process.stdout.readline().strip():
                pass
            yield json.loads(self.process.stdout.read(n_bytes))

    def answer(self, number: object) -> dict:
        return next(m for m in self.messages() if m.get("id") == number and "method" not in m)

    def ask(self, method: str, params: object) -> dict:
        self.n += 1
        self.send(method, params, id=self.n)
        return self.answer(self.n)

    def close(self):
        assert self.ask("shutdown", None)["result"] is None
        self.send("exit", None)
        assert self.process.wait(60) == 0
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def client():
    found = Client()
    yield found
    found.close()


@pytest.fixture(autouse=True)
def _alive(client: Client):
    yield
    assert client.ask("textDocument/hover", HOVER)["result"] is None


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"[]",
        b"17",
        b"null",
        b"{}",
        b"\xff\xfe{}",
        b'{"jsonrpc": "1.0", "method": "exit"}',
        b'{"jsonrpc": "2.0", "method": 7}',
        b'{"jsonrpc": "2.0", "id": {}, "method": []}',
        b'{"jsonrpc": "2.0", "id": {}, "result": 1}',
        b'{"jsonrpc": "2.0", "id": 99, "error": 1}',
        b'{"jsonrpc": "2.0", "method": "$/cancelRequest"}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": 1}}',
        b"[" * 100_000,
        b"1" * 100_000,
    ],
    ids=lambda body: body[:60].decode("latin-1"),
)
def test_what_is_no_message_is_answered_with_an_error(client: Client, body: bytes):
    client.send_bytes(body)
    assert client.answer(None)["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "id": 99, "result": 1}',
        b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 12345}}',
        b'{"jsonrpc": "2.0", "method": "no/such"}',
        b'{"jsonrpc": "2.0", "method": "no/such", "params": [{"type_name": "?"}]}',
    ],
    ids=lambda body: body[:60].decode("latin-1"),
)
def test_what_needs_no_answer_is_survived(client: Client, body: bytes):
    client.send_bytes(body)


@pytest.mark.parametrize(
    "head",
    [
        b"nonsense\r\n\r\n",
        b"Content-Length: x\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: 1000000000000\r\n\r\n",
        b"Content-Length: %s\r\n\r\n" % (b"9" * 5_000),
        b"Content-Type: a\r\n\r\n{}",
        b"\x00" * 1_000_000 + b"\r\n\r\n",
    ],
    ids=lambda head: head[:30].decode("latin-1"),
)
def test_heads_without_a_length_are_answered_with_an_error(client: Client, head: bytes):
    client.send_bytes(b"", head)
    assert "expected Content-Length" in client.answer(None)["error"]["message"]


@pytest.mark.parametrize("head", [b"\r\n\r\n", b"Content-Type: a\r\n", b"content-length: 9\r\n", b"no line's end"])
def test_what_is_before_a_head_is_passed_over(client: Client, head: bytes):
    client.send_bytes(b"", head)


@pytest.mark.parametrize("n_bytes", [10, 500])
def test_a_wrong_length_costs_the_messages_that_it_cuts(client: Client, n_bytes: int):
    body = b'{"jsonrpc": "2.0", "method": "no/such"}'
    client.send_bytes(body * 9, b"Content-Length: %d\r\n\r\n" % n_bytes)
    client.send("no/such", None)
    client.send("no/such", [" " * 500])
    assert "expected JSON" in client.answer(None)["error"]["message"]


@pytest.mark.parametrize("method", ["no/such", "textDocument/didOpen", "textDocument/didChange", "$/cancelRequest"])
def test_a_storm_of_broken_notifications_is_survived(client: Client, method: str):
    def send_all():
        for number in range(2_000):
            client.send(method, {"number": number} if number % 2 else None)
        client.send("textDocument/hover", HOVER, id="last")

    sender = Thread(target=send_all)
    sender.start()
    assert client.answer("last")["result"] is None
    sender.join()


@pytest.mark.parametrize(
    "end",
    [
        b"",
        b"Content-Le",
        b"Content-Length: 100\r\n",
        b"Content-Length: 100\r\n\r\n",
        b'Content-Length: 100\r\n\r\n{"jsonrpc": "2.0", "id"',
        b'Content-Length: 100000000\r\n\r\n{"jsonrpc',
        b"\xff" * 100_000,
    ],
    ids=lambda end: end[:60].decode("latin-1"),
)
def test_the_server_ends_in_order_when_its_input_does(end: bytes):
    found = subprocess.run(SERVER, input=end, capture_output=True, timeout=60)
    assert (found.returncode, found.stdout, found.stderr) == (0, b"", b"")


def test_the_server_ends_when_nobody_reads_it():
    process = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write(b"Content-Length: 2\r\n\r\n{}")
    process.stdin.flush()
    assert process.wait(60) == 0  # with its input open
    assert process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()


def test_nothing_is_logged():
    client = Client(stderr=subprocess.PIPE)
    for method in ("textDocument/hover", "no/such", "workspace/executeCommand"):
        assert client.ask(method, [1])["error"]
    client.send("textDocument/didChange", 1)
    client.close()
    assert client.process.stderr.read() == b""
    client.process.stderr.close()


def test_a_session_has_an_order():
    process = Client(initialize=False)
    assert process.ask("textDocument/hover", HOVER)["error"]["code"] == -32002
    process.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    process.ask("shutdown", None)
    assert process.ask("textDocument/hover", HOVER)["error"]["code"] == -32600
    process.send("exit", None)
    assert process.process.wait(60) == 0
    process.process.stdin.close()
    process.process.stdout.close()


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {}),
        ("textDocument/hover", {"textDocument": {"uri": 1}, "position": "here"}),
        ("textDocument/hover", [1, 2]),
        ("textDocument/hover", None),
        ("no/such/request", {}),
        ("workspace/executeCommand", {"command": "f2csp.none"}),
        ("workspace/executeCommand", {"command": "f2csp.solve"}),
        ("workspace/executeCommand", {"command": "f2csp.solve", "arguments": [1, 2, 3]}),
        ("f2csp/malformed", {}),
    ],
)
def test_a_broken_request_is_answered_with_an_error(client: Client, method: str, params: object):
    found = client.ask(method, params)
    assert found["error"]["message"]


@pytest.mark.parametrize(
    "place",
    [
        {"start": {"line": 9_999_999, "character": 0}, "end": {"line": 0, "character": 0}},
        {"start": {"line": 0, "character": 2**31 - 1}, "end": {"line": 0, "character": 2**31 - 1}},
        {"start": {"line": 2**31 - 1, "character": 5}, "end": {"line": 2**31 - 1, "character": 7}},
    ],
)
def test_changes_beyond_the_text_are_at_its_end(client: Client, place: dict):
    item = {"uri": "file:///b.csp", "languageId": "f2csp", "version": 1, "text": "a\nb\n"}
    client.send("textDocument/didOpen", {"textDocument": item})
    change = {"textDocument": {"uri": item["uri"], "version": 2}, "contentChanges": [{"range": place, "text": "x"}]}
    client.send("textDocument/didChange", change)
    assert client.ask("textDocument/hover", HOVER | {"textDocument": {"uri": item["uri"]}})["result"] is None
    client.send("textDocument/didClose", {"textDocument": {"uri": item["uri"]}})
    client.send("textDocument/didChange", change)  # of a text that is not open


def test_a_change_of_a_text_that_was_never_opened_is_ignored(client: Client):
    change = {"textDocument": {"uri": "file:///none", "version": 2}, "contentChanges": [{"text": "x"}]}
    client.send("textDocument/didChange", change)
    client.send("textDocument/didClose", {"textDocument": {"uri": "file:///none"}})


@pytest.mark.parametrize(
    ("encodings", "chosen", "column"),
    [((), "utf-16", 4), (("utf-8", "utf-16"), "utf-8", 7), (("utf-32",), "utf-32", 3), (("other",), "utf-16", 4)],
)
def test_positions_are_counted_as_the_client_likes(encodings: tuple[str, ...], chosen: str, column: int):
    other = Client(encodings)
    assert other.encoding == chosen
    text = "T\nDomains: 1\né𝄞: ab cd ab\nVariables: 0\nConstraints: 0\nGoal: Satisfy\n"
    item = {"uri": "file:///c.csp", "languageId": "f2csp", "version": 1, "text": text}
    other.send("textDocument/didOpen", {"textDocument": item})
    asked = {"textDocument": {"uri": item["uri"]}, "position": {"line": 2, "character": column + 2}}
    hover = other.ask("textDocument/hover", asked)["result"]
    start, end = hover["range"]["start"], hover["range"]["end"]
    assert (start["character"], end["character"]) == (column + 1, column + 3)
    other.close()


URIS = ["untitled:Untitled-1", "git:/a/b.csp?ref=x", "", "no uri", f"file:///{'x' * 5_000}/a.csp", "file:///a%00b"]


@pytest.mark.parametrize("uri", URIS, ids=lambda uri: uri[:20])
def test_texts_without_a_file_have_diagnostics(client: Client, uri: str):
    item = {"uri": uri, "languageId": "f2csp", "version": 1, "text": "a\n"}
    client.send("textDocument/didOpen", {"textDocument": item})
    found = next(m for m in client.messages() if m.get("method") == "textDocument/publishDiagnostics")
    assert [diagnostic["code"] for diagnostic in found["params"]["diagnostics"]] == ["F007"]
    client.send("textDocument/didClose", {"textDocument": {"uri": uri}})
