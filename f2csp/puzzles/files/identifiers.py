"""Identifiers of Simon Tatham's puzzles, one to a line: what those of Solo, Unequal and Unruly have in common.

    # size, parameters, colon, cells; a line that begins with # is a comment
    3x3db:a4_3a5b1d9g5b8a4a2b7_1d4g6d8_9b5a3a4b7g2d1b3a8_6a
    3x3:b2b9_1_4d4_5c6a4b1a7b1h5_9_7c3_6_2h8b6a2b7a4c8_5d2_9_6b8b

``grammars/tatham.lark`` is the grammar; here it cuts a line into these parts, each in one piece.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, cast

from f2csp.puzzles.files.reading import Reading
from f2csp.puzzles.files.text import Line, Span, Text, Word, number, shown_bytes
from f2csp.text.terminals import parser

if TYPE_CHECKING:
    from lark import Lark, Token

_IDENTIFIER = re.compile(rb"^[ \t]*+([^\s#][^\r\n]*+)", re.MULTILINE)
_LONGEST_SIDE = 3  # digits: a longer number before a colon is the cells of another format


@dataclass(frozen=True, slots=True)
class Program:
    """What the identifiers of a program look like before the colon.

    Attributes:
        name: what the program is called.
        puzzle: the puzzle that is converted, with its article.
        example: how such an identifier begins.
        max_sides: how many numbers its size has at most.
        parameters: the longest run of parameters at the beginning of a text.
        variants: the puzzles that single letters among these stand for.
    """

    name: str
    puzzle: str
    example: str
    max_sides: int
    parameters: re.Pattern[str]
    variants: Mapping[str, str]

    @property
    def hint(self) -> str:
        """How to begin."""
        return f"an identifier of {self.name} begins like {self.example}"


class Identifier(NamedTuple):
    """The parts of an identifier; their texts are Latin-1, so that a character is a byte.

    Attributes:
        span: where all of it stands.
        sides: the numbers of its size.
        parameters: what follows them; may be empty.
        cells: what follows the colon; None without a colon.
        seed: a random seed, with its sign, in place of cells.
        rest: what follows a blank.
    """

    span: Span
    sides: Sequence[Word]
    parameters: Word
    cells: Word | None
    seed: Word | None
    rest: Word | None

    @property
    def size(self) -> tuple[int, int]:
        """The two numbers of its size; a number alone counts for both."""
        return number(self.sides[0].text) or 0, number(self.sides[-1].text) or 0

    @property
    def size_span(self) -> Span:
        """Where its size stands."""
        return self.sides[0].start, self.sides[-1].end


def parts(text: Text) -> Sequence[Text]:
    """The lines that hold an identifier; the whole text if there is none."""
    return text.parts(_IDENTIFIER)


def first_identifier(text: Text) -> Identifier | None:
    """The first of a file, if what stands there may be one; for a quick look."""
    lines = _lines(text.head())
    if not lines:
        return None
    found = _cut(lines[0])
    is_short = all(len(side.text) <= _LONGEST_SIDE for side in found.sides)
    return found if found.sides and is_short and (found.cells or found.seed) else None


def read_identifier(text: Text, program: Program, reading: Reading) -> tuple[Identifier, Word] | None:
    """The first identifier of a text, and its cells, which are still to be read; None if there are none to read."""
    lines = _lines(text)
    if not lines:
        hint = f"write one on a line, such as {program.example}"
        reading.fault("F615", (text.end, text.end), "the file ends before the first identifier", hint=hint)
        return None
    found = _cut(lines[0])
    if not _begins_well(found, program, reading):
        return None
    cells = found.cells
    if cells is None or (found.rest and not cells.text):
        _tell_no_cells(found, program, reading)
        return None
    if found.rest:
        message = f"'{shown_bytes(found.rest.text)}' stands beside the identifier"
        reading.fault("F606", found.rest.span, message, hint="write one identifier to a line, and nothing beside it")
    return found, cells


def tell_count(cells: Word, n_cells: int, n_due: int, surplus: int | None, due: str, reading: Reading) -> None:
    """Say that there are too few or too many cells, if so.

    Args:
        cells: those of the identifier.
        n_cells: how many they are.
        n_due: how many they should be.
        surplus: the index of the first item that is too much.
        due: what they should be, in words.
        reading: takes the fault.
    """
    if n_cells == n_due:
        return
    span = (cells.end, cells.end) if surplus is None else (cells.start + surplus, cells.end)
    reading.fault("F609", span, f"the identifier has {n_cells:,} {'cell' if n_cells == 1 else 'cells'}, and {due}")


def _lines(text: Text) -> list[Line]:
    return [line for line in text.filled_lines if not line.text.lstrip(" \t").startswith("#")]


@cache
def _parser() -> "Lark":
    return parser("tatham.lark", start="tolerant")


def _cut(line: Line) -> Identifier:
    """The parts of a line; lark counts bytes, for each stands as a character of Latin-1."""
    span = line.span
    words: defaultdict[str, list[Word]] = defaultdict(list)
    for token in cast("list[Token]", _parser().parse(line.text.strip(" \t").encode().decode("latin-1")).children):
        at = span[0] + (token.start_pos or 0)
        words[token.type].append(Word(str(token), at, at + len(token)))
    sides = words["NUMBER"]
    after_sides = sides[-1].end if sides else span[0]
    parameters = words["PARAMETERS"] or [Word("", after_sides, after_sides)]
    cells_after_colon = [Word(text[1:], at + 1, end) for text, at, end in words["CELLS"]]
    cells, seed, rest = (next(iter(found), None) for found in (cells_after_colon, words["SEED"], words["REST"]))
    return Identifier(span, sides, parameters[0], cells, seed, rest)


def _begins_well(found: Identifier, program: Program, reading: Reading) -> bool:
    """Whether the part before the colon lets the cells be read; says what is wrong with it."""
    sides = found.sides
    if not sides:
        message = "the identifier does not begin with the size of the board"
        reading.fault("F604", (found.span[0], found.span[0]), message, hint=program.hint)
        return False
    if len(sides) > program.max_sides:
        message = f"the size of the board is one number, and here it is {sides[0].text}x{sides[1].text}"
        reading.fault("F615", found.size_span, message, hint=program.hint)
        return False
    return _is_that_puzzle(found, program, reading)


def _is_that_puzzle(found: Identifier, program: Program, reading: Reading) -> bool:
    """Whether it is the program's own puzzle, and neither a variant nor a random seed; tells unknown parameters too."""
    text, start, end = found.parameters
    match = program.parameters.match(text)
    known = match[0] if match else ""
    places = [index for index, letter in enumerate(known) if letter in program.variants]
    if places:
        names = " and ".join(program.variants[known[place]] for place in places)
        message = f"this is {names}, which is another puzzle than {program.puzzle}"
        reading.fault("F613", (start + places[0], start + places[-1] + 1), message)
        return False
    if known != text:
        message = f"'{shown_bytes(text[len(known) :])}' is no parameter of {program.name}"
        reading.fault("F615", (start + len(known), end), message, hint=program.hint)
    if found.seed:
        message = f"'{shown_bytes(found.seed.text)}' is the random seed from which {program.name} makes a puzzle"
        reading.fault("F613", found.seed.span, message, hint="let the program give the identifier with the cells")
    return not found.seed


def _tell_no_cells(found: Identifier, program: Program, reading: Reading) -> None:
    if found.rest:
        reading.fault("F615", found.rest.span, "the identifier breaks off at a blank", hint="write it without blanks")
    else:
        end = found.span[1]
        reading.fault("F615", (end, end), "the identifier has no colon and no cells", hint=program.hint)
