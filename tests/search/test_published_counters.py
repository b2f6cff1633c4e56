"""Counters that courses have published, which must come out exactly."""

import re

import pytest

import f2csp
from f2csp.model import Problem
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, cell_of
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import solve
from f2csp.solving.registry import TEXTBOOK
from tests.puzzles.records import LINES, NONE, REASON, Record, read
from tests.search.textbook import AUSTRALIA, RING, descending, queens, reference, searched

# Constraint checks and values tried by BT for the first solution, for all, likewise by FC, and the number of solutions.
SMALL = {
    "3 queens": (queens(3), (17, 18), (17, 18), (17, 5), (17, 5), 0),
    "4 queens": (queens(4), (36, 26), (84, 60), (38, 8), (76, 16), 2),
    "5 queens": (queens(5), (26, 15), (405, 220), (34, 5), (282, 53), 10),
    "Australia": (AUSTRALIA, (16, 12), (303, 201), (22, 7), (132, 84), 18),
    "k4-coloring": (RING, (6, 6), (14, 14), (7, 4), (14, 8), 2),
    "chain of 4": (descending(4), (50, 54), (56, 60), (56, 15), (56, 15), 1),
}
# States expanded by the searches of a course, which assign forced cells first, by the end of a board's name.
TAKUZU = {
    ("size10_03", "greedy"): 120,
    ("size10_09", "greedy"): 96,
    ("size10_33", "greedy"): 4985,
    ("size12_02", "greedy"): 21247,
    ("size12_05", "greedy"): 12725,
    ("size10_09", "bfs"): 36334,
    ("size12_03", "bfs"): 59649,
}
BOARDS = [record for record in LINES if "IST" in record["id"]]
BATTERY = [record for record in BOARDS if "public" in record["id"]] or [NONE]
FILES = {
    "random_20_8_100_20": ((3728955, 1385386), (5230951, 1949400), (374775, 25692), (542111, 36904), 15),
    "zebra-extension": ((None, 34647), (None, 114648), (None, 2171), (None, 7345), 1),
}


def check(problem: Problem, expected: list[tuple[int | None, int]], n_solutions: int) -> None:
    for (inference, n_wanted), (n_checks, n_values) in zip(
        [("none", 1), ("none", None), ("fc", 1), ("fc", None)], expected, strict=True
    ):
        counters, n_found = searched(problem, n_wanted, inference=inference, variable_order="name", counted="all")
        assert n_found == min(n_solutions, n_wanted or n_solutions)
        assert counters.values_tried == n_values, inference
        assert n_checks in (None, counters.constraint_checks), inference


@pytest.mark.parametrize("name", SMALL)
def test_small_instances(name: str) -> None:
    problem, *expected, n_solutions = SMALL[name]
    check(problem, expected, n_solutions)


@pytest.mark.parametrize("name", SMALL)
def test_the_searches_of_textbooks_have_the_published_counters(name: str) -> None:
    problem, *expected, _ = SMALL[name]
    found = []
    for search, n_wanted in [("bt", 1), ("bt", None), ("fc", 1), ("fc", None)]:
        statistics = solve(problem, engine=TEXTBOOK[search], solutions=n_wanted).statistics
        found.append((statistics.constraint_checks, statistics.values_tried))
    assert found == expected


@pytest.mark.parametrize("name", FILES)
def test_instances_in_files(name: str) -> None:
    *expected, n_solutions = FILES[name]
    check(f2csp.read(reference(f"xcsp2/{name}.xml")), expected, n_solutions)


def clues(rows: list[list[int]]) -> tuple[Clue, ...]:
    return tuple(Clue(r, c, value) for r, row in enumerate(rows, 1) for c, value in enumerate(row, 1) if value)


@pytest.mark.parametrize(("name", "n_tried", "n_accepted"), [("1", 656, 91), ("2", 439269, 48833), ("3", 98847, 11005)])
def test_values_tried_on_blank_cells_of_a_sudoku(name: str, n_tried: int, n_accepted: int) -> None:
    lines = reference(f"sudoku_matrix/{name}.matrix").read_text().splitlines()
    rows = [[*map(int, line.split())] for line in lines if line[:1].isdigit()]
    counters, _ = searched(to_problem(Sudoku(9, 3, 3, clues=clues(rows))), 1, inference="none", variable_order="row")
    assert (counters.values_tried, counters.assignments) == (n_tried, n_accepted)


def test_assignments_in_futoshiki() -> None:
    numbers = map(int, reference("futoshiki/futoshiki.dat").read_text().split())
    found = []
    for _ in range(next(numbers)):
        n, n_signs = next(numbers), next(numbers)
        rows = [[next(numbers) for _ in range(n)] for _ in range(n)]
        cells = [Cell(next(numbers), next(numbers)) for _ in range(2 * n_signs)]
        puzzle = Futoshiki(n, clues=clues(rows), signs=tuple(map(Sign, cells[::2], cells[1::2])))
        counters, _ = searched(to_problem(puzzle), 1, inference="none", variable_order="row")
        found.append(counters.nodes)
    assert found == [214, 123, 255, 64, 410, 247, 20, 230, 70, 112, 88, 88, 304, 19, 17]


@pytest.mark.parametrize(
    ("name", "n_made", "n_undone"), [("d-10-01", 228, 171), ("d-10-06", 57, 0), ("d-10-07", 574, 517)]
)
def test_assignments_made_and_undone_in_quasigroup_completion(name: str, n_made: int, n_undone: int) -> None:
    rows = re.findall(r"^(\d[\d, ]*) \|", reference(f"qcp/{name}.txt").read_text(), re.MULTILINE)
    puzzle = LatinSquare(10, clues=clues([[int(word) for word in row.split(",")] for row in rows]))
    counters, _ = searched(to_problem(puzzle), 1, inference="none", variable_order="mrv", counted="open")
    assert (counters.assignments, counters.backtracks) == (n_made, n_undone)


@pytest.mark.parametrize(("order", "n_assignments"), [("recent", 353351), ("static", 358104)])
def test_assignments_in_a_latin_square_as_by_the_code_of_a_textbook(order: str, n_assignments: int) -> None:
    rows = [[6, 0, 0, 0, 0, 0, 0], [0, 6, 0, 1, 0, 0, 3], [2, 0, 7, 0, 0, 0, 0], [4, 0, 0, 2, 0, 0, 1]]
    rows += [[0, 3, 1, 5, 6, 0, 0], [1, 0, 0, 7, 0, 2, 4], [0, 0, 0, 0, 0, 0, 7]]
    problem = to_problem(LatinSquare(7, clues=clues(rows)))
    counters, _ = searched(problem, 1, inference="none", variable_order="column", value_order=order, counted="all")
    assert counters.assignments == n_assignments


def expanded(record: Record, strategy: str) -> int | None:
    """The states expanded on the way to the recorded solution."""
    problem = to_problem(read(record["puzzle"], "takuzu"))
    cells = [name for name in problem.variable_names if cell_of(name)]
    result = solve(problem, engine=f"search:strategy={strategy}", project=cells)
    assert [str(result.solutions[0][name]) for name in cells] == record["solution"].split()
    return result.statistics.expanded


@pytest.mark.parametrize(("board", "strategy"), TAKUZU)
def test_takuzu_needs_no_more_states_than_those_of_a_course(board: str, strategy: str) -> None:
    for record in BOARDS:
        if record["id"].endswith(board):
            assert expanded(record, strategy) <= TAKUZU[board, strategy]
            return
    pytest.skip(REASON)


@pytest.mark.parametrize("record", BATTERY, ids=lambda record: record["id"])
def test_takuzu_of_a_battery_needs_two_states(record: Record) -> None:
    if record is NONE:
        pytest.skip(REASON)
    assert expanded(record, "greedy") <= 2
