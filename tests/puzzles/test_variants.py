"""Jigsaw, Diagonal and Killer Sudoku: their problems, and back; what is refused."""

from functools import cache
from itertools import permutations, product

import pytest

from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.squares import Square
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from tests.puzzles.strategies import cage, labels
from tests.sat import Sat

Rows = tuple[tuple[int, ...], ...]


JIGSAW = Jigsaw(4, labels("1112 1322 3324 3444"))
SMALL: list[Square] = [
    JIGSAW,
    Jigsaw(4, labels("1111 2222 3344 3344")),
    Jigsaw(3, labels("112 132 332")),
    Diagonal(4, 2, 2),
    Diagonal(4, 1, 4),
    Diagonal(3, 1, 3),
    Killer(4, 2, 2, (cage(8, (1, 1), (2, 1), (3, 1)), cage(4, (1, 2), (1, 3)))),
    Killer(4, 2, 2, (cage(10, (1, 1), (1, 2), (2, 1), (2, 2)), cage(3, (4, 4)), cage(5, (3, 3), (4, 2)))),
    Killer(4, 1, 4, (cage(9, (2, 2), (3, 3), (4, 4)),)),
    Killer(3, 1, 3),
]


@cache
def latin_squares(size: int) -> list[Rows]:
    lines = list(permutations(range(1, size + 1)))
    boards = product(lines, repeat=size)
    return [rows for rows in boards if all(len(set(column)) == size for column in zip(*rows, strict=True))]


def is_legal(puzzle: Square, rows: Rows) -> bool:
    """Whether a Latin square keeps the other rules of a puzzle, from their definitions."""
    n = puzzle.size
    groups: list[list[tuple[int, int]]] = []
    if isinstance(puzzle, Jigsaw):
        groups += [[(r, c) for r in range(n) for c in range(n) if puzzle.regions[r][c] == i] for i in range(1, n + 1)]
    if isinstance(puzzle, Sudoku):
        h, w = puzzle.box_rows, puzzle.box_columns
        groups += [
            [(top + r, left + c) for r in range(h) for c in range(w)]
            for top in range(0, n, h)
            for left in range(0, n, w)
        ]
    if isinstance(puzzle, Diagonal):
        groups += [[(i, i) for i in range(n)], [(i, n - 1 - i) for i in range(n)]]
    if isinstance(puzzle, Killer):
        for total, cells in puzzle.cages:
            groups.append([(r - 1, c - 1) for r, c in cells])
            if sum(rows[r - 1][c - 1] for r, c in cells) != total:
                return False
    return all(len({rows[r][c] for r, c in group}) == len(group) for group in groups)


@pytest.mark.parametrize("puzzle", SMALL, ids=repr)
def test_the_solutions_are_the_legal_boards_each_once(puzzle: Square) -> None:
    problem = to_problem(puzzle)
    solutions = [
        tuple(tuple(row) for row in puzzle.grid_of(solution))
        for solution in Sat(problem).solutions(problem.variable_names)
    ]
    assert sorted(solutions) == [rows for rows in latin_squares(puzzle.size) if is_legal(puzzle, rows)]


def test_titles_variables_and_the_order_of_constraints() -> None:
    puzzle = Killer(4, 2, 2, (cage(8, (1, 3), (3, 3), (2, 2)), cage(3, (1, 1), (1, 2))), clues=(Clue(4, 4, 1),))
    problem = to_problem(puzzle)
    assert problem.title == "Killer Sudoku 4x4"
    assert problem.variable_names[16:] == ("K2-sum-2",)
    tail = [(c.scope, c.kind) for c in problem.constraints][56:]
    assert tail == [
        (("V1-3", "V2-2"), "Reject"),
        (("V2-2", "V3-3"), "Reject"),
        (("V1-1", "V1-2"), "Accept"),
        (("V1-3", "V2-2", "K2-sum-2"), "Accept"),
        (("K2-sum-2", "V3-3"), "Accept"),
        (("V4-4",), "Accept"),
    ]
    assert to_problem(JIGSAW).title == "Jigsaw Sudoku 4x4"
    diagonal = to_problem(Diagonal(4, 2, 2))
    assert diagonal.title == "Diagonal Sudoku 4x4"
    assert [c.scope for c in diagonal.constraints][56:] == [
        *((f"V{a}-{a}", f"V{b}-{b}") for a, b in product((1, 2), (3, 4))),
        *((f"V{a}-{5 - a}", f"V{b}-{5 - b}") for a, b in product((1, 2), (3, 4))),
    ]


def test_cages_of_equal_size_and_total_share_their_tables() -> None:
    cages = [cage(15, *((row, c) for c in (1, 2, 3))) for row in range(1, 10)]
    assert len(to_problem(Killer(9, 3, 3, tuple(cages))).relations) == 3
