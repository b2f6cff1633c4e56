"""Runs a program on a pseudo-terminal, as a person does."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from select import select

import pytest

_SILENT_SECONDS = 60.0
_START = """
from f2csp.cli import progress
class Now:  # a timer that does not wait, and draws in the thread of the program
    def __init__(self, seconds, draw): self.start = draw
    def cancel(self): pass
progress.DELAY = {delay}
if not progress.DELAY: progress.Timer = Now
from f2csp.cli.main import {program}
{program}()
"""


def play(
    *args: str | Path,
    program: str = "main",
    delay: float = 60.0,
    stdin: bytes | None = None,
    answers: Sequence[str] = (),
    keys: Sequence[tuple[bytes, bytes]] = (),
    interrupt_at: bytes | None = None,
    is_piped: bool = False,
    columns: int = 100,
    cwd: Path | None = None,
) -> tuple[int, bytes, bytes]:
    """Run a program with standard error, and what is not given otherwise, on a terminal.

    Args:
        args: its arguments.
        program: its function in ``f2csp.cli.main``.
        delay: seconds until a display of progress appears.
        stdin: the text on standard input, a pipe then.
        answers: lines to type, each when the program asks with a colon.
        keys: keys to press, each when a text appears on the terminal after the one before.
        interrupt_at: a text on the terminal at which Ctrl-C is typed.
        is_piped: whether standard output is a pipe.
        columns: the width of the terminal.
        cwd: its working directory.

    Returns:
        The exit code, standard output if it is a pipe, and what the terminal showed.
    """
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals", exc_type=ImportError)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", _START.format(delay=delay, program=program), *map(str, args)],
        stdin=theirs if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE if is_piped else theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=cwd,
    )
    os.close(theirs)
    if process.stdin is not None:
        process.stdin.write(stdin or b"")
        process.stdin.close()
    shown, waiting, pressed, n_seen = b"", list(answers), list(keys), 0
    try:
        while True:
            if not select([ours], [], [], _SILENT_SECONDS)[0]:
                process.kill()  # it waits for a key that is not pressed
            if not (piece := os.read(ours, 1 << 16)):
                break
            shown += piece
            if waiting and shown.endswith(b": "):
                os.write(ours, waiting.pop(0).encode() + b"\n")
            if pressed and pressed[0][0] in shown[n_seen:]:
                os.write(ours, pressed.pop(0)[1])
                n_seen = len(shown)
            if interrupt_at and interrupt_at in shown:
                process.send_signal(signal.SIGINT)
                interrupt_at = None
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    output = b""
    if process.stdout is not None:
        with process.stdout:
            output = process.stdout.read()
    return process.wait(timeout=60), output, shown.replace(b"\r\n", b"\n")
