"""``f2csp compare``."""

from __future__ import annotations

import re
import sys
from dataclasses import asdict, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.failures import columns_of, refuse, say
from f2csp.cli.options import FILE, JSON, NUMBER, OUT, PROBLEMS, TIME_LIMIT, flag, option, plot_ending
from f2csp.cli.progress import Display
from f2csp.cli.session import Session, command, echo_json, reads, worst
from f2csp.files import write_chunks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from f2csp.experiments import Experiment, Run, Task
    from f2csp.experiments.runs import Journal
    from f2csp.experiments.table import TableRow
    from f2csp.instances import Instance

_BETWEEN_ENGINES = re.compile(r"[,\s]+(?![^,:\s=]+=)")  # not before OPTION=VALUE


@command("compare")
@reads(click.argument("files", nargs=-1, type=FILE, metavar="FILE..."), *PROBLEMS, JSON)
@option(
    "--engines",
    multiple=True,
    metavar="ENGINE,...",
    help="Compare these engines, with options as in search:inference=fc,variable-order=mrv (default: all installed).",
)
@option("--repeats", **NUMBER, help="Run each engine N times on each problem (default: 3).")
@TIME_LIMIT
@option(
    "--memory-limit",
    type=click.FloatRange(min=1),
    metavar="MB",
    help="Stop a run that takes more than MB megabytes of address space (default: 4000).",
)
@option("--workers", **NUMBER, help="Use N threads (default: 1).")
@option("--experiment", metavar="TOML", type=FILE, help="Read problems, engines and limits from TOML.")
@flag("--resume", help="Continue an interrupted comparison.")
@option("--csv", "table_form", flag_value="csv", help="Print the table as comma-separated values.")
@option("--markdown", "table_form", flag_value="markdown", help="Print a page in Markdown, with the table.")
@option("--plot", **OUT, help="Draw a plot to OUT (.svg, .png or .pdf).")
def compare_command(
    session: Session,
    engines: tuple[str, ...],
    experiment: str | None,
    resume: bool,
    table_form: str | None,
    plot: str | None,
    **limits: Any,
) -> int:
    """Compare engines on the problems in FILE: time, memory, and the counters of their searches.

    Each run solves one problem in a process of its own, up to a time limit (default: 60 s) and a memory limit. Repeated
    runs have the random seeds 0, 1, and so on. The table shows the status and the medians over all runs, and marks the
    rows of engines that contradict each other. The searches of textbooks take the variables in their order and count
    all of them: variable-order=static,counted=all. After Ctrl-C, the same command with --resume makes the remaining
    runs; the finished ones are kept in f2csp-compare-*.jsonl in the current folder.

    An experiment is a TOML file with problems (files, and puzzles to generate), named configurations, limits and
    settings of the plot; samples/experiments has examples. Exit code 0: the runs are done; 1: engines contradict each
    other.

    \b
    Examples:
      f2csp compare puzzles.sdm --engines cpsat,sat
      f2csp compare a.csp b.csp --engines search:inference=fc,search:inference=mac,variable-order=mrv
      f2csp compare a.csp --engines search:inference=none,variable-order=static,counted=all
      f2csp compare puzzles/ --repeats 5 --time-limit 10 --plot plot.svg --csv > table.csv
      f2csp compare --experiment takuzu.toml --markdown --plot takuzu.png > takuzu.md
    """
    given = {key: value for key, value in limits.items() if value is not None}
    refuse(session.as_json and table_form, f"--json and --{table_form} cannot be combined")
    if plot_ending(plot):
        from f2csp.experiments.plots import new_figure

        new_figure(1, 1)  # raises MissingExtra
    if experiment is None:
        code, chosen = _experiment(replace(session, as_json=False), engines, given)
    elif session.files or engines or given or not session.is_plain:
        raise click.UsageError("--experiment replaces files, engines and limits; write them in it")
    else:
        from f2csp.experiments import load_experiment

        code, chosen = 0, load_experiment(experiment)
    if chosen is None:
        return code
    from f2csp.experiments.runs import Journal

    with Journal(chosen.digest, resumes=resume) as journal:  # it stays if the report cannot be written
        runs = _runs(chosen, journal, session.as_json)
        _report(chosen, runs, table_form, session.as_json, plot)
    return worst([code, _print_contradictions(runs)])


def _experiment(session: Session, engines: Iterable[str], limits: dict[str, Any]) -> tuple[int, Experiment | None]:
    """The experiment on all problems that can be read, and the exit code of reading; None if there are none."""
    from f2csp.experiments import Experiment
    from f2csp.experiments.experiment import identity_of, task_of
    from f2csp.solving.registry import ENGINES, engine_and_options

    lines = [line for text in engines for line in _BETWEEN_ENGINES.split(text.strip()) if line]
    lines = lines or [engine.name for engine in ENGINES if engine.is_installed]
    for line in lines:
        engine_and_options(line)
    tasks: list[Task] = []

    @lru_cache(1)
    def identity(text: bytes) -> str:
        return identity_of(text, session.selection)

    def take(instance: Instance) -> None:
        tasks.append(task_of(session.accept(instance), identity(session.source.data)))

    code = session.work_on_each_problem(take)
    names = {"time_limit": "seconds", "memory_limit": "megabytes"}
    settings = {names.get(key, key): value for key, value in limits.items()}
    return code, Experiment(tasks, {line: line for line in lines}, **settings) if tasks else None


def _runs(experiment: Experiment, journal: Journal, as_json: bool) -> list[Run]:
    from f2csp.experiments import run

    runs, n_done = [], len(journal.runs)
    try:
        with Display("Comparing", experiment.n_runs - n_done, "runs") as display:
            for one in run(experiment, journal):
                runs.append(one)
                display.advance(len(journal.runs) - n_done)
                n_done = len(journal.runs)
                if as_json:
                    with display.paused():
                        echo_json({"command": "compare", **asdict(one)})
    except KeyboardInterrupt:
        n = f"{len(journal.runs):,} of {experiment.n_runs:,} runs are done"
        say(f"{n}; the same command with --resume makes the others")
        raise
    return runs


def _report(experiment: Experiment, runs: Sequence[Run], form: str | None, as_json: bool, plot: str | None) -> None:
    from f2csp.experiments.table import as_csv, document, failures, table

    rows = table(runs)
    if plot is not None:
        from f2csp.experiments.plots import plotted

        write_chunks([plotted(experiment, runs, plot_ending(plot)[1:])], plot)
    if form == "csv":
        click.echo(as_csv(rows), nl=False)
    elif form == "markdown":
        click.echo(document(experiment, runs, plot), nl=False)
    elif not as_json:
        _print_table(rows)
    for line in failures(runs) if form != "markdown" else ():
        say(line)


def _print_table(rows: Sequence[TableRow]) -> None:
    from f2csp.experiments.table import as_text

    head, *lines = as_text(rows, columns_of(sys.stdout)).splitlines()
    say(head, err=False)
    for row, line in zip(rows, lines, strict=True):
        say(line, err=False, fg="red" if row.contradicted else None)


def _print_contradictions(runs: Sequence[Run]) -> int:
    from f2csp.experiments.table import contradictions

    found = contradictions(runs)
    for line in found:
        say(f"contradiction: {line}", fg="red")
    return 1 if found else 0
