"""Prints the tables, and writes them to RESULTS.md when asked to.

python -m tests.benchmarks                     # a few minutes
python -m tests.benchmarks --write             # and keep the results
python -m tests.benchmarks --only loads --folder texts
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from tests.benchmarks.measure import Figure, Row
from tests.benchmarks.peers import PEERS
from tests.benchmarks.rows import ROWS
from tests.benchmarks.startup import commands
from tests.benchmarks.startup import table as startup_table
from tests.benchmarks.texts import SCALES, Texts

RESULTS = Path(__file__).with_name("RESULTS.md")
ROOT = Path(__file__).parents[2]


def main(arguments: list[str] | None = None) -> None:
    """Measure row after row, each in a process of its own."""
    options = _options(arguments)
    if options.worker is not None:
        _work(options)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        lines = _tables(folder, options.scale, options.only)
    if options.write:
        RESULTS.write_text("\n".join(["# Benchmark results", "", *_machine(), "", *lines]) + "\n", encoding="utf-8")


def measure(row: Row, texts: Texts) -> Figure:
    """Measure a row in this process."""
    return row.run(row.text(texts), texts)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--only", default="", help="rows whose names hold this")
    parser.add_argument("--folder", help="keep the generated texts here (2 GB), to have them the next time")
    parser.add_argument("--scale", choices=SCALES, default="full")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _tables(folder: Path, scale: str, only: str) -> list[str]:
    lines: list[str] = []

    def show(*new: str) -> None:
        lines.extend(new)
        print(*new, sep="\n", flush=True)

    show("| what | seconds | value | must | aim | | peak, MB |", "| --- | --- | --- | --- | --- | --- | --- |")
    for i, row in enumerate(ROWS):
        if only in row.name:
            _in_worker(f"text-{i}", folder, scale)
            show(_line(row, Figure(**_in_worker(f"row-{i}", folder, scale))))
    if not only:
        show("", "Peers:", "", "| who | time |", "| --- | --- |")
        for name in PEERS:
            show(f"| {name} | {_in_worker(name, folder, scale)} |")
        show("", "Start-up, on a 9x9 Sudoku:", "", *startup_table(commands(Texts(folder, SCALES[scale]))))
    return lines


def _line(row: Row, found: Figure) -> str:
    verdict = "aim" if found.value <= row.aim else "must" if found.value <= row.must else "MISSED"
    peak = "?" if found.peak is None else f"{found.peak:.0f}"
    goals = f"{row.must:g} | {row.aim:g}"
    n_digits = 2 if found.value >= 0.01 else 5
    return (
        f"| {row.name} | {found.seconds:.4f} | {found.value:.{n_digits}f} {row.unit} | {goals} | {verdict} | {peak} |"
    )


def _in_worker(task: str, folder: Path, scale: str) -> object:
    """What a fresh process says of a task."""
    command = [sys.executable, "-m", "tests.benchmarks", "--folder", str(folder), "--scale", scale, "--worker", task]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit(f"{task} failed:\n{done.stderr}")
    return json.loads(done.stdout)


def _work(options: argparse.Namespace) -> None:
    texts = Texts(Path(options.folder), SCALES[options.scale])
    if options.worker in PEERS:
        answer: object = PEERS[options.worker](texts)
    else:
        kind, number = options.worker.split("-")
        row = ROWS[int(number)]
        answer = str(row.text(texts)) if kind == "text" else asdict(measure(row, texts))
    print(json.dumps(answer))


def _machine() -> list[str]:
    import numpy as np

    cpuinfo = Path("/proc/cpuinfo")
    models = [line for line in cpuinfo.read_text().splitlines() if "model name" in line] if cpuinfo.exists() else []
    model = models[0].split(": ")[1] if models else platform.processor()
    here = f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    return [
        f"{datetime.now(UTC):%Y-%m-%d}, {here}, NumPy {np.__version__}; by `python -m tests.benchmarks --write`.",
        "",
        '- `nl`: the time of `data.count(b"\\n")` on the same bytes in memory',
        '- `fromstring`: that of `numpy.fromstring(body, sep=" ")` on the tuples alone',
        "- `plain`: that of `loads` on the canonical text",
        "- peak: what the measured call adds to its text, or that of the whole process where a program is measured",
        "",
        "Each row has a fresh process, and gives the best of several runs.",
    ]


if __name__ == "__main__":
    main()
