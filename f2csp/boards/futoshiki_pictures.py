"""Futoshikis with a word for each cell and each place between: pictures of 2N - 1 lines, and tables."""

import re
from collections.abc import Sequence
from itertools import compress
from math import isqrt
from operator import ne
from string import ascii_uppercase, digits

from f2csp.boards.cell_rows import Row, Rows, Symbols, rows_of, usual
from f2csp.boards.futoshiki_boards import ACROSS, DOWN, SignBoard, Spelling, picture_words
from f2csp.boards.pieces import Piece, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, text_of
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_Words = Sequence[Sequence[Piece]]
"""The words of each line."""

# ---- Words by turns ------------------------------------------------------------------------------------------------


def _take_lines(board: SignBoard, lines: _Words, end: int, *, are_wide: bool = False) -> None:
    """Take the words of all lines of a picture; where they are wide, two words below a row belong to a cell."""
    n, signs = 2 * board.size - 1, board.none_words | board.sign_words
    for i, words in enumerate(lines[:n]):
        row = i // 2 + 1
        if i % 2 == 0 or not are_wide:
            _take_words(board, i, [*words])
        elif len(words) % 2 and 2 * sum(word.text not in signs for word in words[::2]) > len(words) // 2 + 1:
            message = f"expected the signs between rows {row} and {row + 1}, found a row of cells"
            board.builder.fault("F615", span_of(words), message)
            return  # the lines that follow are out of step
        else:
            for j, word in enumerate(words[: n + 1]):
                board.take(i, j - j % 2, word)
            if beyond := [word for word in words[n + 1 :] if word.text not in board.none_words]:
                board.builder.fault("F611", beyond[0].span, f"expected {n + 1} words below row {row}, two a cell")
    if (n_found := len(lines)) != n:
        code, place = ("F609", (end, end)) if n_found < n else ("F606", span_of(lines[n]))
        board.builder.fault(code, place, f"expected {n} lines for {board.size} rows of cells, found {n_found:,}")


def _take_words(board: SignBoard, i: int, words: list[Piece]) -> None:
    """Take the words of the line number ``i``, one for each place, or below a row one for each cell."""
    n, where = 2 * board.size - 1, f"{'below' if i % 2 else 'in'} row {i // 2 + 1}"
    while len(words) > n and words[-1].text in board.none_words:
        words.pop()
    if len(words) == n or (i % 2 and len(words) == board.size):
        board.take_all(i, 1 if len(words) == n else 2, words)
    elif len(words) > n and words[n].text in board.sign_words:
        board.builder.fault("F611", words[n].span, f"unexpected sign after the last cell {where}")
    else:
        place = span_of(words[n:]) if len(words) > n else (words[-1].end, words[-1].end)
        message = f"expected {n} words {where}, for {board.size} cells and the places between, found {len(words)}"
        board.builder.fault("F609", place, message)


_TOKENS = {"<": True, ">": False, "-": None}
_TOKEN_SPELLING = Spelling(_TOKENS, _TOKENS, re.compile("(?![<>]$).*"), number)
_TOKEN_LINE = re.compile(r"(?:^|(?<=\\n))(?:(?!\\n).)*+")  # up to a backslash and an n, or the end


def _read_token(text: Text, builder: PuzzleBuilder) -> Puzzle:
    r"""Read the size, and a picture of words.

        4
        x00 - x01 < x02 - x03
        > - - - - - -
        x10 - x11 - x12 - x13
        - - - - - <
        4 - x21 - x22 - 2
        - - - - -
        x30 - x31 > x32 - x33

    This is how programs write a Futoshiki that hold it as an array of 2N - 1 by 2N - 1 strings. A cell is a number, or
    anything else for a blank. Of the signs below a row, token j (from 0) belongs to column j // 2: ``<`` if the upper
    cell is smaller, ``>`` if it is greater; ``-`` is no sign. These lines are often too short or too long, which is no
    fault. The whole may also be on one line, with a backslash and an n in place of each line end.
    """
    lines = [part for line in text.lines for part in line.matches(_TOKEN_LINE)]
    filled = [i for i, line in enumerate(lines) if line.text.strip()]
    lines = lines[filled[0] : filled[-1] + 1] if filled else []
    (size, _, span), lines = builder.shape(lines, text.end, MAX_SIZE), lines[1:]
    if len(lines) != 2 * size - 1 or not all(line.text.strip() for line in lines[::2]):
        lines = [line for line in lines if line.text.strip()]  # else a blank line is one without signs
    words = [line.words() for line in lines]
    n_rows, widths = len(words[::2]), {(len(row) + 1) // 2 for row in words[::2]}
    if n_rows != size and widths == {n_rows}:
        builder.stop("F609", span, f"expected {n_rows} for a board of {n_rows} rows of {n_rows} cells, found {size}")
    board = SignBoard(size, builder, _TOKEN_SPELLING)
    _take_lines(board, words, text.end, are_wide=True)
    return board.puzzle(span)


TOKEN = Codec(
    _read_token, lambda board: text_of([str(board.size), *map(" ".join, picture_words(board, "x", "-<>", "-<>"))])
)

_ONES = {"1": True, "-1": False, "0": None}
_ONES_SPELLING = Spelling(_ONES, _ONES)


def _read_matrix(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the size, and a picture of numbers.

        3
        0 1 0 0 0
        0 0 0 0 -1
        0 0 2 0 0
        0 0 0 0 0
        3 0 0 -1 0

    Between cells, 1 means that the left or upper one is smaller, -1 that it is greater, and 0 that there is no sign. A
    blank cell is 0, too. This is a form that exercises have.
    """
    size, _, span = builder.shape(text.filled_lines, text.end, MAX_SIZE)
    board = SignBoard(size, builder, _ONES_SPELLING)
    _take_lines(board, [line.words() for line in text.filled_lines[1:]], text.end)
    return board.puzzle(span, needs_signs=True)


MATRIX = Codec(_read_matrix)

_SIZE_FIELD = re.compile(r"(?:size[ \t]*+=)?+[ \t]*+([0-9]++)", re.IGNORECASE)
_SPACED: dict[str, bool | None] = {"": None, " ": None, "-": None, "#": None}
_FIELD_SPELLING = Spelling(ACROSS | _SPACED, ACROSS | DOWN | _SPACED, re.compile("[0-9]+|[ ._]?"))


def _read_csv(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a picture with commas between its places.

        1, ,2,<, , ,3
         , ,<, , , ,<
         , , , , , ,
         , , , , , ,>
         , ,4, , , ,
         , ,>, , , ,<
         , , , ,3,>,

    A place without anything is a blank cell, or no sign; 0, a dot or an underline is a blank cell, too, and ``-`` or
    ``#`` no sign. Below a row, ``<`` or an arrow up means that the upper cell is smaller, ``>`` or an arrow down that
    it is greater; there can be a place for each column only. Commas can be bars, with one at both ends of the line, and
    the size can be the first line.
    """
    lines = []
    for line in [line.trimmed for line in text.filled_lines]:
        is_framed = line.text.startswith("|") and line.text.endswith("|")
        inner = line.part(1, len(line.text) - 1) if is_framed else line
        lines.append([field.trimmed for field in inner.fields(",|")])
    size = (usual(map(len, lines)) + 1) // 2
    span = span_of(lines[0]) if lines else (text.end, text.end)
    if size < 2:
        builder.stop("F609", span, "expected cells and the signs between with commas between them")
    if declared := _SIZE_FIELD.fullmatch(lines[0][0].text) if len(lines[0]) == 1 else None:
        lines = lines[1:]
        if number(declared[1]) != size:
            builder.fault("F609", span, f"expected {size} as the size of the board, found {declared[1]}")
    builder.check_size(span, MAX_SIZE, size)
    board = SignBoard(size, builder, _FIELD_SPELLING)
    _take_lines(board, lines, text.end)
    return board.puzzle(span, needs_signs=True)


CSV = Codec(_read_csv)


def _read_characters(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a picture with a character for each place.

         >   <
        ^   v
          3  <
            ^
            1

         <

    A space is a blank cell, or no sign, and lines can be blank or end with their last sign.
    """
    lines = text.lines if text.lines[-1].text else text.lines[:-1]
    if len(lines) % 2 == 0 or len(lines) < 3:
        builder.stop("F609", (text.end, text.end), f"expected an odd number of lines, found {len(lines):,}")
    size, span = (len(lines) + 1) // 2, lines[0].span
    builder.check_size(span, MAX_SIZE, size)
    board = SignBoard(size, builder, _FIELD_SPELLING)
    padded = [Piece(line.text.ljust(2 * size - 1), line.start).characters() for line in lines]
    _take_lines(board, padded, text.end)
    return board.puzzle(span, needs_signs=True)


CHARACTERS = Codec(_read_characters)

# ---- A character for each place, all on a line -----------------------------------------------------------------------

_VALUES = digits + ascii_uppercase
_ORG_SPELLING = Spelling(
    {"(": True, ")": False, "_": None},
    {"^": True, "v": False, "_": None},
    re.compile("[.0-9A-Z]"),
    {value: number for number, value in enumerate(_VALUES)}.get,
)
_LINE = re.compile(rb"^[ \t]*([^ \t\r\n][^\r\n]*)", re.MULTILINE)


def _read_org(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a puzzle as on futoshiki.org, a character for each cell and for each place between two cells.

        .(._.__^__3_._._____._.).

    is the picture ``.(._.``, ``__^__``, ``3_._.``, ``_____``, ``._.).``, its lines end to end. ``.`` is a blank cell,
    ``_`` no sign; ``(`` is <, ``)`` is >, ``^`` means that the upper cell is smaller and ``v`` that it is greater. As
    many characters of solution may follow, which are skipped. The site has sizes 4 to 9; beyond, ``A`` is 10 and so on.
    """
    found = [word for line in text.filled_lines for word in line.words()]
    if not found:
        builder.stop("F609", (text.end, text.end), "expected a puzzle")
    puzzle = found[0]
    if len(found) > 1:
        builder.fault("F606", span_of(found[1:]), "unexpected text after the puzzle")
    n = len(puzzle.text)
    side = next((side for side in (isqrt(n), isqrt(n // 2)) if side % 2 and n in (side**2, 2 * side**2)), 0)
    if not side:
        expected = "expected (2N - 1)^2 characters for a size N, or twice as many with a solution"
        builder.stop("F609", puzzle.span, f"{expected}, found {n:,}")
    size = (side + 1) // 2
    builder.check_size(puzzle.span, MAX_SIZE, size)
    board = SignBoard(size, builder, _ORG_SPELLING)
    row, between = "._" * (size - 1) + ".", "_" * side
    blank = (row + between) * (size - 1) + row
    starts = puzzle.starts()
    for i in compress(range(len(blank)), map(ne, puzzle.text, blank)):
        board.take(*divmod(i, side), Piece(puzzle.text[i], starts[i]))
    return board.puzzle(puzzle.span)


def _write_org(puzzle: Futoshiki) -> str:
    lines = picture_words(puzzle, ".", "_()", "_^v")
    given = {str(value): _VALUES[value] for value in puzzle.values}
    return text_of(["".join([given.get(word, word) for line in lines for word in line])])


ORG = Codec(_read_org, _write_org, lambda text: text.parts(_LINE), max_size=len(_VALUES) - 1, is_by_line=True)

# ---- Three tables --------------------------------------------------------------------------------------------------

_TABLE_CELLS = Symbols({"0"})
_SEPARATORS = " \t,"
_HEADINGS = {"hor": "# Horizontal constraints", "ver": "# Vertical constraints"}
_HEADING = re.compile(r"[ \t]*+#[# \t]*+(hor|ver)", re.IGNORECASE)
_GAP = re.compile(r"(?:^|,)[ \t]*+(?=,)")  # where a number is missing


def _read_tables(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the size, the cells, the signs within rows and the signs between rows.

        3
        0, 0, 3
        0, 0, 0
        0, 0, 0
        # Horizontal constraints
        1, 0
        0, 0
        0, -1
        # Vertical constraints
        0, 0, 0
        -1, 0, 1

    0 is a blank cell. In the tables of signs 1 means that the left or upper cell is smaller, -1 that it is greater, 0
    that there is no sign. They may have surplus rows and columns of 0. Other lines with ``#`` are comments; without the
    two headings the tables follow each other. This is a form that exercises have.
    """
    lines = [line for line in text.filled_lines if not line.trimmed.text.startswith("#") or _HEADING.match(line.text)]
    shape = builder.shape(lines, text.end, MAX_SIZE)
    size = shape.n_rows
    tables = _tables(lines[1:], size, text.end, builder)
    cells = tables.pop("")
    row_list = [Row(_table_words(line, builder), line.span) for line in cells[:size]]
    row_list += rows_of(cells[size:], _SEPARATORS)
    rows = Rows(shape, row_list, cells[-1].span[1] if cells else shape.span[1])
    board = SignBoard(size, builder, _ONES_SPELLING)
    board.givens = _TABLE_CELLS.givens(rows.cells(builder), builder)
    for name, table in tables.items():
        _take_signs(board, table, text.end, is_across=name == "hor")
    return board.puzzle(shape.span)


def _tables(lines: Sequence[Piece], n: int, end: int, builder: PuzzleBuilder) -> dict[str, list[Piece]]:
    """The lines of each table, by the names of the headings; the cells come before any heading."""
    tables: dict[str, list[Piece]] = {"": []}
    name = ""
    for line in lines:
        if match := _HEADING.match(line.text):
            if match[1].lower() != name and tables.get(match[1].lower()):
                builder.fault("F615", line.span, f"the heading '{line.trimmed.text}' is repeated")
            name = match[1].lower()
            tables.setdefault(name, [])
        else:
            tables[name].append(line)
    if len(tables) == 1:
        return {"": [*lines[:n]], "hor": [*lines[n : 2 * n]], "ver": [*lines[2 * n :]]}
    for missing in [heading for heading in _HEADINGS if heading not in tables]:
        builder.fault("F615", (end, end), f"the file ends before the heading '{_HEADINGS[missing]}'")
    return tables


def _take_signs(board: SignBoard, lines: Sequence[Piece], end: int, *, is_across: bool) -> None:
    """Take the signs of a table; a missing table would be at ``end``."""
    size, fault = board.size, board.builder.fault
    n_rows, n_columns = (size, size - 1) if is_across else (size - 1, size)
    for row, line in enumerate(lines, 1):
        found = _table_words(line, board.builder)
        if row <= n_rows and len(found) < n_columns:
            place = (line.span[1], line.span[1])
            fault("F609", place, f"expected {n_columns} numbers in row {row} of the table, found {len(found)}")
        for column, word in enumerate(found, 1):
            board.take(2 * row - 1 - is_across, 2 * column - 2 + is_across, word)
    if n_columns and len(lines) < n_rows:
        end = lines[-1].span[1] if lines else end
        which = "within rows" if is_across else "between rows"
        fault("F609", (end, end), f"expected {n_rows} rows in the table of the signs {which}, found {len(lines)}")


def _table_words(line: Piece, builder: PuzzleBuilder) -> list[Piece]:
    """The numbers of a line; a missing one is a fault."""
    for gap in line.matches(_GAP):
        builder.fault("F609", span_of([gap]), "expected a number before the comma")
    return line.words(_SEPARATORS)


def _write_tables(board: Futoshiki) -> str:
    words = picture_words(board, "0", ("0", "1", "-1"), ("0", "1", "-1"))
    cells, below = ([", ".join(row[::2]) for row in words[start::2]] for start in (0, 1))
    right = [", ".join(row[1::2]) for row in words[::2] if len(row) > 1]
    return text_of([str(board.size), *cells, _HEADINGS["hor"], *right, _HEADINGS["ver"], *below])


TABLES = Codec(_read_tables, _write_tables)
