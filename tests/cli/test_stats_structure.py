"""``f2csp-stats --structure``: what the tables mean, counted."""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given

import f2csp
from f2csp.cli.stats import stats
from f2csp.model import Problem
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.structure import recover
from tests.small import problem_of
from tests.strategies import problems


def run(problem: Problem, *args: str) -> Result:
    return CliRunner().invoke(stats, ["-", "--structure", *args], input=f2csp.dumps(problem), standalone_mode=False)


def lines(problem: Problem) -> list[str]:
    return run(problem).stdout.splitlines()[-3:]


def test_a_sudoku_has_its_rows_columns_and_boxes() -> None:
    assert lines(to_problem(Sudoku(25, 5, 5, clues=(Clue(1, 1, 3),)))) == [
        "Meanings: 1 fixed value, 20000 different",
        "All-different groups: 75 of size 25",
        "Constraints left as tables: 0",
    ]


def test_a_futoshiki_has_its_signs() -> None:
    puzzle = Futoshiki(4, (Sign(Cell(1, 1), Cell(1, 2)), Sign(Cell(2, 1), Cell(1, 1))))
    assert lines(to_problem(puzzle)) == [
        "Meanings: 48 different, 2 less",
        "All-different groups: 8 of size 4",
        "Constraints left as tables: 0",
    ]


def test_a_chain_of_tables_is_a_sum() -> None:
    tables = [
        ("accept x y s", [(x, y, x + y) for x in range(3) for y in range(3)]),
        ("accept s z", [(s, 5 - s) for s in range(3, 5)]),
    ]
    problem = problem_of({"D: x y z": [0, 1, 2], "S: s": range(5)}, *tables)
    assert lines(problem)[1:] == ["Sums: 1 times sum of 3 variables = 5", "Constraints left as tables: 0"]
    assert json.loads(run(problem, "--json").stdout)["structure"]["sums"] == {"sum of 3 variables = 5": 1}


def test_what_has_no_meaning_is_a_table() -> None:
    odd = problem_of({"D: x y z": [1, 2, 3]}, ("accept x y z", [(1, 2, 3), (1, 2, 2), (2, 2, 3), (1, 1, 3)]))
    found = json.loads(run(odd, "--json").stdout)["structure"]
    assert found == {"meanings": {"other": 1}, "all_different": {}, "tables": 1}
    assert lines(problem_of({})) == [
        "Meanings: no constraints",
        "All-different groups: no pairs that must differ",
        "Constraints left as tables: 0",
    ]


@given(problems())
def test_the_numbers_are_those_of_what_is_recovered(problem: Problem) -> None:
    structure = recover(problem)
    found = json.loads(run(problem, "--json").stdout)["structure"]
    assert found == {
        "meanings": dict(Counter(str(structure.classification[i].kind) for i in range(problem.n_constraints))),
        "all_different": {str(size): n for size, n in Counter(map(len, structure.all_different)).items()},
        "tables": len(structure.tables),
    }


def test_each_of_several_files_has_its_own(tmp_path: Path) -> None:
    for size in (4, 9):
        f2csp.dump(to_problem(Sudoku(size, 2 + size % 2, 2 + size % 2)), tmp_path / f"{size}.csp")
    found = CliRunner().invoke(stats, [str(tmp_path), "--structure"], standalone_mode=False).stdout
    groups = [line for line in found.splitlines() if line.startswith("All-different groups: ")]
    assert groups == ["All-different groups: 12 of size 4", "All-different groups: 27 of size 9"]


def test_without_the_option_nothing_of_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / "p.csp"
    f2csp.dump(to_problem(Sudoku(4, 2, 2)), path)
    result = CliRunner().invoke(stats, [str(path), "--json"], standalone_mode=False)
    assert "structure" not in json.loads(result.stdout)


def test_fast_counts_and_does_not_recover() -> None:
    with pytest.raises(Exception, match="cannot be combined"):
        raise run(to_problem(Sudoku(4, 2, 2)), "--fast").exception or AssertionError
