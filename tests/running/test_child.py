"""Child processes: none imports what lies in the working folder, none outlives its parent."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from f2csp import dump, generate
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.running.child import Child, ChildEnded, interpreter_line, tell
from f2csp.running.pool import Pool
from tests.solving.hard_parities import parities

PROGRAM = str(Path(sys.executable).with_name("f2csp"))
MODULES = """asyncio click concurrent ctypes encodings f2csp json lark math multiprocessing numpy ortools os pickle
pyganak pysat queue random rich signal site subprocess threading traceback typing z3""".split()
BLANKS = f"{'.' * 81}\n"
OPEN = {"uri": "file:///folder/board.txt", "languageId": "f2csp-puzzle", "version": 1, "text": BLANKS}
posix_only = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at in /proc")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with modules that say when they are imported, and interpreters that say when they start."""
    strays, watch, log = tmp_path / "strays", tmp_path / "watch", str(tmp_path / "log")
    strays.mkdir()
    watch.mkdir()
    for name in MODULES:
        (strays / f"{name}.py").write_text(f"open({log!r}, 'a').write('{name} is imported\\n')\n")
    (watch / "sitecustomize.py").write_text(f"open({log!r}, 'a').write('an interpreter\\n')\n")
    monkeypatch.setenv("PYTHONPATH", str(watch))
    dump(parities(), strays / "hard.csp")
    dump(to_problem(Sudoku(4, 2, 2)), strays / "four.csp")
    dump(generate("latin", size=9, fill=0.0), strays / "latin.csp")
    (strays / "puzzles.sdm").write_text(BLANKS * 40)
    return strays


def lines_of_log(folder: Path) -> list[str]:
    return folder.with_name("log").read_text().splitlines()


@pytest.mark.parametrize(
    ("line", "n_interpreters"),
    [
        ("solve hard.csp --time-limit 1.5", 2),
        ("unique hard.csp --time-limit 1.5", 2),
        ("explain hard.csp --time-limit 1.5", 1),
        ("count four.csp --method ganak", 2),
        ("count latin.csp --method merge --workers 2 --time-limit 1.5", 2),
        ("batch solve puzzles.sdm --jobs 2", 2),
        ("batch validate puzzles.sdm four.csp --jobs 2", 2),
        ("compare hard.csp --engines auto --time-limit 2", 2),
        ("report four.csp --compare none,fc -o report.html", 1),
        ("report hard.csp --time-limit 1 -o report.html", 1),
    ],
)
def test_a_command_imports_nothing_from_the_working_folder(folder: Path, line: str, n_interpreters: int) -> None:
    done = subprocess.run([PROGRAM, *line.split()], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
    lines = lines_of_log(folder)
    assert set(lines) == {"an interpreter"}
    assert len(lines) >= n_interpreters


def test_python_dash_m_imports_nothing_else_from_the_working_folder(folder: Path) -> None:
    """But what Python itself imports before it runs the package, and the package, which is looked for there first."""
    for name in ("f2csp", "os", "typing"):
        (folder / f"{name}.py").unlink()
    for line in ("solve hard.csp --time-limit 1.5", "count four.csp --method ganak"):
        subprocess.run([sys.executable, "-m", "f2csp", *line.split()], cwd=folder, capture_output=True, check=False)
    assert set(lines_of_log(folder)) == {"an interpreter"}


class Server:
    """A language server with a request that takes for ever."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen([PROGRAM, "lsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
        self.send("textDocument/didOpen", {"textDocument": OPEN})
        self.send("workspace/executeCommand", {"command": "f2csp.count", "arguments": [OPEN["uri"]]}, id=2)

    def send(self, method: str, params: object, **more: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | more).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()


def descendants(process: int) -> set[int]:
    """The processes that a process, or one of these, has started."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            parents[int(path.name)] = int(parent)
    found: set[int] = set()
    while more := {child for child, parent in parents.items() if parent in found | {process}} - found:
        found |= more
    return found


def until(holds: Callable[[], object]) -> None:
    for _ in range(600):
        if holds():
            return
        sleep(0.1)
    raise AssertionError("it has not come in a minute")


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def end(process: "subprocess.Popen[bytes]", number: int, n_children: int) -> None:
    """Kill a process when it has some children, and wait for their end."""
    until(lambda: len(descendants(process.pid)) >= n_children)
    children = descendants(process.pid)
    process.send_signal(number)
    process.communicate(timeout=60)
    until(lambda: not any(map(is_running, children)))


@posix_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_language_server_leaves_nothing_behind(folder: Path, number: int) -> None:
    server = Server(folder)
    end(server.process, number, 1)
    assert set(lines_of_log(folder)) == {"an interpreter"}


@posix_only
def test_the_language_server_ends_well_while_a_command_runs(folder: Path) -> None:
    server = Server(folder)
    until(lambda: descendants(server.process.pid))
    children = descendants(server.process.pid)
    server.send("shutdown", None, id=3)
    server.send("exit", None)
    server.process.communicate(timeout=60)
    assert server.process.returncode == 0
    until(lambda: not any(map(is_running, children)))


@posix_only
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize(
    "line",
    [
        "solve hard.csp",
        "count latin.csp --method ganak",
        "count latin.csp --method enumerate --workers 2",
        "batch count puzzles.sdm --jobs 2",
        "compare hard.csp --engines auto --time-limit 100",
    ],
)
def test_a_command_leaves_nothing_behind(folder: Path, line: str, number: int) -> None:
    process = subprocess.Popen([PROGRAM, *line.split()], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end(process, number, 1 + ("--jobs 2" in line))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a child ends when its call returns")
def test_a_child_ends_with_its_parent_while_a_solver_holds_the_interpreter_lock() -> None:
    program = "from f2csp.running.child import Child; child = Child(); print(child.pid); child.call(sum, range(10**12))"
    parent = subprocess.Popen([sys.executable, "-u", "-c", program], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    sleep(0.5)
    parent.kill()
    parent.communicate(timeout=60)
    until(lambda: not is_running(child))


def path_of_child() -> list[str]:
    return sys.path


def test_the_path_is_that_of_the_parent_without_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = [entry for entry in sys.path if entry]
    for first in ("", str(tmp_path)):  # of `python -c`, and of `python -m`
        monkeypatch.setattr(sys, "path", [first, *path])
        child = Child()
        assert child.call(path_of_child) == path
        child.close()
    monkeypatch.setattr(sys, "path", [path[0], "/a '\\ é\udce9", str(tmp_path), *path[1:]])  # on purpose
    child = Child()
    assert child.call(path_of_child) == sys.path
    child.close()


def say(n: int) -> int:
    print("of a solver")
    for i in range(n):
        tell(i)
    return n


def fail(value: object) -> None:
    raise ValueError(value)


def test_calls_return_what_the_function_returns_tells_or_raises() -> None:
    child = Child()
    told: list[int] = []
    assert child.call(say, 3, take=told.append) == 3
    assert told == [0, 1, 2]
    with pytest.raises(ValueError, match="no room") as caught:
        child.call(fail, "no room")
    assert "in fail" in caught.value.__notes__[0]
    assert child.call(os.getpid) == child.pid
    child.kill()
    for _ in range(2):
        with pytest.raises(ChildEnded, match=r"the process ended (by SIGKILL|with code)"):
            child.call(os.getpid)
    child.close()


@posix_only
def test_an_idle_child_ends() -> None:
    child = Child(idle_seconds=0.0)
    until(lambda: not is_running(child.pid))
    with pytest.raises(ChildEnded, match="with code 1"):
        child.call(os.getpid)
    child.close()


def test_a_pool_makes_each_call_and_replaces_a_child_that_ended() -> None:
    pool = Pool(2)
    answers = [pool.submit(pow, 2, i) for i in range(20)]
    lost = pool.submit(os._exit, 7)
    failed = pool.submit(fail, "bad")
    more = [pool.submit(pow, 3, i) for i in range(20)]
    assert [answer.result() for answer in answers] == [2**i for i in range(20)]
    with pytest.raises(ChildEnded, match="with code 7"):
        lost.result()
    with pytest.raises(ValueError, match="bad"):
        failed.result()
    assert [answer.result() for answer in more] == [3**i for i in range(20)]
    pool.close()


def test_a_closed_pool_ends_calls_that_go_on() -> None:
    pool = Pool(1)
    endless = pool.submit(sleep, 1000)
    waiting = pool.submit(sleep, 1000)
    until(endless.running)
    pool.close()
    with pytest.raises(ChildEnded):
        endless.result()
    assert waiting.cancelled()


def test_the_command_runs_under_asyncio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def run() -> bytes:
        line = [*interpreter_line("f2csp.cli.main", "main"), "--version"]
        process = await asyncio.create_subprocess_exec(*line, stdout=asyncio.subprocess.PIPE)
        return (await process.communicate())[0]

    assert asyncio.run(run()).startswith(b"f2csp, version ")
