"""``sudoku-to-f2csp`` and its like for Latin squares, Futoshikis and Takuzus: a puzzle file becomes F2CSP."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from f2csp import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from f2csp.diagnostics import Source
    from f2csp.puzzles.files.formats import Format, PuzzleFile

_BOX = re.compile(r"([1-9][0-9]{0,8})[xX]([1-9][0-9]{0,8})")


def _box(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:  # noqa: ARG001 - click's signature
    """Read ``2x3`` as two rows and three columns."""
    if value is None:
        return None
    match = _BOX.fullmatch(value)
    if match is None:
        raise click.BadParameter(f"{value!r} is not of the form ROWSxCOLUMNS, such as 2x3")
    return int(match[1]), int(match[2])


BOX = click.option(
    "--box", metavar="RxC", callback=_box, help="Rows x columns of a Sudoku's box; without it, square boxes."
)
DISTINCT_LINES = click.option(
    "--distinct-lines/--no-distinct-lines",
    default=None,
    help="Whether the lines of a Takuzu must differ; without it, what the format says, or else yes.",
)
FROM = click.option(
    "--from", "from_", metavar="FORMAT", default="auto", help="The format of INPUT, if it cannot be told."
)
INDEX = click.option("--index", type=click.IntRange(min=1), metavar="K", help="Which puzzle of the file, from 1.")
TEXT = click.option("--text", metavar="PUZZLE", help=r"The puzzle itself, with \n for line ends, in place of INPUT.")

_HELP = """Turn a {name} file into F2CSP.

INPUT is the puzzle file and OUTPUT the F2CSP file; - is standard input or output, and so is OUTPUT left out. Without
arguments the program asks for both names. OUTPUT is written only when INPUT has no fault. The format is found from the
text; of several puzzles in a file the first is taken, or the one that --index says.

\b
Formats:
{formats}

\b
Examples:
{examples}
"""


class _Converter(click.Command):
    """A command that looks up which formats there are when its help is asked for."""

    about: tuple[str, str, tuple[str, ...]]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help with the formats and the examples."""
        from f2csp.puzzles.files.formats import FORMATS

        kind, name, examples = self.about
        forms = [form for form in FORMATS if form.kind == kind]
        width = max(len(form.name) for form in forms)
        self.help = _HELP.format(
            name=name,
            formats="\n".join(f"  {form.name:{width}}  {form.summary}" for form in forms),
            examples="\n".join(f"  {example}" for example in examples),
        )
        super().format_help_text(ctx, formatter)


def _converter(kind: str, name: str, examples: tuple[str, ...], *own: Callable[[Any], Any]) -> _Converter:
    def convert(
        first: str | None, second: str | None, from_: str, text: str | None, index: int | None, **wish: Any
    ) -> int:
        from f2csp.cli.progress import dump_watched
        from f2csp.puzzles.encoding import to_stream
        from f2csp.puzzles.files.formats import named_formats

        source, out = source_and_output(first, second, text)
        found = read_one(source, named_formats(from_, kind), index, **wish)
        dump_watched(to_stream(found.puzzle), out)
        return 0

    command: Any = convert
    for option in reversed((FROM, TEXT, INDEX, *own)):
        command = option(command)
    command = click.argument("second", metavar="[OUTPUT]", required=False)(command)
    command = click.argument("first", metavar="[INPUT]", required=False)(command)
    command = click.version_option(__version__)(command)
    settings = {"help_option_names": ["-h", "--help"]}
    converter: _Converter = click.command(name=kind, cls=_Converter, context_settings=settings)(command)
    converter.about = kind, name, examples
    return converter


sudoku = _converter(
    "sudoku",
    "Sudoku",
    (
        "sudoku-to-f2csp clues.txt puzzle.csp",
        "sudoku-to-f2csp --box 2x3 clues-6x6.txt puzzle.csp",
        "sudoku-to-f2csp --index 7 puzzles.sdm - | f2csp stats -",
        "sudoku-to-f2csp --text 3x3:a5b6b8d8b3... puzzle.csp",
    ),
    BOX,
)

latin = _converter("latin", "Latin square", ("latin-to-f2csp square.pls puzzle.csp", "latin-to-f2csp - < square.txt"))

futoshiki = _converter(
    "futoshiki",
    "Futoshiki",
    (
        "futoshiki-to-f2csp puzzle.txt puzzle.csp",
        r"futoshiki-to-f2csp --text '2\nx - x\n> -\nx < x' puzzle.csp",
        "futoshiki-to-f2csp --from picture puzzle.txt - | f2csp board -",
    ),
)

takuzu = _converter(
    "takuzu",
    "Takuzu",
    (
        "takuzu-to-f2csp puzzle.txt puzzle.csp",
        "takuzu-to-f2csp --text 8x8u:BEaaBbkebcDCdfcbBBe puzzle.csp",
        "takuzu-to-f2csp --no-distinct-lines puzzle.txt puzzle.csp",
    ),
    DISTINCT_LINES,
)


def read_one(
    source: Source,
    formats: Sequence[Format],
    index: int | None,
    box: tuple[int, int] | None = None,
    distinct_lines: bool | None = None,
) -> PuzzleFile:
    """Read the puzzle that the arguments mean, and say on standard error what is odd about it.

    Args:
        source: the file.
        formats: what it may be.
        index: which puzzle of the file; None for the first, with a note if there are more.
        box: see :class:`Wish`.
        distinct_lines: see :class:`Wish`.
    """
    from f2csp.cli.report import report_warnings
    from f2csp.puzzles.files.formats import read_puzzle
    from f2csp.puzzles.files.reading import Wish

    found = read_puzzle(source, formats, Wish(box, distinct_lines), index or 1)
    report_warnings(found.warnings)
    if found.n_hidden:
        click.echo(f"... and {found.n_hidden:,} more", err=True)
    if index is None and found.n_puzzles > 1:
        click.echo(f"{source.name} has {found.n_puzzles:,} puzzles; this is the first (see --index)", err=True)
    return found


def source_and_output(first: str | None, second: str | None, text: str | None) -> tuple[Source, str]:
    """The input and the name of the output, as the arguments say."""
    from f2csp.diagnostics import Source
    from f2csp.files import read_source

    if text is not None:
        if second is not None:
            raise click.UsageError("with --text there is no INPUT: give OUTPUT alone")
        return Source("--text", text.replace("\\n", "\n").encode("utf-8", "surrogateescape")), first or "-"
    if first is None:
        from f2csp.cli.report import ask_two_names

        first, second = ask_two_names("Puzzle file", "F2CSP file to write")
    return read_source(first), second or "-"
