"""The constraint graph as a picture and for other programs."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given

from f2csp.diagnostics.render import visible
from f2csp.model import Problem, ProblemBuilder
from f2csp.model.views import constraint_graph_edges
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.to_problem import to_problem
from f2csp.rendering.graph_picture import dot_chunks, graph_picture, graphml_chunks, svg_graph
from f2csp.text.load import load
from tests.conftest import Expected
from tests.rendering.elements import SVG, elements
from tests.strategies import examples, problems

MAP = load(Path(__file__).parents[2] / "samples" / "map.csp")
COLOURED = {"France": "red", "Spain": "green"}


def graph_of(n: int, *pairs: tuple[str, str], names: tuple[str, ...] = ()) -> Problem:
    builder = ProblemBuilder("<script>alert()</script>")
    builder.domain("d", [1, 2])
    for name in names or [f"x{i}" for i in range(n)]:
        builder.variable(name, "d")
    for pair in pairs:
        builder.all_different(list(pair))
    return builder.build()


def test_a_map_and_cells(expected: Expected) -> None:
    expected("svg/map.svg", svg_graph(MAP, COLOURED))
    expected("svg/graph-of-cells.svg", svg_graph(to_problem(LatinSquare(3))))
    expected("svg/matrix.svg", svg_graph(to_problem(LatinSquare(16)), {"V1-1": 1, "V1-2": 2}))
    expected("graph.dot", "".join(dot_chunks(MAP, COLOURED)))
    expected("graph.graphml", "".join(graphml_chunks(MAP, COLOURED)))


@given(problems())
@examples(30)
def test_every_graph_is_xml_with_all_nodes_and_edges(problem: Problem) -> None:
    groups = elements(graph_picture(problem).svg(), "g")
    assert set(map(visible, problem.variable_names)) == {
        title.text for group in groups for title in group.iter(f"{SVG}title")
    }
    graph = ElementTree.fromstring("".join(graphml_chunks(problem, {})))
    kinds = [element.tag.rpartition("}")[2] for element in graph.iter()]
    n_edges = len(constraint_graph_edges(problem))
    assert (kinds.count("node"), kinds.count("edge")) == (problem.n_variables, n_edges)
    assert "".join(dot_chunks(problem, {})).count(" -- ") >= n_edges


@pytest.mark.parametrize("n", [0, 1, 2, 3, 40, 400])
def test_no_two_nodes_overlap(n: int) -> None:
    problem = graph_of(n, *[(f"x{i}", f"x{i // 2}") for i in range(1, n) if i % 9])
    root = ElementTree.fromstring(graph_picture(problem).svg())
    boxes = [[float(rect.attrib[key]) for key in ("x", "y", "width", "height")] for rect in root.iter(f"{SVG}rect")][1:]
    assert len(boxes) == n
    for i, (x, y, width, height) in enumerate(boxes):
        assert 0 < x < float(root.attrib["width"]) - width
        assert 0 < y < float(root.attrib["height"]) - height
        assert all(abs(x - box[0]) >= width or abs(y - box[1]) >= height for box in boxes[:i])
