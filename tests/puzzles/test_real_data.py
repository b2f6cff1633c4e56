"""Puzzles that people really have: what was found is read as it stands, and the solution that came with it fits."""

from itertools import combinations

import pytest

import f2csp
from f2csp.diagnostics import ProblemError
from f2csp.model import Problem
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.recognise import recognise
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from tests.puzzles.records import LINES, NONE, REASON, SEEDS, Matrix, Record, matrix, read, records, texts

pytestmark = pytest.mark.skipif(not (LINES and SEEDS), reason=REASON)


def givens(puzzle: Puzzle) -> Matrix:
    """The givens as the records have them: 0 is a blank, 2 in a Takuzu."""
    blank = 2 if puzzle.KIND == "takuzu" else 0
    rows = [[blank] * puzzle.n_columns for _ in range(puzzle.n_rows)]
    for row, column, value in puzzle.clues:
        rows[row - 1][column - 1] = value
    return rows


def cell_values(solution: Matrix) -> dict[str, str]:
    """The variables of the cells with the values of a solution."""
    rows = enumerate(solution, 1)
    return {f"V{row}-{column}": str(value) for row, values in rows for column, value in enumerate(values, 1)}


def auxiliary_values(solution: Matrix) -> dict[str, str]:
    """The auxiliary variables of a Takuzu, by what their names say."""
    found: dict[str, int] = {}
    for prefix, lines in (("R", solution), ("C", [list(column) for column in zip(*solution, strict=True)])):
        for i, line in enumerate(lines, 1):
            found |= {f"{prefix}{i}-ones-{k}": sum(line[:k]) for k in range(2, len(line) + 1)}
        for (i, one), (j, other) in combinations(enumerate(lines, 1), 2):
            pairs = enumerate(zip(one, other, strict=True), 1)
            found |= {f"{prefix}{i}-{prefix}{j}-same-{k}": int(a == b) for k, (a, b) in pairs}
    return {name: str(value) for name, value in found.items()}


def is_solution(problem: Problem, solution: Matrix) -> bool:
    values = cell_values(solution)
    if problem.n_variables > len(values):
        values |= auxiliary_values(solution)
    try:
        return f2csp.check(problem, values) == []
    except ProblemError:  # a number of ones that its domain does not have
        return False


def exchanged(solution: Matrix) -> Matrix:
    """The solution with two unequal cells of its middle row exchanged."""
    rows = [list(row) for row in solution]
    row = rows[len(rows) // 2]
    other = next(column for column in range(1, len(row)) if row[column] != row[0])
    row[0], row[other] = row[other], row[0]
    return rows


@pytest.mark.parametrize("record", LINES or [NONE], ids=lambda record: record["id"])
def test_puzzle_and_solution_of_a_collection(record: Record) -> None:
    puzzle = read(record["puzzle"], record["kind"])
    assert puzzle.n_rows == puzzle.n_columns == record["n"]
    assert givens(puzzle) == matrix(record["givens"])
    if isinstance(puzzle, Sudoku):
        assert [puzzle.box_rows, puzzle.box_columns] == record["box"]
    problem, solution = to_problem(puzzle), matrix(record["solution"])
    assert is_solution(problem, solution)
    assert not is_solution(problem, exchanged(solution))
    assert puzzle.grid_of(cell_values(solution)) == solution
    if record in LINES[::15]:
        assert recognise(problem) == puzzle


def signs(puzzle: Puzzle) -> list[list[list[int]]]:
    """The signs of a Futoshiki as the records have them: greater cell first, counted from 0."""
    assert isinstance(puzzle, Futoshiki)
    return [[[cell.row - 1, cell.column - 1] for cell in (sign.greater, sign.smaller)] for sign in puzzle.signs]


@pytest.mark.parametrize("record", SEEDS or [NONE], ids=lambda record: record["id"])
def test_puzzle_and_solution_of_a_report(record: Record) -> None:
    for text in texts(record):
        puzzle = read(text, record["kind"])
        assert givens(puzzle) == record["given"]
        if "ineq" in record:
            assert sorted(signs(puzzle)) == sorted(record["ineq"])
    problem = to_problem(puzzle)
    wrong = record["check_printed_solution"]
    if wrong:
        assert len(f2csp.check(problem, cell_values(record["solution"]))) == len(wrong)
    trusted = ["solver_solution"] if wrong else ["solver_solution", "solution"]
    solutions = [record[name] for name in trusted if name in record]
    for solution in solutions:
        assert is_solution(problem, solution)
        assert not is_solution(problem, exchanged(solution))
    assert solutions or wrong


def test_boards_of_a_report_have_as_many_blanks_as_it_says() -> None:
    (facts,) = (record["n_and_blanks"] for record in records("seeds.json") if "n_and_blanks" in record)
    boards = {record["id"]: record for record in LINES if record["kind"] == "takuzu"}
    for name, (n, n_blanks) in facts.items():
        record = boards[f"IST-public-{name.lower()}"]
        puzzle = read(record["puzzle"], "takuzu")
        assert (puzzle.n_rows, n * n - len(puzzle.clues)) == (n, n_blanks)
