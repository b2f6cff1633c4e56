"""Sudokus with all cells side by side, a character for each: on a line, in a table, or in XML.

A value is one of 1-9 and then A-Z, in either case: a 16x16 board has 1-9A-G, a 25x25 board 1-9A-P. A blank is one of
``. 0 - * _``. Boards larger than 9x9 may be written from 0 on instead, a 16x16 board with 0-9A-F: then 0 is the lowest
value and no blank. The characters of the board decide which of both it is.
"""

import csv
import re
from array import array
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from math import isqrt
from string import ascii_uppercase, digits

from f2csp.boards.cell_rows import BLANKS, report_unknown
from f2csp.boards.pieces import Parts, Piece, Text, span_of
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Unreadable, shortened, text_of
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.xml_events import XmlFault, parse_xml

VALUES = digits[1:] + ascii_uppercase
MAX_SIZE = len(VALUES)  # of a board that can be written so

_USUAL_SIZES = (4, 9, 16, 25)
_UNKNOWN = 255


def read_run(cells: Piece, builder: PuzzleBuilder, size: int | None = None) -> Puzzle:
    """The Sudoku with these cells, row by row; of this size, if the format gives it."""
    n_cells = len(cells.text)
    root = isqrt(n_cells)
    if root > MAX_SIZE:
        message = f"expected at most {MAX_SIZE**2:,} cells of a character each, found {n_cells:,}"
        builder.stop("F601", cells.span, message, "write the board as rows of numbers")
    if size is None:
        rows, columns = builder.options.get("box") or (1, 1)
        sizes = [rows * columns] if 1 < rows * columns <= MAX_SIZE else _USUAL_SIZES
        size = root if root**2 == n_cells else min(sizes, key=lambda near: abs(near**2 - n_cells))
    starts = cells.starts()
    values, n_unknown = values_of(cells.text, starts, size, builder)
    if not n_cells - n_unknown <= size**2 <= n_cells:  # else the unknown characters are the surplus
        builder.stop("F609", cells.span, f"expected {size**2:,} cells for a {size}x{size} board, found {n_cells:,}")
    if n_cells != size**2:
        raise Unreadable
    return builder.full_square(size, values, starts, cells.span)


def written_run(board: Puzzle) -> str:
    """The cells of a board side by side, row by row; it has no more values than there are characters."""
    return "".join(["." if value is None else VALUES[value - 1] for row in board.grid() for value in row])


def values_of(cells: str, starts: Sequence[int], size: int, builder: PuzzleBuilder) -> tuple[bytes, int]:
    """The value of each cell, 0 for a blank or a fault, and the number of faults; ``starts`` are byte offsets."""
    codes = cells.encode("ascii", "replace")  # a byte for each character; "?" is not a value
    zero_is_value = _zero_is_value(codes, size)
    if zero_is_value is None:
        start = starts[codes.index(b"0")]
        message = f"0 can be a blank beside the values 1-{VALUES[size - 1]}, or the lowest of 0-{VALUES[size - 2]}"
        builder.fault("F610", (start, start + 1), message, "write . for a blank, or values from 1 on")
    values = codes.translate(_table(size, bool(zero_is_value)))
    n_unknown = values.count(_UNKNOWN)
    if n_unknown:
        placed = zip(cells, starts, values, strict=True)
        unknown = [Piece(cell, start) for cell, start, value in placed if value == _UNKNOWN]
        report_unknown(unknown, "F610", builder, f"1-{VALUES[size - 1]} or a blank")
        values = values.replace(bytes([_UNKNOWN]), b"\0")
    return values, n_unknown


def givens_of_characters(cells: Sequence[tuple[int, int, Piece]], size: int, builder: PuzzleBuilder) -> list[Given]:
    """The givens of cells with a character each: its row, its column and the character."""
    words = [word for _, _, word in cells]
    values, _ = values_of("".join([word.text for word in words]), [word.start for word in words], size, builder)
    placed = zip(cells, values, strict=True)
    return [Given(row, column, value, word.span) for (row, column, word), value in placed if value]


def _zero_is_value(codes: bytes, size: int) -> bool | None:
    """Whether 0 is the lowest value; None if it can be either.

    It is a blank on small boards, beside the highest value of a board from 1 on, and where it is more frequent than a
    value can be. Else it is a value if there is another sign for blanks. A board without any is full, and each value
    is there ``size`` times; if 0 is less frequent, it is a blank.
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


# ---- A puzzle to a line --------------------------------------------------------------------------------------------

_NOT_PUZZLE = ("", "\r", "\n", "#")  # the first character of a text without puzzles
_SEPARATORS = " \t:;,"
_SEPARATOR = re.compile(f"[{_SEPARATORS}]")
_HASH = re.compile(r"[0-9a-fA-F]+")
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


def _read_line(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the puzzle of a line.

        # some of our own
        ..6...15.89...4.........9..3..46......1..38..54......3...25...71..3...6...96..5..
        3..8.......17...4....9...579..1.....6.......3....4581.....1.....67...48..5....6..  7.2
        5b1f02d8c7a4 000035040002010006000000000005020080000300000687400000700001000000500701030890002 8.3
        8....4..63...5.....7...6.5...31..9.4.4.5.2.8........7..127.9....6.4...15......... # from the blank board
        2.......3.2....4:1:2143431234211234

    Between blanks, colons, commas or semicolons there may be beside the puzzle: a hash before it, which is at most half
    as long; numbers behind it, such as the number of solutions or a rating; its solution; and a remark after ``#``.
    Lines that begin with ``#`` are skipped. Most collections have one of these forms, ``.sdm`` files the first; there
    is no specification.
    """
    cells, beside = _fields(text.piece)
    if cells.text[:1] in _NOT_PUZZLE:
        builder.stop("F615", (text.start, text.start), "expected a puzzle")
    words = list(takewhile(lambda word: not word.text.startswith("#"), beside))
    solution = [word for word in words if len(word.text) == len(cells.text)][:1]
    if odd := [word for word in words if word not in solution and not _NUMBER.fullmatch(word.text)]:
        builder.fault("F606", span_of(odd), f"unexpected text '{odd[0].text}' after the puzzle")
    return read_run(cells, builder)


def _fields(line: Piece) -> tuple[Piece, list[Piece]]:
    """The puzzle, which has no characters if there is none, and the words behind it."""
    if _SEPARATOR.search(line.text) is None:
        return line, []
    words = line.words(_SEPARATORS)
    behind_hash = words[1:2] and _HASH.fullmatch(words[0].text) and len(words[1].text) >= 2 * len(words[0].text)
    cells, *beside = words[1:] if behind_hash else words or [Piece("", line.start)]
    return cells, beside


def _write_line(puzzle: Puzzle) -> str:
    """The cells, with a remark that names the kind of a board that would be read as another."""
    return text_of([written_run(puzzle) + f" # {puzzle.KIND}" * (type(puzzle) is not Sudoku)])


LINE = Codec(_read_line, _write_line, max_size=MAX_SIZE, min_size=4, is_by_line=True)

# ---- A table with a column of puzzles ------------------------------------------------------------------------------

_NAMES = ("puzzle", "puzzles", "quiz", "quizzes")
_RULE_NAMES = frozenset({"variant", "variants", "rules", "constraints"})  # of columns that say more of a puzzle
_DELIMITERS = ",;\t"
_QUOTE = '"'
_FIELD_BLANKS = " \t\r\n"


def _csv_parts(text: Text) -> Sequence[Text]:
    """The fields of the column of puzzles; without such a column all of the text."""
    header = _header(text)
    column = _column(header.text)
    return text.part(header.end, text.end).parts(_row(*column)) if column else [text]


def _read_csv(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the puzzle of a field.

        id,quizzes,solutions
        1,2.......3.2....4,2143431234211234
        2,1..24..........3,1342423131242413

    The first line names the columns, in any order: that of the puzzles is ``puzzle``, ``puzzles``, ``quiz`` or
    ``quizzes``. Columns are separated by commas, semicolons or tabs. A field may be quoted, but ends with its line. The
    data sets of a million Sudokus and more have this form; RFC 4180 is the nearest to a specification.
    """
    if text.start == text.source.start:  # the whole text, for it has no column of puzzles
        builder.stop("F615", _header(text).span, f"expected a column called {', '.join(_NAMES[:-1])} or {_NAMES[-1]}")
    field = text.piece
    stripped = field.text.strip(_FIELD_BLANKS)
    if len(stripped) > 1 and stripped[0] == stripped[-1] == _QUOTE:
        stripped = stripped[1:-1].strip(_FIELD_BLANKS)
    cells = Piece(stripped, field.offset(field.text.index(stripped)))
    if stripped.startswith(_QUOTE):
        builder.stop("F615", cells.span, "the quotation mark is not closed on its line")
    if not stripped:
        builder.stop("F615", cells.span, "expected a puzzle")
    return read_run(cells, builder)


def _header(text: Text) -> Piece:
    return next(iter(text.first_bytes().filled_lines), Piece("", text.start))


def _column(header: str) -> tuple[int, str] | None:
    """The number of the column of puzzles, from 0, and what separates the columns."""
    for delimiter in _DELIMITERS:
        try:
            (names,) = csv.reader([header], delimiter=delimiter)
        except csv.Error:  # a field that is longer than any name
            continue
        names = [name.strip(" ").lower() for name in names]
        for index, name in enumerate(names):
            if name in _NAMES and _RULE_NAMES.isdisjoint(names):  # a tab separates columns
                return index, delimiter
    return None


@lru_cache(maxsize=8)
def _row(column: int, delimiter: str) -> re.Pattern[bytes]:
    """A line that is not blank; the group is the field in this column, or the end of a line that has none."""
    end = delimiter.encode()
    field = rb'(?>"(?:[^"\r\n]|"")*+"(?=%b|\r?$)|[^%b\r\n]*+)' % (end, end)
    before = rb"(?:%b%b){%d}" % (field, end, column)
    return re.compile(rb"^(?![ \t]*+\r?$)(?:%b|[^\r\n]*+)(%b)" % (before, field), re.MULTILINE)


def _write_csv(puzzle: Puzzle) -> str:
    return text_of([_NAMES[0], written_run(puzzle)])


CSV = Codec(_read_csv, _write_csv, _csv_parts, (1, 0), max_size=MAX_SIZE, is_by_line=True)

# ---- XML of OpenSudoku ---------------------------------------------------------------------------------------------

_GAME, _DATA = "game", "data"
_ATTRIBUTE = re.compile(rb"""\s([^\s=]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")
_NOT_PLAIN = re.compile(r"^version:|\s+|&[^;\s]*;?")  # a version begins a saved game with notes


def _opensudoku_parts(text: Text) -> Sequence[Text]:
    """The tag of each game; all of the text if it has none or is malformed."""
    try:
        games = _Games(text.data).offsets
    except XmlFault:
        return [text]
    return Parts(text, zip(games[::2], games[1::2], strict=True)) or [text]


def _read_opensudoku(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the game of a tag, or report the faults of all of the text.

        <?xml version="1.0" encoding="UTF-8"?>
        <opensudoku>
          <name>Two of our own</name>
          <game data="006000150890004000000000900300460000001003800540000003000250007100300060009600500" />
          <game data="300800000001700040000900057900100000600000003000045810000010000067000480050000600" />
        </opensudoku>

    Other elements and attributes are skipped. Saved games that have been begun, with notes, are not read. There is no
    specification.
    """
    if text == Text.whole(text.source):
        try:
            games = _Games(text.data).offsets
        except XmlFault as fault:
            at = text.start + fault.token
            builder.stop("F615", (at, at), fault.message)
        if not games:
            builder.stop("F615", (text.end, text.end), f"the document has no element {_GAME}")
    attributes = {found[1]: found.span(3 if found[2] is None else 2) for found in _ATTRIBUTE.finditer(text.data)}
    if _DATA.encode() not in attributes:
        builder.stop("F615", (text.start, text.end), f"the {_GAME} has no attribute {_DATA}")
    first, last = attributes[_DATA.encode()]
    cells = Piece(text.data[first:last].decode(), text.start + first)
    odd = _NOT_PLAIN.search(cells.text)
    if odd is not None:
        place = cells.offset(odd.start()), cells.offset(odd.end())
        builder.stop("F615", place, f"expected cells, found {shortened(odd[0])!r}")
    return read_run(cells, builder, size=9)


def _write_opensudoku(sudoku: Sudoku) -> str:
    game = f'  <{_GAME} {_DATA}="{written_run(sudoku).replace(".", "0")}" />'
    head = ['<?xml version="1.0" encoding="UTF-8"?>', "<opensudoku>", f"  <name>{sudoku.title}</name>"]
    return text_of([*head, game, "</opensudoku>"])


class _Games:
    def __init__(self, data: bytes) -> None:
        self.offsets = array("q")
        parse_xml(data, self)

    def begin(self, name: str, attributes: dict[str, str], start: int, end: int) -> None:  # noqa: ARG002 - a handler
        if name == _GAME:
            self.offsets.extend((start, end))

    def finish(self, name: str, start: int, end: int) -> None:
        """Do nothing at the end of an element."""


OPENSUDOKU = Codec(_read_opensudoku, _write_opensudoku, _opensudoku_parts, (3, 1), max_size=9, is_document=True)
