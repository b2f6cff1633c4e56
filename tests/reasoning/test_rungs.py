"""Techniques of puzzles with other rules than Sudoku on the examples by which their literature introduces them."""

from dataclasses import replace
from typing import Any

import pytest

from f2csp.model import ProblemBuilder
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.kakuro import Kakuro, Sums
from f2csp.puzzles.kenken import KenKen
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.nonogram import Nonogram
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.skyscrapers import Skyscrapers
from f2csp.puzzles.takuzu import Takuzu
from f2csp.reasoning.hint_model import bits, model_of_blank
from f2csp.reasoning.hints import rating_by_steps, steps_of
from f2csp.reasoning.ladder import ASSUMING_ONE_SOLUTION, LADDER
from f2csp.reasoning.marks import Marks

EMPTY = (0, 0, 0, 0, 0)


def row(*values: int | None) -> tuple[Clue, ...]:
    return tuple(Clue(1, column, value) for column, value in enumerate(values, 1) if value is not None)


def line(n: int, *lengths: int) -> Nonogram:
    return Nonogram((lengths,), (None,) * n)


def across(n: int, total: int) -> Kakuro:
    black = [Sums(Cell(1, column)) for column in range(1, n + 2)]
    return Kakuro(2, n + 1, (*black, Sums(Cell(2, 1), across=total)))


def cells(*pairs: tuple[int, int]) -> tuple[Cell, ...]:
    return tuple(Cell(*pair) for pair in pairs)


BOX = [(i, j) for i in (1, 2, 3) for j in (1, 2, 3)]
# The rule of 45: eight cells of a box in cages leave one; nine in cages with one outside add it.
INNIE = Killer(9, 3, 3, cages=(Cage(9, cells(*BOX[:2])), Cage(14, cells(*BOX[2:5])), Cage(17, cells(*BOX[5:8]))))
OUTIE = Killer(9, 3, 3, cages=(Cage(20, cells(*BOX[:4])), Cage(33, cells(*BOX[4:], (3, 4)))))

EXAMPLES: list[tuple[str, Puzzle, dict[str, Any]]] = [
    # Simple boxes: a block of 8 of 10, and blocks of 4 and 3
    ("overlap of blocks", line(10, 8), {f"V1-{i}": "#" for i in range(3, 9)}),
    ("overlap of blocks", line(10, 4, 3), dict.fromkeys(("V1-3", "V1-4", "V1-8"), "#")),
    # Pairs, gaps and full counts of a binary puzzle
    ("three alike (pair)", Takuzu(1, 4, clues=row(None, 0, 0)), {"V1-1": 1}),
    ("three alike (gap)", Takuzu(1, 4, clues=row(1, None, 1)), {"V1-2": 0}),
    ("single gap", Takuzu(1, 4, clues=row(1, 0, 0)), {"V1-4": 1}),
    ("full count", Takuzu(1, 6, clues=row(1, 0, 1, None, 1)), {"V1-4": 0, "V1-6": 0}),
    ("equal lines", Takuzu(2, 4, clues=(*row(0, 1, 0, 1), Clue(2, 1, 0), Clue(2, 2, 1), Clue(2, 4, 0))), {"V2-3": 1}),
    # A chain of signs bounds its ends, as 3 < a < 5
    ("comparison", Futoshiki(5, (Sign(Cell(1, 1), Cell(1, 2)),), clues=(Clue(1, 2, 2),)), {"V1-1": 1}),
    # Edge clues of 1, and of the size
    ("edge clue initialization", Skyscrapers(5, (EMPTY, EMPTY, (1, 0, 0, 0, 0), EMPTY)), {"V1-1": 5}),
    (
        "edge clue initialization",
        Skyscrapers(5, ((0, 0, 5, 0, 0), EMPTY, EMPTY, EMPTY)),
        {f"V{i}-3": i for i in range(1, 6)},
    ),
    ("innies and outies", INNIE, {"V3-3": 5}),
    ("innies and outies", OUTIE, {"V3-4": 8}),
]
LEFT = [
    # Unique sums: 4 and 17 of two cells, 7 of three
    ("sum combinations", across(2, 4), "V2-2", {1, 3}),
    ("sum combinations", across(2, 17), "V2-3", {8, 9}),
    ("sum combinations", across(3, 7), "V2-3", {1, 2, 4}),
    ("sum combinations", Killer(9, 3, 3, cages=(Cage(3, cells((1, 1), (1, 2))),)), "V1-1", {1, 2}),
    # 11+ and 20x of two cells of six
    ("cage combinations", KenKen(6, (Cage(20, cells((1, 1), (1, 2)), "x"),)), "V1-1", {4, 5}),
    ("sum combinations", KenKen(6, (Cage(11, cells((1, 1), (2, 1)), "+"),)), "V2-1", {5, 6}),
    ("comparison", Futoshiki(5, (Sign(Cell(1, 1), Cell(1, 2)), Sign(Cell(1, 2), Cell(1, 3)))), "V1-3", {3, 4, 5}),
    # The second highest place of a clue of 2 cannot be the highest tower's neighbour at the rim
    ("edge clue initialization", Skyscrapers(5, (EMPTY, EMPTY, (2, 0, 0, 0, 0), EMPTY)), "V1-1", {1, 2, 3, 4}),
]


def results(puzzle: Puzzle, technique: str) -> tuple[dict[str, Any], dict[str, set[Any]]]:
    """What the steps of a technique place, and what they leave of each variable."""
    model = model_of_blank(replace(puzzle, clues=()))
    marks = Marks.of(model, [model.number(f"V{c.row}-{c.column}", puzzle.word(c.value)) for c in puzzle.clues])
    (rung,) = [rung for rung in LADDER if technique.partition(" (")[0] == rung.name]
    placed: dict[str, Any] = {}
    while step := next((step for step in rung.find(marks) if step.technique == technique), None):
        placed |= {model.variables[b // model.width]: model.value(b) for b in step.placed}
        marks = marks.after(step.removed, step.placed)
    left: dict[str, set[Any]] = {name: set() for name in model.variables}
    for b in bits(marks.left):
        left[model.variables[b // model.width]].add(model.value(b))
    return placed, left


@pytest.mark.parametrize(("technique", "puzzle", "placed"), EXAMPLES)
def test_a_rung_places_what_its_example_shows(technique: str, puzzle: Puzzle, placed: dict[str, Any]):
    assert placed.items() <= results(puzzle, technique)[0].items()


@pytest.mark.parametrize(("technique", "puzzle", "name", "left"), LEFT)
def test_a_rung_leaves_what_its_example_shows(technique: str, puzzle: Puzzle, name: str, left: set[int]):
    assert results(puzzle, technique)[1][name] == left


def test_a_table_alone_shows_the_value_that_it_does_not_support():
    b = ProblemBuilder("Two variables")
    b.domain("D1", ["a", "b", "c"])
    for name in ("x", "y"):
        b.variable(name, "D1")
    b.accept(["x", "y"], [("a", "b"), ("b", "a"), ("a", "c")])
    step = next(steps_of(b.build()))
    assert (step.technique, step.removed) == ("value without support", {"x": ("c",)})
    assert str(step) == "x cannot be c: the table C1 on x y"


def test_a_technique_that_assumes_one_solution_is_marked_as_such():
    assert {"unique rectangle", "hidden rectangle", "bivalue universal grave"} == ASSUMING_ONE_SOLUTION


def test_at_the_time_limit_nothing_is_claimed():
    step, rating = next(steps_of(INNIE)), rating_by_steps(INNIE, seconds=0)
    assert step
    assert (rating.grade, str(rating)) == ("unknown", "unknown: the time limit was reached")


def test_a_solved_board_has_no_step_left():
    solved = Takuzu(2, 2, clues=(Clue(1, 1, 0), Clue(1, 2, 1), Clue(2, 1, 1), Clue(2, 2, 0)))
    assert str(rating_by_steps(solved)) == "easy, 0.0: no step is left"
