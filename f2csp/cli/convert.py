"""``f2csp convert``: from any format to any other, with F2CSP between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from f2csp.cli.inputs import F2CSP, foreign_input, is_problem, read_problem
from f2csp.cli.puzzle import BOX, DISTINCT_LINES, FROM, INDEX, TEXT, read_one, source_and_output

if TYPE_CHECKING:
    from f2csp.formats.foreign import ExportOptions, ForeignFormat
    from f2csp.model import Problem
    from f2csp.puzzles.puzzle import Puzzle

_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("first", metavar="[INPUT]", required=False)
@click.argument("second", metavar="[OUTPUT]", required=False)
@FROM
@click.option("--to", metavar="FORMAT", help="The format of OUTPUT, if its name does not tell.")
@click.option("--structure", is_flag=True, help="Write what tables mean, where OUTPUT has words for it.")
@click.option(
    "--encoding",
    type=click.Choice(["direct", "support", "order"]),
    default="support",
    show_default=True,
    help="How constraints become clauses.",
)
@TEXT
@INDEX
@BOX
@DISTINCT_LINES
def convert(
    first: str | None,
    second: str | None,
    from_: str,
    to: str | None,
    structure: bool,
    encoding: str,
    text: str | None,
    index: int | None,
    box: tuple[int, int] | None,
    distinct_lines: bool | None,
) -> int:
    """Convert puzzles and problems from any format to any other that can express them.

    INPUT and OUTPUT may be - for standard input and output, and compressed. The format of INPUT is found from its text,
    that of OUTPUT from the ending of its name. FORMAT is f2csp, a format of another system (xcsp3, dimacs, minizinc,
    cfn, wcsp, json), or that of a puzzle file: KIND:FORMAT, such as sudoku:line, or FORMAT alone where the kind is
    known. OUTPUT is written only when INPUT has no fault.

    \b
    Examples:
      f2csp convert clues.txt puzzle.csp --from sudoku
      f2csp convert puzzle.csp puzzle.sdk
      f2csp convert puzzle.csp puzzle.xml --structure
      f2csp convert puzzle.csp puzzle.cnf.gz --encoding direct
      f2csp convert instance.xml instance.csp
      f2csp convert --text 5:0,0,3D,0R,... futoshiki.csp
    """
    from f2csp.formats.foreign import ExportOptions

    source, out = source_and_output(first, second, text)
    target = _target(out, to)
    options = ExportOptions(structure, encoding)
    if is_problem(source, from_):
        return _from_problem(read_problem(source), out, target, options)
    foreign = foreign_input(source, from_)
    if foreign is not None:
        return _from_problem(foreign.importer().read(source), out, target, options)
    from f2csp.puzzles.files.formats import named_formats

    puzzle = read_one(source, named_formats(from_), index, box, distinct_lines).puzzle
    return _from_puzzle(puzzle, out, target, options)


def _target(out: str, to: str | None) -> str:
    """The name of the output's format: what is asked for, or what its name's ending says."""
    if to is not None:
        return to
    from f2csp.formats.foreign import FOREIGN_FORMATS
    from f2csp.puzzles.files.formats import FORMATS

    name = out.lower()
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    if out == "-" or name.endswith(".csp"):
        return F2CSP
    for foreign in FOREIGN_FORMATS:
        if name.endswith(foreign.endings):
            return foreign.name
    for form in FORMATS:
        if name.endswith(form.endings):
            return form.full_name
    raise click.UsageError(f"the name {out} does not tell the format to write: say it with --to")


def _from_problem(problem: Problem, out: str, target: str, options: ExportOptions) -> int:
    from f2csp.cli.progress import dump_watched
    from f2csp.model import ProblemStream

    foreign = _foreign_target(target)
    if target == F2CSP:
        dump_watched(ProblemStream.of(problem), out)
    elif foreign is not None:
        _export(problem, out, foreign, options)
    else:
        from f2csp.puzzles.recovery import from_problem

        _write_puzzle(from_problem(problem), out, target)
    return 0


def _from_puzzle(puzzle: Puzzle, out: str, target: str, options: ExportOptions) -> int:
    from f2csp.cli.progress import dump_watched
    from f2csp.puzzles.encoding import to_problem, to_stream

    foreign = _foreign_target(target)
    if target == F2CSP:
        dump_watched(to_stream(puzzle), out)
    elif foreign is not None:
        _export(to_problem(puzzle), out, foreign, options)
    else:
        _write_puzzle(puzzle, out, target)
    return 0


def _foreign_target(target: str) -> ForeignFormat | None:
    from f2csp.formats.foreign import FOREIGN_FORMATS

    return next((form for form in FOREIGN_FORMATS if form.name == target), None)


def _export(problem: Problem, out: str, foreign: ForeignFormat, options: ExportOptions) -> None:
    from f2csp.cli.progress import progress
    from f2csp.files import writing

    chunks = foreign.exporter().chunks(problem, options)
    with progress("Writing bytes", None) as advance, writing(out) as stream:
        for chunk in chunks:
            stream.write(chunk)
            advance(len(chunk))


def _write_puzzle(puzzle: Puzzle, out: str, target: str) -> None:
    from f2csp.files import writing
    from f2csp.puzzles.files.formats import written

    text = written(puzzle, target).encode()
    with writing(out) as stream:
        stream.write(text)
