"""Takuzus of the course on artificial intelligence at Instituto Superior Técnico: the size, and rows of 0, 1 and 2.

    4
    2	1	2	0
    2	2	0	2
    2	0	2	2
    1	1	2	0

2 is a blank. Between the cells stands a tab; other blanks are read as well.
"""

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.reading import Given, Reading
from f2csp.puzzles.files.rows import Shape, placed_cells, rows_of
from f2csp.puzzles.files.text import Text, number
from f2csp.puzzles.files.writing import grid, of_kind
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

_VALUES = {"0": 0, "1": 1}
_BLANK = "2"


def looks_like(text: Text) -> Likeness:
    """Whether a size alone is followed by rows of words that are 0, 1 or 2, or mostly so."""
    lines = [line.text.split() for line in text.head().filled_lines]
    if not lines or len(lines[0]) > 1 or number(lines[0][0]) is None:
        return Likeness.NONE
    cells = [cell for row in lines[1:] for cell in row]
    n_known = sum(cell in _VALUES or cell == _BLANK for cell in cells)
    if cells and n_known == len(cells):
        return Likeness.SOUND
    return Likeness.FAINT if 2 * n_known >= len(cells) else Likeness.NONE


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a board; all its faults are told."""
    lines = text.filled_lines
    found = reading.size(lines, text.end, MAX_LINES)
    if found is None:
        return None
    size, span = found
    givens = []
    for row, column, word in placed_cells(rows_of(lines[1:]), Shape(size, size, span), text.end, reading):
        if word.text in _VALUES:
            givens.append(Given(row, column, _VALUES[word.text], *word.span))
        elif word.text != _BLANK:
            message = f"the cell at {Cell(row, column)} is '{word.text}', and cells are 0, 1 or {_BLANK}"
            reading.fault("F610", word.span, message, hint=f"write {_BLANK} for a blank")
    return reading.takuzu(size, size, givens, span)


def write(puzzle: Puzzle) -> str:
    """The size and the rows; whether lines must differ cannot be said.

    Raises:
        Unsuitable: the board is no square.
    """
    takuzu = of_kind(puzzle, Takuzu)
    if takuzu.rows != takuzu.columns:
        raise Unsuitable(f"the format has no board of {takuzu.rows}x{takuzu.columns}: its boards are squares")
    rows = [[_BLANK if value is None else str(value) for value in row] for row in grid(takuzu)]
    return "".join(f"{line}\n" for line in (str(takuzu.rows), *map("\t".join, rows)))
