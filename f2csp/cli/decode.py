"""``f2csp decode``."""

from __future__ import annotations

import click

from f2csp.cli.options import Command, refuse_two_dashes


@click.command(cls=Command)
@click.argument("file")
@click.argument("answer")
@click.option("--from", "from_", metavar="FORMAT", required=True, help="Format of the file that the solver read.")
@click.option("-o", "--output", metavar="OUT", default="-", help="Write to OUT (default: standard output).")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def decode(file: str, answer: str, from_: str, output: str, as_json: bool) -> int:
    """Turn a foreign solver's ANSWER into a solution file.

    FILE is the F2CSP file from which the solver's input was converted; the solutions have its names and values. The
    constraints are not checked (see f2csp check). Either file may be compressed, one of them may be - for standard
    input.

    \b
    Examples:
      f2csp convert puzzle.csp puzzle.cnf && cadical -q puzzle.cnf > answer.txt
      f2csp decode puzzle.csp answer.txt --from dimacs
    """
    from f2csp.cli.inputs import load_problem
    from f2csp.files import read_source
    from f2csp.formats.foreign import foreign_format
    from f2csp.solutions import dump_solutions

    refuse_two_dashes(file, answer)
    reader = foreign_format(from_).answer_reader()
    problem = load_problem(file)
    solutions = reader.answers(read_source(answer), problem)
    dump_solutions(solutions, problem, output, form="json" if as_json else "text")
    return 0
