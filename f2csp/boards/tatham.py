"""Identifiers of Simon Tatham's puzzles, one to a line; here those of Unequal (Futoshiki) and Unruly (Takuzu).

An identifier has a size, parameters of the program, a colon, and the cells; ``grammars/tatham.lark`` defines the
languages. Lines that begin with ``#`` are comments.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from f2csp.boards.futoshiki_boards import PlacedSign, futoshiki
from f2csp.boards.pieces import Piece, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Shape
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

_PARTS = re.compile(
    r"(?:(?P<width>[0-9]++)(?:x(?P<height>[0-9]++))?+)?+(?P<parameters>[^:# \t0-9][^:# \t]*+|)"
    r"(?::(?P<cells>[^ \t]*+)|(?P<seed>\#[^ \t]*+))?+(?P<rest>[ \t].*+)?+"
)

# ---- The part before the colon -------------------------------------------------------------------------------------


class Program(NamedTuple):
    name: str
    puzzle: str  # the puzzle that is converted, with its article
    max_sides: int  # the largest number of numbers in its size
    parameters: re.Pattern[str]  # the longest run of parameters at the beginning of a text
    variants: Mapping[str, str]  # the names of other puzzles, by the parameters that make them


class Identifier(NamedTuple):
    sides: Sequence[Piece]  # the numbers of its size
    parameters: str  # between the size and the colon; may be empty
    cells: Piece  # after the colon

    @property
    def size(self) -> tuple[int, int]:
        """The two numbers of its size; a number alone counts for both."""
        return number(self.sides[0].text) or 0, number(self.sides[-1].text) or 0


def read_identifier(text: Text, program: Program, builder: PuzzleBuilder) -> Identifier:
    """The first identifier of a text; what the program does not have is a fault."""
    lines = [line.trimmed for line in text.filled_lines if not line.trimmed.text.startswith("#")]
    if not lines:
        builder.stop("F615", (text.end, text.end), "the file ends before the first identifier")
    line = lines[0]
    match = _PARTS.match(line.text)
    assert match is not None  # noqa: S101 - all groups may be empty
    found = {name: line.part(*match.span(name)) for name, part in match.groupdict().items() if part is not None}
    sides = [found[name] for name in ("width", "height") if name in found]
    if not sides:
        builder.stop("F604", (line.start, line.start), "expected the size of the board")
    if len(sides) > program.max_sides:
        builder.stop("F615", span_of(sides), f"expected a size of one number, found {sides[0].text}x{sides[1].text}")
    _check_parameters(found["parameters"], program, builder)
    if seed := found.get("seed"):
        message = f"expected a colon and cells, found the random seed '{seed.text}'"
        hint = f"{program.name} makes a puzzle from a seed: let it give the identifier with the cells"
        builder.stop("F613", seed.span, message, hint)
    cells, rest = found.get("cells"), found.get("rest")
    if cells is None and not rest:
        builder.stop("F615", (line.end, line.end), "the identifier has no colon and no cells")
    if cells is None or (rest and not cells.text):
        builder.stop("F615", span_of([rest or line]), "unexpected blank in the identifier")
    if rest and rest.trimmed.text != f"# {builder.kind}":
        builder.fault("F606", span_of([rest]), f"unexpected text '{rest.trimmed.text}' after the identifier")
    return Identifier(sides, found["parameters"].text, cells)


def _check_parameters(parameters: Piece, program: Program, builder: PuzzleBuilder) -> None:
    """Stop at those of another puzzle; those that are none are a fault."""
    match = program.parameters.match(parameters.text)
    known = match[0] if match else ""
    if places := [index for index, letter in enumerate(known) if letter in program.variants]:
        names = " and ".join([program.variants[known[place]] for place in places])
        span = parameters.part(places[0], places[-1] + 1).span
        builder.stop("F613", span, f"expected {program.puzzle}, found {names}, which is another puzzle")
    if known != parameters.text:
        unknown = parameters.part(len(known), len(parameters.text))
        builder.fault("F615", unknown.span, f"{program.name} has no parameter '{unknown.text}'")


# ---- The cells -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Cursor:
    """The cell that the next item of an identifier is about, and the givens before it."""

    builder: PuzzleBuilder
    cells: Piece
    n_columns: int
    n_cells: int  # of the board; 0 if there is no such board
    n_ends: int = 0  # places after the last cell, which end the last run
    place: int = 0  # the number of cells so far
    givens: list[Given] = field(default_factory=list)
    surplus: Piece | None = None  # the first item that is too much
    has_unknown: bool = False  # an item of no known kind may represent any number of cells

    def items(self, pattern: re.Pattern[str], expected: str) -> Iterator[tuple[str, Piece]]:
        """The items of an identifier; one of no known kind is a fault and left out."""
        for kind, item in self.cells.tokens(pattern):
            if kind == "unknown":
                self.refuse("F610", item, expected)
            else:
                yield kind, item

    def refuse(self, code: str, item: Piece, expected: str) -> None:
        self.has_unknown = True
        if self.builder.collector.is_full:
            self.builder.collector.count_hidden(1)
            return
        self.builder.fault(code, item.span, f"expected {expected}, found '{item.text}'")

    def advance(self, n: int, item: Piece) -> None:
        """Take the cells of an item."""
        self.place += n
        if self.surplus is None and self.place > self.n_cells + self.n_ends:
            self.surplus = item

    def take(self, value: int | None, item: Piece) -> None:
        """Take the value of the current cell, or None for a blank."""
        if value is not None and self.place < self.n_cells:
            row, column = divmod(self.place, self.n_columns)
            self.givens.append(Given(row + 1, column + 1, value, item.span))
        self.advance(1, item)

    def check_count(self, what: str = "cells") -> None:
        """Report too few or too many cells, unless there are unknown items."""
        n_places, end = self.n_cells + self.n_ends, self.cells.end
        if self.n_cells and self.place != n_places and not self.has_unknown:
            message = f"expected {n_places:,} {what}, found {self.place:,}"
            self.builder.fault("F609", (self.surplus.start if self.surplus else end, end), message)


def n_blanks(letter: str) -> int:
    return ord(letter) - ord("a") + 1


# ---- Unequal -------------------------------------------------------------------------------------------------------

_ADJACENT = {"a": "Unequal in its Adjacent mode"}
_UNEQUAL = Program("Unequal", "a Futoshiki", 1, re.compile(r"a?(?:d[tekxr])?"), _ADJACENT)
_ITEM = re.compile(r"(?P<number>[0-9]++)|(?P<run>[a-z])|(?P<signs>[URDL]++)|(?P<comma>,)|(?P<unknown>[^0-9a-zURDL,]++)")
_FORM_FAULTS = {
    "unknown": (frozenset(_ITEM.groupindex), ("F610", "a cell")),
    "number": ({"number", "signs"}, ("F615", "a comma")),
    "run": ({"number", "signs"}, ("F615", "a comma")),
    "signs": ({"comma", "run"}, ("F604", "a number")),
    "comma": ({"comma"}, ("F604", "a cell")),
}
"""The items that cannot come before an item of each kind, and the fault; after an unknown one anything can."""
_NEIGHBOURS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}


def _read_unequal(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read an identifier of Unequal as a Futoshiki, or as a Latin square if it has no sign.

        3:0R,0,0L,0,0,0,0,0,0L,
        4dk:0R,0,0R,0,0R,0,0D,0,0,0,0,0,0,3,0L,0,

    A cell is its value, 0 for a blank, and then any of ``U``, ``R``, ``D`` and ``L``: the neighbours above, to the
    right, below and to the left that it is greater than. ``a`` to ``z`` may represent runs of 1 to 26 blanks, and a
    comma may follow the last cell.
    """
    identifier = read_identifier(text, _UNEQUAL, builder)
    size, span = identifier.size[0], span_of(identifier.sides)
    cursor = Cursor(builder, identifier.cells, size, size**2 if size <= MAX_SIZE else 0)
    signs = _unequal_signs(cursor)
    if builder.kind != LatinSquare.KIND:
        return futoshiki(builder, size, cursor.givens, signs, span)
    if signs:
        message = "expected a Latin square, found a sign of a Futoshiki"
        builder.stop("F613", signs[0][1], message, "convert it as a Futoshiki")
    return builder.square(size, cursor.givens, span)


def _unequal_signs(cursor: Cursor) -> list[PlacedSign]:
    """The signs, with the cursor taken over all cells; only the form is checked if there is no board of this size."""
    signs: list[PlacedSign] = []
    before = "comma"
    for kind, item in cursor.cells.tokens(_ITEM):
        never_before, (code, expected) = _FORM_FAULTS[kind]
        if before in never_before:
            cursor.refuse(code, item, expected)
        if kind == "number":
            cursor.take(number(item.text) or None, item)
        elif kind == "run":
            cursor.advance(n_blanks(item.text), item)
        elif kind == "signs" and 0 < cursor.place <= cursor.n_cells:
            row, column = divmod(cursor.place - 1, cursor.n_columns)
            cell = Cell(row + 1, column + 1)
            for at, letter in enumerate(item.text, item.start):
                down, across = _NEIGHBOURS[letter]
                signs.append((Sign(Cell(cell.row + down, cell.column + across), cell), (at, at + 1)))
        before = kind
    cursor.check_count()
    return signs


def _write_unequal(puzzle: LatinSquare) -> str:
    """The identifier, with a remark that names the kind of a board that would be read as a Futoshiki."""
    cells = {Cell(r, c): str(value or 0) for r, row in enumerate(puzzle.grid(), 1) for c, value in enumerate(row, 1)}
    signs = set(puzzle.signs) if isinstance(puzzle, Futoshiki) else set()
    for letter, (down, across) in _NEIGHBOURS.items():
        for smaller, greater in signs:
            if smaller == (greater.row + down, greater.column + across):
                cells[greater] += letter
    kind = "" if isinstance(puzzle, Futoshiki) else f" # {puzzle.KIND}"
    return f"{puzzle.size}:{''.join([f'{cell},' for cell in cells.values()])}{kind}\n"


UNEQUAL = Codec(_read_unequal, _write_unequal, is_by_line=True)

# ---- Unruly --------------------------------------------------------------------------------------------------------

_UNRULY = Program("Unruly", "a Takuzu", 2, re.compile(r"u?(?:d[ten])?"), {})
_DISTINCT_LINES = "u"
_MAX_RUN = 25
_BIT_ITEM = re.compile(r"(?P<letter>[A-Za-z])|(?P<unknown>[^A-Za-z]++)")


def _read_unruly(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read an identifier of Unruly.

        6x6u:FBcCBBIeda
        10x6:bIaFABdaDcADJahCa

    The size is columns x rows; a number alone counts for both. ``a`` to ``y`` are 0 to 24 blanks and a 0 after them,
    ``A`` to ``Y`` the same with a 1, and ``z`` or ``Z`` is 25 blanks and no more. The last letter ends one cell after
    the board. Only with ``u`` after the size are equal rows and equal columns forbidden.
    """
    identifier = read_identifier(text, _UNRULY, builder)
    n_columns, n_rows = identifier.size
    is_board = 1 <= n_rows <= MAX_LINES and 1 <= n_columns <= MAX_LINES
    cursor = bits(identifier.cells, n_columns, n_rows * n_columns if is_board else 0, builder)
    cursor.check_count()
    span, distinct = span_of(identifier.sides), identifier.parameters.startswith(_DISTINCT_LINES)
    return builder.takuzu(Shape(n_rows, n_columns, span), cursor.givens, distinct_lines=distinct)


def bits(letters: Piece, n_columns: int, n_cells: int, builder: PuzzleBuilder) -> Cursor:
    """The zeros and ones of letters that are a run of blanks and a cell; no cells if there is no such board."""
    cursor = Cursor(builder, letters, n_columns, n_cells, n_ends=1)
    for _, item in cursor.items(_BIT_ITEM, "a letter"):
        run = n_blanks(item.text.lower()) - 1
        cursor.advance(run, item)
        if run < _MAX_RUN:
            cursor.take(int(item.text.isupper()), item)
    return cursor


def written_bits(puzzle: Puzzle) -> str:
    values = [value for row in puzzle.grid() for value in row]
    given = [i for i, value in enumerate(values) if value is not None]
    letters = []
    for before, i in pairwise([-1, *given, len(values)]):  # a run of blanks and the cell after it
        n_whole, rest = divmod(i - before - 1, _MAX_RUN)
        run = "z" * n_whole + chr(ord("a") + rest)
        letters.append(run.upper() if i < len(values) and values[i] else run)
    return "".join(letters)


def _write_unruly(board: Takuzu) -> str:
    parameter = _DISTINCT_LINES if board.has_distinct_lines else ""
    return f"{board.columns}x{board.rows}{parameter}:{written_bits(board)}\n"


UNRULY = Codec(_read_unruly, _write_unruly, is_by_line=True)
