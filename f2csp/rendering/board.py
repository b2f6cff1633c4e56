"""Boards as text: the frames of a Sudoku's boxes, the signs of a Futoshiki, rows of values for the others.

    ┌─────┬─────┐       . < .   4       0 . 1 .
    │ 1 . │ . . │       ∧               . . . 1
    │ . . │ 4 . │       .   . > .       . 1 . .
    ├─────┼─────┤                       . . 0 .
    │ . . │ . . │       .   .   .
    │ . . │ . 3 │
    └─────┴─────┘

The picture of a Futoshiki is the one that its puzzle files have.
"""

from collections.abc import Collection, Iterator, Sequence

from f2csp.diagnostics.render import Style, plain
from f2csp.puzzles.files.futoshiki_board import words
from f2csp.puzzles.files.writing import grid
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.sudoku import Sudoku

_BLANK = "."
_MARKED_BLANK = "?"
_LINES = ("┌─┬┐", "├─┼┤", "└─┴┘", "│")  # above, between and below boxes; beside them
_ASCII_LINES = ("+-++", "+-++", "+-++", "|")
_SIGNS = " ∧∨"  # none; the upper cell is the smaller; the lower one
_ASCII_SIGNS = " ^v"

Cells = list[list[str]]


def board_text(
    puzzle: Puzzle,
    values: Sequence[Sequence[int | None]] | None = None,
    *,
    as_ascii: bool = False,
    marked: Collection[Cell] = (),
    style: Style = plain,
) -> str:
    """A board with its givens and what was found for the other cells; each line ends with a newline.

    Args:
        puzzle: the board.
        values: those of a solution, row by row; None for a cell without any. Givens stand whatever is found.
        as_ascii: whether to draw with ASCII alone.
        marked: cells to point at; a blank among them is drawn as a question mark.
        style: changes how a cell looks by its role: ``mark``, ``given``, or ``found``; a blank has none but ``mark``.
    """
    cells = _cells(puzzle, values, marked, style)
    if isinstance(puzzle, Futoshiki):
        lines = _picture(puzzle, cells, _ASCII_SIGNS if as_ascii else _SIGNS)
    elif isinstance(puzzle, Sudoku):
        lines = _framed(puzzle, cells, _ASCII_LINES if as_ascii else _LINES)
    else:
        lines = map(" ".join, cells)
    return "".join([f"{line.rstrip()}\n" for line in lines])


def _cells(
    puzzle: Puzzle, values: Sequence[Sequence[int | None]] | None, marked: Collection[Cell], style: Style
) -> Cells:
    """What is written for each cell, as wide as the widest value."""
    width = _width(puzzle)

    def written(row: int, column: int, given: int | None) -> str:
        found = values[row - 1][column - 1] if values is not None else None
        value = found if given is None else given
        role = "mark" if (row, column) in marked else "found" if given is None else "given"
        text = str(value) if value is not None else _MARKED_BLANK if role == "mark" else _BLANK
        styled = text if text == _BLANK else style(text, role)
        return " " * (width - len(text)) + styled

    rows = enumerate(grid(puzzle), 1)
    return [[written(row, column, given) for column, given in enumerate(cells, 1)] for row, cells in rows]


def _width(puzzle: Puzzle) -> int:
    """How many characters the greatest value has."""
    return len(str(puzzle.values[-1]))


def _picture(puzzle: Futoshiki, cells: Cells, signs: str) -> Iterator[str]:
    """Lines with cells and the signs between them, and lines with the signs below them."""
    width = _width(puzzle)
    for i, line in enumerate(words(puzzle, _BLANK, " <>", signs)):
        if i % 2:
            line[::2] = [word.rjust(width) for word in line[::2]]
        else:
            line[::2] = cells[i // 2]
        yield " ".join(line)


def _framed(puzzle: Sudoku, cells: Cells, lines: Sequence[str]) -> Iterator[str]:
    """Rows within the frames of the boxes."""
    above, between, below, beside = lines
    n_across = puzzle.size // puzzle.box_columns
    width = (_width(puzzle) + 1) * puzzle.box_columns + 1
    for row, texts in enumerate(cells):
        if row % puzzle.box_rows == 0:
            yield _rule(between if row else above, width, n_across)
        boxes = [texts[start : start + puzzle.box_columns] for start in range(0, puzzle.size, puzzle.box_columns)]
        yield f"{beside} " + f" {beside} ".join(map(" ".join, boxes)) + f" {beside}"
    yield _rule(below, width, n_across)


def _rule(signs: str, width: int, n_across: int) -> str:
    left, across, crossing, right = list(signs)
    return left + crossing.join([across * width] * n_across) + right
