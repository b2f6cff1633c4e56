"""Jigsaw Sudokus with a map or lists of regions, and killer Sudokus as lists of cages or signs that point to totals."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import isqrt

from f2csp.boards.cell_rows import (
    BLANKS,
    NUMBERS,
    Row,
    Rows,
    Symbols,
    cells_of_rows,
    report_unknown,
    rows_of,
    usual,
    usual_square,
    written_rows,
)
from f2csp.boards.cell_runs import MAX_SIZE as MAX_CHARACTERS
from f2csp.boards.cell_runs import VALUES, values_of, written_run
from f2csp.boards.clue_lists import ClueReader
from f2csp.boards.pieces import Piece, Span, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Shape, character_givens, text_of
from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import MAX_KILLER_SIZE, Killer
from f2csp.puzzles.puzzle import Cell, Labels, Puzzle, puzzle_class
from f2csp.puzzles.squares import MAX_SIZE

_TITLE = re.compile(r"(?i)[ \t]*(?:(?:killer|jigsaw|sudoku|regions|givens|cells|cages|puzzle)(?:[ \t]+|:?[ \t]*$))+")

# ---- Rows of cells, and rows of regions ----------------------------------------------------------------------------

_REGIONS = Symbols(())


def _read_regions(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the size, the rows, and the number of the region of each cell.

        4
        1 2 0 0
        0 0 4 0
        0 0 0 0
        0 0 0 0

        1 1 2 2
        1 3 3 2
        1 3 3 2
        4 4 4 4

    Any other numbers can name the regions.
    """
    lines = text.filled_lines
    shape = builder.shape(lines, text.end, MAX_SIZE)
    rows, size = rows_of(lines[1:]), shape.n_rows
    return jigsaw_of(shape, (rows[:size], rows[size:]), text.end, builder)


def jigsaw_of(
    shape: Shape, halves: Sequence[Sequence[Row]], end: int, builder: PuzzleBuilder, names: Symbols = _REGIONS
) -> Puzzle:
    """The jigsaw Sudoku of rows of cells and as many rows of regions, whose symbols are ``names``."""
    boards = [Rows(shape, rows, end) for rows in halves]
    for board in boards:
        board.check_length(builder)
    givens = NUMBERS.givens(boards[0].cells(builder), builder)
    labels = names.givens(boards[1].cells(builder), builder)
    builder.require_sound()
    span = halves[1][0].span[0], halves[1][-1].span[1]
    return builder.square(shape.n_rows, givens, span, regions=_labels([label.value for label in labels], shape.n_rows))


def _labels(regions: Sequence[int], size: int) -> Labels:
    return tuple(tuple(regions[start : start + size]) for start in range(0, len(regions), size))


def _read_map(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read rows of regions and rows of cells, in either order, of words or of characters.

        1122
        1332
        1332
        4444
        12..
        ..4.
        ....
        ....

    Digits or letters name the regions; the size can be above the rows. The map is the half of the rows with a region
    twice in a row.
    """
    lines = _untitled(text)
    size, has_size = len(lines) // 2, len(lines) % 2
    if size < 2 or (has_size and number(lines[0].trimmed.text) != size):
        message = f"expected as many rows of regions as rows of cells, found {len(lines):,} rows"
        builder.stop("F604", lines[-1].span if lines else (text.end, text.end), message)
    builder.check_size(lines[0].span, MAX_SIZE, size)
    rows = cells_of_rows(lines[has_size:])
    if usual(len(row.cells) for row in rows) != size:
        builder.stop("F604", rows[0].span, f"expected {size} rows of {size} regions, and of as many cells")
    is_above, is_below = _is_map(rows[:size]), _is_map(rows[size:])
    if not is_above and not is_below:
        builder.stop("F604", rows[size].span, "expected a map of the regions, with one twice in a row")
    if is_above and is_below:
        builder.stop("F610", rows[size].span, "either half of the rows can be the map of the regions")
    regions, cells = (rows[:size], rows[size:]) if is_above else (rows[size:], rows[:size])
    builder.reading = f"{size}x{size}, the map of the regions {'above' if is_above else 'below'} the cells"
    words = dict.fromkeys(cell.text for row in regions for cell in row.cells)
    names = Symbols((), {word: i for i, word in enumerate(words) if word.isalnum()})
    return jigsaw_of(Shape(size, size, rows[0].span), (cells, regions), text.end, builder, names)


def _untitled(text: Text) -> list[Piece]:
    """The lines that are not blank but those of a title, such as ``Regions:``."""
    return [line for line in text.filled_lines if not _TITLE.fullmatch(line.text)]


def _is_map(rows: Sequence[Row]) -> bool:
    """Whether a row has a symbol twice that is no blank, and none has a sign for blanks that is no digit."""
    texts = [[cell.text for cell in row.cells] for row in rows]
    filled = [[text for text in row if text not in BLANKS] for row in texts]
    has_signs = any(text in BLANKS and text != "0" for row in texts for text in row)
    return not has_signs and any(len(set(row)) < len(row) for row in filled)


def _write_regions(board: Jigsaw) -> str:
    regions = [map(str, row) for row in board.regions]
    return text_of([str(board.size), *map(" ".join, [*written_rows(board, "0"), [], *regions])])


REGIONS = Codec(_read_regions, _write_regions)
MAP = Codec(_read_map)

# ---- Cells with numbers in their regions ---------------------------------------------------------------------------


def _read_numbered(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the size, clues as region, cell and value, ``-1``, and for each row the region and the number of its cells.

        4
        0 2 3
        3 1 1
        -1
        0 0  0 1  1 0  1 1
        0 2  0 3  2 0  1 2
        3 0  2 1  2 2  1 3
        3 1  3 2  3 3  2 3

    Regions, and cells in each, count from 0 if a cell has a 0, else from 1.
    """
    lines = [line.words() for line in text.filled_lines]
    at = next((i for i, words in enumerate(lines) if [word.text for word in words] == ["-1"]), None)
    if at is None:
        builder.stop("F604", (text.end, text.end), "expected -1 between the clues and the rows")
    rows = [[number(word.text) for word in words] for words in lines[at + 1 :]]
    first = 0 if any(0 in row for row in rows) else 1
    names = ("region", "cell", "value")
    size, span, clues = ClueReader(builder, lines[:at], False, first=first, names=names).read(lines[at][0].start)
    builder.check_size(span, MAX_SIZE, size)
    cell_of: dict[tuple[int, int], Cell] = {}
    for i, (words, row) in enumerate(zip(lines[at + 1 :], rows, strict=True), 1):
        numbers = [value + 1 - first for value in row if value is not None and 0 <= value - first < size]
        cells = {pair: Cell(i, j) for j, pair in enumerate(zip(numbers[::2], numbers[1::2], strict=False), 1)}
        if len(words) != 2 * size or len(cells) != size or not cells.keys().isdisjoint(cell_of):
            message = f"expected {size} other cells, each a region and a number from {first} to {first + size - 1}"
            builder.stop("F609", span_of(words), message)
        cell_of |= cells
    if len(rows) != size:
        builder.stop("F609", lines[-1][-1].span, f"expected {size} rows, found {len(rows)}")
    builder.reading = f"{len(clues)} clue{'s' * (len(clues) != 1)}, region, cell and value, counted from {first}"
    givens = [Given(*cell_of[clue.row, clue.column], clue.value, clue.span) for clue in clues]
    regions = [region for region, _ in cell_of]
    return builder.square(size, givens, span_of([*lines[at], *lines[-1]]), regions=_labels(regions, size))


NUMBERED = Codec(_read_numbered)

# ---- Andoku --------------------------------------------------------------------------------------------------------

_DIAGONALS = "X"


def _read_andoku(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a puzzle of the program Andoku: the cells, the region of each cell, and perhaps a letter for extra regions.

        12....4.........|1122133213324444

    The letter is a warning, for the puzzle is read without the extra regions. Without other regions the letter X makes
    a diagonal Sudoku.
    """
    line = text.piece.trimmed
    cells, *fields = line.fields("|") if line.text else [line]
    if not any(field.text for field in fields) or line.text.startswith("#"):
        builder.stop("F615", (text.end, text.end), "expected cells and regions")
    regions, *more = fields
    if more[1:]:
        builder.fault("F606", span_of(more[1:]), "unexpected text after the extra regions")
    extra = more[0].text if more else ""
    kind = Jigsaw.KIND if regions.text else Diagonal.KIND if extra == _DIAGONALS else ""
    expected = f"expected a {puzzle_class(builder.kind).NAME}, found"
    if not kind:
        builder.stop("F613", span_of(fields), f"{expected} the extra regions {extra} of Andoku, another puzzle")
    if kind != builder.kind:
        builder.stop("F613", span_of(fields), f"{expected} a {puzzle_class(kind).NAME}", misfit=True)
    size, starts = isqrt(len(cells.text)), cells.starts()
    builder.check_size(cells.span, MAX_CHARACTERS, size)
    for field, n_cells in ((cells, size**2), (regions, len(cells.text))):
        if len(field.text) != n_cells and field.text:
            builder.stop("F609", field.span, f"expected {n_cells:,} characters, found {len(field.text):,}")
    givens = character_givens(size, values_of(cells.text, starts, size, builder)[0], starts)
    if not regions.text:
        return builder.square(size, givens, cells.span)
    if extra:
        message = f"the extra regions '{extra}' are left out, and the puzzle may have more solutions"
        builder.fault("F616", more[0].span, message)
    labels = [VALUES.find(character) for character in regions.text.upper()]
    unknown = [piece for piece, label in zip(regions.characters(), labels, strict=True) if label < 0]
    report_unknown(unknown, "F610", builder, "the number of a region from 1 on, or a letter")
    return builder.square(size, givens, regions.span, regions=_labels(labels, size))


def _write_andoku(board: Jigsaw | Diagonal) -> str:
    regions = f"|{_DIAGONALS}"
    if isinstance(board, Jigsaw):
        regions = "".join([VALUES[region - 1] for row in board.regions for region in row])
    return f"{written_run(board)}|{regions}\n"


ANDOKU = Codec(_read_andoku, _write_andoku, max_size=MAX_CHARACTERS, is_by_line=True)

# ---- Lists of cages ------------------------------------------------------------------------------------------------

_CAGE_CELL = re.compile(r"[rR(][ \t]*([0-9]{1,2})[ \t]*[cC,][ \t]*([0-9]{1,2})\)?|([0-9])([0-9])")
_CAGE_WORD = re.compile(r"\([ \t]*[0-9]+[ \t]*,[ \t]*[0-9]+\)|[^ \t,;:=+]+")


def _read_cages(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read cages, one to a line: the total, and the cells, each as two digits for row and column or as ``r1c1``.

        7 00 01 10
        7 02 03
        6 11 21 20
        5 12 13
        10 22 23 32 33
        5 30 31

    Digits count from 0 if one is 0. The size, or rows of cells, can be above. The size is that of the board that the
    cages cover otherwise. The total can be last, as in ``(1,1) + (1,2) = 3``.
    """
    filled = _untitled(text)
    lines = [line.matches(_CAGE_WORD) for line in filled]
    for words in lines:
        if len(words) > 1 and words[0].text[0] in "rR(" and number(words[-1].text) is not None:  # the total is last
            words.insert(0, words.pop())
    are_cages = [len(words) > 1 and all(_CAGE_CELL.fullmatch(word.text) for word in words[1:]) for words in lines]
    n_heads = [*are_cages, True].index(True)
    heads, cages = filled[:n_heads], [words for words in lines[n_heads:] if words]
    if not cages:
        builder.stop("F604", (text.end, text.end), "expected a cage")
    first_number = number(heads[0].trimmed.text) if heads else None
    size_given = first_number if len(heads) in (1, (first_number or 0) + 1) else None
    n_cells = sum(len(words) - 1 for words in cages)
    size = size_given or len(heads) or isqrt(n_cells)
    span = heads[0].span if heads else (filled[0].span[0], filled[-1].span[1])
    if not heads and size**2 != n_cells:
        builder.stop("F604", cages[0][0].span, "expected the size of the board, or cages that cover it")
    builder.check_size(span, MAX_KILLER_SIZE, size)
    found = cages_of(cages, size, span, builder)
    rows = Rows(Shape(size, size, span), cells_of_rows(heads[size_given is not None :]), text.end)
    givens = NUMBERS.givens(rows.cells(builder), builder) if rows.rows else []
    return builder.square(size, givens, span, cages=found)


def cages_of(cages: Sequence[Sequence[Piece]], size: int, span: Span, builder: PuzzleBuilder) -> dict[Cage, Span]:
    """The cages of a board, whose place is ``span``; each has a word for its total, and one for each of its cells."""
    matches = [(word, _CAGE_CELL.fullmatch(word.text)) for words in cages for word in words[1:]]
    for word, *words in cages:
        if number(word.text) is None:
            builder.fault("F607", word.span, f"expected the total of a cage, found '{builder.shown(*word.span)}'")
        elif not words:
            builder.fault("F604", (word.end, word.end), "expected the cells of a cage after its total")
    report_unknown([word for word, match in matches if match is None], "F610", builder)
    builder.require_sound()
    digits = {int(digit) for _, match in matches if match and match[3] for digit in match[3] + match[4]}
    first = 0 if 0 in digits else 1
    if digits and digits.isdisjoint((0, size)):
        builder.stop("F610", cages[0][1].span, "rows and columns can count from 0 or from 1")
    cell_of: dict[Cell, Piece] = {}
    for word, match in matches:
        row, column = (int(match[i] or match[i + 2]) + 1 - (first if match[3] else 1) for i in (1, 2) if match)
        if not (1 <= row <= size and 1 <= column <= size):
            builder.fault("F603", word.span, f"expected a cell of a {size}x{size} board, found '{word.text}'")
        elif (earlier := cell_of.setdefault(Cell(row, column), word)) is not word:
            marks = [(*earlier.span, "in a cage here first")]
            builder.fault("F605", word.span, f"the cell at {Cell(row, column)} is in two cages", None, marks)
    builder.require_sound()
    cells = iter(cell_of)
    found = {Cage(number(words[0].text) or 0, tuple(next(cells) for _ in words[1:])): span_of(words) for words in cages}
    total, expected = sum(cage.total for cage in found), size * size * (size + 1) // 2
    if len(cell_of) == size**2 and total != expected:
        message = f"the totals of the cages add up to {total:,}, and the values of the board to {expected:,}"
        builder.fault("F608", span, message)
    builder.reading = f"{len(found)} cage{'s' * (len(found) != 1)}, total and cells, which are counted from {first}"
    return found


CAGES = Codec(_read_cages)

# ---- Signs that point to totals ------------------------------------------------------------------------------------

_ARROWS = {"<": (0, -1), "^": (-1, 0), ">": (0, 1), "v": (1, 0)}


def _read_arrows(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a killer Sudoku: a cell is the total of its cage, or a sign that points to another cell of the cage.

        3  <  7  <
        7  5  5  3
        ^  ^  ^  ^
        3  <  7  <

    Blank lines are skipped.
    """
    rows = rows_of(text.filled_lines)
    if not rows:
        builder.stop("F604", (text.end, text.end), "expected a row of totals and signs")
    shape = usual_square(rows)
    builder.check_size(shape.span, MAX_KILLER_SIZE, shape.n_rows)
    words = {Cell(row, column): word for row, column, word in Rows(shape, rows, text.end).cells(builder)}
    unknown = [word for word in words.values() if word.text not in _ARROWS and number(word.text) is None]
    report_unknown(unknown, "F610", builder)
    cages = _arrow_cages(words, builder) if builder.is_sound else {}
    return builder.square(shape.n_rows, (), shape.span, cages=cages)


def _arrow_cages(words: Mapping[Cell, Piece], builder: PuzzleBuilder) -> dict[Cage, Span]:
    cells_of: defaultdict[Cell, list[Cell]] = defaultdict(list)
    for cell, word in words.items():
        end, n_steps = cell, 0
        while end in words and words[end].text in _ARROWS and n_steps < len(words):
            down, across = _ARROWS[words[end].text]
            end, n_steps = Cell(end.row + down, end.column + across), n_steps + 1
        if end not in words or words[end].text in _ARROWS:
            builder.fault("F611", word.span, f"the sign at {cell} leads to no total")
        else:
            cells_of[end].append(cell)
    return {Cage(number(words[end].text) or 0, tuple(cells)): words[end].span for end, cells in cells_of.items()}


def _write_arrows(killer: Killer) -> str:
    """The rows; each sign points to a cell nearer to the first cell of the cage."""
    words: dict[Cell, str] = {}
    for cage in killer.cages:
        queue = [cage.cells[0]]
        words[queue[0]] = str(cage.total)
        for cell in queue:
            for sign, (down, across) in _ARROWS.items():
                other = Cell(cell.row - down, cell.column - across)
                if other in cage.cells and other not in words:
                    words[other] = sign
                    queue.append(other)
    if len(words) < killer.size**2:
        raise Unsuitable("the format has no cells outside cages, and no cages of cells that do not touch")
    width = len(str(max(cage.total for cage in killer.cages)))
    sides = range(1, killer.size + 1)
    return text_of([" ".join([words[Cell(row, column)].ljust(width) for column in sides]).rstrip() for row in sides])


ARROWS = Codec(_read_arrows, _write_arrows)
