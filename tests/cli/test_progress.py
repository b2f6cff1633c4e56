"""The display of progress: on a terminal after its delay, and nowhere else."""

import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest

from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_stream
from f2csp.text.writer import dumps
from tests.cli.in_process import run_program
from tests.cli.pseudo_terminal import play

PUZZLE = dumps(to_stream(Sudoku(4, 2, 2))).encode()
SAMPLES = Path(__file__).parents[2] / "samples"
MAP = SAMPLES / "map.csp"
_WIPED = re.compile(rb"[^\n]*\n\x1b\[\?25h\r\x1b\[1A\x1b\[2K")
_ESCAPE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


def remaining(shown: bytes) -> str:
    """The text that stays on the terminal: without the lines that a display wiped."""
    return _ESCAPE.sub(b"", _WIPED.sub(b"", shown)).decode()


def test_a_terminal_shows_how_many_constraints_are_written_and_the_bar_is_wiped(tmp_path: Path) -> None:
    out = tmp_path / "puzzle.csp"
    code, _, shown = play("-", out, program="sudoku", delay=0.0, stdin=b"36\n0\n")
    assert code == 0
    assert b"Writing" in shown
    assert b"/61,560" in shown
    assert shown.rstrip().endswith(b"\x1b[2K")
    assert out.read_text().startswith("Sudoku 36x36\n")


def test_the_text_on_a_pipe_is_the_same_with_a_bar_beside_it() -> None:
    code, output, shown = play("-", program="sudoku", delay=0.0, stdin=b"4\n0\n", is_piped=True)
    assert (code, output) == (0, PUZZLE)
    assert b"Writing" in shown


@pytest.mark.parametrize("program", ["validate", "stats"])
def test_a_terminal_shows_how_much_is_read(program: str, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.csp"
    text = dumps(to_stream(Sudoku(16, 4, 4))).encode()
    path.write_bytes(text)
    code, output, shown = play(path, program=program, delay=0.0, is_piped=True)
    assert code == 0
    assert output
    shown = _ESCAPE.sub(b"", shown)
    assert b"Reading" in shown
    assert f"/{len(text) / 1000:.1f} kB".encode() in shown
    assert b"Checking, " in shown
    compressed = play("-", program=program, delay=0.0, stdin=gzip.compress(PUZZLE), is_piped=True)
    assert b"Reading, " in _ESCAPE.sub(b"", compressed[2])


def test_short_work_shows_nothing(tmp_path: Path) -> None:
    assert play("-", tmp_path / "puzzle.csp", program="sudoku", stdin=b"9\n0\n") == (0, b"", b"")


def test_a_puzzle_that_is_generated_is_a_board_on_a_terminal() -> None:
    code, _, shown = play("generate", "sudoku", "--box", "2", "--count", "2", "--seed", "1")
    assert code == 0
    assert shown.count("┌".encode()) == 2
    assert b"Domains:" not in shown
    text = play("generate", "sudoku", "--box", "2", "--seed", "1", is_piped=True)[1]
    assert text.startswith(b"Sudoku 4x4\n")


def test_format_shows_it_too() -> None:
    code, output, shown = play("format", "-", delay=0.0, stdin=PUZZLE, is_piped=True)
    assert (code, output) == (0, PUZZLE)
    assert b"Writing" in shown


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (["solve"], "Searching, N s"),
        (["solve", "--time-limit", "60"], "Searching, N s of N s"),
        (["unique"], "Searching, N s"),
        (["count"], "Counting, N s"),
        (["explain"], "Searching, N s"),
        (["stats", "--fast"], "Counting, N s"),
    ],
)
def test_a_search_shows_a_clock_and_leaves_its_results_alone(command: list[str], text: str) -> None:
    code, output, shown = play(*command, MAP, delay=0.0, is_piped=True)
    quiet = run_program(*command, MAP)
    assert (code, output) == (quiet.returncode, quiet.stdout)
    assert text in re.sub(r"\d+ s\b", "N s", _ESCAPE.sub(b"", shown).decode())


@pytest.mark.parametrize(("options", "n"), [([], 1), (["--all"], 288)])
def test_boards_are_printed_on_a_terminal_that_shows_a_clock(options: list[str], n: int, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.csp"
    path.write_bytes(PUZZLE)
    code, _, shown = play("solve", path, *options, delay=0.0)
    assert code == 0
    assert b"Searching" in shown
    lines = remaining(shown).splitlines()
    assert len(lines) == 9 * n + 1
    assert sum(line.startswith("  ┌") for line in lines) == n
    assert lines[-1].startswith(f"{n} solution")


def test_an_interrupt_wipes_the_clock(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.csp"
    path.write_text(dumps(to_stream(Sudoku(9, 3, 3))))  # 10^21 solutions
    code, _, shown = play("count", path, delay=0.0, interrupt_at=b"Counting")
    assert code == 130
    assert shown.count(b"\x1b[?25l") == shown.count(b"\x1b[?25h")  # the cursor is there again
    lines = remaining(shown).split()
    assert " ".join(lines).endswith("f2csp: interrupted; no file is left half-written")
    assert "Counting," not in lines


def test_a_count_by_merging_shows_its_states(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.csp"
    path.write_text(dumps(to_stream(Sudoku(9, 3, 3))))
    code, _, shown = play("count", path, "--method", "merge", "--time-limit", "1", delay=0.0)
    assert code == 4
    assert re.search(rb"Counting, \d+ s of 1 s, stage \d+ of 81, [\d,]+ states", _ESCAPE.sub(b"", shown))


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
def test_an_interrupted_search_exits_as_interrupted(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.csp"
    path.write_text(dumps(to_stream(Sudoku(9, 3, 3))))
    options = ["--all", "--json", "--engine", engine]
    code, _, shown = play("solve", path, *options, delay=0.0, interrupt_at=b" solutions")
    assert code == 130
    assert shown.endswith(b"f2csp: interrupted; no file is left half-written\n")


def test_without_a_terminal_there_is_no_display_and_no_rich(tmp_path: Path) -> None:
    code = (
        "import atexit, sys\natexit.register(lambda: print('rich' in sys.modules))\n"
        "from f2csp.cli import progress\nprogress.DELAY = 0.0\nfrom f2csp.cli.main import sudoku\nsudoku()"
    )
    arguments = [sys.executable, "-c", code, "-", str(tmp_path / "puzzle.csp")]
    done = subprocess.run(arguments, input=b"9\n0\n", capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"False\n", b"")
