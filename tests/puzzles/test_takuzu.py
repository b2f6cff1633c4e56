"""Takuzus as problems: the solutions are the legal grids, each once, and the tables stay small."""

from functools import cache
from itertools import product

import pytest

from f2csp.model import Problem
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from tests.sat import Sat

Grid = tuple[tuple[int, ...], ...]


def is_legal_line(line: tuple[int, ...]) -> bool:
    return abs(2 * sum(line) - len(line)) <= 1 and not any(
        a == b == c for a, b, c in zip(line, line[1:], line[2:], strict=False)
    )


@cache
def legal_grids(n_rows: int, n_columns: int, distinct: bool = True) -> frozenset[Grid]:
    """All legal grids, row by row from the rules."""
    lines = [line for line in product((0, 1), repeat=n_columns) if is_legal_line(line)]
    grids: list[Grid] = [()]
    for row in range(n_rows):
        grids = [
            (*grid, line)
            for grid in grids
            for line in lines
            if (not distinct or line not in grid)
            and not (row >= 2 and any(a == b == c for a, b, c in zip(grid[-1], grid[-2], line, strict=True)))
        ]
    return frozenset(grid for grid in grids if all_columns_are_legal(grid, distinct))


def all_columns_are_legal(grid: Grid, distinct: bool) -> bool:
    columns = list(zip(*grid, strict=True))
    return all(map(is_legal_line, columns)) and (not distinct or len(set(columns)) == len(columns))


SHAPES = [
    *((n, n, True) for n in (1, 2, 3, 4, 5, 6)),
    *((1, 4, True), (4, 1, True), (2, 3, True), (3, 2, True), (3, 5, True), (5, 3, True), (4, 6, True), (6, 3, True)),
    *((2, 2, False), (3, 3, False), (4, 4, False), (2, 5, False), (5, 4, False), (1, 1, False)),
]


@pytest.mark.parametrize(("rows", "columns", "distinct"), SHAPES)
def test_the_solutions_are_the_legal_grids_each_once(rows: int, columns: int, distinct: bool) -> None:
    problem = to_problem(Takuzu(rows, columns, distinct))
    solutions = list(Sat(problem).solutions(problem.variable_names))
    cells = [[f"V{r}-{c}" for c in range(1, columns + 1)] for r in range(1, rows + 1)]
    grids = [tuple(tuple(int(solution[name]) for name in row) for row in cells) for solution in solutions]
    assert len(set(grids)) == len(grids)
    assert set(grids) == legal_grids(rows, columns, distinct)


def n_tuples(problem: Problem) -> int:
    return sum(problem.relations[i].n_tuples for i in problem.constraint_relations.tolist())
