"""Cells that are a character each, as many formats of Sudokus have them.

A value is one of 1-9 and then A-Z, in either case: a 16x16 board has 1-9A-G, a 25x25 board 1-9A-P. A blank is one of
``. 0 - * _``. Boards larger than 9x9 may be written from 0 on instead, a 16x16 board with 0-9A-F: then 0 is the lowest
value and no blank. Which of both it is, is told by the characters that are there.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import isqrt
from string import ascii_uppercase, digits

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.reading import Reading
from f2csp.puzzles.files.text import Word, n_bytes
from f2csp.puzzles.files.writing import grid, of_kind
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.sudoku import Sudoku, square_box

BLANKS = ".0-*_"
VALUES = digits[1:] + ascii_uppercase
MAX_SIZE = len(VALUES)
"""The largest board that can be written so."""

CHARACTERS = frozenset(BLANKS + VALUES + VALUES.lower())
TELLING = CHARACTERS.difference(BLANKS, "1")
"""What a Sudoku has and a Takuzu has not."""

_USUAL_SIZES = (4, 9, 16, 25)
_UNKNOWN = 255


def read_run(cells: Word, reading: Reading, size: int | None = None) -> Puzzle | None:
    """The Sudoku whose cells stand side by side, row by row.

    Args:
        cells: its characters.
        reading: takes the faults.
        size: how many rows it has, if the format tells.
    """
    n_cells = len(cells.text)
    root = isqrt(n_cells)
    if root > MAX_SIZE:
        most = f"a board with a character for each cell has at most {MAX_SIZE**2:,}, {MAX_SIZE} rows of {MAX_SIZE}"
        hint = "write it as a matrix of numbers"
        reading.fault("F601", cells.span, f"the puzzle has {n_cells:,} cells, and {most}", hint=hint)
        return None
    size = size or (root if root**2 == n_cells else _nearest_size(n_cells, reading))
    starts = starts_of(cells)
    values, n_unknown = values_of(cells.text, starts, size, reading)
    if n_cells == size**2:
        return reading.grid(size, values, ((start, start + 1) for start in starts), cells.span)
    if not n_cells - n_unknown <= size**2 <= n_cells:  # else what is unknown is what is too much
        message = f"the puzzle has {n_cells:,} cells, and a {size}x{size} board has {size**2:,}"
        hint = "add what is missing" if n_cells < size**2 else "remove what is too much"
        reading.fault("F609", cells.span, message, hint=hint)
    return None


def written_run(puzzle: Puzzle) -> str:
    """The cells of a Sudoku side by side, row by row.

    Raises:
        Unsuitable: there are more values than characters, or the boxes are not those that a reader would take.
    """
    sudoku = of_kind(puzzle, Sudoku)
    check_boxes(sudoku)
    if sudoku.size > MAX_SIZE:
        raise Unsuitable(f"the format has a character for each cell and boards of up to {MAX_SIZE}x{MAX_SIZE}")
    return "".join("." if value is None else VALUES[value - 1] for row in grid(puzzle) for value in row)


def check_boxes(sudoku: Sudoku) -> None:
    """Refuse boxes that a reader takes for others, if the format does not say what they are.

    If there are no square boxes, a reader asks.

    Raises:
        Unsuitable: there are square ones, and these are others.
    """
    if square_box(sudoku.size) is not None and not sudoku.has_square_boxes:
        shape = f"{sudoku.box_rows}x{sudoku.box_columns}"
        raise Unsuitable(f"the format cannot say that the boxes are {shape}; sudoku:matrix can")


def values_of(cells: str, starts: Sequence[int], size: int, reading: Reading) -> tuple[bytes, int]:
    """The value of each cell, 0 for a blank, and how many are no values; these are told, and taken for blanks.

    Args:
        cells: their characters.
        starts: the byte offset of each.
        size: how many values there are.
        reading: takes the faults.
    """
    codes = cells.encode("ascii", "replace")  # a byte for each character; "?" is no value
    zero_is_value = _zero_is_value(codes, size)
    if zero_is_value is None:
        start = starts[codes.index(b"0")]
        message = f"0 can be a blank of a board with 1-{VALUES[size - 1]}, or a value of one with 0-{VALUES[size - 2]}"
        reading.fault("F610", (start, start + 1), message, hint="write . for a blank, or values from 1 on")
    values = codes.translate(_table(size, bool(zero_is_value)))
    n_unknown = values.count(_UNKNOWN)
    if n_unknown:
        placed = zip(cells, starts, values, strict=True)
        unknown = [Word(cell, start, start + n_bytes(cell)) for cell, start, value in placed if value == _UNKNOWN]
        hint = f"write 1-{VALUES[size - 1]}, or . for a blank"
        tell_unknown(unknown, "F610", f"is no value of a {size}x{size} board", hint, reading)
        values = values.replace(bytes([_UNKNOWN]), b"\0")
    return values, n_unknown


def _zero_is_value(codes: bytes, size: int) -> bool | None:
    """Whether 0 is the lowest value; None if that cannot be told.

    It is a blank on small boards, beside the highest value of a board from 1 on, and where no value can stand so often.
    Else it is a value if there is another sign for blanks. A board without any is full, with 0 as often as any other
    value; if 0 is not there so often, it is a blank.
    """
    if size < 10:
        return False
    n_zeros = codes.count(b"0")
    if not 1 <= n_zeros <= size or VALUES[size - 1].encode() in codes.upper():
        return False
    if any(blank in codes for blank in BLANKS.replace("0", "").encode()):
        return True
    return None if n_zeros == size else False


@lru_cache(maxsize=64)
def _table(size: int, zero_is_value: bool) -> bytes:
    """For each byte its value, for ``bytes.translate``; digits are values even if the board has none so high."""
    table = bytearray([_UNKNOWN] * 256)
    for blank in BLANKS.encode():
        table[blank] = 0
    characters = "0" + VALUES if zero_is_value else VALUES
    for value, character in enumerate(characters[: max(size, 9)], 1):
        if value <= size or character.isdigit():
            table[ord(character)] = table[ord(character.lower())] = value
    return bytes(table)


def tell_unknown(cells: Sequence[Word], code: str, what: str, hint: str, reading: Reading) -> None:
    """Tell of each text of a cell once what is wrong with it, however often it is there."""
    n_times = Counter(cell.text for cell in cells)
    for cell in {cell.text: cell for cell in reversed(cells)}.values():
        times = f", and is there {n_times[cell.text]:,} times" if n_times[cell.text] > 1 else ""
        reading.fault(code, cell.span, f"'{cell.text}' {what}{times}", hint=hint)


def starts_of(cells: Word) -> Sequence[int]:
    """The byte offset of each of its characters."""
    if cells.text.isascii():
        return range(cells.start, cells.end)
    return list(accumulate(map(n_bytes, cells.text[:-1]), initial=cells.start))


def _nearest_size(n_cells: int, reading: Reading) -> int:
    """The size of the board that was most likely meant."""
    rows, columns = reading.wish.box or (1, 1)
    sizes = [rows * columns] if 1 < rows * columns <= MAX_SIZE else _USUAL_SIZES
    return min(sizes, key=lambda size: abs(size**2 - n_cells))
