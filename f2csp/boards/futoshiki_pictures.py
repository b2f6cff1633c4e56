"""Futoshikis as pictures of 2N - 1 lines: by turns the cells of a row with their signs, and the signs below it."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import compress, pairwise
from math import isqrt
from operator import ne
from string import ascii_uppercase, digits
from typing import NamedTuple

from f2csp.boards.cell_rows import usual
from f2csp.boards.futoshiki_signs import SignBoard, Spelling, futoshiki, picture_words
from f2csp.boards.pieces import BARS, Piece, Span, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, text_of
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_ACROSS: dict[str, bool | None] = {"<": True, ">": False}
_DOWN: dict[str, bool | None] = {"∧": True, "^": True, "∨": False, "v": False, "V": False}
_Words = Sequence[Sequence[Piece]]
"""The words of each line."""

_NO_SIGNS = "expected a sign between two cells, found none"
_NO_SIGNS_HINT = "a Futoshiki without signs is a Latin square; read it with --from latin"

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
            board.fault("F615", span_of(words), message, hint="write a line of - where there is no sign")
            return  # the lines that follow are out of step
        else:
            for j, word in enumerate(words[: n + 1]):
                board.take(i, j - j % 2, word)
            if beyond := [word for word in words[n + 1 :] if word.text not in board.none_words]:
                board.fault("F611", beyond[0].span, f"expected {n + 1} words below row {row}, two for each cell")
    message = f"expected {n} lines for {board.size} rows of cells, found {len(lines):,}"
    if len(lines) < n:
        board.fault("F609", (end, end), message)
    elif len(lines) > n:
        board.fault("F606", span_of(lines[n]), message)


def _take_words(board: SignBoard, i: int, words: list[Piece]) -> None:
    """Take the words of the line number ``i``, one for each place, or below a row one for each cell."""
    n, where = 2 * board.size - 1, f"{'below' if i % 2 else 'in'} row {i // 2 + 1}"
    while len(words) > n and words[-1].text in board.none_words:
        words.pop()
    message = f"expected {n} words {where}, for {board.size} cells and the places between, found {len(words)}"
    if i % 2 and len(words) == board.size > 1:
        board.take_all(i, 2, words)
    elif len(words) < n:
        hint = "write each cell and each sign as a word of its own, and the word for no sign between others"
        board.fault("F609", (words[-1].end, words[-1].end), message, label="missing here", hint=hint)
    elif len(words) > n and words[n].text in board.sign_words:
        board.fault("F611", words[n].span, f"unexpected sign after the last cell {where}")
    elif len(words) > n:
        board.fault("F609", span_of(words[n:]), message)
    else:
        board.take_all(i, 1, words)


_NONE, _LESS, _GREATER = "-<>"
_TOKENS = {_LESS: True, _GREATER: False, _NONE: None}
_BY_TURNS = "write by turns a cell and a sign, x for a blank cell and - for no sign"
_TOKEN_SPELLING = Spelling(_TOKENS, _TOKENS, hint=_BY_TURNS)
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
    (size, span), lines = builder.size_line(lines, text.end, MAX_SIZE), lines[1:]
    if len(lines) != 2 * size - 1 or not all(line.text.strip() for line in lines[::2]):
        lines = [line for line in lines if line.text.strip()]  # else a blank line is one without signs
    words = [line.words() for line in lines]
    n_rows, widths = len(words[::2]), {(len(row) + 1) // 2 for row in words[::2]}
    if n_rows != size and widths == {n_rows}:
        builder.stop("F609", span, f"expected {n_rows} for a board of {n_rows} rows of {n_rows} cells, found {size}")
    board = SignBoard(size, builder, _TOKEN_SPELLING)
    _take_lines(board, words, text.end, are_wide=True)
    return futoshiki(builder, size, board.givens, board.signs, span)


def _write_token(puzzle: Futoshiki) -> str:
    signs = (_NONE, _LESS, _GREATER)
    return text_of([str(puzzle.n_rows), *map(" ".join, picture_words(puzzle, "x", signs, signs))])


TOKEN = Codec(_read_token, _write_token)

_ONES = {"1": True, "-1": False, "0": None}
_ONES_SPELLING = Spelling(_ONES, _ONES, re.compile("[0-9]+"), lambda text: number(text) or None, "write 0 for a blank")


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
    size, span = builder.size_line(text.filled_lines, text.end, MAX_SIZE)
    lines = [line.words() for line in text.filled_lines[1:]]
    return _read_words(SignBoard(size, builder, _ONES_SPELLING), builder, lines, span, text.end)


def _read_words(board: SignBoard, builder: PuzzleBuilder, lines: _Words, span: Span, end: int) -> Puzzle:
    """Read a picture with a word for each place, and at least one sign."""
    _take_lines(board, lines, end)
    if builder.is_sound and not board.signs:
        builder.stop("F604", span, _NO_SIGNS, _NO_SIGNS_HINT)
    return futoshiki(builder, board.size, board.givens, board.signs, span)


MATRIX = Codec(_read_matrix)

_FIELD = re.compile(r"(?:^|(?<=[,|]))[^,|]*+")
_SIZE_FIELD = re.compile(r"(?:size[ \t]*+=)?+[ \t]*+([0-9]++)", re.IGNORECASE)
_SPACED: dict[str, bool | None] = {"": None, " ": None, "-": None, "#": None}
_FIELD_SPELLING = Spelling(
    _ACROSS | _SPACED,
    _ACROSS | _DOWN | _SPACED,
    re.compile("[0-9]+|[ ._]?"),
    lambda text: number(text) or None,
    "write a number, or nothing for a blank",
)


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
        lines.append([field.trimmed for field in inner.matches(_FIELD)])
    size = (usual(map(len, lines)) + 1) // 2
    span = span_of(lines[0]) if lines else (text.end, text.end)
    if size < 2:
        builder.stop("F609", span, "expected cells and the signs between with commas between them")
    if declared := _SIZE_FIELD.fullmatch(lines[0][0].text) if len(lines[0]) == 1 else None:
        lines = lines[1:]
        if number(declared[1]) != size:
            builder.fault("F609", span, f"expected {size} as the size of the board, found {declared[1]}")
    builder.check_size(span, MAX_SIZE, size)
    return _read_words(SignBoard(size, builder, _FIELD_SPELLING), builder, lines, span, text.end)


CSV = Codec(_read_csv)

_CHARACTER = re.compile(".")


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
    padded = [Piece(line.text.ljust(2 * size - 1), line.start).matches(_CHARACTER) for line in lines]
    return _read_words(SignBoard(size, builder, _FIELD_SPELLING), builder, padded, span, text.end)


CHARACTERS = Codec(_read_characters)

# ---- Cells some characters apart -----------------------------------------------------------------------------------

_WORD = re.compile(r"[^ ]+")
_CELL = re.compile(r"[0-9]+|\.")
_CELL_HINT = "write a number, or 0 or . for a blank"
_SPELLING = Spelling(_ACROSS, _DOWN, _CELL, lambda text: number(text) or None, _CELL_HINT)
_SIGN_OFFSET = range(2, 3)  # characters right of the last one of a cell


class _Layout(NamedTuple):
    """Where the words of a picture are."""

    spelling: Spelling
    word: re.Pattern[str]
    size: int  # the number of cells of a row
    anchor: int  # the index of the last character of each row's first cell
    distance: int  # the number of characters from one cell to the next
    gap: range  # where a sign can be: the number of characters right of the last one of a cell
    slack: int = 0  # the number of characters by which a sign below a cell can be beside it

    def is_row(self, line: Piece) -> bool:
        """Whether a line was meant to be a row, and not one with signs between rows."""
        if self.spelling.cell.search(line.text):
            return True
        return len(self.word.findall(line.text)) > 1 and self.spelling.down.keys().isdisjoint(line.text)

    def take(self, board: SignBoard, i: int, line: Piece) -> None:
        """Take a line of the picture, whose number is ``i``; a line above the first row is -1."""
        n_cells, is_row = 0, i % 2 == 0
        slack = 0 if is_row else self.slack
        words = line.matches(self.word)
        if not is_row and len(words) == self.size and any(word.text in board.none_words for word in words):
            board.take_all(i, 2, words)  # they are in order, and perhaps not below the cells
            return
        for match, word in zip(self.word.finditer(line.text), words, strict=True):
            column, offset = divmod(match.end() - 1 - self.anchor + slack, self.distance)
            is_at_cell = offset <= 2 * slack and not (is_row and word.text in board.sign_words)
            can_be_sign = len(word.text) == 1 and not self.spelling.cell.fullmatch(word.text)
            is_at_sign = offset - slack in self.gap and (can_be_sign if is_row else word.text in board.none_words)
            if not (0 <= column < board.size and (is_at_cell or is_at_sign)):
                where = "signs in the middle between two cells of a row and below the last character of a cell"
                hint = f"cells are {self.distance} characters apart, with {where}; use blanks, no tabs"
                board.refuse(word, "a blank", hint, otherwise="F615")
                return  # the rest of the line has most likely moved with it
            n_cells += is_at_cell
            board.take(i, 2 * column + (not is_at_cell), word)
        if is_row and n_cells < board.size:
            message = f"expected {board.size} cells in row {i // 2 + 1}, found {n_cells}"
            board.fault("F609", line.span, message, hint=self.spelling.hint)

    def read(
        self, builder: PuzzleBuilder, lines: Sequence[Piece], end: int | None = None
    ) -> tuple[SignBoard, Sequence[Piece]]:
        """The picture at the beginning of these lines, and the lines from its surplus row on."""
        board, n, n_rows = SignBoard(self.size, builder, self.spelling), self.size, 0
        for at, line in enumerate(lines):
            is_row = self.is_row(line)
            if is_row and n_rows == n:
                return board, lines[at:]
            n_rows += is_row
            self.take(board, 2 * n_rows - 1 - is_row, line)
        if n_rows < n:
            end = lines[-1].end if end is None else end
            board.fault("F609", (end, end), f"expected {n} rows of {n} cells, found {n_rows}")
        return board, ()


def _read_picture(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a picture as people print it, and as ``f2csp board`` draws it.

        0 < .   .   4
            ∧
        .   .   . > .
        v
        .   .   2   .

        .   .   .   .

    A cell is a number, or ``0`` or ``.`` for a blank. The cells of a row are 4 characters apart, with the sign in the
    middle between them, and a sign between two rows is below the cell: ``∧`` or ``^`` if the upper cell is smaller,
    ``v`` (in any of its shapes) if it is greater. Where numbers can have two digits, all cells are 5 characters apart,
    numbers of one digit end where those of two digits do, and signs are below the last digit. Lines without signs may
    be left out, and the whole may be indented.
    """
    rows = [line for line in text.filled_lines if _CELL.search(line.text)]
    if not rows:
        builder.stop("F609", (text.end, text.end), "the picture has no cells")
    size = usual(len(_CELL.findall(row.text)) for row in rows)
    builder.check_size(rows[0].span, MAX_SIZE, size)
    layout = _Layout(_SPELLING, _WORD, size, _anchor(rows, _WORD), len(str(size)) + 3, _SIGN_OFFSET)
    board, rest = layout.read(builder, text.filled_lines, text.end)
    if rest:
        builder.fault("F609", rest[0].span, f"expected {size} rows of {size} cells, found one more")
    return futoshiki(builder, size, board.givens, board.signs, rows[0].span)


def _anchor(rows: Sequence[Piece], word: re.Pattern[str]) -> int:
    """Where the first word of most rows ends; each must have one."""
    return usual(next(word.finditer(row.text)).end() - 1 for row in rows)


def _write_picture(puzzle: Futoshiki) -> str:
    width = len(str(puzzle.n_rows))
    lines = picture_words(puzzle, ".", " <>", " ∧∨")
    padded = [[word.rjust(width) if j % 2 == 0 else word for j, word in enumerate(line)] for line in lines]
    return text_of([" ".join(line).rstrip() for line in padded])


PICTURE = Codec(_read_picture, _write_picture)

_DRAWN_WORD = re.compile(f"[0-9]+|[^ {BARS}]")
_DRAWN_DOWN: dict[str, bool | None] = {**_DOWN, "Λ": True, "˄": True, "˅": False}
_BLANKS = "._*?□xX0"  # the most frequent one in rows is the blank cell, or - if none of them is
_SIGN = re.compile(r"[<>^∧∨Λ˄˅]|(?<!\w)[vV](?!\w)")
_FRAME = re.compile(f"[ \t]*+(?:[{BARS}+=~*-]{{3}}[ {BARS}+=~*-]*+|[\"'`-]{{2,3}}[ \t]*+)")
_QUOTE = re.compile(r"[ \t]*+>[ ]?")  # of a mail, for no row begins with a sign
_BOXED = re.compile(r"\[([ 0-9._])\]")
_REMARK = re.compile(r"[^\W\d_xXvV][^\W\d_]")  # in a line of words
_SIZES = re.compile(r"[ \t]*+([0-9]++)(?:[ \t]*+[xX×][ \t]*+([0-9]++))?+[ \t]*+")
_MIN_SLACK_DISTANCE = 4  # from which on a sign beside the place below a cell is near no other cell


def _read_drawn(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a picture with its cells at any distance, perhaps below a size or remarks, and in a frame.

        Puzzle 7, 3x3
        +---------------+
        | _  <  _     2 |
        |       ^       |
        | _     _     _ |
        | _  >  _  -  _ |
        +---------------+

    A blank cell is one of ``. _ * ? x 0``, or ``-`` where none of them is used; else ``-`` is no sign. The cells
    of a column end below each other, and signs between two rows are below the cell. A second picture may follow if it
    is the solution.
    """
    blocks = _blocks(text, builder)
    declared = _SIZES.fullmatch(blocks[0][0].text) if blocks else None
    if declared:
        blocks = [block for block in (blocks[0][1:], *blocks[1:]) if block]
    lines = [line for block in blocks for line in block]
    first = lines[0].text.split() if lines else []
    has_ruler = first in ([str(column) for column in range(start, len(first) + start)] for start in (0, 1))
    words = Counter(word for line in lines for word in _DRAWN_WORD.findall(line.text))
    in_rows = Counter(word for line in lines[has_ruler::2] for word in _DRAWN_WORD.findall(line.text))
    blanks = [blank for blank in _BLANKS if in_rows[blank]] or [blank for blank in _BLANKS if words[blank]]
    blank = max(blanks, key=in_rows.__getitem__, default="-")
    none: dict[str, bool | None] = {sign: None for sign in "-." if sign != blank}
    cell = re.compile(f"[0-9]+|{re.escape(blank)}")
    rows = [line for line in lines if cell.search(line.text)]
    span = rows[0].span if rows else (text.end, text.end)
    if words.keys().isdisjoint(_ACROSS.keys() | _DRAWN_DOWN.keys()) and b"futoshiki" not in text.data.lower():
        builder.stop("F604", span, _NO_SIGNS, _NO_SIGNS_HINT)
    ends = [[match.end() for match in cell.finditer(row.text)] for row in rows]
    size = usual(map(len, ends))
    if size < 2:
        builder.stop("F609", span, "expected rows of cells with signs between")
    builder.check_size(span, MAX_SIZE, size)
    if declared and {size} != {number(word) for word in declared.groups() if word}:
        builder.fault("F609", span, f"expected rows of {declared[0].strip()} cells, found rows of {size}")
    if has_ruler and len(rows) % size == 1:
        del blocks[0][0]
    distance = usual(right - left for row in ends if len(row) == size for left, right in pairwise(row))
    spelling = Spelling(
        _ACROSS | none,
        _DRAWN_DOWN | none,
        cell,
        lambda text: None if text == blank else number(text),
        f"write a number, or {blank} for a blank",
    )
    slack = int(distance >= _MIN_SLACK_DISTANCE)
    layout = _Layout(spelling, _DRAWN_WORD, size, _anchor(rows, _DRAWN_WORD), distance, range(1, distance), slack)
    board, rest = layout.read(builder, blocks[0])
    puzzle = futoshiki(builder, size, board.givens, board.signs, span)
    for block in filter(None, (rest, *blocks[1:])):
        other, more = layout.read(builder, block)
        solution = futoshiki(builder, size, other.givens, other.signs, block[0].span)
        is_full = len(solution.clues) == size**2 and {*solution.clues} >= {*puzzle.clues}
        if more or not is_full or {sign for sign, _ in other.signs} != {sign for sign, _ in board.signs}:
            message = "expected one picture, and perhaps its solution, found another picture"
            builder.stop("F606", block[0].span, message, "write one puzzle to a file")
    return puzzle


def _blocks(text: Text, builder: PuzzleBuilder) -> list[list[Piece]]:
    """The lines of pictures, of which lines with a word are between two; a sign beside a word is a fault."""
    blocks: list[list[Piece]] = [[]]
    for filled in text.filled_lines:
        quote = _QUOTE.match(filled.text)
        line = filled.part(quote.end(), len(filled.text)) if quote else filled
        line = line._replace(text=_BOXED.sub(lambda box: f" {box[1].strip() or '.'} ", line.text))
        if line.stripped.startswith("#") or _FRAME.fullmatch(line.text):
            continue
        if _REMARK.search(line.text) is None:
            blocks[-1].append(line)
            continue
        blocks.append([])
        if _SIGN.search(line.text):
            hint = "write # before a remark, and nothing beside the picture"
            builder.fault("F606", line.span, "unexpected text beside signs", hint=hint)
    return [block for block in blocks if block]


DRAWN = Codec(_read_drawn)

# ---- A character for each place, all on a line -----------------------------------------------------------------------

_VALUES = digits + ascii_uppercase
_ORG_SPELLING = Spelling(
    {"(": True, ")": False, "_": None},
    {"^": True, "v": False, "_": None},
    re.compile("[.0-9A-Z]"),
    {value: number for number, value in enumerate(_VALUES)}.get,
    "write its value, or . for a blank",
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
        builder.stop("F609", (text.end, text.end), "expected a puzzle", "write one to a line")
    puzzle = found[0]
    if len(found) > 1:
        hint = "write one puzzle to a line, without blanks"
        builder.fault("F606", span_of(found[1:]), "unexpected text after the puzzle", hint=hint)
    side = _side(len(puzzle.text))
    if not side:
        expected = "expected (2N - 1)^2 characters for a size N, or twice as many with a solution"
        builder.stop("F609", puzzle.span, f"{expected}, found {len(puzzle.text):,}")
    size = (side + 1) // 2
    builder.check_size(puzzle.span, MAX_SIZE, size)
    board = SignBoard(size, builder, _ORG_SPELLING)
    row, between = "._" * (size - 1) + ".", "_" * side
    blank = (row + between) * (size - 1) + row
    starts = puzzle.starts()
    for i in compress(range(len(blank)), map(ne, puzzle.text, blank)):
        board.take(*divmod(i, side), Piece(puzzle.text[i], starts[i]))
    return futoshiki(builder, size, board.givens, board.signs, puzzle.span)


def _side(n_characters: int) -> int:
    """The length of the picture's lines; 0 if no puzzle, with solution or without, has this number of characters."""
    sides = (isqrt(n_characters), isqrt(n_characters // 2))
    return next((side for side in sides if side % 2 and n_characters in (side**2, 2 * side**2)), 0)


def _write_org(puzzle: Futoshiki) -> str:
    lines = picture_words(puzzle, ".", "_()", "_^v")
    given = {str(value): _VALUES[value] for value in puzzle.values}
    return text_of(["".join([given.get(word, word) for line in lines for word in line])])


ORG = Codec(_read_org, _write_org, lambda text: text.parts(_LINE), max_size=len(_VALUES) - 1, is_by_line=True)
