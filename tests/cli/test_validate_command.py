"""``f2csp validate`` as a process: its streams, memory, colours and encodings; transcripts have the rest."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from f2csp.cli import failures
from tests.cli.in_process import run

CORPUS = Path(__file__).parents[1] / "corpus"
VALID = "T\nDomains:\n0\nVariables:\n0\nConstraints:\n0\nGoal:\nSatisfy\n"
FAULTY = VALID.replace("Domains:\n0", "Domains:\n4").replace("Satisfy", "No")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"ok.csp": VALID, "faulty.csp": FAULTY}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_missing_package_is_told_and_the_others_are_looked_at(folder):
    (folder / "packed.csp").write_bytes(b"\x28\xb5\x2f\xfd")
    program = "import sys; sys.modules['zstandard'] = None; from f2csp.cli.main import validate; validate()"
    line = [sys.executable, "-c", program, "--format", "sarif", "packed.csp", "faulty.csp"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    message = "packed.csp: reading a .zst file needs an optional package; install it with: pip install 'f2csp[zst]'"
    assert (done.returncode, done.stderr) == (2, f"f2csp-validate: {message}\n")
    (found,) = json.loads(done.stdout)["runs"]
    assert found["results"]
    assert [n["message"]["text"] for n in found["invocations"][0]["toolExecutionNotifications"]] == [message]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_told(folder):
    (folder / "ok.csp").chmod(0)
    code, out, err = run("validate", "ok.csp")
    assert (code, out) == (2, "")
    assert "ok.csp: Permission denied" in err


@pytest.mark.parametrize("form", ["full", "json", "sarif"])
def test_output_that_nobody_reads_to_the_end_is_no_error(folder, form):
    lines = "".join(f"V{i}: D{i}\n" for i in range(250))
    (folder / "many.csp").write_text(f"T\nDomains: 1\nX: 1\nVariables: 250\n{lines}Constraints: 0\nGoal: Satisfy\n")
    with subprocess.Popen(
        [sys.executable, "-m", "f2csp", "validate", "--format", form, *["many.csp"] * 20],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode in (1, 141)  # the files have faults, or there is no telling


@pytest.mark.skipif(os.name != "posix", reason="closes a stream as a POSIX shell does")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("validate - <&-", 2),
        ("batch validate - <&-", 1),
        ("lsp <&-", 0),
        ("validate ok.csp >&-", 2),
        ("validate faulty.csp -o out.txt >&-", 1),
        ("stats --json ok.csp >&-", 2),
        ("convert ok.csp - --to json >&-", 2),
        ("convert ok.csp out.json >&-", 0),
        ("count ok.csp >&- <&-", 2),
        ("batch solve ok.csp >&-", 2),
        ("--version >&-", 2),
        ("solve --help >&-", 2),
        ("count ok.csp 2>&-", 0),
        ("count missing.csp 2>&-", 2),
        ("count ok.csp >&- 2>&-", 2),
        ("count ok.csp <&-", 0),
    ],
)
def test_what_a_closed_standard_stream_loses_is_an_error(folder, line, code):
    command = ["sh", "-c", f'exec "$0" -m f2csp {line}', sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code
    assert ("standard input or output is closed" in done.stderr) == (code == 2 and "2>&-" not in line)
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="bounds the memory of a program as Linux does")
def test_too_little_memory_is_told_in_one_line(folder):
    program = (
        "import resource; from f2csp.cli.main import validate\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29)); validate()"
    )
    with (folder / "ok.csp").open("r+b") as file:
        file.write(b"A title that is longer than what says that a file is binary.\n" * 100 + VALID.encode())
        file.truncate(1 << 30)
    line = [sys.executable, "-c", program, "ok.csp"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "f2csp-validate: not enough memory\n")


@pytest.mark.parametrize(
    ("args", "environment", "is_coloured"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "0"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color=never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(folder, monkeypatch, args, environment, is_coloured):
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run("validate", *args, "faulty.csp").out) == is_coloured
    assert ("\x1b[" in run("stats", *args, "faulty.csp").err) == is_coloured  # faults of another command


def test_words_have_the_colours_of_their_roles(folder):
    (folder / "faulty.csp").write_text(VALID.replace("0\nVariables", "1\nD1: a b a\nVariables", 1))
    line = "\x1b[36mD1\x1b[0m: \x1b[33ma\x1b[0m \x1b[33mb\x1b[0m \x1b[33ma\x1b[0m\n"
    assert line in run("validate", "--color", "always", "faulty.csp").out
    assert line in run("stats", "--color", "always", "faulty.csp").err


@pytest.mark.parametrize("case", sorted(path.name for path in (CORPUS / "invalid").iterdir()))
def test_colours_change_no_text(case):
    files = [str(path) for path in sorted((CORPUS / "invalid" / case).glob("*.csp")) if path.stat().st_size < 100_000]
    coloured = run("validate", "--color", "always", *files).out
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == run("validate", *files).out


@pytest.mark.parametrize(("option", "is_coloured"), [([], True), (["--color=never"], False)])
def test_colour_before_the_command_is_its_default(folder, option, is_coloured):
    message = run("--color", "always", "stats", *option, "faulty.csp").err
    assert ("\x1b[" in message) == is_coloured


@pytest.mark.parametrize(("term", "is_coloured"), [("xterm", True), ("dumb", False)])
def test_a_terminal_is_written_to_in_colour_if_it_can_show_it(monkeypatch, term, is_coloured):
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", term)
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    with click.Context(click.Command("validate")):
        assert failures.is_coloured(terminal) == is_coloured


CJK = "数独\nDomains: 1\nD: 红\nVariables: 1\n国: D\nConstraints: 1\nC1\nVars: 1\n国\nAccept: 1\n红\nGoal: Satisfy\n"
FORMS = ("full", "concise", "json", "github", "sarif", "gitlab", "junit")


@pytest.mark.parametrize(
    "args", [*(f"validate --format {form}" for form in FORMS), "solve", "board --from sudoku:clues"]
)
def test_output_that_is_not_utf8_has_no_traceback(folder, args):
    texts = {"solve": CJK, "validate": CJK.replace("红\nG", "錄\nG"), "board": "4\n1\n1 1 1\n"}
    command, last = args.split()[0], args.split()[-1]
    (folder / "cjk.csp").write_text(texts[command], encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    line = [sys.executable, "-m", "f2csp", *args.split(), "cjk.csp"]
    done = subprocess.run(line, capture_output=True, env=environment, check=False)
    assert done.returncode == (command == "validate"), done.stderr
    text = done.stdout.decode("utf-8" if last in FORMS[2:] else "cp1252")
    if command != "board":
        assert ("\\u" in text) == (last not in FORMS[2:])
