"""Signs of Futoshikis: the board that all formats fill, and the formats with the signs below the rows of numbers."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from f2csp.boards.cell_rows import Row, Rows, Shape, Symbols, rows_of, written_rows
from f2csp.boards.pieces import Piece, Span, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, Given, Givens, PuzzleBuilder, text_of
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE

PlacedSign = tuple[Sign, Span]
"""A sign and its place in the file; its cells need not be on the board."""

Words = Mapping[str, bool | None]
"""The words between two cells: True if the left or upper cell is smaller, and None for no sign."""


def futoshiki(builder: PuzzleBuilder, size: int, givens: Givens, signs: Iterable[PlacedSign], span: Span) -> Puzzle:
    """The Futoshiki of this size, whose place is ``span``."""
    builder.check_size(span, MAX_SIZE, size)
    return builder.square(size, givens, span, signs=tuple(_signs(builder, size, signs)))


def _signs(builder: PuzzleBuilder, size: int, signs: Iterable[PlacedSign]) -> Iterable[Sign]:
    """The signs on the board; one that points off the board, or contradicts another, is a fault."""
    known: dict[tuple[Cell, Cell], PlacedSign] = {}
    for sign, span in signs:
        off = [cell for cell in sign if not (1 <= cell.row <= size and 1 <= cell.column <= size)]
        if off:
            inner = sign.greater if off[0] == sign.smaller else sign.smaller
            message = f"the sign at {inner} points off the board, to {off[0]}"
            builder.fault("F611", span, message, hint="remove the sign, or move it between two cells")
            continue
        earlier, place = known.setdefault(sign.cells, (sign, span))
        if earlier.smaller != sign.smaller:
            message = f"the signs between {sign.smaller} and {sign.greater} contradict each other"
            marks = [(*place, "the earlier sign")]
            builder.fault("F612", span, message, related=marks, hint="keep one of the two signs")
    return [sign for sign, _ in known.values()]


@lru_cache(maxsize=4096)
def sign_at(row: int, column: int, *, is_across: bool, is_less: bool) -> Sign:
    """The sign right of a cell or below it; kept, for files of many small puzzles have the same ones."""
    first, second = Cell(row, column), Cell(row, column + 1) if is_across else Cell(row + 1, column)
    return Sign(first, second) if is_less else Sign(second, first)


class Spelling(NamedTuple):
    across: Words  # between two cells of a row
    down: Words  # below a cell
    cell: re.Pattern[str] = re.compile(".*")
    value: Callable[[str], int | None] = number  # of a cell; None for a blank
    hint: str = ""  # for what is no cell


class SignBoard:
    """Takes the words of a picture, and keeps the givens and signs.

    A picture has 2N - 1 lines of 2N - 1 places. Both are counted from 0: cells are at even places of even lines.
    """

    def __init__(self, size: int, builder: PuzzleBuilder, spelling: Spelling) -> None:
        self.size, self.fault, self._spelling = size, builder.fault, spelling
        self.givens: list[Given] = []
        self.signs: list[PlacedSign] = []
        words = (*spelling.across.items(), *spelling.down.items())
        self._signs = {sign for sign, is_less in words if is_less is not None}

    def is_sign(self, text: str) -> bool:
        """Whether a word is a sign, in a row or between rows."""
        return text in self._signs

    def take(self, line: int, place: int, word: Piece) -> None:
        """Take a word at a place: a cell, a sign, or the word for none."""
        cell, text, spelling = Cell(line // 2 + 1, place // 2 + 1), word.text, self._spelling
        if line % 2 and place % 2:
            self.refuse(word, f"no sign below and right of {cell}", "write signs between cells that touch")
        elif line % 2 or place % 2:
            words, where = (spelling.down, "rows") if line % 2 else (spelling.across, "cells of a row")
            if text not in words:
                self.refuse(word, f"a sign between two {where}", f"write one of {' '.join(words)}")
            elif (is_less := words[text]) is not None:
                sign = sign_at(*cell, is_across=line % 2 == 0, is_less=is_less)
                self.signs.append((sign, word.span))
        elif self.is_sign(text) or not spelling.cell.fullmatch(text):
            self.refuse(word, f"the cell at {cell}", spelling.hint)
        elif (value := spelling.value(text)) is not None:
            self.givens.append(Given(*cell, value, word.span))

    def refuse(self, word: Piece, expected: str, hint: str, otherwise: str = "F610") -> None:
        """Report a word in the wrong place: a sign, or another word."""
        code = "F611" if self.is_sign(word.text) else otherwise
        self.fault(code, (word.start, word.end), f"expected {expected}, found '{word.text}'", hint=hint)


def picture_words(board: Futoshiki, blank: str, across: Sequence[str], down: Sequence[str]) -> list[list[str]]:
    """The picture's lines, with 2N - 1 words on each: for the cells, the signs, and the places with neither.

    The words ``across``, between two cells of a row, are: no sign, the left cell smaller, the right one; the words
    ``down``, below a cell, likewise.
    """
    n = 2 * board.size - 1
    lines = [[down[0]] * n if i % 2 else ([blank, across[0]] * board.size)[:n] for i in range(n)]
    for row, column, value in board.clues:
        lines[2 * row - 2][2 * column - 2] = str(value)
    for sign in board.signs:
        (row, column), _ = sign.cells
        words, line, place = (across, 2, 1) if sign.is_horizontal else (down, 1, 2)
        lines[2 * row - line][2 * column - place] = words[1 if sign.smaller < sign.greater else 2]
    return lines


# ---- Pairs of cells ------------------------------------------------------------------------------------------------

_BLANK = "-1"
_PAIR_CELLS = Symbols(frozenset({_BLANK}), "write a number, or -1 for a blank")
_PAIR = re.compile(r"[ \t]*+([0-9]++)[ \t]*+([<>])[ \t]*+([0-9]++)[ \t]*+")
_COUNT_HINT = "write the number of signs on a line of its own; 0 if there are none"
_CELL_HINT = "count the cells from 0, row by row"


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
    lines = text.filled_lines
    size, span = builder.size_line(lines, text.end, MAX_SIZE)
    ends = (i for i, line in enumerate(lines[1:]) if number(line.stripped) is not None or _PAIR.fullmatch(line.text))
    n_rows = 1 if size == 1 else next(ends, len(lines) - 1)  # before the number of signs, or a sign
    rest = lines[1 + n_rows :]
    rows = Rows(Shape(size, size, span), rows_of(lines[1 : 1 + n_rows]), rest[0].start if rest else text.end)
    givens = _PAIR_CELLS.givens(rows.cells(builder), builder)
    return futoshiki(builder, size, givens, _pairs(_pair_lines(rest, text.end, builder), size, builder), span)


def _pair_lines(lines: Sequence[Piece], end: int, builder: PuzzleBuilder) -> Sequence[Piece]:
    """The lines after the number of signs, which is checked; the file ends at ``end``."""
    if not lines or _PAIR.fullmatch(lines[0].text):
        place, found = (lines[0].span, "a sign") if lines else ((end, end), "the end of the file")
        builder.fault("F604", place, f"expected the number of signs, found {found}", hint=_COUNT_HINT)
        return lines
    first, *others = lines[0].words()
    declared, n_signs = number(first.text), len(lines) - 1
    if declared is None:
        builder.fault("F607", first.span, f"expected the number of signs, found '{first.text}'", hint=_COUNT_HINT)
    elif declared != n_signs:
        builder.fault("F602", first.span, f"expected {n_signs} as the number of signs, found {first.text}")
    if others:
        builder.fault("F606", span_of(others), "unexpected text after the number of signs", hint=_COUNT_HINT)
    return lines[1:]


def _pairs(lines: Sequence[Piece], size: int, builder: PuzzleBuilder) -> Iterator[PlacedSign]:
    for line in lines:
        match = _PAIR.fullmatch(line.text)
        if match is None:
            hint = "write two numbers of cells with > or < between them, such as 0>4"
            builder.fault("F606", line.span, "expected a sign between two cells", hint=hint)
            continue
        words = [line.part(*match.span(group)) for group in (1, 3)]
        numbers = [number(word.text) or 0 for word in words]
        for word, at in zip(words, numbers, strict=True):
            if at >= size**2:
                message = f"expected a cell from 0 to {size**2 - 1}, found {word.text}"
                builder.fault("F603", word.span, message, hint=_CELL_HINT)
        one, other = [Cell(at // size + 1, at % size + 1) for at in numbers]
        if max(numbers) < size**2 and abs(one.row - other.row) + abs(one.column - other.column) != 1:
            builder.fault("F611", span_of(words), f"the cells at {one} and at {other} do not touch", hint=_CELL_HINT)
        elif max(numbers) < size**2:
            yield Sign(one, other) if match[2] == "<" else Sign(other, one), span_of(words)


def _write_pairs(board: Futoshiki) -> str:
    numbers = [[(cell.row - 1) * board.size + cell.column - 1 for cell in sign] for sign in board.signs]
    pairs = [f"{greater}>{smaller}" for smaller, greater in numbers]
    rows = map(" ".join, written_rows(board, _BLANK))
    return text_of([str(board.size), *rows, str(len(pairs)), *pairs])


PAIRS = Codec(_read_pairs, _write_pairs)

# ---- Three tables --------------------------------------------------------------------------------------------------

_NONE, _LESS, _GREATER = "0", "1", "-1"
_WORDS = {_LESS: True, _GREATER: False, _NONE: None}
_SIGNS = Spelling(_WORDS, _WORDS)
_TABLE_CELLS = Symbols(frozenset({_NONE}), "write a number, or 0 for a blank")
_NONE_HINT = "write 0 for a blank cell or no sign"
_SEPARATORS = " \t,"
_HEADINGS = {"hor": "# Horizontal constraints", "ver": "# Vertical constraints"}
_HEADING = re.compile(r"[ \t]*+#[# \t]*+(hor|ver)", re.IGNORECASE)
_ROW = re.compile(r"[ \t]*+-?[0-9]++(?:[ \t]*+,[ \t]*+-?[0-9]++)++[ \t]*+,?[ \t]*+")
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
    lines = [line for line in text.filled_lines if not _is_comment(line)]
    size, span = builder.size_line(lines, text.end, MAX_SIZE)
    tables = _tables(lines[1:], size, text.end, builder)
    cells = tables.pop("")
    row_list = [Row(_table_words(line, builder), line.span) for line in cells[:size]]
    row_list += rows_of(cells[size:], _SEPARATORS)
    rows = Rows(Shape(size, size, span), row_list, cells[-1].span[1] if cells else span[1])
    givens = _TABLE_CELLS.givens(rows.cells(builder), builder)
    board = SignBoard(size, builder, _SIGNS)
    for name, table in tables.items():
        _take_signs(board, table, text.end, builder, is_across=name == "hor")
    return futoshiki(builder, size, givens, board.signs, span)


def _is_comment(line: Piece) -> bool:
    return line.stripped.startswith("#") and _HEADING.match(line.text) is None


def _tables(lines: Sequence[Piece], n: int, end: int, builder: PuzzleBuilder) -> dict[str, list[Piece]]:
    """The lines of each table, by the names of the headings; the cells come before any heading."""
    tables: dict[str, list[Piece]] = {"": []}
    name = ""
    for line in lines:
        if match := _HEADING.match(line.text):
            if match[1].lower() != name and tables.get(match[1].lower()):
                builder.fault("F615", line.span, f"the heading '{_HEADINGS[match[1].lower()]}' is repeated")
            name = match[1].lower()
            tables.setdefault(name, [])
        else:
            tables[name].append(line)
    if len(tables) == 1:
        return {"": [*lines[:n]], "hor": [*lines[n : 2 * n]], "ver": [*lines[2 * n :]]}
    for missing in [heading for heading in _HEADINGS if heading not in tables]:
        builder.fault("F615", (end, end), f"the file ends before the heading '{_HEADINGS[missing]}'")
    return tables


def _take_signs(board: SignBoard, lines: Sequence[Piece], end: int, builder: PuzzleBuilder, *, is_across: bool) -> None:
    """Take the signs of a table; a missing table would be at ``end``."""
    size = board.size
    n_rows, n_columns = (size, size - 1) if is_across else (size - 1, size)
    for row, line in enumerate(lines, 1):
        found = _table_words(line, builder)
        if row <= n_rows and len(found) < n_columns:
            message = f"expected {n_columns} numbers in row {row} of the table, found {len(found)}"
            builder.fault("F609", (line.span[1], line.span[1]), message, label="missing here", hint=_NONE_HINT)
        for column, word in enumerate(found, 1):
            if word.text in (_LESS, _GREATER) and (row > n_rows or column > n_columns):
                builder.fault("F611", word.span, f"the sign is beyond the {size}x{size} board")
            else:
                board.take(2 * row - 1 - is_across, 2 * column - 2 + is_across, word)
    if n_columns and len(lines) < n_rows:
        end = lines[-1].span[1] if lines else end
        which = "within rows" if is_across else "between rows"
        message = f"expected {n_rows} rows in the table of the signs {which}, found {len(lines)}"
        builder.fault("F609", (end, end), message, hint=_NONE_HINT)


def _table_words(line: Piece, builder: PuzzleBuilder) -> list[Piece]:
    """The numbers of a line; a missing one is a fault."""
    for gap in line.matches(_GAP):
        builder.fault("F609", span_of([gap]), "expected a number before the comma", hint=_NONE_HINT)
    return line.words(_SEPARATORS)


def _write_tables(board: Futoshiki) -> str:
    signs = (_NONE, _LESS, _GREATER)
    words = picture_words(board, _NONE, signs, signs)
    cells, below = ([", ".join(row[::2]) for row in words[start::2]] for start in (0, 1))
    right = [", ".join(row[1::2]) for row in words[::2] if len(row) > 1]
    return text_of([str(board.size), *cells, _HEADINGS["hor"], *right, _HEADINGS["ver"], *below])


TABLES = Codec(_read_tables, _write_tables)
