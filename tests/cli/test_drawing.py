"""The look of boards: options, and the marks of the cells in which two solutions differ."""

from pathlib import Path

import pytest

from tests.cli.in_process import run_program
from tests.cli.pseudo_terminal import play

SOLUTIONS = "1234 3412 2143 4321".split()
CLUES = (
    "4\n12\n"
    + "".join(f"{r} {c} {SOLUTIONS[r - 1][c - 1]}\n" for r in (1, 2) for c in range(1, 5))
    + ("3 1 2\n4 1 4\n3 3 4\n4 3 2\n")
)


@pytest.fixture
def clues(tmp_path: Path) -> Path:
    """A Sudoku with two solutions, which differ in four cells."""
    path = tmp_path / "clues.txt"
    path.write_text(CLUES)
    return path


@pytest.mark.parametrize("command", ["board", "solve"])
@pytest.mark.parametrize(
    ("options", "head"),
    [
        ([], ["┌─────┬─────┐", "│ 1 2 │ 3 4 │"]),
        (["--numbers"], ["    1 2   3 4", "  ┌─────┬─────┐", "1 │ 1 2 │ 3 4 │"]),
        (["--compact"], ["┌──┬──┐", "│12│34│"]),
        (["--compact", "--numbers", "--ascii"], ["   12 34", "  +--+--+", "1 |12|34|"]),
    ],
)
def test_options(command: str, options: list[str], head: list[str], clues: Path) -> None:
    lines = run_program(command, "--from", "sudoku", clues, *options).stdout.decode().splitlines()
    assert lines[: len(head)] == head


def test_a_terminal_that_is_too_narrow_shows_one_character_for_a_cell(tmp_path: Path) -> None:
    (tmp_path / "clues.txt").write_text("36\n1\n1 1 36\n")  # 121 columns, on a terminal of 100
    board = ["board", "--from", "sudoku", tmp_path / "clues.txt"]
    assert "1 │a.....│" in play(*board, "--color", "never")[2].decode()
    assert "│ 36  .  .  .  .  . │" in play(*board, "--no-compact", "--no-numbers", "--color", "never")[2].decode()


def test_cells_in_which_two_solutions_differ_are_marked(clues: Path) -> None:
    lines = run_program("unique", "--from", "sudoku", clues).stdout.decode().splitlines()
    rows = [line for line in lines if line.startswith("│")]
    assert rows[:2] == rows[4:6] == ["│ 1 2 │ 3 4 │", "│ 3 4 │ 1 2 │"]
    assert sorted([rows[2:4], rows[6:]]) == [["│ 2 1*│ 4 3*│", "│ 4 3*│ 2 1*│"], ["│ 2 3*│ 4 1*│", "│ 4 1*│ 2 3*│"]]
    coloured = run_program("unique", "--from", "sudoku", clues, "--color", "always").stdout.decode()
    assert "*" not in coloured
    assert coloured.count("\x1b[7m") == 8
