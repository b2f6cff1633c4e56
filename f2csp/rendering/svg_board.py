"""Boards as SVG, as on a worksheet: heavy lines around regions, dashed ones around cages, signs between cells.

The givens are bold, the values found are lighter, candidates are small. A worksheet has several puzzles on each page,
and their solutions on the last one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import ceil, sqrt
from typing import NamedTuple

from f2csp.diagnostics import Unsuitable
from f2csp.model import HasSolution, Problem, Value, assignment_of
from f2csp.puzzles.puzzle import Cell, Grid, Labels, Layout, Puzzle, Rim, cell_of
from f2csp.puzzles.recognise import recognise
from f2csp.puzzles.to_problem import to_problem
from f2csp.rendering.pictures import Picture, escaped, line_path
from f2csp.search import Counters, network_of
from f2csp.search.propagation import ArcConsistency
from f2csp.solving.questions import solve
from f2csp.solving.search_run import Result, Status

Candidates = Mapping[Cell, Sequence[int]]

_MARGIN = 8
_CELL = 40
_GAP = 24  # between the cells of a board with signs
_INSET = 4  # of the outline of a cage
_TOTAL_HEIGHT = 10
_FILLED = "#"  # the word that is drawn as a dark cell
_RIM = 16  # the size of the numbers around a board
_DIGIT_WIDTH = 0.6  # of the size of a font
_CAP_HEIGHT = 0.72
_VALUE_SIZES = (0.6, 0.5, 0.36)  # of a cell, by the number of digits
_MAX_SHOWN_CANDIDATES = 16  # in a cell of a picture for scripts
_SHEET_WIDTH, _SHEET_HEIGHT = 794, 1123  # of A4, in pixels
_SHEET_MARGIN = 57
_SHEET_HEADING = 30  # the height of a line of text
_SPACE = 20  # between boards
_MIN_SOLUTIONS = 24  # on a page
_SECONDS = 10.0  # the time limit for each puzzle
_INK, _FOUND, _FAINT, _CAGE, _MARK = "#000", "#3567a8", "#bbb", "#777", "#fcc"


def svg_board(
    problem: Problem | Puzzle, solution: Mapping[str, Value] | HasSolution | None = None, *, candidates: bool = False
) -> str:
    """The board of a puzzle, or of a problem that encodes one, as SVG.

    Args:
        problem: the problem or the puzzle.
        solution: the values of the other cells by the names of their variables, or a result of ``solve``.
        candidates: show the values that arc consistency leaves in cells without a value.

    Raises:
        Unsuitable: the problem encodes no puzzle, or arc consistency leaves no value for a cell.
        ProblemError: the result has no solution.

    Example:
        >>> from f2csp.puzzles.latin import LatinSquare
        >>> svg_board(LatinSquare(2), {"V1-1": 2}).count("<text")
        1
    """
    puzzle = problem if isinstance(problem, Puzzle) else recognise(problem)
    values = None if solution is None else puzzle.grid_of(assignment_of(solution))
    return board_picture(puzzle, values, candidates_of(puzzle, values) if candidates else None).svg()


def notebook_board(content: object) -> str | None:
    """The board of a problem, a puzzle or a result as SVG; None if there is none, or no solution to draw on it."""
    solution = content if isinstance(content, Result) else None
    drawn = content.problem if isinstance(content, Result) else content
    if not isinstance(drawn, (Problem, Puzzle)) or (solution is not None and not solution.solutions):
        return None
    try:
        return svg_board(drawn, solution)
    except Unsuitable:
        return None


def candidates_of(puzzle: Puzzle, values: Sequence[Sequence[int | None]] | None = None) -> Candidates:
    """The values that (generalised) arc consistency leaves for each cell; raises Unsuitable if a variable has none."""
    problem = to_problem(puzzle)
    found = {
        Cell(row, column).variable: puzzle.word(value)
        for row, lines in enumerate(zip(puzzle.grid(), values or (), strict=False), 1)
        for column, (given, value) in enumerate(zip(*lines, strict=True), 1)
        if given is None and value is not None
    }
    if found:
        problem = problem.restricted(found)
    network = network_of(problem)
    propagation = ArcConsistency(network, list(network.domains), Counters())
    if not propagation.establish():
        name = network.names[propagation.wiped_out]
        raise Unsuitable(f"there is no solution: arc consistency leaves no value for {cell_of(name) or name}")
    value_of = {puzzle.word(value): value for value in puzzle.values}
    left: dict[Cell, list[int]] = {}
    for name, words, domain in zip(network.names, network.values, propagation.domains, strict=True):
        if cell := cell_of(name):
            left[cell] = [value_of[problem.words[word]] for bit, word in enumerate(words) if domain >> bit & 1]
    return left


def board_picture(
    puzzle: Puzzle,
    values: Sequence[Sequence[int | None]] | None = None,
    candidates: Candidates | None = None,
    marked: Collection[Cell] = (),
) -> Picture:
    """The picture of a board; candidates are shown in cells without a value, marked cells have a coloured ground."""
    drawing = _Drawing(puzzle, has_candidates=candidates is not None)
    parts = [*drawing.grounds(marked), *drawing.lines(), *drawing.texts(values, candidates or {})]
    return drawing.picture(puzzle.title, parts)


def cells_picture(puzzle: Puzzle, marked: Collection[Cell] = ()) -> Picture:
    """The board with its givens, and with a group ``data-variable`` for each cell, where a script can show values.

    A cell without a given has a ``large`` text for the value and, on boards of up to 16 values, ``small`` candidates.
    """
    has_candidates = len(puzzle.values) <= _MAX_SHOWN_CANDIDATES
    drawing = _Drawing(puzzle, has_candidates=has_candidates)
    look = f'font-size="{_TOTAL_HEIGHT}" text-anchor="middle" fill="{_CAGE}"'
    cells = "".join(drawing.cells(has_candidates=has_candidates))
    parts = [*drawing.grounds(marked), f"<g {look}>\n{cells}</g>\n", *drawing.lines(), drawing.totals()]
    return drawing.picture(puzzle.title, parts)


class CellGeometry(NamedTuple):
    """Where the cells of a picture are: the corner of the first, from one to the next, and the size of each."""

    x: int
    y: int
    pitch: int
    size: int


def cell_geometry(puzzle: Puzzle, *, candidates: bool = False) -> CellGeometry:
    """Where :func:`svg_board` draws the cells, for programs that put something on them."""
    return _Drawing(puzzle, has_candidates=candidates).geometry()


class _Drawing:
    def __init__(self, puzzle: Puzzle, *, has_candidates: bool) -> None:
        self._puzzle = puzzle
        self._layout: Layout = puzzle.layout()
        numbers = [number for side in self._layout.rim or () for line in side for number in line]
        self._digits = max(len(puzzle.word(puzzle.values[-1])), len(str(max(numbers, default=0))))
        self._total_height = _INSET + _TOTAL_HEIGHT if self._layout.totals else 0
        self._padding = 3 if self._layout.cages is None else 3 + _INSET  # around candidates
        self._slots = ceil(sqrt(len(puzzle.values)))  # for candidates, in a line of a cell
        wanted = self._slots * (6 * self._digits + 6) + self._padding + max(self._padding, self._total_height)
        self._cell = max(_CELL, wanted) if has_candidates else _CELL
        self._value_size = self._cell * _VALUE_SIZES[self._digits - 1]
        self._gap = 0 if self._layout.signs is None else _GAP
        self._pitch = self._cell + self._gap
        self._end = (puzzle.n_columns * self._pitch - self._gap, puzzle.n_rows * self._pitch - self._gap)

    def picture(self, title: str, parts: Sequence[str]) -> Picture:
        """The picture of these parts, within the numbers of the rim."""
        width, height = (end + 2 * _MARGIN + 1 for end in self._end)
        rim = self._layout.rim
        if rim is None:
            return Picture(title, width, height, "".join(parts))
        across, above = self.around(rim)
        moved = f'<g transform="translate({across[0]} {above[0]})">\n{"".join(parts)}{self._rim(rim)}</g>\n'
        return Picture(title, width + sum(across), height + sum(above), moved)

    def around(self, rim: Rim) -> tuple[list[int], list[int]]:
        """The widths of the numbers left and right of the board, and their heights above and below it."""
        across = [max(map(len, side), default=0) * (_RIM * self._digits + 4) for side in (rim.left, rim.right)]
        above = [max(map(len, side), default=0) * (_RIM + 4) for side in (rim.top, rim.bottom)]
        return across, above

    def geometry(self) -> CellGeometry:
        """Where the cells are."""
        rim = self._layout.rim
        (left, _), (top, _) = self.around(rim) if rim else ((0, 0), (0, 0))
        return CellGeometry(_MARGIN + left, _MARGIN + top, self._pitch, self._cell)

    def _rim(self, rim: Rim) -> str:
        """The numbers around the board, the nearest ones next to it."""
        (right, bottom), half, step = self._end, self._cell / 2, _RIM * self._digits + 4
        texts = []
        for i in range(max(self._puzzle.n_rows, self._puzzle.n_columns)):
            at = _MARGIN + i * self._pitch + half
            for side, x, y, across, down in (
                (rim.top, at, 2, 0, -1),
                (rim.bottom, at, bottom + 2 * _MARGIN + _RIM, 0, 1),
                (rim.left, -step / 2 + _MARGIN / 2, at + _RIM * _CAP_HEIGHT / 2, -1, 0),
                (rim.right, right + 1.5 * _MARGIN + step / 2, at + _RIM * _CAP_HEIGHT / 2, 1, 0),
            ):
                numbers = side[i] if i < len(side) else ()
                for place, number in enumerate(numbers if across + down > 0 else numbers[::-1]):
                    where = f'x="{x + across * place * step:g}" y="{y + down * place * (_RIM + 4):g}"'
                    texts.append(f"<text {where}>{number}</text>\n")
        return _group(texts, f'font-size="{_RIM}" text-anchor="middle" fill="{_INK}"')

    def _corner(self, cell: Cell) -> tuple[int, int]:
        return _MARGIN + (cell.column - 1) * self._pitch, _MARGIN + (cell.row - 1) * self._pitch

    def grounds(self, marked: Collection[Cell]) -> Iterator[str]:
        """What is behind the lines: the ground of marked cells, and lines through cells such as diagonals."""
        yield from (self._ground(cell, _MARK) for cell in sorted(marked))
        size = self._cell
        for cell, text in self._layout.blocks.items():
            (x, y), (down, _, across) = self._corner(cell), text.partition("\\")
            yield self._ground(cell, _INK)
            if text:
                yield line_path(f"M{x} {y}l{size} {size}", _FAINT)
                sums = f'<text x="{x + 12}" y="{y + size - 5}">{down}</text>'
                sums += f'<text x="{x + size - 12}" y="{y + 15}">{across}</text>\n'
                yield _group([sums], 'font-size="13" text-anchor="middle" fill="#fff"')
        through = []
        for cell, symbol in self._layout.blanks.items():
            x, y = self._corner(cell)
            through += [f"M{x} {y}l{size} {size}"] if symbol in "\\X" else []
            through += [f"M{x} {y + size}l{size} -{size}"] if symbol in "/X" else []
        yield line_path("".join(through), _FAINT)

    def lines(self) -> Iterator[str]:
        """The lines between and around cells, and the signs."""
        (right, bottom), size = self._end, self._cell
        columns, rows = range(1, self._puzzle.n_columns + 1), range(1, self._puzzle.n_rows + 1)
        if self._layout.signs is not None:
            corners = [self._corner(Cell(row, column)) for row in rows for column in columns]
            yield line_path("".join([f"M{x} {y}h{size}v{size}h-{size}z" for x, y in corners]), _INK)
            yield line_path("".join(map(self._sign, self._layout.signs)), _INK, 2, ' stroke-linecap="round"')
            return
        inner = [f"M{_MARGIN + x} {_MARGIN}v{bottom}" for x in range(size, right, size)]
        inner += [f"M{_MARGIN} {_MARGIN + y}h{right}" for y in range(size, bottom, size)]
        yield line_path("".join(inner), _FAINT if self._layout.cages else _CAGE)
        if self._layout.cages is not None:
            yield line_path("".join(_outlines(self._layout.cages, size)), _CAGE, 1, ' stroke-dasharray="4 2"')
        heavy = "".join(_borders(self._layout.regions or (), size))
        frame = f"M{_MARGIN} {_MARGIN}h{right}v{bottom}h-{right}z"
        yield line_path(heavy + frame, _INK, 3, ' stroke-linecap="square"')

    def _sign(self, cells: tuple[Cell, Cell]) -> str:
        """The sign between two cells, with its point at the smaller one."""
        smaller, greater = cells
        down, across = greater.row - smaller.row, greater.column - smaller.column
        (x, y), (other_x, other_y) = self._corner(smaller), self._corner(greater)
        x, y = (x + other_x + self._cell) // 2, (y + other_y + self._cell) // 2
        ends = [(x + 4 * across + 6 * down * side, y + 4 * down + 6 * across * side) for side in (-1, 1)]
        (x1, y1), (x2, y2) = ends
        return f"M{x1} {y1}L{x - 4 * across} {y - 4 * down}L{x2} {y2}"

    def totals(self) -> str:
        totals = []
        for cell, total in self._layout.totals.items():
            x, y = self._corner(cell)
            width = ceil(len(str(total)) * _TOTAL_HEIGHT * _DIGIT_WIDTH) + 3
            totals.append(f'<rect x="{x + 2}" y="{y + 2}" width="{width}" height="{_TOTAL_HEIGHT + 1}" fill="#fff"/>')
            totals.append(f'<text x="{x + 3}" y="{y + 11}">{total}</text>\n')
        return _group(totals, f'font-size="{_TOTAL_HEIGHT}" fill="{_INK}"')

    def texts(self, values: Sequence[Sequence[int | None]] | None, candidates: Candidates) -> Iterator[str]:
        """The totals of cages, the givens, the values found and the candidates."""
        yield self.totals()
        givens: Grid = self._puzzle.grid()
        given: list[str] = []
        found: list[str] = []
        small: defaultdict[float, list[tuple[float, str]]] = defaultdict(list)  # digits and where they are, by line
        for row, line in enumerate(givens, 1):
            for column, value in enumerate(line, 1):
                cell = Cell(row, column)
                other = None if values is None else values[row - 1][column - 1]
                if value is not None:
                    given.append(self._value(cell, value))
                elif other is not None:
                    found.append(self._value(cell, other))
                else:
                    for centre, base, candidate in self._small(cell, candidates.get(cell, ())):
                        small[base] += _digits(centre, candidate)
        size = f'font-size="{self._value_size:g}" text-anchor="middle"'
        yield _group(given, f'{size} font-weight="bold" fill="{_INK}"')
        yield _group(found, f'{size} fill="{_FOUND}"')
        lines = []
        for base, placed in small.items():  # an element for each candidate would make large boards slow to show
            places, digits = " ".join([f"{x:g}" for x, _ in placed]), "".join([digit for _, digit in placed])
            lines.append(f'<text y="{base:g}" x="{places}">{digits}</text>\n')
        yield _group(lines, f'font-size="{_TOTAL_HEIGHT}" fill="{_CAGE}"')

    def cells(self, *, has_candidates: bool) -> Iterator[str]:
        """The cells one by one, with their grounds: the givens, and texts for the values of the others."""
        for row, line in enumerate(self._puzzle.grid(), 1):
            for column, value in enumerate(line, 1):
                cell = Cell(row, column)
                look = f'font-size="{self._value_size:g}" fill="{_FOUND}" class="large"'
                look = look if value is None else f'font-size="{self._value_size:g}" font-weight="bold" fill="{_INK}"'
                candidates = self._small(cell, self._puzzle.values) if has_candidates and value is None else ()
                small = [f'<text class="small" x="{x:g}" y="{y:g}">{one}</text>' for x, y, one in candidates]
                parts = [self._ground(cell, "none"), f"<g {look}>{self._value(cell, value)}</g>", *small]
                yield f'<g data-variable="V{row}-{column}">{"".join(parts)}</g>\n'

    def _ground(self, cell: Cell, fill: str) -> str:
        x, y = self._corner(cell)
        return f'<rect x="{x}" y="{y}" width="{self._cell}" height="{self._cell}" fill="{fill}"/>\n'

    def _value(self, cell: Cell, value: int | None) -> str:
        (x, y), half = self._corner(cell), self._cell / 2
        if value is not None and self._puzzle.word(value) == _FILLED:
            return f'<rect x="{x + 2}" y="{y + 2}" width="{self._cell - 4}" height="{self._cell - 4}"/>\n'
        # A value leaves the strip of the totals free.
        down = half + self._total_height / 4 + self._value_size * _CAP_HEIGHT / 2
        return f'<text x="{x + half:g}" y="{y + down:g}">{"" if value is None else self._puzzle.word(value)}</text>\n'

    def _small(self, cell: Cell, values: Sequence[int]) -> Iterator[tuple[float, float, str]]:
        """The places of the candidates of a cell, and their texts."""
        (x, y), n = self._corner(cell), self._slots
        top = max(self._padding, self._total_height)
        n_rows = ceil(len(self._puzzle.values) / n)
        across, down = (self._cell - 2 * self._padding) / n, (self._cell - self._padding - top) / n_rows
        for value in values:
            row, column = divmod(value - self._puzzle.values[0], n)
            centre = x + self._padding + across * (column + 0.5)
            base = y + top + down * (row + 0.5) + _TOTAL_HEIGHT * _CAP_HEIGHT / 2
            yield centre, base, self._puzzle.word(value)


def _digits(centre: float, digits: str) -> list[tuple[float, str]]:
    """The digits of a small number, each with its left end: CairoSVG can set the middle of a whole text only."""
    left = centre - _DIGIT_WIDTH * _TOTAL_HEIGHT * len(digits) / 2
    return [(left + _DIGIT_WIDTH * _TOTAL_HEIGHT * i, digit) for i, digit in enumerate(digits)]


def _group(elements: Sequence[str], attributes: str) -> str:
    return f"<g {attributes}>\n{''.join(elements)}</g>\n" if elements else ""


def _borders(labels: Labels, size: int) -> Iterator[str]:
    for row, line in enumerate(labels):
        for column, label in enumerate(line):
            x, y = _MARGIN + column * size, _MARGIN + row * size
            if column and line[column - 1] != label:
                yield f"M{x} {y}v{size}"
            if row and labels[row - 1][column] != label:
                yield f"M{x} {y}h{size}"


def _outlines(cages: Labels, size: int) -> Iterator[str]:
    """The lines within the borders of cages (labels from 1 on); each goes on as far as the next one of its cage."""
    label = {(row, column): label for row, line in enumerate(cages) for column, label in enumerate(line)}
    for (row, column), cage in label.items():
        if not cage:
            continue

        def is_apart(down: int, across: int, place: tuple[int, int] = (row, column), cage: int = cage) -> bool:
            return label.get((place[0] + down, place[1] + across)) != cage

        x, y = _MARGIN + column * size, _MARGIN + row * size
        for side in (-1, 1):
            at = _INSET if side < 0 else size - _INSET
            if is_apart(side, 0):
                start, end = (_end(is_apart(0, along), is_apart(side, along)) for along in (-1, 1))
                yield f"M{x + start} {y + at}H{x + size - end}"
            if is_apart(0, side):
                start, end = (_end(is_apart(along, 0), is_apart(along, side)) for along in (-1, 1))
                yield f"M{x + at} {y + start}V{y + size - end}"


def _end(turns_inward: bool, goes_straight: bool) -> int:
    """The distance between the end of a line of an outline and that of its cell."""
    return _INSET if turns_inward else 0 if goes_straight else -_INSET


def worksheet(puzzles: Sequence[Puzzle], per_page: int) -> list[Picture]:
    """The pages; the solutions are on one page up to 24, or up to twice the number of puzzles on the others."""
    numbered = [(f"{number}. {puzzle.title}", puzzle) for number, puzzle in enumerate(puzzles, 1)]
    boards = [(caption, board_picture(puzzle)) for caption, puzzle in numbered]
    solved = [_solved(caption, puzzle) for caption, puzzle in numbered]
    n_solutions = min(len(solved), max(_MIN_SOLUTIONS, 2 * per_page))
    return _pages("Puzzles", boards, per_page) + _pages("Solutions", solved, n_solutions)


def _pages(heading: str, boards: Sequence[tuple[str, Picture]], n: int) -> list[Picture]:
    return [_page(heading, boards[start : start + n], n) for start in range(0, len(boards), n)]


def _solved(caption: str, puzzle: Puzzle) -> tuple[str, Picture]:
    result = solve(to_problem(puzzle), seconds=_SECONDS)
    if result.solution is not None:
        return caption, board_picture(puzzle, puzzle.grid_of(result.solution))
    reason = "no solution" if result.status == Status.UNSATISFIABLE else f"not solved in {_SECONDS:g} s"
    return f"{caption}: {reason}", board_picture(puzzle)


def _page(heading: str, boards: Sequence[tuple[str, Picture]], n: int) -> Picture:
    """A page with room for ``n`` boards, each below its caption."""
    width, height = _SHEET_WIDTH - 2 * _SHEET_MARGIN, _SHEET_HEIGHT - 2 * _SHEET_MARGIN - _SHEET_HEADING

    def side(n_columns: int) -> float:
        return min(width / n_columns - _SPACE, height / ceil(n / n_columns) - _SPACE - _SHEET_HEADING)

    n_columns = max(range(1, n + 1), key=side)
    across, down = width / n_columns, height / ceil(n / n_columns)
    look = f'x="{_SHEET_MARGIN + _SPACE // 2}" y="{_SHEET_MARGIN + _SHEET_HEADING // 2}" font-size="18"'
    parts = [f"<text {look}>{heading}</text>\n"]
    size = min(14.0, side(n_columns) / 14)
    for place, (caption, board) in enumerate(boards):
        row, column = divmod(place, n_columns)
        x, y = _SHEET_MARGIN + column * across + _SPACE / 2, _SHEET_MARGIN + _SHEET_HEADING + row * down
        parts.append(f'<text x="{x:g}" y="{y + _SHEET_HEADING - 8:g}" font-size="{size:g}">{escaped(caption)}</text>\n')
        parts.append(board.placed(x, y + _SHEET_HEADING, across - _SPACE, down - _SHEET_HEADING - _SPACE))
    return Picture(heading, _SHEET_WIDTH, _SHEET_HEIGHT, "".join(parts))
