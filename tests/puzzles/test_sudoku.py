"""Sudoku as a problem: against a generator of strings and loops, and the rules on givens."""

import itertools
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from f2csp.diagnostics import ProblemError, Source
from f2csp.model import Problem
from f2csp.puzzles.files.clues import read_clues
from f2csp.puzzles.sudoku import MAX_SIZE, Board, Clue, cell_pairs, conflicts, n_conflicts, to_problem
from f2csp.syntax.writer import dumps

SAMPLES = Path(__file__).parents[2] / "samples"

SHAPES = [(1, 1), (2, 2), (2, 3), (3, 2), (1, 5), (5, 1), (3, 3), (3, 4), (4, 4), (5, 5)]


def expected_text(h: int, w: int, givens: list[tuple[int, int, int]]) -> str:
    """The canonical text of a board: pairs by row, column and box for each cell, then the givens."""
    n = h * w
    lines = [f"Sudoku {n}x{n}", "Domains:", "1", "D1: " + " ".join(str(v) for v in range(1, n + 1))]
    lines += ["Variables:", str(n * n)]
    for r in range(1, n + 1):
        for c in range(1, n + 1):
            lines.append(f"V{r}-{c}: D1")
    scopes = []
    for r in range(1, n + 1):
        for c in range(1, n + 1):
            scopes += [(r, c, r, c2) for c2 in range(c + 1, n + 1)]
            scopes += [(r, c, r2, c) for r2 in range(r + 1, n + 1)]
            for r2 in range(r + 1, n + 1):
                in_box = [c2 for c2 in range(1, n + 1) if (c2 - 1) // w == (c - 1) // w and c2 != c]
                scopes += [(r, c, r2, c2) for c2 in in_box if (r2 - 1) // h == (r - 1) // h]
    lines += ["Constraints:", str(len(scopes) + len(givens))]
    label = 0
    for r, c, r2, c2 in scopes:
        label += 1
        lines += [f"C{label}", "Vars:", "2", f"V{r}-{c} V{r2}-{c2}", "Reject:", str(n)]
        lines += [f"{v} {v}" for v in range(1, n + 1)]
    for r, c, v in givens:
        label += 1
        lines += [f"C{label}", "Vars:", "1", f"V{r}-{c}", "Accept:", "1", str(v)]
    lines += ["Goal:", "Satisfy"]
    return "".join(line + "\n" for line in lines)


def scrambled_givens(n: int, seed: int) -> list[tuple[int, int, int]]:
    rng = random.Random(seed)
    cells = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]
    return [(r, c, rng.randint(1, n)) for r, c in rng.sample(cells, rng.randint(1, min(n * n, 60)))]


def board_of(h: int, w: int, givens: list[tuple[int, int, int]]) -> Board:
    return Board(h * w, h, w, tuple(Clue(*g) for g in givens))


@pytest.mark.parametrize(("h", "w"), SHAPES, ids=lambda v: str(v))
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_the_text_is_the_one_that_the_format_describes(h: int, w: int, seed: int | None) -> None:
    givens = [] if seed is None else scrambled_givens(h * w, seed)
    assert dumps(to_problem(board_of(h, w, givens))) == expected_text(h, w, givens)


@pytest.mark.parametrize(("h", "w"), SHAPES, ids=lambda v: str(v))
def test_a_clue_file_becomes_the_text_that_the_format_describes(h: int, w: int) -> None:
    givens = scrambled_givens(h * w, seed=3)
    text = f"{h * w}\n{len(givens)}\n" + "".join(f"{r} {c} {v}\n" for r, c, v in givens)
    board = read_clues(Source("clues", text.encode()), None if h == w else (h, w)).board
    assert dumps(to_problem(board)) == expected_text(h, w, givens)


def test_four_by_four_with_three_clues() -> None:
    problem = to_problem(read_clues(Source("4x4", (SAMPLES / "sudoku/4x4.txt").read_bytes())).board)
    assert problem.n_variables == 16
    assert problem.n_constraints == 59
    rejected = [c for c in problem.constraints if c.kind == "Reject"]
    assert len(rejected) == 56
    assert sum(len(c.tuples) for c in rejected) == 224


def test_thirty_six_by_thirty_six_has_all_its_constraints() -> None:
    assert to_problem(Board(36, 6, 6)).n_constraints == 61_560


@pytest.mark.parametrize(("h", "w"), SHAPES, ids=lambda v: str(v))
def test_the_arrays_are_what_a_problem_asks_for(h: int, w: int) -> None:
    assert_sound(to_problem(board_of(h, w, scrambled_givens(h * w, seed=4))))
    assert_sound(to_problem(board_of(h, w, [])))


def assert_sound(problem: Problem) -> None:
    """Types, shapes, distinct relations in the order of their first use."""
    for array in (problem.scopes, problem.variable_domains, problem.constraint_relations, *problem.domain_values):
        assert array.dtype == np.int32
    assert problem.scope_offsets.dtype == np.int64
    assert problem.scope_offsets[-1] == len(problem.scopes)
    arities = [problem.relations[r].arity for r in problem.constraint_relations]
    assert np.diff(problem.scope_offsets).tolist() == arities
    assert list(dict.fromkeys(problem.constraint_relations.tolist())) == list(range(len(problem.relations)))
    assert len({relation.key for relation in problem.relations}) == len(problem.relations)


def test_pairs_come_in_one_array_for_each_row_of_cells() -> None:
    chunks = list(cell_pairs(Board(6, 2, 3)))
    assert len(chunks) == 6
    for row, chunk in enumerate(chunks):
        assert chunk.dtype == np.int32
        assert set((chunk[:, 0] // 6).tolist()) == ({row} if len(chunk) else set())
        assert (chunk[:, 0] < chunk[:, 1]).all()


@pytest.mark.parametrize(
    ("size", "rows", "columns", "clues", "message"),
    [
        (0, 0, 0, (), "not between 1 and 256"),
        (MAX_SIZE + 33, 17, 17, (), "not between 1 and 256"),
        (6, 2, 2, (), "boxes of 2x2 do not fit a board of size 6"),
        (6, -2, -3, (), "do not fit"),
        (4, 2, 2, (Clue(1, 5, 1),), "1 at row 1, column 5 is not on a board of size 4"),
        (4, 2, 2, (Clue(1, 1, 0),), "0 at row 1, column 1 is not on a board of size 4"),
        (4, 2, 2, (Clue(1, 1, 1), Clue(1, 1, 2)), "row 1, column 1 is given twice"),
    ],
)
def test_a_board_that_cannot_be_is_refused(
    size: int, rows: int, columns: int, clues: tuple[Clue, ...], message: str
) -> None:
    with pytest.raises(ProblemError, match=message):
        Board(size, rows, columns, clues)


@settings(deadline=None)
@given(data=st.data(), shape=st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3), (1, 4)]))
def test_conflicts_are_the_pairs_that_break_a_rule(data: st.DataObject, shape: tuple[int, int]) -> None:
    h, w = shape
    numbers = st.integers(1, h * w)
    givens = data.draw(st.lists(st.tuples(numbers, numbers, st.integers(1, 2)), unique_by=lambda g: g[:2]))
    board = board_of(h, w, givens)

    def boxes(r: int, c: int) -> tuple[int, int]:
        return (r - 1) // h, (c - 1) // w

    expected = {
        (a, b): [r1 == r2, c1 == c2, boxes(r1, c1) == boxes(r2, c2)]
        for a, b in itertools.combinations(givens, 2)
        for (r1, c1, v1), (r2, c2, v2) in [(a, b)]
        if v1 == v2 and (r1 == r2 or c1 == c2 or boxes(r1, c1) == boxes(r2, c2))
    }
    found = list(conflicts(board))
    pairs = [tuple((c.row, c.column, c.value) for c in (f.earlier, f.later)) for f in found]
    assert len(set(pairs)) == len(pairs) == n_conflicts(board)
    assert {
        pair: [any(u.startswith(kind) for u in f.units) for kind in ("row", "column", "box")]
        for pair, f in zip(pairs, found, strict=True)
    } == expected


def test_boxes_are_counted_row_by_row() -> None:
    board = Board(6, 2, 3)
    assert [board.units(Clue(r, c, 1))[2] for r, c in [(1, 1), (2, 4), (3, 3), (4, 6), (6, 1), (5, 6)]] == [
        "box 1", "box 2", "box 3", "box 4", "box 5", "box 6"
    ]  # fmt: skip
