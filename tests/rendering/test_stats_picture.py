"""Histograms of a problem, and the picture of several."""

import pytest

from f2csp.model import ProblemBuilder
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell
from f2csp.puzzles.to_problem import to_problem
from f2csp.rendering.stats_picture import comparison_picture, stats_picture
from f2csp.statistics import stats
from tests.rendering.elements import texts


def test_each_bar_says_what_it_counts() -> None:
    futoshiki = Futoshiki(3, (Sign(Cell(1, 1), Cell(1, 2)),))
    bars = [text for text in texts(stats_picture(to_problem(futoshiki)).svg(), "rect") if text]
    assert bars == ["3: 9", "2: 19", "4: 9", "0.333: 18", "0.667: 1"]


def test_many_numbers_are_ranges_between_round_ones() -> None:
    b = ProblemBuilder("Domains of 1 to 40 values")
    for size in range(1, 41):
        b.domain(f"D{size}", list(range(size)))
        b.variable(f"x{size}", f"D{size}")
    bars = [text for text in texts(stats_picture(b.build()).svg(), "rect") if text]
    assert bars[:9] == ["0: 4", "5: 5", "10: 5", "15: 5", "20: 5", "25: 5", "30: 5", "35: 5", "40: 1"]


def test_an_empty_problem_has_a_picture() -> None:
    assert texts(stats_picture(ProblemBuilder("").build()).svg()).count("none") == 4


@pytest.mark.parametrize(("n", "is_cut"), [(2, False), (60, False), (70, True)])
def test_problems_are_rows_and_points(n: int, is_cut: bool) -> None:
    square = stats(to_problem(LatinSquare(3)))
    empty = stats(ProblemBuilder("").build())  # has neither density nor tightness
    picture = comparison_picture([("<empty>", empty), *[(f"square-{i}", square) for i in range(1, n)]])
    words = texts(picture.svg())
    assert "1  <empty>" in words
    assert "2  square-1" in words
    assert (f"first 60 shown of {n}" in words) == is_cut
    assert len(texts(picture.svg(), "circle")) == n - 1


def test_no_number_of_a_point_is_lost() -> None:
    found = [(f"{n}", stats(to_problem(LatinSquare(n)))) for n in (2, 3, 3, 3, 4)]
    words = texts(comparison_picture(found).svg())
    assert {"1", "2, 3, 4", "5"} <= {*words}


def test_labels_of_bars_do_not_overlap() -> None:
    b = ProblemBuilder("Four tables")
    b.domain("D", list(range(1024)))
    for i, n in enumerate((1, 2, 3, 512), 1):
        b.variable(f"x{i}", "D")
        b.accept([f"x{i}"], [(value,) for value in range(n)])
    words = texts(stats_picture(b.build()).svg())
    assert len({"0.000977", "0.00195", "0.00293", "0.5"} & {*words}) < 4
