"""What the families of texts share: a text with its name, and matrices written in the ways that people write them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

Matrix = Sequence[Sequence[object]]


class Text(NamedTuple):
    """A text as a file would hold it."""

    name: str  # of the file
    text: str
    what: str


Family = Callable[[Random], Iterator[Text]]
"""Texts of one sort, drawn at random."""


def drawn(families: Iterable[Family], seed: int) -> Iterator[Text]:
    """The texts of families, each from a seed of its own, so that a further family changes no other."""
    for family in families:
        yield from family(Random(f"{family.__name__} {seed}"))


def joined(matrix: Matrix, between: str = " ", end: str = "\n") -> str:
    """A row to a line."""
    return "".join(between.join(map(str, row)) + end for row in matrix)


def aligned(matrix: Matrix, width: int = 4) -> str:
    """A row to a line, in columns."""
    return "".join("".join(str(value).rjust(width) for value in row) + "\n" for row in matrix)


def random_matrix(rng: Random, n_rows: int, n_columns: int, lowest: int, highest: int) -> list[list[int]]:
    return [[rng.randint(lowest, highest) for _ in range(n_columns)] for _ in range(n_rows)]


def symmetric(rng: Random, n: int, lowest: int, highest: int) -> list[list[int]]:
    """A symmetric matrix with zeros in the diagonal."""
    matrix = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            matrix[i][j] = matrix[j][i] = rng.randint(lowest, highest)
    return matrix


def markdown(head: Sequence[object], rows: Matrix) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def html(rows: Matrix) -> str:
    cells = ["".join(f"<td>{value}</td>" for value in row) for row in rows]
    return "<table>\n" + "".join(f"<tr>{row}</tr>\n" for row in cells) + "</table>\n"


def latex(rows: Matrix) -> str:
    lines = "".join(" & ".join(map(str, row)) + r" \\" + "\n" for row in rows)
    return rf"\begin{{tabular}}{{{'r' * len(rows[0])}}}" + "\n" + lines + r"\end{tabular}" + "\n"
