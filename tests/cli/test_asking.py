"""Programs without arguments, on a terminal: they ask for the names of two files."""

from pathlib import Path

import pytest

from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_stream
from f2csp.text.writer import dumps
from tests.cli.in_process import run
from tests.cli.pseudo_terminal import play

CLUES = "4\n0\n"
PUZZLE = dumps(to_stream(Sudoku(4, 2, 2)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my clues.txt").write_text(CLUES)
    return tmp_path


def test_a_missing_file_is_asked_for_again_and_quotes_are_understood(folder: Path) -> None:
    answers = ["clues.txt", "'my clues.txt'", '"my puzzle.csp"']
    code, _, shown = play(program="sudoku", answers=answers, cwd=folder)
    assert code == 0
    assert b"clues.txt: no such file" in shown
    assert shown.count(b"Puzzle file: ") == 2
    assert (folder / "my puzzle.csp").read_text() == PUZZLE
    assert shown.endswith(b"my puzzle.csp written: 16 variables, 56 constraints\n")


def test_enter_shows_the_result_on_the_screen(folder: Path) -> None:
    code, _, shown = play(program="sudoku", answers=["my clues.txt", ""], cwd=folder)
    assert code == 0
    assert shown.decode().endswith(f"F2CSP file to write: \n{PUZZLE}")
    (folder / "puzzle.csp").write_text(PUZZLE)
    code, _, shown = play(program="stats", answers=["puzzle.csp", ""], cwd=folder)
    assert code == 0
    assert b"Output file: \nTitle: Sudoku 4x4\n" in shown
    assert b"written" not in shown
    assert play(program="stats", answers=["puzzle.csp", "out.txt"], cwd=folder)[2].endswith(b"out.txt written\n")


def test_names_can_come_from_a_pipe(folder: Path) -> None:
    done = run("sudoku", stdin="my clues.txt\nout.csp\n", cwd=folder)
    assert done == (0, "", "")
    assert (folder / "out.csp").read_text() == PUZZLE
    assert run("stats", stdin="out.csp\n", cwd=folder).out.startswith("Title: Sudoku 4x4\n")
    for text, message in {
        CLUES: "there is no file 4; - reads the puzzle from standard input",
        "missing.txt\nout.csp\n": "there is no file missing.txt; - reads the puzzle from standard input",
        "": "expected a file name, or - for standard input",
        "\n\n": "expected a file name, or - for standard input",
    }.items():
        done = run("sudoku", stdin=text, cwd=folder)
        assert (done.code, done.out) == (2, "")
        assert message in done.err


def test_all_files_of_stats_are_inputs(folder: Path) -> None:
    done = run("stats", "my clues.txt", "out.txt", cwd=folder)
    assert done.code == 2
    assert "there is no file out.txt: all files are inputs, and -o OUT writes one" in done.err


def test_a_file_is_replaced_after_a_question(folder: Path) -> None:
    (folder / "old.csp").write_text("old")
    answers = ["my clues.txt", "old.csp", "n", "new.csp"]
    assert play(program="sudoku", answers=answers, cwd=folder)[0] == 0
    assert (folder / "old.csp").read_text() == "old"
    assert (folder / "new.csp").read_text() == PUZZLE
    assert play(program="sudoku", answers=["my clues.txt", "old.csp", "y"], cwd=folder)[0] == 0
    assert (folder / "old.csp").read_text() == PUZZLE


def test_a_tilde_is_the_home_directory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert play(program="sudoku", answers=["~/my clues.txt", "~/puzzle.csp"])[0] == 0
    assert (folder / "puzzle.csp").read_text() == PUZZLE


def test_every_format_that_is_written_is_confirmed(folder: Path) -> None:
    code, _, shown = play("convert", answers=["my clues.txt", "puzzle.sdk"], cwd=folder)
    assert code == 0
    assert shown.endswith(b"puzzle.sdk written\n")


@pytest.mark.parametrize(
    ("command", "result"),
    [
        ("validate", b"puzzle.csp: valid\n"),
        ("board", "└─────┴─────┘\n".encode()),
        ("solve", b"1 solution found, "),
        ("unique", b"there are several solutions"),
        ("count", b"288\n"),
        ("explain", b"there is a solution\n"),
    ],
)
def test_commands_that_read_files_ask_for_one(command: str, result: bytes, folder: Path) -> None:
    (folder / "puzzle.csp").write_text(PUZZLE)
    code, _, shown = play(command, answers=["puzzle.txt", "puzzle.csp"], cwd=folder)
    assert code in (0, 3)
    assert b"puzzle.txt: no such file\nFile: puzzle.csp\n" in shown
    assert result in shown
