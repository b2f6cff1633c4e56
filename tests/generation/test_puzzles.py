"""Puzzles made to order: their numbers of givens, their solutions, and that a seed gives the same bytes."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

import f2csp
from f2csp.generation.draws import Draws
from f2csp.generation.full_grids import search_of
from f2csp.generation.kinds import KINDS, drawn, kind_named
from f2csp.puzzles.puzzle import KINDS as PUZZLES
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem

SMALL: dict[str, dict[str, Any]] = {
    "sudoku": {},
    "latin": {"size": 7},
    "futoshiki": {},
    "takuzu": {},
    "jigsaw": {"size": 7},
    "diagonal": {},
    "killer": {"box": (2, 3)},
}
HASHES = {  # of the F2CSP text, the first digits
    "sudoku": "65caf61d87667129",
    "latin": "ad7c0d967593bd39",
    "futoshiki": "081c4c0c54cc7ecd",
    "takuzu": "e3c24d8f34f3e858",
    "jigsaw": "e84de86da380d862",
    "diagonal": "76ab934833fd32b1",
    "killer": "3879e2e31860864e",
}


def generated(kind: str, seed: int = 1, **options: Any) -> Puzzle:
    puzzle = drawn(kind_named(kind), Draws(seed), SMALL[kind] | options)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def is_unique(puzzle: Puzzle) -> bool:
    return bool(f2csp.unique(to_problem(puzzle), engine="sat"))


def without(puzzle: Puzzle, *cells: Cell) -> Puzzle:
    return replace(puzzle, clues=tuple(clue for clue in puzzle.clues if clue.cell not in cells))


def test_every_kind_of_puzzle_can_be_generated():
    assert set(SMALL) == set(PUZZLES)
    assert set(PUZZLES) <= {kind.name for kind in KINDS}


@pytest.mark.parametrize("kind", SMALL)
def test_the_same_seed_gives_the_same_bytes(kind: str):
    text = f2csp.dumps(f2csp.generate(kind, seed=7, unique=True, **SMALL[kind]))
    assert sha256(text.encode()).hexdigest()[:16] == HASHES[kind]


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("wish", [{"unique": True}, {"minimal": True}, {"unique": True, "fill": 0.6}], ids=str)
def test_there_is_one_solution_where_one_is_wished(kind: str, wish: dict[str, Any]):
    for seed in range(3):
        puzzle = generated(kind, seed, **wish)
        assert is_unique(puzzle)
        if "minimal" in wish:
            assert not any(is_unique(without(puzzle, clue.cell)) for clue in puzzle.clues[:8])


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("fill", [0, 0.25, 0.4, 1])
def test_the_fraction_of_givens_is_exact_and_there_is_a_solution(kind: str, fill: float):
    puzzle = generated(kind, fill=fill)
    assert len(puzzle.clues) == int(fill * puzzle.n_rows * puzzle.n_columns + 0.5)
    assert f2csp.solve(to_problem(puzzle), engine="sat")


@pytest.mark.parametrize("box", range(1, 11))
def test_sudokus_with_boxes_of_all_sizes(box: int):
    puzzle = generated("sudoku", box=box, fill=1)
    assert len(puzzle.clues) == box**4
    assert not list(puzzle.conflicts())
    assert len(generated("sudoku", box=box, fill=0.4).clues) == int(0.4 * box**4 + 0.5)


def test_patterns_with_boxes_that_are_not_square():
    assert not list(generated("sudoku", box="4x7", fill=1).conflicts())


@pytest.mark.parametrize("kind", ["sudoku", "takuzu"])
@pytest.mark.parametrize("wish", [{}, {"minimal": True}, {"fill": 0.45, "unique": True}], ids=str)
def test_rotational_symmetry(kind: str, wish: dict[str, Any]):
    puzzle = generated(kind, symmetry="rotational", **wish)
    size = puzzle.n_rows + 1
    cells = {clue.cell for clue in puzzle.clues}
    assert cells == {Cell(size - row, size - column) for row, column in cells}
    if "minimal" in wish:
        row, column = puzzle.clues[0].cell
        assert not is_unique(without(puzzle, Cell(row, column), Cell(size - row, size - column)))


@pytest.mark.parametrize(("fill", "n_givens"), [(0.4, 32), (0.41, 33), (0.5, 41)])
def test_symmetry_keeps_the_fraction_exact_where_there_is_a_centre(fill: float, n_givens: int):
    assert len(generated("sudoku", fill=fill, symmetry="rotational").clues) == n_givens


@pytest.mark.parametrize(("level", "n_tried"), [("easy", range(1)), ("medium", range(1, 5)), ("hard", range(5, 1000))])
@pytest.mark.parametrize("options", [{}, {"minimal": True}], ids=str)
def test_difficulty_is_the_effort_of_a_search(level: str, n_tried: range, options: dict[str, Any]):
    puzzle = generated("sudoku", difficulty=level, **options)
    assert isinstance(puzzle, Sudoku)
    assert is_unique(puzzle)
    search = search_of(replace(puzzle, clues=()))
    n_before = search.n_tried
    domains = search.blank.copy()
    given = {(clue.row - 1) * 9 + clue.column - 1: 1 << clue.value - 1 for clue in puzzle.clues}
    for cell, bit in given.items():
        domains[cell] = bit
    assert search.assign(domains, list(given))
    assert len(list(search.solutions(domains))) == 1
    assert search.n_tried - n_before in n_tried


def test_futoshikis_have_the_fraction_of_signs():
    assert len(generated("futoshiki", signs=0.5).layout().signs or ()) == 20


def test_latin_squares_are_drawn_evenly():
    draws, counts = Draws(3), [0, 0]
    for _ in range(1000):
        square = drawn(kind_named("latin"), draws, {"size": 4, "fill": 1})
        assert isinstance(square, Puzzle)
        counts[len({frozenset(pair) for pair in zip(*square.grid()[:2], strict=True)}) == 2] += 1
    # Below the first row, 3 second rows swap its values in pairs, and have 4 completions each; 6 do not, and have 2.
    assert 450 < counts[True] < 550


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("sudoku", {"fill": 1.5}, "expected a number from 0 to 1 as fill, found 1.5"),
        ("sudoku", {"fill": float("nan")}, "expected a number from 0 to 1 as fill, found nan"),
        ("sudoku", {"fill": "x"}, "expected a number from 0 to 1 as fill, found 'x'"),
        ("sudoku", {"box": 0}, "expected rows and columns such as 3 or 2x3 as box, found 0"),
        ("sudoku", {"box": 17}, "a board of size 289 is not between 1 and 256"),
        ("sudoku", {"symmetry": "mirror"}, "expected none or rotational as symmetry, found mirror"),
        ("sudoku", {"fill": 0.3, "minimal": True}, "expected fill or minimal"),
        ("sudoku", {"box": 6, "unique": True}, "up to 25x25"),
        ("sudoku", {"box": 2, "fill": 0.1, "unique": True}, "no such Sudoku 4x4 was found in 200 attempts"),
        ("sudoku", {"filll": 0.1}, "sudoku has no option 'filll'.*fill"),
        ("takuzu", {"size": 1}, "expected an integer from 2 to 20 as size, found 1"),
        ("diagonal", {"box": (1, 3)}, "no full board was found in 1000 attempts"),
        ("diagonal", {"box": 6}, "up to 25 rows here, found 36"),
        ("sudoku", {"seed": -1}, "expected an integer of at least 0 as seed, found -1"),
        ("sudokus", {}, "there is nothing called 'sudokus' to generate.*sudoku"),
    ],
)
def test_a_wish_that_cannot_be_granted(kind: str, options: dict[str, Any], message: str):
    with pytest.raises(f2csp.F2cspError, match=message):
        f2csp.generate(kind, **options)
