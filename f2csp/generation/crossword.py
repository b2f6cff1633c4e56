"""Crosswords: a word of a list in each line of at least two open cells.

A grid is lines of cells: ``#`` is a block, ``.`` an open cell, and a letter one that is given.

    ...#.
    .....
    .#.A.
"""

from itertools import groupby

from f2csp.diagnostics import F2cspError
from f2csp.files import read_source
from f2csp.generation.draws import Draws
from f2csp.model import Problem, ProblemBuilder

_BLOCK, _OPEN = "#", "."


def crossword(draws: Draws, *, words: str, grid: str) -> Problem:  # noqa: ARG001 - as every maker
    """The problem of filling a grid; its variables are the open cells, its values letters."""
    rows = _grid(grid)
    found = [word.strip().upper() for word in _lines(words)]
    of_length: dict[int, dict[str, None]] = {}
    for word in found:
        if word.isalpha():
            of_length.setdefault(len(word), {})[word] = None
    given = {(r, c): letter for r, row in enumerate(rows, 1) for c, letter in enumerate(row, 1) if letter.isalpha()}
    letters = sorted({*"".join("".join(some) for some in of_length.values()), *given.values()})
    if not letters:
        raise F2cspError(f"{words} has no word of letters")
    b = ProblemBuilder(f"Crossword {len(rows)}x{len(rows[0])}")
    b.domain("letter", letters)
    for r, row in enumerate(rows, 1):
        for c, cell in enumerate(row, 1):
            if cell != _BLOCK:
                b.variable(f"V{r}-{c}", "letter")
    for scope in _slots(rows):
        if len(scope) not in of_length:
            raise F2cspError(
                f"{words} has no word of {len(scope)} letters, for the cells from {scope[0]} to {scope[-1]}"
            )
        b.accept(scope, [list(word) for word in of_length[len(scope)]])
    for (r, c), letter in given.items():
        b.accept([f"V{r}-{c}"], [letter])
    return b.build()


def _lines(file: str) -> list[str]:
    return read_source(file).data.decode("utf-8-sig", "replace").splitlines()


def _grid(file: str) -> list[str]:
    """The rows of a grid; blanks between cells are ignored."""
    rows = ["".join(line.split()).upper() for line in _lines(file) if line.strip()]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise F2cspError(f"{file}: expected {len(rows[0])} cells in row {number}, found {len(row)}")
        for cell in row:
            if cell not in (_BLOCK, _OPEN) and not cell.isalpha():
                raise F2cspError(f"{file}: expected {_OPEN}, {_BLOCK} or a letter in row {number}, found {cell!r}")
    if not rows:
        raise F2cspError(f"{file}: expected the rows of a grid, found none")
    return rows


def _slots(rows: list[str]) -> list[list[str]]:
    """The cells of each word, across and then down."""
    across = [[(r, c) for c in range(1, len(rows[0]) + 1)] for r in range(1, len(rows) + 1)]
    down = [list(column) for column in zip(*across, strict=True)]
    slots = []
    for line in (*across, *down):
        for is_block, cells in groupby(line, lambda cell: rows[cell[0] - 1][cell[1] - 1] == _BLOCK):
            names = [f"V{r}-{c}" for r, c in cells]
            if not is_block and len(names) >= 2:
                slots.append(names)
    return slots
