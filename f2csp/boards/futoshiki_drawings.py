"""Futoshikis as people draw them: cells some characters apart, signs between them and below, perhaps in a frame."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from f2csp.boards.cell_rows import usual, without_comments
from f2csp.boards.futoshiki_boards import ACROSS, DOWN, LATIN_HINT, SignBoard, Spelling, picture_words
from f2csp.boards.pieces import BARS, Piece, Text, number
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, text_of
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_WORD = re.compile(r"[^ ]+")
_CELL = re.compile(r"[0-9]+|\.")
_SPELLING = Spelling(ACROSS, DOWN, _CELL)
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
                board.refuse(word, "a blank", otherwise="F615")
                return  # the rest of the line has most likely moved with it
            n_cells += is_at_cell
            board.take(i, 2 * column + (not is_at_cell), word)
        if is_row and n_cells < board.size:
            board.builder.fault("F609", line.span, f"expected {board.size} cells in row {i // 2 + 1}, found {n_cells}")

    def read(self, builder: PuzzleBuilder, lines: Sequence[Piece]) -> tuple[SignBoard, Sequence[Piece]]:
        """The picture at the beginning of these lines, and the lines from its surplus row on."""
        board, n, n_rows = SignBoard(self.size, builder, self.spelling), self.size, 0
        for at, line in enumerate(lines):
            is_row = self.is_row(line)
            if is_row and n_rows == n:
                return board, lines[at:]
            n_rows += is_row
            self.take(board, 2 * n_rows - 1 - is_row, line)
        if n_rows < n:
            board.builder.fault("F609", (lines[-1].end,) * 2, f"expected {n} rows of {n} cells, found {n_rows}")
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
    be left out, and the whole may be indented. Lines that begin with # are skipped.
    """
    lines = without_comments(text)
    rows = [line for line in lines if _CELL.search(line.text)]
    if not rows:
        builder.stop("F609", (text.end, text.end), "the picture has no cells")
    size = usual(len(_CELL.findall(row.text)) for row in rows)
    builder.check_size(rows[0].span, MAX_SIZE, size)
    layout = _Layout(_SPELLING, _WORD, size, _anchor(rows, _WORD), len(str(size)) + 3, _SIGN_OFFSET)
    board, rest = layout.read(builder, lines)
    if rest:
        builder.fault("F609", rest[0].span, f"expected {size} rows of {size} cells, found one more")
    return board.puzzle(rows[0].span)


def _anchor(rows: Sequence[Piece], word: re.Pattern[str]) -> int:
    """Where the first word of most rows ends; each must have one."""
    return usual(next(word.finditer(row.text)).end() - 1 for row in rows)


def _write_picture(puzzle: Futoshiki) -> str:
    """The picture, below the name of the kind if no sign shows it."""
    width = len(str(puzzle.n_rows))
    lines = picture_words(puzzle, ".", " <>", " ∧∨")
    padded = [[word.rjust(width) if j % 2 == 0 else word for j, word in enumerate(line)] for line in lines]
    name = [] if puzzle.signs else [f"# {puzzle.NAME}"]
    return text_of([*name, *(" ".join(line).rstrip() for line in padded)])


PICTURE = Codec(_read_picture, _write_picture)

_DRAWN_WORD = re.compile(f"[0-9]+|[^ {BARS}]")
_DRAWN_DOWN: dict[str, bool | None] = {**DOWN, "Λ": True, "˄": True, "˅": False}
_BLANKS = "._*?□xX0"  # the most frequent one in rows is the blank cell, or - if none of them is
_SIGN = re.compile(r"[<>^∧∨Λ˄˅]|(?<!\w)[vV](?!\w)")
_FRAME = re.compile(f"[ \t]*+(?:[{BARS}+=~*-]{{3}}[ {BARS}+=~*-]*+|[\"'`-]{{2,3}}[ \t]*+)")
_QUOTE = re.compile(r"[ \t]*+>[ ]?")  # of a mail, in most lines; no row begins with a sign, but lines between rows do
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
    if words.keys().isdisjoint(ACROSS.keys() | _DRAWN_DOWN.keys()) and b"futoshiki" not in text.data.lower():
        builder.stop("F604", span, "expected a sign between two cells, found none", LATIN_HINT)
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
    spelling = Spelling(ACROSS | none, _DRAWN_DOWN | none, cell, lambda text: None if text == blank else number(text))
    slack = int(distance >= _MIN_SLACK_DISTANCE)
    layout = _Layout(spelling, _DRAWN_WORD, size, _anchor(rows, _DRAWN_WORD), distance, range(1, distance), slack)
    board, rest = layout.read(builder, blocks[0])
    puzzle = board.puzzle(span)
    for block in filter(None, (rest, *blocks[1:])):
        other, more = layout.read(builder, block)
        solution = other.puzzle(block[0].span)
        is_full = len(solution.clues) == size**2 and {*solution.clues} >= {*puzzle.clues}
        if more or not is_full or {sign for sign, _ in other.signs} != {sign for sign, _ in board.signs}:
            message = "expected one picture, and perhaps its solution, found another picture"
            builder.stop("F606", block[0].span, message, "write one puzzle to a file")
    return puzzle


def _blocks(text: Text, builder: PuzzleBuilder) -> list[list[Piece]]:
    """The lines of pictures, of which lines with a word are between two; a sign beside a word is a fault."""
    blocks: list[list[Piece]] = [[]]
    quotes = [_QUOTE.match(line.text) for line in text.filled_lines]
    is_quoted = 2 * sum(map(bool, quotes)) > len(quotes)
    for filled, quote in zip(text.filled_lines, quotes, strict=True):
        line = filled.part(quote.end(), len(filled.text)) if quote and is_quoted else filled
        line = line._replace(text=_BOXED.sub(lambda box: f" {box[1].strip() or '.'} ", line.text))
        if line.trimmed.text.startswith("#") or _FRAME.fullmatch(line.text):
            continue
        if _REMARK.search(line.text) is None:
            blocks[-1].append(line)
            continue
        blocks.append([])
        if _SIGN.search(line.text):
            builder.fault("F606", line.span, "unexpected text beside signs")
    return [block for block in blocks if block]


DRAWN = Codec(_read_drawn)
