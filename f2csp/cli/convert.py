"""``f2csp convert``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.inputs import F2CSP, foreign_input, is_problem, load_problem, read_one, source_and_output
from f2csp.cli.options import FROM, INDEX, TEXT, PuzzleCommand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from f2csp.formats.foreign import ExportOptions, ForeignFormat
    from f2csp.model import Problem
    from f2csp.puzzles.puzzle import Puzzle

_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")


@click.command(cls=PuzzleCommand)
@click.argument("first", metavar="[INPUT]", required=False)
@click.argument("second", metavar="[OUTPUT]", required=False)
@FROM
@click.option("--to", metavar="FORMAT", help="Format of OUTPUT (default: from its extension).")
@click.option(
    "--structure", is_flag=True, help="Write recognised constraints (allDifferent, <, ...) instead of tables."
)
@click.option(
    "--encoding",
    type=click.Choice(["direct", "support", "order"]),
    default="support",
    show_default=True,
    help="Encoding of constraints in CNF.",
)
@TEXT
@INDEX
def convert(
    first: str | None,
    second: str | None,
    from_: str,
    to: str | None,
    structure: bool,
    encoding: str,
    text: str | None,
    index: int | None,
    options: Mapping[str, Any],
) -> int:
    """Convert puzzles and problems from any format to any other that can express them.

    INPUT and OUTPUT may be - for standard input and output, and compressed. The format of INPUT is detected from its
    text, that of OUTPUT from its extension. FORMAT is f2csp, a foreign format (xcsp3, dimacs, minizinc, cfn, wcsp,
    json), or that of a puzzle file: KIND:FORMAT, such as sudoku:line, or FORMAT alone where the kind is known. OUTPUT
    is written only if INPUT has no faults.

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
    export_options = ExportOptions(structure, encoding)
    if is_problem(source, from_):
        return _from_problem(load_problem(source), out, target, export_options)
    foreign = foreign_input(source, from_)
    if foreign is not None:
        return _from_problem(foreign.importer().read(source), out, target, export_options)
    from f2csp.puzzles.files.formats import named_formats

    puzzle = read_one(source, named_formats(from_), index, options).puzzle
    return _from_puzzle(puzzle, out, target, export_options)


def _target(out: str, to: str | None) -> str:
    """The name of the output's format: from ``--to``, or from the extension."""
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
    raise click.UsageError(f"cannot infer the format from the name {out}; use --to")


def _from_problem(problem: Problem, out: str, target: str, options: ExportOptions) -> int:
    from f2csp.cli.progress import dump_watched
    from f2csp.model import ProblemStream

    foreign = _foreign_target(target)
    if target == F2CSP:
        dump_watched(ProblemStream.of(problem), out)
    elif foreign is not None:
        _export(problem, out, foreign, options)
    else:
        from f2csp.puzzles.recognise import recognise

        _write_puzzle(recognise(problem), out, target)
    return 0


def _from_puzzle(puzzle: Puzzle, out: str, target: str, options: ExportOptions) -> int:
    from f2csp.cli.progress import dump_watched
    from f2csp.puzzles.to_problem import to_problem, to_stream

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
