"""The constraint graph as a picture and for other programs."""

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given

from f2csp.diagnostics import ProblemError
from f2csp.diagnostics.render import visible
from f2csp.model import Problem, ProblemBuilder
from f2csp.model.views import constraint_graph_edges
from f2csp.puzzles.killer import Cage, Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell
from f2csp.puzzles.to_problem import to_problem
from f2csp.rendering.graph_picture import colours, dot_chunks, graph_picture, graphml_chunks, svg_graph
from f2csp.solving.questions import solve
from f2csp.text.load import load
from tests.conftest import Expected
from tests.rendering.elements import SVG, elements, texts
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


def test_a_result_colours_the_variables() -> None:
    assert "<title>Spain = " in svg_graph(MAP, solve(MAP))
    with pytest.raises(ProblemError):
        svg_graph(MAP, solve(MAP.restricted({"Spain": "red"})))


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


def test_graphml_is_what_networkx_reads() -> None:
    networkx = pytest.importorskip("networkx")
    text = "".join(graphml_chunks(MAP, COLOURED))
    graph = networkx.read_graphml(io.BytesIO(text.encode()))
    assert dict(graph.nodes["France"]) == {"domain": "colour", "value": "red"}
    assert list(graph.edges) == list(MAP.to_networkx().edges)


def test_names_stay_text() -> None:
    names = ("<script>", 'a"b\\', "&amp;")
    problem = graph_of(3, (names[0], names[1]), names=names)
    for text in (graph_picture(problem).svg(), "".join(graphml_chunks(problem, {}))):
        assert not [element for element in ElementTree.fromstring(text).iter() if "script" in element.tag]
    assert '  "<script>" -- "a\\"b\\\\";\n' in "".join(dot_chunks(problem, {}))


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


def test_auxiliary_variables_are_dots_between_cells() -> None:
    cage = Cage(8, (Cell(1, 1), Cell(1, 2), Cell(2, 2)))
    assert texts(graph_picture(to_problem(Killer(4, 2, 2, (cage,)))).svg(), "circle") == ["K1-sum-2"]


def test_values_that_are_names_of_colours_have_these() -> None:
    assert colours({"x": "Red", "y": "blue"}) == {"Red": "#f4a3a3", "blue": "#9fc0f5"}
    found = colours({name: value for value, name in enumerate("abcdefghi")})
    assert len(set(found.values())) == len(found) == 9


def test_a_graph_with_many_variables_is_a_matrix_of_bounded_size() -> None:
    problem = graph_of(5_000, *[(f"x{i}", f"x{i - 1}") for i in range(1, 5_000)])
    picture = graph_picture(problem)
    assert "5,000 variables, 4,999 edges" in picture.body
    assert picture.width < 1_100


def test_a_cell_far_away_does_not_make_the_picture_large() -> None:
    names = ("V1-1", "V999999999-1")
    assert graph_picture(graph_of(2, names, names=names)).height < 1_000


def test_a_graph_that_no_forces_lay_out_is_a_matrix() -> None:
    assert "450 variables, 1 edges" in graph_picture(graph_of(450, ("x1", "x2"))).svg()
