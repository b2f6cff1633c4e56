"""``f2csp graph``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from f2csp.cli.failures import guarded
from f2csp.cli.inputs import Choice, InputCommand
from f2csp.cli.options import FILE, OUT, picture_ending, refuse_two_dashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from f2csp.model import Problem, Value

_ENDINGS = (".svg", ".png", ".pdf", ".dot", ".graphml")


@click.command(cls=InputCommand)
@click.argument("file", type=FILE)
@click.option("--output", "-o", **OUT, required=True, help="Write OUT; its ending is the format.")
@click.option("--solution", metavar="SOLUTION", type=FILE, help="Colour the variables by their values.")
def graph(file: str, choice: Choice, output: str, solution: str | None) -> int:
    """Draw the constraint graph of FILE.

    Two variables are adjacent when some scope contains both. OUT ends in .svg, .png or .pdf for a picture, in .dot for
    Graphviz, in .graphml for Gephi, yEd and networkx; - is SVG on standard output. Cells of a puzzle are at their
    places on the board; other graphs are laid out by networkx if it is installed, else on a circle. A graph of more
    than 3,000 edges or 1,000 variables is drawn as a matrix. Of several solutions the first is taken.

    \b
    Examples:
      f2csp graph puzzle.csp -o graph.svg
      f2csp graph map.csp --solution solution.txt -o map.png
      f2csp graph puzzle.csp -o graph.dot
    """
    ending = picture_ending(output, _ENDINGS)
    refuse_two_dashes(file, solution or "")

    def work() -> int:
        from f2csp.files import read_source, write_chunks
        from f2csp.solutions import load_solutions

        problem = choice.one(read_source(file)).problem
        values: Mapping[str, Value] = {}
        if solution is not None:
            values = load_solutions(solution, problem, optional=problem.variable_names)[0]
        write_chunks(_chunks(problem, values, ending), output)
        return 0

    return guarded(work, file)


def _chunks(problem: Problem, values: Mapping[str, Value], ending: str) -> Iterable[bytes]:
    """The content of the file, in pieces."""
    if ending in (".dot", ".graphml"):
        from f2csp.rendering.graph_picture import dot_chunks, graphml_chunks

        chunks = dot_chunks if ending == ".dot" else graphml_chunks
        return (chunk.encode() for chunk in chunks(problem, values))
    from f2csp.rendering.graph_picture import graph_picture
    from f2csp.rendering.pictures import encoded

    return [encoded([graph_picture(problem, values)], ending)]
