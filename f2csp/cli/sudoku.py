"""``f2csp sudoku`` and ``sudoku-to-f2csp``: a Sudoku clue file becomes an F2CSP file."""

import re

import click

from f2csp import __version__

_BOX = re.compile(r"([1-9][0-9]{0,8})[xX]([1-9][0-9]{0,8})")


def _box(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:  # noqa: ARG001 - click's signature
    """Read ``2x3`` as two rows and three columns."""
    if value is None:
        return None
    match = _BOX.fullmatch(value)
    if match is None:
        raise click.BadParameter(f"{value!r} is not of the form ROWSxCOLUMNS, such as 2x3")
    return int(match[1]), int(match[2])


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
@click.argument("clues", required=False)
@click.argument("out", required=False)
@click.option("--box", metavar="RxC", callback=_box, help="Rows x columns of a box; without it, square boxes.")
def sudoku(clues: str | None, out: str | None, box: tuple[int, int] | None) -> int:
    """Turn a Sudoku clue file into F2CSP.

    CLUES is the clue file and OUT the F2CSP file; - is standard input or output, and so is OUT left out. Without
    arguments the program asks for both names. OUT is written only when CLUES has no fault.

    \b
    A clue file holds the size of the board, the number of clues, and one
    clue to a line: row, column and value, counted from 1.
      9
      2
      1 1 5
      3 7 2

    \b
    Examples:
      sudoku-to-f2csp clues.txt puzzle.csp
      sudoku-to-f2csp --box 2x3 clues-6x6.txt puzzle.csp
      sudoku-to-f2csp - < clues.txt | f2csp stats -
    """
    from f2csp.cli.progress import dump_watched
    from f2csp.cli.report import ask_two_names, report_warnings

    if clues is None:
        clues, out = ask_two_names("Clue file", "F2CSP file to write")

    from f2csp.files import read_source
    from f2csp.puzzles.files.clues import read_clues
    from f2csp.puzzles.sudoku import to_stream

    clue_file = read_clues(read_source(clues), box)
    report_warnings(clue_file.warnings)
    if clue_file.n_hidden:
        click.echo(f"... and {clue_file.n_hidden:,} more", err=True)
    dump_watched(to_stream(clue_file.board), "-" if out is None else out)
    return 0
