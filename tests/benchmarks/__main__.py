"""Prints the tables, and writes them to RESULTS.md when asked to.

python -m tests.benchmarks                     # about twenty minutes
python -m tests.benchmarks --write             # and keep the results
python -m tests.benchmarks --only loads --folder texts

Other programs come from `pip install '.[bench]'`, and from Debian's packages minizinc, toulbar2, qqwing and
default-jre-headless; without one of them, its rows are skipped, and no results are written.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from tests.benchmarks.measure import Figure, Row, Skipped
from tests.benchmarks.peers import TASK_HEAD, TASKS, task_lines
from tests.benchmarks.rows import ROWS, figure, text
from tests.benchmarks.startup import commands
from tests.benchmarks.startup import table as startup_table
from tests.benchmarks.texts import SCALES, Texts

T = TypeVar("T")

RESULTS = Path(__file__).with_name("RESULTS.md")
_OTHER_PROGRAMS = (
    "The same task by F2CSP and by other programs, each started as its users start it: seconds of the processor of",
    "the whole process, the best of several runs; so the start of Python and of Java counts. Each program had to end",
    "with exit code 0 and to print its answer. `read and solve` has tables alone, in each program's format. Elsewhere",
    "the other programs have the constraints by name (all different, sums), as their users write them, and F2CSP the",
    "tables, except that instances of XCSP3, compiled by pycsp3, are the same for all three. A ratio below 1 says that",
    "F2CSP took less.",
)
_START_UP = (
    "Each command on a small input: a 9x9 Sudoku with 25 givens and one solution, for `explain` one without a",
    "solution. All end with exit code 0.",
)


def main(arguments: list[str] | None = None) -> None:
    """Measure row after row, each in a process of its own."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        loads = [_load()]
        lines, missing = _tables(folder, options.scale, options.only)
        loads.append(_load())
    if options.write and missing:
        sys.exit(f"{RESULTS.name} is not written, for it would lack figures: {'; '.join(sorted(missing))}")
    if options.write:
        RESULTS.write_text(
            "\n".join(["# Benchmark results", "", *_machine(loads), "", *lines]) + "\n", encoding="utf-8"
        )


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--only", default="", help="rows whose names hold this")
    parser.add_argument("--folder", help="keep the generated texts here (2 GB), to have them the next time")
    parser.add_argument("--scale", choices=SCALES, default="full")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    return parser.parse_args(arguments)


def _tables(folder: Path, scale: str, only: str) -> tuple[list[str], set[str]]:
    """The lines, and what was missing."""
    texts, lines, missing = Texts(folder, SCALES[scale]), [], set()

    def show(*new: str) -> None:
        lines.extend(new)
        print(*new, sep="\n", flush=True)

    show("| what | ratio, or megabytes | must | aim | | CPU seconds here | peak, MB |", f"|{' --- |' * 7}")
    verdicts: Counter[str] = Counter()
    for number, row in enumerate(ROWS):
        if only in row.name:
            _in_a_fresh_process(partial(text, number, texts))
            try:
                verdict, line = _measured(row, partial(figure, number, texts))
            except Skipped as reason:
                missing.add(str(reason))
                verdict, line = "skipped", f"| {row.name} | skipped: {reason} |{' |' * 5}"
            verdicts[verdict] += 1
            show(line)
    show("", ", ".join(f"{verdict}: {n}" for verdict, n in verdicts.most_common()))
    tasks = [number for number, task in enumerate(TASKS) if only in task.name]
    if tasks:
        show("", "## Other programs", "", *_OTHER_PROGRAMS, "", *TASK_HEAD)
    for number in tasks:
        try:
            show(*_in_a_fresh_process(partial(task_lines, number, texts)))
        except Skipped as reason:
            missing.add(str(reason))
            show(f"| {TASKS[number].name} | skipped: {reason} |{' |' * 2}")
    if not only:
        show("", "## Start-up", "", *_START_UP, "", *startup_table(commands(texts)))
    return lines, missing


def _measured(row: Row, call: Callable[[], Figure]) -> tuple[str, str]:
    """The verdict of a row and its line."""
    goals = f"{_number(row.must)} | {_number(row.aim)}"
    measured = _in_a_fresh_process(call)
    verdict = "aim" if measured.value <= row.aim else "must" if measured.value <= row.must else "MISSED"
    cost = f"{measured.seconds:.4f} | {'?' if measured.peak is None else f'{measured.peak:.0f}'}"
    return verdict, f"| {row.name} | {_number(measured.value)} {row.unit} | {goals} | {verdict} | {cost} |"


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def _in_a_fresh_process(call: Callable[[], T]) -> T:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call).result()


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "?"


def _machine(loads: list[str]) -> list[str]:
    import numpy as np

    cpuinfo = Path("/proc/cpuinfo")
    models = [line for line in cpuinfo.read_text().splitlines() if "model name" in line] if cpuinfo.exists() else []
    model = models[0].split(": ")[1] if models else platform.processor()
    here = f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    return [
        f"{datetime.now(UTC):%Y-%m-%d}, {here}, NumPy {np.__version__}; by `python -m tests.benchmarks --write`.",
        f"Processes that wanted a processor (load average): {' before, '.join(loads)} after.",
        "",
        "Targets are ratios to a baseline measured alternately in the same run, so that they hold on every machine:",
        "",
        "- `loop`: a Python loop over the bytes of the text; where a row has none, over a 9x9 Sudoku in F2CSP",
        '- `numpy`: the process `python -c "import numpy"`',
        '- `nl`: `data.count(b"\\n")` on the same bytes in memory',
        '- `fromstring`: `numpy.fromstring(body, sep=" ")` on the tuples alone',
        "- `plain`: the same call on the canonical text without an error",
        "- `by hand`: the model that a person would write for CP-SAT; F2CSP has the tables, and uses CP-SAT, too",
        "- `raw`: the tables as they are, given to CP-SAT with a limit of 60 s",
        "- `python-constraint`: `AllDifferentConstraint` for cells that differ, functions for other tables",
        "- peak: the memory that the measured call adds to its text, or for a program that of its process",
        "",
        "On the machine for which the targets were set, at rest, `loop` takes 20 ns for each byte, `numpy` 60 ms.",
        "Each row runs in a fresh process and shows the best of several runs.",
    ]


if __name__ == "__main__":
    main()
