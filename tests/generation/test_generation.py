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
from f2csp.generation.draws import Draws
from f2csp.generation.full_grids import network_of_board
from f2csp.generation.kinds import PROBLEM_KINDS, drawn, kind_named
from f2csp.puzzles import KINDS as PUZZLES
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.search import ArcConsistency, Counters, completions
from tests.cli.in_process import run_program

WORDS = "are\nate\ntea\neat\neta\nera\ntar\nrat\nart\nit's\n\nabc\n"
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
    "queens": "d4ffe1233ca8e568",
    "pigeonhole": "c6d51afab4336d0c",
    "magic": "e139167ce4b4460b",
    "coloring": "ea8346b7472b5481",
    "qwh": "e5eb99509bef4d09",
    "model-b": "6c107d22ff337eea",
    "model-rb": "864c507c39fb47d9",
}


def test_every_kind_is_tested():
    assert set(SMALL) == set(PUZZLES)
    assert set(PROBLEM_KINDS) == {*HASHES, "crossword"}


@pytest.mark.parametrize("seed", [7, np.int64(7)], ids=["int", "numpy"])
@pytest.mark.parametrize("kind", HASHES)
def test_the_same_seed_gives_the_same_bytes(kind: str, seed: int):
    options = SMALL[kind] | {"unique": True} if kind in SMALL else {}
    text = f2csp.dumps(f2csp.generate(kind, seed=seed, **options))
    assert sha256(text.encode()).hexdigest()[:16] == HASHES[kind]


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("sudoku", {"fill": 1.5}, "expected a number from 0 to 1 as fill, found 1.5"),
        ("sudoku", {"fill": float("nan")}, "expected a number from 0 to 1 as fill, found nan"),
        ("sudoku", {"fill": "x"}, "expected a number from 0 to 1 as fill, found 'x'"),
        ("sudoku", {"box": 0}, "expected rows and columns such as 3 or 2x3 as box, found 0"),
        ("sudoku", {"box": 17}, "a board of size 289 is not between 1 and 256"),
        ("sudoku", {"box": (3,)}, r"expected rows and columns such as 3 or 2x3 as box, found \(3,\)"),
        ("sudoku", {"fill": True}, "expected a number from 0 to 1 as fill, found True"),
        ("queens", {"size": True}, "expected an integer from 1 to 500 as size, found True"),
        ("sudoku", {"unique": "yes"}, "expected true or false as unique, found 'yes'"),
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
        ("crossword", {"words": "a"}, "crossword needs the option grid"),
        ("qwh", {"size": 3, "holes": 10}, "a square of 9 cells cannot have 10 holes"),
        ("sudoku", {"size": 6, "box": 3}, "boxes of 3x3 do not fit a board of size 6"),
        ("killer", {"size": 7}, "a board of size 7 has no boxes but rows: expected box, such as 1x7"),
        ("coloring", {"graph": "cycle"}, "expected cycle:N with N from 1 to 999 as graph, found cycle"),
        (
            "coloring",
            {"graph": "mycielski:26"},
            "expected mycielski:N with N from 1 to 12 as graph, found mycielski:26",
        ),
        ("coloring", {"graph": "mycielski:999"}, "N from 1 to 12"),
        ("coloring", {"graph": "queen:120"}, "expected queen:N with N from 1 to 50 as graph, found queen:120"),
        ("model-b", {"tightness": 1, "satisfiable": True}, "expected a smaller tightness"),
        ("model-rb", {"variables": 3, "arity": 4}, "expected at least 4 variables for constraints of arity 4, found 3"),
        ("model-rb", {"variables": 100, "arity": 8}, "try fewer values"),
    ],
)
def test_what_there_cannot_be(kind: str, options: dict[str, Any], message: str):
    with pytest.raises(f2csp.F2cspError, match=message):
        f2csp.generate(kind, **options)


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
    assert len(puzzle.clues) == int(fill * puzzle.n_rows * puzzle.n_columns + 0.5)
    assert f2csp.solve(to_problem(puzzle), engine="sat")


@pytest.mark.parametrize("box", range(1, 11))
def test_sudokus_with_boxes_of_all_sizes(box: int):
    puzzle = generated("sudoku", box=box, fill=1)
    assert len(puzzle.clues) == box**4
    assert not list(puzzle.conflicts())
    assert len(generated("sudoku", box=box, fill=0.4).clues) == int(0.4 * box**4 + 0.5)


@pytest.mark.parametrize(
    ("options", "box"),
    [({}, (3, 3)), ({"size": 9}, (3, 3)), ({"size": 6}, (2, 3)), ({"size": 6, "box": "3x2"}, (3, 2))],
    ids=str,
)
@pytest.mark.parametrize("kind", ["sudoku", "killer"])
def test_a_size_has_the_squarest_boxes(kind: str, options: dict[str, Any], box: tuple[int, int]):
    puzzle = drawn(kind_named(kind), Draws(1), options)
    assert isinstance(puzzle, Sudoku)
    assert (puzzle.box_rows, puzzle.box_columns) == box


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
    network = network_of_board(replace(puzzle, clues=()))
    domains = list(network.domains)
    for clue in puzzle.clues:
        domains[(clue.row - 1) * 9 + clue.column - 1] = 1 << clue.value - 1
    propagation = ArcConsistency(network, domains, Counters())
    assert propagation.establish()
    assert len(list(completions(propagation))) == 1
    assert propagation.counters.values_tried in n_tried


@pytest.mark.parametrize("size", range(4, 10))
def test_futoshikis_have_as_many_givens_as_one_solution_needs(size: int):
    for seed in range(3):
        assert is_unique(generated("futoshiki", seed, size=size, unique=True))


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


# ---- Families --------------------------------------------------------------------------------------------------------


@pytest.fixture
def crossword(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "words.txt").write_text(WORDS)
    (tmp_path / "grid.txt").write_text("...\n.#.\n..t\n")
    return {"words": str(tmp_path / "words.txt"), "grid": str(tmp_path / "grid.txt")}


@pytest.mark.parametrize(
    ("kind", "options", "n_solutions"),
    [
        ("queens", {"size": 1}, 1),
        ("queens", {"size": 3}, 0),
        ("queens", {"size": 6}, 4),
        ("queens", {"size": 8}, 92),
        ("pigeonhole", {"pigeons": 1}, 1),
        ("pigeonhole", {"pigeons": 5}, 0),
        ("pigeonhole", {"pigeons": 3, "holes": 5}, 60),
        ("magic", {"size": 1}, 1),
        ("magic", {"size": 2}, 0),
        ("magic", {"size": 3}, 8),
        ("coloring", {"graph": "complete:4"}, 0),
        ("coloring", {"graph": "complete:4", "colours": 4}, 24),
        ("coloring", {"graph": "cycle:5"}, 30),
        ("coloring", {"graph": "cycle:1"}, 3),
        ("coloring", {"graph": "wheel:4"}, 6),
        ("coloring", {"graph": "petersen"}, 120),
        ("coloring", {"graph": "queen:3", "colors": 5}, 240),
        ("coloring", {"graph": "mycielski:4"}, 0),
        ("coloring", {"graph": "mycielski:3", "colors": 2}, 0),
    ],
)
def test_numbers_of_solutions(kind: str, options: dict[str, Any], n_solutions: int):
    assert f2csp.count(f2csp.generate(kind, **options)) == n_solutions


def test_a_dimacs_graph(tmp_path: Path):
    path = tmp_path / "triangle.col"
    path.write_text("c three nodes and one\np edge 4 6\ne 1 2\ne 2 1\ne 2 3\ne 3 1\n")
    problem = f2csp.generate("coloring", graph=str(path))
    assert (problem.n_variables, problem.n_constraints) == (4, 3)
    assert problem.title == "Colouring of triangle.col with 3 colours"
    assert f2csp.count(problem) == 18


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p edge 2 1\ne 1 3\n", r"g.col:2:1: F503 expected vertices from 1 to 2, found 1 and 3"),
        ("e 1 2\n", r"g.col:1:1: F501 expected a line p edge, found e 1 2"),
        ("", r"g.col:1:1: F507 the text ends before the line p edge"),
    ],
)
def test_a_graph_with_faults(text: str, message: str, tmp_path: Path):
    (tmp_path / "g.col").write_text(text)
    with pytest.raises(f2csp.F2cspError, match=message):
        f2csp.generate("coloring", graph=str(tmp_path / "g.col"))


def test_a_random_graph_has_the_fraction_of_edges():
    assert f2csp.generate("coloring", nodes=10, density=0.5).n_constraints == 23


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


@pytest.mark.parametrize("tightness", [0, 0.25, 1])
def test_model_b_has_exact_fractions(tightness: float):
    problem = f2csp.generate("model-b", variables=8, domain=4, density=0.5, tightness=tightness)
    assert problem.n_constraints == 14
    assert len({frozenset(constraint.scope) for constraint in problem.constraints}) == 14
    assert {len(constraint.table) for constraint in problem.constraints} == {int(16 * tightness)}


def test_model_rb_has_the_sizes_of_its_definition():
    problem = f2csp.generate("model-rb", variables=12, arity=3, alpha=0.6, ratio=1.5, tightness=0.25)
    assert problem.n_constraints == 45  # 1.5 * 12 * ln 12 = 44.7
    assert {len(variable.domain.values) for variable in problem.variables} == {4}  # 12 ** 0.6 = 4.4
    assert {len(constraint.table) for constraint in problem.constraints} == {16}
    assert {constraint.arity for constraint in problem.constraints} == {3}


def n_satisfiable(n_rejected: int, n_instances: int) -> int:
    """The number of satisfiable instances of model RB on 20 variables: 30.25 of 121 tuples are the threshold."""
    problems = [f2csp.generate("model-rb", tightness=n_rejected / 121, seed=seed) for seed in range(n_instances)]
    return sum(bool(f2csp.solve(problem, engine="sat")) for problem in problems)


def test_half_of_model_rb_is_satisfiable_at_the_threshold():
    assert 10 <= n_satisfiable(29, 20) + n_satisfiable(30, 20) <= 30
    assert (n_satisfiable(26, 10), n_satisfiable(33, 10)) == (10, 0)


@pytest.mark.parametrize("kind", ["model-b", "model-rb"])
def test_a_planted_solution_makes_a_problem_satisfiable(kind: str):
    tight = [f2csp.generate(kind, variables=10, tightness=0.7, satisfiable=True, seed=seed) for seed in range(5)]
    assert all(f2csp.solve(problem, engine="sat") for problem in tight)
    assert not f2csp.solve(f2csp.generate(kind, variables=10, tightness=0.7), engine="sat")


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


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ("..\n...\n", "expected 2 cells in row 2, found 3"),
        (".!\n", "expected ., # or a letter in row 1, found '!'"),
        ("....\n", "no word of 4 letters, for the cells from V1-1 to V1-4"),
        ("", "expected the rows of a grid, found none"),
    ],
)
def test_a_grid_with_faults(crossword: dict[str, str], grid: str, message: str):
    Path(crossword["grid"]).write_text(grid)
    with pytest.raises(f2csp.F2cspError, match=message):
        f2csp.generate("crossword", **crossword)


def test_a_time_limit_ends_a_search_and_what_was_made_is_written(tmp_path: Path) -> None:
    done = run_program("generate", "sudoku", "--box", "5x5", "--minimal", "--seed", "1", "--time-limit", "0.3")
    assert (done.returncode, done.stdout) == (4, b"")
    assert done.stderr == b"f2csp: the time limit was reached after 0 of 1\n"
    options = "--unique --count 100000 --seed 1 --time-limit 1 --to sudoku:line -o".split()
    done = run_program("generate", "sudoku", *options, "p.sdm", cwd=tmp_path)
    n_made = len((tmp_path / "p.sdm").read_text().splitlines())
    message = f"f2csp: the time limit was reached after {n_made} of 100,000\n"
    assert (done.returncode, done.stderr.decode()) == (4, message)
