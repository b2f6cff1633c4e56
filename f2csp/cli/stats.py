"""``f2csp stats``."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import click

from f2csp.cli.failures import for_each_file, refuse, refuse_same_file
from f2csp.cli.inputs import Answer, InputCommand, Inputs, for_each_instance
from f2csp.cli.options import FILE, JSON, OUT, ask_two_names, confirm_written, flag, option, plot_ending, problem_files
from f2csp.cli.progress import clock
from f2csp.files import STDIN, write_chunks

if TYPE_CHECKING:
    from f2csp.instances import Instance
    from f2csp.model import Problem
    from f2csp.statistics import Stats, StructureStats
    from f2csp.text.counter import Counts


@click.command(cls=InputCommand)
@click.argument("files", nargs=-1, type=FILE, metavar="FILE...")
@option("-o", "--output", **OUT, help="Write to OUT, if all files are valid (default: standard output).")
@JSON
@flag("--structure", help="Also recognise constraints: all-different groups, comparisons, ...")
@option(
    "--plot",
    metavar="PLOT",
    type=FILE,
    help="Draw histograms of a problem, or a table and a scatter plot of several, to PLOT (.svg, .png or .pdf).",
)
@flag("--fast", help="Only count, and check only the counts; for files of any size.")
def stats(inputs: Inputs, output: str | None, structure: bool, plot: str | None, fast: bool) -> int:
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
    if fast and (structure or plot is not None):
        raise click.UsageError(f"--fast and {'--structure' if structure else '--plot'} cannot be combined")
    ending = plot_ending(plot)
    files = inputs.files
    if not files:
        first, output = ask_two_names("Problem file", "Output file")
        files = (first,)
    names = problem_files(files)
    if not names:
        return 0
    refuse(fast and inputs.has_options, "--fast counts F2CSP files only")
    out = None if output == STDIN else output
    outputs = [one for one in (out, plot) if one is not None]
    for one in outputs:
        refuse_same_file(one, *names)
    run = _Run(inputs.as_json, structure, has_plot=plot is not None, keeps_texts=bool(outputs))
    if fast:
        code = for_each_file(names, partial(run.count, has_others=len(names) > 1))
    else:
        code = for_each_instance(inputs, run.measure, sources=names, totals_to_stderr=True)
    if code:
        for one in outputs:
            click.echo(f"{one} is not written: a file could not be counted", err=True)
    elif plot is not None:
        write_chunks([run.picture(ending)], plot)
    if not code or out is None:
        write_chunks(run.texts, out or STDIN)
        confirm_written(out or STDIN)
    return code


@dataclass
class _Run:
    as_json: bool
    structure: bool
    has_plot: bool
    keeps_texts: bool
    texts: list[bytes] = field(default_factory=list)
    measured: list[tuple[str, Stats]] = field(default_factory=list)
    problem: Problem | None = None  # the last one measured
    separator: str = ""

    def measure(self, instance: Instance, has_others: bool) -> Answer:
        from f2csp.statistics import stats, structure_stats

        problem = instance.problem
        found = stats(problem)
        if self.has_plot:
            self.problem = problem
            self.measured.append((instance.name, found))
        meanings = structure_stats(problem) if self.structure else None
        self._write(instance.file, instance.index, instance.name if has_others else None, found, meanings)
        return Answer("counted")

    def count(self, name: str, *, has_others: bool) -> None:
        """Count an F2CSP file of any size."""
        from f2csp.text.counter import count_contents

        with clock("Counting"):
            counts = count_contents(name)
        self._write(name, 1, name if has_others else None, counts)

    def picture(self, ending: str) -> bytes:
        """One problem in detail, or all of several."""
        from f2csp.rendering.pictures import encoded
        from f2csp.rendering.stats_picture import comparison_picture, stats_picture

        if self.problem is not None and len(self.measured) == 1:
            return encoded([stats_picture(self.problem)], ending)
        return encoded([comparison_picture(self.measured)], ending)

    def _write(
        self, file: str, index: int, name: str | None, numbers: Counts | Stats, meanings: StructureStats | None = None
    ) -> None:
        head = "" if name is None else f"{self.separator}File: {name}\n"
        text = _as_json(file, index, numbers, meanings) if self.as_json else head + _as_text(numbers, meanings)
        self.separator = "\n"
        data = text.encode("utf-8", "backslashreplace")  # the name of a file need not be UTF-8
        if self.keeps_texts:
            self.texts.append(data)
        else:
            click.echo(data, nl=False)


def _as_json(file: str, index: int, numbers: Counts | Stats, structure: StructureStats | None) -> str:
    meanings = {}
    if structure:
        meanings = {"structure": {name: found for name, found in asdict(structure).items() if found or name != "sums"}}
    record = {"command": "stats", "file": file, "index": index, **asdict(numbers), **meanings}
    return json.dumps(record, ensure_ascii=False) + "\n"


def _as_text(numbers: Counts | Stats, structure: StructureStats | None) -> str:
    lines = numbers.labelled() | (structure.labelled() if structure else {})
    return "".join([f"{label}: {value}".rstrip() + "\n" for label, value in lines.items()])
