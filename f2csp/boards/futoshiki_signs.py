"""Futoshikis with lists of their signs beside the cells."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from string import ascii_uppercase
from typing import NamedTuple

from f2csp.boards.cell_rows import NUMBERS, Rows, Symbols, cells_of_rows, rows_of, usual_square, written_rows
from f2csp.boards.clue_lists import ClueReader
from f2csp.boards.futoshiki_boards import PlacedSign, futoshiki
from f2csp.boards.pieces import Parts, Piece, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, Shape, text_of
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_DIGITS = re.compile("[0-9]+")

# ---- Lists of pairs of cells -------------------------------------------------------------------------------------


class _Pairs(NamedTuple):
    """How a line names the two cells of a sign."""

    line: re.Pattern[str]  # its groups are a cell, what is between, and the other cell
    symbols: Symbols  # of the rows above
    greater: str = ">"  # what is between if the first cell is the greater one

    def puzzle(self, rows: Rows, lines: Iterable[Piece], builder: PuzzleBuilder) -> Puzzle:
        """The Futoshiki of these rows, and of lines with a sign each."""
        size, span = rows.shape.n_rows, rows.shape.span
        givens = self.symbols.givens(rows.cells(builder), builder)
        return futoshiki(builder, size, givens, self.signs(lines, size, builder), span)

    def signs(self, lines: Iterable[Piece], size: int, builder: PuzzleBuilder) -> Iterator[PlacedSign]:
        """The signs between cells that touch; all else is a fault."""
        for line in lines:
            match = self.line.fullmatch(line.text)
            if match is None:
                builder.fault("F606", line.span, "expected a sign between two cells")
                continue
            words = [line.part(*match.span(group)) for group in (1, 3)]
            first, second = cells = [_cell(word.text, size) for word in words]
            off = [word for word, cell in zip(words, cells, strict=True) if word.text.isdigit() and cell.row > size]
            for word in off:
                builder.fault("F603", word.span, f"expected a cell from 0 to {size**2 - 1}, found {word.text}")
            if not off and not _touch(*cells):
                builder.fault("F611", span_of(words), f"the cells at {first} and at {second} do not touch")
            elif not off:
                is_greater = match[2].strip() == self.greater
                yield Sign(second, first) if is_greater else Sign(first, second), span_of(words)


def _pairs(name: str, between: str, symbols: Symbols) -> _Pairs:
    """Lines of two names of cells, with blanks around them."""
    return _Pairs(re.compile(rf"[ \t]*+({name})([ \t]*+{between}[ \t]*+)({name})[ \t]*+"), symbols)


def _cell(name: str, size: int) -> Cell:
    """The cell of a row and a column, of a letter and a column, or of a number row by row from 0."""
    numbers = [number(digits) or 0 for digits in _DIGITS.findall(name)]
    if name.isdigit():
        numbers = [index + 1 for index in divmod(numbers[0], size)]
    elif len(numbers) == 1:
        numbers = [ascii_uppercase.index(name[0].upper()) + 1, *numbers]
    return Cell(*numbers)


def _touch(cell: Cell, other: Cell) -> bool:
    return abs(cell.row - other.row) + abs(cell.column - other.column) == 1


def _counted(lines: Sequence[Piece], end: int, what: str, builder: PuzzleBuilder) -> Iterator[Piece]:
    """The lines after the number of them, which is checked; the file ends at ``end``."""
    declared, n_lines = number(lines[0].trimmed.text) if lines else None, len(lines) - 1
    if declared is None:
        place, found = (lines[0].span, "another line") if lines else ((end, end), "the end of the file")
        builder.fault("F604", place, f"expected the number of {what}, found {found}")
    elif declared != n_lines:
        message = f"expected {n_lines} as the number of {what}, found {lines[0].trimmed.text}"
        builder.fault("F602", lines[0].span, message)
    yield from lines[declared is not None :]


_BLANK = "-1"
_PAIRS = _pairs("[0-9]++", "[<>]", Symbols({_BLANK}))


def _read_pairs(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the size, the rows, the number of signs, and a pair of cells for each sign.

        4
        -1 -1 -1 -1
        -1 -1 -1 -1
        4 -1 -1 2
        -1 -1 -1 -1
        2
        0>4
        10>9

    -1 is a blank cell. The pairs name the cells by their numbers, row by row from 0: here row 1, column 1 is greater
    than row 2, column 1. ``<`` may be written as well, and blanks around the sign. This is a form that exercises have.
    """
    lines, item = text.filled_lines, _PAIRS.line
    shape = builder.shape(lines, text.end, MAX_SIZE)
    ends = (i for i, line in enumerate(lines[1:]) if number(line.trimmed.text) is not None or item.fullmatch(line.text))
    n_rows = 1 if shape.n_rows == 1 else next(ends, len(lines) - 1)  # before the number of signs, or a sign
    rest = lines[1 + n_rows :]
    rows = Rows(shape, rows_of(lines[1 : 1 + n_rows]), rest[0].start if rest else text.end)
    return _PAIRS.puzzle(rows, _counted(rest, text.end, "signs", builder), builder)


def _write_pairs(board: Futoshiki) -> str:
    numbers = [[(cell.row - 1) * board.size + cell.column - 1 for cell in sign] for sign in board.signs]
    pairs = [f"{greater}>{smaller}" for smaller, greater in numbers]
    return text_of([str(board.size), *map(" ".join, written_rows(board, _BLANK)), str(len(pairs)), *pairs])


PAIRS = Codec(_read_pairs, _write_pairs)

_CELLS = Symbols({"0"})
_RELATIONS = _pairs("[A-Za-z][0-9]++", ";", _CELLS)
_SECTIONS = ("START:", "REL:")


def _read_relations(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the size, the rows after ``START:``, and after ``REL:`` the pairs of cells, the smaller one first.

        4
        START:
        0;0;0;3
        0;0;0;0
        4;0;0;2
        0;0;0;0
        REL:
        A2;A3
        B1;A1

    0 is a blank cell. Letters name rows and numbers columns. The size may be left out. This is a form that exercises
    have.
    """
    lines = text.filled_lines
    names = [line.trimmed.text.upper() for line in lines]
    start = end = 0
    for section in _SECTIONS:
        if section not in names[end:]:
            builder.stop("F604", (text.end, text.end), f"expected a line {section}")
        start, end = end, names.index(section, end)
    shape = Shape(end - start - 1, end - start - 1, lines[start].span)
    if start:
        shape = builder.shape(lines, text.end, MAX_SIZE)
    if start > 1:
        builder.fault("F606", span_of(lines[1:start]), f"unexpected text before {_SECTIONS[0]}")
    rows = Rows(shape, rows_of(lines[start + 1 : end], " \t;"), lines[end].start)
    return _RELATIONS.puzzle(rows, lines[end + 1 :], builder)


RELATIONS = Codec(_read_relations)

_NAMED = _pairs(r"[rR][0-9]{1,2}[cC][0-9]{1,2}|\([0-9]{1,2},[ ]?[0-9]{1,2}\)", "[<>]", NUMBERS)


def _read_named(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the rows, and a pair of cells for each sign.

        . . . 3
        . . . .
        4 . . 2
        . . . .
        r1c2 < r1c3
        (2,1) < (1,1)

    Rows and columns count from 1. People write so in mails.
    """
    lines = [line for line in text.filled_lines if line.trimmed.text.rstrip(":").lower() != Futoshiki.KIND]
    n_rows = next((i for i, line in enumerate(lines) if _NAMED.line.fullmatch(line.text)), len(lines))
    if not 0 < n_rows < len(lines):
        builder.stop("F604", (text.end, text.end), "expected rows of cells, and signs below them")
    rows = cells_of_rows(lines[:n_rows])
    return _NAMED.puzzle(Rows(usual_square(rows), rows, lines[n_rows].start), lines[n_rows:], builder)


NAMED = Codec(_read_named)

_LISTED = _pairs(r"[0-9]++[ \t]++[0-9]++", "", _CELLS)


def _read_lists(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the size and the number of signs, the rows, and for each sign row and column of two cells.

        1
        4 2
        0 0 0 0
        0 0 0 0
        4 0 0 2
        0 0 0 0
        1 2 1 3
        2 1 1 1

    0 is a blank cell, and the first cell of a sign is the smaller one. The number of boards comes first, where there
    are several. The signs may be above the rows; without a row, all cells are blank. This is a form that exercises of
    the University of Sao Paulo have.
    """
    lines = text.filled_lines
    counts, lines = (lines[:1], lines[1:]) if lines and len(lines[0].words()) == 1 else ([], lines)
    header = lines[0].words() if lines else []
    numbers = [value for word in header[:2] if (value := number(word.text)) is not None]
    if len(numbers) < 2:
        place = span_of(header) if header else (text.end, text.end)
        builder.stop("F604", place, "expected the size of the board and the number of signs")
    n_boards = len(_cut_lists(Text.whole(text.source))) if counts else 0
    for line in counts:
        if number(line.trimmed.text) != n_boards:
            builder.fault("F602", line.span, f"expected {n_boards} as the number of boards, found {line.trimmed.text}")
    if header[2:]:
        builder.fault("F606", span_of(header[2:]), "unexpected text after the number of signs")
    size, n_signs = numbers
    span, rest = header[0].span, lines[1:]
    builder.check_size(span, MAX_SIZE, size)
    are_pairs = [_is_pair(line) for line in rest]
    rows, pairs = rest[:size], rest[size:]
    if all(are_pairs) and size > 1 and len(rest) == n_signs:
        rows, pairs = [], rest
    elif sum(are_pairs[:n_signs]) > sum(are_pairs[size:]):
        rows, pairs = rest[n_signs:], rest[:n_signs]
    if len(pairs) != n_signs:
        message = f"expected {size} rows and {header[1].text} signs, found {len(rest)} lines"
        builder.fault("F602", header[1].span, message)
    board = Rows(Shape(size, size, span), rows_of(rows), text.end)
    givens = _CELLS.givens(board.cells(builder), builder) if rows or not pairs else []
    return futoshiki(builder, size, givens, _LISTED.signs(pairs, size, builder), span)


def _is_pair(line: Piece) -> bool:
    """Whether a line has two cells that touch; no row without a blank does, for it would have a value twice."""
    match = _LISTED.line.fullmatch(line.text)
    cells = [_cell(match[group], 0) for group in (1, 3)] if match else []
    return bool(cells) and all(map(all, cells)) and _touch(*cells)


def _cut_lists(text: Text) -> Sequence[Text]:
    """The text of each board, from a line of two numbers to the next; the first one with what is above it."""
    lines, starts, i = text.filled_lines, [], 0
    while i < len(lines):
        words = lines[i].text.split()
        numbers = [value for word in words if (value := number(word)) is not None]
        if len(words) == len(numbers) == 2:
            starts.append(lines[i].start)
            i += sum(numbers) if numbers[0] == 2 else 0
        i += 1
    return Parts(text, pairwise([place - text.start for place in [text.start, *starts[1:], text.end]]))


LISTS = Codec(_read_lists, cut=_cut_lists)

_GREATER_FIRST = _LISTED._replace(greater="")


def _read_triples(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the size, the number of givens and row, column and value of each, and likewise the signs.

        4
        2
        1 4 3
        3 1 4
        2
        1 3 1 2
        1 1 2 1

    A sign has row and column of the greater cell, and then of the smaller one. This is a form that exercises have.
    """
    lines = text.filled_lines
    counts = [i for i, line in enumerate(lines) if len(line.words()) == 1]
    middle = counts[2] if len(counts) > 2 else len(lines)
    end = lines[middle].start if middle < len(lines) else text.end
    size, span, clues = ClueReader(builder, [line.words() for line in lines[:middle]]).read(end)
    signs = _GREATER_FIRST.signs(_counted(lines[middle:], text.end, "signs", builder), size, builder)
    return futoshiki(builder, size, clues, signs, span)


TRIPLES = Codec(_read_triples)
