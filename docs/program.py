"""Runs commands of the program in this process, for the pages that show what it prints."""

import base64
import os
import zlib
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from f2csp.cli.commands import command_named

ROOT = Path(__file__).parents[1]
_SHOWN = {
    "sudoku": ("line.sdm", 1),
    "jigsaw": ("tatham.txt", 3),
    "diagonal": ("line.txt", 1),
    "killer": ("tatham.txt", 3),
    "latin": ("matrix.txt", 1),
    "futoshiki": ("token.txt", 1),
    "nonogram": ("non.non", 1),
}


def sample_of(kind: str) -> tuple[str, int]:
    """The file in ``samples`` that shows a kind of puzzle, and the number of the puzzle in it."""
    folder = ROOT / "samples" / kind
    name, index = _SHOWN.get(kind, (min(path.name for path in folder.iterdir()), 1))
    return f"{kind}/{name}", index


def printed(line: str, cwd: Path) -> str:
    """What a command line such as ``f2csp validate x.csp`` prints on a terminal of 100 columns without colours."""
    _, name, *args = line.split()
    os.environ["COLUMNS"] = "100"
    with chdir(cwd):
        done = CliRunner().invoke(command_named(name), args, prog_name=f"f2csp {name}", standalone_mode=False)
    error = f"f2csp: {done.exception}\n" if done.exception and not isinstance(done.exception, SystemExit) else ""
    return done.output + error


def fragment(text: str) -> str:
    """A text as the page in the browser reads it behind the # of its address: deflated, in base64 for addresses."""
    packer = zlib.compressobj(9, wbits=-15)
    return "t=" + base64.urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")
