"""Sudokus on a line each, with a character for each cell.

    # some of our own
    ..6...15.89...4.........9..3..46......1..38..54......3...25...71..3...6...96..5..
    3..8.......17...4....9...579..1.....6.......3....4581.....1.....67...48..5....6..  7.2
    5b1f02d8c7a4 000035040002010006000000000005020080000300000687400000700001000000500701030890002 8.3
    8....4..63...5.....7...6.5...31..9.4.4.5.2.8........7..127.9....6.4...15......... # from the blank board
    2.......3.2....4:1:2143431234211234

:mod:`f2csp.puzzles.files.characters` tells how cells are written. Beside the puzzle may stand, between blanks, colons,
commas or semicolons: a hash before it, which is at most half as long; numbers behind it, such as how many solutions it
has or how hard it is; its solution; and a remark after ``#``. Lines that begin with ``#`` are passed over. Most
collections have one of these forms, ``.sdm`` files the first; there is no specification.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from f2csp.puzzles.files.characters import BLANKS, CHARACTERS, MAX_SIZE, TELLING, VALUES, read_run, written_run
from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.reading import Reading
from f2csp.puzzles.files.text import Line, Text, Word
from f2csp.puzzles.puzzle import Puzzle

_PUZZLE = re.compile(rb"^[ \t]*+([^\s#][^\r\n]*+)", re.MULTILINE)
_NO_PUZZLE = ("", "\r", "\n", "#")  # what a text begins with that has none
_SEPARATORS = " \t:;,"
_SEPARATOR = re.compile(f"[{_SEPARATORS}]")
_HASH = re.compile(r"[0-9a-fA-F]+")
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")

_SIZES = [size for size in range(6, MAX_SIZE + 1) if any(size % rows == 0 for rows in range(2, size))]
_LONGER_THAN_ROWS = 30  # rows of 16x16 boards have as many characters as boards of 4x4 have cells
_FEWEST = 16  # characters that are looked at twice, if they are no puzzle


def looks_like(text: Text) -> Likeness:
    """Whether most lines have as many characters as a board has cells, or nearly as many."""
    lines = [Line(part.data.decode(), part.start) for part in parts(text.head())]
    if lines[0].text[:1] in _NO_PUZZLE:
        return Likeness.NONE
    puzzles = [cells.text for cells, _ in map(_fields, lines)]
    n_likely = sum(map(_is_likely, puzzles))
    may_be_rows = len(puzzles[0]) < _LONGER_THAN_ROWS
    if _is_likely(puzzles[0]) and n_likely >= (len(puzzles) if may_be_rows else len(puzzles) / 2):
        return Likeness.SOUND if any(set(puzzle) & TELLING for puzzle in puzzles) else Likeness.FAINT
    return Likeness.FAINT if len(puzzles[0]) >= _FEWEST and CHARACTERS.issuperset(puzzles[0]) else Likeness.NONE


def _is_likely(puzzle: str) -> bool:
    """Whether a word has nearly the length and the characters of a puzzle, and is no row of a larger board."""
    n_cells = len(puzzle)
    size = round(n_cells**0.5)
    n_off = abs(n_cells - size**2)
    if n_cells < _LONGER_THAN_ROWS:
        return size == 4 and n_off <= 1 and set(puzzle) <= {*BLANKS, *VALUES[:4]}
    return size in _SIZES and n_off <= 2 and sum(character not in CHARACTERS for character in puzzle) <= 2


def parts(text: Text) -> Sequence[Text]:
    """The lines that are neither blank nor a remark."""
    return text.parts(_PUZZLE)


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read the puzzle of a line."""
    cells, beside = _fields(Line(text.data.decode(), text.start))
    if cells.text[:1] in _NO_PUZZLE:
        hint = "write the cells of a puzzle on a line, with . for a blank"
        reading.fault("F615", (text.start, text.start), "there is no puzzle", hint=hint)
        return None
    odd = _odd(cells, beside)
    if odd:
        hint = "write one puzzle to a line; numbers, its solution, and a remark after # may follow"
        reading.fault("F606", (odd[0].start, odd[-1].end), f"'{odd[0].text}' stands beside the puzzle", hint=hint)
    return read_run(cells, reading)


def write(puzzle: Puzzle) -> str:
    """The puzzle on a line, with points for blanks."""
    return f"{written_run(puzzle)}\n"


def _fields(line: Line) -> tuple[Word, list[Word]]:
    """The puzzle, which has no characters if there is none, and what stands behind it."""
    if _SEPARATOR.search(line.text) is None:
        return Word(line.text, line.start, line.end), []
    words = line.words(_SEPARATORS)
    behind_hash = words[1:2] and _HASH.fullmatch(words[0].text) and len(words[1].text) >= 2 * len(words[0].text)
    cells, *beside = words[1:] if behind_hash else words or [Word("", line.start, line.start)]
    return cells, beside


def _odd(cells: Word, beside: list[Word]) -> list[Word]:
    """What may not stand behind a puzzle."""
    said = list(takewhile(lambda word: not word.text.startswith("#"), beside))
    solution = [word for word in said if len(word.text) == len(cells.text)][:1]
    return [word for word in said if word not in solution and not _NUMBER.fullmatch(word.text)]
