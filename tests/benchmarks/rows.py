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
    Action,
    Figure,
    Prepare,
    Row,
    Run,
    best,
    byte_loop,
    loop_over,
    needs,
    process,
    program,
    start,
    time_of,
    timed,
)
from tests.benchmarks.solving import SOLVING
from tests.benchmarks.texts import FAULTS, Texts

if TYPE_CHECKING:
    from f2csp.puzzles.puzzle import Puzzle

_READ = ("xcsp3", "wcsp", "json")


# ---- Reading and writing ---------------------------------------------------------------------------------------------


def _loads(path: Path, _: Texts) -> Action:
    return partial(f2csp.loads, path.read_bytes())


def _load(path: Path, _: Texts) -> Action:
    return partial(f2csp.load, path)


def _newlines(path: Path, _: Texts) -> Action:
    return partial(path.read_bytes().count, b"\n")


def _plain(size: str) -> Prepare:
    return lambda _, texts: _loads(texts.sudoku(getattr(texts.scale, size)), texts)


def _fromstring(path: Path, _: Texts) -> Action:
    import numpy as np

    body = b"".join(re.findall(rb"^[0-9]+(?: [0-9]+)+\n", path.read_bytes(), re.MULTILINE)).decode()
    return lambda: np.fromstring(body, dtype=np.int64, sep=" ")


def _loads_peak(path: Path, texts: Texts) -> Figure:
    figure = timed(_loads, _newlines)(path, texts)
    return Figure(figure.seconds, figure.peak or 0.0, figure.peak)


def _validate(path: Path, _: Texts) -> Action:
    data = path.read_bytes()
    return lambda: f2csp.validate(io.BytesIO(data))


def _validate_middle(_: Path, texts: Texts) -> Action:
    return _validate(_middle(texts), texts)


def _validate_table(_: Path, texts: Texts) -> Action:
    return _validate(texts.large_table(texts.scale.n_tables), texts)


def _dump(path: Path, texts: Texts) -> Action:
    problem, out = f2csp.load(path), texts.folder / "dumped.csp"
    f2csp.dump(problem, out)
    assert out.read_bytes() == path.read_bytes()
    return partial(f2csp.dump, problem, out)


def _each_puzzle(work: "Callable[[Puzzle], object]") -> Run:
    """All puzzles of a file, the reading included."""

    def prepare(path: Path, _: Texts) -> Action:
        return lambda: deque(map(work, f2csp.puzzles(path, "sudoku")), maxlen=0)

    return timed(prepare, byte_loop)


def _peak(_: float, peak: float, __: Path) -> float:
    return peak


def _megabytes(_: float, __: float, out: Path) -> float:
    return out.stat().st_size / 1e6


def _small(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.small)


def _middle(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.middle)


def _large(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.large)


def _table(texts: Texts) -> Path:
    return texts.large_table(texts.scale.n_rows)


def _clues(texts: Texts) -> Path:
    return texts.clues(texts.scale.large)


def _reported(texts: Texts) -> Path:
    return texts.sudoku(min(25, texts.scale.middle))


def _edit(path: Path, _: Texts) -> Action:
    """Change a character of a text that is examined."""
    examination = f2csp.examine(path)
    at = examination.text.index(b"\n1 1\n", len(examination.text) // 2) + 1
    return partial(examination.edited, at, at + 1, b"2")


def _edit_to_diagnostics(path: Path, texts: Texts) -> Action:
    edited = _edit(path, texts)
    return lambda: edited().diagnostics


def _variant(name: str, size: str, kind: str, make: Callable[[Texts, int], Path]) -> Row:
    name = f"`loads`, {name}, {kind}"
    return Row(name, "x plain", 2, 1.3, lambda t: make(t, getattr(t.scale, size)), timed(_loads, _plain(size)))


def _faulty(fault: str) -> Row:
    name, (must, aim, *_) = f"`validate`, 36x36 with {fault}", FAULTS[fault]
    return Row(
        name, "x plain", must, aim, lambda t: t.faulty(t.scale.middle, fault), timed(_validate, _validate_middle)
    )


def _refused(name: str, make: Callable[[Texts], Path]) -> Iterator[Row]:
    """The time and the memory of a file that is no F2CSP text at all."""
    measured = partial(program, "main validate IN", codes=(1, 2), limit=20)
    yield Row(f"`f2csp validate`, {name}", "x numpy", 17, 3.3, make, measured())
    yield Row(f"`f2csp validate`, {name}, the memory", "MB", 100, 40, make, measured(_peak))


_KINDS: dict[str, Callable[[Texts, int], Path]] = {
    "with CRLF": Texts.crlf,
    "with counts beside keywords": Texts.counted_beside,
    "with named constraints": Texts.named,
    "with two tables alternating": Texts.alternating,
}
_SIZES = {"36x36": "middle", "64x64": "large"}
_REFUSED = {
    "2 GB of zeros": Texts.zeros,
    "a line of 1 GB": Texts.one_line,
    "a line of 900 MB, compressed": Texts.zipped_line,
    "a picture of 5 MB": Texts.picture,
}
_BOARD, _REPORT = "main board --candidates --from sudoku:clues IN -o OUT.svg", "main report IN -o OUT.html"
_TO_PROBLEM = _each_puzzle(lambda puzzle: f2csp.to_problem(puzzle))
_TO_TEXT = _each_puzzle(lambda puzzle: f2csp.dumps(f2csp.to_problem(puzzle)))
_FAST_STATS = program("stats --fast IN", peer=("wc", "-l", "IN"))
_TABLE_FAULT = timed(_validate, _validate_table)
_IN_LOOPS = timed(_validate, byte_loop)

TEXTS = [
    Row("`loads`, 9x9, warm", "x loop", 2.3, 1.1, _small, timed(_loads, byte_loop)),
    Row("`loads`, 36x36", "x nl", 30, 18, _middle, timed(_loads, _newlines)),
    Row("`loads`, 64x64", "x nl", 20, 12, _large, timed(_loads, _newlines)),
    *(_variant(name, size, *kind) for name, size in _SIZES.items() for kind in _KINDS.items()),
    Row("`loads`, all tables different", "x fromstring", 6.7, 2.5, Texts.different, timed(_loads, _fromstring)),
    Row("`loads`, one table of 10^6 tuples", "x fromstring", 3, 1.5, _table, timed(_loads, _fromstring)),
    *map(_faulty, FAULTS),
    Row("`validate`, a wrong value in a table of 10^5 tuples", "x plain", 1.5, 1.1, Texts.faulty_table, _TABLE_FAULT),
    Row("`validate`, 60,000 empty tables", "x loop", 30, 6, Texts.empty_tables, _IN_LOOPS),
    Row("`validate`, 30,000 names that are not declared", "x loop", 26, 5.2, Texts.unknown_names, _IN_LOOPS),
    Row("`edited`, a character of 36x36", "x plain", 0.15, 0.02, _middle, timed(_edit, _plain("middle"))),
    Row("`edited`, up to the diagnostics", "x plain", 1, 0.5, _middle, timed(_edit_to_diagnostics, _plain("middle"))),
    *(row for name, make in _REFUSED.items() for row in _refused(name, make)),
    Row("`loads`, 64x64, peak above the text", "MB", 150, 60, _large, _loads_peak),
    Row("`dump`, 64x64", "x nl", 8, 6, _large, timed(_dump, _newlines)),
    Row(
        *("`sudoku-to-f2csp`, 100x100", "MB", 150, 80, lambda t: t.clues(t.scale.huge)),
        program("sudoku IN OUT.csp", _peak),
    ),
    Row("`f2csp-stats --fast`, 100x100", "x wc -l", 30, 10, lambda t: t.sudoku(t.scale.huge), _FAST_STATS),
    Row("`f2csp-stats`, 9x9", "x numpy", 2.6, 1.8, _small, program("stats IN")),
    Row("10,000 Sudokus of a file to `Problem`", "x loop", 62, 31, Texts.sudoku_lines, _TO_PROBLEM),
    Row("10,000 Sudokus of a file to text", "x loop", 250, 190, Texts.sudoku_lines, _TO_TEXT),
    Row("`sudoku-to-f2csp`, 9x9", "x numpy", 3.5, 2.2, Texts.sudoku_line, program("sudoku IN OUT.csp")),
    Row("`takuzu-to-f2csp`, 31x31", "x numpy", 17, 8.5, Texts.takuzu, program("takuzu IN OUT.csp")),
    Row("`f2csp board --candidates`, 64x64, to SVG", "x numpy", 33, 22, _clues, program(_BOARD)),
    Row("`f2csp board --candidates`, 64x64, the file", "MB", 5, 3, _clues, program(_BOARD, _megabytes)),
    Row("`f2csp report`, 25x25", "x numpy", 83, 50, _reported, program(_REPORT)),
    Row("`f2csp report`, 25x25, the file", "MB", 3, 1, _reported, program(_REPORT, _megabytes)),
]


# ---- Foreign formats -------------------------------------------------------------------------------------------------


def _chunks(path: Path, name: str) -> Iterator[bytes]:
    return exporter(name).chunks(f2csp.load(path), ExportOptions())


def _export(name: str) -> Run:
    """Write a problem, against a Python loop over the bytes that are written."""

    def written(path: Path, _: Texts) -> Action:
        problem, module = f2csp.load(path), exporter(name)
        return lambda: sum(map(len, module.chunks(problem, ExportOptions())))

    return timed(written, lambda path, _: partial(loop_over, b"".join(_chunks(path, name))))


def _exported(path: Path, texts: Texts, name: str) -> Path:
    """The problem of a file in a foreign format."""
    out = texts.folder / f"{path.stem}.{name}"
    if not out.exists():
        out.write_bytes(b"".join(_chunks(path, name)))
    return out


def _import(name: str, peer: Prepare) -> Run:
    def prepare(path: Path, texts: Texts) -> Action:
        file, module = _exported(path, texts, name), importer(name)
        return lambda: module.read(read_source(file))

    return timed(prepare, peer)


def _pysat(path: Path, texts: Texts) -> Action:
    needs("pysat")
    from pysat.formula import CNF

    file = _exported(path, texts, "dimacs")
    return lambda: CNF(from_file=str(file))


INTERCHANGE = [
    *(Row(f"36x36 to {name}", "x loop", 1.7, 0.5, _middle, _export(name)) for name in (*_READ, "dimacs", "minizinc")),
    *(Row(f"36x36 from {name}", "x load of F2CSP", 10, 5, _middle, _import(name, _load)) for name in _READ),
    Row("36x36 from dimacs", "x PySAT", 2, 1, _middle, _import("dimacs", _pysat)),
]


# ---- Batches ---------------------------------------------------------------------------------------------------------


def _batch(path: Path, texts: Texts, command: str, *options: str) -> Callable[[], float]:
    target = texts.folder / ("batch.tar" if command == "convert" else "batch.jsonl")
    codes = (0, 3) if command == "unique" else (0,)  # most of the puzzles have several solutions
    return partial(process, [*start(), "batch", command, path, "-o", target, *options], codes)


def _against(command: str, options: tuple[str, ...], peer: tuple[str, ...] | None) -> Run:
    """A batch against a Python loop over the bytes, or by the clock against one with other options."""

    def run(path: Path, texts: Texts) -> Figure:
        first = texts.sudoku_line()
        mine, nothing = _batch(path, texts, command, *options), _batch(first, texts, command, *options)
        if peer is None:
            seconds, less, theirs = best(mine, nothing, byte_loop(path, texts))
        else:
            other, none = _batch(path, texts, command, *peer), _batch(first, texts, command, *peer)
            seconds, less, theirs, their_start = best(mine, nothing, other, none, clock=perf_counter)
            theirs = max(theirs - their_start, 1e-6)
        return Figure(seconds, max(seconds - less, 1e-6) / theirs, mine())

    return run


def _cluster(path: Path, texts: Texts) -> Figure:
    needs("distributed")
    with _dask(texts.folder) as address:
        return _against("unique", ("--cluster", address), _TWO_JOBS)(path, texts)


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
        for running in reversed(programs):
            running.kill()
            running.wait()


def _memory(path: Path, texts: Texts) -> Figure:
    """The peak of the process that cuts and writes, for a hundred times as many items."""
    long, text = texts.folder / "long.sdm", path.read_text()
    with long.open("w") as file:
        file.writelines(text for _ in range(100))
    short = _batch(path, texts, "validate")()
    peaks: list[float] = []
    seconds = time_of(lambda: peaks.append(_batch(long, texts, "validate")()))
    long.unlink()
    return Figure(seconds, peaks[0] / short, peaks[0])


_ONE_JOB, _TWO_JOBS = ("--jobs", "1"), ("--jobs", "2")

BATCHES = [
    Row(
        "`batch convert`, 10,000 of 9x9, 1 job",
        "x loop",
        420,
        250,
        Texts.sudoku_lines,
        _against("convert", _ONE_JOB, None),
    ),
    Row(
        "`batch solve`, 10,000 of 9x9, 1 job",
        "x loop",
        6200,
        620,
        Texts.sudoku_lines,
        _against("solve", _ONE_JOB, None),
    ),
    Row(
        "`batch unique`, 10,000 of 9x9, 1 job",
        "x loop",
        6200,
        620,
        Texts.sudoku_lines,
        _against("unique", _ONE_JOB, None),
    ),
    Row(
        "`batch unique`, 2 jobs",
        "x 1 job",
        1 / 1.7,
        1 / 1.9,
        Texts.sudoku_lines,
        _against("unique", _TWO_JOBS, _ONE_JOB),
    ),
    Row("`batch unique`, Dask with 2 workers", "x 2 jobs", 1.3, 1.1, Texts.sudoku_lines, _cluster),
    Row("`batch validate`, peak, 100 times the items", "x", 1.3, 1.1, Texts.sudoku_lines, _memory),
]

ROWS = [*TEXTS, *SOLVING, *INTERCHANGE, *BATCHES]


def text(number: int, texts: Texts) -> Path:
    """The text of a row, which another process asks for by its number."""
    return ROWS[number].text(texts)


def figure(number: int, texts: Texts) -> Figure:
    return ROWS[number].measured(texts)
