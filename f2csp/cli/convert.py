"""``f2csp convert``: a puzzle file becomes F2CSP, F2CSP becomes a puzzle file, and one puzzle format another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from f2csp.cli.inputs import F2CSP, is_problem, read_problem
from f2csp.cli.puzzle import BOX, DISTINCT_LINES, FROM, INDEX, TEXT, read_one, source_and_output

if TYPE_CHECKING:
    from f2csp.diagnostics import Source
    from f2csp.puzzles.puzzle import Puzzle

_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("first", metavar="[INPUT]", required=False)
@click.argument("second", metavar="[OUTPUT]", required=False)
@FROM
@click.option("--to", metavar="FORMAT", help="The format of OUTPUT, if its name does not tell.")
@TEXT
@INDEX
@BOX
@DISTINCT_LINES
def convert(
    first: str | None,
    second: str | None,
    from_: str,
    to: str | None,
    text: str | None,
    index: int | None,
    box: tuple[int, int] | None,
    distinct_lines: bool | None,
) -> int:
    """Convert puzzle files to F2CSP, F2CSP to puzzle files, and puzzle files to each other.

    INPUT and OUTPUT may be - for standard input and output, and compressed. The format of INPUT is found from its text,
    that of OUTPUT from the ending of its name. FORMAT is f2csp, or that of a puzzle file: KIND:FORMAT, such as
    sudoku:line, or FORMAT alone where the kind is known. OUTPUT is written only when INPUT has no fault.

    \b
    Examples:
      f2csp convert clues.txt puzzle.csp --from sudoku
      f2csp convert puzzle.csp puzzle.sdk
      f2csp convert --to tatham puzzle.csp -
      f2csp convert --text 5:0,0,3D,0R,... futoshiki.csp
    """
    source, out = source_and_output(first, second, text)
    target = _target(out, to)
    if is_problem(source, from_):
        return _from_problem(source, out, target)
    from f2csp.puzzles.files.formats import named_formats

    return _from_puzzle(read_one(source, named_formats(from_), index, box, distinct_lines).puzzle, out, target)


def _target(out: str, to: str | None) -> str:
    """The name of the output's format: what is asked for, or what its name's ending says."""
    if to is not None:
        return to
    from f2csp.puzzles.files.formats import FORMATS

    name = out.lower()
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    if out == "-" or name.endswith(".csp"):
        return F2CSP
    for form in FORMATS:
        if name.endswith(form.endings):
            return form.full_name
    raise click.UsageError(f"the name {out} does not tell the format to write: say it with --to")


def _from_problem(source: Source, out: str, target: str) -> int:
    from f2csp.cli.progress import dump_watched
    from f2csp.model import ProblemStream

    problem = read_problem(source)
    if target == F2CSP:
        dump_watched(ProblemStream.of(problem), out)
        return 0
    from f2csp.puzzles.recovery import from_problem

    return _from_puzzle(from_problem(problem), out, target)


def _from_puzzle(puzzle: Puzzle, out: str, target: str) -> int:
    from f2csp.cli.progress import dump_watched
    from f2csp.puzzles.encoding import to_stream

    if target == F2CSP:
        dump_watched(to_stream(puzzle), out)
        return 0
    from f2csp.files import writing
    from f2csp.puzzles.files.formats import written

    text = written(puzzle, target).encode()
    with writing(out) as stream:
        stream.write(text)
    return 0
