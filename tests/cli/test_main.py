"""The program itself: finding a command, internal errors, and Ctrl-C at any time."""

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import click
import pytest

import f2csp
from f2csp.cli import commands as table
from f2csp.cli import main
from f2csp.diagnostics import CATALOGUE, page_of
from f2csp.generation.kinds import PROBLEM_KINDS
from tests.cli.in_process import run_program
from tests.cli.pseudo_terminal import play

if TYPE_CHECKING:
    from subprocess import CompletedProcess

ROOT = Path(__file__).parents[2]
MAP = ROOT / "samples" / "map.csp"


@pytest.mark.parametrize("command", [name for name in table.commands() if name != "help"])
def test_help_is_that_of_the_command(command: str) -> None:
    text = run_program("help", command).stdout
    assert text == run_program(command, "--help").stdout
    assert f"Usage: f2csp {command}" in text.decode()


@pytest.mark.parametrize("command", [*table.commands(), *(f"generate {kind}" for kind in PROBLEM_KINDS)])
def test_help_fits_eighty_columns(command: str) -> None:
    lines = run_program(*command.split(), "--help").stdout.decode().splitlines()
    assert [line for line in lines if len(line) > 80] == []


def test_help_alone_is_that_of_the_program() -> None:
    assert run_program("help").stdout == run_program("--help").stdout == run_program().stderr


@pytest.mark.parametrize("program", ["main", "stats"])
@pytest.mark.parametrize("option", ["-V", "--version"])
def test_version(program: str, option: str) -> None:
    assert run_program(option, program=program).stdout.decode().endswith(f", version {f2csp.__version__}\n")


@pytest.mark.parametrize("code", CATALOGUE)
def test_a_code_is_explained(code: str) -> None:
    entry = CATALOGUE[code]
    head = f"{code} {entry.name} ({entry.severity})\n\n{entry.meaning}\n\n"
    text = f"{head}Example: {entry.example}\nCure:    {entry.cure}\nPage:    {page_of(code)}\n"
    for word in (code, code.lower(), entry.name, entry.name.upper()):
        assert run_program("code", word).stdout.decode() == text
    record = {"code": code, "name": entry.name, "severity": entry.severity} | entry._asdict()
    assert json.loads(run_program("code", code, "--json").stdout) == record


def test_all_codes_are_listed_in_order() -> None:
    lines = run_program("code").stdout.decode().splitlines()
    entries = CATALOGUE.items()
    assert [line.split() for line in lines] == [[c, e.severity, e.name, *e.meaning.split()] for c, e in entries]
    assert lines == sorted(lines)
    assert [json.loads(line)["code"] for line in run_program("code", "--json").stdout.splitlines()] == list(CATALOGUE)


@pytest.mark.parametrize("command", ["formats", "engines", "engines search", "code"])
def test_lists_are_cut_between_words(command: str) -> None:
    whole = run_program(*command.split()).stdout.decode()
    _, _, shown = play(*command.split(), columns=80)
    lines = shown.decode().splitlines()
    assert max(map(len, lines)) <= 80
    assert " ".join(shown.decode().split()) == " ".join(whole.split())
    assert sum(not line.startswith(" ") for line in lines) == len(whole.splitlines())


def test_help_lists_what_can_be_generated() -> None:
    page = run_program("generate", "--help").stdout.decode()
    assert [kind for kind in PROBLEM_KINDS if f"  {kind} " not in page] == []


def test_every_program_is_installed() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    programs = {entry.program: name for name, entry in table.commands().items() if entry.program} | {"f2csp": "main"}
    assert scripts == {program: f"f2csp.cli.main:{name}" for program, name in programs.items()}


def test_the_seed_that_was_drawn_is_reported() -> None:
    done = run_program("generate", "sudoku", "--to", "sudoku:line")
    seed = done.stderr.decode().removeprefix("seed: ").strip()
    assert run_program("generate", "sudoku", "--seed", seed, "--to", "sudoku:line").stdout == done.stdout


def test_what_is_not_random_takes_a_seed_as_everything_else() -> None:
    assert run_program("generate", "queens", "--seed", "5").stdout == run_program("generate", "queens").stdout


# ---- Internal errors and interrupts --------------------------------------------------------------------------------


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., "CompletedProcess[bytes]"]]:
    """Runs the program with a function as its only command."""

    def run(work: Callable[[], None]) -> "CompletedProcess[bytes]":
        monkeypatch.setattr(table, "command_named", lambda name: click.Command("work", callback=work))
        return run_program()

    handler = signal.getsignal(signal.SIGINT)
    monkeypatch.setenv("F2CSP_DEBUG", "")
    yield run
    signal.signal(signal.SIGINT, handler)


Run = Callable[[Callable[[], None]], "CompletedProcess[bytes]"]


def fail() -> None:
    raise TypeError("not this type")


def test_an_internal_error_is_a_message(run_command: Run) -> None:
    done = run_command(fail)
    assert (done.returncode, done.stdout) == (70, b"")
    assert done.stderr.decode() == (
        "f2csp: internal error: TypeError: not this type\n"
        f"Please report it with the version ({f2csp.__version__}), the command and the file; "
        "--debug shows the traceback.\n"
    )


def test_debug_shows_the_traceback(run_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_program("--debug", "code", "F304").returncode == run_program("code", "--debug", "F304").returncode == 0
    done = run_command(fail)
    assert done.returncode == 70
    assert done.stderr.startswith(b"Traceback")
    assert b"f2csp: internal error: TypeError" in done.stderr


def test_debug_is_not_in_the_help() -> None:
    assert b"--debug" not in run_program("--help").stdout + run_program("code", "--help").stdout


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def interrupt_an_extension_module() -> None:
    try:
        interrupt()
    except KeyboardInterrupt:
        raise ImportError("initialization failed") from None


def interrupt_a_finalizer() -> None:
    """Python swallows what is raised in it: the interrupt comes again."""

    class Finalized:
        def __del__(self) -> None:
            interrupt_here()

    def interrupt_here() -> None:
        handler = signal.getsignal(signal.SIGINT)
        assert callable(handler)
        handler(signal.SIGINT, sys._getframe(1))

    Finalized()
    for _ in range(1000):
        time.sleep(0.02)


@pytest.mark.parametrize("work", [interrupt, interrupt_an_extension_module, interrupt_a_finalizer])
def test_an_interrupt_is_a_message(work: Callable[[], None], run_command: Run) -> None:
    done = run_command(work)
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr.decode().endswith("f2csp: interrupted; no file is left half-written\n")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("module", "function"), [(table, "command_named"), (main, "_outcome")])
@pytest.mark.parametrize("work", [interrupt, interrupt_an_extension_module])
def test_an_interrupt_while_something_is_imported_is_a_message(
    work: Callable[[], None], module: ModuleType, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, function, lambda *names: work())
    done = run_program("solve", MAP)
    assert (done.returncode, done.stderr.decode()) == (130, "f2csp: interrupted; no file is left half-written\n")


@pytest.mark.parametrize("words", ["can't start new thread", "Resource temporarily unavailable"])
def test_a_thread_for_which_there_is_no_memory_is_a_message(words: str, run_command: Run) -> None:
    def start_thread() -> None:
        raise RuntimeError(words)

    done = run_command(start_thread)
    assert (done.returncode, done.stderr) == (2, b"f2csp: not enough memory\n")


_GIVES_UP = """
import atexit, os, sys, time
import click
from f2csp.cli import commands as table, main
from f2csp.solving.interruption import InterruptibleThread

def give_up():
    atexit.register(os.abort)  # as the destructors of a solver that is at work
    with InterruptibleThread() as thread:
        try:
            thread.run(lambda: time.sleep(100), seconds=0.1)
        except TimeoutError:
            click.echo("given up")

table.command_named = lambda name: click.Command("work", callback=give_up)
sys.argv = ["f2csp"]
main.main()
"""


def test_a_solver_that_was_given_up_does_not_end_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", _GIVES_UP], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"given up\n", b"")


_INTERRUPTED_IN_A_TEXT = """
import click
from f2csp.cli import commands as table, main

def work():
    exec("import signal; signal.raise_signal(signal.SIGINT)")  # as dataclasses run a text to be made

table.command_named = lambda name: click.Command("work", callback=work)
main.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX has this signal")
def test_an_interrupt_while_python_runs_a_text_has_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(_INTERRUPTED_IN_A_TEXT)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(tmp_path)])}
    done = subprocess.run([sys.executable, "-m", "work"], capture_output=True, env=env, check=False)
    assert (done.returncode, done.stderr.strip()) == (130, b"f2csp: interrupted; no file is left half-written")
