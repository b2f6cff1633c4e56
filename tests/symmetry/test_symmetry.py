"""Symmetries: brute force over small problems, orders and classes that are published, words."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp import (
    ProblemBuilder,
    Unsuitable,
    count,
    count_essentially_different,
    essentially_different,
    generate,
    symmetry,
)
from f2csp.arrays import components
from f2csp.counting import BeyondBudget
from f2csp.model import Problem, Value
from f2csp.model.words import auxiliary_name
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import solve, up_to_symmetry
from f2csp.symmetry import fixed_solutions, symmetry_classes
from tests.small import problem_of, small_problems, solutions
from tests.strategies import examples

pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")

Row = tuple[Value, ...]
ROWS = [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
PAIRS = {"a b": [1, 2, 3], "x y": [4, 5, 6]}


def two_pairs() -> Problem:
    """Two variables that differ, and two others that differ."""
    domains = {"D: a b": [1, 2, 3], "E: x y": [4, 5, 6]}
    return problem_of(domains, *((f"reject {pair}", [(i, i) for i in some]) for pair, some in PAIRS.items()))


def rows_of(problem: Problem) -> set[Row]:
    return {tuple(solution.values()) for solution in solutions(problem)}


@examples(200)
@given(problem=small_problems())
def test_generators_map_solutions_to_solutions(problem: Problem) -> None:
    found = symmetry(problem)
    every = rows_of(problem)
    for generator in found.generators:
        images = {tuple(found.image(generator, solution).values()) for solution in solutions(problem)}
        assert images == every
    assert found.order >= 1
    assert sum(map(len, found.orbits)) == problem.n_variables


@examples(100)
@given(problem=small_problems())
def test_classes_partition_the_solutions(problem: Problem) -> None:
    """By listing all solutions, and by growing partial ones."""
    every = rows_of(problem)
    listed = essentially_different(problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(up_to_symmetry, "_MAX_LISTED", -1)
        grown = essentially_different(problem)
    assert sorted(listed.sizes) == sorted(grown.sizes)
    assert sum(listed.sizes) == len(every)
    assert {tuple(one.values()) for one in (*listed.solutions, *grown.solutions)} <= every


@examples(100)
@given(problem=small_problems(), group=st.sampled_from(["all", "values", "variables"]))
def test_classes_are_counted_by_the_solutions_that_symmetries_leave(problem: Problem, group: str) -> None:
    listed = essentially_different(problem, group=group)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(up_to_symmetry, "_MAX_LISTED", -1)
        counted = count_essentially_different(problem, group=group)
    assert (counted.classes, counted.solutions) == (len(listed), sum(listed.sizes))


@examples(100)
@given(problem=small_problems())
def test_each_symmetry_leaves_as_many_solutions_as_by_brute_force(problem: Problem) -> None:
    found = symmetry(problem)
    every = list(solutions(problem))
    rows = found.rows(every).astype(np.int64) if every else np.zeros((0, problem.n_variables), dtype=np.int64)
    classes = list(symmetry_classes(found, lambda _: None))
    assert sum(size for _, size in classes) == found.order
    for one, _ in classes:
        fixed = fixed_solutions(problem, one)
        assert (0 if fixed is None else count(fixed)) == int((one.images(rows) == rows).all(axis=1).sum())


def test_a_solution_that_the_exchange_of_variables_and_values_leaves() -> None:
    problem = problem_of({"D: x y": [0, 1]}, ("reject x y", [(0, 0), (1, 0), (1, 1)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(up_to_symmetry, "_MAX_LISTED", -1)
        assert essentially_different(problem).sizes == (1,)


@pytest.mark.parametrize("accepts", [frozenset({(0, 1, 2), (1, 2, 0), (2, 0, 1)}), frozenset({(0, 0, 1), (1, 1, 0)})])
def test_variables_of_a_table_are_permuted_as_by_brute_force(accepts: frozenset[Row]) -> None:
    """The permutations of variables that leave a table as it is."""
    problem = problem_of({"D: x y z": [0, 1, 2]}, ("accept x y z", sorted(accepts)))
    expected = [
        places for places in permutations(range(3)) if {tuple(row[i] for i in places) for row in accepts} == accepts
    ]
    assert symmetry(problem, "variables").order == len(expected)


@pytest.mark.parametrize(
    "problem",
    [
        to_problem(Takuzu(4, 4, clues=(Clue(1, 1, 0), Clue(4, 4, 1)))),
        to_problem(Killer(4, 2, 2, (Cage(10, tuple(Cell(1, i) for i in range(1, 5))),))),
        generate("magic", size=3),
    ],
    ids=["takuzu", "killer", "magic"],
)
def test_classes_are_the_same_where_partial_solutions_grow(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = essentially_different(problem)
    monkeypatch.setattr(up_to_symmetry, "_MAX_LISTED", -1)
    grown = essentially_different(problem)
    assert sorted(listed.sizes) == sorted(grown.sizes)
    counted = count_essentially_different(problem)
    assert (counted.classes, counted.solutions) == (len(listed), count(problem))
    monkeypatch.setattr(up_to_symmetry, "_MAX_SYMMETRIES", 0)
    assert count_essentially_different(problem).classes == len(listed)


def sum_problem(values: list[int], lines: list[str], total: int, *, are_different: bool) -> Problem:
    """The sums of some variables, three of them a line, as chains of tables with a state variable."""
    sums = sorted({x + y for x, y in product(values, repeat=2)})
    domains = {f"D: {' '.join(sorted(set().union(*lines)))}": values}
    domains["S: " + " ".join(auxiliary_name("sum", i, 1) for i in range(len(lines)))] = sums
    tables: list[tuple[object, ...]] = []
    for i, (first, second, third) in enumerate(lines):
        state = auxiliary_name("sum", i, 1)
        partial = [(x, y, x + y) for x, y in product(values, repeat=2)]
        tables.append((f"accept {first} {second} {state}", partial))
        tables.append((f"accept {state} {third}", [(s, z) for s, z in product(sums, values) if s + z == total]))
        if are_different:
            pairs = combinations((first, second, third), 2)
            tables += [(f"reject {x} {y}", [(value, value) for value in values]) for x, y in pairs]
    return problem_of(domains, *tables)


@pytest.mark.parametrize("are_different", [False, True])
@pytest.mark.parametrize("total", [5, 6, 7])
@pytest.mark.parametrize(
    "lines", [["abc"], ["abc", "cde"], ["abc", "cba"], ["abc", "def"], ["abc", "bcd", "dab"]], ids=str
)
def test_sums_have_the_symmetries_of_brute_force(lines: list[str], total: int, are_different: bool) -> None:
    """Permutations of the variables that leave the lines, with those of the values that leave the sum."""
    values = [1, 2, 3]
    names = sorted(set().union(*lines))
    groups = sorted(map(sorted, lines))
    moves = [dict(zip(names, some, strict=True)) for some in permutations(names)]
    n_moves = sum(sorted(sorted(move[v] for v in line) for line in lines) == groups for move in moves)
    rows = {row for row in product(values, repeat=3) if sum(row) == total}
    swaps = [dict(zip(values, some, strict=True)) for some in permutations(values)]
    n_swaps = sum({tuple(swap[value] for value in row) for row in rows} == rows for swap in swaps)
    found = symmetry(sum_problem(values, lines, total, are_different=are_different))
    n_parts = 2 if lines == ["abc", "def"] else 1  # the values of each may change places alone
    assert found.order == n_moves * n_swaps**n_parts


# Sudoku symmetries: Russell and Jarvis, "Mathematics of Sudoku II", 2006.
@pytest.mark.parametrize(
    ("problem", "order"),
    [
        (to_problem(Sudoku(9, 3, 3)), 1_218_998_108_160),
        (to_problem(LatinSquare(5)), 2 * 120**3),
        (generate("queens", size=6), 8),
        (generate("pigeonhole", pigeons=5, holes=4), 120 * 24),
        (problem_of({"D: x y": [1, 2]}), 8),
        (two_pairs(), 2 * (2 * 6) ** 2),
        *((problem_of({"D: x y z": [0, 1]}, *[(f"{kind} x y z", ROWS)] * 2), 6) for kind in ("accept", "reject")),
        (generate("magic", size=3), 16),
        (ProblemBuilder("nothing").build(), 1),
    ],
    ids=[
        "sudoku",
        "latin",
        "queens",
        "pigeonhole",
        "free",
        "two pairs",
        "accept twice",
        "reject twice",
        "magic",
        "nothing",
    ],
)
def test_published_orders(problem: Problem, order: int) -> None:
    assert symmetry(problem).order == order


# Types of Latin squares (isotopy with transposition): McKay, Meynert and Myrvold, "Small Latin squares, quasigroups and
# loops", 2007; Sudokus: A109741 of the OEIS; queens: A002562.
@pytest.mark.parametrize(
    ("problem", "n_classes", "n_solutions"),
    [
        (to_problem(LatinSquare(4)), 2, 576),
        (to_problem(LatinSquare(5)), 2, 161_280),
        (to_problem(Sudoku(4, 2, 2)), 2, 288),
        *((generate("queens", size=n), classes, every) for n, classes, every in ((5, 2, 10), (6, 1, 4), (8, 12, 92))),
        *((generate("queens", size=n), classes, every) for n, classes, every in ((9, 46, 352), (10, 92, 724))),
        pytest.param(to_problem(Sudoku(6, 2, 3)), 49, 28_200_960, marks=pytest.mark.slow),
        pytest.param(to_problem(LatinSquare(6)), 17, 812_851_200, marks=pytest.mark.slow),
    ],
)
def test_published_numbers_of_classes(
    problem: Problem, n_classes: int, n_solutions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = essentially_different(problem)
    assert (len(found), sum(found.sizes)) == (n_classes, n_solutions)
    monkeypatch.setattr(up_to_symmetry, "_MAX_LISTED", -1)
    counted = count_essentially_different(problem)
    assert (counted.classes, counted.solutions) == (n_classes, n_solutions)


def magic_squares() -> Iterator[Row]:
    """Those of 4x4: the first rows, then the third, of which one cell fixes the others, and the last."""
    groups = [set(group) for group in combinations(range(1, 17), 4) if sum(group) == 34]
    pairs = [(first, second) for first, second in product(groups, repeat=2) if not first & second]
    rows = (rows for first, second in pairs for rows in product(permutations(first), permutations(second)))
    for a, b in rows:
        left = set(range(1, 17)).difference(a, b)
        sums = [34 - x - y for x, y in zip(a, b, strict=True)]  # of the rest of the columns
        for c0 in left:
            d0 = sums[0] - c0
            c1 = 34 - a[3] - b[2] - d0  # by the second diagonal
            d1 = sums[1] - c1
            for c2 in left if left.issuperset((d0, c1, d1)) else ():
                d3 = 34 - a[0] - b[1] - c2  # by the first one
                rest = (c0, c1, c2, sums[3] - d3, d0, d1, sums[2] - c2, d3)
                if set(rest) == left and sum(rest[:4]) == 34:
                    yield (*a, *b, *rest)


# The 880 of Frenicle, 1693; Ollerenshaw and Bondi, "Magic squares of order four", 1982.
@pytest.mark.slow
def test_magic_squares_that_turns_and_permutations_map_to_each_other() -> None:
    problem = generate("magic", size=4)
    squares = np.full((7040, problem.n_variables), -1)
    squares[:, :16] = np.array(list(magic_squares())) - 1
    place = {row.tobytes(): i for i, row in enumerate(squares)}
    for group, n_classes in (("board", 880), ("variables", 220)):
        edges = [
            (i, place[row.tobytes()])
            for generator in symmetry(problem, group).generators
            for i, row in enumerate(generator.images(squares))
        ]
        assert len(set(components(len(squares), *np.array(edges).T).tolist())) == n_classes


def test_words() -> None:
    assert symmetry(to_problem(Sudoku(9, 3, 3))).sentences == (
        "any two of the values 1 to 9 can be swapped",
        "rows 1 to 3, 4 to 6, 7 to 9 can be permuted",
        "these 3 groups of rows can be permuted",
        "columns 1 to 3, 4 to 6, 7 to 9 can be permuted",
        "these 3 groups of columns can be permuted",
        "the board can be transposed",
        "3,359,232 x 9! symmetries",
    )
    assert (
        symmetry(generate("pigeonhole", pigeons=3, holes=2)).sentences[1]
        == "any two of the variables P1 P2 P3 can be swapped"
    )
    latin = to_problem(LatinSquare(4))
    assert symmetry(latin, "values").sentences == ("any two of the values 1 to 4 can be swapped", "1 x 4! symmetries")
    assert symmetry(latin, "variables").sentences[0] == "rows 1 to 4 can be permuted"
    assert symmetry(latin, "board").sentences == (
        "the order of the rows can be reversed",
        "the order of the columns can be reversed",
        "the board can be transposed",
        "8 symmetries",
    )
    assert symmetry(to_problem(Takuzu(4, 4))).sentences == (
        "the values 0 and 1 can be swapped",
        "rows 1 and 4, 2 and 3 can be permuted",
        "columns 1 and 4, 2 and 3 can be permuted",
        "the board can be transposed",
        "64 symmetries",
    )
    assert symmetry(problem_of({"D: x": [1, 2]}, ("accept x", [(1,)]))).sentences == ("no symmetry but the identity",)


def test_turns_of_a_board_with_auxiliary_variables() -> None:
    """The 4x4 Takuzus, by all turns and reflections of each."""
    problem = to_problem(Takuzu(4, 4))
    found = essentially_different(problem, group="board")
    boards = [
        np.array([solution[f"V{row}-{column}"] for row, column in product(range(1, 5), repeat=2)]).reshape(4, 4)
        for solution in solve(problem, solutions=None).solutions
    ]
    classes = {
        min(np.rot90(one, turns).tobytes() for one in (board, board.T) for turns in range(4)) for board in boards
    }
    assert (found.symmetry.order, len(found), sum(found.sizes)) == (8, len(classes), 72)


def test_orbits_of_variables_that_change_places_with_values() -> None:
    assert symmetry(generate("queens", size=5)).orbits == (("Q1", "Q5"), ("Q2", "Q4"), ("Q3",))


def test_what_ends_the_search_for_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while solutions are listed, the time, and too many partial solutions."""
    problem = to_problem(LatinSquare(4))
    interrupted = replace(solve(problem), is_complete=False, is_interrupted=True)
    with monkeypatch.context() as patch:
        patch.setattr(up_to_symmetry, "solve", lambda *_, **__: interrupted)
        with pytest.raises(KeyboardInterrupt):
            essentially_different(problem)
    monkeypatch.setattr(up_to_symmetry, "_MAX_LISTED", -1)
    with pytest.raises(BeyondBudget, match="the time is over after 0 of 16 variables"):
        essentially_different(problem, seconds=0)
    monkeypatch.setattr(up_to_symmetry, "_MAX_CLASSES", 1)
    with pytest.raises(BeyondBudget, match="more than 1 classes after"):
        essentially_different(problem)
    with pytest.raises(BeyondBudget, match="the time is over before the symmetries are known"):
        count_essentially_different(problem, seconds=0)


def test_only_values_or_variables() -> None:
    board = to_problem(LatinSquare(4))
    assert symmetry(board, "values").order == 24
    assert symmetry(board, "variables").order == 2 * 24**2
    assert len(essentially_different(board, group="values")) == 576 // 24


def test_a_problem_that_is_too_large() -> None:
    with pytest.raises(Unsuitable, match="at most 20,000 values and tuples"):
        symmetry(problem_of({"D: x y": range(1, 10_002)}))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_variables_without_a_value_are_not_swapped(n: int) -> None:
    scopes = {f"D: x{i}" if not i else f"D{i}: x{i}": ("a", "b") for i in range(n)}
    tables = [(f"{kind} x{i}", [("a",)]) for i in range(n) for kind in ("accept", "reject")]
    found = symmetry(problem_of(scopes, *tables))
    assert (found.order, found.generators, found.sentences) == (1, (), ("no symmetry but the identity",))
