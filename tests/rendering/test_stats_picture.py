"""Histograms of a problem, and the picture of several."""

import re
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from f2csp.model import ProblemBuilder
from f2csp.rendering.stats_picture import _scatter, stats_picture
from tests.rendering.elements import texts


def test_many_numbers_are_ranges_between_round_ones() -> None:
    b = ProblemBuilder("Domains of 1 to 40 values")
    for size in range(1, 41):
        b.domain(f"D{size}", list(range(size)))
        b.variable(f"x{size}", f"D{size}")
    bars = [text for text in texts(stats_picture(b.build()).svg(), "rect") if text]
    assert bars[:9] == ["0: 4", "5: 5", "10: 5", "15: 5", "20: 5", "25: 5", "30: 5", "35: 5", "40: 1"]


def test_labels_of_bars_do_not_overlap() -> None:
    b = ProblemBuilder("Four tables")
    b.domain("D", list(range(1024)))
    for i, n in enumerate((1, 2, 3, 512), 1):
        b.variable(f"x{i}", "D")
        b.accept([f"x{i}"], [(value,) for value in range(n)])
    words = texts(stats_picture(b.build()).svg())
    assert len({"0.000977", "0.00195", "0.00293", "0.5"} & {*words}) < 4


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=60))
def test_labels_of_points_do_not_overlap(places: list[tuple[float, float]]) -> None:
    drawing = "".join(_scatter([(number, *place) for number, place in enumerate(places, 1)]))
    found = re.findall(r'<text x="(\d+)" y="(-?\d+)"[^>]*start">([\d, .]+)</text>', drawing)
    labels = [(int(x), int(y), 6 * len(text)) for x, y, text in found]
    for (x, y, width), (other_x, other_y, _) in permutations(labels, 2):
        assert abs(y - other_y) > 11 or not x <= other_x < x + width
