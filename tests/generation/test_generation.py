"""Puzzles made to order and families of instances.

Their numbers of givens and of solutions, exact parameters, and that a seed gives the same bytes.
"""

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import f2csp
from f2csp.diagnostics import F2cspError
from f2csp.generation.draws import Draws
from f2csp.generation.kinds import drawn, kind_named
from f2csp.puzzles import KINDS
from f2csp.puzzles.equivalence import class_of, least_puzzle
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.to_problem import to_problem
from f2csp.reasoning.hints import rating_by_steps
from tests.puzzles.strategies import small_options

WORDS = "are\nate\ntea\neat\neta\nera\ntar\nrat\nart\nit's\n\nabc\n"
SMALL: dict[str, dict[str, Any]] = {kind: small_options(kind) for kind in KINDS} | {
    "sudoku": {},
    "latin": {"size": 7},
    "futoshiki": {},
    "takuzu": {},
    "jigsaw": {"size": 7},
    "diagonal": {},
    "kakuro": {"rows": 6, "columns": 7},
    "nonogram": {"rows": 8, "columns": 7},
}
HASHES = {  # of the F2CSP text, the first digits
    "sudoku": "65caf61d87667129",
    "latin": "ad7c0d967593bd39",
    "futoshiki": "081c4c0c54cc7ecd",
    "takuzu": "e3c24d8f34f3e858",
    "jigsaw": "e84de86da380d862",
    "diagonal": "76ab934833fd32b1",
    "killer": "3879e2e31860864e",
    "skyscrapers": "4f0188808fea01b3",
    "kenken": "b4283d91206e788a",
    "kakuro": "810564dfa9e80d4c",
    "nonogram": "0c72eaf24fda6064",
    "queens": "d4ffe1233ca8e568",
    "pigeonhole": "c6d51afab4336d0c",
    "magic": "e139167ce4b4460b",
    "coloring": "ea8346b7472b5481",
    "qwh": "e5eb99509bef4d09",
    "model-b": "6c107d22ff337eea",
    "model-rb": "864c507c39fb47d9",
}


@pytest.mark.parametrize("seed", [7, np.int64(7)], ids=["int", "numpy"])
@pytest.mark.parametrize("kind", HASHES)
def test_the_same_seed_gives_the_same_bytes(kind: str, seed: int):
    options = SMALL[kind] | {"unique": True} if kind in SMALL else {}
    text = f2csp.dumps(f2csp.generate(kind, seed=seed, **options))
    assert sha256(text.encode()).hexdigest()[:16] == HASHES[kind]


# ---- Puzzles ---------------------------------------------------------------------------------------------------------


def generated(kind: str, seed: int = 1, **options: Any) -> Puzzle:
    puzzle = drawn(kind_named(kind), Draws(seed), SMALL[kind] | options)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def is_unique(puzzle: Puzzle) -> bool:
    return bool(f2csp.unique(to_problem(puzzle), engine="sat"))


def without(puzzle: Puzzle, *cells: Cell) -> Puzzle:
    return replace(puzzle, clues=tuple(clue for clue in puzzle.clues if clue.cell not in cells))


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
    assert len(puzzle.clues) == int(fill * len(puzzle.cells) + 0.5)
    assert f2csp.solve(to_problem(puzzle), engine="sat")


@pytest.mark.parametrize("box", range(1, 11))
def test_sudokus_with_boxes_of_all_sizes(box: int):
    puzzle = generated("sudoku", box=box, fill=1)
    assert len(puzzle.clues) == box**4
    assert not list(puzzle.conflicts())
    assert len(generated("sudoku", box=box, fill=0.4).clues) == int(0.4 * box**4 + 0.5)


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


@pytest.mark.parametrize("kind", ["sudoku", "latin", "futoshiki", "takuzu"])
def test_canonical_puzzles_are_the_least_of_their_class(kind: str):
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    options = {"size": 4 if kind == "takuzu" else 6, "unique": True}
    puzzle, plain = generated(kind, 3, canonical=True, **options), generated(kind, 3, **options)
    assert is_unique(puzzle)
    assert puzzle == least_puzzle(plain)
    assert class_of(puzzle) == class_of(plain)
    with pytest.raises(F2cspError, match="expected symmetry or canonical"):
        generated(kind, canonical=True, symmetry="rotational")


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "expert"])
@pytest.mark.parametrize("options", [{}, {"minimal": True}], ids=str)
def test_difficulty_is_the_grade_of_the_rating(level: str, options: dict[str, Any]):
    puzzle = generated("sudoku", difficulty=level, **options)
    assert is_unique(puzzle)
    assert rating_by_steps(puzzle).grade == level


@pytest.mark.parametrize(
    ("kind", "technique"), [("sudoku", "locked-candidates"), ("takuzu", "impossible-combinations")]
)
def test_the_hardest_step_can_be_wished(kind: str, technique: str):
    puzzle = generated(kind, hardest=technique)
    assert is_unique(puzzle)
    assert rating_by_steps(puzzle).hardest.startswith(technique.replace("-", " "))
    with pytest.raises(F2cspError, match=f"did you mean {technique}"):
        generated(kind, hardest=technique[1:])


def test_a_cage_may_have_a_single_cell():
    puzzle = generated("killer", 12, box=2, unique=True)
    assert is_unique(puzzle)
    assert min(len(cage.cells) for cage in puzzle.cages) == 1


@pytest.mark.parametrize("size", range(4, 10))
def test_futoshikis_have_as_many_givens_as_one_solution_needs(size: int):
    for seed in range(3):
        assert is_unique(generated("futoshiki", seed, size=size, unique=True))


def test_latin_squares_are_drawn_evenly():
    draws, counts = Draws(3), [0, 0]
    for _ in range(1000):
        square = drawn(kind_named("latin"), draws, {"size": 4, "fill": 1})
        assert isinstance(square, Puzzle)
        counts[len({frozenset(pair) for pair in zip(*square.grid()[:2], strict=True)}) == 2] += 1
    # Below the first row, 3 second rows swap its values in pairs, and have 4 completions each; 6 do not, and have 2.
    assert 450 < counts[True] < 550


# ---- Families --------------------------------------------------------------------------------------------------------


@pytest.fixture
def crossword(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "words.txt").write_text(WORDS)
    (tmp_path / "grid.txt").write_text("...\n.#.\n..t\n")
    return {"words": str(tmp_path / "words.txt"), "grid": str(tmp_path / "grid.txt")}


@pytest.mark.parametrize(("holes", "is_balanced"), [(33, False), (33, True), (0, True), (81, True), (None, True)])
def test_quasigroups_with_holes(holes: int | None, is_balanced: bool):
    problem = f2csp.generate("qwh", size=9, holes=holes, balanced=is_balanced, seed=3)
    n_givens = sum(constraint.arity == 1 for constraint in problem.constraints)
    n_holes = 81 - n_givens
    assert n_holes == (34 if holes is None else holes)
    assert f2csp.solve(problem, engine="sat")
    if is_balanced:
        givens = [constraint.scope[0][1:].split("-") for constraint in problem.constraints if constraint.arity == 1]
        for line in (0, 1):
            counts = Counter(cell[line] for cell in givens)
            least, most = 9 - -(-n_holes // 9), 9 - n_holes // 9
            assert {counts[str(i)] for i in range(1, 10)} <= {least, most}


def n_satisfiable(n_rejected: int, n_instances: int) -> int:
    """The number of satisfiable instances of model RB on 20 variables: 30.25 of 121 tuples are the threshold."""
    problems = [f2csp.generate("model-rb", tightness=n_rejected / 121, seed=seed) for seed in range(n_instances)]
    return sum(bool(f2csp.solve(problem, engine="sat")) for problem in problems)


def test_a_crossword_has_a_word_in_each_line(crossword: dict[str, str]):
    problem = f2csp.generate("crossword", **crossword)
    assert problem.n_variables == 8
    words = {word.upper() for word in WORDS.split() if word.isalpha()}
    result = f2csp.solve(problem, solutions=None, engine="sat")
    assert result
    for solution in result:
        lines = [["V1-1", "V1-2", "V1-3"], ["V3-1", "V3-2", "V3-3"], ["V1-1", "V2-1", "V3-1"], ["V1-3", "V2-3", "V3-3"]]
        assert {"".join(str(solution[cell]) for cell in line) for line in lines} <= words
        assert solution["V3-3"] == "T"
