"""The constraint graph, as a picture and for other programs.

The picture has nodes and lines, or is a matrix where there are too many lines to see them apart. Cells are at their
places on the board, and lines along a row or a column are bent around the cells between. Other graphs are laid out by
forces between their nodes.

DOT is the language of Graphviz (https://graphviz.org/doc/info/lang.html):

    graph "Map of two countries" {
      "France" [domain="colour"];
      "Spain" [domain="colour"];
      "France" -- "Spain";
    }

GraphML, in XML, is read by Gephi, yEd and networkx (http://graphml.graphdrawing.org/specification.html).
"""

from collections.abc import Callable, Iterator, Mapping
from colorsys import hls_to_rgb
from math import gcd, hypot
from re import findall

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import count_each
from f2csp.diagnostics import counted
from f2csp.model import HasSolution, Offsets, Problem, Value, assignment_of, expect_problem
from f2csp.model.views import constraint_graph_edges
from f2csp.puzzles.puzzle import cell_of
from f2csp.rendering.pictures import Picture, elided, escaped, line_path, runs, xml_text

Places = NDArray[np.float64]

_MAX_EDGES = 3_000  # as lines
_MAX_NODES = 1_000  # on a board
_MAX_FORCED_NODES = 400  # of a layout by forces
_MAX_CELLS = 256  # in a line of a grid
_MAX_STEPS = 400
_MAX_MOVES = 20_000  # of nodes
_GRAVITY = 1.5  # towards the middle
_MAX_LABEL = 24  # characters
_MARGIN = 24
_HEADING = 24
_NODE_HEIGHT = 30
_CHARACTER = 6  # the width of one of a label
_MATRIX_SIDE = 720  # pixels, or one for each variable
_MAX_BINS = 1_024  # rows and columns of a matrix
_MAX_SHIFTS = 200  # of nodes that overlap
_LEVELS = 4  # of grey
_EDGE, _PLAIN = "#555", "#eee"
# Values that are the names of colours, and lighter shades of them.
_NAMED: dict[str, str] = dict(
    findall(
        r"(\w+) (#\w+)",
        "red #f4a3a3, green #a5d6a7, blue #9fc0f5, yellow #fff3a0, orange #ffcf8f, purple #d3b0e6, pink #fbc8d9, "
        "brown #d2b8a3, black #9e9e9e, white #fff, grey #d5d5d5, gray #d5d5d5, cyan #a6e6ea, magenta #f3aee8",
    )
)
_GRAPHML = "http://graphml.graphdrawing.org/xmlns"


def svg_graph(problem: Problem, solution: Mapping[str, Value] | HasSolution | None = None) -> str:
    """The constraint graph as SVG: variables are adjacent when some scope contains both.

    Args:
        problem: the problem.
        solution: colours the variables by their values; variables may be missing.

    Raises:
        ProblemError: the result has no solution.

    Example:
        >>> from f2csp import generate
        >>> svg_graph(generate("queens", size=4), {"Q1": 1}).count("<text")
        5
    """
    expect_problem(problem)
    return graph_picture(problem, None if solution is None else assignment_of(solution)).svg()


def graph_picture(problem: Problem, values: Mapping[str, Value] | None = None) -> Picture:
    """The picture of the constraint graph, coloured by values; a matrix for more than 3,000 edges or too many nodes."""
    edges = constraint_graph_edges(problem)
    pairs = np.stack((edges // max(problem.n_variables, 1), edges % max(problem.n_variables, 1)), axis=1)
    if is_drawn_as_matrix(problem, len(pairs)):
        return _matrix(problem, pairs, values or {})
    return _Graph(problem, pairs, values or {}).picture()


def is_drawn_as_matrix(problem: Problem, n_edges: int) -> bool:
    most = _MAX_NODES if any(map(cell_of, problem.variable_names)) else _MAX_FORCED_NODES
    return n_edges > _MAX_EDGES or problem.n_variables > most


def colours(values: Mapping[str, Value]) -> dict[str, str]:
    """A colour for each value, by its word: the one that it names if all do, else a hue of its own."""
    words = list(dict.fromkeys(map(str, values.values())))
    if words and all(word.lower() in _NAMED for word in words):
        return {word: _NAMED[word.lower()] for word in words}
    words.sort(key=lambda word: (len(word), word))
    pale = [hls_to_rgb(i / len(words), 0.84 - i % 2 * 0.08, 0.75) for i in range(len(words))]
    shades = ["#" + "".join([f"{round(255 * part):02x}" for part in rgb]) for rgb in pale]
    return dict(zip(words, shades, strict=True))


class _Graph:
    def __init__(self, problem: Problem, pairs: Offsets, values: Mapping[str, Value]) -> None:
        self._title = problem.title
        self._names = names = problem.variable_names
        self._pairs: list[tuple[int, int]] = [(one, other) for one, other in pairs.tolist()]
        self._values = values
        self._labels = [elided(name, _MAX_LABEL) for name in self._names]
        cells = {i: cell for i, name in enumerate(self._names) if (cell := cell_of(name))}
        if any(max(cell) > _MAX_CELLS for cell in cells.values()):
            cells = {}
        self._is_grid = bool(cells)
        self._is_dot = [self._is_grid and i not in cells for i in range(len(self._names))]  # an auxiliary variable
        shown = [(len(self._labels[i]), len(str(values.get(names[i], "")))) for i in cells or range(len(names))]
        self._node_width = max(_NODE_HEIGHT, _CHARACTER * min(max(map(max, shown), default=0), _MAX_LABEL) + 8)
        self._pitch = 2 * self._node_width
        if self._is_grid:
            self._places = np.full((len(self._names), 2), np.nan)
            for i, cell in cells.items():
                self._places[i] = cell.column, cell.row
            self._place_dots()
            self._places *= self._pitch
        else:
            self._places = self._spread(_laid_out(len(self._names), self._pairs) * self._pitch)

    def _place_dots(self) -> None:
        """Put auxiliary variables near the middle of the cells that they are adjacent to, and the rest below."""
        near: list[list[int]] = [[] for _ in self._names]
        for one, other in self._pairs:
            if self._is_dot[one] != self._is_dot[other]:
                near[one].append(other)
                near[other].append(one)
        below = np.array([1, np.nanmax(self._places[:, 1])])
        for i, is_dot in enumerate(self._is_dot):
            if is_dot:
                middle = self._places[near[i]].mean(axis=0) if near[i] else below
                # Between four cells; golden numbers make it unlikely that two are at one place.
                angle, distance = 2.4 * i, 0.25 * (0.618 * i % 1) ** 0.5
                aside = distance * np.array([np.cos(angle), np.sin(angle)])
                self._places[i] = np.floor(middle) + 0.5 + aside

    def _spread(self, places: Places) -> Places:
        """Move overlapping nodes apart, each the shorter way."""
        size = np.array([self._node_width + 8, _NODE_HEIGHT + 8])
        order = np.arange(len(places))
        direction = np.sign(order[:, None] - order)  # of two nodes at one place
        for _ in range(_MAX_SHIFTS):
            apart = places[:, None] - places
            overlap = size - np.abs(apart)
            is_near = (overlap > 0).all(axis=2) & (direction != 0)
            if not is_near.any():
                break
            for axis in (0, 1):
                shorter = is_near & (overlap[:, :, axis] <= overlap[:, :, 1 - axis])
                sign = np.where(apart[:, :, axis] == 0, direction, np.sign(apart[:, :, axis]))
                places[:, axis] += np.where(shorter, sign * (overlap[:, :, axis] / 2 + 1), 0).sum(axis=1)
        return places

    def picture(self) -> Picture:
        bends = [self._bend(one, other) for one, other in self._pairs]
        points = [*self._places.tolist(), *(bend for bend in bends if bend is not None)]
        left, top = (min((point[axis] for point in points), default=0.0) for axis in (0, 1))
        right, bottom = (max((point[axis] for point in points), default=0.0) for axis in (0, 1))
        dx, dy = _MARGIN + self._node_width / 2 - left, _MARGIN + _NODE_HEIGHT / 2 - top
        at = np.round(self._places + np.array([dx, dy])).astype(int).tolist()
        steps = []
        for (one, other), bend in zip(self._pairs, bends, strict=True):
            (x, y), (end_x, end_y) = at[one], at[other]
            # A curve comes half as near to its control point as the middle of its ends.
            via = "L"
            if bend is not None:
                via = f"Q{2 * (bend[0] + dx) - (x + end_x) / 2:.0f} {2 * (bend[1] + dy) - (y + end_y) / 2:.0f} "
            steps.append(f"M{x} {y}{via}{end_x} {end_y}")
        width, height = round(right + dx + self._node_width / 2) + _MARGIN, round(bottom + dy) + 15 + _MARGIN
        opacity = min(0.8, max(0.2, 10 / (len(steps) + 1) ** 0.5))
        lines = line_path("".join(steps), _EDGE, 1, f' stroke-opacity="{opacity:.2g}"')
        nodes = '<g font-size="10" text-anchor="middle" stroke="none">\n' + "".join(self._nodes(at)) + "</g>\n"
        return Picture(self._title, width, height, lines + nodes)

    def _bend(self, one: int, other: int) -> tuple[float, float] | None:
        """The middle of a line that would cross other cells if it was straight."""
        if self._is_dot[one] or self._is_dot[other] or not self._is_grid:
            return None
        (x, y), (end_x, end_y) = self._places[one].tolist(), self._places[other].tolist()
        across, down = round((end_x - x) / self._pitch), round((end_y - y) / self._pitch)
        if gcd(across, down) < 2:
            return None
        length = hypot(across, down)
        aside = (self._node_width / 2 + 4 + 0.03 * length * self._pitch) / length
        return (x + end_x) / 2 - down * aside, (y + end_y) / 2 - across * aside

    def _nodes(self, places: list[list[int]]) -> Iterator[str]:
        colour = colours(self._values)
        for i, ((x, y), name) in enumerate(zip(places, self._names, strict=True)):
            value = str(self._values[name]) if name in self._values else None
            fill = _PLAIN if value is None else colour[value]
            title = f"<title>{escaped(name if value is None else f'{name} = {value}')}</title>"
            if self._is_dot[i]:
                yield f'<circle cx="{x}" cy="{y}" r="4" fill="{fill}" stroke="#555">{title}</circle>\n'
                continue
            left, top = x - self._node_width // 2, y - _NODE_HEIGHT // 2
            yield (
                f'<g>{title}<rect x="{left}" y="{top}" width="{self._node_width}" height="{_NODE_HEIGHT}" rx="15" '
                f'fill="{fill}" stroke="#555"/><text x="{x}" y="{y + (4 if value is None else -2)}">'
                f"{escaped(self._labels[i])}</text>"
            )
            if value is not None:
                yield f'<text x="{x}" y="{y + 10}" font-weight="bold">{escaped(elided(value, _MAX_LABEL))}</text>'
            yield "</g>\n"


def _laid_out(n: int, pairs: list[tuple[int, int]]) -> Places:
    """Places for nodes, neighbours about one apart.

    Nodes repel each other, neighbours attract each other, and the middle attracts all.

    Source:
        T. Fruchterman and E. Reingold, "Graph drawing by force-directed placement", 1991.
    """
    angles = 2 * np.pi * np.arange(n) / max(n, 1) - np.pi / 2
    places: Places = np.stack((np.cos(angles), np.sin(angles)), axis=1) * max(0.7, n / (2 * np.pi))
    is_adjacent = np.zeros((n, n), dtype=np.bool_)
    for one, other in pairs:
        is_adjacent[one, other] = is_adjacent[other, one] = True
    n_steps = min(_MAX_STEPS, _MAX_MOVES // n) if n > 2 else 0
    for longest in np.linspace(n**0.5 / 4, 0, n_steps, endpoint=False):
        apart = places[:, None] - places
        distance = np.maximum(np.hypot(apart[:, :, 0], apart[:, :, 1]), 0.01)
        strength = 1 / distance**2 - np.where(is_adjacent, distance, 0)
        force = (apart * strength[:, :, None]).sum(axis=1) - _GRAVITY * places
        length = np.maximum(np.hypot(force[:, 0], force[:, 1]), 0.01)
        places += force * (np.minimum(length, longest) / length)[:, None]
    return places


def _matrix(problem: Problem, pairs: Offsets, values: Mapping[str, Value]) -> Picture:
    """A square for each pair of adjacent variables, in their order; a grey square represents several pairs."""
    n = problem.n_variables
    n_bins = min(n, _MAX_BINS)
    places = pairs * n_bins // n
    counts = count_each(places[:, 0] * n_bins + places[:, 1], n_bins * n_bins).reshape(n_bins, n_bins)
    counts += counts.T
    levels = np.ceil(np.minimum(counts * (n_bins / n) ** 2, 1) * _LEVELS)
    size = max(1, _MATRIX_SIDE // n_bins)
    parts = []
    for level in range(1, _LEVELS + 1):
        grey = 0.3 + 0.7 * level / _LEVELS
        parts.append(line_path(runs(levels == level), "#234", 1, f' stroke-opacity="{grey:g}"'))
    if n_bins == n:
        found = [str(values.get(name, "")) for name in problem.variable_names]
        shades = colours(values) | {"": "#ccc"}
        words = dict.fromkeys(found)
        parts += [line_path(runs(np.diag([one == word for one in found])), shades[word]) for word in words]
    side = n_bins * size
    width, height = side + 2 * _MARGIN, side + 2 * _MARGIN + _HEADING
    caption = f"{counted(n, 'variable')}, {counted(len(pairs), 'edge')} of the constraint graph"
    top = _MARGIN + _HEADING
    body = (
        f'<text x="{_MARGIN}" y="{_MARGIN + 8}" font-size="14">{caption}</text>\n'
        f'<g transform="translate({_MARGIN} {top}) scale({size})">\n{"".join(parts)}</g>\n'
    )
    frame = line_path(f"M{_MARGIN - 1} {top - 1}h{side + 1}v{side + 1}h-{side + 1}z", "#555")
    return Picture(problem.title, width, height, body + frame)


def dot_chunks(problem: Problem, values: Mapping[str, Value]) -> Iterator[str]:
    """The constraint graph in DOT; cells have their places, and variables with values their colours."""
    colour = colours(values)
    yield f"graph {_quoted(problem.title)} {{\n"
    for name, domain in _nodes(problem):
        attributes = [f"domain={_quoted(domain)}"]
        if (cell := cell_of(name)) is not None:
            attributes.append(f'pos="{cell.column},{-cell.row}!"')
        if name in values:
            word = str(values[name])
            attributes += [f"value={_quoted(word)}", "style=filled", f'fillcolor="{colour[word]}"']
        yield f"  {_quoted(name)} [{', '.join(attributes)}];\n"
    for one, other in _edges(problem, _quoted):
        yield f"  {one} -- {other};\n"
    yield "}\n"


def graphml_chunks(problem: Problem, values: Mapping[str, Value]) -> Iterator[str]:
    """The constraint graph in GraphML; nodes have a domain, and perhaps a value."""
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{_GRAPHML}">\n'
    for key in ("domain", "value"):
        yield f'<key id="{key}" for="node" attr.name="{key}" attr.type="string"/>\n'
    yield '<graph edgedefault="undirected">\n'
    for name, domain in _nodes(problem):
        value = f'<data key="value">{xml_text(str(values[name]))}</data>' if name in values else ""
        yield f'<node id="{xml_text(name)}"><data key="domain">{xml_text(domain)}</data>{value}</node>\n'
    for one, other in _edges(problem, xml_text):
        yield f'<edge source="{one}" target="{other}"/>\n'
    yield "</graph>\n</graphml>\n"


def _nodes(problem: Problem) -> Iterator[tuple[str, str]]:
    domains = [problem.domain_names[domain] for domain in problem.variable_domains.tolist()]
    return zip(problem.variable_names, domains, strict=True)


def _edges(problem: Problem, spelled: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    names = list(map(spelled, problem.variable_names))
    for key in constraint_graph_edges(problem).tolist():
        yield names[key // len(names)], names[key % len(names)]


def _quoted(text: str) -> str:
    """A string of DOT; a backslash would begin a sequence such as the one for the name of the node."""
    escaped_text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped_text}"'
