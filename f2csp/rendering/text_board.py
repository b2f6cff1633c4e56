"""Boards as text: lines around regions, signs between cells, cages with their totals.

┌─────┬─────┐       . < .   4       ┏━━━┳━━━━━━━┳━━━┓
│ 1 . │ . . │       ∧               ┃ 8 │ 4 ┆   │ 3 ┃
│ . . │ 4 . │       .   . > .       ┃ . │ . ┆ . │ . ┃
├─────┼─────┤                       ┃   ├───────┤   ┃
│ . . │ . . │       .   .   .       ┃   │ 5 ┆   │   ┃
│ . . │ . 3 │                       ┃ . │ . ┆ . │ . ┃
└─────┴─────┘
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from f2csp.diagnostics.render import Style, plain
from f2csp.puzzles.puzzle import Cell, Labels, Layout, Puzzle

_BLANK = "."
_MARKED_BLANK = "?"

# What is drawn where lines meet, by the sum of their directions (up 1, right 2, down 4, left 8), for each weight.
_LINES = ("", " ╵╶└╷│┌├╴┘─┴┐┤┬┼", " ┆┄┼┆┆┼┼┄┼┄┼┼┼┼┼", " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋")
_ASCII_LINES = ("", " ++++|++++-+++++", " :':::::':':::::", " #########=#####")
_DASHED = 2  # the weight of the line where a region ends and a cage goes on
_SIGNS, _ASCII_SIGNS = "<>∧∨", "<>^v"  # the smaller cell is left, right, above, below

Texts = list[list[str]]


def board_text(
    puzzle: Puzzle,
    values: Sequence[Sequence[int | None]] | None = None,
    *,
    as_ascii: bool = False,
    marked: Collection[Cell] = (),
    style: Style = plain,
) -> str:
    """A board with its givens and the values found for the other cells; each line ends with a newline.

    A given takes precedence over a value of the solution. A blank among the marked cells is drawn as a question mark.
    ``style`` changes how a cell looks by its role: ``mark``, ``given``, or ``found``; a blank has none but ``mark``.
    """
    layout = puzzle.layout()
    width = max(len(str(number)) for number in (puzzle.values[-1], *layout.totals.values()))

    def cell_text(cell: Cell, given: int | None) -> str:
        found = values[cell.row - 1][cell.column - 1] if values is not None else None
        value = found if given is None else given
        role = "mark" if cell in marked else "found" if given is None else "given"
        blank = _MARKED_BLANK if role == "mark" else layout.blanks.get(cell, _BLANK)
        text = blank if value is None else str(value)
        return " " * (width - len(text)) + (text if value is None and role != "mark" else style(text, role))

    rows = enumerate(puzzle.grid(), 1)
    cells = [[cell_text(Cell(row, column), given) for column, given in enumerate(line, 1)] for row, line in rows]
    if layout.signs is not None:
        lines = _with_signs(layout.signs, cells, width, _ASCII_SIGNS if as_ascii else _SIGNS)
    elif layout.regions is not None:
        lines = _Frame(layout, layout.regions, width, as_ascii=as_ascii).lines(cells)
    else:
        lines = map(" ".join, cells)
    return "".join([f"{line.rstrip()}\n" for line in lines])


def _with_signs(signs: Sequence[tuple[Cell, Cell]], cells: Texts, width: int, symbols: str) -> Iterator[str]:
    """Lines of cells with the signs between them, and lines of the signs below them."""
    n_columns = len(cells[0])
    picture = [list(chain.from_iterable((text, " ") for text in row)) for row in cells]
    between = [[" " * width, " "] * n_columns for _ in cells]
    for smaller, greater in signs:
        row, column = min(smaller, greater)
        if smaller.row == greater.row:
            picture[row - 1][2 * column - 1] = symbols[smaller > greater]
        else:
            between[row - 1][2 * column - 2] = symbols[2 + (smaller > greater)].rjust(width)
    lines = chain.from_iterable(zip(picture, between, strict=True))
    yield from [" ".join(line) for line in lines][:-1]


class _Frame:
    """The lines around regions and cages.

    With cages, a line is heavy where a region and a cage end, light where only a cage does, dashed where only a region.
    """

    def __init__(self, layout: Layout, regions: Labels, width: int, *, as_ascii: bool) -> None:
        self._totals = layout.totals
        self._width = width
        self._symbols = _ASCII_LINES if as_ascii else _LINES
        levels = [regions] if layout.cages is None else [layout.cages, regions]
        # The weights of the lines on the left and on the upper side of each cell, and at the end of the board.
        self._left = [_sides([level[row] for level in levels]) for row in range(len(regions))]
        columns = [[list(column) for column in zip(*level, strict=True)] for level in levels]
        upper = [_sides([level[column] for level in columns]) for column in range(len(regions[0]))]
        self._upper = [list(row) for row in zip(*upper, strict=True)]
        self._has_line = [any(column) for column in zip(*self._left, strict=True)]

    def lines(self, cells: Texts) -> Iterator[str]:
        """The rows of cells between the lines."""
        for row, texts in enumerate(cells):
            if any(self._upper[row]):
                yield self._rule(row)
            totals = [self._totals.get(Cell(row + 1, column)) for column in range(1, len(texts) + 1)]
            if any(total is not None for total in totals):
                yield self._row(row, ["" if total is None else str(total) for total in totals])
            yield self._row(row, texts)
        yield self._rule(len(cells))

    def _row(self, row: int, texts: Sequence[str]) -> str:
        """A row of cells and the lines beside them."""
        parts = []
        for column, text in enumerate([*texts, ""]):
            if self._has_line[column]:
                weight = self._left[row][column]
                parts.append((" " if column else "") + self._symbol([weight, 0, weight, 0]) + " ")
            else:
                parts.append(" ")
            parts.append(text.ljust(self._width))
        return "".join(parts)

    def _rule(self, row: int) -> str:
        """The lines above a row of cells."""
        parts = []
        upper = [0, *self._upper[row], 0]  # of the cells, and of what is beside the board
        for column, has_line in enumerate(self._has_line):
            up = self._left[row - 1][column] if row else 0
            down = self._left[row][column] if row < len(self._left) else 0
            left, right = upper[column : column + 2]
            before = self._symbol([0, left, 0, left]) if has_line and column else ""
            after = self._symbol([0, right, 0, right])
            crossing = self._symbol([up, right, down, left])
            parts.append(before + crossing + after * (has_line + self._width))
        return "".join(parts)

    def _symbol(self, weights: Sequence[int]) -> str:
        """What is drawn where lines of these weights go up, right, down and left; dashed lines end at others."""
        solid = [0 if weight == _DASHED else weight for weight in weights]
        drawn = solid if any(solid) else weights
        return self._symbols[max(drawn) or 1][sum(1 << direction for direction, weight in enumerate(drawn) if weight)]


def _sides(levels: Sequence[Sequence[int]]) -> list[int]:
    """The weights of the lines before, between and after cells in a line: 0 for none; the sum of the levels that end.

    The levels are the labels of the cells in cages (1) and in regions (2), or in regions alone (1).
    """
    neighbours = range(1, len(levels[0]))
    weights = [sum(1 << i for i, labels in enumerate(levels) if labels[at - 1] != labels[at]) for at in neighbours]
    outer = (1 << len(levels)) - 1
    return [outer, *weights, outer]
