"""Counts by merging: brute force, published numbers, budgets; samples and marginals against all solutions."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp import F2cspError, counting
from f2csp.counting import BeyondBudget, Budget, SolutionSpace, different_values
from f2csp.model import Problem, ProblemBuilder, check_all
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


@pytest.fixture
def everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """All layers, however small, are merged up to isomorphism, a few states at a time."""
    for name, n in ("_FEW", 0), ("_MANY", 0), ("_MANY_PENDING", 0), ("_CHUNK", 5):
        monkeypatch.setattr(different_values, name, n)


@pytest.mark.parametrize("codes_differ", [True, False])
def test_merging_up_to_isomorphism(codes_differ: bool, everywhere: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains of variables that differ from the next, of more solutions than 64 bits count, and puzzles."""
    if not codes_differ:
        monkeypatch.setattr(different_values, "_codes", lambda states: np.zeros(states.shape[1], dtype=np.uint64))
    assert SolutionSpace(path([f"x{i}" for i in range(64)], 5)).count == 5 * 4**63
    assert SolutionSpace(to_problem(LatinSquare(5))).count == 161_280
    assert SolutionSpace(to_problem(Sudoku(6, 2, 3))).count == 28_200_960


# One run in a thousand exceeds these values of chi-squared.
@pytest.mark.parametrize(
    ("problem", "greatest"),
    [
        (to_problem(LatinSquare(4)), 687.0),
        (to_problem(Sudoku(4, 2, 2)), 367.5),
        (path([f"x{i}" for i in range(5)], 3), 82.8),
        (colouring(4, "a b", "b c", "c d", "d a", "a c", alone="e"), 257.5),
    ],
    ids=["latin", "sudoku", "path", "colouring"],
)
def test_samples_up_to_isomorphism_are_uniform(
    problem: Problem, greatest: float, everywhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(different_values, "_CHUNK", 1 << 13)
    found = SolutionSpace(problem)
    n = 20 * found.count
    counts = Counter(tuple(solution.values()) for solution in found.sample(n, seed=5))
    assert not any(check_all(problem, [dict(zip(problem.variable_names, row, strict=True)) for row in counts]))
    assert sum((k - 20) ** 2 / 20 for k in counts.values()) + 20 * (found.count - len(counts)) < greatest


def test_samples_of_many_solutions() -> None:
    """Of a problem that is counted in reasonable memory only up to isomorphism."""
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    problem = to_problem(LatinSquare(7))
    samples = list(SolutionSpace(problem).sample(50))
    assert not any(check_all(problem, samples))
    assert len({tuple(one.values()) for one in samples}) == 50


@st.composite
def groups_that_differ(draw: st.DrawFn) -> Problem:
    """Up to six variables with some values of four, in groups that must differ."""
    builder = ProblemBuilder("groups")
    n = draw(st.integers(1, 6))
    for i in range(n):
        builder.domain(f"D{i}", draw(st.sets(st.integers(1, 4), min_size=1)) if draw(st.booleans()) else range(1, 5))
        builder.variable(f"x{i}", f"D{i}")
    for group in draw(st.lists(st.sets(st.integers(0, n - 1), min_size=2, max_size=4), max_size=5)) if n > 1 else []:
        builder.all_different([f"x{i}" for i in sorted(group)])
    return builder.build()


@examples(200)
@given(problem=groups_that_differ())
def test_agrees_with_brute_force_up_to_isomorphism(problem: Problem) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, n in ("_FEW", 0), ("_MANY", 0), ("_MANY_PENDING", 0), ("_CHUNK", 5):
            patch.setattr(different_values, name, n)
        found = SolutionSpace(problem)
        every = solutions(problem)
        assert found.count == len(every)
        assert all(dict(solution) in every for solution in found.sample(3 if every else 0))
        assert list(found.marginals().items()) == list(as_numbers(problem).items())


# Latin squares: A002860 of the OEIS; Sudokus with boxes of 2x4: Pettersen, cited in A107739.
@pytest.mark.parametrize(
    ("puzzle", "expected"),
    [
        (LatinSquare(7), 61_479_419_904_000),
        (Sudoku(8, 2, 4), 29_136_487_207_403_520),
        pytest.param(LatinSquare(8), 108_776_032_459_082_956_800, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_published_numbers_that_need_isomorphism(puzzle: Puzzle, expected: int) -> None:
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    found = SolutionSpace(to_problem(puzzle))
    assert (found.count, found.n_states < 50_000) == (expected, True)


def test_a_count_goes_on_from_the_states_that_it_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting.budget, "_KEEP_EVERY", -1.0)
    problem = to_problem(LatinSquare(5))
    with pytest.raises(BeyondBudget, match="more than 60 states after"):
        SolutionSpace(problem, Budget(60, kept_in=tmp_path)).count  # noqa: B018 - it counts
    (file,) = tmp_path.iterdir()
    shown: list[int] = []
    again = Budget(kept_in=tmp_path, advance=lambda stage, *_: shown.append(stage))
    assert SolutionSpace(problem, again).count == 161_280
    assert shown[0] > 3
    assert not file.exists()
    file.write_bytes(b"PK\3\4")
    with pytest.raises(F2cspError, match="holds no states of a count; remove it"):
        SolutionSpace(problem, Budget(kept_in=tmp_path)).count  # noqa: B018 - it counts
    assert SolutionSpace(to_problem(LatinSquare(4)), Budget(kept_in=tmp_path)).count == 576


def test_more_sets_of_variables_than_bits() -> None:
    """Each variable of a chain has a domain of its own, so that values are kept by variable."""
    builder = ProblemBuilder("chain")
    for i in range(80):
        builder.domain(f"D{i}", (i, i + 1, i + 2))
        builder.variable(f"x{i}", f"D{i}")
    for i in range(79):
        builder.all_different([f"x{i}", f"x{i + 1}"])
    ends = {0: 1, 1: 1, 2: 1}
    for i in range(1, 80):
        ends = {value: sum(n for before, n in ends.items() if before != value) for value in (i, i + 1, i + 2)}
    found = SolutionSpace(builder.build())
    assert found.count == sum(ends.values())
    assert sum(found.marginals()["x40"].values()) == found.count
