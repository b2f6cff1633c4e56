"""``f2csp report``."""

from __future__ import annotations

import click

from f2csp.cli.failures import guarded
from f2csp.cli.inputs import Choice, InputCommand, is_same_file
from f2csp.cli.options import FILE, OUT, refuse_two_dashes

_SECONDS = 2.0  # the time limit of each search


@click.command(cls=InputCommand)
@click.argument("file", type=FILE)
@click.option("--output", "-o", **OUT, required=True, help="Write the page to OUT, - for standard output.")
@click.option("--trace", metavar="TRACE", type=FILE, help="Play the steps that f2csp solve --trace wrote to TRACE.")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    default=_SECONDS,
    show_default=True,
    help="Stop each search after SECONDS.",
)
def report(file: str, choice: Choice, output: str, trace: str | None, time_limit: float) -> int:
    """Write an HTML page that explains the problem in FILE.

    It shows the board and, behind a button, the solution; or why there is none; warnings, statistics, what the tables
    mean, the constraint graph, and the steps of a search to play forward and back. The page is a single file, which
    loads nothing from elsewhere. FILE has any format.

    \b
    Examples:
      f2csp report puzzle.csp -o report.html
      f2csp report puzzles.sdm --index 7 -o report.html
      f2csp solve map.csp --engine search --inference fc --trace trace.jsonl
      f2csp report map.csp --trace trace.jsonl -o report.html
    """
    refuse_two_dashes(file, trace or "")
    if is_same_file(output, file):
        raise click.UsageError(f"{output} is both input and output")

    def work() -> int:
        from f2csp.cli.progress import clock
        from f2csp.files import read_source, write_chunks
        from f2csp.rendering.report_page import report_page

        instance = choice.one(read_source(file))
        steps = None if trace is None else read_source(trace)
        with clock("Searching", None):
            page = report_page(instance, steps, time_limit)
        write_chunks([page.encode("utf-8", "replace")], output)
        return 0

    return guarded(work, file)
