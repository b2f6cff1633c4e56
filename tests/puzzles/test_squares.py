"""Sudokus, Latin squares and Futoshikis as problems: against a generator of strings and loops; the rules on givens."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.model import Problem
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue
from f2csp.puzzles.squares import cell_pairs
from f2csp.puzzles.sudoku import Box, Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.text.writer import dumps
from tests.boards.puzzle_texts import read

SHAPES = [(1, 1), (2, 2), (2, 3), (3, 2), (1, 5), (5, 1), (3, 3), (3, 4), (4, 4), (5, 5)]


Given = tuple[int, int, int]


def square_text(title: str, n: int, givens: list[Given], box: tuple[int, int] | None = None) -> str:
    """The canonical text: for each cell the pairs of its row, of its column and of its box; then the givens."""
    numbers = range(1, n + 1)
    h, w = box or (1, 1)
    scopes = []
    for r, c in ((r, c) for r in numbers for c in numbers):
        scopes += [(r, c, r, c2) for c2 in range(c + 1, n + 1)]
        scopes += [(r, c, r2, c) for r2 in range(r + 1, n + 1)]
        for r2 in range(r + 1, n + 1):
            in_box = [c2 for c2 in numbers if (c2 - 1) // w == (c - 1) // w and c2 != c]
            scopes += [(r, c, r2, c2) for c2 in in_box if (r2 - 1) // h == (r - 1) // h]
    equal = [f"{v} {v}" for v in numbers]
    blocks = [["Vars:", "2", f"V{r}-{c} V{r2}-{c2}", "Reject:", str(n), *equal] for r, c, r2, c2 in scopes]
    blocks += [["Vars:", "1", f"V{r}-{c}", "Accept:", "1", str(v)] for r, c, v in givens]
    lines = [title, "Domains:", "1", f"D1: {' '.join(map(str, numbers))}"]
    lines += ["Variables:", str(n * n), *(f"V{r}-{c}: D1" for r in numbers for c in numbers)]
    lines += ["Constraints:", str(len(blocks))]
    for i, block in enumerate(blocks, 1):
        lines += [f"C{i}", *block]
    return "\n".join([*lines, "Goal:", "Satisfy", ""])


def scrambled_givens(n: int, seed: int) -> list[Given]:
    rng = random.Random(seed)
    cells = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]
    return [(r, c, rng.randint(1, n)) for r, c in rng.sample(cells, rng.randint(1, min(n * n, 60)))]


def board_of(h: int, w: int, givens: list[Given]) -> Sudoku:
    return Sudoku(h * w, h, w, clues=tuple(Clue(*g) for g in givens))


def problem_of(clues: bytes, box: Box | None = None) -> Problem:
    return to_problem(read(clues, "sudoku:clues", box=box))


@pytest.mark.parametrize(("h", "w"), SHAPES, ids=str)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_the_text_is_the_one_that_the_format_describes(h: int, w: int, seed: int | None) -> None:
    n, givens = h * w, [] if seed is None else scrambled_givens(h * w, seed)
    text = square_text(f"Sudoku {n}x{n}", n, givens, (h, w))
    assert dumps(to_problem(board_of(h, w, givens))) == text
    clues = f"{n}\n{len(givens)}\n" + "".join(f"{r} {c} {v}\n" for r, c, v in givens)
    assert dumps(problem_of(clues.encode(), None if h == w else (h, w))) == text


def test_pairs_come_in_one_array_for_each_row_of_cells() -> None:
    chunks = list(cell_pairs(np.array(Sudoku(6, 2, 3).labels())))
    assert len(chunks) == 6
    for row, chunk in enumerate(chunks):
        assert chunk.dtype == np.int32
        assert set((chunk[:, 0] // 6).tolist()) == ({row} if len(chunk) else set())
        assert (chunk[:, 0] < chunk[:, 1]).all()


@given(data=st.data(), shape=st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3), (1, 4)]))
def test_conflicts_are_the_pairs_that_break_a_rule(data: st.DataObject, shape: tuple[int, int]) -> None:
    h, w = shape
    numbers = st.integers(1, h * w)
    givens = data.draw(st.lists(st.tuples(numbers, numbers, st.integers(1, 2)), unique_by=lambda g: g[:2]))
    board = board_of(h, w, givens)

    # Of the givens with a value, those of a unit are a chain: each is told with the one before it.
    expected: dict[tuple[tuple[int, int, int], ...], set[str]] = {}
    last: dict[tuple[str, object, int], tuple[int, int, int]] = {}
    for clue in givens:
        row, column, value = clue
        units = {"row": row, "column": column, "box": ((row - 1) // h, (column - 1) // w)}
        for name, number in units.items():
            if (name, number, value) in last:
                expected.setdefault((last[name, number, value], clue), set()).add(name)
            last[name, number, value] = clue
    found = list(board.conflicts())
    assert len({c.clues for c in found}) == len(found)
    named = ("row", "column", "box")
    assert {c.clues: {u for u in named if f"{u} " in c.message.partition("both in ")[2]} for c in found} == expected


def test_boxes_are_counted_row_by_row() -> None:
    corners = [(1, 1), (1, 4), (3, 1), (3, 4), (5, 1), (5, 4)]
    for number, (row, column) in enumerate(corners, 1):
        (conflict,) = Sudoku(6, 2, 3, clues=(Clue(row, column, 1), Clue(row + 1, column + 1, 1))).conflicts()
        assert conflict.message.endswith(f"both in box {number}")


# ---- Futoshikis ----------------------------------------------------------------------------------------------------


# Line by line of the picture: within row 1, between rows 1 and 2, within row 2, ...; the smaller cell first
PLACES = [
    *(((1, 1), (1, 2)), ((1, 4), (1, 3)), ((2, 1), (1, 1)), ((1, 4), (2, 4)), ((2, 2), (2, 1))),
    *(((3, 3), (4, 3)), ((4, 3), (4, 4))),
]
SIGNS = tuple(Sign(Cell(*smaller), Cell(*greater)) for smaller, greater in PLACES)
CLUES = (Clue(4, 4, 4), Clue(1, 1, 2))
LESS = [f"{a} {b}" for a in range(1, 5) for b in range(1, 5) if a < b]


def test_signs_stand_between_the_pairs_and_the_givens_line_by_line() -> None:
    text = dumps(to_problem(Futoshiki(4, SIGNS, clues=CLUES)))
    latin = dumps(to_problem(LatinSquare(4)))
    head, _, rest = text.partition("C49\n")
    n_pairs = 4 * 4 * 6 // 2
    assert head == latin.removesuffix("Goal:\nSatisfy\n").replace("Latin square", "Futoshiki").replace(
        f"Constraints:\n{n_pairs}\n", f"Constraints:\n{n_pairs + len(SIGNS) + len(CLUES)}\n"
    )
    expected = []
    for number, ((r, c), (r2, c2)) in enumerate(SIGNS, n_pairs + 1):
        expected += [f"C{number}", "Vars:", "2", f"V{r}-{c} V{r2}-{c2}", "Accept:", "6", *LESS]
    for number, (r, c, v) in enumerate(CLUES, n_pairs + len(SIGNS) + 1):
        expected += [f"C{number}", "Vars:", "1", f"V{r}-{c}", "Accept:", "1", str(v)]
    assert "C49\n" + rest == "\n".join([*expected, "Goal:", "Satisfy", ""])
