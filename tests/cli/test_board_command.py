"""``f2csp board``: problems and puzzle files drawn, solutions filled in, colours, and what standard error tells."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from f2csp.cli.draw import board
from f2csp.cli.drawing import board_writer
from f2csp.cli.inputs import BoardLook
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.text.writer import dumps
from tests.cli.in_process import run_program

SAMPLES = Path(__file__).parents[2] / "samples"

SUDOKU = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4)))
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
FUTOSHIKI = Futoshiki(2, (Sign(Cell(1, 1), Cell(2, 1)),), clues=(Clue(2, 2, 1),))

FULL = ["1432", "2341", "3214", "4123"]


def assignments(rows: list[str]) -> str:
    return "".join(f"V{r}-{c} = {v}\n" for r, row in enumerate(rows, 1) for c, v in enumerate(row, 1))


SOLUTION = assignments(FULL)


def invoke(*args: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(board, [str(arg) for arg in args], input=stdin, standalone_mode=False)


def run(*args: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return run_program("board", *args, stdin=stdin)


def start(*args: str | Path, stdout: int = subprocess.PIPE, **environment: str) -> subprocess.CompletedProcess[bytes]:
    program = [sys.executable, "-m", "f2csp", "board", *map(str, args)]
    env = {**os.environ, **environment}
    return subprocess.run(program, stdout=stdout, stderr=subprocess.PIPE, env=env, timeout=60, check=False)


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    path = tmp_path / "puzzle.csp"
    path.write_text(dumps(to_problem(SUDOKU)))
    return path


@pytest.fixture
def solution(tmp_path: Path) -> Path:
    path = tmp_path / "solution.txt"
    path.write_text(SOLUTION)
    return path


@pytest.mark.parametrize(("options", "text"), [([], DRAWN), (["--ascii"], DRAWN_IN_ASCII)], ids=["unicode", "ascii"])
def test_a_problem_is_drawn(options: list[str], text: str, problem: Path) -> None:
    result = invoke(problem, *options)
    assert (result.return_value, result.stdout, result.stderr) == (0, text, "")


@pytest.mark.parametrize(
    ("puzzle", "text"),
    [(FUTOSHIKI, ".   .\n∧\n.   1\n"), (Takuzu(1, 3, clues=(Clue(1, 2, 0),)), ". 0 .\n")],
    ids=["futoshiki", "takuzu"],
)
def test_other_puzzles(puzzle: Puzzle, text: str, tmp_path: Path) -> None:
    (tmp_path / "puzzle.csp").write_text(dumps(to_problem(puzzle)))
    assert invoke(tmp_path / "puzzle.csp").stdout == text


def test_standard_input_and_compressed_files(problem: Path, tmp_path: Path) -> None:
    import gzip

    done = run("-", stdin=problem.read_bytes())
    assert (done.returncode, done.stdout, done.stderr) == (0, DRAWN.encode(), b"")
    (tmp_path / "odd.name").write_bytes(gzip.compress(problem.read_bytes()))
    assert invoke(tmp_path / "odd.name").stdout == DRAWN


def test_puzzle_files_are_drawn_as_well(tmp_path: Path) -> None:
    lines = tmp_path / "puzzles.sdm"
    lines.write_text("1.....4.........\n" + "." * 15 + "2\n")
    both = invoke(lines, "--from", "sudoku")
    second = invoke(lines, "--from", "sudoku:line", "--index", "2")
    assert both.stdout == f"{lines}:1:\n{DRAWN}{lines}:2:\n{second.stdout}"
    assert both.stderr == "2 problems: 2 drawn\n"
    assert second.stdout.splitlines()[-2] == "│ . . │ . 2 │"
    assert second.stderr == ""
    boxes = invoke("-", "--from", "sudoku:clues", "--box", "2x3", stdin="6\n0\n")
    assert boxes.stdout.splitlines()[0] == "┌───────┬───────┐"


def test_a_problem_may_be_named_as_such(problem: Path) -> None:
    assert invoke(problem, "--from", "f2csp").stdout == DRAWN
    result = invoke("-", "--from", "f2csp", stdin="4\n0\n")
    assert result.return_value == 1
    assert result.stderr.startswith("error[F0")


def test_a_solution_fills_the_board(problem: Path, solution: Path) -> None:
    result = invoke(problem, "--solution", solution)
    assert (result.return_value, result.stderr) == (0, "")
    assert result.stdout == (
        "┌─────┬─────┐\n│ 1 4 │ 3 2 │\n│ 2 3 │ 4 1 │\n├─────┼─────┤\n│ 3 2 │ 1 4 │\n│ 4 1 │ 2 3 │\n└─────┴─────┘\n"
    )
    done = run(problem, "--solution", "-", stdin=SOLUTION.encode())
    assert done.stdout.decode() == result.stdout


def test_a_solution_in_json_of_a_puzzle_file(tmp_path: Path) -> None:
    path = tmp_path / "solution.json"
    path.write_text('{"V1-1": 0, "V1-2": 1, "V2-1": 1, "V2-2": 0, "R1-ones-2": 1}')
    result = invoke("-", "--from", "takuzu:grid", "--solution", path, stdin="0 .\n. .\n")
    assert (result.return_value, result.stdout, result.stderr) == (0, "0 1\n1 0\n", "")


def test_cells_without_a_value_stay_blank_and_are_told(problem: Path, solution: Path) -> None:
    solution.write_text("V1-2 = 3\n")
    result = invoke(problem, "--solution", solution)
    assert result.return_value == 0
    assert result.stdout == DRAWN.replace("│ 1 . │", "│ 1 3 │")
    assert result.stderr == f"{solution}: no value for 13 cells: V1-3 V1-4 V2-1 V2-2 V2-4 ...\n"
    solution.write_text("\n".join(SOLUTION.splitlines()[:-1]))
    assert invoke(problem, "--solution", solution).stderr == f"{solution}: no value for 1 cell: V4-4\n"


def test_values_that_contradict_givens_are_told_and_the_givens_stand(problem: Path, solution: Path) -> None:
    solution.write_text(SOLUTION.replace("V1-1 = 1", "V1-1 = 2").replace("V2-3 = 4", "V2-3 = 1"))
    result = invoke(problem, "--solution", solution)
    assert result.return_value == 3
    assert result.stdout.splitlines()[1:3] == ["│ 1 4 │ 3 2*│", "│ 2*3 │ 4 1*│"]
    assert result.stderr == (
        f"{solution}: expected the given 1 at row 1, column 1, found 2\n"
        f"{solution}: expected the given 4 at row 2, column 3, found 1\n"
        f"{solution}: 2 is at row 1, column 1 and at row 1, column 4, both in row 1\n"
        f"{solution}: 2 is at row 1, column 1 and at row 2, column 1, both in column 1 and box 1\n"
        f"{solution}: 1 is at row 2, column 3 and at row 2, column 4, both in row 2 and box 2\n"
        "... and 1 more\n"
    )


def test_broken_rules_are_reported_and_marked(problem: Path, solution: Path, tmp_path: Path) -> None:
    solution.write_text(SOLUTION.replace("V4-4 = 3", "V4-4 = 1"))
    result = invoke(problem, "--solution", solution)
    assert result.return_value == 3
    assert result.stdout.splitlines()[-2] == "│ 4 1*│ 2 1*│"
    assert result.stderr.startswith(f"{solution}: 1 is at row 4, column 2 and at row 4, column 4, both in row 4\n")
    (tmp_path / "takuzu.csp").write_text(dumps(to_problem(Takuzu(2, 4))))
    solution.write_text(assignments(["0010", "1101"]))
    result = invoke(tmp_path / "takuzu.csp", "--solution", solution)
    assert result.return_value == 3
    assert "row 1 has 0 in 3 cells, from row 1, column 1 to row 1, column 4, and may have it in 2" in result.stderr


def test_many_contradictions_are_counted(tmp_path: Path, solution: Path) -> None:
    path = tmp_path / "puzzle.csp"
    clues = tuple(Clue(r, c, 1) for r in (1, 2) for c in (1, 2, 3, 4))
    path.write_text(dumps(to_problem(Sudoku(4, 2, 2, clues=clues))))
    lines = invoke(path, "--solution", solution).stderr.splitlines()
    assert len(lines) == 6
    assert lines[-1] == "... and 1 more"


def test_faults_of_a_solution_are_told_with_their_places(problem: Path, solution: Path) -> None:
    solution.write_text("V1-1 = 9\nV9-9 = 1\nV1-2 3\n")
    result = invoke(problem, "--solution", solution)
    assert result.return_value == 1
    found = re.findall(r"^error\[(F\d+)\].*\n.*:(\d+:\d+)$", result.stderr, re.MULTILINE)
    assert found == [("F304", "1:8"), ("F204", "2:1"), ("F701", "3:1")]


def test_of_several_solutions_the_first_or_the_one_that_is_asked_for(problem: Path, solution: Path) -> None:
    other = assignments([row.translate(str.maketrans("23", "32")) for row in FULL])
    solution.write_text(f"{SOLUTION}---\n{other}")
    first = invoke(problem, "--solution", solution)
    assert first.stdout.splitlines()[-2] == "│ 4 1 │ 2 3 │"
    assert first.stderr == f"{solution}: drew the first of 2 solutions (see --solution-index)\n"
    second = invoke(problem, "--solution", solution, "--solution-index", "2")
    assert second.stdout.splitlines()[-2] == "│ 4 1 │ 3 2 │"
    assert second.stderr == ""
    third = invoke(problem, "--solution", solution, "--solution-index", "3")
    assert third.return_value == 2
    assert f"{solution}: no solution number 3: the file has 2" in third.stderr


def test_what_is_no_puzzle_is_refused() -> None:
    result = invoke(SAMPLES / "map.csp")
    assert result.return_value == 1
    assert "no variable is a cell V<row>-<column>" in result.stderr
    done = run(SAMPLES / "map.csp")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"f2csp board: ")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["no-such-file"], 2),
        ([], 2),
        (["-", "--solution", "-"], 2),
        (["-", "--solution-index", "1"], 2),
        (["-", "--from", "sudoku:nonsense"], 2),
        (["-", "--solution", "no-such-file"], 2),
        (["-", "--index", "0"], 2),
        (["-", "--from", "latin:clues"], 1),
    ],
)
def test_exit_codes(args: list[str], code: int, problem: Path) -> None:
    done = run(*args, stdin=problem.read_bytes())
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_where_lines_cannot_be_printed_they_are_drawn_in_ascii(encoding: str, problem: Path) -> None:
    done = start(problem, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stdout.decode("ascii")) == (0, DRAWN_IN_ASCII)


def on_a_terminal(*args: str | Path, **environment: str) -> str:
    master, slave = pty.openpty()
    done = start(*args, stdout=slave, TERM="xterm", **environment)
    os.close(slave)
    assert done.returncode in (0, 3)
    shown = b""
    try:
        while piece := os.read(master, 1 << 16):
            shown += piece
    except OSError:  # the other end is closed
        pass
    os.close(master)
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_shows_givens_bold_and_what_was_found_in_colour(problem: Path, solution: Path) -> None:
    shown = on_a_terminal(problem, "--solution", solution, NO_COLOR="")
    assert "\x1b[1m1\x1b[0m \x1b[32m4\x1b[0m │" in shown
    assert on_a_terminal(problem, NO_COLOR="1") == NUMBERED
    solution.write_text("V1-1 = 4\n")
    shown = on_a_terminal(problem, "--solution", solution, NO_COLOR="")
    assert re.search(r"│ \x1b\[[0-9;m\x1b]*31m[^ ]*1\x1b\[0m \. │", shown)


def test_a_writer_points_at_the_cells_among_some_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    puzzle = Takuzu(1, 3, clues=(Clue(1, 2, 0),))
    monkeypatch.setattr(sys, "stdout", Terminal())
    text = board_writer(puzzle, BoardLook(), {"V1-1", "R1-ones-2"})({"V1-3": 1})
    monkeypatch.undo()
    assert re.search(r" (\x1b\[[0-9;]*m)+\?\x1b\[0m \x1b\[1m0\x1b\[0m \x1b\[32m1\x1b\[0m\n$", text)


def test_a_pipe_that_closes_early_is_no_fault(problem: Path) -> None:
    line = f"{sys.executable} -m f2csp board {problem} | head -c 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, timeout=60, check=False)
    assert done.stderr == b""


def test_help_has_examples() -> None:
    result = CliRunner().invoke(board, ["--help"])
    assert result.exit_code == 0
    assert "  f2csp board puzzle.csp --solution solution.txt\n" in result.output


def test_a_picture_is_written(problem: Path, solution: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    solution.write_text(SOLUTION.replace("V1-1 = 1", "V1-1 = 2"))
    result = invoke(problem, "--solution", solution, "-o", out)
    assert (result.return_value, result.stdout) == (3, "")
    assert out.read_text().count("<text") == 16
    assert 'fill="#fcc"' in out.read_text()
    assert ">3434334<" in invoke(problem, "--candidates", "-o", "-").stdout


def test_a_worksheet_is_written_unless_a_puzzle_has_faults(problem: Path, tmp_path: Path) -> None:
    out = tmp_path / "sheet.svg"
    assert invoke(problem, SAMPLES / "jigsaw" / "tatham.txt", "--per-page", "2", "-o", out).return_value == 0
    assert out.read_text().count("<title>Sudoku 4x4</title>") == 2
    out.unlink()
    assert invoke(problem, SAMPLES / "faulty" / "two-cells.csp", "--per-page", "2", "-o", out).return_value == 1
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--candidates"], "--candidates and --per-page require --output"),
        (["-o", "board.txt"], "expected a name that ends in .svg, .png, .pdf, found board.txt"),
        (["-o", "board.svg", "--ascii"], "--ascii, --compact and --numbers apply to text, not to pictures"),
        (["-o", "sheet.png", "--per-page", "2"], "--per-page writes .svg or .pdf, without --candidates and --solution"),
    ],
)
def test_options_of_pictures_that_do_not_fit(options: list[str], message: str, problem: Path) -> None:
    with pytest.raises(click.UsageError, match=re.escape(message)):
        CliRunner().invoke(board, [str(problem), *options], standalone_mode=False, catch_exceptions=False)


def test_several_puzzles_are_no_single_picture(tmp_path: Path) -> None:
    args = [str(SAMPLES / "jigsaw" / "tatham.txt"), "-o", str(tmp_path / "board.svg")]
    with pytest.raises(click.UsageError, match="a picture shows a single puzzle; select one with --index"):
        CliRunner().invoke(board, args, standalone_mode=False, catch_exceptions=False)
