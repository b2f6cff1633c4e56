"""``f2csp stats``."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import click

from f2csp.cli.inputs import Answer, Choice, InputCommand, for_each_instance, is_same_file
from f2csp.cli.options import FILE, JSON, OUT, ask_two_names, confirm_written, picture_ending, problem_files
from f2csp.files import STDIN

if TYPE_CHECKING:
    from f2csp.instances import Instance
    from f2csp.statistics import Stats, StructureStats
    from f2csp.text.counter import Counts


@click.command(cls=InputCommand)
@click.argument("files", nargs=-1, type=FILE, metavar="FILE...")
@click.option("-o", "--output", **OUT, help="Write to OUT, if all files are valid (default: standard output).")
@JSON
@click.option("--structure", is_flag=True, help="Also recognise constraints: all-different groups, comparisons, ...")
@click.option(
    "--plot",
    metavar="PLOT",
    type=FILE,
    help="Draw histograms of a problem, or a table and a scatter plot of several, to PLOT (.svg, .png or .pdf).",
)
@click.option("--fast", is_flag=True, help="Only count, and check only the counts; for files of any size.")
def stats(
    files: tuple[str, ...],
    choice: Choice,
    output: str | None,
    as_json: bool,
    structure: bool,
    plot: str | None,
    fast: bool,
) -> int:
    """Count the domains, variables, constraints and tuples of problems.

    FILE has any format, and may be compressed, a directory (all .csp files in it) or - for standard input. Without
    arguments, on a terminal, the command asks for the names of the problem file and the output file.

    \b
    Examples:
      f2csp-stats puzzle.csp
      f2csp-stats puzzles/ --json -o counts.jsonl
      f2csp-stats --structure puzzle.csp
      f2csp-stats puzzles/ --plot puzzles.svg
      f2csp-stats --fast huge.csp.xz
    """
    from io import BytesIO

    from f2csp.files import writing

    if fast and (structure or plot is not None):
        raise click.UsageError(f"--fast and {'--structure' if structure else '--plot'} cannot be combined")
    if plot == STDIN:
        raise click.UsageError("--plot writes a file, not standard output")
    drawing = None if plot is None else _Plot(plot)
    if not files:
        first, output = ask_two_names("Problem file", "Output file")
        files = (first,)
    names = problem_files(files)
    if not names:
        return 0

    def run(stream: BinaryIO) -> int:
        if not fast:
            return _measure(names, choice, structure, _Writer(stream, as_json), drawing)
        if choice != Choice(options={}):
            raise click.UsageError("--fast counts F2CSP files only")
        return _count(names, _Writer(stream, as_json))

    outputs = [one for one in (output, plot) if one is not None and one != STDIN]
    for one in outputs:
        if any(is_same_file(one, name) for name in names):
            raise click.UsageError(f"{one} is both input and output")
    target, text = output or STDIN, BytesIO()
    with writing(STDIN) if target == STDIN and drawing is None else nullcontext(text) as stream:
        code = run(stream)
    if code:
        for one in outputs:
            click.echo(f"{one} is not written: a file could not be counted", err=True)
    elif drawing is not None:
        drawing.write()
    if not code or target == STDIN:
        with writing(target) as stream:
            stream.write(text.getvalue())
        confirm_written(target)
    return code


class _Plot:
    """Draws what is measured: one problem in detail, or all of several."""

    def __init__(self, output: str) -> None:
        from f2csp.rendering.pictures import ENDINGS

        self._output, self._ending = output, picture_ending(output, ENDINGS)
        self._found: list[tuple[str, Stats]] = []

    def add(self, instance: Instance, found: Stats) -> None:
        from f2csp.rendering.stats_picture import comparison_picture, stats_picture

        self._found.append((instance.name, found))
        self._draw = (
            partial(comparison_picture, self._found) if self._found[1:] else partial(stats_picture, instance.problem)
        )

    def write(self) -> None:
        from f2csp.files import write_chunks
        from f2csp.rendering.pictures import encoded

        write_chunks([encoded([self._draw()], self._ending)], self._output)


class _Writer:
    """Writes numbers, with the name of their file if there are others."""

    def __init__(self, stream: BinaryIO, as_json: bool) -> None:
        self._stream, self.as_json = stream, as_json
        self._separator = ""

    def write(
        self, file: str, index: int, name: str | None, numbers: Counts | Stats, meanings: StructureStats | None = None
    ) -> None:
        head = "" if name is None else f"{self._separator}File: {name}\n"
        text = _as_json(file, index, numbers, meanings) if self.as_json else head + _as_text(numbers, meanings)
        self._stream.write(text.encode("utf-8", "backslashreplace"))  # the name of a file need not be UTF-8
        self._stream.flush()
        self._separator = "\n"


def _measure(names: list[str], choice: Choice, structure: bool, writer: _Writer, drawing: _Plot | None) -> int:
    """Write the numbers of each problem without faults, and return the exit code."""
    from f2csp import statistics

    def work(instance: Instance, has_others: bool) -> Answer:
        found = statistics.stats(instance.problem)
        if drawing is not None:
            drawing.add(instance, found)
        meanings = statistics.structure_stats(instance.problem) if structure else None
        writer.write(instance.file, instance.index, instance.name if has_others else None, found, meanings)
        return Answer("counted")

    return for_each_instance(names, choice, work, as_json=writer.as_json, totals_to_stderr=True)


def _count(names: list[str], writer: _Writer) -> int:
    """Write the counts of each F2CSP file, and return the exit code; the files may have any size."""
    from f2csp.cli.failures import for_each_file
    from f2csp.cli.progress import clock
    from f2csp.text.counter import count

    def work(name: str) -> int:
        with clock("Counting"):
            counts = count(name)
        writer.write(name, 1, name if len(names) > 1 else None, counts)
        return 0

    return for_each_file(names, work)


def _as_json(file: str, index: int, numbers: Counts | Stats, structure: StructureStats | None) -> str:
    import json
    from dataclasses import asdict

    meanings = {}
    if structure:
        meanings = {"structure": {name: found for name, found in asdict(structure).items() if found or name != "sums"}}
    record = {"command": "stats", "file": file, "index": index, **asdict(numbers), **meanings}
    return json.dumps(record, ensure_ascii=False) + "\n"


def _as_text(numbers: Counts | Stats, structure: StructureStats | None) -> str:
    lines = numbers.labelled() | (structure.labelled() if structure else {})
    return "".join([f"{label}: {value}".rstrip() + "\n" for label, value in lines.items()])
