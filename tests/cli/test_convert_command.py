"""``f2csp convert``: puzzle files to F2CSP and back, and from one format to another."""

import gzip
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import f2csp
from f2csp.cli.about import f2csp as f2csp_program
from f2csp.cli.convert import convert
from f2csp.diagnostics import F2cspError
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.files.formats import FORMATS, Format
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Cage, Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.text.writer import dumps
from tests.cli.in_process import run_program

SAMPLES = Path(__file__).parents[2] / "samples"

CLUES = "4\n3\n1 1 1\n2 3 4\n4 4 3\n"
SUDOKU = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))
PROBLEM = dumps(to_problem(SUDOKU))

PUZZLES: dict[str, Puzzle] = {
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


def invoke(*args: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(convert, [str(arg) for arg in args], input=stdin, standalone_mode=False)


def run(*args: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return run_program("convert", *args, stdin=stdin)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.full_name)
def test_every_format_is_written_from_a_problem_and_read_into_the_same_one(form: Format, tmp_path: Path) -> None:
    problem, file, again = tmp_path / "puzzle.csp", tmp_path / "puzzle.txt", tmp_path / "again.csp"
    problem.write_text(dumps(to_problem(PUZZLES[form.kind])))
    for args in (["--to", form.full_name, problem, file], ["--from", form.full_name, file, again]):
        result = invoke(*args)
        assert (result.exception, result.return_value, result.output) == (None, 0, "")
    assert again.read_text() == problem.read_text()


@pytest.mark.parametrize("form", [form for form in FORMATS if form.endings], ids=lambda form: form.full_name)
def test_an_ending_tells_the_format_to_write(form: Format, tmp_path: Path) -> None:
    stdin = dumps(to_problem(PUZZLES[form.kind]))
    due = invoke("-", "-", "--to", form.full_name, stdin=stdin).stdout
    for ending in form.endings:
        assert invoke("-", tmp_path / f"puzzle{ending}", stdin=stdin).return_value == 0
        assert (tmp_path / f"puzzle{ending}").read_text() == due != ""
        assert invoke("-", tmp_path / f"PUZZLE{ending.upper()}.gz", stdin=stdin).return_value == 0
        assert gzip.decompress((tmp_path / f"PUZZLE{ending.upper()}.gz").read_bytes()).decode() == due


def test_a_problem_is_found_from_its_text_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_bytes(gzip.compress(PROBLEM.replace("Domains:", " domains :").replace("\n", "\r\n").encode()))
    assert invoke(path, "-", "--to", "sudoku:clues").stdout == CLUES


def test_a_problem_without_its_first_section_is_told_as_a_faulty_problem() -> None:
    result = invoke("-", stdin=PROBLEM.replace("Domains:\n1\nD1: 1 2 3 4\n", ""))
    assert result.return_value == 1
    assert result.stderr.startswith("error[F003]")


def test_a_problem_becomes_itself(tmp_path: Path) -> None:
    loose = PROBLEM.replace("Reject:\n4", "reject: 4")
    assert invoke("-", stdin=loose).stdout == PROBLEM
    assert invoke("-", tmp_path / "out.csp", stdin=loose).return_value == 0
    assert (tmp_path / "out.csp").read_text() == PROBLEM
    assert f2csp.loads(invoke(SAMPLES / "map.csp").stdout) == f2csp.load(SAMPLES / "map.csp")


def test_clues_become_a_problem() -> None:
    result = invoke("-", "--from", "sudoku", stdin=CLUES)
    assert (result.return_value, result.stdout, result.stderr) == (0, PROBLEM, "")


def test_one_puzzle_format_becomes_another() -> None:
    result = invoke("-", "--from", "sudoku:clues", "--to", "line", stdin=CLUES)
    assert result.stdout == "1.....4........3\n"


def test_a_name_without_a_kind_is_that_of_the_puzzle() -> None:
    for kind, puzzle in PUZZLES.items():
        result = invoke("-", "-", "--to", "tatham", stdin=dumps(to_problem(puzzle)))
        assert result.stdout == invoke("-", "-", "--to", f"{kind}:tatham", stdin=dumps(to_problem(puzzle))).stdout


def test_the_puzzle_may_be_an_argument(tmp_path: Path) -> None:
    out = tmp_path / "out.csp"
    assert invoke("--text", CLUES.replace("\n", "\\n"), "--from", "sudoku", out).return_value == 0
    assert out.read_text() == PROBLEM


def test_of_many_puzzles_one_is_taken() -> None:
    lines = "1...............\n.2..............\n"
    first = invoke("-", "-", "--from", "sudoku:line", "--to", "clues", stdin=lines)
    assert (first.stdout, first.stderr) == ("4\n1\n1 1 1\n", "-: read the first of 2 puzzles (see --index)\n")
    second = invoke("-", "-", "--from", "sudoku:line", "--to", "clues", "--index", "2", stdin=lines)
    assert (second.stdout, second.stderr) == ("4\n1\n1 2 2\n", "")


def test_rules_that_a_file_does_not_tell() -> None:
    boxes = invoke("-", "--from", "sudoku:clues", "--box", "2x3", stdin="6\n0\n").stdout
    assert boxes == dumps(to_problem(Sudoku(6, 2, 3)))
    lines = invoke("-", "--from", "takuzu:grid", "--no-distinct-lines", stdin="0 .\n. .\n").stdout
    assert lines == dumps(to_problem(Takuzu(2, 2, False, clues=(Clue(1, 1, 0),))))


def test_what_a_format_cannot_express_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for stdin, target, told in (
        (PROBLEM, "futoshiki:token", "the format futoshiki:token is not one for a Sudoku 4x4"),
        ((SAMPLES / "map.csp").read_text(), "sudoku:line", "no variable is a cell"),
    ):
        result = invoke("-", out, "--to", target, stdin=stdin)
        assert result.return_value == 1
        assert told in result.stderr
        assert not out.exists()
    done = run("-", out, "--to", "latin:pls", stdin=PROBLEM.encode())
    assert (done.returncode, done.stdout, out.exists()) == (1, b"", False)
    assert done.stderr == b"f2csp convert: -: the format latin:pls is not one for a Sudoku 4x4\n"


def test_faults_leave_the_output_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "out.csp"
    out.write_text("precious")
    for stdin in ("4\n1\n1 1 9\n", PROBLEM.replace("V1-1: D1", "V1-1: D2")):
        result = invoke("-", out, "--from", "auto" if "Domains" in stdin else "sudoku:clues", stdin=stdin)
        assert result.return_value == 1
        assert out.read_text() == "precious"


@pytest.mark.parametrize(
    "args",
    [
        ["-", "out.unknown"],
        ["-", "-", "--to", "sudoku:nonsense"],
        ["-", "-", "--from", "nonsense"],
        ["no-such-file"],
        ["-", "no/such/dir/x.csp"],
        ["a", "b", "c"],
        ["--text", "4", "a.csp", "b.csp"],
        [],
    ],
)
def test_wrong_usage(args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*args, stdin=PROBLEM.encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr
    assert b"Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_ending_that_tells_nothing_asks_for_the_option() -> None:
    result = CliRunner().invoke(convert, ["-", "puzzle.unknown"], input=PROBLEM)
    assert result.exit_code == 2
    assert "cannot infer the format from the name puzzle.unknown; use --to" in result.stderr


def test_a_format_that_is_not_there_is_told_with_those_that_are() -> None:
    result = invoke("-", "-", "--to", "sudoku:nonsense", stdin=PROBLEM)
    assert isinstance(result.exception, F2cspError)
    assert "there is no format 'sudoku:nonsense'; did you mean sudoku:line?" in str(result.exception)


def test_help_has_examples() -> None:
    result = CliRunner().invoke(f2csp_program, ["convert", "-h"])
    assert result.exit_code == 0, result.output
    assert "  f2csp convert puzzle.csp puzzle.sdk\n" in result.output
