"""Sudokus and Latin squares as rows of numbers, with blanks, tabs or commas between them.

    2 3
    0 0 0 0 0 0
    3 6 0 0 4 0
    0 4 0 2 6 0
    0 0 0 0 0 5
    0 3 6 0 0 0
    0 0 5 0 2 0

A blank cell is 0 or one of ``. - * _``. The first line may say the size of the board, as one number or as rows and
columns; of a Sudoku it may also be the rows and columns of a box. Which of both it is, the rows that follow tell: there
are six here, so 2 and 3 are the box. Programs print arrays in this way; there is no specification.
"""

from collections.abc import Sequence

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.numerals import givens_of, is_numeral, usual
from f2csp.puzzles.files.reading import Reading
from f2csp.puzzles.files.rows import Row, Shape, placed_cells
from f2csp.puzzles.files.text import HUGE, Text, number
from f2csp.puzzles.files.writing import grid, of_kind
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Box, Sudoku

_SEPARATORS = " \t,"
_BLANK = "0"


def looks_like(text: Text) -> Likeness:
    """Whether there are rows of numbers, as many as there are numbers in each, or nearly so."""
    head = text.head()
    rows = _rows(head)
    said = _said_shape(rows, Sudoku.KIND) if rows else None
    if said is not None:
        rows = rows[1:]
    size = usual(len(row.cells) for row in rows)
    n_odd = sum(len(row.cells) != size or not all(is_numeral(cell.text) for cell in row.cells) for row in rows)
    if not rows or 2 * n_odd > len(rows):
        return Likeness.NONE
    is_regular = n_odd == 0 or (2 * n_odd < len(rows) and (said is None or said[0].n_columns == size))
    is_square = abs(len(rows) - size) <= 1 or (head is not text and len(rows) < size)
    is_telling = any((number(cell.text) or 0) > 1 for row in rows for cell in row.cells)  # else it is rather a Takuzu
    return Likeness.SOUND if size > 1 and is_regular and is_square and is_telling else Likeness.FAINT


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a board; all its faults are told."""
    n_lines = len(text.filled_lines)
    if n_lines > MAX_SIZE + 1:
        message = f"there are {n_lines:,} rows, and sizes from 1 to {MAX_SIZE} are converted"
        reading.fault("F601", text.filled_lines[0].span, message)
        return None
    rows = _rows(text)
    if not rows:
        hint = "write each row of the board on a line, with blanks between the numbers"
        reading.fault("F604", (text.end, text.end), "there is no row of numbers", hint=hint)
        return None
    said = _said_shape(rows, reading.kind)
    if said is not None:
        rows = rows[1:]
    shape, box = said or (_shape_of(rows), None)
    if not _is_board(shape, reading):
        return None
    cells = list(placed_cells(rows, shape, text.end, reading))
    if not cells:
        return None
    return reading.square(shape.n_rows, givens_of(cells, reading), shape.span, box)


def write(puzzle: Puzzle) -> str:
    """The rows, below the box of a Sudoku if that is no square."""
    square = puzzle if type(puzzle) is LatinSquare else of_kind(puzzle, Sudoku)
    width = len(str(square.size))
    rows = [[_BLANK if value is None else str(value) for value in row] for row in grid(square)]
    lines = [" ".join(cell.rjust(width) for cell in row) for row in rows]
    if isinstance(square, Sudoku) and not square.has_square_boxes:
        lines.insert(0, f"{square.box_rows} {square.box_columns}")
    return "".join(f"{line}\n" for line in lines)


def _rows(text: Text) -> list[Row]:
    return [Row(line.words(_SEPARATORS), line.span) for line in text.filled_lines]


def _said_shape(rows: Sequence[Row], kind: str) -> tuple[Shape, Box | None] | None:
    """What the first line says of the board, if it is not a row itself."""
    first, *others = rows
    n_columns = usual(len(row.cells) for row in others)
    numbers = [size for word in first.cells if (size := number(word.text)) is not None]
    is_row = not others or len(first.cells) == n_columns != len(others)
    if is_row or len(numbers) != len(first.cells) or not 1 <= len(numbers) <= 2:
        return None
    span = first.cells[0].start, first.cells[-1].end
    height, width = numbers[0], numbers[-1]
    board, boxes = Shape(height, width, span), Shape(height * width, height * width, span)
    if kind != Sudoku.KIND or len(numbers) == 1:
        return board, None

    def misfit(shape: Shape) -> int:
        return min(abs(shape.n_rows - length) for length in (n_columns, len(others)))

    return (board, None) if height == width and misfit(board) <= misfit(boxes) else (boxes, (height, width))


def _shape_of(rows: Sequence[Row]) -> Shape:
    """The square with rows of this length."""
    size = usual(len(row.cells) for row in rows)
    return Shape(size, size, rows[0].span)


def _is_board(shape: Shape, reading: Reading) -> bool:
    """Whether there can be such a board."""
    n_rows, n_columns, span = shape
    if n_rows == n_columns and 1 <= n_rows <= MAX_SIZE:
        return True
    allowed = "a board must be a square" if n_rows != n_columns else f"sizes from 1 to {MAX_SIZE} are converted"
    reading.fault("F601", span, f"the size of the board is {_shown(n_rows)}x{_shown(n_columns)}, and {allowed}")
    return False


def _shown(size: int) -> str:
    return f"{size:,}" if size < HUGE else "1,000,000,000+"
