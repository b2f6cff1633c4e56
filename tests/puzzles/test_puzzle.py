"""What all puzzles have: boards that cannot be are refused, givens that break a rule are named, groups have words."""

from collections.abc import Callable

import pytest

from f2csp.diagnostics import ProblemError
from f2csp.puzzles import KINDS
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Cage, Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle, puzzle_class
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from tests.puzzles.strategies import cage, labels

Place = tuple[int, int]


def killer(*cages: Cage, clues: tuple[Clue, ...] = ()) -> Killer:
    return Killer(4, 2, 2, cages, clues=clues)


def futoshiki(*signs: tuple[Place, Place], clues: tuple[Clue, ...] = ()) -> Futoshiki:
    """A board of 4x4; the smaller cell of a sign comes first."""
    return Futoshiki(4, tuple(Sign(Cell(*smaller), Cell(*greater)) for smaller, greater in signs), clues=clues)


REFUSED: dict[str, list[Callable[[], Puzzle]]] = {
    "is not between 1 and 256": [
        *(lambda: Sudoku(0, 0, 0), lambda: Sudoku(MAX_SIZE + 33, 17, 17)),
        *(lambda: LatinSquare(0), lambda: LatinSquare(-1), lambda: LatinSquare(257)),
    ],
    "boxes of 2x2 do not fit a board of size 6": [lambda: Sudoku(6, 2, 2)],
    "do not fit": [lambda: Sudoku(6, -2, -3)],
    "1 at row 1, column 5 does not fit a 4x4 board": [lambda: Sudoku(4, 2, 2, clues=(Clue(1, 5, 1),))],
    "0 at row 1, column 1 does not fit a 4x4 board": [lambda: Sudoku(4, 2, 2, clues=(Clue(1, 1, 0),))],
    "row 1, column 1 is given twice": [lambda: Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 1, 2)))],
    "does not have 1 to 128 rows and columns": [
        *(lambda: Takuzu(0, 4), lambda: Takuzu(4, 0), lambda: Takuzu(129, 4), lambda: Takuzu(4, 129)),
        lambda: Takuzu(-1, -1),
    ],
    "is not on the board": [lambda: futoshiki(((1, 4), (1, 5))), lambda: futoshiki(((0, 1), (1, 1)))],
    "do not touch": [
        *(lambda: futoshiki(((1, 1), (1, 3))), lambda: futoshiki(((1, 1), (2, 2)))),
        lambda: futoshiki(((1, 1), (1, 1))),
    ],
    "contradict": [lambda: futoshiki(((1, 1), (1, 2)), ((1, 2), (1, 1)))],
    "the regions do not fit a board of size 3": [lambda: Jigsaw(3, labels("112 122"))],
    "region 1 has 4 cells; each region has 3": [lambda: Jigsaw(3, labels("112 122 331"))],
    "row 1, column 5 of cage 3 at row 1, column 5 is not on the board": [lambda: killer(cage(3, (1, 5)))],
    "2 different values of 1 to 4 cannot add up to 8: cage 8 at row 1, column 1": [
        lambda: killer(cage(8, (1, 1), (1, 2)))
    ],
    "row 1, column 1 is in 2 cages": [
        lambda: killer(cage(4, (1, 1), (1, 2)), cage(1, (1, 1))),
        lambda: killer(cage(5, (1, 1), (1, 1))),
    ],
    "a cage with the total 4 has no cells": [lambda: killer(Cage(4, ()))],
    "a board of size 37 is not between 1 and 36": [lambda: Killer(37, 1, 37)],
}


@pytest.mark.parametrize(("message", "make"), [(message, make) for message, many in REFUSED.items() for make in many])
def test_a_board_that_cannot_be_is_refused(message: str, make: Callable[[], Puzzle]) -> None:
    with pytest.raises(ProblemError, match=message):
        make()


JIGSAW = Jigsaw(4, labels("1112 1322 3324 3444"), clues=(Clue(1, 3, 1), Clue(2, 1, 1), Clue(4, 1, 1)))
LINES = (Clue(1, 1, 0), Clue(1, 2, 1), Clue(3, 2, 1), Clue(3, 1, 0))
CONFLICTS: list[tuple[Puzzle, list[str]]] = [
    (
        LatinSquare(3, clues=(Clue(1, 1, 2), Clue(2, 2, 2), Clue(1, 3, 2), Clue(3, 1, 2), Clue(3, 3, 1))),
        [
            "2 is at row 1, column 1 and at row 1, column 3, both in row 1",
            "2 is at row 1, column 1 and at row 3, column 1, both in column 1",
        ],
    ),
    (
        futoshiki(
            *(((3, 3), (4, 3)), ((4, 3), (4, 4)), ((1, 1), (1, 2))),
            clues=(Clue(4, 3, 3), Clue(3, 3, 4), Clue(4, 4, 3), Clue(1, 1, 1), Clue(1, 2, 2)),
        ),
        [
            "3 is at row 4, column 3 and at row 4, column 4, both in row 4",
            "4 at row 3, column 3 must be smaller than 3 at row 4, column 3",
        ],
    ),
    (
        JIGSAW,
        [
            "1 is at row 1, column 3 and at row 2, column 1, both in region 1",
            "1 is at row 2, column 1 and at row 4, column 1, both in column 1",
        ],
    ),
    (
        Diagonal(4, 2, 2, clues=(Clue(1, 4, 3), Clue(4, 1, 3))),
        ["3 is at row 1, column 4 and at row 4, column 1, both in the rising diagonal"],
    ),
    (
        killer(*(cage(4, (1, 2), (2, 3)), cage(3, (4, 4))), clues=(Clue(1, 2, 1), Clue(2, 3, 1), Clue(4, 4, 3))),
        [
            "1 is at row 1, column 2 and at row 2, column 3, both in cage 4 at row 1, column 2",
            "the values in cage 4 at row 1, column 2 add up to 2",
        ],
    ),
    (
        Takuzu(4, 4, clues=(Clue(1, 3, 1), Clue(1, 1, 1), Clue(1, 2, 1))),
        [
            "three neighbours are 1: row 1, column 3, row 1, column 1, row 1, column 2",
            "row 1 has 1 in 3 cells, from row 1, column 3 to row 1, column 2, and may have it in 2",
        ],
    ),
    (
        Takuzu(4, 2, clues=(Clue(1, 1, 0), Clue(2, 1, 0), Clue(4, 1, 0))),
        ["column 1 has 0 in 3 cells, from row 1, column 1 to row 4, column 1, and may have it in 2"],
    ),
    (Takuzu(3, 2, clues=LINES), ["rows 1 and 3 are equal: from row 1, column 1 and from row 3, column 1 on"]),
    (Takuzu(3, 2, has_distinct_lines=False, clues=LINES), []),
    (Takuzu(3, 3, clues=(Clue(1, 1, 0), Clue(1, 2, 0))), []),
]


@pytest.mark.parametrize(("puzzle", "messages"), CONFLICTS)
def test_givens_that_break_a_rule_are_conflicts(puzzle: Puzzle, messages: list[str]) -> None:
    found = list(puzzle.conflicts())
    assert [conflict.message for conflict in found] == messages
    assert all(puzzle.clues.index(conflict.clues[-1]) > puzzle.clues.index(conflict.clues[0]) for conflict in found)


CAGES = killer(cage(8, (1, 1), (2, 1), (3, 1)), cage(4, (1, 2), (1, 3)))


@pytest.mark.parametrize(
    ("puzzle", "cells", "are_different", "words"),
    [
        (JIGSAW, [(1, 3), (2, 1)], True, "region 1 holds each value once"),
        (Diagonal(9, 3, 3), [(1, 1), (5, 5), (9, 9)], True, "the falling diagonal holds each value once"),
        (Diagonal(9, 3, 3), [(1, 1), (2, 9)], True, None),
        (CAGES, [(1, 1), (2, 1), (3, 1)], False, "cage 8 at row 1, column 1 adds up to 8"),
        (CAGES, [(1, 2), (1, 3)], True, "row 1 holds each value once"),
        (
            Killer(4, 1, 4, (cage(9, (2, 2), (3, 3), (4, 4)),)),
            *([(2, 2), (3, 3)], True, "cage 9 at row 2, column 2 holds no value twice"),
        ),
        (CAGES, [(1, 1), (1, 2)], False, None),
    ],
)
def test_words(puzzle: Puzzle, cells: list[Place], are_different: bool, words: str | None) -> None:
    assert puzzle.describe([Cell(*cell) for cell in cells], are_different=are_different) == words


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_named_as_its_module(kind: str) -> None:
    assert kind == puzzle_class(kind).KIND
