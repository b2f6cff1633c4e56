"""``f2csp generate``: where puzzles go, in which format, and what is refused."""

from pathlib import Path

import pytest

import f2csp
from f2csp.generation.kinds import KINDS
from tests.cli.in_process import run_program


def test_help_lists_the_kinds_and_their_options():
    page = run_program("generate", "--help").stdout.decode()
    assert [kind.name for kind in KINDS if f"  {kind.name} " not in page] == []
    assert "--difficulty easy|medium|hard" in run_program("generate", "takuzu", "-h").stdout.decode()


@pytest.mark.parametrize("spelling", ["--colors", "--colours"])
def test_colours_can_be_spelled_in_two_ways(spelling: str, tmp_path: Path):
    made = run_program("generate", "coloring", "--graph", "complete:3", spelling, "2", "--seed", "7")
    assert made.stdout.startswith(b"Colouring of complete:3 with 2 colours\n")
    (tmp_path / "edge.col").write_text("p edge 2 1\ne 1 2\n")
    assert run_program("count", tmp_path / "edge.col", spelling, "3").stdout == b"6\n"


@pytest.mark.parametrize(
    ("name", "form"), [("out.csp", "f2csp"), ("out.sdk", "sudoku:grid"), ("out.xml.gz", "xcsp3"), ("out.cnf", "dimacs")]
)
def test_the_extension_chooses_the_format(name: str, form: str, tmp_path: Path):
    done = run_program("generate", "sudoku", "--box", "2", "--seed", "7", "-o", name, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    made = f2csp.generate("sudoku", box=2, seed=7)
    assert f2csp.count(f2csp.read(tmp_path / name, form)) == f2csp.count(made)


def test_many_puzzles_go_to_a_file_or_to_a_directory(tmp_path: Path):
    arguments = ("generate", "takuzu", "--size", "4", "--count", "10", "--seed", "7")
    run_program(*arguments, "-o", "takuzu.txt", "--to", "takuzu:ist", cwd=tmp_path)
    run_program(*arguments, "-o", "takuzu/", cwd=tmp_path)
    names = [f"takuzu-{i:02}.csp" for i in range(1, 11)]
    assert sorted(path.name for path in (tmp_path / "takuzu").iterdir()) == names
    single = f2csp.generate("takuzu", size=4, seed=7)
    assert f2csp.load(tmp_path / "takuzu" / names[0]) == single


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sudoku", "--count", "2"], "can hold one problem only"),
        (["sudoku", "--fill", "2"], "expected a number from 0 to 1 as fill, found 2"),
        (["sudoku", "-o", "a.b"], "cannot infer the format from the name a.b"),
        (["sudoku", "--seed", "1", "--box", "2", "--fill", "0", "--unique"], "was found in 200 attempts"),
        (["sudokus"], "No such command 'sudokus'"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, tmp_path: Path):
    done = run_program("generate", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()


def test_the_seed_that_was_drawn_is_reported():
    done = run_program("generate", "sudoku", "--to", "sudoku:line")
    seed = done.stderr.decode().removeprefix("seed: ").strip()
    assert run_program("generate", "sudoku", "--seed", seed, "--to", "sudoku:line").stdout == done.stdout


def test_what_is_not_random_takes_a_seed_as_everything_else():
    assert run_program("generate", "queens", "--seed", "5").stdout == run_program("generate", "queens").stdout
