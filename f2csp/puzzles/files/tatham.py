"""Identifiers of Simon Tatham's puzzles, one to a line; here those of Unequal (Futoshiki) and Unruly (Takuzu).

An identifier has a size, parameters of the program, a colon, and the cells; ``grammars/tatham.lark`` defines the
languages. Lines that begin with ``#`` are comments.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.boards import PlacedSign, futoshiki, square, takuzu
from f2csp.puzzles.files.page import Piece, Span, Text, number, span_of
from f2csp.puzzles.files.puzzle_builder import Codec, Given, Likeness, PuzzleBuilder, grid, of_kind
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

_IDENTIFIER = re.compile(rb"^[ \t]*+([^\s#][^\r\n]*+)", re.MULTILINE)
_PARTS = re.compile(
    r"(?:(?P<width>[0-9]++)(?:x(?P<height>[0-9]++))?+)?+(?P<parameters>[^:# \t0-9][^:# \t]*+|)"
    r"(?::(?P<cells>[^ \t]*+)|(?P<seed>\#[^ \t]*+))?+(?P<rest>[ \t].*+)?+"
)
_MAX_DIGITS = 3  # of a size: a longer number before a colon is the cells of another format
CAPITAL = re.compile(r"[A-Z]")
DIGIT = re.compile(r"[0-9]")


# ---- The part before the colon -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Program:
    """The identifiers of a program, up to the colon.

    Attributes:
        name: the program's.
        puzzle: the puzzle that is converted, with its article.
        example: the beginning of an identifier.
        max_sides: the largest number of numbers in its size.
        parameters: the longest run of parameters at the beginning of a text.
        variants: the names of other puzzles, by the letters among these that make them.
    """

    name: str
    puzzle: str
    example: str
    max_sides: int
    parameters: re.Pattern[str]
    variants: Mapping[str, str]

    @property
    def hint(self) -> str:
        """The hint for a beginning that is wrong."""
        return f"an identifier of {self.name} begins like {self.example}"


class Identifier(NamedTuple):
    """The parts of an identifier.

    Attributes:
        line: all of it.
        sides: the numbers of its size.
        parameters: between the size and the colon; may be empty.
        cells: after the colon; None without a colon.
        seed: a random seed, with its sign, in place of cells.
        rest: from a blank on.
    """

    line: Piece
    sides: Sequence[Piece]
    parameters: Piece
    cells: Piece | None
    seed: Piece | None
    rest: Piece | None

    @classmethod
    def of(cls, line: Piece) -> "Identifier":
        """The parts of a line."""
        line = line.trimmed
        match = _PARTS.match(line.text)
        assert match is not None  # noqa: S101 - all groups may be empty

        def part(name: str) -> Piece | None:
            return None if match[name] is None else line.part(*match.span(name))

        sides = [side for side in (part("width"), part("height")) if side]
        parameters = line.part(*match.span("parameters"))
        return cls(line, sides, parameters, part("cells"), part("seed"), part("rest"))

    @property
    def size(self) -> tuple[int, int]:
        """The two numbers of its size; a number alone counts for both."""
        return number(self.sides[0].text) or 0, number(self.sides[-1].text) or 0

    @property
    def size_span(self) -> Span:
        """The place of its size."""
        return span_of(self.sides)


def parts(text: Text) -> Sequence[Text]:
    """The lines that hold an identifier; the whole text if there is none."""
    return text.parts(_IDENTIFIER)


def _lines(text: Text) -> list[Piece]:
    return [line for line in text.filled_lines if not line.stripped.startswith("#")]


def first_identifier(text: Text) -> Identifier | None:
    """The first of a file, if its first line may be one."""
    lines = _lines(text.head())
    if not lines:
        return None
    found = Identifier.of(lines[0])
    is_short = all(len(side.text) <= _MAX_DIGITS for side in found.sides)
    return found if found.sides and is_short and (found.cells or found.seed) else None


def read_identifier(
    text: Text, program: Program, builder: PuzzleBuilder, make: Callable[[Identifier, Piece], Puzzle | None]
) -> Puzzle | None:
    """The puzzle that ``make`` gives for the first identifier of a text and its cells; None if there are none."""
    lines = _lines(text)
    if not lines:
        hint = f"write one on a line, such as {program.example}"
        builder.fault("F615", (text.end, text.end), "the file ends before the first identifier", hint=hint)
        return None
    found = Identifier.of(lines[0])
    if not _is_beginning(found, program, builder):
        return None
    cells, rest, end = found.cells, found.rest, found.line.end
    if cells is None and not rest:
        builder.fault("F615", (end, end), "the identifier has no colon and no cells", hint=program.hint)
    elif cells is None or (rest and not cells.text):
        builder.fault("F615", span_of([rest or found.line]), "unexpected blank in the identifier", hint="remove it")
    else:
        if rest:
            message, hint = f"unexpected text '{rest.stripped}' after the identifier", "write one identifier to a line"
            builder.fault("F606", span_of([rest]), message, hint=hint)
        return make(found, cells)
    return None


def _is_beginning(found: Identifier, program: Program, builder: PuzzleBuilder) -> bool:
    """Whether the part before the colon is known well enough to read the cells; its faults are reported."""
    sides, parameters, seed = found.sides, found.parameters, found.seed
    if not sides:
        start = found.line.start
        message = "the identifier does not begin with the size of the board"
        builder.fault("F604", (start, start), message, hint=program.hint)
        return False
    if len(sides) > program.max_sides:
        message = f"expected a size of one number, found {sides[0].text}x{sides[1].text}"
        builder.fault("F615", found.size_span, message, hint=program.hint)
        return False
    match = program.parameters.match(parameters.text)
    known = match[0] if match else ""
    places = [index for index, letter in enumerate(known) if letter in program.variants]
    if places:
        names = " and ".join([program.variants[known[place]] for place in places])
        span = span_of([parameters.part(places[0], places[-1] + 1)])
        builder.fault("F613", span, f"expected {program.puzzle}, found {names}, which is another puzzle")
        return False
    if known != parameters.text:
        unknown = parameters.part(len(known), len(parameters.text))
        message = f"{program.name} has no parameter '{unknown.text}'"
        builder.fault("F615", unknown.span, message, hint=program.hint)
    if seed:
        message = f"expected a colon and cells, found the random seed '{seed.text}'"
        hint = f"{program.name} makes a puzzle from a seed: let it give the identifier with the cells"
        builder.fault("F613", seed.span, message, hint=hint)
    return not seed


# ---- The cells -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Cursor:
    """The cell that the next item of an identifier is about.

    Attributes:
        n_columns: the board's.
        n_cells: the expected number of cells; 0 if there is no such board.
        place: the number of cells so far.
        surplus: the first item that is too much.
        has_unknown: whether there is an item of no known kind, which may stand for any number of cells.
    """

    n_columns: int
    n_cells: int
    place: int = 0
    surplus: Piece | None = None
    has_unknown: bool = False

    def items(
        self, cells: Piece, pattern: re.Pattern[str], expected: str, hint: str, builder: PuzzleBuilder
    ) -> Iterator[tuple[str, Piece]]:
        """The items of an identifier; one of no known kind is a fault and left out."""
        for kind, item in cells.tokens(pattern):
            if kind == "unknown":
                self.has_unknown = True
                builder.fault("F610", item.span, f"expected {expected}, found '{item.text}'", hint=hint)
            else:
                yield kind, item

    def advance(self, n: int, item: Piece) -> None:
        """Take the cells of an item."""
        self.place += n
        if self.surplus is None and self.place > self.n_cells:
            self.surplus = item

    def given(self, value: int, item: Piece) -> Given:
        """The value as that of the current cell."""
        row, column = divmod(self.place, self.n_columns)
        return Given(row + 1, column + 1, value, item.start, item.end)

    def check_count(self, cells: Piece, builder: PuzzleBuilder, what: str = "cells") -> None:
        """Report too few or too many cells, unless there are unknown items."""
        if self.n_cells and self.place != self.n_cells and not self.has_unknown:
            message = f"expected {self.n_cells:,} {what}, found {self.place:,}"
            builder.fault("F609", (self.surplus.start if self.surplus else cells.end, cells.end), message)


def n_blanks(letter: str) -> int:
    """The length of a run of blanks."""
    return ord(letter) - ord("a") + 1


# ---- Unequal -------------------------------------------------------------------------------------------------------

_UNEQUAL = Program(
    name="Unequal",
    puzzle="a Futoshiki",
    example="4:0R,0,3",
    max_sides=1,
    parameters=re.compile(r"a?(?:d[tekxr])?"),
    variants={"a": "Unequal in its Adjacent mode"},
)
_UNEQUAL_ITEM = re.compile(
    r"(?P<number>[0-9]++)|(?P<run>[a-z])|(?P<signs>[URDL]++)|(?P<comma>,)|(?P<unknown>[^0-9a-zURDL,]++)"
)
_ALL_KINDS = frozenset(_UNEQUAL_ITEM.groupindex)
_NEVER_BEFORE = {
    "number": frozenset({"number", "signs"}),
    "run": frozenset({"number", "signs"}),
    "signs": frozenset({"comma", "run"}),
    "comma": frozenset({"comma"}),
}
"""The items that cannot come before an item of each known kind."""
_NEIGHBOURS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
_KNOWN = re.compile(r"[0-9a-zURDL]*")


def _looks_like_unequal(text: Text) -> Likeness:
    """Whether the first line is an identifier whose size is one number, with the cells of Unequal."""
    found = first_identifier(text)
    if found is None or len(found.sides) > 1 or found.parameters.text.startswith("u"):
        return Likeness.NONE
    is_sound = found.cells is None or "," in found.cells.text or _KNOWN.fullmatch(found.cells.text)
    return Likeness.SOUND if is_sound else Likeness.FAINT


def _read_unequal(text: Text, builder: PuzzleBuilder) -> Puzzle | None:
    """Read an identifier of Unequal as a Futoshiki, or as a Latin square if it has no sign.

        3:0R,0,0L,0,0,0,0,0,0L,
        4dk:0R,0,0R,0,0R,0,0D,0,0,0,0,0,0,3,0L,0,

    A cell is its value, 0 for a blank, and then any of ``U``, ``R``, ``D`` and ``L``: the neighbours above, to the
    right, below and to the left that it is greater than. The letters ``a`` to ``z`` may stand for runs of 1 to 26
    blanks, and a comma may follow the last cell. The parameter ``a`` makes another puzzle.
    """

    def make(identifier: Identifier, cells: Piece) -> Puzzle | None:
        size, _ = identifier.size
        board = _UnequalBoard(cells, size, builder)
        board.read()
        if builder.kind != LatinSquare.KIND:
            return futoshiki(builder, size, board.givens, board.signs, identifier.size_span)
        if board.first_sign:
            message = "expected a Latin square, found a sign of a Futoshiki"
            builder.fault("F613", board.first_sign, message, hint="convert it as a Futoshiki")
            return None
        return square(builder, size, board.givens, identifier.size_span)

    return read_identifier(text, _UNEQUAL, builder, make)


@dataclass(slots=True)
class _UnequalBoard:
    """Goes from item to item, and keeps givens and signs."""

    cells: Piece
    size: int
    builder: PuzzleBuilder
    givens: list[Given] = field(default_factory=list)
    signs: list[PlacedSign] = field(default_factory=list)
    first_sign: Span | None = None

    def read(self) -> None:
        """Read all cells; only the form is checked if there is no board of this size."""
        cursor = Cursor(self.size, self.size**2 if self.size <= MAX_SIZE else 0)
        n_errors, before = self.builder.collector.n_errors, "comma"
        for kind, item in self.cells.tokens(_UNEQUAL_ITEM):
            self._check_form(before, kind, item)
            if kind == "number":
                value = number(item.text) or 0
                if value and cursor.place < cursor.n_cells:
                    self.givens.append(cursor.given(value, item))
                cursor.advance(1, item)
            elif kind == "run":
                cursor.advance(n_blanks(item.text), item)
            elif kind == "signs":
                self._take_signs(item, cursor)
            before = kind
        if self.builder.collector.n_errors == n_errors:  # an unknown item may stand for any number of cells
            cursor.check_count(self.cells, self.builder)

    def _check_form(self, before: str, kind: str, item: Piece) -> None:
        """Report an item that is unknown or cannot follow the one before it; after an unknown one anything can."""
        if before not in _NEVER_BEFORE.get(kind, _ALL_KINDS):
            return
        code, expected, hint = {
            "unknown": ("F610", "a cell", "a cell is a number, 0 for a blank, and then any of U, R, D, L, and a comma"),
            "signs": ("F604", "a number", "write the number of the cell before its signs, 0 for a blank"),
            "comma": ("F604", "a cell", "write 0 for a blank"),
        }.get(kind, ("F615", "a comma", "write a comma after each cell, and signs in capitals"))
        self.builder.fault(code, item.span, f"expected {expected}, found '{item.text}'", hint=hint)

    def _take_signs(self, item: Piece, cursor: Cursor) -> None:
        """Keep signs as those of the cell before them."""
        self.first_sign = self.first_sign or (item.start, item.start + 1)
        if not 0 < cursor.place <= cursor.n_cells:
            return
        row, column = divmod(cursor.place - 1, self.size)
        cell = Cell(row + 1, column + 1)
        for at, letter in enumerate(item.text, item.start):
            down, across = _NEIGHBOURS[letter]
            self.signs.append(PlacedSign(Cell(cell.row + down, cell.column + across), cell, at, at + 1))


def _write_unequal(puzzle: Puzzle) -> str:
    if not isinstance(puzzle, LatinSquare):
        raise Unsuitable(f"the format is for Futoshikis and Latin squares, and the puzzle is a {puzzle.title}")
    cells = {Cell(r, c): str(value or 0) for r, row in enumerate(grid(puzzle), 1) for c, value in enumerate(row, 1)}
    signs = set(puzzle.signs) if isinstance(puzzle, Futoshiki) else set()
    for letter, (down, across) in _NEIGHBOURS.items():
        for smaller, greater in signs:
            if smaller == (greater.row + down, greater.column + across):
                cells[greater] += letter
    return f"{puzzle.size}:{''.join([f'{cell},' for cell in cells.values()])}\n"


UNEQUAL = Codec(_looks_like_unequal, _read_unequal, _write_unequal, parts)

# ---- Unruly --------------------------------------------------------------------------------------------------------

_UNRULY = Program(
    name="Unruly",
    puzzle="a Takuzu",
    example="8x8u:BEaaBbkeb",
    max_sides=2,
    parameters=re.compile(r"u?(?:d[ten])?"),
    variants={},
)
_DISTINCT_LINES = "u"
_MAX_RUN = 25
_UNRULY_ITEM = re.compile(r"(?P<letter>[A-Za-z])|(?P<unknown>[^A-Za-z]++)")


def _looks_like_unruly(text: Text) -> Likeness:
    """Whether the first line is an identifier, with the cells of Unruly rather than those of Solo."""
    found = first_identifier(text)
    if found is None or (found.cells and "," in found.cells.text):
        return Likeness.NONE
    if found.parameters.text.startswith(_DISTINCT_LINES):
        return Likeness.SOUND
    cells = found.cells.text if found.cells else ""
    n_capitals, n_digits = len(CAPITAL.findall(cells)), len(DIGIT.findall(cells))
    is_sound = n_capitals >= n_digits and (n_capitals or len(found.sides) > 1)
    return Likeness.SOUND if is_sound and found.cells else Likeness.FAINT


def _read_unruly(text: Text, builder: PuzzleBuilder) -> Puzzle | None:
    """Read an identifier of Unruly.

        6x6u:FBcCBBIeda
        10x6:bIaFABdaDcADJahCa

    The size is columns x rows; a number alone counts for both. ``a`` to ``y`` are 0 to 24 blanks and a 0 after them,
    ``A`` to ``Y`` the same with a 1, and ``z`` or ``Z`` is 25 blanks and no more. The last letter ends one cell after
    the board. Only with ``u`` after the size are equal rows and equal columns forbidden.
    """

    def make(identifier: Identifier, cells: Piece) -> Puzzle | None:
        n_columns, n_rows = identifier.size
        givens = _unruly_givens(cells, n_rows, n_columns, builder)
        is_distinct = identifier.parameters.text.startswith(_DISTINCT_LINES)
        return takuzu(builder, (n_rows, n_columns), givens, identifier.size_span, distinct_lines=is_distinct)

    return read_identifier(text, _UNRULY, builder, make)


def _unruly_givens(cells: Piece, n_rows: int, n_columns: int, builder: PuzzleBuilder) -> list[Given]:
    """The letters that are cells; only unknown symbols are faults if there is no board of this size."""
    is_board = 1 <= n_rows <= MAX_LINES and 1 <= n_columns <= MAX_LINES
    n_cells = n_rows * n_columns if is_board else 0
    cursor = Cursor(n_columns, n_cells + 1 if is_board else 0)  # one more ends the last run
    givens = []
    hint = "cells are letters: a to y end in a 0, A to Y in a 1, and z is 25 blanks"
    for _, item in cursor.items(cells, _UNRULY_ITEM, "a letter", hint, builder):
        run = n_blanks(item.text.lower()) - 1
        cursor.advance(run, item)
        if run < _MAX_RUN:
            if cursor.place < n_cells:
                givens.append(cursor.given(int(item.text.isupper()), item))
            cursor.advance(1, item)
    cursor.check_count(cells, builder)
    return givens


def _write_unruly(puzzle: Puzzle) -> str:
    board = of_kind(puzzle, Takuzu)
    letters, n_blanks = [], 0
    for value in [value for row in grid(board) for value in row]:
        if value is None:
            n_blanks += 1
        else:
            letters.append(_ended_run(n_blanks).upper() if value else _ended_run(n_blanks))
            n_blanks = 0
    parameter = _DISTINCT_LINES if board.has_distinct_lines else ""
    return f"{board.columns}x{board.rows}{parameter}:{''.join(letters)}{_ended_run(n_blanks)}\n"


def _ended_run(n_blanks: int) -> str:
    """The letters of a run of blanks and the cell after it."""
    n_whole, rest = divmod(n_blanks, _MAX_RUN)
    return "z" * n_whole + chr(ord("a") + rest)


UNRULY = Codec(_looks_like_unruly, _read_unruly, _write_unruly, parts)
