"""Jigsaw Sudokus with a grid of regions, and killer Sudokus as signs that point to the totals of the cages."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import isqrt

from f2csp.boards.cell_rows import NUMBERS, Rows, Shape, Symbols, report_unknown, rows_of, usual, written_rows
from f2csp.boards.cell_runs import MAX_SIZE as MAX_CHARACTERS
from f2csp.boards.cell_runs import VALUES, values_of, written_run
from f2csp.boards.pieces import Piece, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, Unreadable, character_givens, text_of
from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import MAX_KILLER_SIZE, Cage, Killer
from f2csp.puzzles.puzzle import Cell, Labels, Puzzle
from f2csp.puzzles.squares import MAX_SIZE

# ---- Rows of numbers, and rows of regions --------------------------------------------------------------------------

_REGIONS = Symbols(frozenset(), "write the number of the region of each cell")


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
    size, span = builder.size_line(lines, text.end, MAX_SIZE)
    shape = Shape(size, size, span)
    boards = [Rows(shape, rows_of(rows), text.end) for rows in (lines[1 : size + 1], lines[size + 1 :])]
    for board in boards:
        board.check_length(builder)
    cells, regions = (board.cells(builder) for board in boards)
    givens = NUMBERS.givens(cells, builder)
    labels = _labels([region.value for region in _REGIONS.givens(regions, builder)], size)
    if not builder.is_sound:
        raise Unreadable
    return builder.square(size, givens, span_of(lines[size + 1 :]), regions=labels)


def _labels(regions: Sequence[int], size: int) -> Labels:
    return tuple(tuple(regions[start : start + size]) for start in range(0, len(regions), size))


def _write_regions(jigsaw: Jigsaw) -> str:
    regions = [map(str, row) for row in jigsaw.regions]
    return text_of([str(jigsaw.size), *map(" ".join, [*written_rows(jigsaw, "0"), [], *regions])])


REGIONS = Codec(_read_regions, _write_regions)

# ---- Andoku --------------------------------------------------------------------------------------------------------

_FIELD = re.compile(r"[^|]+")
_ANY = re.compile(r"(?s:.)")
_MIN_CELLS = 15


def _read_andoku(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a puzzle of the program Andoku: the cells, the region of each cell, and perhaps a letter for extra regions.

        12....4.........|1122133213324444

    The letter is a warning, for the puzzle is read without the extra regions.
    """
    line = text.piece.trimmed
    fields = line.matches(_FIELD)
    if len(fields) < 2 or line.text.startswith("#"):
        hint = "write the cells, a bar, and the region of each cell on a line"
        builder.stop("F615", (text.end, text.end), "expected cells and regions", hint)
    cells, regions, *more = fields
    size = isqrt(len(cells.text))
    builder.check_size(cells.span, MAX_CHARACTERS, size)
    for field, n_cells in ((cells, size**2), (regions, len(cells.text))):
        if len(field.text) != n_cells:
            builder.stop("F609", field.span, f"expected {n_cells:,} characters, found {len(field.text):,}")
    if more:
        message = f"the extra regions '{more[0].text}' are left out, and the puzzle may have more solutions"
        builder.fault("F616", more[0].span, message)
    values, _ = values_of(cells.text, cells.starts(), size, builder)
    givens = character_givens(size, values, cells.starts())
    labels = [VALUES.find(character) for character in regions.text.upper()]
    unknown = [piece for piece, label in zip(regions.matches(_ANY), labels, strict=True) if label < 0]
    report_unknown(unknown, "F610", "write the number of a region from 1 on, or a letter", builder)
    return builder.square(size, givens, regions.span, regions=_labels(labels, size))


def _write_andoku(jigsaw: Jigsaw) -> str:
    regions = [VALUES[region - 1] for row in jigsaw.regions for region in row]
    return f"{written_run(jigsaw)}|{''.join(regions)}\n"


ANDOKU = Codec(_read_andoku, _write_andoku, max_size=MAX_CHARACTERS, is_by_line=True)

# ---- Signs that point to totals ------------------------------------------------------------------------------------

_ARROWS = {"<": (0, -1), "^": (-1, 0), ">": (0, 1), "v": (1, 0)}
_ARROWS_HINT = "write the total of a cage, or one of < ^ > v that points to a cell of the same cage"


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
        builder.stop("F604", (text.end, text.end), "expected a row of totals and signs", _ARROWS_HINT)
    size = usual(len(row.cells) for row in rows)
    shape = Shape(size, size, rows[0].span)
    builder.check_size(shape.span, MAX_KILLER_SIZE, size)
    words = {Cell(row, column): word for row, column, word in Rows(shape, rows, text.end).cells(builder)}
    unknown = [word for word in words.values() if word.text not in _ARROWS and number(word.text) is None]
    report_unknown(unknown, "F610", _ARROWS_HINT, builder)
    cages = _arrow_cages(words, builder) if builder.is_sound else ()
    return builder.square(size, (), shape.span, cages=cages)


def _arrow_cages(words: Mapping[Cell, Piece], builder: PuzzleBuilder) -> tuple[Cage, ...]:
    cells_of: defaultdict[Cell, list[Cell]] = defaultdict(list)
    for cell, word in words.items():
        end, n_steps = cell, 0
        while end in words and words[end].text in _ARROWS and n_steps < len(words):
            down, across = _ARROWS[words[end].text]
            end, n_steps = Cell(end.row + down, end.column + across), n_steps + 1
        if end not in words or words[end].text in _ARROWS:
            builder.fault("F611", word.span, f"the sign at {cell} leads to no total", hint=_ARROWS_HINT)
        else:
            cells_of[end].append(cell)
    return tuple(Cage(number(words[end].text) or 0, tuple(cells)) for end, cells in cells_of.items())


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
    if killer.clues or len(words) < killer.size**2:
        raise Unsuitable("the format has no givens, no cells outside cages, and no cages of cells that do not touch")
    width = len(str(max(cage.total for cage in killer.cages)))
    sides = range(1, killer.size + 1)
    return text_of([" ".join([words[Cell(row, column)].ljust(width) for column in sides]).rstrip() for row in sides])


ARROWS = Codec(_read_arrows, _write_arrows, has_boxes=False)
