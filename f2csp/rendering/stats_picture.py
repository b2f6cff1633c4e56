"""Statistics and tables as pictures.

Histograms of one problem; a table of several, and where they are among each other; and a table of tuples as a small
matrix with a filled square for each tuple that it allows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

import numpy as np

from f2csp.arrays import positions_in
from f2csp.diagnostics import counted, listed
from f2csp.model import Problem
from f2csp.rendering.pictures import Picture, elided, escaped, line_path, runs
from f2csp.statistics import Floats, Stats, distributions
from f2csp.structure import supports
from f2csp.structure.constraint_groups import RelationGroup

_WIDTH, _HEIGHT = 300, 150  # of a plot with its words
_LEFT, _TOP, _BOTTOM = 52, 28, 36  # the room for words beside a plot
_MARGIN = 12
_MAX_BARS = 10
_MAX_BAR = 28  # pixels
_SIDE = 360  # of the scatter plot
_ROUND_ENDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)  # of its axes
_ROW = 18
_MAX_ROWS = 60  # of the table
_MAX_NUMBERS = 4  # beside a point
_MAX_NAME = 36  # characters
_COLUMNS = (("variables", 330), ("constraints", 420), ("max arity", 490), ("density", 560), ("mean tightness", 680))
_BAR, _AXIS, _GREY = "#3567a8", "#555", "#ddd"

_SQUARE = 16  # of a matrix
_MAX_LABELLED = 26  # values in a line with words beside them
_MAX_MATRIX = 260  # pixels of a matrix without words, and values of its domains
_MAX_LABEL = 9  # characters
_CHARACTER = 6  # the width of one
_SPACE = 4  # around a matrix
_ALLOWED, _LINE = "#3567a8", "#ccc"


def stats_picture(problem: Problem) -> Picture:
    """Small histograms of domain sizes, arities, degrees and tightness."""
    return _plots(problem, distributions(problem))


def stats_in_words_and_pictures(problem: Problem) -> tuple[list[str], Picture | None]:
    """A sentence for each distribution with one value, and the histograms of the others, if there are any."""
    sentences, varied = [], {}
    for title, numbers in distributions(problem).items():
        values = np.unique([] if numbers is None else numbers)
        if len(values) > 1:
            varied[title] = numbers
        elif len(values):
            sentences.append(f"{title[0].upper()}{title[1:]}: {values[0]:.3g} everywhere.")
    return sentences, _plots(problem, varied) if varied else None


def _plots(problem: Problem, distributions: Mapping[str, Floats | np.ndarray | None]) -> Picture:
    found = distributions.items()
    width, height = _WIDTH + _MARGIN, _HEIGHT + _MARGIN
    places = [(_MARGIN + i % 2 * width, _MARGIN + i // 2 * height, _WIDTH, _HEIGHT) for i in range(len(found))]
    plots = [_histogram(*one).placed(*place) for one, place in zip(found, places, strict=True)]
    title = f"Statistics of {problem.title}" if problem.title else "Statistics"
    n_rows = (len(plots) + 1) // 2
    return Picture(title, 2 * width + _MARGIN, n_rows * height + _MARGIN, "".join(plots))


def _histogram(title: str, numbers: Floats | np.ndarray | None) -> Picture:
    if numbers is None or not len(numbers):
        text = _text(_WIDTH // 2, _HEIGHT // 2, "none" if numbers is not None else "not computed")
        return Picture(title, _WIDTH, _HEIGHT, _text(_WIDTH // 2, 12, title, "bold") + text)
    labels, counts, is_exact = _bars(numbers)
    width, height = _WIDTH - _LEFT, _HEIGHT - _TOP - _BOTTOM
    pitch, most = width / len(counts), max(counts)
    bar, bottom = min(_MAX_BAR, 0.8 * pitch) if is_exact else pitch - 1, _TOP + height
    parts = [_text(_WIDTH // 2, 12, title, "bold"), line_path(f"M{_LEFT} {_TOP}V{bottom}H{_WIDTH}", _AXIS)]
    things = "constraints" if title.endswith("constraints") else "variables"
    parts.append(f'<g transform="translate(12 {_TOP + height // 2}) rotate(-90)">{_text(0, 0, things)}</g>\n')
    parts += [_text(_LEFT - 5, _TOP + 4, f"{most:,}", anchor="end"), _text(_LEFT - 5, bottom + 4, "0", anchor="end")]
    end = -1.0  # of the last label
    for i, (label, count) in enumerate(zip(labels, counts, strict=True)):
        middle, high = _LEFT + pitch * (i + 0.5), max(height * count / most, 1) if count else 0
        place = f'x="{middle - bar / 2:.1f}" y="{bottom - high:.1f}" width="{bar:.1f}" height="{high:.1f}"'
        words = escaped(f"{label}: {count:,}")
        parts += [f'<rect {place} fill="{_BAR}"><title>{words}</title></rect>\n'] if count else []
        at, half = round(middle if is_exact else middle - pitch / 2), _CHARACTER * len(label) / 2
        if at - half > end:
            parts.append(_text(at, bottom + 14, label))
            end = at + half + _SPACE
    return Picture(title, _WIDTH, _HEIGHT, "".join(parts))


def _bars(numbers: Floats | np.ndarray) -> tuple[list[str], list[int], bool]:
    """A bar for each number that occurs, or for ranges from round numbers on if there are many; whether it is exact."""
    values, counts = np.unique(numbers, return_counts=True)
    if len(values) <= _MAX_BARS:
        return [f"{value:.3g}" for value in values.tolist()], counts.tolist(), True
    wanted = (values[-1] - values[0]) / (_MAX_BARS - 2)
    step = min(power * digit for power in 10.0 ** np.arange(-9, 10) for digit in (1, 2, 5) if power * digit >= wanted)
    edges = np.arange(np.floor(values[0] / step), np.floor(values[-1] / step) + 2) * step
    return [f"{edge:.3g}" for edge in edges[:-1].tolist()], np.histogram(numbers, edges)[0].tolist(), False


def comparison_picture(found: Sequence[tuple[str, Stats]]) -> Picture:
    """A table of problems, each with a name, and a plot of all of them by the density of the graph and tightness."""
    rows = [_row("problem", [word for word, _ in _COLUMNS], "bold"), *_rows(found[:_MAX_ROWS])]
    if len(found) > _MAX_ROWS:
        rows.append(_text(_MARGIN, 0, f"first {_MAX_ROWS} shown of {len(found):,}", anchor="start"))
    height = (len(rows) + 1) * _ROW
    table = [f'<g transform="translate(0 {_MARGIN + _ROW * i})">{row}</g>\n' for i, row in enumerate(rows, 1)]
    measured = [(i, one.density, one.tightness) for i, (_, one) in enumerate(found, 1)]
    points = [(i, x, y.mean) for i, x, y in measured if x is not None and y is not None]
    plot = f'<g transform="translate({_LEFT} {height + _MARGIN + _TOP})">\n{"".join(_scatter(points))}</g>\n'
    width, height = _COLUMNS[-1][1] + _MARGIN, height + _MARGIN + _TOP + _SIDE + 2 * _BOTTOM
    return Picture(f"Statistics of {counted(len(found), 'problem')}", width, height, "".join(table) + plot)


def _rows(found: Sequence[tuple[str, Stats]]) -> Iterator[str]:
    for number, (name, stats) in enumerate(found, 1):
        shown = name if len(name) <= _MAX_NAME else f"…{name[1 - _MAX_NAME :]}"
        density = "not computed" if stats.density is None else f"{stats.density:.3g}"
        tightness = "-" if stats.tightness is None else f"{stats.tightness.mean:.3g}"
        arity = str(max(stats.arities, default="-"))
        numbers = (f"{stats.variables:,}", f"{stats.constraints:,}", arity, density, tightness)
        yield _row(f"{number}  {shown}", numbers)


def _row(name: str, words: Sequence[str], weight: str = "normal") -> str:
    cells = [_text(x, 0, word, weight, "end") for word, (_, x) in zip(words, _COLUMNS, strict=True)]
    return _text(_MARGIN, 0, name, weight, "start") + "".join(cells)


def _scatter(points: Sequence[tuple[int, float, float]]) -> Iterator[str]:
    """A numbered point for each problem, both axes from 0 to above the greatest."""
    greatest = [max((point[axis] for point in points), default=1.0) for axis in (1, 2)]
    ends = [next(end for end in _ROUND_ENDS if most <= end or end == 1.0) for most in greatest]
    ticks = [_SIDE * i // 4 for i in range(5)]
    yield line_path("".join([f"M{at} 0v{_SIDE}M0 {at}h{_SIDE}" for at in ticks]), _GREY)
    yield line_path(f"M0 0V{_SIDE}H{_SIDE}", _AXIS)
    for i, at in enumerate(ticks):
        yield _text(at, _SIDE + 16, f"{ends[0] * i / 4:.3g}")
        yield _text(-6, _SIDE - at + 4, f"{ends[1] * i / 4:.3g}", anchor="end")
    yield _text(_SIDE // 2, _SIDE + 36, "density of the constraint graph", "bold")
    yield _text(0, -12, "mean tightness", "bold", "start")
    labels: dict[tuple[int, int], list[int]] = {}
    for number, density, tightness in sorted(points, key=itemgetter(1)):  # as labels grow to the right
        x, y = round(_SIDE * density / ends[0]), _SIDE - round(_SIDE * tightness / ends[1])
        yield f'<circle cx="{x}" cy="{y}" r="4" fill="{_BAR}" fill-opacity="0.7"><title>{number}</title></circle>\n'
        near = (at for at, own in labels.items() if abs(y - at[1]) <= _MARGIN and x - at[0] <= _width_of(own))
        labels.setdefault(next(near, (x, y)), []).append(number)
    for (x, y), numbers in labels.items():
        yield _text(x + 6, y - 4, _numbers(numbers), anchor="start")


def _numbers(numbers: Iterable[int]) -> str:
    return listed(map(str, sorted(numbers)), _MAX_NUMBERS, ", ")


def _width_of(numbers: Iterable[int]) -> int:
    return _CHARACTER * (len(_numbers(numbers)) + 1)


def _text(x: int, y: int, text: str, weight: str = "normal", anchor: str = "middle") -> str:
    bold = ' font-weight="bold"' if weight == "bold" else ""
    return f'<text x="{x}" y="{y}" font-size="11" text-anchor="{anchor}"{bold}>{escaped(text)}</text>\n'


def relation_picture(problem: Problem, group: RelationGroup, title: str) -> Picture | None:
    """The matrix of a table: rows are the values of the first variable; None if it is wider, or too large to draw."""
    domains = [problem.domain_values[domain] for domain in group.domains]
    sizes = [len(values) for values in domains]
    tuples = supports(group.relation, domains) if len(sizes) < 3 and max(sizes) <= _MAX_MATRIX else None
    if tuples is None:
        return None
    is_allowed = np.zeros(sizes if len(sizes) == 2 else [1, *sizes], dtype=np.bool_)
    at = [positions_in(values, tuples[:, i]) for i, values in enumerate(domains)]
    is_allowed[at[0] if len(at) == 2 else 0, at[-1]] = True
    n_rows, n_columns = is_allowed.shape
    has_words = max(n_rows, n_columns) <= _MAX_LABELLED
    words = [[problem.words[word] for word in values.tolist()] if has_words else [] for values in domains]
    square = _SQUARE if has_words else max(1, _MAX_MATRIX // max(n_rows, n_columns))
    left = _SPACE + (_room(words[0]) if len(domains) == 2 else 0)
    top = _SPACE + _room(words[-1])
    width, height = left + n_columns * square + _SPACE, top + n_rows * square + _SPACE
    steps = [f"M{x} 0v{n_rows}" for x in range(n_columns + 1)] + [f"M0 {y}h{n_columns}" for y in range(n_rows + 1)]
    frame = f"M0 0h{n_columns}v{n_rows}h-{n_columns}z"
    lines = line_path("".join(steps) if has_words else frame, _LINE, 1 / square)
    squares = line_path(runs(is_allowed), _ALLOWED)
    body = f'<g transform="translate({left} {top}) scale({square})">\n{squares}{lines}</g>\n'
    body += '<g font-size="10">\n' + "".join(_labels(words, left, top)) + "</g>\n"
    return Picture(title, width, height, body)


def _room(words: Sequence[str]) -> int:
    """The room for words beside a matrix."""
    return _CHARACTER * min(max(map(len, words), default=-1), _MAX_LABEL) + 6 if words else 0


def _labels(words: Sequence[Sequence[str]], left: int, top: int) -> list[str]:
    """The values of the first variable on the left, those of the last above, upwards."""
    rows = words[0] if len(words) == 2 else ()
    middle = _SQUARE // 2 + 3  # a base line
    end = f'x="{left - 4}" text-anchor="end"'
    beside = [(f'{end} y="{top + _SQUARE * i + middle}"', word) for i, word in enumerate(rows)]
    at = [f"translate({left + _SQUARE * i + middle} {top - 4})" for i in range(len(words[-1]))]
    is_upright = max(map(len, words[-1]), default=0) <= 2
    turn, anchor = ("", 'x="-3" text-anchor="middle"') if is_upright else (" rotate(-90)", 'text-anchor="start"')
    above = [(f'{anchor} transform="{place}{turn}"', word) for place, word in zip(at, words[-1], strict=True)]
    return [f"<text {place}>{escaped(elided(word, _MAX_LABEL))}</text>\n" for place, word in (*beside, *above)]
