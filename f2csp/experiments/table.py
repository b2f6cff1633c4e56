"""The table of an experiment: a row for each configuration on each group of problems, and on all of them."""

import csv
import io
import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from f2csp.arrays import grouped
from f2csp.diagnostics import counted
from f2csp.diagnostics.render import csv_cell
from f2csp.experiments.experiment import Experiment
from f2csp.experiments.runs import ANSWERS, TIMED_OUT, WRONG, Run

ALL = "all problems"
_MAX_FAILURES = 20
_MANY_SECONDS = 1000  # shown without fractions
_COUNTERS = ("nodes", "failures", "checks", "generated", "expanded")


class TableRow(NamedTuple):
    """What is known of the runs of a configuration on some problems."""

    problems: str  # their name
    engine: str  # the name of the configuration
    runs: int
    n_answers: int  # of the runs
    status: str  # of the runs, with their numbers if there are several
    numbers: Mapping[str, Any]  # medians, by the names of their columns; None if unknown
    contradicted: bool  # whether a solution was wrong, or an answer other than one of another configuration


def table(runs: Sequence[Run]) -> list[TableRow]:
    """The rows of the table, in the order of the runs."""
    contradicted = {(run.problem, run.engine) for some in _contradictions(runs) for run in some}
    groups = grouped((run.group, run) for run in runs)
    if len(groups) > 1:
        groups[ALL] = list(runs)
    return [
        row_of(name, engine, some, any((run.problem, run.engine) in contradicted for run in some))
        for name, group in groups.items()
        for engine, some in grouped((run.engine, run) for run in group).items()
    ]


def row_of(problems: str, engine: str, runs: Sequence[Run], is_contradicted: bool = False) -> TableRow:
    """The row of some runs; the times are those of runs that answered or reached the time limit."""
    counts = Counter(run.status for run in runs)
    status = runs[0].status if len(counts) == 1 else ", ".join(f"{n} {name}" for name, n in counts.most_common())
    n_answers = sum(counts[answer] for answer in ANSWERS)
    timed = [run for run in runs if run.status in (*ANSWERS, TIMED_OUT) and run.seconds is not None]
    cpu = [run.cpu for run in timed if run.cpu is not None]
    lower, upper = np.percentile(cpu, (25, 75)).tolist() if cpu else (None, None)
    keys = {name: "constraint_checks" if name == "checks" else name for name in _COUNTERS}
    shared = {name: {run.parameters.get(name) for run in runs} for name in ("size", "variables", "blanks")}
    size, variables, blanks = (found.pop() if len(found) == 1 else None for found in shared.values())
    numbers = {
        "size": size if size is not None else variables,
        "blanks": blanks,
        "cpu": _median(cpu),
        "lower_quartile": lower,
        "upper_quartile": upper,
        "seconds": _median(run.seconds for run in timed),
        **{name: _median(run.statistics.get(key) for run in runs) for name, key in keys.items()},
        "memory": _median(run.memory for run in runs),
        "satisfiable": counts[ANSWERS[0]] / n_answers if n_answers else None,  # the fraction of the answers
    }
    return TableRow(problems, engine, len(runs), n_answers, status, numbers, is_contradicted)


def _median(numbers: Iterable[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return median(known) if known else None


def _contradictions(runs: Iterable[Run]) -> Iterator[list[Run]]:
    for some in grouped((run.problem, run) for run in runs).values():
        differ = len({run.status for run in some if run.status in ANSWERS}) > 1
        if found := [run for run in some if run.status == WRONG or (differ and run.status in ANSWERS)]:
            yield found


def contradictions(runs: Iterable[Run]) -> list[str]:
    """A line for each problem on which engines disagree, or for which one gave a wrong solution."""
    return [
        f"{_name(some[0])}: {', '.join(dict.fromkeys(f'{run.engine}: {run.message or run.status}' for run in some))}"
        for some in _contradictions(runs)
    ]


def failures(runs: Iterable[Run]) -> list[str]:
    """A line for each configuration and problem on which a run failed, and why."""
    found = (f"{_name(run)}: {run.engine}: {run.message}" for run in runs if run.message and run.status != WRONG)
    lines = list(dict.fromkeys(found))
    n_hidden = len(lines) - _MAX_FAILURES
    return lines if n_hidden <= 0 else [*lines[:_MAX_FAILURES], f"... and {n_hidden:,} more"]


def _name(run: Run) -> str:
    return f"{run.file}:{run.index}" if run.n_instances > 1 else run.file


# Of numbers, each with their names.
_COLUMNS = {"size": "size", "blanks": "blanks", "CPU, s": "cpu", "quartiles, s": "lower_quartile upper_quartile"}
_COLUMNS |= {"time, s": "seconds", **{name: name for name in _COUNTERS}, "memory, MB": "memory"}
# The first one that is left out comes first.
_DISPENSABLE = ("time, s", "memory, MB", "quartiles, s", *_COUNTERS[:0:-1], "size", "runs", "blanks", "nodes")
_MIN_NAME = 16  # characters of a name of problems that is cut
N_WORDS = 3
"""The number of columns of words, the last of them the status, before those of numbers."""


def cells(rows: Sequence[TableRow]) -> list[list[str]]:
    """The table for people: the names of the columns that are not all empty or 0, and a line for each row."""
    lines = [["problems", "engine", "status", "runs", *_COLUMNS]]
    for row in rows:
        status = f"{row.status} (contradicted)" if row.contradicted else row.status
        at_least = "> " if 2 * row.n_answers <= row.runs else ""
        numbers = [_cell(name, [row.numbers[key] for key in keys.split()], at_least) for name, keys in _COLUMNS.items()]
        lines.append([row.problems, row.engine, status, str(row.runs), *numbers])
    used = [i for i in range(len(lines[0])) if any(line[i] not in ("", "0") for line in lines[1:])]
    return [[line[i] for i in used] for line in lines]


def _cell(name: str, values: Sequence[float | None], at_least: str) -> str:
    """The numbers of a column; ``at_least`` precedes those that a limit has cut short."""
    known = [value for value in values if value is not None]
    if name.endswith(", s"):
        text = "-".join(f"{x:.0f}" if x >= _MANY_SECONDS else f"{x:.3g}" for x in known)
    else:
        text = "".join(f"{x:,.0f}" for x in known)
    return f"{at_least}{text}" if any(known) and (name in _COUNTERS or name == "CPU, s") else text


def as_text(rows: Sequence[TableRow], width: int | None = None) -> str:
    """The table in aligned columns; where it is too wide, names are cut, then columns of least use left out."""
    lines = cells(rows)

    def excess() -> int:
        widths = _widths(lines)
        return 0 if width is None else max(0, sum(widths) + 2 * (len(widths) - 1) - width)

    most = max(_MIN_NAME, _widths(lines)[0] - excess())
    lines = [[name if len(name) <= most else f"…{name[1 - most :]}", *rest] for name, *rest in lines]
    shared = ("problems",) if len({row.problems for row in rows}) == 1 else ()
    for name in (*shared, *_DISPENSABLE):
        if excess() and name in lines[0]:
            i = lines[0].index(name)
            lines = [[*line[:i], *line[i + 1 :]] for line in lines]
    sides = ["<" if name in ("problems", "engine", "status") else ">" for name in lines[0]]
    forms = "  ".join([f"{{:{side}{n}}}" for side, n in zip(sides, _widths(lines), strict=True)])
    return "".join(f"{forms.format(*line).rstrip()}\n" for line in lines)


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*lines, strict=True)]


def as_markdown(rows: Sequence[TableRow]) -> str:
    """The table in Markdown; rows with contradictions are bold."""
    head, *lines = ([cell.replace("|", "\\|") for cell in line] for line in cells(rows))
    rule = ["---"] * N_WORDS + ["---:"] * (len(head) - N_WORDS)
    for row, line in zip(rows, lines, strict=True):
        line[:] = [f"**{cell}**" if row.contradicted and cell else cell for cell in line]
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, rule, *lines))


def as_csv(rows: Sequence[TableRow]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["problems", "engine", "runs", "n_answers", "status", *rows[0].numbers, "contradicted"])
    for *words, numbers, contradicted in rows:
        writer.writerow([*map(csv_cell, words), *numbers.values(), contradicted])
    return text.getvalue()


def document(experiment: Experiment, runs: Sequence[Run], plot: str | None = None) -> str:
    """A page in Markdown: what the experiment is about, where it ran, its table and its plot."""
    machine = f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    seconds, megabytes = f"{experiment.seconds:g} s", f"{experiment.megabytes:,.0f} MB"
    limits = f"at most {seconds} of CPU time, {megabytes} and {counted(experiment.workers, 'thread')} for each"
    n = f"{counted(len(runs), 'run')}, {experiment.repeats} of each configuration on each problem"
    parts = [
        f"# {experiment.title or 'Comparison'}",
        experiment.text.strip(),
        f"{n}, {limits}. Numbers are medians; > marks those that the limit cuts short. {machine}.",
        f"![Plot]({Path(plot).name})" if plot else "",
        as_markdown(table(runs)).strip(),
        "\n".join(f"* **contradiction: {line}**" for line in contradictions(runs)),
        "\n".join(f"* {line}" for line in failures(runs)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"
