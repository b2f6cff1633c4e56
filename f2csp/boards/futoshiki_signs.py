"""Signs of Futoshikis: the board that all formats fill, and the formats that list the signs beside the cells."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from string import ascii_uppercase
from typing import NamedTuple

from f2csp.boards.cell_rows import Row, Rows, Shape, Symbols, rows_of, written_rows
from f2csp.boards.pieces import Parts, Piece, Span, Text, number, span_of
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
    cell: re.Pattern[str] = re.compile("(?![<>]$).*")
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
        self.sign_words = {sign for sign, is_less in words if is_less is not None}  # in a row, or between rows
        self.none_words = {word for word, is_less in words if is_less is None}

    def take_all(self, line: int, step: int, words: Iterable[Piece]) -> None:
        """Take the words of a line, some places apart."""
        for i, word in enumerate(words):
            self.take(line, step * i, word)

    def take(self, line: int, place: int, word: Piece) -> None:
        """Take a word at a place: a cell, a sign, or the word for none."""
        cell, text, spelling = Cell(line // 2 + 1, place // 2 + 1), word.text, self._spelling
        if line % 2 and place % 2 and text not in self.none_words:
            self.refuse(word, f"no sign below and right of {cell}", "write signs between cells that touch")
        elif line % 2 or place % 2:
            words, where = (spelling.down, "rows") if line % 2 else (spelling.across, "cells of a row")
            if text not in words:
                self.refuse(word, f"a sign between two {where}", f"write one of {' '.join(filter(str.strip, words))}")
            elif (is_less := words[text]) is not None:
                sign = sign_at(*cell, is_across=line % 2 == 0, is_less=is_less)
                self.signs.append((sign, word.span))
        elif not spelling.cell.fullmatch(text):
            self.refuse(word, f"the cell at {cell}", spelling.hint)
        elif (value := spelling.value(text)) is not None:
            self.givens.append(Given(*cell, value, word.span))

    def refuse(self, word: Piece, expected: str, hint: str, otherwise: str = "F610") -> None:
        """Report a word in the wrong place: a sign, or another word."""
        code = "F611" if word.text in self.sign_words else otherwise
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


# ---- Lists of pairs of cells -------------------------------------------------------------------------------------


class _Pairs(NamedTuple):
    """How a line names the two cells of a sign."""

    line: re.Pattern[str]  # its groups are a cell, what is between, and the other cell
    cell: Callable[[str, int], Cell]  # the cell of a name, on a board of a size
    hint: str
    greater: str = ">"  # what is between if the first cell is the greater one
    are_numbered: bool = False  # whether names of cells are one number

    def signs(self, lines: Iterable[Piece], size: int, builder: PuzzleBuilder) -> Iterator[PlacedSign]:
        """The signs between cells that touch; all else is a fault."""
        for line in lines:
            match = self.line.fullmatch(line.text)
            if match is None:
                builder.fault("F606", line.span, "expected a sign between two cells", hint=self.hint)
                continue
            words = [line.part(*match.span(group)) for group in (1, 3)]
            one, other = [self.cell(word.text, size) for word in words]
            placed = zip(words, (one, other), strict=True) if self.are_numbered else ()
            off = [word for word, cell in placed if cell.row > size]
            for word in off:
                message = f"expected a cell from 0 to {size**2 - 1}, found {word.text}"
                builder.fault("F603", word.span, message, hint=self.hint)
            if off:
                continue
            if _touch(one, other):
                yield Sign(other, one) if match[2].strip() == self.greater else Sign(one, other), span_of(words)
            elif one == other:
                message = f"the sign compares the cell at {one} with itself"
                builder.fault("F611", span_of(words), message, hint="remove the line")
            else:
                message = f"the cells at {one} and at {other} do not touch"
                builder.fault("F611", span_of(words), message, hint=self.hint)


def _touch(one: Cell, other: Cell) -> bool:
    return abs(one.row - other.row) + abs(one.column - other.column) == 1


def _counted(lines: Sequence[Piece], end: int, what: str, builder: PuzzleBuilder) -> Sequence[Piece]:
    """The lines after the number of them, which is checked; the file ends at ``end``."""
    declared, n_lines = number(lines[0].stripped) if lines else None, len(lines) - 1
    if declared is None:
        place, found = (lines[0].span, "another line") if lines else ((end, end), "the end of the file")
        hint = f"write the number of {what} on a line of its own; 0 if there are none"
        builder.fault("F604", place, f"expected the number of {what}, found {found}", hint=hint)
        return lines
    if declared != n_lines:
        message = f"expected {n_lines} as the number of {what}, found {lines[0].stripped}"
        builder.fault("F602", lines[0].span, message)
    return lines[1:]


_BLANK = "-1"
_PAIR_CELLS = Symbols(frozenset({_BLANK}), "write a number, or -1 for a blank")
_PAIRS = _Pairs(
    re.compile(r"[ \t]*+([0-9]++)([ \t]*+[<>][ \t]*+)([0-9]++)[ \t]*+"),
    lambda name, size: Cell((number(name) or 0) // size + 1, (number(name) or 0) % size + 1),
    "write two cells with > or < between them, such as 0>4; cells are counted from 0, row by row",
    are_numbered=True,
)


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
    size, span = builder.size_line(lines, text.end, MAX_SIZE)
    ends = (i for i, line in enumerate(lines[1:]) if number(line.stripped) is not None or item.fullmatch(line.text))
    n_rows = 1 if size == 1 else next(ends, len(lines) - 1)  # before the number of signs, or a sign
    rest = lines[1 + n_rows :]
    end = rest[0].start if rest else text.end
    rows = Rows(Shape(size, size, span), rows_of(lines[1 : 1 + n_rows]), end)
    givens = _PAIR_CELLS.givens(rows.cells(builder), builder)
    pairs = _counted(rest, text.end, "signs", builder)
    return futoshiki(builder, size, givens, _PAIRS.signs(pairs, size, builder), span)


def _write_pairs(board: Futoshiki) -> str:
    numbers = [[(cell.row - 1) * board.size + cell.column - 1 for cell in sign] for sign in board.signs]
    pairs = [f"{greater}>{smaller}" for smaller, greater in numbers]
    rows = map(" ".join, written_rows(board, _BLANK))
    return text_of([str(board.size), *rows, str(len(pairs)), *pairs])


PAIRS = Codec(_read_pairs, _write_pairs)

_CELLS = Symbols(frozenset({"0"}), "write a number, or 0 for a blank")
_RELATIONS = _Pairs(
    re.compile(r"[ \t]*+([A-Za-z][0-9]++)([ \t]*+;[ \t]*+)([A-Za-z][0-9]++)[ \t]*+"),
    lambda name, _: Cell(ascii_uppercase.index(name[0].upper()) + 1, number(name[1:]) or 0),
    "write two cells that touch, the smaller one first, such as A1;B1: rows have letters, columns numbers",
)
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
    names = [line.stripped.upper() for line in lines]
    start = end = 0
    for section in _SECTIONS:
        if section not in names[end:]:
            hint = "write the rows below a line START:, and the signs below a line REL:"
            builder.stop("F604", (text.end, text.end), f"expected a line {section}", hint)
        start, end = end, names.index(section, end)
    size, span = end - start - 1, lines[start].span
    if start:
        size, span = builder.size_line(lines, text.end, MAX_SIZE)
    if start > 1:
        builder.fault("F606", span_of(lines[1:start]), f"unexpected text before {_SECTIONS[0]}")
    rows = Rows(Shape(size, size, span), rows_of(lines[start + 1 : end], " \t;"), lines[end].start)
    givens = _CELLS.givens(rows.cells(builder), builder)
    return futoshiki(builder, size, givens, _RELATIONS.signs(lines[end + 1 :], size, builder), span)


RELATIONS = Codec(_read_relations)

_FOUR_NUMBERS = re.compile(r"[ \t]*+([0-9]++[ \t]++[0-9]++)([ \t]++)([0-9]++[ \t]++[0-9]++)[ \t]*+")
_LISTED = _Pairs(
    _FOUR_NUMBERS,
    lambda name, _: Cell(*[number(word) or 0 for word in name.split()]),
    "write row and column of two cells that touch, the smaller one first, such as 1 1 1 2",
)
_HEADER_HINT = "write the size of the board and the number of its signs, such as 4 2, above its rows"


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
        builder.stop("F604", place, "expected the size of the board and the number of signs", _HEADER_HINT)
    n_boards = len(_cut_lists(Text.whole(text.source))) if counts else 0
    for line in counts:
        if number(line.stripped) != n_boards:
            message = f"expected {n_boards} as the number of boards, found {line.stripped}"
            builder.fault("F602", line.span, message, hint=_HEADER_HINT)
    if header[2:]:
        builder.fault("F606", span_of(header[2:]), "unexpected text after the number of signs", hint=_HEADER_HINT)
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
        builder.fault("F602", header[1].span, message, hint=_HEADER_HINT)
    board = Rows(Shape(size, size, span), rows_of(rows), text.end)
    givens = _CELLS.givens(board.cells(builder), builder) if rows or not pairs else []
    return futoshiki(builder, size, givens, _LISTED.signs(pairs, size, builder), span)


def _is_pair(line: Piece) -> bool:
    """Whether a line has two cells that touch; no row without a blank does, for it would have a value twice."""
    match = _FOUR_NUMBERS.fullmatch(line.text)
    if match is None:
        return False
    one, other = [_LISTED.cell(match[group], 0) for group in (1, 3)]
    return 0 not in (*one, *other) and _touch(one, other)


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
    places = [place - text.start for place in [text.start, *starts[1:], text.end]]
    return Parts(text, pairwise(places))


LISTS = Codec(_read_lists, cut=_cut_lists)

_TRIPLE = re.compile(r"[ \t]*+[0-9]++[ \t]++[0-9]++[ \t]++[0-9]++[ \t]*+")
_CLUE_HINT = "write row, column and value of a cell, counted from 1"
_GREATER_FIRST = _Pairs(_FOUR_NUMBERS, _LISTED.cell, _LISTED.hint.replace("smaller", "greater"), greater="")


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
    size, span = builder.size_line(lines, text.end, MAX_SIZE)
    counts = [i for i, line in enumerate(lines) if len(line.words()) == 1]
    middle = counts[2] if len(counts) > 2 else len(lines)
    clues = _counted(lines[1:middle], text.end, "givens", builder)
    pairs = _counted(lines[middle:], text.end, "signs", builder)
    signs = _GREATER_FIRST.signs(pairs, size, builder)
    return futoshiki(builder, size, [*_triples(clues, size, builder)], signs, span)


def _triples(lines: Iterable[Piece], size: int, builder: PuzzleBuilder) -> Iterator[Given]:
    places: dict[tuple[int, int], Span] = {}
    for line in lines:
        if not _TRIPLE.fullmatch(line.text):
            builder.fault("F606", line.span, "expected a row, a column and a value", hint=_CLUE_HINT)
            continue
        row, column, value = [number(word) or 0 for word in line.text.split()]
        earlier = places.setdefault((row, column), line.span)
        if not (1 <= row <= size and 1 <= column <= size):
            builder.fault("F603", line.span, f"expected a cell of the {size}x{size} board", hint=_CLUE_HINT)
        elif earlier != line.span:
            marks, message = [(*earlier, "given here first")], f"the cell at {Cell(row, column)} is given twice"
            builder.fault("F605", line.span, message, related=marks, hint="remove one of the two lines")
        else:
            yield Given(row, column, value, line.words()[2].span)


TRIPLES = Codec(_read_triples)

# ---- Three tables --------------------------------------------------------------------------------------------------

_NONE, _LESS, _GREATER = "0", "1", "-1"
_WORDS = {_LESS: True, _GREATER: False, _NONE: None}
_SIGNS = Spelling(_WORDS, _WORDS)
_TABLE_CELLS = Symbols(frozenset({_NONE}), "write a number, or 0 for a blank")
_NONE_HINT = "write 0 for a blank cell or no sign"
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
