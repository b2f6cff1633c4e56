"""``f2csp decode``: what another system's solver printed, as a solution file."""

from __future__ import annotations

import click


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@click.argument("answer")
@click.option("--from", "from_", metavar="FORMAT", required=True, help="The format that the solver was given.")
@click.option("-o", "--output", metavar="OUT", default="-", help="The solution file; standard output without it.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def decode(file: str, answer: str, from_: str, output: str, as_json: bool) -> int:
    """Write the solutions in ANSWER, which a solver printed for the problem in FILE, in the problem's names and values.

    FILE is the F2CSP file that was converted. Whether the constraints hold is for f2csp check to say. Either file may
    be compressed, one of them may be - for standard input.

    \b
    Examples:
      f2csp convert puzzle.csp puzzle.cnf && cadical -q puzzle.cnf > answer.txt
      f2csp decode puzzle.csp answer.txt --from dimacs
    """
    from f2csp.cli.progress import progress
    from f2csp.files import read_source
    from f2csp.formats.foreign import foreign_format
    from f2csp.solutions import dump_solutions
    from f2csp.text.load import load

    if file == answer == "-":
        raise click.UsageError("only one of the two files can be standard input")
    reader = foreign_format(from_).answer_reader()
    with progress("Reading bytes", None) as advance:
        problem = load(file, advance=advance)
    solutions = reader.answers(read_source(answer), problem)
    dump_solutions(solutions, problem, output, form="json" if as_json else "text")
    return 0
