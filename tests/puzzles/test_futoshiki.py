"""Futoshikis as problems: the pairs of the Latin square, the signs line by line, the givens."""

import random

from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue
from f2csp.puzzles.to_problem import to_problem
from f2csp.text.writer import dumps


def sign(smaller: tuple[int, int], greater: tuple[int, int]) -> Sign:
    return Sign(Cell(*smaller), Cell(*greater))


# Line by line of the picture: within row 1, between rows 1 and 2, within row 2, ...
SIGNS = (
    sign((1, 1), (1, 2)),
    sign((1, 4), (1, 3)),
    sign((2, 1), (1, 1)),
    sign((1, 4), (2, 4)),
    sign((2, 2), (2, 1)),
    sign((3, 3), (4, 3)),
    sign((4, 3), (4, 4)),
)
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


def test_the_order_in_which_signs_are_given_is_of_no_matter_nor_how_often() -> None:
    shuffled = list(SIGNS * 2)
    random.Random(7).shuffle(shuffled)
    assert Futoshiki(4, tuple(shuffled)) == Futoshiki(4, SIGNS)
    assert Futoshiki(4, tuple(shuffled)).signs == SIGNS
