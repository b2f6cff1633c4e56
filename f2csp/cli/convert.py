"""``f2csp convert``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.inputs import F2CSP, foreign_input, is_problem, load_problem, read_one, source_and_output
from f2csp.cli.options import FILE, FROM, INDEX, TEXT, PuzzleCommand, complete_format

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from f2csp.formats.foreign import ExportOptions
    from f2csp.model import Problem
    from f2csp.puzzles.puzzle import Puzzle


@click.command(cls=PuzzleCommand)
@click.argument("first", metavar="[INPUT]", required=False, type=FILE)
@click.argument("second", metavar="[OUTPUT]", required=False, type=FILE)
@FROM
@click.option(
    "--to", metavar="FORMAT", shell_complete=complete_format, help="Format of OUTPUT (default: from its extension)."
)
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
    found: Problem | Puzzle
    if is_problem(source, from_):
        found = load_problem(source)
    elif (foreign := foreign_input(source, from_)) is not None:
        found = foreign.importer().read(source)
    else:
        from f2csp.puzzles.files.formats import named_formats

        found = read_one(source, named_formats(from_), index, options).puzzle
    _write(found, out, target, ExportOptions(structure, encoding))
    return 0


def _target(out: str, to: str | None) -> str:
    """The name of the output's format: from ``--to``, or from the extension."""
    from f2csp.formats.foreign import FOREIGN_FORMATS
    from f2csp.puzzles.files.formats import FORMATS

    name = out.lower()
    for ending in (".gz", ".xz", ".bz2", ".zst"):
        name = name.removesuffix(ending)
    if to is not None or out == "-" or name.endswith(".csp"):
        return to or F2CSP
    endings = [(foreign.endings, foreign.name) for foreign in FOREIGN_FORMATS]
    for ends, form in endings + [(form.endings, form.full_name) for form in FORMATS]:
        if name.endswith(ends):
            return form
    raise click.UsageError(f"cannot infer the format from the name {out}; use --to")


def _write(found: Problem | Puzzle, out: str, target: str, options: ExportOptions) -> None:
    from f2csp.cli.progress import dump_watched, progress
    from f2csp.files import writing
    from f2csp.model import Problem, ProblemStream
    from f2csp.puzzles.to_problem import to_stream

    if target == F2CSP:
        dump_watched(ProblemStream.of(found) if isinstance(found, Problem) else to_stream(found), out)
        return
    chunks = _chunks(found, target, options)
    with progress("Writing", unit="bytes") as advance, writing(out) as stream:
        for chunk in chunks:
            stream.write(chunk)
            advance(len(chunk))


def _chunks(found: Problem | Puzzle, target: str, options: ExportOptions) -> Iterable[bytes]:
    """The text in a foreign format, or in that of a puzzle file."""
    from f2csp.formats.foreign import FOREIGN_FORMATS
    from f2csp.model import Problem
    from f2csp.puzzles.files.formats import written
    from f2csp.puzzles.recognise import recognise
    from f2csp.puzzles.to_problem import to_problem

    foreign = next((form for form in FOREIGN_FORMATS if form.name == target), None)
    if foreign is not None:
        return foreign.exporter().chunks(found if isinstance(found, Problem) else to_problem(found), options)
    return [written(recognise(found) if isinstance(found, Problem) else found, target).encode()]
