"""Identifiers of Unruly, the Takuzus of Simon Tatham's collection: the size, a colon, and letters for the cells.

    6x6u:FBcCBBIeda
    10x6:bIaFABdaDcADJahCa

The size is columns x rows; a number alone counts for both. ``a`` to ``y`` are 0 to 24 blanks and a 0 after them, ``A``
to ``Y`` the same with a 1, and ``z`` or ``Z`` is 25 blanks and no more. The last letter ends one cell after the board.
Only with ``u`` after the size are equal rows and equal columns forbidden.
"""

import re

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.identifiers import (
    Program,
    first_identifier,
    parts,
    read_identifier,
    tell_count,
)
from f2csp.puzzles.files.reading import Given, Reading
from f2csp.puzzles.files.text import Text, Word, shown_bytes
from f2csp.puzzles.files.writing import grid, of_kind
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

__all__ = ["looks_like", "parts", "read", "write"]

_PROGRAM = Program(
    name="Unruly",
    puzzle="a Takuzu",
    example="8x8u:BEaaBbkeb",
    max_sides=2,
    parameters=re.compile(r"u?(?:d[ten])?"),
    variants={},
)
_DISTINCT_LINES = "u"
_LONGEST_RUN = 25
_ITEM = re.compile(r"[A-Za-z]|[^A-Za-z]++")
_CAPITAL = re.compile(r"[A-Z]")
_DIGIT = re.compile(r"[0-9]")


def looks_like(text: Text) -> Likeness:
    """Whether the first line is an identifier, with the cells of Unruly rather than those of Solo."""
    found = first_identifier(text)
    if found is None or (found.cells and "," in found.cells.text):
        return Likeness.NONE
    if found.parameters.text.startswith(_DISTINCT_LINES):
        return Likeness.SOUND
    cells = found.cells.text if found.cells else ""
    n_capitals, n_digits = len(_CAPITAL.findall(cells)), len(_DIGIT.findall(cells))
    is_sound = n_capitals >= n_digits and (n_capitals or len(found.sides) > 1)
    return Likeness.SOUND if is_sound and found.cells else Likeness.FAINT


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read an identifier; all its faults are told."""
    found = read_identifier(text, _PROGRAM, reading)
    if found is None:
        return None
    identifier, cells = found
    n_columns, n_rows = identifier.size
    givens = _givens(cells, n_rows, n_columns, reading)
    is_distinct = identifier.parameters.text.startswith(_DISTINCT_LINES)
    return reading.takuzu(n_rows, n_columns, givens, identifier.size_span, has_distinct_lines=is_distinct)


def write(puzzle: Puzzle) -> str:
    """The identifier, as Unruly spells it."""
    takuzu = of_kind(puzzle, Takuzu)
    letters, n_blanks = [], 0
    for value in [value for row in grid(takuzu) for value in row]:
        if value is None:
            n_blanks += 1
        else:
            letters.append(_run(n_blanks).upper() if value else _run(n_blanks))
            n_blanks = 0
    parameter = _DISTINCT_LINES if takuzu.has_distinct_lines else ""
    return f"{takuzu.columns}x{takuzu.rows}{parameter}:{''.join(letters)}{_run(n_blanks)}\n"


def _run(n_blanks: int) -> str:
    """The letters of a run of blanks and the cell after it."""
    n_whole, rest = divmod(n_blanks, _LONGEST_RUN)
    return "z" * n_whole + chr(ord("a") + rest)


def _givens(cells: Word, n_rows: int, n_columns: int, reading: Reading) -> list[Given]:
    """The letters that are cells; only unknown symbols are told if there is no board of this size."""
    is_board = 1 <= n_rows <= MAX_LINES and 1 <= n_columns <= MAX_LINES
    n_cells = n_rows * n_columns if is_board else 0
    givens = []
    place, surplus, has_unknown = 0, None, False
    for match in _ITEM.finditer(cells.text):
        letter, start, end = match[0], cells.start + match.start(), cells.start + match.end()
        if not ("A" <= letter <= "Z" or "a" <= letter <= "z"):
            has_unknown = True
            hint = "cells are letters: a to y end in a 0, A to Y in a 1, and z is 25 blanks"
            reading.fault("F610", (start, end), f"'{shown_bytes(letter)}' is no letter from a to z", hint=hint)
            continue
        run = ord(letter.lower()) - ord("a")
        place += run
        if run < _LONGEST_RUN:
            if place < n_cells:
                value = int(letter.isupper())
                givens.append(Given(place // n_columns + 1, place % n_columns + 1, value, start, end))
            place += 1
        if surplus is None and place > n_cells + 1:
            surplus = match.start()
    if is_board and not has_unknown:  # an unknown symbol may stand for any number of cells
        due = f"a board of {n_columns}x{n_rows} has {n_cells:,}, and one more is due that ends the last run"
        tell_count(cells, place, n_cells + 1, surplus, due, reading)
    return givens
