"""What is measured, a row each in a fresh process: reading, writing and programs; foreign formats; batches."""

import io
import json
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING

import f2csp
from f2csp.files import read_source
from f2csp.formats.foreign import ExportOptions, exporter, importer
from tests.benchmarks.measure import (
    NOTHING,
    Action,
    Figure,
    Row,
    Run,
    Unit,
    best,
    best_process,
    milliseconds,
    process,
    start,
    timed,
)
from tests.benchmarks.measure import program as run_program
from tests.benchmarks.solving import SOLVING
from tests.benchmarks.texts import Texts

if TYPE_CHECKING:
    from f2csp.puzzles.puzzle import Puzzle

_READ = ("xcsp3", "wcsp", "json")


# ---- Reading and writing ---------------------------------------------------------------------------------------------


def _loads(path: Path, _: Texts) -> Action:
    return partial(f2csp.loads, path.read_bytes())


def _load_time(path: Path, _: Texts) -> float:
    return best(partial(f2csp.load, path))


def _newlines(path: Path, _: Texts) -> float:
    return best(partial(path.read_bytes().count, b"\n"))


def _plain(size: str) -> Unit:
    return lambda _, texts: _load_time(texts.sudoku(getattr(texts.scale, size)), texts)


def _fromstring(path: Path, _: Texts) -> float:
    import numpy as np

    body = b"".join(re.findall(rb"^[0-9]+(?: [0-9]+)+\n", path.read_bytes(), re.MULTILINE)).decode()
    return best(lambda: np.fromstring(body, dtype=np.int64, sep=" "))


def _loads_peak(path: Path, texts: Texts) -> Figure:
    found = timed(_loads)(path, texts)
    return Figure(found.seconds, found.peak or 0.0, found.peak)


def _validate(path: Path, _: Texts) -> Action:
    data = path.read_bytes()
    assert not f2csp.validate(io.BytesIO(data)).is_valid
    return lambda: f2csp.validate(io.BytesIO(data))


def _dump(path: Path, texts: Texts) -> Action:
    problem, out = f2csp.load(path), texts.folder / "dumped.csp"
    f2csp.dump(problem, out)
    assert out.read_bytes() == path.read_bytes()
    return partial(f2csp.dump, problem, out)


def _each_puzzle(work: "Callable[[Puzzle], object]") -> Run:
    """Microseconds for each puzzle of a file, the reading included."""

    def prepare(path: Path, _: Texts) -> Action:
        return lambda: deque(map(work, f2csp.puzzles(path, "sudoku")), maxlen=0)

    return timed(prepare, lambda _, texts: texts.scale.n_puzzles / 1e6)


def _fast_stats(path: Path, _: Texts) -> Figure:
    seconds, peak = best_process([*start("stats"), "--fast", path], 3)
    return Figure(seconds, seconds / best_process(["wc", "-l", path], 3)[0], peak)


def _megabytes(_: float, __: float, out: Path) -> float:
    return out.stat().st_size / 1e6


def _small(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.small)


def _middle(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.middle)


def _large(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.large)


def _clues(texts: Texts) -> Path:
    return texts.clues(texts.scale.large)


def _reported(texts: Texts) -> Path:
    return texts.sudoku(min(25, texts.scale.middle))


def _variant(name: str, size: str, kind: str, make: Callable[[Texts, int], Path]) -> Row:
    name = f"`loads`, {name}, {kind}"
    return Row(name, "x plain", 2, 1.3, lambda t: make(t, getattr(t.scale, size)), timed(_loads, _plain(size)))


_KINDS: dict[str, Callable[[Texts, int], Path]] = {
    "with CRLF": Texts.crlf,
    "with named constraints": Texts.named,
    "with two tables alternating": Texts.alternating,
}
_SIZES = {"36x36": "middle", "64x64": "large"}
_BOARD, _REPORT = "main board --candidates --from sudoku:clues IN -o OUT.svg", "main report IN -o OUT.html"
_TO_PROBLEM = _each_puzzle(lambda puzzle: f2csp.to_problem(puzzle))
_TO_TEXT = _each_puzzle(lambda puzzle: f2csp.dumps(f2csp.to_problem(puzzle)))


def _above_nothing(words: str) -> Run:
    return run_program(words, milliseconds, above=NOTHING)


TEXTS = [
    Row("`loads`, 9x9, warm", "ms", 2.5, 1.2, _small, timed(_loads, 1e-3)),
    Row("`loads`, 36x36", "x nl", 30, 18, _middle, timed(_loads, _newlines)),
    Row("`loads`, 64x64", "x nl", 20, 12, _large, timed(_loads, _newlines)),
    *(_variant(name, size, *kind) for name, size in _SIZES.items() for kind in _KINDS.items()),
    Row("`loads`, all tables different", "x fromstring", 6.7, 2.5, Texts.different, timed(_loads, _fromstring)),
    Row("`loads`, one table of 10^6 tuples", "x fromstring", 3, 1.5, Texts.large_table, timed(_loads, _fromstring)),
    Row("one fault in 64x64", "x plain", 3, 1.5, lambda t: t.faulty(t.scale.large), timed(_validate, _plain("large"))),
    Row("`loads`, 64x64, peak above the text", "MB", 150, 60, _large, _loads_peak),
    Row("`dump`, 64x64", "x nl", 8, 6, _large, timed(_dump, _newlines)),
    Row(
        *("`sudoku-to-f2csp`, 100x100", "MB", 150, 80, lambda t: t.clues(t.scale.huge)),
        run_program("sudoku IN OUT.csp", lambda _, peak, __: peak, runs=3),
    ),
    Row("`f2csp-stats --fast`, 100x100", "x wc -l", 30, 10, lambda t: t.sudoku(t.scale.huge), _fast_stats),
    Row("`f2csp-stats`, 9x9, above `python -c pass`", "ms", 150, 100, _small, _above_nothing("stats IN")),
    Row("a Sudoku of 10,000 in a file to `Problem`", "µs", 100, 50, Texts.sudoku_lines, _TO_PROBLEM),
    Row("a Sudoku of 10,000 in a file to text", "µs", 400, 300, Texts.sudoku_lines, _TO_TEXT),
    Row(
        *("`sudoku-to-f2csp`, 9x9, above `python -c pass`", "ms", 200, 120, Texts.sudoku_line),
        _above_nothing("sudoku IN OUT.csp"),
    ),
    Row("`takuzu-to-f2csp`, 31x31", "ms", 1000, 500, Texts.takuzu, _above_nothing("takuzu IN OUT.csp")),
    Row("`f2csp board --candidates`, 64x64, to SVG", "s", 2, 1.3, _clues, run_program(_BOARD, runs=3)),
    Row("`f2csp board --candidates`, 64x64, the file", "MB", 5, 3, _clues, run_program(_BOARD, _megabytes, runs=1)),
    Row("`f2csp report`, 25x25", "s", 5, 3, _reported, run_program(_REPORT, runs=3)),
    Row("`f2csp report`, 25x25, the file", "MB", 3, 1, _reported, run_program(_REPORT, _megabytes, runs=1)),
]


# ---- Foreign formats -------------------------------------------------------------------------------------------------


def _export(name: str) -> Run:
    """Milliseconds for each megabyte that is written."""

    def written(path: Path) -> Callable[[], int]:
        problem, module = f2csp.load(path), exporter(name)
        return lambda: sum(map(len, module.chunks(problem, ExportOptions())))

    return timed(lambda path, _: written(path), lambda path, _: written(path)() / 1e9)


def _exported(path: Path, texts: Texts, name: str) -> Path:
    """The problem of a file in a foreign format."""
    out = texts.folder / f"{path.stem}.{name}"
    if not out.exists():
        out.write_bytes(b"".join(exporter(name).chunks(f2csp.load(path), ExportOptions())))
    return out


def _import(name: str, unit: Unit) -> Run:
    def prepare(path: Path, texts: Texts) -> Action:
        file, module = _exported(path, texts, name), importer(name)
        return lambda: module.read(read_source(file))

    return timed(prepare, unit)


def _pysat(path: Path, texts: Texts) -> float:
    from pysat.formula import CNF

    file = _exported(path, texts, "dimacs")
    return best(lambda: CNF(from_file=str(file)))


INTERCHANGE = [
    *(Row(f"36x36 to {name}", "ms per MB", 33, 10, _middle, _export(name)) for name in (*_READ, "dimacs", "minizinc")),
    *(Row(f"36x36 from {name}", "x load of F2CSP", 10, 5, _middle, _import(name, _load_time)) for name in _READ),
    Row("36x36 from dimacs", "x PySAT", 2, 1, _middle, _import("dimacs", _pysat)),
]


# ---- Batches ---------------------------------------------------------------------------------------------------------


def _batch(path: Path, texts: Texts, command: str, *options: str) -> tuple[float, float]:
    """The time of a batch above that of an empty one, and its peak in MB."""
    out, none = texts.folder / "batch.tar", texts.folder / "one.sdm"
    none.write_text(path.read_text().split()[0])
    target = [out if command == "convert" else out.with_suffix(".jsonl"), *options]
    nothing, _ = process([*start(), "batch", command, none, "-o", *target])
    seconds, peak = process([*start(), "batch", command, path, "-o", *target])
    return max(seconds - nothing, 1e-6), peak


def _each(command: str) -> Run:
    def run(path: Path, texts: Texts) -> Figure:
        seconds, peak = _batch(path, texts, command, "--jobs", "1")
        return Figure(seconds, seconds / texts.scale.n_puzzles * 1e3, peak)

    return run


def _two_jobs(path: Path, texts: Texts) -> Figure:
    seconds, peak = _batch(path, texts, "unique", "--jobs", "2")
    return Figure(seconds, seconds / _batch(path, texts, "unique", "--jobs", "1")[0], peak)


def _cluster(path: Path, texts: Texts) -> Figure:
    with _dask(texts.folder) as address:
        seconds, peak = _batch(path, texts, "unique", "--cluster", address)
    return Figure(seconds, seconds / _batch(path, texts, "unique", "--jobs", "2")[0], peak)


@contextmanager
def _dask(folder: Path) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    place = folder / "scheduler.json"
    place.unlink(missing_ok=True)

    def started(name: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--scheduler-file", str(place)]
        return subprocess.Popen([*command, "--no-dashboard", *options], stderr=subprocess.DEVNULL)

    programs = [started("scheduler", "--host", "127.0.0.1", "--port", "0")]
    while not place.exists():
        sleep(0.05)
    programs += [started("worker", "--no-nanny", "--nthreads", "1") for _ in range(2)]
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
    peaks = [process([*start(), "batch", "validate", one, "-o", texts.folder / "a.jsonl"])[1] for one in (path, long)]
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

ROWS = [*TEXTS, *SOLVING, *INTERCHANGE, *BATCHES]


def text(number: int, texts: Texts) -> Path:
    """The text of a row, which another process asks for by its number."""
    return ROWS[number].text(texts)


def figure(number: int, texts: Texts) -> Figure:
    return ROWS[number].measured(texts)
