"""Jigsaw, Diagonal and Killer Sudoku: their problems, and back; what is refused."""

from functools import cache
from itertools import permutations, product

import pytest

from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Killer
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
        for total, cells, _ in puzzle.cages:
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
