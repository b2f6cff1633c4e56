"""``sudoku-to-f2csp``: files, standard input and output, exit codes, questions on a terminal, and the samples."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import f2csp
from f2csp.cli.about import f2csp as program
from f2csp.cli.main import command_named
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.text.writer import dumps
from tests.cli.in_process import run_program

CLUES = "4\n3\n1 1 1\n2 3 4\n4 4 3\n"
PUZZLE = dumps(to_problem(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))))


def invoke(*args: str, stdin: str = "") -> Result:
    return CliRunner().invoke(command_named("sudoku"), args, input=stdin, standalone_mode=False)


def run(*args: str, stdin: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    return run_program(*args, program="sudoku", stdin=stdin, cwd=cwd)


@pytest.fixture
def clues(tmp_path: Path) -> Path:
    path = tmp_path / "clues.txt"
    path.write_text(CLUES)
    return path


def test_a_file_becomes_a_file(clues: Path, tmp_path: Path) -> None:
    result = invoke(str(clues), str(tmp_path / "puzzle.csp"))
    assert (result.return_value, result.output) == (0, "")
    assert (tmp_path / "puzzle.csp").read_bytes() == PUZZLE.encode()


def test_without_a_second_name_the_problem_goes_to_standard_output(clues: Path) -> None:
    result = invoke(str(clues))
    assert (result.return_value, result.stdout, result.stderr) == (0, PUZZLE, "")


def test_the_output_may_be_the_input(clues: Path) -> None:
    assert invoke(str(clues), str(clues)).return_value == 0
    assert clues.read_text() == PUZZLE


def test_the_problem_reads_back(clues: Path) -> None:
    text = invoke(str(clues)).stdout
    assert f2csp.dumps(f2csp.loads(text)) == text


def test_dashes_are_standard_input_and_output() -> None:
    for args in (["-"], ["-", "-"]):
        done = run(*args, stdin=CLUES.encode())
        assert (done.returncode, done.stdout, done.stderr) == (0, PUZZLE.encode(), b"")


def test_it_is_a_subcommand_too(clues: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "f2csp", "sudoku", str(clues)], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, PUZZLE.encode())


def test_faults_leave_the_output_as_it_was(clues: Path, tmp_path: Path) -> None:
    clues.write_text("4\n3\n1 1 1\n2 3\n4 4 7\n")
    out = tmp_path / "puzzle.csp"
    out.write_text("precious")
    for existing in (out, clues):
        before = existing.read_bytes()
        assert invoke(str(clues), str(existing)).return_value == 1
        assert existing.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clues.txt", "puzzle.csp"]
    done = run("clues.txt", "new.csp", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert not (tmp_path / "new.csp").exists()
    heads = re.findall(r"error\[(\w+)\].*\n *--> (.*)", done.stderr.decode())
    assert heads == [("F604", "clues.txt:4:4"), ("F603", "clues.txt:5:5")]


def test_a_warning_leaves_the_exit_code_at_zero() -> None:
    done = run("-", stdin=b"4\n2\n1 1 1\n1 2 1\n")
    assert done.returncode == 0
    assert b"warning[F608]" in done.stderr
    assert b"-:4:1" in done.stderr
    assert done.stdout.startswith(b"Sudoku 4x4\n")


def test_warnings_that_are_not_shown_are_counted() -> None:
    cells = "".join(f"{row} {column} 1\n" for row in range(1, 10) for column in range(1, 10))
    result = invoke("-", stdin=f"9\n81\n{cells}")
    assert result.return_value == 0
    assert result.stderr.count("warning[F608]") == 100
    # For each clue, the one before it in its row, in its column, and in its box if that is another one.
    assert result.stderr.endswith(f"... and {2 * 9 * 8 + 9 * 2 - 100} more\n")


@pytest.mark.parametrize("box", ["2x3", "2X3"])
def test_box(box: str) -> None:
    result = invoke("--box", box, "-", stdin="6\n0\n")
    expected = dumps(to_problem(Sudoku(6, 2, 3)))
    assert (result.return_value, result.stdout) == (0, expected)


@pytest.mark.parametrize(
    "box", ["", "2", "2x", "x3", "2x3x4", "0x6", "-2x3", "2 x 3", "axb", "2*3", "٢x٣", "1" * 5000 + "x1"]
)
def test_a_box_of_another_form_is_wrong_usage(box: str) -> None:
    result = CliRunner().invoke(command_named("sudoku"), ["--box", box, "-"], input="6\n0\n")
    assert result.exit_code == 2
    assert "expected ROWSxCOLUMNS such as 2x3, found" in result.stderr


@pytest.mark.parametrize(
    "args",
    [[], ["a", "b", "c"], ["--unknown"], ["--box", "2by3", "-"], ["no-such-file.txt"], ["."], ["-", "no/such/dir/x"]],
)
def test_wrong_usage_and_files_that_cannot_be_opened_exit_with_two(args: list[str], tmp_path: Path) -> None:
    done = run(*args, stdin=CLUES.encode(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr
    assert b"Traceback" not in done.stderr


def test_on_a_terminal_it_asks_for_both_names(clues: Path, tmp_path: Path) -> None:
    master, slave = pty.openpty()
    try:
        os.write(master, b"clues.txt\npuzzle.csp\n")
        program = [sys.executable, "-c", "from f2csp.cli.main import sudoku; sudoku()"]
        done = subprocess.run(program, stdin=slave, capture_output=True, cwd=tmp_path, timeout=60, check=False)
    finally:
        os.close(master)
        os.close(slave)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode().split(": ")[:2] == ["Puzzle file", "F2CSP file to write"]
    assert (tmp_path / "puzzle.csp").read_text() == PUZZLE


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_has_examples(option: str) -> None:
    result = CliRunner().invoke(program, ["sudoku", option])
    assert result.exit_code == 0
    assert "  f2csp sudoku puzzle.txt puzzle.csp\n" in result.output
    assert "--box RxC" in result.output
