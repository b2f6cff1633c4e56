"""Counts by merging: brute force, published numbers, budgets; samples and marginals against all solutions."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from f2csp.counting import SolutionSpace, merging
from f2csp.model import Problem
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from tests.search.textbook import colouring
from tests.small import small_problems, solutions
from tests.strategies import examples, problems


def path(names: Iterable[str], n_values: int) -> Problem:
    """Variables of which each differs from the next."""
    return colouring(n_values, *map(" ".join, pairwise(names)))


def as_numbers(problem: Problem) -> dict[str, dict[object, int]]:
    """For each variable the number of solutions with each of its values, by brute force."""
    found = Counter((name, value) for solution in solutions(problem) for name, value in solution.items())
    return {v.name: {value: found[v.name, value] for value in v.domain.values} for v in problem.variables}


# The numbers of Latin squares are A002860 of the OEIS, those of queens A000170, those of Takuzus A253316; 288 and
# 28,200,960 are in Felgenhauer and Jarvis, "Mathematics of Sudoku", 2006.
@pytest.mark.parametrize(
    ("puzzle", "expected"),
    [
        *((LatinSquare(n), expected) for n, expected in enumerate((1, 2, 12, 576, 161_280, 812_851_200), 1)),
        (Sudoku(4, 2, 2), 288),
        (Sudoku(6, 2, 3), 28_200_960),
        (Takuzu(2, 2), 2),
        (Takuzu(4, 4), 72),
        (LatinSquare(3, clues=(Clue(1, 1, 1), Clue(1, 2, 1))), 0),
        (Futoshiki(2, signs=(Sign(Cell(1, 1), Cell(1, 2)),)), 1),
    ],
    ids=str,
)
def test_published_numbers_of_puzzles(puzzle: Puzzle, expected: int) -> None:
    assert SolutionSpace(to_problem(puzzle)).count == expected


@examples(1000)
@given(problem=small_problems())
def test_agrees_with_brute_force_on_tables_that_mean_something(problem: Problem) -> None:
    found = SolutionSpace(problem)
    every = solutions(problem)
    assert found.count == len(every)
    assert all(dict(solution) in every for solution in found.sample(3 if every else 0))
    assert list(found.marginals().items()) == list(as_numbers(problem).items())


@examples(500)
@given(problem=problems())
def test_agrees_with_brute_force_on_any_problem(problem: Problem) -> None:
    found = SolutionSpace(problem)
    assert found.count == len(solutions(problem))
    assert found.marginals() == as_numbers(problem)


# One run in a thousand exceeds these values of chi-squared.


@pytest.mark.parametrize("codes_differ", [True, False])
def test_large_layers_are_arrays(codes_differ: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains of variables that differ from the next, of more solutions than 64 bits count, and puzzles."""
    monkeypatch.setattr(merging, "_MANY", 0)
    if not codes_differ:
        monkeypatch.setattr(merging, "_codes", lambda states: np.zeros(len(states), dtype=np.uint64))
    assert SolutionSpace(path([f"x{i}" for i in range(64)], 5)).count == 5 * 4**63
    assert SolutionSpace(to_problem(LatinSquare(5))).count == 161_280
    assert SolutionSpace(to_problem(Sudoku(6, 2, 3))).count == 28_200_960


@examples(200)
@given(problem=small_problems())
def test_arrays_agree_with_brute_force(problem: Problem) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "_MANY", 0)
        assert SolutionSpace(problem).count == len(solutions(problem))
