"""Files are written whole or not at all, read by their content, and never left half-done by whatever happens."""

import gzip
import os
import signal
import stat
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest

import f2csp
from f2csp import dump, dumps, load
from f2csp.diagnostics import InvalidInput, Source
from f2csp.files import read_source, text_chunks, writing
from f2csp.instances import instances
from f2csp.text.counter import count_contents
from tests.small import problem_of
from tests.strategies import COMPRESSIONS

OLD = b"what was here before\n"
ENDINGS = ["", ".gz", ".xz", ".lzma", ".bz2", ".zst"]
PROGRAM = [sys.executable, "-m", "f2csp"]
not_as_root = pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may write everywhere")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="POSIX has it")
with_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@pytest.fixture
def problem() -> f2csp.Problem:
    return problem_of({"D1: x y": range(1, 4)}, ("reject x y", [(1, 1), (2, 2), (3, 3)]), title="Two cells")


def run(*args: str | Path, **options: object) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([*PROGRAM, *args], stderr=subprocess.PIPE, check=False, **options)  # type: ignore[call-overload,no-any-return]


def loose_text(n: int) -> bytes:
    """A problem of n constraints that the formatter rewrites: it has a blank too many."""
    constraints = b"".join(b"C%d\nVars:\n2\nx y\nReject:\n3\n1 1\n2 2\n3  3\n" % i for i in range(1, n + 1))
    head = b"t\nDomains:\n1\nD: 1 2 3\nVariables:\n2\nx: D\ny: D\nConstraints:\n%d\n" % n
    return head + constraints + b"Goal:\nSatisfy\n"


def write_half(path: Path, error: type[BaseException]) -> None:
    with writing(path) as stream:
        stream.write(b"half")
        raise error


# ---- Written whole or not at all -----------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, OSError, SystemExit, GeneratorExit])
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_goes_wrong_in_the_middle_leaves_the_old_file_and_no_other(
    tmp_path: Path, error: type[BaseException], ending: str
) -> None:
    path = tmp_path / f"x.csp{ending}"
    with pytest.raises(error):
        write_half(path, error)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(OLD)
    with pytest.raises(error):
        write_half(path, error)
    assert path.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [path]


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.csp"
    path.write_bytes(OLD)
    with writing(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_bytes() == OLD
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_compression_is_read_back_and_the_same_problem_gives_the_same_bytes(
    tmp_path: Path, problem: f2csp.Problem, ending: str
) -> None:
    first, second = tmp_path / f"x.csp{ending}", tmp_path / f"y.csp{ending}"
    dump(problem, first)
    dump(problem, second)
    assert load(first) == problem
    assert first.read_bytes().startswith(b"Two cells") == (ending == "")
    assert first.read_bytes() == second.read_bytes()


# ---- Targets of every kind -----------------------------------------------------------------------------------------


@posix_only
@not_as_root
@pytest.mark.parametrize(("is_directory", "mode"), [(True, 0o555), (False, 0o444)])
def test_what_may_not_be_written_is_not_replaced(
    tmp_path: Path, problem: f2csp.Problem, is_directory: bool, mode: int
) -> None:
    path = tmp_path / "x.csp"
    path.write_bytes(OLD)
    locked = tmp_path if is_directory else path
    locked.chmod(mode)
    try:
        with pytest.raises(PermissionError):
            dump(problem, path)
        assert path.read_bytes() == OLD
    finally:
        locked.chmod(0o755)


@posix_only
@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path, problem: f2csp.Problem, is_there: bool) -> None:
    target, link = tmp_path / "there" / "x.csp", tmp_path / "link.csp"
    target.parent.mkdir()
    if is_there:
        target.write_bytes(OLD)
    link.symlink_to(target)
    dump(problem, link)
    assert link.is_symlink()
    assert load(target) == problem
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.csp", "there"]


@posix_only
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, problem: f2csp.Problem, mode: int) -> None:
    path = tmp_path / "x.csp"
    path.write_bytes(OLD)
    path.chmod(mode)
    dump(problem, path)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix_only
@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_a_file_that_is_rewritten_is_private_until_then(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.csp"
    path.touch(mode)
    with writing(path):
        (temporary,) = tmp_path.glob(".a.csp.*.tmp")
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix_only
@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path, problem: f2csp.Problem, umask: int) -> None:
    before = os.umask(umask)
    try:
        dump(problem, tmp_path / "x.csp")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x.csp").stat().st_mode) == 0o666 & ~umask


@posix_only
def test_a_device_is_written_and_not_replaced(problem: f2csp.Problem) -> None:
    dump(problem, "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@posix_only
def test_a_pipe_is_written_and_read(tmp_path: Path, problem: f2csp.Problem) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen([*PROGRAM, "format", "--stdout", pipe], stdout=subprocess.PIPE)
    dump(problem, pipe)
    out, _ = reader.communicate(timeout=60)
    assert out.decode() == dumps(problem)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# ---- Open files ----------------------------------------------------------------------------------------------------


# ---- The program in trouble ----------------------------------------------------------------------------------------


@posix_only
@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_a_full_disk_leaves_the_old_file_and_a_message(tmp_path: Path, ending: str) -> None:
    import resource

    path = tmp_path / f"x.csp{ending}"
    text = loose_text(20_000)
    text = COMPRESSIONS[ending[1:]](text) if ending else text
    path.write_bytes(text)

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    done = run("format", path, preexec_fn=limit)
    assert done.returncode == 2
    assert str(path) in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
    assert path.read_bytes() == text
    assert list(tmp_path.iterdir()) == [path]


@posix_only
@pytest.mark.parametrize("delay", [0.0, 0.02, 0.1, 0.5, 1.0])
def test_an_interrupt_leaves_the_old_file_and_no_traceback(tmp_path: Path, delay: float) -> None:
    path = tmp_path / "x.csp"
    text = loose_text(300_000)
    path.write_bytes(text)
    code = """
from f2csp.cli import main
work = main._outcome
main._outcome = lambda *args: print("ready", flush=True) or work(*args)
main.main()
"""
    program = subprocess.Popen(
        [sys.executable, "-c", code, "format", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stdout is not None
    assert program.stdout.readline() == b"ready\n"
    time.sleep(delay)
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=120)
    assert b"Traceback" not in errors
    if program.returncode == 0:  # it was done before
        assert path.read_bytes() == text.replace(b"  ", b" ")
    else:
        assert program.returncode in (130, -signal.SIGINT)
        assert path.read_bytes() == text
    assert list(tmp_path.iterdir()) == [path]


@posix_only
def test_a_reader_that_has_enough_sees_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "x.csp"
    path.write_bytes(loose_text(20_000))
    command = [*PROGRAM, "format", "--stdout", path]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert program.stdout is not None
    assert program.stderr is not None
    assert program.stdout.readline() == b"t\n"
    program.stdout.close()
    errors = program.stderr.read()
    program.stderr.close()
    assert program.wait(timeout=60) in (0, 141)
    assert errors == b""


@with_full_device
@pytest.mark.parametrize(
    "args", ["format --stdout X", "stats X", "stats --json X X", "validate X", "validate --json X", "code F304"]
)
@pytest.mark.parametrize("n", [2, 20_000])
def test_a_full_standard_output_is_reported_and_exits_with_two(tmp_path: Path, args: str, n: int) -> None:
    (tmp_path / "X").write_bytes(loose_text(n))
    with Path("/dev/full").open("wb") as full:
        done = run(*args.split(), stdout=full, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == b"f2csp: cannot write the output: No space left on device\n"


@with_full_device
def test_a_full_standard_error_exits_with_two() -> None:
    with Path("/dev/full").open("wb") as full:
        assert subprocess.run([*PROGRAM, "stats", "missing.csp"], stderr=full, check=False).returncode == 2


@with_full_device
def test_a_full_device_is_named() -> None:
    with pytest.raises(OSError, match="/dev/full"), writing("/dev/full") as stream:
        stream.write(b"text")


class _Terminal(BytesIO):
    """Ends once: to be read on after its end, it would wait for a second one."""

    has_ended = False

    def read(self, size: int | None = -1) -> bytes:
        assert not self.has_ended
        data = super().read(size)
        self.has_ended = len(data) < (size or 0)
        return data


@pytest.mark.parametrize("text", [b"", b"4\n", b"4\n1\n2 3 4\n", b"A title\nDomains:\n0\n"])
def test_a_terminal_is_asked_for_its_end_once(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=_Terminal(text)))
    assert b"".join(text_chunks("-")) == text


def messages(data: bytes, name: str) -> list[str]:
    """The messages of the faults of a text."""
    try:
        (instance,) = instances(Source(name, data + b"\0\xff" * 500))
    except InvalidInput as error:
        return [fault.message for fault in error.diagnostics]
    return [fault.message for fault in instance.diagnostics]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (bytes(1 << 20), "F001 expected a text, found a binary file"),
        (b"\x7fELF\2\1\1" + bytes(500), "F001 expected a text, found an ELF program"),
        ("Title\nDomains: 0\n".encode("utf-16-le") * 4, "F001 expected a text, found UTF-16"),
        (b"a" * (1 << 25), "F013 a line before Domains: has more than 16,777,216 bytes"),
        (b"Title\n" + b"a" * (1 << 25) + b"\nDomains: 0\n", "F013 a line before Domains:"),
    ],
    ids=["zeros", "program", "utf-16", "one line", "second line"],
)
@pytest.mark.parametrize("is_compressed", [False, True])
def test_what_is_no_text_is_not_read_on(data: bytes, expected: str, is_compressed: bool, tmp_path: Path):
    path = tmp_path / "file.csp"
    path.write_bytes(gzip.compress(data, 1) if is_compressed else data)
    for read in (f2csp.load, count_contents, f2csp.read):
        with pytest.raises(f2csp.InvalidInput) as raised:
            read(path)
        assert expected in str(raised.value)


def test_markup_may_have_one_line(tmp_path: Path):
    path = tmp_path / "problem.json"
    path.write_bytes(b"{" + b" " * (1 << 25) + b"}")
    assert len(read_source(path).data) == 2 + (1 << 25)
