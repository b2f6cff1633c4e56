"""``f2csp explain``: in words, on a board, as JSON, and its exit codes."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

import f2csp
from f2csp.cli.solve import explain
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem

TWICE = f2csp.dumps(to_problem(Sudoku(4, 2, 2, clues=(Clue(1, 1, 2), Clue(3, 3, 1), Clue(1, 4, 2)))))
NO_PUZZLE = """\
no map
Domains: 1
D: red
Variables: 2
a: D
b: D
Constraints: 2
border
Vars: 2
a b
Reject: 1
red red
empty
Vars: 1
a
Reject: 0
"""


def run(text: str, *args: str) -> Result:
    return CliRunner().invoke(explain, ["-", *args], input=text, standalone_mode=False)


def test_a_puzzle_is_explained_in_its_words_with_a_board() -> None:
    result = run(TWICE)
    assert result.return_value == 0
    assert result.stdout == (
        "There is no solution: these contradict each other:\n"
        "  row 1 holds each value once\n"
        "  2 is given at row 1, column 1\n"
        "  2 is given at row 1, column 4\n"
        "In the file these are 3 constraints, all of them needed:\n"
        "  C3 (line 45) on V1-1 V1-4\n"
        "  C57 (line 585) on V1-1\n"
        "  C59 (line 599) on V1-4\n"
        "┌─────┬─────┐\n"
        "│ 2 . │ . 2 │\n"
        "│ . . │ . . │\n"
        "├─────┼─────┤\n"
        "│ . . │ . . │\n"
        "│ . . │ . . │\n"
        "└─────┴─────┘\n"
    )
    assert run(TWICE, "--ascii").stdout.endswith("+-----+-----+\n")


def test_another_problem_is_explained_in_its_names() -> None:
    result = run(NO_PUZZLE)
    assert result.stdout == (
        "There is no solution: these contradict each other:\n"
        "  nothing is allowed for a b\n"
        "In the file this is one constraint:\n"
        "  border (line 8) on a b\n"
    )


def test_json() -> None:
    found = json.loads(run(TWICE, "--json").stdout)
    assert (found["status"], found["minimal"]) == ("unsatisfiable", True)
    assert found["parts"][0]["words"] == "row 1 holds each value once"
    assert found["parts"][1]["constraints"] == ["C57"]
    assert found["constraints"][0] == {"constraint": "C3", "line": 45, "scope": ["V1-1", "V1-4"], "kind": "Reject"}


def test_where_there_is_nothing_to_explain() -> None:
    sound = (Path(__file__).parents[2] / "samples" / "map.csp").read_text()
    result = run(sound)
    assert (result.return_value, result.stdout) == (3, "there is a solution\n")
    assert json.loads(run(sound, "--json").stdout)["status"] == "satisfiable"
    result = run(TWICE, "--time-limit", "0")
    assert (result.return_value, result.stdout) == (4, "unknown: time limit reached\n")
