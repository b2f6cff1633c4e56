"""Takuzus as problems: the solutions are the legal grids, each once, and the tables stay small."""

from functools import cache
from itertools import product

import pytest

from f2csp.model import Problem
from f2csp.puzzles.puzzle import Clue
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


@pytest.mark.parametrize(("size", "n"), [(3, 84), (4, 72), (5, 8460), (6, 4140)])
def test_how_many_legal_grids_there_are(size: int, n: int) -> None:
    assert len(legal_grids(size, size)) == n


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


def test_cells_come_first_with_the_first_domain_then_variables_that_say_what_they_count() -> None:
    problem = to_problem(Takuzu(4, 6))
    assert problem.title == "Takuzu 4x6"
    assert problem.variable_names[:24] == tuple(f"V{r}-{c}" for r in range(1, 5) for c in range(1, 7))
    assert problem.domains[0].name == "D1"
    assert problem.domains[0].values == (0, 1)
    assert {variable.domain.name for variable in problem.variables[:24]} == {"D1"}
    auxiliary = problem.variable_names[24:]
    assert auxiliary[:5] == tuple(f"R1-ones-{n}" for n in range(2, 7))
    assert auxiliary[20:23] == ("C1-ones-2", "C1-ones-3", "C1-ones-4")
    assert auxiliary[38:44] == tuple(f"R1-R2-same-{n}" for n in range(1, 7))
    assert auxiliary[-4:] == tuple(f"C5-C6-same-{n}" for n in range(1, 5))


def test_neighbours_come_first_row_by_row_then_column_by_column_and_givens_last() -> None:
    clues = (Clue(3, 1, 1), Clue(1, 2, 0))
    constraints = list(to_problem(Takuzu(3, 4, clues=clues)).constraints)
    rows = [(f"V{r}-{c}", f"V{r}-{c + 1}", f"V{r}-{c + 2}") for r in (1, 2, 3) for c in (1, 2)]
    columns = [(f"V1-{c}", f"V2-{c}", f"V3-{c}") for c in (1, 2, 3, 4)]
    first = constraints[: len(rows + columns)]
    assert [constraint.scope for constraint in first] == rows + columns
    assert {(constraint.kind, constraint.tuples) for constraint in first} == {("Reject", ((0, 0, 0), (1, 1, 1)))}
    assert [(c.kind, c.scope, c.tuples) for c in constraints[-2:]] == [
        ("Accept", ("V3-1",), ((1,),)),
        ("Accept", ("V1-2",), ((0,),)),
    ]


def n_tuples(problem: Problem) -> int:
    return sum(problem.relations[i].n_tuples for i in problem.constraint_relations.tolist())


@pytest.mark.parametrize(("size", "about"), [(20, 41_000), (31, 153_000)])
def test_there_are_few_tuples(size: int, about: int) -> None:
    problem = to_problem(Takuzu(size, size))
    assert abs(n_tuples(problem) - about) < about / 100
    longest = {constraint.arity for constraint in problem.constraints} - {1, 2, 3}
    assert longest == {size}
    assert max(relation.n_tuples for relation in problem.relations if relation.arity <= 3) <= 2 * size
