"""The progress bar: on a terminal after its delay, and nowhere else."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = """
from f2csp.cli import progress
progress.DELAY = {delay}
from f2csp.cli.main import {program}
{program}()
"""


def run(program: str, *args: str, delay: float = 0.0, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    """Run with standard error on a terminal; give exit code, standard output, and what the terminal showed."""
    master, slave = pty.openpty()
    code = SLOW.format(delay=delay, program=program)
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=slave,
        env=environment,
    )
    os.close(slave)
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    shown = b""
    try:
        while piece := os.read(master, 1 << 16):
            shown += piece
    except OSError:  # the other end is closed
        pass
    os.close(master)
    assert process.stdout is not None
    with process.stdout:
        output = process.stdout.read()
    return process.wait(timeout=60), output, shown


def test_a_terminal_shows_how_many_constraints_are_written_and_the_bar_is_wiped(tmp_path: Path) -> None:
    out = tmp_path / "puzzle.csp"
    code, output, shown = run("sudoku", "-", str(out), stdin=b"9\n0\n")
    assert (code, output) == (0, b"")
    assert b"Writing constraints" in shown
    assert b"/810" in shown
    assert shown.rstrip().endswith(b"\x1b[2K")
    assert out.read_text().startswith("Sudoku 9x9\n")


def test_the_text_on_a_pipe_is_the_same_with_a_bar_beside_it() -> None:
    code, output, shown = run("sudoku", "-", stdin=b"4\n0\n")
    assert code == 0
    assert output.startswith(b"Sudoku 4x4\n")
    assert output.endswith(b"Satisfy\n")
    assert b"Writing" in shown


@pytest.mark.parametrize("program", ["validate", "stats"])
def test_a_terminal_shows_how_much_is_read(program: str) -> None:
    code, output, shown = run(program, "-", stdin=output_of_sudoku())
    assert code == 0
    assert output
    assert b"Reading bytes" in shown


def test_short_work_shows_nothing(tmp_path: Path) -> None:
    assert run("sudoku", "-", str(tmp_path / "puzzle.csp"), delay=60.0, stdin=b"9\n0\n") == (0, b"", b"")


def test_format_shows_it_too() -> None:
    code, output, shown = run("main", "format", "-", stdin=output_of_sudoku())
    assert (code, output) == (0, output_of_sudoku())
    assert b"/56" in shown


def output_of_sudoku() -> bytes:
    from f2csp.puzzles.sudoku import Sudoku
    from f2csp.puzzles.to_problem import to_stream
    from f2csp.text.writer import dumps

    return dumps(to_stream(Sudoku(4, 2, 2))).encode()


def test_without_a_terminal_there_is_no_bar_and_no_rich(tmp_path: Path) -> None:
    program = SLOW.format(delay=0.0, program="sudoku")
    code = f"import atexit, sys\natexit.register(lambda: print('rich' in sys.modules))\n{program}"
    arguments = [sys.executable, "-c", code, "-", str(tmp_path / "puzzle.csp")]
    done = subprocess.run(arguments, input=b"9\n0\n", capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"False\n", b"")
