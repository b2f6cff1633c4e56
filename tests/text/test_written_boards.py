"""Boards and other forms of a solution that people and this program write."""

import io
import json
from itertools import product

import pytest

import f2csp
from f2csp.rendering.text_board import board_text

CAGES = "".join(
    f"{total} r{i}c{j} r{i}c{j + 1}\n"
    for i, row in enumerate(((3, 7), (7, 3), (3, 7), (7, 3)), 1)
    for j, total in zip((1, 3), row, strict=True)
)
PUZZLES = {
    "sudoku:line": "......4.........",
    "latin:matrix": "0 2 0 0\n0 0 0 0\n0 0 1 0\n0 0 0 0\n",
    "takuzu:grid": "....\n.0.0\n....\n1...\n",
    "futoshiki:tatham": "4:0,0D,3,0,0,0R,0,0,0,0,0,0,0,0,0,2",
    "killer:cages": CAGES,
    "diagonal:matrix": "# Diagonal\n" + "0 0 0 0\n" * 4,
}
SQUARE = f2csp.to_problem(f2csp.puzzle(io.StringIO("0 2 0 0\n0 0 0 0\n0 0 1 0\n0 0 0 0\n"), "latin:matrix"))
ROWS = ("3214", "1432", "2341", "4123")
VALUES = {f"V{i}-{j}": int(value) for i, row in enumerate(ROWS, 1) for j, value in enumerate(row, 1)}
CELLS = [(name, *name[1:].split("-"), value) for name, value in VALUES.items()]
FORMS = {
    "rows": "\n".join(ROWS),
    "a line": "".join(ROWS),
    "a matrix": json.dumps([[*map(int, row)] for row in ROWS]),
    "a matrix of words": json.dumps([[*row] for row in ROWS], indent=1),
    "remarks": "Anna Schmidt\n\n" + "\n".join(map(" ".join, ROWS)) + "\n",
    "a size": "n = 4\n" + "\n".join(ROWS),
    "numbered rows": "\n".join(f"{i}: {' '.join(row)}" for i, row in enumerate(ROWS, 1)),
    "clues": "4\n16\n" + "".join(f"{row} {column} {value}\n" for _, row, column, value in CELLS),
    "a colon": "".join(f"{name}: {value}\n" for name, *_, value in CELLS),
    "a comma": "".join(f"{name},{value}\r\n" for name, *_, value in CELLS),
    "a blank": "".join(f"{name} {value}\n" for name, *_, value in CELLS),
    "solve --json": json.dumps({"command": "solve", "status": "satisfiable", "solutions": [VALUES]}),
    "solve --competition": "s SATISFIABLE\n" + "".join(f"v {name} = {value}\n" for name, *_, value in CELLS),
}


@pytest.mark.parametrize("form", PUZZLES)
def test_a_drawn_board_is_read_as_the_solution_that_it_shows(form: str):
    puzzle = f2csp.puzzle(io.StringIO(PUZZLES[form]), form)
    problem = f2csp.to_problem(puzzle)
    solution = f2csp.solve(problem, engine="search").solution
    assert solution is not None
    values = {name: value for name, value in solution.items() if name.startswith("V")}
    others = [name for name in problem.variable_names if name not in values]
    for as_ascii, has_numbers, is_compact in product((False, True), repeat=3):
        look = {"as_ascii": as_ascii, "has_numbers": has_numbers, "is_compact": is_compact}
        text = board_text(puzzle, puzzle.grid_of(values), **look)
        assert f2csp.loads_solutions(text, problem, optional=others) == [values], look
        assert f2csp.loads_solutions(f"{text}\n{text}", problem, optional=others) == [values, values], look


def test_clues_beside_a_board_are_no_values():
    puzzle = f2csp.puzzle(io.StringIO("4:2//3///3//2/2///2//3/1/"), "skyscrapers:tatham")
    problem = f2csp.to_problem(puzzle)
    values = f2csp.solve(problem, engine="search").solution
    assert values is not None
    cells = {name: value for name, value in values.items() if name.startswith("V")}
    others = [name for name in values if name not in cells]
    for as_ascii in (False, True):
        text = board_text(puzzle, puzzle.grid_of(cells), as_ascii=as_ascii, has_numbers=False, is_compact=False)
        assert f2csp.loads_solutions(text, problem, optional=others) == [cells]
    crowded = "\n".join(f"{left} {' '.join(row)} 4" for left, row in zip("4321", ROWS, strict=True))
    with pytest.raises(f2csp.InvalidInput):
        f2csp.loads_solutions(crowded, SQUARE)


@pytest.mark.parametrize("form", FORMS)
def test_a_solution_has_any_form_that_says_the_value_of_each_cell(form: str):
    assert f2csp.loads_solutions(FORMS[form], SQUARE) == [VALUES]
