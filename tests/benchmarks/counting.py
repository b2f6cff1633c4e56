"""Counting: seconds of exact counts, and as a multiple of what other methods take."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.measure import Figure, Row, Run, best, peak_above
from tests.benchmarks.texts import Texts

if TYPE_CHECKING:
    from f2csp.model import Problem


def _latin_square(n: int) -> "Problem":
    from f2csp.puzzles.latin import LatinSquare
    from f2csp.puzzles.to_problem import to_problem

    return to_problem(LatinSquare(n))


def _first_row(n: int) -> "Problem":
    return _latin_square(n).restricted({f"V1-{value}": value for value in range(1, n + 1)})


def _queens(n: int) -> "Problem":
    from f2csp.model import ProblemBuilder

    builder = ProblemBuilder(f"{n} queens")
    builder.domain("column", range(n))
    for i in range(n):
        builder.variable(f"Q{i}", "column")
        for j in range(i):
            builder.reject([f"Q{j}", f"Q{i}"], lambda a, b, d=i - j: abs(a - b) in (0, d))
    return builder.build()


def _count(problem: "Problem") -> None:
    from f2csp.solving.counts import count

    assert count(problem, method="merge").is_complete


def _seconds(problem: "Problem", runs: int = 9) -> Figure:
    peak = peak_above(lambda: _count(problem))
    seconds = best(lambda: _count(problem), most=runs)
    return Figure(seconds, seconds, peak)


def _sudoku(path: Path, texts: Texts) -> Figure:
    from f2csp.puzzles.sudoku import Sudoku
    from f2csp.puzzles.to_problem import to_problem

    return _seconds(to_problem(Sudoku(6, 2, 3)))


def _latin(which: int) -> Run:
    return lambda path, texts: _seconds(_latin_square(texts.scale.latin[which]), runs=2)


def _takuzu(path: Path, texts: Texts) -> Figure:
    from f2csp.puzzles.takuzu import Takuzu
    from f2csp.puzzles.to_problem import to_problem

    n = texts.scale.small // 2 + 2
    return _seconds(to_problem(Takuzu(n - n % 2, n - n % 2)))


def _against(method: str, problem_of: Callable[[int], "Problem"]) -> Run:
    """As a multiple of the time that another method takes; for the order of the smallest Latin square."""

    def run(path: Path, texts: Texts) -> Figure:
        from f2csp.solving.counts import count

        problem = problem_of(texts.scale.latin[0])
        found = count(problem, method=method)
        assert found == count(problem, method="merge")
        seconds = best(lambda: _count(problem))
        return Figure(seconds, seconds / sum(found.result.times.values()), None)

    return run


def _any(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.small)


COUNTING = [
    Row("`count`, 6x6 Sudoku, empty", "s", 0.2, 0.02, _any, _sudoku),
    Row("`count`, 6x6 Takuzu, empty", "s", 10, 1, _any, _takuzu),
    Row("`count`, Latin squares of order 6", "s", 1, 0.2, _any, _latin(1)),
    Row("`count`, Latin squares of order 7", "s", 30, 5, _any, _latin(2)),
    Row("`count`, Latin squares of order 5", "x Ganak", 0.01, 0.001, _any, _against("ganak", _latin_square)),
    Row(
        "`count`, Latin squares of order 5 with first row",
        "x listed",
        0.1,
        0.01,
        _any,
        _against("enumerate", _first_row),
    ),
    Row("`count`, 10 queens", "x listed", 0.5, 0.1, _any, _against("enumerate", lambda n: _queens(2 * n))),
]
