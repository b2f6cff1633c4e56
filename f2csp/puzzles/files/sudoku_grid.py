"""Sudokus as pictures: a line for each row, perhaps in frames.

    +-------+-------+
    | . . . | . . . |
    | 3 6 . | . 4 . |
    +-------+-------+
    | . 4 . | 2 6 . |
    | . . . | . . 5 |
    +-------+-------+
    | . 3 6 | . . . |
    | . . 5 | . 2 . |
    +-------+-------+

A cell is a character, as :mod:`f2csp.puzzles.files.characters` tells, and blanks may stand between; or it is a word,
which can be a number of several digits. Which of both it is, the number of lines tells. Frames are drawn with
``| - + =`` or with the signs that Unicode has for them, and show the boxes if they part the board into equal ones. As
``-`` is a blank too, a line of these is a row only where it has the length of a row and rows are missing.

Lines that begin with ``#`` are passed over: in ``.sdk`` files they hold the author and the like. If a file has
sections, the board is that of ``[Puzzle]``. ``.ss`` files are those of Simple Sudoku. There is no specification.
"""

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter

from f2csp.puzzles.files import characters
from f2csp.puzzles.files.characters import CHARACTERS, TELLING, check_boxes, values_of
from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.numerals import givens_of, is_numeral, usual
from f2csp.puzzles.files.pictures import Picture, picture_of
from f2csp.puzzles.files.reading import Given, Reading
from f2csp.puzzles.files.rows import Row, Shape, placed_cells
from f2csp.puzzles.files.text import Line, Text, Word
from f2csp.puzzles.files.writing import grid, of_kind
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Box, Sudoku

_SMALLEST = 4  # of what is a Sudoku at first sight


def looks_like(text: Text) -> Likeness:
    """Whether there are as many rows as cells in each, or nearly so."""
    head = text.head()
    picture = picture_of(head)
    rows = picture.rows
    n_odd = sum(not (picture.is_fit(row) and _are_cells(row, picture)) for row in rows)
    if not rows or 2 * n_odd > len(rows):
        return Likeness.NONE
    n_off = min(abs(len(rows) - picture.size), len(rows) % picture.size)  # there may be several boards
    is_square = n_off <= 1 or (head is not text and len(rows) < picture.size)
    is_telling = any(TELLING.intersection(word) for row in rows for word in picture.words(row))
    return Likeness.SOUND if picture.size >= _SMALLEST and is_square and is_telling else Likeness.FAINT


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a board; all its faults are told."""
    picture = picture_of(text)
    if not picture.groups:
        hint = "write each row of the board on a line, with . for a blank"
        reading.fault("F604", (text.end, text.end), "there is no row of a board", hint=hint)
        return None
    if not _is_board(picture, reading):
        return None
    picture = _without_remarks(picture, reading)
    size, rows = picture.size, picture.rows
    if len(rows) > size:
        message = f"a {size}x{size} board has {size} rows, and {len(rows):,} stand here"
        reading.fault("F609", rows[size].span, message, hint="write one puzzle to a file")
        rows = rows[:size]
    shape = Shape(size, size, rows[0].span)
    cells = list(placed_cells([Row(picture.cells(row), row.span) for row in rows], shape, rows[-1].end, reading))
    givens = givens_of(cells, reading) if picture.has_numbers else _givens(cells, size, reading)
    return reading.square(size, givens, shape.span, _box(picture, reading))


def write(puzzle: Puzzle) -> str:
    """The board in a frame that shows the boxes, with numbers for values.

    Raises:
        Unsuitable: the boxes have one row or one column, and are not those that a reader would take.
    """
    sudoku = of_kind(puzzle, Sudoku)
    height, width, size = sudoku.box_rows, sudoku.box_columns, sudoku.size
    if 1 in (height, width):  # a frame around each row shows no boxes
        check_boxes(sudoku)
        height, width = size, size
    n_digits = len(str(size))
    starts = range(0, size, width)
    rule = "+".join(["", *("-" * (width * (n_digits + 1) + 1) for _ in starts), ""])
    lines = [rule]
    for number, row in enumerate(grid(sudoku), 1):
        cells = [("." if value is None else str(value)).rjust(n_digits) for value in row]
        lines.append(" ".join(["|", *(" ".join([*cells[start : start + width], "|"]) for start in starts)]))
        if number % height == 0:
            lines.append(rule)
    return "".join(f"{line}\n" for line in lines)


def _are_cells(row: Line, picture: Picture) -> bool:
    """Whether the words of a row can be cells."""
    can_be = is_numeral if picture.has_numbers else CHARACTERS.issuperset
    return all(map(can_be, picture.words(row)))


def _is_board(picture: Picture, reading: Reading) -> bool:
    """Whether there is a board with so many columns; a row that is longer than on any board is told as well."""
    most, what, hint = MAX_SIZE, "a board", None
    row = next((row for row in picture.rows if picture.length(row) > MAX_SIZE), None)
    if row is None and not picture.has_numbers and picture.size > characters.MAX_SIZE:
        most, what, hint = (
            characters.MAX_SIZE,
            "a board with a character for each cell",
            "write numbers, blanks between",
        )
        row = next(filter(picture.is_fit, picture.rows))
    if row is None:
        return True
    message = f"the row has {picture.length(row):,} cells, and one of {what} has at most {most}"
    reading.fault("F601", row.span, message, hint=hint)
    return False


def _without_remarks(picture: Picture, reading: Reading) -> Picture:
    """The picture without lines that are no rows if it has enough that are; these are told."""
    rows = picture.rows
    fit = [row for row in rows if picture.is_fit(row)]
    if len(fit) != picture.size or len(rows) == len(fit):
        return picture
    for row in rows:
        if not picture.is_fit(row):
            message = f"a line of {picture.length(row):,} cells stands beside the {picture.size} rows of the board"
            reading.fault("F606", row.span, message, hint="remove it, or begin it with #")
    groups = [[row for row in group if picture.is_fit(row)] for group in picture.groups]
    return picture._replace(groups=[group for group in groups if group])


def _givens(cells: Sequence[tuple[int, int, Word]], size: int, reading: Reading) -> list[Given]:
    """The cells that are not blank, of those that are a character each."""
    words = [word for _, _, word in cells]
    values, _ = values_of("".join(word.text for word in words), [word.start for word in words], size, reading)
    return [
        Given(row, column, value, *word.span) for (row, column, word), value in zip(cells, values, strict=True) if value
    ]


def _box(picture: Picture, reading: Reading) -> Box | None:
    """The box that the frame shows, if it parts the rows or the columns; a frame around each cell shows none."""
    size, rows = picture.size, picture.rows
    widths = list(map(picture.lengths_between_bars, rows))
    height, width = usual(map(len, picture.groups)), usual(chain.from_iterable(widths))
    is_parted, is_split = 1 < height < size, 1 < width < size
    if not is_parted and not is_split:
        return None
    box = height if is_parted else size // width, width if is_split else size // height
    odd = [group[0] for group in picture.groups if is_parted and len(group) != height]
    odd += [row for row, lengths in zip(rows, widths, strict=True) if is_split and {*lengths} != {width}]
    is_square = len(rows) == size and all(map(picture.is_fit, rows))
    if (odd or box[0] * box[1] != size) and is_square and reading.wish.box is None:
        message = f"the frame does not part the board of {size} rows into boxes that are alike"
        hint = f"draw all boxes with {box[0]} rows and {box[1]} columns, or give the box with --box"
        reading.fault("F615", min(odd or rows, key=attrgetter("start")).span, message, hint=hint)
    return box if box[0] * box[1] == size else None
