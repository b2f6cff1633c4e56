"""The commands that turn puzzle files into F2CSP: ``sudoku``, ``latin`` and so on, one for each kind of puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.inputs import read_one, source_and_output
from f2csp.cli.options import FILE, FROM, INDEX, TEXT, PuzzleCommand
from f2csp.cli.progress import dump_watched

if TYPE_CHECKING:
    from collections.abc import Mapping

_HELP = """Turn a {kind} file into F2CSP.

INPUT is the puzzle file, OUTPUT the F2CSP file (default: standard output); - is standard input or output. Without
arguments, on a terminal, the command asks for both names. OUTPUT is written only if INPUT has no faults. The format is
detected from the text. Of several puzzles in a file, the first is converted unless --index selects another.
"""
_DETAILS = """
\b
Formats:
{formats}

\b
Examples:
  {kind}-to-f2csp puzzle.txt puzzle.csp
  {kind}-to-f2csp --index 7 puzzles.txt - | f2csp stats -
  {kind}-to-f2csp --from {kind}:{form} - < puzzle.txt
"""


class _Converter(PuzzleCommand):
    """A command that looks up the formats when its help is printed."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help with the formats and the examples."""
        from f2csp.puzzles.files.formats import FORMATS

        forms = [form for form in FORMATS if form.kind == self.name]
        width = max(len(form.name) for form in forms)
        formats = "\n".join(f"  {form.name:{width}}  {form.summary}" for form in forms)
        self.help = _HELP.format(kind=str(self.name).capitalize()) + _DETAILS.format(
            kind=self.name, formats=formats, form=forms[-1].name
        )
        super().format_help_text(ctx, formatter)


def converter(kind: str) -> click.Command:
    """The command for a kind of puzzle."""

    @click.argument("first", metavar="[INPUT]", required=False, type=FILE)
    @click.argument("second", metavar="[OUTPUT]", required=False, type=FILE)
    @FROM
    @TEXT
    @INDEX
    def convert(
        first: str | None,
        second: str | None,
        from_: str,
        text: str | None,
        index: int | None,
        options: Mapping[str, Any],
    ) -> int:
        from f2csp.puzzles.files.formats import named_formats
        from f2csp.puzzles.to_problem import to_stream

        source, out = source_and_output(first, second, text)
        found = read_one(source, named_formats(from_, kind), index, options)
        dump_watched(to_stream(found.puzzle), out)
        return 0

    return click.command(kind, cls=_Converter, help=_HELP.format(kind=kind.capitalize()))(convert)
