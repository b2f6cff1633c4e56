"""``f2csp stats``."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from f2csp.cli.failures import confirm_written, refuse, refuse_same_file, say
from f2csp.cli.options import FILE, JSON, OUT, PROBLEMS, check_symmetries, plot_ending
from f2csp.cli.progress import clock
from f2csp.cli.session import Answer, Session, command, gathered, setting, switch
from f2csp.diagnostics.render import escaped_json, visible
from f2csp.file_formats import F2CSP
from f2csp.files import STDIN, write_chunks
from f2csp.inputs import file_and_indices
from f2csp.instances import Instance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from f2csp.model import Problem
    from f2csp.statistics import Stats


_PLOT_HELP = "Draw histograms of a problem, or a table and a scatter plot of several, to PLOT (.svg, .png or .pdf)."


@dataclass
class _Counting(Session):
    """A session that prints numbers, or keeps their texts for a file, and draws what it has measured."""

    output: str | None = setting("-o --output", "Write to OUT, if all files are valid.", **OUT)
    structure: bool = switch("--structure", "Also recognise constraints: all-different groups, comparisons, ...")
    plot: str | None = setting("--plot", _PLOT_HELP, **OUT | {"metavar": "PLOT"})
    symmetry: bool = switch("--symmetry", "Also find which variables and values can change places.")
    fast: bool = switch("--fast", "Only count, and check only the counts; for files of any size.")
    keeps_texts: bool = field(default=False, init=False)
    texts: list[bytes] = field(default_factory=list, init=False)
    measured: list[tuple[str, Stats]] = field(default_factory=list, init=False)
    problem: Problem | None = field(default=None, init=False)  # the last one measured
    n_written: int = field(default=0, init=False)

    def measure(self, instance: Instance) -> Answer:
        from f2csp.statistics import stats, structure_stats

        problem = instance.problem
        found = stats(problem)
        if self.plot is not None:
            self.problem = problem
            self.measured.append((instance.name, found))
        record, lines = asdict(found), found.labelled()
        if self.structure:
            meanings = structure_stats(problem)
            lines |= meanings.labelled()
            record["structure"] = {name: value for name, value in asdict(meanings).items() if value or name != "sums"}
        if self.symmetry:
            from f2csp.symmetry import symmetry

            with clock("Finding symmetries"):
                group = symmetry(problem)
                record["symmetry"] = {"order": group.order, "orbits": group.orbits, "words": group.sentences}
            lines["Symmetry"] = "; ".join(group.sentences)
        self._write(instance, record, lines)
        return Answer("counted")

    def count(self, name: str) -> None:
        """Count an F2CSP file of any size."""
        from f2csp.text.counter import count_contents

        with clock("Counting"):
            counts = count_contents(name)
        self._write(Instance(name, F2CSP, None), asdict(counts), counts.labelled())

    def picture(self, ending: str) -> bytes:
        """One problem in detail, or all of several."""
        from f2csp.rendering.pictures import encoded
        from f2csp.rendering.stats_picture import comparison_picture, stats_picture

        problem = self.problem if len(self.measured) == 1 else None
        picture = comparison_picture(self.measured) if problem is None else stats_picture(problem)
        return encoded([picture], ending)

    def _write(self, instance: Instance, record: Mapping[str, object], lines: Mapping[str, object]) -> None:
        if self.as_json:
            about = {"command": "stats", "file": instance.file, "index": instance.index}
            text = escaped_json({**about, **record}) + "\n"
        else:
            separator = "\n" if self.n_written else ""
            head = f"{separator}File: {visible(instance.name)}\n" if self.has_others(instance) else ""
            text = head + "".join([visible(f"{label}: {value}").rstrip() + "\n" for label, value in lines.items()])
        self.n_written += 1
        data = text.encode("utf-8", "backslashreplace")  # the name of a file need not be UTF-8
        if self.keeps_texts:
            self.texts.append(data)
        else:
            click.echo(data, nl=False)


@command("stats")
@gathered("session", _Counting, click.argument("files", nargs=-1, type=FILE, metavar="FILE..."), *PROBLEMS, JSON)
def stats_command(session: _Counting) -> int:
    """Count the domains, variables, constraints and tuples of problems.

    FILE has any format, and may be compressed. Without arguments, on a terminal, the command asks for the names of the
    problem file and the output file.

    \b
    Examples:
      f2csp-stats puzzle.csp
      f2csp-stats puzzles/ --json -o counts.jsonl
      f2csp-stats --structure puzzle.csp
      f2csp-stats --symmetry puzzle.csp
      f2csp-stats puzzles/ --plot puzzles.svg
      f2csp-stats --fast huge.csp.xz
    """
    plot, fast, output = session.plot, session.fast, session.output
    refuse(fast and session.structure, "--fast and --structure cannot be combined")
    refuse(fast and session.symmetry, "--fast and --symmetry cannot be combined")
    check_symmetries("all", up_to_symmetry=session.symmetry)
    refuse(fast and plot, "--fast and --plot cannot be combined")
    ending = plot_ending(plot)
    if plot is not None:
        from f2csp.rendering.pictures import require_converter

        require_converter(ending)
    session.is_f2csp_only = fast
    if not session.files:
        from f2csp.cli.asking import ask_two_names

        first, output = ask_two_names("Problem file", "Output file")
        session.files = (first,)
        refuse_same_file(output, first)
    first, *others = session.files
    if output is None and len(others) == 1 and STDIN not in session.files:
        is_there = Path(file_and_indices(session.sources[-1])[0]).exists()
        refuse(not is_there, f"there is no file {others[0]}: all files are inputs, and -o OUT writes one")
    refuse(fast and not session.is_plain, "--fast counts F2CSP files only")
    out = None if output == STDIN else output
    outputs = [name for name in (out, plot) if name is not None]
    session.keeps_texts = bool(outputs)
    if fast:
        code = session.work_on_each_file(session.count)
    else:
        code = session.answer_each(session.measure, totals_to_stderr=True)
    for name in outputs if code else ():
        say(f"{name} is not written: a file could not be counted")
    if plot is not None and not code:
        write_chunks([session.picture(ending)], plot)
    if not code or out is None:
        write_chunks(session.texts, out or STDIN)
        confirm_written(out or STDIN)
    return code
