"""Identifiers of Solo, the Sudokus of Simon Tatham's collection: the size, a colon, and numbers between runs of blanks.

    2x2:a4b1b2_4b1b2a
    3x3db:a4_3a5b1d9g5b8a4a2b7_1d4g6d8_9b5a3a4b7g2d1b3a8_6a

In the size CxR a box has C rows and R columns, and the board C times R of each; a number alone counts for both. The
letters ``a`` to ``z`` are runs of 1 to 26 blanks, and ``_`` separates two numbers. Parameters of the program may stand
before the colon; of these ``j``, ``x`` and ``k`` make other puzzles.
"""

import re
from functools import lru_cache

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.identifiers import (
    Program,
    first_identifier,
    parts,
    read_identifier,
    tell_count,
)
from f2csp.puzzles.files.reading import Given, Reading
from f2csp.puzzles.files.text import Text, Word, number, shown_bytes
from f2csp.puzzles.files.writing import grid, of_kind
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Sudoku

__all__ = ["looks_like", "parts", "read", "write"]

_PROGRAM = Program(
    name="Solo",
    puzzle="a Sudoku with boxes alone",
    example="3x3:a4_3a5b1d9",
    max_sides=2,
    parameters=re.compile(r"(?:[jxk]|r[24]|md?[248]|a|d[tbiaeu])*+"),
    variants={"j": "a jigsaw Sudoku", "x": "a Sudoku with diagonals", "k": "a killer Sudoku"},
)
_ITEM = re.compile(r"[0-9]++|[a-z]")
_NUMBER = re.compile(r"([0-9]++)")
_UNKNOWN = re.compile(r"[^0-9a-z_]++")
_CAPITAL = re.compile(r"[A-Z]")
_DIGIT = re.compile(r"[0-9]")


def looks_like(text: Text) -> Likeness:
    """Whether the first line is an identifier, with the cells of Solo rather than those of Unruly."""
    found = first_identifier(text)
    if found is None or found.parameters.text.startswith("u"):
        return Likeness.NONE
    is_variant = not set(found.parameters.text).isdisjoint(_PROGRAM.variants)
    if found.cells is None:
        return Likeness.SOUND if is_variant or len(found.sides) > 1 else Likeness.FAINT
    cells = found.cells.text
    if "," in cells and not is_variant:
        return Likeness.NONE
    return Likeness.FAINT if len(_CAPITAL.findall(cells)) > len(_DIGIT.findall(cells)) else Likeness.SOUND


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read an identifier; all its faults are told."""
    found = read_identifier(text, _PROGRAM, reading)
    if found is None:
        return None
    identifier, cells = found
    comma = cells.text.find(",")
    if comma >= 0:
        message = "a comma begins the shapes of a jigsaw or killer Sudoku, which are other puzzles"
        reading.fault("F613", (cells.start + comma, cells.end), message)
        return None
    box = identifier.size
    size = box[0] * box[1]
    return reading.square(size, _givens(cells, size, reading), identifier.size_span, box)


def write(puzzle: Puzzle) -> str:
    """The identifier, as Solo spells it."""
    sudoku = of_kind(puzzle, Sudoku)
    items, n_blanks, follows_number = [], 0, False
    for value in [value for row in grid(sudoku) for value in row]:
        if value is None:
            n_blanks += 1
            continue
        items.append(_run(n_blanks) or "_" * follows_number)
        items.append(str(value))
        n_blanks, follows_number = 0, True
    return f"{sudoku.box_rows}x{sudoku.box_columns}:{''.join(items)}{_run(n_blanks)}\n"


def _run(n_blanks: int) -> str:
    """The letters of a run of blanks."""
    n_whole, rest = divmod(n_blanks, 26)
    return "z" * n_whole + (chr(ord("a") + rest - 1) if rest else "")


def _givens(cells: Word, size: int, reading: Reading) -> list[Given]:
    """The numbers with their cells; only unknown symbols are told if there is no board of this size."""
    n_due = size * size if size <= MAX_SIZE else 0
    givens = []
    place, at = 0, cells.start
    gaps_and_numbers = [*_NUMBER.split(cells.text), ""]
    for gap, digits in zip(gaps_and_numbers[::2], gaps_and_numbers[1::2], strict=True):
        place += _n_blanks(gap)
        at += len(gap)
        if digits:
            end = at + len(digits)
            if place < n_due:
                givens.append(Given(place // size + 1, place % size + 1, _value(digits) or 0, at, end))
            place, at = place + 1, end
    has_unknown = _tell_unknown(cells, reading)
    if n_due and not has_unknown:  # an unknown symbol may stand for any number of cells
        surplus = _surplus(cells.text, n_due) if place > n_due else None
        tell_count(cells, place, n_due, surplus, f"a {size}x{size} board has {n_due:,}", reading)
    return givens


_value = lru_cache(maxsize=1000)(number)


@lru_cache(maxsize=1000)
def _n_blanks(letters: str) -> int:
    """How many cells are blank between two numbers."""
    return sum(ord(letter) - ord("a") + 1 for letter in letters if "a" <= letter <= "z")


def _tell_unknown(cells: Word, reading: Reading) -> bool:
    """Say which symbols are none of an identifier, and whether there are such."""
    found = list(_UNKNOWN.finditer(cells.text))
    for match in found:
        message = f"'{shown_bytes(match[0])}' is neither a number nor a run of blanks"
        hint = "a cell is a number; the letters a to z are runs of 1 to 26 blanks"
        reading.fault("F610", (cells.start + match.start(), cells.start + match.end()), message, hint=hint)
    return bool(found)


def _surplus(cells: str, n_due: int) -> int:
    """The index of the first item that is too much."""
    place = 0
    for match in _ITEM.finditer(cells):
        place += 1 if match[0].isdigit() else _n_blanks(match[0])
        if place > n_due:
            return match.start()
    return len(cells)
