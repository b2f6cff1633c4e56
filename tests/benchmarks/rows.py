"""What is measured, a function for each row of the table; each runs in a fresh process."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.interchange import INTERCHANGE
from tests.benchmarks.measure import best, best_process, peak_above
from tests.benchmarks.row import Figure, Row
from tests.benchmarks.solving import SOLVING
from tests.benchmarks.texts import Texts

if TYPE_CHECKING:
    from f2csp.puzzles.puzzle import Puzzle


def program(name: str) -> list[str]:
    """The command line of one of the package's programs."""
    return [sys.executable, "-c", f"from f2csp.cli.main import {name}; {name}()"]


def _loads_against_newlines(path: Path, texts: Texts) -> Figure:
    data, peak, seconds = _loads(path)
    return Figure(seconds, seconds / best(lambda: data.count(b"\n")), peak)


def _loads_in_milliseconds(path: Path, texts: Texts) -> Figure:
    _, peak, seconds = _loads(path)
    return Figure(seconds, seconds * 1e3, peak)


def _loads_peak(path: Path, texts: Texts) -> Figure:
    _, peak, seconds = _loads(path)
    return Figure(seconds, peak or 0.0, peak)


def _loads_against_plain(size: Callable[[Texts], int]) -> Callable[[Path, Texts], Figure]:
    def run(path: Path, texts: Texts) -> Figure:
        import f2csp

        _, peak, seconds = _loads(path)
        plain = texts.sudoku(size(texts)).read_bytes()
        return Figure(seconds, seconds / best(lambda: f2csp.loads(plain)), peak)

    return run


def _loads_against_fromstring(path: Path, texts: Texts) -> Figure:
    import re

    import numpy as np

    data, peak, seconds = _loads(path)
    body = b"".join(re.findall(rb"^[0-9]+(?: [0-9]+)+\n", data, re.MULTILINE)).decode()
    return Figure(seconds, seconds / best(lambda: np.fromstring(body, dtype=np.int64, sep=" ")), peak)


def _validate_against_plain(path: Path, texts: Texts) -> Figure:
    import io

    import f2csp

    data, plain = path.read_bytes(), texts.sudoku(texts.scale.large).read_bytes()
    assert not f2csp.validate(io.BytesIO(data)).is_valid
    peak = peak_above(lambda: f2csp.validate(io.BytesIO(data)))
    seconds = best(lambda: f2csp.validate(io.BytesIO(data)))
    return Figure(seconds, seconds / best(lambda: f2csp.loads(plain)), peak)


def _dump_against_newlines(path: Path, texts: Texts) -> Figure:
    import f2csp

    data = path.read_bytes()
    problem = f2csp.loads(data)
    out = texts.folder / "dumped.csp"
    peak = peak_above(lambda: f2csp.dump(problem, out))
    seconds = best(lambda: f2csp.dump(problem, out))
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
    seconds, peak = best_process([*program("stats"), path], runs=9)
    nothing, _ = best_process([sys.executable, "-c", "pass"], runs=9)
    return Figure(seconds, (seconds - nothing) * 1e3, peak)


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

    peak = peak_above(all_of_them)
    seconds = best(all_of_them)
    return Figure(seconds, seconds / texts.scale.n_puzzles * 1e6, peak)


def _converter_against_nothing(name: str) -> Callable[[Path, Texts], Figure]:
    def run(path: Path, texts: Texts) -> Figure:
        out = texts.folder / "converted.csp"
        seconds, peak = best_process([*program(name), path, out], runs=9)
        out.unlink()
        nothing, _ = best_process([sys.executable, "-c", "pass"], runs=9)
        return Figure(seconds, (seconds - nothing) * 1e3, peak)

    return run


def _loads(path: Path) -> tuple[bytes, float | None, float]:
    """The text, the peak of a first reading, and the best time."""
    import f2csp

    data = path.read_bytes()
    peak = peak_above(lambda: f2csp.loads(data))
    return data, peak, best(lambda: f2csp.loads(data))


def _small(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.small)


def _variants() -> list[Row]:
    sizes: dict[str, Callable[[Texts], int]] = {
        "36x36": lambda texts: texts.scale.middle,
        "64x64": lambda texts: texts.scale.large,
    }
    kinds: dict[str, Callable[[Texts, int], Path]] = {
        "with CRLF": Texts.crlf,
        "with named constraints": Texts.named,
        "with two tables alternating": Texts.alternating,
    }
    return [
        Row(
            f"`loads`, {name}, {kind}",
            "x plain",
            2,
            1.3,
            lambda texts, make=make, size=size: make(texts, size(texts)),  # type: ignore[misc]
            _loads_against_plain(size),
        )
        for name, size in sizes.items()
        for kind, make in kinds.items()
    ]


ROWS = [
    Row("`loads`, 9x9, warm", "ms", 2.5, 1.2, _small, _loads_in_milliseconds),
    Row("`loads`, 36x36", "x nl", 30, 18, lambda t: t.sudoku(t.scale.middle), _loads_against_newlines),
    Row("`loads`, 64x64", "x nl", 20, 12, lambda t: t.sudoku(t.scale.large), _loads_against_newlines),
    *_variants(),
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
    Row(
        "`sudoku-to-f2csp`, 9x9, above `python -c pass`",
        "ms",
        200,
        120,
        Texts.sudoku_line,
        _converter_against_nothing("sudoku"),
    ),
    Row("`takuzu-to-f2csp`, 31x31", "ms", 1000, 500, Texts.takuzu, _converter_against_nothing("takuzu")),
    *SOLVING,
    *INTERCHANGE,
]
