"""Questions about solutions: uniqueness, counts, completion."""

from collections.abc import Callable

import pytest

import f2csp
from tests.small import problem_of


def colours(*pairs: str) -> f2csp.Problem:
    """A map: the pairs of letters are countries that must differ."""
    tables = [(f"reject {' '.join(pair)}", [("red", "red"), ("green", "green")]) for pair in pairs]
    return problem_of({f"colour: {' '.join(sorted(set(''.join(pairs))))}": ["red", "green"]}, *tables)


QUESTIONS = [f2csp.solve, f2csp.unique, f2csp.count, f2csp.explain, f2csp.stats, f2csp.dumps]
PICTURES = [f2csp.board, f2csp.svg_board, f2csp.svg_graph]


@pytest.mark.parametrize("ask", [*QUESTIONS, *PICTURES, lambda file: f2csp.write(file, "p.csp")])
def test_what_is_no_problem_is_refused(ask: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match=r"expected a Problem, found 'puzzle.csp'; f2csp.read reads one from a file"):
        ask("puzzle.csp")
