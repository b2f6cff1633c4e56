"""What the formats of a Futoshiki have in common: cells with the signs between them, as a picture of 2N - 1 lines.

Its even lines hold a row each, the cells with the signs between them; its odd lines hold the signs between two rows,
each below a cell.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from f2csp.puzzles.files.reading import Given, PlacedSign, Reading
from f2csp.puzzles.files.text import Line, Span, Word, number
from f2csp.puzzles.files.writing import of_kind
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Cell, Puzzle


def placed_sign(row: int, column: int, *, is_across: bool, is_less: bool, span: Span) -> PlacedSign:
    """The sign between a cell and its right or lower neighbour.

    Args:
        row: the first cell's, from 1.
        column: the first cell's, from 1.
        is_across: whether the other cell is the right neighbour, and not the lower one.
        is_less: whether the first cell is the smaller.
        span: where the sign stands.
    """
    return PlacedSign(*_compared(row, column, is_across, is_less), *span)


@lru_cache(maxsize=4096)
def _compared(row: int, column: int, is_across: bool, is_less: bool) -> tuple[Cell, Cell]:
    """The smaller and the greater cell of a sign; kept, for files of many small puzzles have the same ones."""
    first, second = Cell(row, column), Cell(row, column + 1) if is_across else Cell(row + 1, column)
    return (first, second) if is_less else (second, first)


def words(puzzle: Puzzle, blank: str, across: Sequence[str], down: Sequence[str]) -> list[list[str]]:
    """The picture's lines, with 2N - 1 words on each: what is written for the cells, the signs, and what is neither.

    Args:
        puzzle: a Futoshiki.
        blank: the word for a cell that is not given.
        across: three words for the places between two cells of a row: no sign, the left one smaller, the right one.
        down: three words for the places below the cells: no sign, the upper one smaller, the lower one.

    Raises:
        Unsuitable: it is another puzzle.
    """
    futoshiki = of_kind(puzzle, Futoshiki)
    n = 2 * futoshiki.size - 1
    lines = [[down[0]] * n if i % 2 else ([blank, across[0]] * futoshiki.size)[:n] for i in range(n)]
    for row, column, value in futoshiki.clues:
        lines[2 * row - 2][2 * column - 2] = str(value)
    for sign in futoshiki.signs:
        (row, column), _ = sign.cells
        order = 1 if sign.smaller < sign.greater else 2
        if sign.is_horizontal:
            lines[2 * row - 2][2 * column - 1] = across[order]
        else:
            lines[2 * row - 1][2 * column - 2] = down[order]
    return lines


def is_size_of(widths: Sequence[int], size: int, span: Span, reading: Reading) -> bool:
    """Whether a size is not plainly wrong: the rows are all as long as they are many, and the size is another.

    Args:
        widths: how many cells each row has.
        size: what the file says.
        span: where it does so.
        reading: what takes the fault.
    """
    n_rows = len(widths)
    if n_rows == size or set(widths) != {n_rows}:
        return True
    message = f"the size of the board is {size}, and it has {n_rows} rows of {n_rows} cells"
    reading.fault("F609", span, message, hint=f"write {n_rows}, or correct the rows")
    return False


def read_cells(
    lines: Sequence[Line], size: int, blank: str, end: int, reading: Reading, split: Callable[[Line], list[Word]]
) -> list[Given]:
    """The givens of a grid of numbers; what is wrong with it is told.

    Args:
        lines: those of the grid.
        size: how many rows and columns are due.
        blank: the word for a cell that is not given.
        end: the byte offset where a row might be missing.
        reading: what takes the faults.
        split: gives the words of a line.
    """
    if len(lines) < size:
        message = f"{len(lines)} of the {size} rows of the board are here"
        hint = f"add the rows that are missing, with {blank} for a blank cell"
        reading.fault("F609", (end, end), message, hint=hint)
    elif len(lines) > size:
        message = f"the board has size {size} and ends with the row before this one"
        reading.fault("F609", lines[size].span, message, hint="remove the row, or correct the size")
    givens: list[Given] = []
    for row, line in enumerate(lines[:size], 1):
        cells = split(line)
        hint = f"write one number for each cell, {blank} for a blank"
        if len(cells) < size:
            line_end = line.span[1]
            message = f"row {row} has {len(cells)} of the {size} cells that are due"
            reading.fault("F609", (line_end, line_end), message, label="missing here", hint=hint)
        elif len(cells) > size:
            message = f"row {row} has {len(cells)} cells, and the size of the board is {size}"
            reading.fault("F609", (cells[size].start, cells[-1].end), message, hint=hint)
        givens += _givens(row, cells[:size], blank, reading)
    return givens


def _givens(row: int, cells: Sequence[Word], blank: str, reading: Reading) -> Iterator[Given]:
    for column, cell in enumerate(cells, 1):
        value = number(cell.text)
        if value is None and cell.text != blank:
            message = f"'{cell.text}' stands where the cell at {Cell(row, column)} is due"
            reading.fault("F607", cell.span, message, hint=f"write a number, or {blank} for a blank")
        elif value is not None and cell.text != blank:
            yield Given(row, column, value, *cell.span)
