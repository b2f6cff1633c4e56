"""DIMACS graphs, read as the colouring of their vertices with K colours, where neighbours differ.

    c The triangle
    p edge 3 3
    e 1 2
    e 2 3
    e 1 3

An edge may be written in both directions, and more than once. A loop, as in the well-known ``homer.col``, is left out:
as a constraint it would leave its vertex no colour. Lines n, d, v and x belong to other problems, and
comments may be in any encoding.

Specification: "Clique and Coloring Problems Graph Format", DIMACS 1993
"""

import re

import numpy as np

from f2csp.diagnostics import Collector, F2cspError, Source, brief
from f2csp.files import checked
from f2csp.model import Problem, ProblemBuilder

_BINARY = re.compile(rb"\s*+([0-9]++)[ \t\r]*+\n")  # the length of the preamble
_COMMENT = re.compile(rb"^[ \t]*+c[^\n\r]*+", re.MULTILINE)
_LINE = re.compile(rb"^[ \t]*+([^\scndvx][^\s]*+[^\n\r]*+)", re.MULTILINE)
_HEADER = re.compile(rb"p[ \t]+(?:edges?|col)[ \t]+([0-9]{1,9})[ \t]+([0-9]{1,18})[ \t]*")
_EDGE = re.compile(rb"e[ \t]+([0-9]{1,9})[ \t]+([0-9]{1,9})[ \t]*")
_MAX_COLOURS = 100_000
_MAX_ISOLATED = 1_000_000  # vertices that a file may declare without edges: each takes memory


def read(source: Source, *, colours: int | None = None) -> Problem:
    """Read a graph; raises F2cspError without the number of colours, which the text does not give."""
    n_vertices, edges = read_graph(source)
    if type(colours) is not int or not 1 <= colours <= _MAX_COLOURS:
        raise F2cspError(f"{source.name} is a graph: give the number of colours, 1 to {_MAX_COLOURS}, with --colours")
    builder = ProblemBuilder(f"Graph colouring with {colours} colours")
    builder.domain("colour", range(1, colours + 1))
    for vertex in range(1, n_vertices + 1):
        builder.variable(f"v{vertex}", "colour")
    if edges:
        builder.reject_many(np.array([*edges]) - 1, [(colour, colour) for colour in range(1, colours + 1)])
    return builder.build()


def read_graph(source: Source) -> tuple[int, dict[tuple[int, int], None]]:
    """The number of vertices, and the edges in order, each once with the smaller vertex first, without loops."""
    collector = Collector(source)
    if binary := _BINARY.match(source.data, source.start):
        message = "a graph in the binary format .col.b is not supported"
        collector.add("F502", *binary.span(1), message, hint="convert it with bin2asc of DIMACS")
        collector.raise_if_errors()
    checked(Source(source.name, _COMMENT.sub(lambda comment: b" " * len(comment[0]), source.data)))
    header, n_vertices, n_lines, edges = None, 0, 0, dict[tuple[int, int], None]()
    for line in _LINE.finditer(source.data, source.start):
        place, text = line.span(1), brief(line[1].decode("utf-8", "replace").strip())
        if header is None:
            if (header := _HEADER.fullmatch(source.data, *place)) is None:
                hint = "write p edge, the number of vertices and the number of edges"
                collector.add("F501", *place, f"expected a line p edge, found {text}", hint=hint)
                break
            n_vertices = int(header[1])
        elif (edge := _EDGE.fullmatch(source.data, *place)) is None:
            collector.add("F501", *place, f"expected an edge such as e 1 2, found {text}")
        else:
            first, last = sorted((int(edge[1]), int(edge[2])))
            n_lines += 1
            edges[first, last] = None
            if first < 1 or last > n_vertices:
                collector.add("F503", *place, f"expected vertices from 1 to {n_vertices}, found {first} and {last}")
    proper = {edge: None for edge in edges if edge[0] != edge[1]}
    if header is None:
        end = len(source.data)
        collector.raise_if_errors()
        collector.add("F507", end, end, "the text ends before the line p edge")
    elif n_vertices > 2 * len(edges) + _MAX_ISOLATED:
        hint = f"declare at most {_MAX_ISOLATED} vertices that have no edges"
        collector.add("F506", *header.span(1), f"declared {n_vertices} vertices for {len(edges)} edges", hint=hint)
    elif int(header[2]) not in (n_lines, *(n * len(some) for some in (edges, proper) for n in (1, 2))):
        collector.add("F506", *header.span(2), f"declared {int(header[2])} edges, found {len(edges)}")
    collector.raise_if_errors()
    return n_vertices, proper
