"""Boards as text: lines around regions, signs between cells, cages with their totals.

┌─────┬─────┐       . < .   4       ┏━━━┳━━━━━━━┳━━━┓
│ 1 . │ . . │       ∧               ┃ 8 │ 4 ┆   │ 3 ┃
│ . . │ 4 . │       .   . > .       ┃ . │ . ┆ . │ . ┃
├─────┼─────┤                       ┃   ├───────┤   ┃
│ . . │ . . │       .   .   .       ┃   │ 5 ┆   │   ┃
│ . . │ . 3 │                       ┃ . │ . ┆ . │ . ┃
└─────┴─────┘
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from string import ascii_lowercase, ascii_uppercase, digits

from f2csp.diagnostics.render import Style, plain
from f2csp.model import HasSolution, Problem, Value, assignment_of
from f2csp.puzzles.puzzle import Cell, Labels, Layout, Puzzle, Rim
from f2csp.puzzles.recognise import recognise

_BLANK = "."
_MARKED_BLANK = "?"
_UNKNOWN = "?"  # a blank where a dot is a value
_BLOCK = "#"

# What is drawn where lines meet, by the sum of their directions (up 1, right 2, down 4, left 8), for each weight.
_LINES = ("", " ╵╶└╷│┌├╴┘─┴┐┤┬┼", " ┆┄┼┆┆┼┼┄┼┄┼┼┼┼┼", " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋")
_ASCII_LINES = ("", " ++++|++++-+++++", " :':::::':':::::", " #########=#####")
_DASHED = 2  # the weight of the line where a region ends and a cage goes on
_ONE_CHARACTER = digits + ascii_uppercase + ascii_lowercase  # the values from 0 on
_SIGNS, _ASCII_SIGNS = "<>∧∨", "<>^v"  # the smaller cell is left, right, above, below

Texts = list[list[str]]
Lines = Iterator[tuple[int | None, str]]  # each with the number of its row of cells


def board(
    problem: Problem | Puzzle, solution: Mapping[str, Value] | HasSolution | None = None, *, as_ascii: bool = False
) -> str:
    """The board of a puzzle, or of a problem that encodes one, as text.

    Args:
        problem: the problem or the puzzle.
        solution: the values of the other cells by the names of their variables, or a result of ``solve``.
        as_ascii: draw with ASCII characters only.

    Raises:
        Unsuitable: the problem encodes no puzzle.
        ProblemError: the result has no solution.

    Example:
        >>> from f2csp.puzzles.latin import LatinSquare
        >>> print(board(LatinSquare(2), {"V1-1": 2, "V1-2": 1}), end="")
        2 1
        . .
    """
    puzzle = problem if isinstance(problem, Puzzle) else recognise(problem)
    values = None if solution is None else puzzle.grid_of(assignment_of(solution))
    return board_text(puzzle, values, as_ascii=as_ascii)


def board_text(
    puzzle: Puzzle,
    values: Sequence[Sequence[int | None]] | None = None,
    *,
    as_ascii: bool = False,
    has_numbers: bool = False,
    is_compact: bool = False,
    marked: Collection[Cell] = (),
    mark: str = " ",
    style: Style = plain,
) -> str:
    """A board with its givens and the values found for the other cells; each line ends with a newline.

    Args:
        puzzle: the board and its givens, which take precedence over the values.
        values: those found.
        as_ascii: draw with ASCII characters only.
        has_numbers: number the rows and columns.
        is_compact: draw a value as one of 0-9, A-Z, a-z, if they suffice, without blanks between cells.
        marked: the cells with the role ``mark``; a blank among them is drawn as a question mark.
        mark: what follows a value found in a marked cell.
        style: changes the look of a text by its role: ``mark``, ``given``, ``found``, ``number`` of rows and columns; a
            blank has none but ``mark``.
    """
    layout = puzzle.layout()
    is_compact = is_compact and not layout.totals and not layout.blocks and puzzle.values[-1] < len(_ONE_CHARACTER)
    gap = "" if is_compact and layout.signs is None else " "
    rim = layout.rim or Rim()
    above = chain(*rim.top, *rim.bottom)
    words = (puzzle.word(puzzle.values[-1]), *layout.totals.values(), *layout.blocks.values(), *map(str, above))
    width = 1 if is_compact and layout.rim is None else max(map(len, words))

    def cell_text(cell: Cell, given: int | None) -> str:
        found = values[cell.row - 1][cell.column - 1] if values is not None else None
        value = found if given is None else given
        role = "mark" if cell in marked else "found" if given is None else "given"
        if value is None:
            if cell in layout.blocks:
                return (layout.blocks[cell] or _BLOCK).rjust(width) + gap
            blank = _MARKED_BLANK if role == "mark" else layout.blanks.get(cell, _UNKNOWN if puzzle.SYMBOLS else _BLANK)
            return " " * (width - 1) + (style(blank, role) if role == "mark" else blank) + gap
        text = _ONE_CHARACTER[value] if is_compact and not puzzle.SYMBOLS else puzzle.word(value)
        after = mark if gap and role == "mark" and given is None else gap
        return " " * (width - len(text)) + style(text, role) + after

    grid = enumerate(puzzle.grid(), 1)
    cells = [[cell_text(Cell(i, j), given) for j, given in enumerate(line, 1)] for i, line in grid]
    row: Callable[[Sequence[str]], str]
    drawn: Lines
    if layout.regions is not None:
        frame = _Frame(layout, layout.regions, width, gap, as_ascii=as_ascii)
        row, drawn = frame.row, frame.lines(cells)
    elif layout.signs is not None:
        row, drawn = "  ".join, _lines_with_signs(cells, layout.signs, width, _ASCII_SIGNS if as_ascii else _SIGNS)
    else:
        row, drawn = "".join, ((number, "".join(texts)) for number, texts in enumerate(cells, 1))
    if layout.rim is not None:
        drawn = _lines_with_rim(drawn, layout.rim, width, gap)
    lines = [(number, line.rstrip()) for number, line in drawn]
    if has_numbers:
        headings = [row(texts).rstrip() for texts in _column_numbers(len(cells[0]), width, gap)]
        margin = len(str(len(cells)))
        lines = [(None, style(heading, "number")) for heading in headings] + lines
        numbers = [" " * margin if number is None else style(f"{number:{margin}}", "number") for number, _ in lines]
        return "".join([f"{number} {line}".rstrip() + "\n" for number, (_, line) in zip(numbers, lines, strict=True)])
    return "".join([f"{line}\n" for _, line in lines])


def _lines_with_rim(rows: Lines, rim: Rim, width: int, gap: str) -> Lines:
    """The rows of cells with the numbers around them: those above and below the columns on lines of their own."""
    left = [" ".join(map(str, numbers)) for numbers in rim.left]
    margin = max(map(len, left), default=0) + 1

    def columns(numbers: Sequence[Sequence[int]], *, is_above: bool) -> Lines:
        depth = max(map(len, numbers), default=0)
        for i in range(depth):
            at = [i - depth + len(column) if is_above else i for column in numbers]
            texts = [str(column[k]) if 0 <= k < len(column) else "" for column, k in zip(numbers, at, strict=True)]
            yield None, " " * margin + "".join([text.rjust(width) + gap for text in texts])

    yield from columns(rim.top, is_above=True)
    for number, line in rows:
        right = " ".join(map(str, rim.right[number - 1])) if number and rim.right else ""
        yield number, f"{left[(number or 1) - 1]:>{margin - 1}} {line}{right}"
    yield from columns(rim.bottom, is_above=False)


def _column_numbers(n: int, width: int, gap: str) -> Texts:
    """The lines of the column numbers; their digits are below each other where a cell is narrower than a number."""
    longest = len(str(n))
    numbers = [str(column).rjust(longest) for column in range(1, n + 1)]
    lines = [numbers] if longest <= width else [list(digits) for digits in zip(*numbers, strict=True)]
    return [[text.rjust(width) + gap for text in line] for line in lines]


def _lines_with_signs(cells: Texts, signs: Sequence[tuple[Cell, Cell]], width: int, symbols: str) -> Lines:
    """The rows of cells, with signs between the cells and on lines of their own."""
    beside = [["  "] * len(cells[0]) for _ in cells]
    below = [[" " * (width + 3)] * len(cells[0]) for _ in cells]
    for smaller, greater in signs:
        row, column = min(smaller, greater)
        if smaller.row == greater.row:
            beside[row - 1][column - 1] = f"{symbols[smaller > greater]} "
        else:
            below[row - 1][column - 1] = symbols[2 + (smaller > greater)].rjust(width) + "   "
    for number, texts in enumerate(cells, 1):
        yield number, "".join([text + sign for text, sign in zip(texts, beside[number - 1], strict=True)])
        if number < len(cells):
            yield None, "".join(below[number - 1])


class _Frame:
    """The lines around regions and cages.

    With cages, a line is heavy where a region and a cage end, light where only a cage does, dashed where only a region.
    """

    def __init__(self, layout: Layout, regions: Labels, width: int, gap: str, *, as_ascii: bool) -> None:
        self._totals = layout.totals
        self._width = width
        self._gap = gap
        self._symbols = _ASCII_LINES if as_ascii else _LINES
        levels = [regions] if layout.cages is None else [layout.cages, regions]
        # The weights of the lines on the left and on the upper side of each cell, and at the end of the board.
        self._left = [_sides([level[row] for level in levels]) for row in range(len(regions))]
        columns = [[list(column) for column in zip(*level, strict=True)] for level in levels]
        upper = [_sides([level[column] for level in columns]) for column in range(len(regions[0]))]
        self._upper = [list(row) for row in zip(*upper, strict=True)]
        self._has_line = [any(column) for column in zip(*self._left, strict=True)]

    def lines(self, cells: Texts) -> Lines:
        for row, texts in enumerate(cells):
            if any(self._upper[row]):
                yield None, self._rule(row)
            totals = [self._totals.get(Cell(row + 1, column)) for column in range(1, len(texts) + 1)]
            if any(total is not None for total in totals):
                numbers = ["" if total is None else str(total) for total in totals]
                yield None, self.row([number.ljust(self._width) + self._gap for number in numbers], self._left[row])
            yield row + 1, self.row(texts, self._left[row])
        yield None, self._rule(len(cells))

    def row(self, texts: Sequence[str], weights: Sequence[int] | None = None) -> str:
        parts = []
        for column, text in enumerate([*texts, ""]):
            if self._has_line[column]:
                weight = weights[column] if weights else 0
                parts.append(self._symbol([weight, 0, weight, 0]) + self._gap)
            parts.append(text)
        return "".join(parts)

    def _rule(self, row: int) -> str:
        parts = []
        upper = [0, *self._upper[row], 0]  # of the cells, and of what is beside the board
        for column, has_line in enumerate(self._has_line):
            up = self._left[row - 1][column] if row else 0
            down = self._left[row][column] if row < len(self._left) else 0
            left, right = upper[column : column + 2]
            along = self._symbol([0, right, 0, right])
            if has_line:
                parts.append(self._symbol([up, right, down, left]) + along * len(self._gap))
            parts.append(along * (self._width + len(self._gap)))
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
