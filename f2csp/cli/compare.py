"""``f2csp compare``."""

from __future__ import annotations

import re
import sys
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.failures import columns_of, refuse, say
from f2csp.cli.options import FILE, JSON, NUMBER, OUT, PROBLEMS, SECONDS, SearchOptions, option, plot_ending
from f2csp.cli.progress import Display
from f2csp.cli.session import Session, command, echo_json, gathered, setting, switch, worst
from f2csp.files import write_chunks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from f2csp.experiments import Experiment, Run, Task
    from f2csp.experiments.runs import Journal
    from f2csp.experiments.table import TableRow
    from f2csp.instances import Instance

_BETWEEN_ENGINES = re.compile(r"[,\s]+(?![^,:\s=]+=)")  # not before OPTION=VALUE
_ENGINES: dict[str, Any] = {"multiple": True, "metavar": "ENGINE,..."}
_ENGINES_HELP = "Compare engines, with options as in search:inference=fc,variable-order=mrv (default: all installed)."
_MEGABYTES: dict[str, Any] = {"type": click.FloatRange(min=1), "metavar": "MB"}
_MEMORY_HELP = "Stop a run that takes more than MB megabytes of address space (default: 4000)."
_TOML: dict[str, Any] = {"metavar": "TOML", "type": FILE}


@dataclass
class _Comparison(Session):
    """A session that runs engines on all problems."""

    engines: tuple[str, ...] = setting("--engines", _ENGINES_HELP, **_ENGINES)
    textbook: bool = switch("--textbook", "Compare the searches bt, cbj, fc, fc-cbj and mac of textbooks.")
    repeats: int | None = setting("--repeats", "Run each engine N times on each problem (default: 3).", **NUMBER)
    seconds: float | None = setting("--time-limit", "Stop a run after SECONDS of CPU time.", **SECONDS)
    megabytes: float | None = setting("--memory-limit", _MEMORY_HELP, **_MEGABYTES)
    workers: int | None = setting("--workers", "Use N threads (default: 1).", **NUMBER)
    experiment: str | None = setting("--experiment", "Read problems, engines and limits from TOML.", **_TOML)
    resume: bool = switch("--resume", "Continue an interrupted comparison.")
    table_form: str | None = None
    by_problem: bool = switch("--by-problem", "Show a row for each problem.")
    plot: str | None = setting("--plot", "Draw a plot to OUT (.svg, .png or .pdf).", **OUT)
    plot_y: str | None = setting("--plot-y", "Plot the column NAME, such as nodes (default: cpu).", metavar="NAME")

    def chosen(self) -> tuple[int, Experiment | None]:
        """The experiment on all problems that can be read, and the exit code of reading; None if there are none."""
        from f2csp.experiments import Experiment, load_experiment
        from f2csp.experiments.experiment import identity_of, task_of
        from f2csp.solving.registry import ENGINES, TEXTBOOK

        limits = {name: getattr(self, name) for name in ("repeats", "seconds", "megabytes", "workers")}
        given = {name: value for name, value in limits.items() if value is not None}
        other = "--engines" if self.engines else "--experiment"
        refuse(self.textbook and (self.engines or self.experiment), f"--textbook and {other} cannot be combined")
        if self.experiment is not None:
            is_named = self.files or self.engines or given or not self.is_plain
            refuse(is_named, "--experiment replaces files, engines and limits; write them in it")
            return 0, self.shown_as_asked(load_experiment(self.experiment))
        lines = [line for text in self.engines for line in _BETWEEN_ENGINES.split(text.strip()) if line]
        lines = lines or [engine.name for engine in ENGINES if engine.is_installed]
        for line in lines:
            SearchOptions(line).require_engine()
        tasks: list[Task] = []

        @lru_cache(1)
        def identity(text: bytes) -> str:
            return identity_of(text, self.selection)

        reading = replace(self, as_json=False)

        def take(instance: Instance) -> None:
            tasks.append(task_of(reading.accept(instance), identity(reading.source.data)))

        code = reading.work_on_each_problem(take)
        engines = TEXTBOOK if self.textbook else {line: line for line in lines}
        return code, self.shown_as_asked(Experiment(tasks, engines, **given)) if tasks else None

    def shown_as_asked(self, experiment: Experiment) -> Experiment:
        group = "problem" if self.by_problem else experiment.group
        return replace(experiment, group=group, plot=replace(experiment.plot, y=self.plot_y or experiment.plot.y))

    def run(self, experiment: Experiment, journal: Journal) -> list[Run]:
        from f2csp.experiments import run

        runs, n_done = [], len(journal.runs)
        try:
            with Display("Comparing", experiment.n_runs - n_done, "runs") as display:
                for one in run(experiment, journal):
                    runs.append(one)
                    display.advance(len(journal.runs) - n_done)
                    n_done = len(journal.runs)
                    if self.as_json:
                        with display.paused():
                            echo_json({"command": "compare", **asdict(one)})
        except KeyboardInterrupt:
            n = f"{len(journal.runs):,} of {experiment.n_runs:,} runs are done"
            say(f"{n}; the same command with --resume makes the others")
            raise
        return runs

    def show(self, experiment: Experiment, runs: Sequence[Run]) -> int:
        """Print or draw the runs; return whether they contradict each other."""
        from f2csp.experiments.table import as_csv, contradictions, document, failures, table

        rows = table(runs)
        if self.plot is not None:
            from f2csp.experiments.plots import plotted

            write_chunks([plotted(experiment, runs, plot_ending(self.plot)[1:])], self.plot)
        if self.table_form == "csv":
            click.echo(as_csv(rows), nl=False)
        elif self.table_form == "markdown":
            click.echo(document(experiment, runs, self.plot), nl=False)
        elif not self.as_json:
            _print_table(rows)
        for line in failures(runs) if self.table_form != "markdown" else ():
            say(line)
        found = contradictions(runs)
        for line in found:
            say(f"contradiction: {line}", fg="red")
        return int(bool(found))


@command("compare")
@gathered(
    "session",
    _Comparison,
    click.argument("files", nargs=-1, type=FILE, metavar="FILE..."),
    *PROBLEMS,
    JSON,
    option("--csv", "table_form", flag_value="csv", help="Print the table as comma-separated values."),
    option("--markdown", "table_form", flag_value="markdown", help="Print a page in Markdown, with the table."),
)
def compare_command(session: _Comparison) -> int:
    """Compare engines on the problems in FILE: time, memory, and the counters of their searches.

    Each run solves one problem in a process of its own, up to a limit of CPU time (default: 60 s) and of memory.
    Repeated runs have the random seeds 0, 1, and so on. The table shows the status, the medians over all runs and the
    quartiles of the time, and marks the rows of engines that contradict each other; > marks what a limit cuts short. A
    terminal shows the columns for which it has room. With --textbook, searches take the variables in the order of their
    names and count all of them, as for the published figures; the engine search by itself does not count forced
    choices. After Ctrl-C, the same command with --resume makes the remaining runs; the finished ones are kept in
    f2csp-compare-*.jsonl in the current folder.

    An experiment is a TOML file with problems (files, and puzzles to generate), named configurations, limits and
    settings of the plot; samples/experiments has examples. Exit code 0: the runs are done; 1: engines contradict each
    other.

    \b
    Examples:
      f2csp compare puzzles.sdm --engines cpsat,sat
      f2csp compare a.csp --engines search:inference=fc,variable-order=mrv,sat
      f2csp compare a.csp --textbook --plot plot.svg --plot-y nodes
      f2csp compare puzzles/ --repeats 5 --plot plot.svg --csv > table.csv
      f2csp compare --experiment takuzu.toml --markdown > takuzu.md
    """
    refuse(session.plot_y and not session.plot, "--plot-y requires --plot")
    refuse(session.as_json and session.table_form, f"--json and --{session.table_form} cannot be combined")
    if plot_ending(session.plot):
        from f2csp.experiments.plots import new_figure

        new_figure(1, 1)  # raises MissingExtra
    code, experiment = session.chosen()
    if experiment is None:
        return code
    from f2csp.experiments.runs import Journal

    with Journal(experiment.digest, resumes=session.resume) as journal:  # it stays if the report cannot be written
        runs = session.run(experiment, journal)
        contradicted = session.show(experiment, runs)
    return worst([code, contradicted])


def _print_table(rows: Sequence[TableRow]) -> None:
    from f2csp.experiments.table import as_text

    head, *lines = as_text(rows, columns_of(sys.stdout)).splitlines()
    say(head, err=False)
    for row, line in zip(rows, lines, strict=True):
        say(line, err=False, fg="red" if row.contradicted else None)
