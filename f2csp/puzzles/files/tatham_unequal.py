"""Identifiers of Unequal, the Futoshikis of Simon Tatham's collection: the size, a colon, and cells between commas.

    3:0R,0,0L,0,0,0,0,0,0L,
    4dk:0R,0,0R,0,0R,0,0D,0,0,0,0,0,0,3,0L,0,

A cell is its value, 0 for a blank, and then any of ``U``, ``R``, ``D`` and ``L``: the neighbours above, to the right,
below and to the left that it is greater than. The letters ``a`` to ``z`` may stand for runs of 1 to 26 blanks, and a
comma may follow the last cell. Without any sign it may be a Latin square. The parameter ``a`` makes another puzzle.
"""

import re
from dataclasses import dataclass, field

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.identifiers import (
    Program,
    first_identifier,
    parts,
    read_identifier,
    tell_count,
)
from f2csp.puzzles.files.reading import Given, PlacedSign, Reading
from f2csp.puzzles.files.text import Span, Text, Word, number, shown_bytes
from f2csp.puzzles.files.writing import grid
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE

__all__ = ["looks_like", "parts", "read", "write"]

_PROGRAM = Program(
    name="Unequal",
    puzzle="a Futoshiki",
    example="4:0R,0,3",
    max_sides=1,
    parameters=re.compile(r"a?(?:d[tekxr])?"),
    variants={"a": "Unequal in its Adjacent mode"},
)
_ITEM = re.compile(r"(?P<number>[0-9]++)|(?P<run>[a-z])|(?P<signs>[URDL]++)|(?P<comma>,)|(?P<unknown>[^0-9a-zURDL,]++)")
_KINDS = frozenset(_ITEM.groupindex)
_NEVER_BEFORE = {
    "number": frozenset({"number", "signs"}),
    "run": frozenset({"number", "signs"}),
    "signs": frozenset({"comma", "run"}),
    "comma": frozenset({"comma"}),
}
"""What cannot stand before an item of each known kind."""
_NEIGHBOURS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
_KNOWN = re.compile(r"[0-9a-zURDL]*")


def looks_like(text: Text) -> Likeness:
    """Whether the first line is an identifier whose size is one number, with the cells of Unequal."""
    found = first_identifier(text)
    if found is None or len(found.sides) > 1 or found.parameters.text.startswith("u"):
        return Likeness.NONE
    is_sound = found.cells is None or "," in found.cells.text or _KNOWN.fullmatch(found.cells.text)
    return Likeness.SOUND if is_sound else Likeness.FAINT


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read an identifier as a Futoshiki, or as a Latin square if it has no sign; all its faults are told."""
    found = read_identifier(text, _PROGRAM, reading)
    if found is None:
        return None
    identifier, cells = found
    size, _ = identifier.size
    board = _Board(cells, size, reading)
    board.read()
    if reading.kind != LatinSquare.KIND:
        return reading.futoshiki(size, board.givens, board.signs, identifier.size_span)
    if board.first_sign:
        message = "a sign makes this a Futoshiki, which is another puzzle than a Latin square"
        reading.fault("F613", board.first_sign, message, hint="convert it as a Futoshiki")
        return None
    return reading.square(size, board.givens, identifier.size_span)


def write(puzzle: Puzzle) -> str:
    """The identifier, as Unequal spells it."""
    if not isinstance(puzzle, LatinSquare):
        raise Unsuitable(f"the format is for Futoshikis and Latin squares, and the puzzle is a {puzzle.title}")
    cells = {Cell(r, c): str(value or 0) for r, row in enumerate(grid(puzzle), 1) for c, value in enumerate(row, 1)}
    signs = set(puzzle.signs) if isinstance(puzzle, Futoshiki) else set()
    for letter, (down, across) in _NEIGHBOURS.items():
        for smaller, greater in signs:
            if smaller == (greater.row + down, greater.column + across):
                cells[greater] += letter
    return f"{puzzle.size}:{''.join(f'{cell},' for cell in cells.values())}\n"


@dataclass(slots=True)
class _Board:
    """Goes from item to item, keeps givens and signs, and says what is wrong."""

    cells: Word
    size: int
    reading: Reading
    givens: list[Given] = field(default_factory=list)
    signs: list[PlacedSign] = field(default_factory=list)
    first_sign: Span | None = None
    _place: int = 0

    def read(self) -> None:
        """Read all cells; only the form is looked at if there is no board of this size."""
        n_due = self.size**2 if self.size <= MAX_SIZE else 0
        surplus, n_errors, before = None, self.reading.collector.n_errors, "comma"
        for match in _ITEM.finditer(self.cells.text):
            item, text = str(match.lastgroup), match[0]
            word = Word(text, self.cells.start + match.start(), self.cells.start + match.end())
            self._check_form(before, item, word)
            if item == "number":
                self._take_number(word, n_due)
            elif item == "run":
                self._place += ord(text) - ord("a") + 1
            elif item == "signs":
                self._take_signs(word, n_due)
            if surplus is None and self._place > n_due:
                surplus = match.start()
            before = item
        if n_due and self.reading.collector.n_errors == n_errors:  # what has no form may stand for any number of cells
            due = f"a {self.size}x{self.size} board has {n_due:,}"
            tell_count(self.cells, self._place, n_due, surplus, due, self.reading)

    def _check_form(self, before: str, item: str, word: Word) -> None:
        """Say so if an item is unknown or cannot follow the one before it; after an unknown one anything can."""
        if before not in _NEVER_BEFORE.get(item, _KINDS):
            return
        shown = shown_bytes(word.text)
        if item == "unknown":
            hint = "a cell is a number, 0 for a blank, and then any of U, R, D, L; a comma follows it"
            self.reading.fault("F610", word.span, f"'{shown}' is neither a number nor a sign", hint=hint)
        elif item == "signs":
            hint = "write the number of the cell before its signs, 0 for a blank"
            self.reading.fault("F604", word.span, f"'{shown}' belongs to no cell", hint=hint)
        elif item == "comma":
            self.reading.fault("F604", word.span, "a cell is due before this comma", hint="write 0 for a blank")
        else:
            hint = "write a comma after each cell, and signs in capitals"
            self.reading.fault("F615", word.span, f"a comma is due before '{shown}'", hint=hint)

    def _take_number(self, word: Word, n_due: int) -> None:
        value = number(word.text) or 0
        if value and self._place < n_due:
            row, column = divmod(self._place, self.size)
            self.givens.append(Given(row + 1, column + 1, value, word.start, word.end))
        self._place += 1

    def _take_signs(self, word: Word, n_due: int) -> None:
        """Keep signs as those of the cell before them."""
        self.first_sign = self.first_sign or (word.start, word.start + 1)
        if not 0 < self._place <= n_due:
            return
        row, column = divmod(self._place - 1, self.size)
        cell = Cell(row + 1, column + 1)
        for at, letter in enumerate(word.text, word.start):
            down, across = _NEIGHBOURS[letter]
            self.signs.append(PlacedSign(Cell(cell.row + down, cell.column + across), cell, at, at + 1))
