"""Every command takes every format, files with many puzzles, and many files."""

import json
from pathlib import Path

import pytest

import f2csp
from f2csp.instances import puzzle, write
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from tests.cli.in_process import run_program

ONE = "1.....4........3\n"  # three solutions
LINES = f"{ONE}12343412214343..\n1234341221434321\n"
VERDICTS = ["multiple", "unique", "unique"]


@pytest.fixture
def many(tmp_path: Path) -> Path:
    path = tmp_path / "many.sdm"
    path.write_text(LINES)
    return path


def lines(*args: str | Path, code: int = 0) -> list[str]:
    done = run_program(*args)
    assert done.returncode == code, done.stderr
    return done.stdout.decode().splitlines()


def test_a_line_for_each_puzzle_and_the_totals(many: Path) -> None:
    expected = [f"{many}:{i}: {verdict}" for i, verdict in enumerate(VERDICTS, 1)]
    assert lines("unique", many, code=3) == [*expected, "3 problems: 2 unique, 1 multiple"]
    assert lines("count", many, "--index", "1,3") == [f"{many}:1: 3", f"{many}:3: 1", "2 problems: 2 counted"]
    assert lines("count", many, "--index", "2") == ["1"]


def test_a_record_for_each_puzzle(many: Path) -> None:
    records = [json.loads(line) for line in lines("unique", many, "--json", code=3)]
    assert [record["index"] for record in records] == [1, 2, 3]
    assert [record["verdict"] for record in records] == VERDICTS


def test_a_faulty_puzzle_does_not_stop_the_others(many: Path) -> None:
    many.write_text(LINES.replace("43..", "x3.."))
    assert lines("unique", many, code=1) == [
        f"{many}:1: multiple",
        f"{many}:3: unique",
        "3 problems: 1 multiple, 1 with faults, 1 unique",
    ]


@pytest.mark.parametrize("command", ["stats", "solve", "unique", "count", "explain", "board", "validate"])
@pytest.mark.parametrize("name", ["p.csp", "p.xml", "p.json", "p.cfn", "p.wcsp", "p.cnf", "p.sdm", "clues.txt"])
def test_every_command_takes_every_format(command: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    sudoku = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))
    if name == "clues.txt":
        path.write_text("4\n3\n1 1 1\n2 3 4\n4 4 3\n")
    else:
        write(sudoku, path)
    if (command, name) == ("board", "p.wcsp"):
        assert lines(command, path, code=1) == []  # the format has no names, so that cells cannot be recognised
    else:
        assert lines(command, path, code={"unique": 3, "explain": 3}.get(command, 0))


def test_many_puzzles_in_one_file_or_in_a_directory(many: Path, tmp_path: Path) -> None:
    for name in ("copy.csv", "copy.opensudoku", "tatham.txt"):
        done = run_program("convert", many, tmp_path / name, "--to", "sudoku:tatham" if "tatham" in name else "auto")
        if name == "copy.opensudoku":
            assert b"boards of 9x9" in done.stderr
            continue
        back = tmp_path / "back.sdm"
        assert run_program("convert", tmp_path / name, back).returncode == 0
        assert back.read_text() == LINES
    folder = tmp_path / "out"
    assert lines("convert", many, f"{folder}/") == []
    assert sorted(path.name for path in folder.iterdir()) == ["many-1.csp", "many-2.csp", "many-3.csp"]
    assert f2csp.load(folder / "many-1.csp") == to_problem(puzzle(many))
    assert lines("unique", folder, code=3)[-1] == "3 problems: 2 unique, 1 multiple"


def test_files_that_would_get_the_same_name(many: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "many.sdm"
    other.parent.mkdir()
    other.write_text(LINES)
    done = run_program("sudoku", many, other, f"{tmp_path / 'out'}/")
    assert done.returncode == 2
    assert b"another input was written to" in done.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["convert", "many.sdm", "--index", "1-2", "-"], "--index selects several problems"),
        (["count", "many.sdm", "--index", "0"], "expected numbers and ranges such as 3 or 1-10,17, found '0'"),
        (["count", "many.sdm", "--index", "5-2"], "expected numbers and ranges"),
        (["count", "many.sdm", "--index", "2-4"], "many.sdm has problems 1 to 3, and no number 4"),
        (["solve", "many.sdm", "--competition"], "--competition applies to a single problem"),
        (["solve", "many.sdm", "-o", "x.txt"], "--output applies to a single problem"),
        (["convert", "many.sdm", "many.sdm", "x.csp"], "x.csp can hold one problem only"),
        (["sudoku", "many.sdm", "x.xml"], "this command writes F2CSP; f2csp convert writes x.xml"),
        (["convert", "many.sdm", "x.csp", "--encoding", "order"], "--encoding applies to DIMACS CNF only"),
    ],
)
def test_wrong_usage(args: list[str], message: str, many: Path) -> None:
    done = run_program(*args, cwd=many.parent)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert not (many.parent / "x.csp").exists()
