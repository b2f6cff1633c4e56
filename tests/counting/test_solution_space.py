"""Counts by merging: brute force, published numbers, budgets; samples and marginals against all solutions."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from io import BytesIO
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from f2csp import F2cspError, counting, generate
from f2csp.counting import BeyondBudget, Budget, SolutionSpace, different_values, merging, solution_space
from f2csp.counting.least_images import LeastImages, affordable_symmetries
from f2csp.counting.residual import Diagrams, OpenTable
from f2csp.model import Problem, ProblemBuilder, check_all
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.symmetry import can_find_automorphisms
from tests.search.textbook import colouring
from tests.small import problem_of, small_problems, solutions
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


CYCLE = [f"x{i} x{(i + 1) % 7}" for i in range(7)]
BIPARTITE = [f"x{i} y{k}" for i in range(3) for k in range(3)]
PETERSEN = [f"{a} {b}" for i in range(5) for a, b in ((f"x{i}", f"x{(i + 1) % 5}"), (f"x{i}", f"y{i}"))]
PETERSEN += [f"y{i} y{(i + 2) % 5}" for i in range(5)]
GRID = [f"x{i}{k} x{i}{k + 1}" for i in range(4) for k in range(3)] + [
    f"x{k}{i} x{k + 1}{i}" for i in range(4) for k in range(3)
]


# Values of chromatic polynomials: (k-1)^n + (-1)^n (k-1) of cycles; of K(3,3) by the number of colours of one side;
# Biggs, "Algebraic Graph Theory", 1993, of Petersen's graph; A020698 of the OEIS for grids and three colours.
@pytest.mark.parametrize(
    ("edges", "n_colours", "expected"),
    [
        *((CYCLE, k, (k - 1) ** 7 - (k - 1)) for k in (2, 3, 5)),
        *(
            (BIPARTITE, k, k * (k - 1) ** 3 + 3 * k * (k - 1) * (k - 2) ** 3 + k * (k - 1) * (k - 2) * (k - 3) ** 3)
            for k in (2, 4, 6)
        ),
        *((PETERSEN, k, expected) for k, expected in ((2, 0), (3, 120), (4, 12_960))),
        *((GRID, k, expected) for k, expected in ((2, 2), (3, 7_812))),
    ],
)
def test_published_numbers_of_colourings(edges: list[str], n_colours: int, expected: int) -> None:
    assert SolutionSpace(colouring(n_colours, *edges)).count == expected


@examples(300)
@given(problem=small_problems())
def test_agrees_with_brute_force_on_tables_that_mean_something(problem: Problem) -> None:
    found = SolutionSpace(problem)
    every = solutions(problem)
    assert found.count == len(every)
    assert all(dict(solution) in every for solution in found.sample(3 if every else 0))
    assert list(found.marginals().items()) == list(as_numbers(problem).items())


@examples(200)
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


@st.composite
def sums_modulo(draw: st.DrawFn) -> Problem:
    """Tables of sums modulo 2 to 4, in which many permutations of values may leave these; and perhaps of any tuples."""
    n = draw(st.integers(2, 4))
    names = [f"x{i}" for i in range(draw(st.integers(2, 8 - n)))]
    builder = ProblemBuilder("sums")
    builder.domain("D", range(n))
    for name in names:
        builder.variable(name, "D")
    for _ in range(draw(st.integers(1, 4))):
        scope = draw(st.lists(st.sampled_from(names), min_size=2, max_size=4, unique=True))
        rows = list(product(range(n), repeat=len(scope)))
        weights = draw(st.lists(st.integers(0, n - 1), min_size=len(scope), max_size=len(scope)))
        chosen = draw(st.sets(st.integers(0, n - 1), min_size=1))
        tuples = {row for row in rows if sum(a * b for a, b in zip(weights, row, strict=True)) % n in chosen}
        tuples ^= draw(st.sets(st.sampled_from(rows), max_size=1))
        draw(st.sampled_from([builder.accept, builder.reject]))(scope, sorted(tuples))
    return builder.build()


@examples(50)
@given(problem=sums_modulo() | small_problems())
def test_agrees_with_brute_force_by_symmetries_of_tables(problem: Problem) -> None:
    """All layers have least images only, and marginals are those of classes of pairs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "MANY", 0)
        patch.setattr(solution_space, "MANY", 0)
        patch.setattr(solution_space, "_MAX_COUNTS", 1000)
        for room in merging, solution_space:
            patch.setattr(room, "affordable_symmetries", lambda *which: affordable_symmetries(*which[:2], 1_000_000))
        found = SolutionSpace(problem)
        assert list(found.marginals().items()) == list(as_numbers(problem).items())
        assert SolutionSpace(problem).count == len(solutions(problem))


def test_colours_that_can_be_swapped_make_fewer_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers to 13 in four colours, of which none is the sum of two others, or of one twice, of its colour."""
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    n, same = range(1, 14), [(colour, colour, colour) for colour in range(4)]
    sums = [(a, b, a + b) for b in n for a in n[: b - 1] if a + b in n]
    tables = [(f"reject x{a} x{b} x{c}", same) for a, b, c in sums]
    twice = [(f"reject x{a} x{2 * a}", [row[1:] for row in same]) for a in n if 2 * a in n]
    problem = problem_of({f"D: {' '.join(f'x{i}' for i in n)}": range(4)}, *tables, *twice)
    monkeypatch.setattr(merging, "MANY", 1_000)
    found = SolutionSpace(problem)
    count = found.count
    monkeypatch.setattr(merging, "MANY", 1_000_000)
    equal = SolutionSpace(problem)
    assert count == equal.count
    assert found.n_states < equal.n_states / 5


def test_marginals_by_symmetries_of_pairs() -> None:
    """The states of all layers are too many of a Latin square; with a number given, pairs are of five classes."""
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    empty = SolutionSpace(to_problem(LatinSquare(7))).marginals()
    assert {n for numbers in empty.values() for n in numbers.values()} == {61_479_419_904_000 // 7}
    given_one = SolutionSpace(to_problem(LatinSquare(7, clues=(Clue(1, 1, 1),))), Budget(50_000)).marginals()
    assert [sum(numbers.values()) for numbers in given_one.values()] == [61_479_419_904_000 // 7] * 49
    assert list(given_one["V1-2"].values()) == [0, *[61_479_419_904_000 // 42] * 6]


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


def test_states_of_many_kinds_of_sets() -> None:
    """Of a Sudoku with 24 givens, where sets of more kinds are kept apart than numbers of their pairs modulo 64."""
    if not can_find_automorphisms():
        pytest.skip("the extra 'symmetry' is not installed")
    assert SolutionSpace(generate("sudoku", fill=0.3, seed=4)).count == 27_779  # as by Ganak, and by enumeration


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
    assert SolutionSpace(to_problem(LatinSquare(4)), Budget(kept_in=tmp_path)).count == 576


States = dict[str, NDArray[Any]]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Problem, Path]:
    """A problem, and the states of a count of it that was stopped."""
    monkeypatch.setattr(counting.budget, "_KEEP_EVERY", -1.0)
    problem = to_problem(LatinSquare(5))
    with pytest.raises(BeyondBudget):
        SolutionSpace(problem, Budget(60, kept_in=tmp_path / "kept")).count  # noqa: B018 - it counts
    (file,) = (tmp_path / "kept").iterdir()
    return problem, file


def refuses(problem: Problem, file: Path) -> None:
    with pytest.raises(F2cspError, match="holds no states of this count; remove it"):
        SolutionSpace(problem, Budget(kept_in=file.parent)).count  # noqa: B018 - it counts


def npy(_: bytes) -> bytes:
    stream = BytesIO()
    np.save(stream, np.arange(3))
    return stream.getvalue()


@pytest.mark.parametrize(
    "change",
    [
        lambda states: {"numbers": states["numbers"] * 2},
        lambda states: {"numbers": states["numbers"].astype(np.int64)},
        lambda states: {"numbers": states["numbers"][:, :1], "words": states["words"][:, :1]},
        lambda states: {"stage": np.array(-1)},
        lambda states: {"stage": np.array(0)},
        lambda states: {"stage": states["stage"] + 1},
        lambda states: {"stage": np.array(99)},
        lambda states: {"stage": np.arange(3)},
        lambda states: {"words": states["words"].astype(float)},
        lambda states: {"words": states["words"].T},
        lambda states: {"words": np.array(["a"])},
        lambda states: {"words": np.array([{}])},
        lambda states: {"digest": states["digest"][:-1]},
        lambda states: {"digest": np.array(1.5)},
    ],
)
def test_states_that_were_changed_are_refused(kept: tuple[Problem, Path], change: Callable[[States], States]) -> None:
    problem, file = kept
    with np.load(file) as arrays:
        states = dict(arrays)
    np.savez(file, **{**states, **change(states)})  # type: ignore[arg-type]
    refuses(problem, file)


@pytest.mark.parametrize("change", [lambda data: b"", lambda data: b"PK\3\4", lambda data: data[:-40], npy])
def test_a_file_that_holds_no_states_is_refused(kept: tuple[Problem, Path], change: Callable[[bytes], bytes]) -> None:
    problem, file = kept
    file.write_bytes(change(file.read_bytes()))
    refuses(problem, file)


def test_states_of_another_count_are_refused(kept: tuple[Problem, Path], tmp_path: Path) -> None:
    _, file = kept
    problem = to_problem(LatinSquare(6))
    with pytest.raises(BeyondBudget):
        SolutionSpace(problem, Budget(60, kept_in=tmp_path / "more")).count  # noqa: B018 - it counts
    (its_file,) = (tmp_path / "more").iterdir()
    its_file.write_bytes(file.read_bytes())
    refuses(problem, its_file)


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


def test_a_generator_of_many_values_leaves_a_table_as_it_is() -> None:
    diagrams, n = Diagrams(), 70
    bits = [1 << i for i in range(n)]
    root = diagrams.add([(bit, bit) for bit in bits], True, [bits, bits])
    generator = np.tile(np.arange(n), (2, 1))
    generator[:, [3, 68]] = generator[:, [68, 3]]
    least = LeastImages([generator], [OpenTable((0, 1), root, True)], diagrams)
    least_of = least.of_states([0])
    assert least_of is not None
    assert least_of((1 << 68,)) == (1 << 3,)


def test_a_table_of_more_variables_than_python_has_calls_within_calls() -> None:
    builder = ProblemBuilder("wide")
    builder.domain("D", (0, 1))
    names = [f"x{i}" for i in range(sys.getrecursionlimit() + 100)]
    for name in names:
        builder.variable(name, "D")
    builder.accept(names, [[0] * len(names), [1] * len(names), [0] * 9 + [1] * (len(names) - 9)])
    space = SolutionSpace(builder.build())
    assert space.count == 3
    assert {(draw["x0"], draw["x9"]) for draw in space.sample(60)} == {(0, 0), (1, 1), (0, 1)}


def test_a_problem_without_variables_has_one_solution() -> None:
    space = SolutionSpace(ProblemBuilder("nothing").build())
    assert (space.count, list(space.sample(3))) == (1, [{}, {}, {}])
