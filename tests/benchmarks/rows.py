"""What is measured, a function for each row of the table; each runs in a fresh process."""

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import f2csp
from tests.benchmarks.batches import BATCHES
from tests.benchmarks.counting import COUNTING
from tests.benchmarks.interchange import INTERCHANGE
from tests.benchmarks.measure import Figure, Row, Run, above_nothing, best, best_process, measured
from tests.benchmarks.searching import SEARCHING
from tests.benchmarks.solving import SOLVING
from tests.benchmarks.texts import Texts

if TYPE_CHECKING:
    from f2csp.puzzles.puzzle import Puzzle


def program(name: str) -> list[str]:
    """The command line of one of the package's programs."""
    return [sys.executable, "-c", f"from f2csp.cli.main import {name}; {name}()"]


def _loads_against_newlines(path: Path, texts: Texts) -> Figure:
    data, seconds, peak = _loads(path)
    return Figure(seconds, seconds / best(lambda: data.count(b"\n")), peak)


def _loads_in_milliseconds(path: Path, texts: Texts) -> Figure:
    _, seconds, peak = _loads(path)
    return Figure(seconds, seconds * 1e3, peak)


def _loads_peak(path: Path, texts: Texts) -> Figure:
    _, seconds, peak = _loads(path)
    return Figure(seconds, peak or 0.0, peak)


def _loads_against_plain(size: str) -> Run:
    def run(path: Path, texts: Texts) -> Figure:
        _, seconds, peak = _loads(path)
        plain = texts.sudoku(getattr(texts.scale, size)).read_bytes()
        return Figure(seconds, seconds / best(lambda: f2csp.loads(plain)), peak)

    return run


def _loads_against_fromstring(path: Path, texts: Texts) -> Figure:
    import numpy as np

    data, seconds, peak = _loads(path)
    body = b"".join(re.findall(rb"^[0-9]+(?: [0-9]+)+\n", data, re.MULTILINE)).decode()
    return Figure(seconds, seconds / best(lambda: np.fromstring(body, dtype=np.int64, sep=" ")), peak)


def _validate_against_plain(path: Path, texts: Texts) -> Figure:
    data, plain = path.read_bytes(), texts.sudoku(texts.scale.large).read_bytes()
    assert not f2csp.validate(io.BytesIO(data)).is_valid
    seconds, peak = measured(lambda: f2csp.validate(io.BytesIO(data)))
    return Figure(seconds, seconds / best(lambda: f2csp.loads(plain)), peak)


def _dump_against_newlines(path: Path, texts: Texts) -> Figure:
    data = path.read_bytes()
    problem = f2csp.loads(data)
    out = texts.folder / "dumped.csp"
    seconds, peak = measured(lambda: f2csp.dump(problem, out))
    assert out.read_bytes() == data
    out.unlink()
    return Figure(seconds, seconds / best(lambda: data.count(b"\n")), peak)


def _convert(path: Path, texts: Texts) -> Figure:
    out = texts.folder / "converted.csp"
    seconds, peak = best_process([*program("sudoku"), path, out])
    out.unlink()
    return Figure(seconds, peak, peak)


def _fast_stats_against_wc(path: Path, texts: Texts) -> Figure:
    seconds, peak = best_process([*program("stats"), "--fast", path])
    return Figure(seconds, seconds / best_process(["wc", "-l", path])[0], peak)


def _stats_against_nothing(path: Path, texts: Texts) -> Figure:
    return above_nothing([*program("stats"), path], texts.scale.n_processes)


def _puzzles_to_problems(path: Path, texts: Texts) -> Figure:
    from f2csp.puzzles.to_problem import to_problem

    return _per_puzzle(path, texts, lambda puzzle: to_problem(puzzle))


def _puzzles_to_texts(path: Path, texts: Texts) -> Figure:
    from f2csp.puzzles.to_problem import to_problem
    from f2csp.text.writer import dumps

    return _per_puzzle(path, texts, lambda puzzle: dumps(to_problem(puzzle)))


def _per_puzzle(path: Path, texts: Texts, work: Callable[["Puzzle"], object]) -> Figure:
    """Microseconds for each puzzle of a file, the reading included."""
    from f2csp.files import read_source
    from f2csp.puzzles.files.formats import PuzzleFile, named_formats, read_puzzles

    def all_of_them() -> None:
        for found in read_puzzles(read_source(path), named_formats("sudoku")):
            assert isinstance(found, PuzzleFile)
            work(found.puzzle)

    seconds, peak = measured(all_of_them)
    return Figure(seconds, seconds / texts.scale.n_puzzles * 1e6, peak)


def _converter_against_nothing(name: str) -> Run:
    def run(path: Path, texts: Texts) -> Figure:
        return above_nothing([*program(name), path, texts.folder / "converted.csp"], texts.scale.n_processes)

    return run


def _drawn(unit: str, ending: str, *command: str) -> Run:
    """Seconds, or megabytes of the file that a command writes."""

    def run(path: Path, texts: Texts) -> Figure:
        out = texts.folder / f"drawn{ending}"
        seconds, peak = best_process([*program("main"), *command, path, "-o", out])
        return Figure(seconds, seconds if unit == "s" else out.stat().st_size / 1e6, peak)

    return run


def _loads(path: Path) -> tuple[bytes, float, float | None]:
    """The text, the best time to read it, and the peak."""
    data = path.read_bytes()
    return data, *measured(lambda: f2csp.loads(data))


def _small(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.small)


def _clues(texts: Texts) -> Path:
    return texts.clues(texts.scale.large)


def _reported(texts: Texts) -> Path:
    return texts.sudoku(min(25, texts.scale.middle))


def _variant(name: str, size: str, kind: str, make: Callable[[Texts, int], Path]) -> Row:
    name = f"`loads`, {name}, {kind}"
    return Row(name, "x plain", 2, 1.3, lambda t: make(t, getattr(t.scale, size)), _loads_against_plain(size))


_KINDS: dict[str, Callable[[Texts, int], Path]] = {
    "with CRLF": Texts.crlf,
    "with named constraints": Texts.named,
    "with two tables alternating": Texts.alternating,
}
_SIZES = {"36x36": "middle", "64x64": "large"}
_BOARD = ("board", "--candidates", "--from", "sudoku:clues")
_SUDOKU, _TAKUZU = map(_converter_against_nothing, ("sudoku", "takuzu"))

ROWS = [
    Row("`loads`, 9x9, warm", "ms", 2.5, 1.2, _small, _loads_in_milliseconds),
    Row("`loads`, 36x36", "x nl", 30, 18, lambda t: t.sudoku(t.scale.middle), _loads_against_newlines),
    Row("`loads`, 64x64", "x nl", 20, 12, lambda t: t.sudoku(t.scale.large), _loads_against_newlines),
    *(_variant(name, size, *kind) for name, size in _SIZES.items() for kind in _KINDS.items()),
    Row("`loads`, all tables different", "x fromstring", 6.7, 2.5, Texts.different, _loads_against_fromstring),
    Row("`loads`, one table of 10^6 tuples", "x fromstring", 3, 1.5, Texts.large_table, _loads_against_fromstring),
    Row("one fault in 64x64", "x plain", 3, 1.5, lambda t: t.faulty(t.scale.large), _validate_against_plain),
    Row("`loads`, 64x64, peak above the text", "MB", 150, 60, lambda t: t.sudoku(t.scale.large), _loads_peak),
    Row("`dump`, 64x64", "x nl", 8, 6, lambda t: t.sudoku(t.scale.large), _dump_against_newlines),
    Row("`sudoku-to-f2csp`, 100x100", "MB", 150, 80, lambda t: t.clues(t.scale.huge), _convert),
    Row("`f2csp-stats --fast`, 100x100", "x wc -l", 30, 10, lambda t: t.sudoku(t.scale.huge), _fast_stats_against_wc),
    Row("`f2csp-stats`, 9x9, above `python -c pass`", "ms", 150, 100, _small, _stats_against_nothing),
    Row("a Sudoku of 10,000 in a file to `Problem`", "µs", 100, 50, Texts.sudoku_lines, _puzzles_to_problems),
    Row("a Sudoku of 10,000 in a file to text", "µs", 400, 300, Texts.sudoku_lines, _puzzles_to_texts),
    Row("`sudoku-to-f2csp`, 9x9, above `python -c pass`", "ms", 200, 120, Texts.sudoku_line, _SUDOKU),
    Row("`takuzu-to-f2csp`, 31x31", "ms", 1000, 500, Texts.takuzu, _TAKUZU),
    Row("`f2csp board --candidates`, 64x64, to SVG", "s", 2, 1.3, _clues, _drawn("s", ".svg", *_BOARD)),
    Row("`f2csp board --candidates`, 64x64, the file", "MB", 5, 3, _clues, _drawn("MB", ".svg", *_BOARD)),
    Row("`f2csp report`, 25x25", "s", 5, 3, _reported, _drawn("s", ".html", "report")),
    Row("`f2csp report`, 25x25, the file", "MB", 3, 1, _reported, _drawn("MB", ".html", "report")),
    *SOLVING,
    *SEARCHING,
    *COUNTING,
    *INTERCHANGE,
    *BATCHES,
]
