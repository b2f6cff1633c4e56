"""Latin squares as problems: against a generator of strings and loops."""

import pytest

from f2csp.diagnostics import ProblemError
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.to_problem import to_problem, to_stream
from f2csp.text.writer import dumps
from tests.puzzles.square_text import square_text


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10])
def test_the_text_is_the_one_that_the_format_describes(size: int) -> None:
    givens = [(r, r * 2 % size + 1, (r * r) % size + 1) for r in range(size, 0, -1)]
    square = LatinSquare(size, clues=tuple(Clue(*g) for g in givens))
    assert dumps(to_problem(square)) == dumps(to_stream(square)) == square_text(square.title, size, givens)


def test_givens_that_repeat_a_value_are_conflicts() -> None:
    square = LatinSquare(3, clues=(Clue(1, 1, 2), Clue(2, 2, 2), Clue(1, 3, 2), Clue(3, 1, 2), Clue(3, 3, 1)))
    assert [conflict.message for conflict in square.conflicts()] == [
        "2 is at row 1, column 1 and at row 1, column 3, both in row 1",
        "2 is at row 1, column 1 and at row 3, column 1, both in column 1",
    ]


@pytest.mark.parametrize("size", [0, -1, 257])
def test_a_size_that_cannot_be_is_refused(size: int) -> None:
    with pytest.raises(ProblemError, match="is not between 1 and 256"):
        LatinSquare(size)
