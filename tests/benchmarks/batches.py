"""Batches: milliseconds for each of many Sudokus, and what more processes, a cluster and more items cost."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from tests.benchmarks.measure import Figure, Row, Run, process
from tests.benchmarks.texts import Texts

_CODE = """\
from f2csp.cli.main import main
try: main()
except SystemExit as done: assert done.code in (0, 3)"""  # some of the Sudokus have several solutions
_START = [sys.executable, "-c", _CODE, "batch"]


def _seconds(path: Path, texts: Texts, command: str, *options: str) -> tuple[float, float]:
    """The time of a batch above that of an empty one, and its peak in MB."""
    out, none = texts.folder / "batch.tar", texts.folder / "one.sdm"
    none.write_text(path.read_text().split()[0])
    target = [out if command == "convert" else out.with_suffix(".jsonl"), *options]
    nothing, _ = process([*_START, command, none, "-o", *target])
    seconds, peak = process([*_START, command, path, "-o", *target])
    return max(seconds - nothing, 1e-6), peak


def _each(command: str) -> Run:
    def run(path: Path, texts: Texts) -> Figure:
        seconds, peak = _seconds(path, texts, command, "--jobs", "1")
        return Figure(seconds, seconds / texts.scale.n_puzzles * 1e3, peak)

    return run


def _two_jobs(path: Path, texts: Texts) -> Figure:
    seconds, peak = _seconds(path, texts, "unique", "--jobs", "2")
    return Figure(seconds, seconds / _seconds(path, texts, "unique", "--jobs", "1")[0], peak)


def _cluster(path: Path, texts: Texts) -> Figure:
    with _dask(texts.folder) as address:
        seconds, peak = _seconds(path, texts, "unique", "--cluster", address)
    return Figure(seconds, seconds / _seconds(path, texts, "unique", "--jobs", "2")[0], peak)


@contextmanager
def _dask(folder: Path) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    import json
    from time import sleep

    place = folder / "scheduler.json"
    place.unlink(missing_ok=True)
    options = ["--scheduler-file", str(place), "--no-dashboard"]
    start: Callable[..., subprocess.Popen[bytes]] = lambda name, *more: subprocess.Popen(  # noqa: E731 - twice below
        [sys.executable, "-m", f"distributed.cli.dask_{name}", *options, *more], stderr=subprocess.DEVNULL
    )
    programs = [start("scheduler", "--host", "127.0.0.1", "--port", "0")]
    while not place.exists():
        sleep(0.05)
    programs += [start("worker", "--no-nanny", "--nthreads", "1") for _ in range(2)]
    try:
        yield json.loads(place.read_text())["address"]
    finally:
        for one in reversed(programs):
            one.kill()
            one.wait()


def _memory(path: Path, texts: Texts) -> Figure:
    """The peak of the process that cuts and writes, for a hundred times as many items."""
    long = texts.folder / "long.sdm"
    text = path.read_text()
    with long.open("w") as file:
        file.writelines(text for _ in range(100))
    begin = perf_counter()
    peaks = [process([*_START, "validate", one, "-o", texts.folder / "a.jsonl"])[1] for one in (path, long)]
    long.unlink()
    return Figure(perf_counter() - begin, peaks[1] / peaks[0], peaks[1])


BATCHES = [
    Row("`batch convert` of a 9x9, 1 job", "ms", 1 / 1.5, 1 / 2.5, Texts.sudoku_lines, _each("convert")),
    Row("`batch solve` of a 9x9, 1 job", "ms", 10, 1, Texts.sudoku_lines, _each("solve")),
    Row("`batch unique` of a 9x9, 1 job", "ms", 10, 1, Texts.sudoku_lines, _each("unique")),
    Row("`batch unique`, 2 jobs", "x 1 job", 1 / 1.7, 1 / 1.9, Texts.sudoku_lines, _two_jobs),
    Row("`batch unique`, Dask with 2 workers", "x 2 jobs", 1.3, 1.1, Texts.sudoku_lines, _cluster),
    Row("`batch validate`, peak, 100 times the items", "x", 1.3, 1.1, Texts.sudoku_lines, _memory),
]
