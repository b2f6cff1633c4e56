"""Plots, by the texts and marks of their SVG: numbers of problems are whole, and every mark is in its panel."""

import re
from collections.abc import Sequence

import pytest

from f2csp.experiments.experiment import Experiment, Plot, Task
from f2csp.experiments.plots import plotted
from f2csp.experiments.runs import Run
from f2csp.model import ProblemBuilder

pytest.importorskip("matplotlib")


def plot_of(kind: str, times: Sequence[float]) -> str:
    """The plot of an engine that solves problems in these times."""
    runs = [
        Run("list.sdm", i, "list.sdm", {}, "A", "search", 1, "satisfiable", seconds, seconds)
        for i, seconds in enumerate(times, 1)
    ]
    tasks = [Task("list.sdm", ProblemBuilder().build, index=i) for i in range(1, len(times) + 1)]
    return plotted(Experiment(tasks, {"A": "search"}, plot=Plot(kind)), runs, "svg").decode()


def words_of(plot: str) -> list[str]:
    return re.findall(r"<!-- (.*?) -->", plot)


def marks_of(plot: str, color: str) -> list[tuple[float, float]]:
    """The places of the marks in a colour."""
    uses = re.findall(rf'<use xlink:href="#\w+" x="([\d.-]+)" y="([\d.-]+)" style="[^"]*{color}', plot)
    return [(float(x), float(y)) for x, y in uses]


def test_a_cactus_plot_counts_in_whole_problems_and_shows_times_of_zero() -> None:
    plot = plot_of("cactus", [0.0, 0.0, 0.01, 0.1, 2.0])
    numbers = [word for word in words_of(plot) if re.fullmatch(r"[\d.]+", word)]
    assert [word for word in numbers if "." in word] == []
    assert {"1", "2", "3", "4", "5"} <= {*numbers}
    assert "A (5 of 5)" in words_of(plot)
    corners = r"M ([\d.]+) ([\d.]+) \nL ([\d.]+) [\d.]+ \nL [\d.]+ ([\d.]+)"
    (panel,) = re.findall(rf'<g id="patch_2">\s*<path d="{corners}', plot)
    left, bottom, right, top = map(float, panel)
    marks = [(x, y) for x, y in marks_of(plot, "#440154") if y < bottom + 1]  # that of the legend is below
    assert len(marks) == 5
    assert all(left <= x <= right and top <= y <= bottom for x, y in marks)


def test_the_only_point_of_a_row_is_at_its_label() -> None:
    plot = plot_of("boxes", [0.5])
    ((_, y),) = marks_of(plot, "#3567a8")
    (tick,) = re.findall(r'<g id="ytick_1">.*?<use xlink:href="#\w+" x="[\d.]+" y="([\d.]+)"', plot, re.DOTALL)
    assert y == pytest.approx(float(tick))
    assert "a problem" not in words_of(plot)
    assert "median, in quartiles" in words_of(plot_of("boxes", [0.5, 0.7]))
