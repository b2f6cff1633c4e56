"""The constraint graph for other programs.

DOT, the language of Graphviz (https://graphviz.org/doc/info/lang.html):

    graph "Map of two countries" {
      "France" [domain="colour"];
      "Spain" [domain="colour"];
      "France" -- "Spain";
    }

GraphML, in XML, which Gephi, yEd and networkx read (http://graphml.graphdrawing.org/specification.html).
"""

from collections.abc import Iterator, Mapping

from f2csp.model import Problem, Value
from f2csp.model.constraint_graph import constraint_graph_edges
from f2csp.puzzles.puzzle import cell_of
from f2csp.rendering.graph_picture import colours
from f2csp.rendering.pictures import escaped

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"


def dot_chunks(problem: Problem, values: Mapping[str, Value]) -> Iterator[str]:
    """The constraint graph in DOT; cells have their places, and variables with values their colours."""
    colour = colours(values)
    names = [_quoted(name) for name in problem.variable_names]
    yield f"graph {_quoted(problem.title)} {{\n"
    for node, name, domain in _nodes(problem):
        attributes = [f"domain={_quoted(domain)}"]
        if (cell := cell_of(name)) is not None:
            attributes.append(f'pos="{cell.column},{-cell.row}!"')
        if name in values:
            word = str(values[name])
            attributes += [f"value={_quoted(word)}", "style=filled", f'fillcolor="{colour[word]}"']
        yield f"  {names[node]} [{', '.join(attributes)}];\n"
    for one, other in _edges(problem):
        yield f"  {names[one]} -- {names[other]};\n"
    yield "}\n"


def graphml_chunks(problem: Problem, values: Mapping[str, Value]) -> Iterator[str]:
    """The constraint graph in GraphML; nodes have a domain, and perhaps a value."""
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{_GRAPHML}">\n'
    for key in ("domain", "value"):
        yield f'<key id="{key}" for="node" attr.name="{key}" attr.type="string"/>\n'
    yield '<graph edgedefault="undirected">\n'
    names = [escaped(name) for name in problem.variable_names]
    for node, name, domain in _nodes(problem):
        value = f'<data key="value">{escaped(str(values[name]))}</data>' if name in values else ""
        yield f'<node id="{names[node]}"><data key="domain">{escaped(domain)}</data>{value}</node>\n'
    for one, other in _edges(problem):
        yield f'<edge source="{names[one]}" target="{names[other]}"/>\n'
    yield "</graph>\n</graphml>\n"


def _nodes(problem: Problem) -> Iterator[tuple[int, str, str]]:
    """The index, the name and the domain of each variable."""
    domains = problem.variable_domains.tolist()
    for node, (name, domain) in enumerate(zip(problem.variable_names, domains, strict=True)):
        yield node, name, problem.domain_names[domain]


def _edges(problem: Problem) -> Iterator[tuple[int, int]]:
    for key in constraint_graph_edges(problem).tolist():
        yield divmod(key, problem.n_variables)


def _quoted(text: str) -> str:
    """A string of DOT; a backslash would begin a sequence such as the one for the name of the node."""
    escaped_text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped_text}"'
