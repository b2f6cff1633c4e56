"""Plots of experiments by matplotlib: boxes, lines over a parameter, and cactus plots; readable without colour.

A run that a limit cut short has a hollow mark at what it took up to then, never less than the limit.
"""

from __future__ import annotations

from io import BytesIO
from itertools import cycle
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Any

from f2csp.arrays import grouped
from f2csp.diagnostics import optional_package
from f2csp.experiments.runs import ANSWERS, Run
from f2csp.experiments.table import ALL, row_of, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from f2csp.experiments.experiment import Experiment

_MANY_PROBLEMS = 10  # from which on a cactus plot shows more than boxes
_MARKERS = "osD^vPX*<>"
_DASHES = ("-", "--", "-.", ":")
_HOLLOW: dict[str, Any] = {"linestyle": "none", "markerfacecolor": "white", "zorder": 3}
_CUT: dict[str, Any] = {"marker": ">", "color": "#b3400e", **_HOLLOW}
_POINT: dict[str, Any] = {"marker": "o", "color": "#3567a8", "linestyle": "none", "markersize": 4, "alpha": 0.6}
_CUT_SHORT = "cut short by a limit: more"
_BOX: dict[str, Any] = {"widths": 0.6, "showfliers": False, "medianprops": {"color": "black", "linewidth": 2}}
_LIMIT = "time limit"
_LIMIT_LINE: dict[str, Any] = {"color": "black", "linestyle": ":", "linewidth": 1}
_MAX_PANELS = 12  # of boxes; those of more groups are of all problems
_MAX_TICKS = 10
_FEW_DECADES = 100  # the ratio of the ends of an axis that has labels between powers of ten, too
_PANELS_IN_A_COLUMN = 3
_LEAST = {"cpu": 0.001, "seconds": 0.001}  # a clock that has not moved has no place on a logarithmic axis
_LABELS = {
    "seconds": "time in seconds",
    "cpu": "CPU time in seconds",
    "memory": "memory in MB",
    "satisfiable": "fraction with a solution",
    "nodes": "nodes of the search tree",
    "checks": "constraint checks",
    "generated": "states generated",
    "expanded": "states expanded",
}


def new_figure(n_rows: int, n_columns: int, height: float = 3.6) -> tuple[Figure, list[Axes]]:
    """A figure with panels; raises MissingExtra without matplotlib."""
    optional_package("matplotlib.figure", "drawing a plot", "plots")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(7.0, 3.6 * n_columns + 1), max(4.2, height * n_rows)), layout="constrained", dpi=120)
    panels = figure.subplots(n_rows, n_columns, squeeze=False, sharex=True, sharey=True)
    return figure, list(panels.flat)


def plotted(experiment: Experiment, runs: Sequence[Run], form: str) -> bytes:
    """The plot of an experiment as a file: ``svg``, ``png`` or ``pdf``."""
    varied = _varied(experiment)
    kind = experiment.plot.kind or ("lines" if varied else "cactus" if _n_problems(runs) >= _MANY_PROBLEMS else "boxes")
    figure = {"boxes": _boxes, "lines": _lines, "cactus": _cactus}[kind](experiment, runs)
    if experiment.title:
        figure.suptitle(experiment.title)
    file = BytesIO()
    date = {"svg": "Date", "pdf": "CreationDate"}.get(form)
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "f2csp"}):
        figure.savefig(file, format=form, metadata={date: None} if date else None)
    return file.getvalue()


def _n_problems(runs: Sequence[Run]) -> int:
    return len({run.problem for run in runs})


def _varied(experiment: Experiment) -> list[str]:
    """The parameters of generated problems that have several values, but for the seed."""
    generated = [task.parameters for task in experiment.tasks if "seed" in task.parameters]
    values = grouped(pair for parameters in generated for pair in parameters.items())
    return [key for key, found in values.items() if len(set(found)) > 1 and key != "seed"]


def _styles(engines: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For each configuration a colour, of different lightness, a marker and a dash."""
    from matplotlib import colormaps

    shades = colormaps["viridis"]
    looks = zip(cycle(_MARKERS), cycle(_DASHES), strict=False)
    n = max(1, len(engines) - 1)
    return {
        name: {"color": shades(0.85 * i / n), "marker": marker, "linestyle": dash, "linewidth": 1.5, "markersize": 6}
        for i, (name, (marker, dash)) in enumerate(zip(engines, looks, strict=False))
    }


def _boxes(experiment: Experiment, runs: Sequence[Run]) -> Figure:
    """For each configuration a point for each problem, and a box from quartile to quartile; a panel for each group."""
    groups = grouped((run.group, run) for run in runs)
    of_group = {ALL: list(runs)} if len(groups) > _MAX_PANELS else groups
    engines = list(experiment.engines)
    n_columns = 1 if len(of_group) < _PANELS_IN_A_COLUMN else 2
    figure, panels = new_figure(ceil(len(of_group) / n_columns), n_columns, 0.9 + 0.35 * len(engines))
    are_cut = has_boxes = False
    for panel, (group, some) in zip(panels, of_group.items(), strict=False):
        panel.set_title(group, fontsize=10)
        for place, engine in enumerate(engines):
            found = _values(experiment, [run for run in some if run.engine == engine])
            if len(found) > 1:
                has_boxes = True
                panel.boxplot([value for value, _ in found], positions=[place], orientation="horizontal", **_BOX)
            for number, (value, is_cut) in enumerate(found):
                beside = place + 0.4 * ((0.618 * number + 0.5) % 1 - 0.5)  # the first one at its label
                panel.plot(value, beside, **(_CUT if is_cut else _POINT))
                are_cut |= is_cut
        panel.set_yticks(range(len(engines)), engines, fontsize=9)
        panel.set_ylim(len(engines) - 0.4, -0.6)
        _scale(panel, experiment, "x")
    parts = [_line(label="a problem", **_POINT)]
    parts += [_line(color="black", linewidth=2, label="median, in quartiles")] if has_boxes else []
    parts += [_line(label=_CUT_SHORT, **_CUT)] if are_cut else []
    parts = [] if len(parts) == 1 else parts
    _finish(figure, panels[: len(of_group)], n_columns, _label(experiment), parts)
    return figure


def _values(experiment: Experiment, runs: Sequence[Run]) -> list[tuple[float, bool]]:
    """For each problem the median of its runs, and whether a limit cut any of them short."""
    found = []
    for some in grouped((run.problem, run) for run in runs).values():
        row = row_of("", "", some)
        value, is_cut = row.numbers[experiment.plot.y], row.n_answers < row.runs
        if is_cut and experiment.plot.y in ("cpu", "seconds"):
            value = max(value or 0.0, experiment.seconds)
        if value is not None:
            found.append((_on_axis(value, experiment.plot.y), is_cut))
    return found


def _on_axis(value: float, y: str) -> float:
    return max(value, _LEAST.get(y, value))


def _lines(experiment: Experiment, runs: Sequence[Run]) -> Figure:
    """Medians over a parameter, in a panel for each value of the others; hollow where a run has no answer."""
    varied, y = _varied(experiment), experiment.plot.y
    x = experiment.plot.x or (varied or ["size"])[0]
    others = [key for key in varied if key != x]
    points = grouped((tuple(run.parameters.get(key) for key in others), run) for run in runs if x in run.parameters)
    n_columns = ceil(len(points) ** 0.5)
    figure, panels = new_figure(ceil(len(points) / n_columns), n_columns)
    styles = _styles(list(experiment.engines))
    for panel, (values, some) in zip(panels, points.items(), strict=False):
        panel.set_title(", ".join(f"{key} {value}" for key, value in zip(others, values, strict=True)), fontsize=10)
        for engine, line in grouped((run.engine, run) for run in some).items():
            at_place = grouped((run.parameters[x], run) for run in line)
            rows = [(place, row_of("", engine, at_place[place])) for place in _in_order(at_place)]
            found = [(place, _on_axis(value, y), row) for place, row in rows if (value := row.numbers[y]) is not None]
            panel.plot([place for place, _, _ in found], [value for _, value, _ in found], **styles[engine])
            hollow = [(place, value) for place, value, row in found if row.n_answers < row.runs]
            panel.plot(*zip(*hollow, strict=True), **styles[engine] | _HOLLOW) if hollow else None
        _scale(panel, experiment, "y")
        places = _in_order({run.parameters[x] for run in some})
        if len(places) <= _MAX_TICKS and all(isinstance(place, int) for place in places):
            panel.set_xticks(places)
    parts = [_line(label=name, **styles[name]) for name in experiment.engines]
    parts = [] if len(parts) == 1 else parts
    if y != "satisfiable" and any(row.n_answers < row.runs for row in table(runs)):
        parts.append(_line(color="black", marker="o", label="some " + _CUT_SHORT, **_HOLLOW))
    for panel in panels[::n_columns]:
        panel.set_ylabel(_label(experiment))
    _finish(figure, panels[: len(points)], n_columns, x, parts)
    return figure


def _label(experiment: Experiment) -> str:
    return _LABELS.get(experiment.plot.y, experiment.plot.y)


def _in_order(places: Iterable[Any]) -> list[Any]:
    """The values of a parameter in ascending order, if they are numbers."""
    found = list(places)
    return found if any(isinstance(place, str) for place in found) else sorted(found)


def _cactus(experiment: Experiment, runs: Sequence[Run]) -> Figure:
    """For each configuration the times of the problems that it solves, ascending."""
    from matplotlib.ticker import MaxNLocator

    figure, (panel,) = new_figure(1, 1)
    styles, parts = _styles(list(experiment.engines)), []
    for name in experiment.engines:
        solved = [run for run in runs if run.engine == name and run.status in ANSWERS]
        times = grouped((run.problem, run.cpu) for run in solved if run.cpu is not None)
        ascending = sorted(_on_axis(median(cpu), "cpu") for cpu in times.values())
        panel.plot(range(1, len(ascending) + 1), ascending, **styles[name])
        parts.append(_line(label=f"{name} ({len(times)} of {_n_problems(runs)})", **styles[name]))
    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.set_ylabel("CPU time for one, in seconds")
    _scale(panel, experiment, "y")
    _finish(figure, [panel], 1, "problems solved", parts)
    return figure


def _scale(panel: Axes, experiment: Experiment, axis: str) -> None:
    """Logarithmic, but for fractions, with a line at the limit if that is in sight; counters may be 0."""
    y = experiment.plot.y
    scale = "linear" if y == "satisfiable" else "log" if y in _LABELS else "symlog"
    (panel.set_xscale if axis == "x" else panel.set_yscale)(scale)
    panel.grid(axis=axis, color="0.85", linewidth=0.6)  # type: ignore[arg-type]
    panel.set_axisbelow(True)
    _, most = panel.get_xlim() if axis == "x" else panel.get_ylim()
    if y == "cpu" and most > experiment.seconds / 2:
        mark = panel.axvline if axis == "x" else panel.axhline
        mark(experiment.seconds, label=_LIMIT, **_LIMIT_LINE)


def _finish(figure: Figure, panels: Sequence[Axes], n_columns: int, label: str, parts: Sequence[Artist]) -> None:
    """Label the lowest panels, add the legend, and remove the panels that are not used."""
    from matplotlib.ticker import LogLocator, NullFormatter

    for panel in panels[-n_columns:]:
        panel.set_xlabel(label)
        panel.tick_params(labelbottom=True)
    for axis in (panels[0].xaxis, panels[0].yaxis):  # that all panels share
        low, high = axis.get_view_interval()
        if axis.get_scale() == "log" and high < _FEW_DECADES * low:
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter(NullFormatter())
    for panel in figure.axes[len(panels) :]:
        panel.remove()
    if any(panel.lines and panel.lines[-1].get_label() == _LIMIT for panel in panels):
        parts = [*parts, _line(label=_LIMIT, **_LIMIT_LINE)]
    if parts:
        figure.legend(handles=parts, loc="outside lower center", ncols=min(4, len(parts)), fontsize=9)


def _line(**look: Any) -> Artist:
    from matplotlib.lines import Line2D

    return Line2D([], [], **look)
