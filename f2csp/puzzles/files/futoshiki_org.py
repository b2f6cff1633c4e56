"""Futoshiki as on futoshiki.org: a puzzle to a line, a character for each cell and for each place between two cells.

    .(._.__^__3_._._____._.).

are the lines of this picture, end to end (N is 3, so there are five of five characters each):

    .(._.
    __^__
    3_._.
    _____
    ._.).

``.`` is a blank cell and ``_`` no sign; ``(`` stands for < and ``)`` for >, ``^`` says that the upper cell is smaller
and ``v`` that it is greater. As many characters of solution may follow, which are not looked at. The site has sizes 4
to 9; beyond, ``A`` is 10, ``B`` is 11 and so on, as in lines of Sudoku.
"""

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import accumulate
from math import isqrt
from string import ascii_uppercase, digits

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.futoshiki_board import placed_sign, words
from f2csp.puzzles.files.reading import Given, PlacedSign, Reading
from f2csp.puzzles.files.text import Text, Word, n_bytes
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_VALUES = digits + ascii_uppercase
_ACROSS = "_()"
_DOWN = "_^v"
_SIGNS = frozenset("()^v")
_LESS = frozenset("(^")
_CHARACTERS = frozenset("._").union(_VALUES, _SIGNS)

_DUE = (
    (("the cell at", "write its value, or . for a blank"), ("the sign right of", "write (, ) or _")),
    (("the sign below", "write ^, v or _"), ("the _ below and right of", "write _")),
)
"""What is due on even and odd lines of the picture, at even and odd places of them, and how it is written."""

_LINE = re.compile(rb"^[ \t]*([^ \t\r\n][^\r\n]*)", re.MULTILINE)
_TOLD = re.compile(r"[^._]")  # a given or a sign


def looks_like(text: Text) -> Likeness:
    """Whether the first line is a puzzle but for one character, or for its length; or some of it."""
    first = [line.text.strip(" \t") for line in text.head().filled_lines[:1]]
    puzzle = first[0] if first else ""
    is_of_its_characters = "_" in puzzle and _CHARACTERS.issuperset(puzzle)
    side = _side(len(puzzle))
    is_puzzle = 1 < side < 2 * MAX_SIZE and len(_misfits(puzzle, side)) <= 1
    if is_puzzle or (is_of_its_characters and not _SIGNS.isdisjoint(puzzle)):
        return Likeness.SOUND
    return Likeness.FAINT if is_of_its_characters or puzzle == "." else Likeness.NONE


def parts(text: Text) -> Sequence[Text]:
    """A puzzle to a line."""
    return text.parts(_LINE)


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a puzzle; all its faults are told."""
    found = [word for line in text.filled_lines for word in line.words()]
    if not found:
        reading.fault("F609", (text.end, text.end), "there is no puzzle", hint="write one to a line")
        return None
    puzzle = found[0]
    if len(found) > 1:
        span = found[1].start, found[-1].end
        hint = "write one puzzle to a line, without blanks"
        reading.fault("F606", span, "something stands beside the puzzle", hint=hint)
    side = _side(len(puzzle.text))
    if not side:
        _tell_length(puzzle, reading)
        return None
    size = (side + 1) // 2
    if size > MAX_SIZE:
        message = f"the puzzle has size {size:,}, and sizes from 1 to {MAX_SIZE} are converted"
        reading.fault("F601", puzzle.span, message)
        return None
    misfits = _misfits(puzzle.text, side)
    _tell(misfits, puzzle, side, reading)
    return reading.futoshiki(size, *_givens_and_signs(puzzle, side, frozenset(misfits)), puzzle.span)


def write(puzzle: Puzzle) -> str:
    """The puzzle as a line, without a solution."""
    if puzzle.n_rows >= len(_VALUES):
        most = f"{_VALUES[-1]}, which is {len(_VALUES) - 1}"
        raise Unsuitable(f"the format has values up to {most}, too few for a {puzzle.title}")
    lines = words(puzzle, ".", _ACROSS, _DOWN)
    given = {str(value): _VALUES[value] for value in puzzle.values}
    return "".join([given.get(word, word) for line in lines for word in line]) + "\n"


def _side(n_characters: int) -> int:
    """How many characters a line of the picture has; 0 if no puzzle, with solution or without, has so many in all."""
    for n in (n_characters, n_characters // 2):
        side = isqrt(n)
        if side % 2 and n_characters in (side**2, 2 * side**2):
            return side
    return 0


@lru_cache(maxsize=8)
def _pattern(side: int) -> re.Pattern[str]:
    """The puzzles whose picture has lines of so many characters."""
    n_more = side // 2
    row = f"[.0-9A-Z](?:[_()][.0-9A-Z]){{{n_more}}}"
    between = f"[_^v](?:_[_^v]){{{n_more}}}"
    return re.compile(f"{row}(?:{between}{row}){{{n_more}}}")


def _misfits(puzzle: str, side: int) -> list[int]:
    """The indices of the characters that may not stand where they do."""
    if _pattern(side).match(puzzle):
        return []
    return [i for i in range(side**2) if puzzle[i] not in _allowed(*divmod(i, side))]


def _allowed(line: int, column: int) -> str:
    """The characters that may stand at a place of the picture."""
    if line % 2:
        return "_" if column % 2 else _DOWN
    return _ACROSS if column % 2 else "." + _VALUES


def _offsets(puzzle: Word) -> Sequence[int]:
    """The byte offset of each character, and that after the last."""
    if puzzle.text.isascii():
        return range(puzzle.start, puzzle.end + 1)
    return list(accumulate(map(n_bytes, puzzle.text), initial=puzzle.start))


def _tell(misfits: Sequence[int], puzzle: Word, side: int, reading: Reading) -> None:
    offsets = _offsets(puzzle)
    for i in misfits:
        line, column = divmod(i, side)
        due, hint = _DUE[line % 2][column % 2]
        place = f"row {line // 2 + 1}, column {column // 2 + 1}"
        message = f"'{puzzle.text[i]}' stands where {due} {place} is due"
        code = "F611" if puzzle.text[i] in _SIGNS else "F610"
        reading.fault(code, (offsets[i], offsets[i + 1]), message, hint=hint)


def _tell_length(puzzle: Word, reading: Reading) -> None:
    n = len(puzzle.text)
    roots = (isqrt(n), isqrt(n // 2))
    sizes = {(root + more) // 2 for root in roots for more in (1, 2)}
    _, length, size = min((abs(n - length), length, size) for size in sizes for length in _lengths(size))
    alone, solved = _lengths(size)
    message = f"the puzzle has {n:,} characters, and one of size {size} has {alone:,}, or {solved:,} with its solution"
    hint = "add what is missing" if n < length else "remove what is too much"
    reading.fault("F609", puzzle.span, message, hint=hint)


def _lengths(size: int) -> tuple[int, int]:
    return (2 * size - 1) ** 2, 2 * (2 * size - 1) ** 2


def _givens_and_signs(puzzle: Word, side: int, misfits: Set[int]) -> tuple[list[Given], list[PlacedSign]]:
    """What the characters say that may stand where they do."""
    offsets = _offsets(puzzle)
    givens: list[Given] = []
    signs: list[PlacedSign] = []
    for match in _TOLD.finditer(puzzle.text, 0, side**2):
        i = match.start()
        if i in misfits:
            continue
        line, place = divmod(i, side)
        cell = line // 2 + 1, place // 2 + 1
        symbol, span = match[0], (offsets[i], offsets[i + 1])
        if symbol not in _SIGNS:
            givens.append(Given(*cell, _VALUES.find(symbol), *span))
        else:
            signs.append(placed_sign(*cell, is_across=line % 2 == 0, is_less=symbol in _LESS, span=span))
    return givens, signs
