"""Latin squares as problems: against a generator of strings and loops."""

import pytest

from f2csp.diagnostics import ProblemError
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.to_problem import to_problem, to_stream
from f2csp.text.writer import dumps


def expected_text(n: int, givens: list[tuple[int, int, int]]) -> str:
    """The canonical text of a square: for each cell the pairs of its row, then those of its column; then the givens."""
    lines = [f"Latin square {n}x{n}", "Domains:", "1", "D1: " + " ".join(str(v) for v in range(1, n + 1))]
    lines += ["Variables:", str(n * n), *(f"V{r}-{c}: D1" for r in range(1, n + 1) for c in range(1, n + 1))]
    blocks = []
    for r in range(1, n + 1):
        for c in range(1, n + 1):
            later = [(r, c2) for c2 in range(c + 1, n + 1)] + [(r2, c) for r2 in range(r + 1, n + 1)]
            equal = [f"{v} {v}" for v in range(1, n + 1)]
            blocks += [["Vars:", "2", f"V{r}-{c} V{r2}-{c2}", "Reject:", str(n), *equal] for r2, c2 in later]
    blocks += [["Vars:", "1", f"V{r}-{c}", "Accept:", "1", str(v)] for r, c, v in givens]
    lines += ["Constraints:", str(len(blocks))]
    for i, block in enumerate(blocks, 1):
        lines += [f"C{i}", *block]
    return "\n".join([*lines, "Goal:", "Satisfy", ""])


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10])
def test_the_text_is_the_one_that_the_format_describes(size: int) -> None:
    givens = [(r, r * 2 % size + 1, (r * r) % size + 1) for r in range(size, 0, -1)]
    square = LatinSquare(size, clues=tuple(Clue(*g) for g in givens))
    assert dumps(to_problem(square)) == dumps(to_stream(square)) == expected_text(size, givens)


def test_givens_that_repeat_a_value_are_conflicts() -> None:
    square = LatinSquare(3, clues=(Clue(1, 1, 2), Clue(2, 2, 2), Clue(1, 3, 2), Clue(3, 1, 2), Clue(3, 3, 1)))
    assert [conflict.message for conflict in square.conflicts()] == [
        "2 is given at row 1, column 1 and at row 1, column 3, both in row 1",
        "2 is given at row 1, column 1 and at row 3, column 1, both in column 1",
    ]


@pytest.mark.parametrize("size", [0, -1, 257])
def test_a_size_that_cannot_be_is_refused(size: int) -> None:
    with pytest.raises(ProblemError, match="is not between 1 and 256"):
        LatinSquare(size)
