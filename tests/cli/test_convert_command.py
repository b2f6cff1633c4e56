"""Formats on the command line: what ``f2csp convert`` and the programs of puzzles write, and what commands read."""

import gzip
from pathlib import Path

import pytest

from f2csp.file_formats import FormatInfo, puzzle_formats
from f2csp.instances import write
from f2csp.puzzles import KINDS
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.text.writer import dumps
from tests.cli.in_process import run, run_program
from tests.puzzles.strategies import example_of

FORMATS = [form for form in puzzle_formats() if form.is_written]
PUZZLES: dict[str, Puzzle] = {kind: example_of(kind) for kind in KINDS} | {
    "sudoku": Sudoku(9, 3, 3, clues=(Clue(1, 2, 9), Clue(4, 1, 2), Clue(9, 9, 7))),
    "latin": LatinSquare(5, clues=(Clue(1, 1, 5), Clue(2, 4, 1), Clue(5, 5, 3))),
    "futoshiki": Futoshiki(
        4,
        (Sign(Cell(1, 1), Cell(1, 2)), Sign(Cell(3, 2), Cell(2, 2)), Sign(Cell(4, 4), Cell(4, 3))),
        clues=(Clue(1, 3, 4), Clue(3, 1, 2)),
    ),
    "jigsaw": Jigsaw(4, ((1, 1, 2, 2), (1, 3, 3, 2), (1, 3, 3, 2), (4, 4, 4, 4)), clues=(Clue(1, 3, 3), Clue(4, 2, 4))),
    "diagonal": Diagonal(9, 3, 3, clues=(Clue(1, 2, 9), Clue(4, 1, 2), Clue(9, 9, 7))),
    "killer": Killer(
        4, 2, 2, tuple(Cage(5, (Cell(row, column), Cell(row, column + 1))) for row in range(1, 5) for column in (1, 3))
    ),
    "takuzu": Takuzu(6, 6, clues=(Clue(1, 1, 0), Clue(2, 5, 1), Clue(6, 6, 1))),
}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_format_is_written_from_a_problem_and_read_into_the_same_one(form: FormatInfo, tmp_path: Path) -> None:
    problem, file, again = tmp_path / "puzzle.csp", tmp_path / "puzzle.txt", tmp_path / "again.csp"
    problem.write_text(dumps(to_problem(PUZZLES[form.kind])))
    for args in (["--to", form.name, problem, file], ["--from", form.name, file, again]):
        assert run("convert", *args) == (0, "", "")
    assert again.read_text() == problem.read_text()


@pytest.mark.parametrize("form", [form for form in FORMATS if form.endings], ids=lambda form: form.name)
def test_an_ending_tells_the_format_to_write(form: FormatInfo, tmp_path: Path) -> None:
    stdin = dumps(to_problem(PUZZLES[form.kind]))
    due = run("convert", "-", "-", "--to", form.name, stdin=stdin).out
    for ending in form.endings:
        assert run("convert", "-", tmp_path / f"puzzle{ending}", stdin=stdin).code == 0
        assert (tmp_path / f"puzzle{ending}").read_text() == due != ""
        assert run("convert", "-", tmp_path / f"PUZZLE{ending.upper()}.gz", stdin=stdin).code == 0
        assert gzip.decompress((tmp_path / f"PUZZLE{ending.upper()}.gz").read_bytes()).decode() == due


def test_a_name_without_a_kind_is_that_of_the_puzzle() -> None:
    for kind in {form.kind for form in FORMATS if form.short_name == "tatham"}:
        puzzle = PUZZLES[kind]
        result = run("convert", "-", "-", "--to", "tatham", stdin=dumps(to_problem(puzzle)))
        assert result.out == run("convert", "-", "-", "--to", f"{kind}:tatham", stdin=dumps(to_problem(puzzle))).out


@pytest.mark.parametrize("command", ["stats", "solve", "unique", "count", "explain", "board", "validate"])
@pytest.mark.parametrize("name", ["p.csp", "p.xml", "p.json", "p.wcsp", "p.cnf", "p.sdm", "clues.txt"])
def test_every_command_takes_every_format(command: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "clues.txt":
        path.write_text("4\n3\n1 1 1\n2 3 4\n4 4 3\n")
    else:
        write(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3))), path)
    done = run_program(command, path)
    if (command, name) == ("board", "p.wcsp"):  # the format has no names, so that cells cannot be recognised
        assert (done.returncode, done.stdout) == (1, b"")
    else:
        assert (done.returncode, bool(done.stdout)) == ({"unique": 3, "explain": 3}.get(command, 0), True)


def test_warnings_that_are_not_shown_are_counted() -> None:
    cells = "".join(f"{row} {column} 1\n" for row in range(1, 10) for column in range(1, 10))
    done = run_program("-", program="sudoku", stdin=f"9\n81\n{cells}")
    assert (done.returncode, done.stderr.count(b"warning[F608]")) == (0, 100)
    # For each clue, the one before it in its row, in its column, and in its box if that is another one.
    assert done.stderr.decode().endswith(f"... and {2 * 9 * 8 + 9 * 2 - 100} more\n")


def test_a_box_of_thousands_of_digits_is_wrong_usage() -> None:
    done = run_program("--box", f"{'1' * 5000}x1", "-", program="sudoku", stdin=b"6\n0\n")
    assert done.returncode == 2
    assert b"expected ROWSxCOLUMNS such as 2x3, found" in done.stderr
