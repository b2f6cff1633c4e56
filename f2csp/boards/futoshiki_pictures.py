"""Futoshikis as pictures of 2N - 1 lines: by turns the cells of a row with their signs, and the signs below it."""

import re
from collections.abc import Iterator, Sequence
from itertools import compress
from math import isqrt
from operator import ne
from string import ascii_uppercase, digits
from typing import NamedTuple

from f2csp.boards.cell_rows import usual
from f2csp.boards.futoshiki_signs import SignBoard, Spelling, Words, futoshiki, picture_words
from f2csp.boards.pieces import Piece, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, text_of
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE

# ---- Tokens --------------------------------------------------------------------------------------------------------

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
    lines = _token_lines(text)
    filled = [i for i, line in enumerate(lines) if line.text.strip()]
    lines = lines[filled[0] : filled[-1] + 1] if filled else []
    (size, span), lines = builder.size_line(lines, text.end, MAX_SIZE), lines[1:]
    if len(lines) != 2 * size - 1 or not all(line.text.strip() for line in lines[::2]):
        lines = [line for line in lines if line.text.strip()]  # else a blank line is one without signs
    n_rows, widths = len(lines[::2]), {(len(line.text.split()) + 1) // 2 for line in lines[::2]}
    if n_rows != size and widths == {n_rows}:
        builder.stop("F609", span, f"expected {n_rows} for a board of {n_rows} rows of {n_rows} cells, found {size}")
    board = SignBoard(size, builder, _TOKEN_SPELLING)
    _take_token_lines(board, lines, text.end)
    return futoshiki(builder, size, board.givens, board.signs, span)


def _token_lines(text: Text) -> list[Piece]:
    return [part for line in text.lines for part in line.matches(_TOKEN_LINE)]


def _take_token_lines(board: SignBoard, lines: Sequence[Piece], end: int) -> None:
    n = 2 * board.size - 1
    for i, line in enumerate(lines[:n]):
        tokens, row = line.words(), i // 2 + 1
        if i % 2 == 0:
            _take_token_row(board, i, tokens)
        elif len(tokens) % 2 and 2 * sum(token.text not in _TOKENS for token in tokens[::2]) > len(tokens) // 2 + 1:
            message = f"expected the signs between rows {row} and {row + 1}, found a row of cells"
            board.fault("F615", line.span, message, hint="write a line of - where there is no sign")
            return  # the lines that follow are out of step
        else:
            for j, token in enumerate(tokens[: n + 1]):
                board.take(i, j - j % 2, token)
            if beyond := [token for token in tokens[n + 1 :] if token.text != _NONE]:
                board.fault("F611", beyond[0].span, f"expected {n + 1} words below row {row}, two for each cell")
    message = f"expected {n} lines after the size, found {len(lines):,}"
    if len(lines) < n:
        board.fault("F609", (end, end), message)
    elif len(lines) > n:
        board.fault("F606", lines[n].span, message)


def _take_token_row(board: SignBoard, i: int, tokens: list[Piece]) -> None:
    n, row = 2 * board.size - 1, i // 2 + 1
    while len(tokens) > n and tokens[-1].text == _NONE:
        tokens.pop()
    message = f"expected {n} words in row {row}, {board.size} cells with signs between, found {len(tokens)}"
    if len(tokens) < n:
        hint = "write each cell and each sign as a word of its own, - for no sign"
        board.fault("F609", (tokens[-1].end, tokens[-1].end), message, label="missing here", hint=hint)
    elif len(tokens) > n and board.is_sign(tokens[n].text):
        board.fault("F611", tokens[n].span, f"unexpected sign after the last cell of row {row}")
    elif len(tokens) > n:
        board.fault("F609", span_of(tokens[n:]), message)
    else:
        for j, token in enumerate(tokens):
            board.take(i, j, token)


def _write_token(puzzle: Futoshiki) -> str:
    signs = (_NONE, _LESS, _GREATER)
    return text_of([str(puzzle.n_rows), *map(" ".join, picture_words(puzzle, "x", signs, signs))])


TOKEN = Codec(_read_token, _write_token)

# ---- Cells some characters apart -----------------------------------------------------------------------------------

_ACROSS: Words = {"<": True, ">": False}
_DOWN: Words = {"∧": True, "^": True, "∨": False, "v": False, "V": False}
_SIGN_OFFSET = 2  # characters right of the last one of a cell
_WORD = re.compile(r"[^ ]+")
_CELL = re.compile(r"[0-9]+|\.")
_CELL_HINT = "write a number, or 0 or . for a blank"
_SPELLING = Spelling(_ACROSS, _DOWN, _CELL, lambda text: number(text) or None, _CELL_HINT)


class _Layout(NamedTuple):
    size: int  # the number of cells of a row
    anchor: int  # the index of the last character of each row's first cell
    distance: int  # the number of characters from one cell to the next

    @classmethod
    def of(cls, rows: Sequence[Piece]) -> "_Layout":
        """The layout of most rows; each must have a cell."""
        size = usual(len(_CELL.findall(row.text)) for row in rows)
        return cls(size, usual(next(_WORD.finditer(row.text)).end() - 1 for row in rows), len(str(size)) + 3)

    def fits(self, line: Piece) -> bool:
        """Whether all words of a line are in their places."""
        is_row = _is_row(line)
        signs, sign_offset = (_ACROSS, _SIGN_OFFSET) if is_row else (_DOWN, 0)
        return all(
            _CELL.fullmatch(word.text) if is_row and not offset else offset == sign_offset and word.text in signs
            for word, _, offset in self.place(line)
        )

    def place(self, line: Piece) -> Iterator[tuple[Piece, int, int]]:
        """The words of a line, for each the column where it ends, from 0, and the characters right of the cell."""
        for match, piece in zip(_WORD.finditer(line.text), line.matches(_WORD), strict=True):
            yield piece, *divmod(match.end() - 1 - self.anchor, self.distance)


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
    layout = _Layout.of(rows)
    builder.check_size(rows[0].span, MAX_SIZE, layout.size)
    board, n, n_rows = SignBoard(layout.size, builder, _SPELLING), layout.size, 0
    for line in text.filled_lines:
        n_rows += _is_row(line)
        if n_rows > n:
            board.fault("F609", line.span, f"expected {n} rows of {n} cells, found one more")
            break
        _take_line(board, layout, 2 * n_rows - 1 - _is_row(line), line)
    if n_rows < n:
        board.fault("F609", (text.end, text.end), f"expected {n} rows of {n} cells, found {n_rows}")
    return futoshiki(builder, n, board.givens, board.signs, rows[0].span)


def _is_row(line: Piece) -> bool:
    """Whether a line was meant to be a row, and not one with signs between rows."""
    return _CELL.search(line.text) is not None or (len(line.text.split()) > 1 and _DOWN.keys().isdisjoint(line.text))


def _take_line(board: SignBoard, layout: _Layout, i: int, line: Piece) -> None:
    """Take a line of the picture, whose number is ``i``; a line above the first row is -1."""
    n_cells, is_row = 0, i % 2 == 0
    for word, column, offset in layout.place(line):
        is_at_cell = not offset and not (is_row and board.is_sign(word.text))
        is_at_sign = is_row and offset == _SIGN_OFFSET and len(word.text) == 1 and not _CELL.fullmatch(word.text)
        if not (0 <= column < board.size and (is_at_cell or is_at_sign)):
            places = "signs in the middle between two cells of a row and below the last character of a cell"
            hint = f"cells are {layout.distance} characters apart, with {places}; use blanks, no tabs"
            board.refuse(word, "a blank", hint, otherwise="F615")
            return  # the rest of the line has most likely moved with it
        n_cells += is_at_cell
        board.take(i, 2 * column + is_at_sign, word)
    if is_row and n_cells < board.size:
        message = f"expected {board.size} cells in row {i // 2 + 1}, found {n_cells}"
        board.fault("F609", line.span, message, hint=_CELL_HINT)


def _write_picture(puzzle: Futoshiki) -> str:
    width = len(str(puzzle.n_rows))
    lines = picture_words(puzzle, ".", " <>", " ∧∨")
    padded = [[word.rjust(width) if j % 2 == 0 else word for j, word in enumerate(line)] for line in lines]
    return text_of([" ".join(line).rstrip() for line in padded])


PICTURE = Codec(_read_picture, _write_picture)

# ---- A character for each place, all on a line -----------------------------------------------------------------------

_VALUES = digits + ascii_uppercase
_ORG_SIGNS = "()^v"
_ORG_SPELLING = Spelling(
    {"(": True, ")": False, "_": None},
    {"^": True, "v": False, "_": None},
    re.compile("[.0-9A-Z]"),
    {value: number for number, value in enumerate(_VALUES)}.get,
    "write its value, or . for a blank",
)
_CHARACTERS = frozenset(f"._{_VALUES}{_ORG_SIGNS}")
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


def _fits(character: str, i: int, side: int) -> bool:
    line, place = divmod(i, side)
    if line % 2:
        return character in ("_" if place % 2 else _ORG_SPELLING.down)
    return character in _ORG_SPELLING.across if place % 2 else character == "." or character in _VALUES


def _write_org(puzzle: Futoshiki) -> str:
    lines = picture_words(puzzle, ".", "_()", "_^v")
    given = {str(value): _VALUES[value] for value in puzzle.values}
    return text_of(["".join([given.get(word, word) for line in lines for word in line])])


ORG = Codec(_read_org, _write_org, lambda text: text.parts(_LINE), max_size=len(_VALUES) - 1, is_by_line=True
)
