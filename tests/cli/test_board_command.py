"""``f2csp board`` on streams of any kind: encodings, terminals, and pipes that close early."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.in_process import run_program
from tests.cli.pseudo_terminal import play

CLUES = "4\n2\n1 1 1\n2 3 4\n"
DRAWN = """\
┌─────┬─────┐
│ 1 . │ . . │
│ . . │ 4 . │
├─────┼─────┤
│ . . │ . . │
│ . . │ . . │
└─────┴─────┘
"""
NUMBERED = "    1 2   3 4\n" + "".join(
    f"{number} {line}\n" for number, line in zip(" 12 34 ", DRAWN.splitlines(), strict=True)
)
DRAWN_IN_ASCII = re.sub("[┌┬┐├┼┤└┴┘]", "+", DRAWN).replace("─", "-").replace("│", "|")


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "clues.txt"
    path.write_text(CLUES)
    return path


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_where_lines_cannot_be_printed_they_are_drawn_in_ascii(encoding: str, puzzle: Path) -> None:
    line = [sys.executable, "-m", "f2csp", "board", "--from", "sudoku", puzzle]
    done = subprocess.run(line, capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, check=False)
    assert (done.returncode, done.stdout.decode("ascii")) == (0, DRAWN_IN_ASCII)


def on_a_terminal(*args: str | Path) -> str:
    code, _, shown = play("board", "--from", "sudoku", *args)
    assert code in (0, 3)
    return shown.decode()


def test_a_terminal_shows_givens_bold_and_found_values_in_colour(
    puzzle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert on_a_terminal(puzzle) == NUMBERED
    monkeypatch.setenv("NO_COLOR", "")
    (tmp_path / "solution.txt").write_text("V1-2 = 4\n")
    assert "\x1b[1m1\x1b[0m \x1b[32m4\x1b[0m │" in on_a_terminal(puzzle, "--solution", tmp_path / "solution.txt")
    (tmp_path / "solution.txt").write_text("V1-1 = 4\n")
    shown = on_a_terminal(puzzle, "--solution", tmp_path / "solution.txt")
    assert re.search(r"│ \x1b\[[0-9;m\x1b]*31m[^ ]*1\x1b\[0m \. │", shown)


def test_a_terminal_that_is_too_narrow_shows_one_character_for_a_cell(puzzle: Path) -> None:
    puzzle.write_text("36\n1\n1 1 36\n")  # 121 columns, on a terminal of 100
    assert "1 │a.....│" in on_a_terminal(puzzle, "--color", "never")
    assert "│ 36  .  .  .  .  . │" in on_a_terminal(puzzle, "--no-compact", "--no-numbers", "--color", "never")


def test_a_pipe_that_closes_early_is_no_fault(puzzle: Path) -> None:
    line = f"{sys.executable} -m f2csp board --from sudoku {puzzle} | head -c 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, timeout=60, check=False)
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("package", "args", "purpose", "extra"),
    [
        ("cairosvg", ["board", "-o", "board.pdf"], "writing a .pdf file", "pictures"),
        ("cairosvg", ["graph", "-o", "graph.png"], "writing a .png file", "pictures"),
        ("cairosvg", ["stats", "--plot", "stats.png"], "writing a .png file", "pictures"),
        ("cairosvg", ["hint", "-o", "steps.png"], "writing a .png file", "pictures"),
        ("jinja2", ["report", "-o", "page.html"], "writing a report", "report"),
        ("pynauty", ["stats", "--symmetry"], "finding symmetries", "symmetry"),
        ("pynauty", ["count", "--up-to-symmetry"], "finding symmetries", "symmetry"),
        ("pynauty", ["solve", "--all", "--up-to-symmetry"], "finding symmetries", "symmetry"),
        ("pysat", ["compare", "--engines", "sat"], "the engine sat", "solve"),
    ],
)
def test_a_missing_package_is_reported_before_the_work(
    package: str, args: list[str], purpose: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    done = run_program(*args, "no such file", cwd=tmp_path)
    message = f"f2csp: {purpose} needs an optional package; install it with: pip install 'f2csp[{extra}]'\n"
    assert (done.returncode, done.stderr.decode()) == (2, message)
