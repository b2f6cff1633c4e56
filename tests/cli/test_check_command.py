"""``f2csp check``: which solutions hold, and what the others break."""

import json
import re

import pytest
from click.testing import CliRunner

import f2csp
from f2csp.cli.check_solution import check as command
from f2csp.model import check
from f2csp.model.check import check_all
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from tests.cli.in_process import run_program
from tests.small import problem_of

PROBLEM = """\
Three variables
Domains:
2
D: 1 2
S: red green
Variables:
3
x: D
y: D
z: S
Constraints:
3
C1
Vars:
2
x y
Reject:
2
1 1
2 2
C2
Vars:
1
x
Accept:
1
1
C3
Vars:
2
z y
Accept:
2
red 2
green 1
Goal:
Satisfy
"""
GOOD = "x = 1\ny = 2\nz = red\n"
BAD = "x = 2\ny = 2\nz = green\n"


def run(*args, stdin=None):
    return CliRunner().invoke(command, list(map(str, args)), input=stdin, standalone_mode=False)


def program(*args, stdin=b""):
    return run_program("check", *args, stdin=stdin)


@pytest.fixture
def problem(tmp_path):
    path = tmp_path / "problem.csp"
    path.write_text(PROBLEM)
    return path


@pytest.fixture
def solution(tmp_path):
    path = tmp_path / "solution.txt"

    def write(text):
        path.write_text(text)
        return path

    return write


def test_a_solution_that_holds(problem, solution):
    path = solution(GOOD)
    result = run(problem, path)
    assert (result.return_value, result.stdout, result.stderr) == (0, f"{path}: solution 1 of 1 holds\n", "")


def test_the_file_that_cannot_be_read_is_named_alone(problem, tmp_path):
    result = program(problem, tmp_path / "missing")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.decode() == f"f2csp check: {tmp_path / 'missing'}: No such file or directory\n"


def test_every_violated_constraint_is_named_with_its_line(problem, solution):
    path = solution(f"{GOOD}---\n{BAD}---\nx = 1\ny = 1\nz = green\n")
    result = run(problem, path)
    assert result.return_value == 3
    assert result.stdout == (
        f"{path}: solution 1 of 3 holds\n"
        f"{path}: solution 2 of 3 breaks 3 constraints:\n"
        "  C1 (line 13) rejects x = 2, y = 2\n"
        "  C2 (line 21) does not accept x = 2\n"
        "  C3 (line 28) does not accept z = green, y = 2\n"
        f"{path}: solution 3 of 3 breaks 1 constraint:\n"
        "  C1 (line 13) rejects x = 1, y = 1\n"
        "1 of 3 solutions hold\n"
    )


def test_json(problem, solution):
    path = solution(f"{GOOD}---\n{BAD}")
    result = run(problem, path, "--json")
    assert result.return_value == 3
    found = json.loads(result.stdout)
    assert list(found) == ["command", "file", "index", "solution_file", "holds", "solutions"]
    assert (found["file"], found["solution_file"], found["holds"]) == (str(problem), str(path), False)
    good, bad = found["solutions"]
    assert good == {"holds": True, "completable": True, "violations": []}
    assert bad["holds"] is False
    assert bad["violations"] == [
        {"constraint": "C1", "line": 13, "scope": ["x", "y"], "values": [2, 2], "kind": "Reject"},
        {"constraint": "C2", "line": 21, "scope": ["x"], "values": [2], "kind": "Accept"},
        {"constraint": "C3", "line": 28, "scope": ["z", "y"], "values": ["green", 2], "kind": "Accept"},
    ]
    assert json.loads(run(problem, solution(GOOD), "--json").stdout)["holds"] is True


def test_a_solution_in_json(problem, solution):
    assert run(problem, solution('{"x": 1, "y": 2, "z": "red"}')).return_value == 0
    assert run(problem, solution('[{"x": 1, "y": 1, "z": "red"}]')).return_value == 3


def test_either_file_may_be_standard_input(problem, solution):
    assert run(problem, "-", stdin=BAD).return_value == 3
    assert run("-", solution(GOOD), stdin=PROBLEM).stdout.endswith("solution.txt: solution 1 of 1 holds\n")
    both = program("-", "-")
    assert both.returncode == 2
    assert b"only one" in both.stderr


def test_faults_of_either_file(problem, solution, tmp_path):
    result = run(problem, solution("x = 1\ny = 3\n"))
    assert result.return_value == 1
    assert re.findall(r"^error\[(F\d+)\]", result.stderr, re.MULTILINE) == ["F304", "F703"]
    broken = tmp_path / "broken.csp"
    broken.write_text(PROBLEM.replace("x: D", "x: E"))
    assert run(broken, solution(GOOD)).return_value == 1


def test_exit_codes_of_the_program(problem, solution, tmp_path):
    path = solution(GOOD)
    assert program(problem, path).returncode == 0
    assert program(problem, tmp_path / "missing").returncode == 2
    assert program(tmp_path / "missing", path).returncode == 2
    assert program(problem).returncode == 2
    assert program(problem, solution(BAD)).returncode == 3
    faulty = program(problem, solution("x = 1\n"))
    assert (faulty.returncode, faulty.stdout) == (1, b"")
    assert b"F703" in faulty.stderr


def test_many_assignments_are_checked_as_one_is():
    tables = ("reject a b", [(0, 0), (1, 1), (2, 2)]), ("accept b c", [(0, 1), (1, 2)])
    problem = problem_of({"D: a b c": range(3)}, *tables)
    assignments = [{"a": i, "b": j, "c": k} for i in range(3) for j in range(3) for k in range(3)]
    together = list(check_all(problem, assignments))
    assert together == [check(problem, assignment) for assignment in assignments]
    assert sum(not violations for violations in together) == 4


# ---- Solutions of puzzles that leave out what is no cell -------------------------------------------------------------

TAKUZU = ((0, 1, 1, 0), (1, 0, 0, 1), (0, 0, 1, 1), (1, 1, 0, 0))


@pytest.fixture
def takuzu(tmp_path):
    path = tmp_path / "takuzu.csp"
    f2csp.dump(to_problem(Takuzu(4, 4, clues=(Clue(1, 1, 0),))), path)
    return path


def cells(grid):
    return "".join(f"V{r}-{c} = {value}\n" for r, row in enumerate(grid, 1) for c, value in enumerate(row, 1))


def test_a_solution_of_a_takuzu_need_only_give_its_cells(takuzu, solution):
    path = solution(cells(TAKUZU))
    assert run(takuzu, path).stdout == f"{path}: solution 1 of 1 holds\n"


@pytest.mark.parametrize(
    ("grid", "what", "rule"),
    [
        (
            ((1, 1, 1, 0), *TAKUZU[1:]),
            "breaks 2 constraints:",
            "column 1 has 1 in 3 cells, from row 1, column 1 to row 4, column 1, and may have it in 2",
        ),
        (
            (TAKUZU[0], TAKUZU[0], TAKUZU[1], TAKUZU[1]),
            "does not hold: no values of the variables that it leaves out satisfy the constraints",
            "rows 3 and 4 are equal: from row 3, column 1 and from row 4, column 1 on",
        ),
        (
            ((0, 1, 0, 0), *TAKUZU[1:]),
            "does not hold: no values of the variables that it leaves out satisfy the constraints",
            "column 3 has 0 in 3 cells, from row 1, column 3 to row 4, column 3, and may have it in 2",
        ),
    ],
)
def test_one_that_breaks_the_rules_does_not_hold(takuzu, solution, grid, what, rule):
    path = solution(cells(grid))
    result = run(takuzu, path)
    assert result.return_value == 3
    assert result.stdout.splitlines()[0] == f"{path}: solution 1 of 1 {what}"
    assert result.stdout.splitlines()[-1] == f"  {rule}"
    record = json.loads(run(takuzu, path, "--json").stdout)["solutions"][0]
    assert (record["holds"], record["completable"]) == (False, what.startswith("breaks"))


def test_a_cell_may_not_be_left_out(takuzu, solution):
    result = run(takuzu, solution(cells(TAKUZU).removesuffix("V4-4 = 0\n")))
    assert "solution 1 gives no value to 1 of 16 variables: V4-4" in result.stderr


def test_nor_may_any_variable_of_a_problem_that_is_no_puzzle(problem, solution):
    assert "gives no value to 1 of 3 variables" in run(problem, solution("x = 1\ny = 2\n")).stderr


def test_a_file_of_several_problems_is_refused_once(solution, tmp_path):
    path = tmp_path / "puzzles.sdm"
    path.write_text("......4.........\n" * 3)
    result = run(path, solution(GOOD))
    assert str(result.exception) == f"expected one problem to check solutions against, found 3 in {path}"
