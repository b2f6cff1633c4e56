"""Hypothesis strategies for puzzles: boards of many sizes with random givens and signs.

Givens stand in any order, and need not agree with the rules: a puzzle may hold them. ``in_row_order`` is the same
puzzle as a format gives it whose board is a grid.
"""

from dataclasses import replace
from typing import Any, TypeVar, cast

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from f2csp.generation.draws import Draws
from f2csp.generation.kinds import drawn, kind_named
from f2csp.puzzles import KINDS
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Labels, Puzzle, puzzle_kind
from f2csp.puzzles.sudoku import Box, Sudoku
from f2csp.puzzles.takuzu import Takuzu

P = TypeVar("P", bound=Puzzle)

BOXES: tuple[Box, ...] = (
    *((1, 1), (2, 2), (3, 3), (4, 4), (5, 5)),
    *((1, 2), (2, 1), (2, 3), (3, 2), (1, 5), (5, 1), (2, 4), (4, 2), (2, 5), (3, 4), (4, 3)),
)


def labels(text: str) -> Labels:
    """The regions of rows of digits."""
    return tuple(tuple(map(int, row)) for row in text.split())


def cage(total: int, *cells: tuple[int, int]) -> Cage:
    return Cage(total, tuple(Cell(*cell) for cell in cells))


@st.composite
def clues(draw: DrawFn, n_rows: int, n_columns: int, values: range) -> tuple[Clue, ...]:
    """Givens of no cell, of some cells or of all of them."""
    cells = [(row, column) for row in range(1, n_rows + 1) for column in range(1, n_columns + 1)]
    is_full = draw(st.integers(0, 4)) == 0
    chosen = draw(st.just(cells) if is_full else st.lists(st.sampled_from(cells), unique=True))
    drawn = draw(st.lists(st.sampled_from(values), min_size=len(chosen), max_size=len(chosen)))
    return tuple(Clue(row, column, value) for (row, column), value in zip(chosen, drawn, strict=True))


@st.composite
def sudokus(draw: DrawFn, *, max_size: int = 16, boxes: tuple[Box, ...] = BOXES) -> Sudoku:
    rows, columns = draw(st.sampled_from([box for box in boxes if box[0] * box[1] <= max_size]))
    size = rows * columns
    return Sudoku(size, rows, columns, clues=draw(clues(size, size, range(1, size + 1))))


@st.composite
def latin_squares(draw: DrawFn, *, min_size: int = 1, max_size: int = 12) -> LatinSquare:
    size = draw(st.integers(min_size, max_size))
    return LatinSquare(size, clues=draw(clues(size, size, range(1, size + 1))))


@st.composite
def futoshikis(draw: DrawFn, *, min_size: int = 1, max_size: int = 11, min_signs: int = 0) -> Futoshiki:
    """A Futoshiki with at least ``min_signs`` signs, if the board has places for them."""
    size = draw(st.integers(min_size, max_size))
    signs = draw(_signs(size, min(min_signs, 2 * size * (size - 1))))
    return Futoshiki(size, signs, clues=draw(clues(size, size, range(1, size + 1))))


@st.composite
def _signs(draw: DrawFn, size: int, min_signs: int) -> tuple[Sign, ...]:
    cells = [Cell(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
    sides = [(cell, Cell(cell.row, cell.column + 1)) for cell in cells if cell.column < size]
    sides += [(cell, Cell(cell.row + 1, cell.column)) for cell in cells if cell.row < size]
    if not sides:
        return ()
    is_full = draw(st.integers(0, 4)) == 0
    chosen = draw(st.just(sides) if is_full else st.lists(st.sampled_from(sides), min_size=min_signs, unique=True))
    flips = draw(st.lists(st.booleans(), min_size=len(chosen), max_size=len(chosen)))
    return tuple(Sign(*side[::-1]) if flip else Sign(*side) for side, flip in zip(chosen, flips, strict=True))


@st.composite
def takuzus(
    draw: DrawFn, *, min_lines: int = 1, max_lines: int = 10, distinct_lines: SearchStrategy[bool] | None = None
) -> Takuzu:
    """A Takuzu, a square or any other rectangle; with distinct lines or without, unless the caller says which."""
    n_rows = draw(st.integers(min_lines, max_lines))
    n_columns = draw(st.just(n_rows) | st.integers(min_lines, max_lines))
    are_distinct = draw(st.booleans() if distinct_lines is None else distinct_lines)
    return Takuzu(n_rows, n_columns, are_distinct, clues=draw(clues(n_rows, n_columns, range(2))))


def in_row_order(puzzle: P) -> P:
    """The puzzle with its givens row by row."""
    return replace(puzzle, clues=tuple(sorted(puzzle.clues)))


@st.composite
def jigsaws(draw: DrawFn, *, max_size: int = 9) -> Jigsaw:
    """A Jigsaw whose regions come from rectangles by exchanging cells; each region is connected."""
    rows, columns = draw(st.sampled_from([box for box in BOXES if min(box) > 1 and box[0] * box[1] <= max_size]))
    size = rows * columns
    labels = [list(row) for row in Sudoku(size, rows, columns).labels()]
    random = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 40))):
        (a, b), (c, d) = ((random.randrange(size), random.randrange(size)) for _ in range(2))
        labels[a][b], labels[c][d] = labels[c][d], labels[a][b]
        if not (_is_connected(labels, labels[a][b]) and _is_connected(labels, labels[c][d])):
            labels[a][b], labels[c][d] = labels[c][d], labels[a][b]
    given = draw(clues(size, size, range(1, size + 1)))
    return Jigsaw(size, tuple(map(tuple, labels)), clues=given)


def _is_connected(labels: list[list[int]], label: int) -> bool:
    cells = {(r, c) for r, row in enumerate(labels) for c, found in enumerate(row) if found == label}
    agenda = [next(iter(cells))]
    while agenda:
        r, c = agenda.pop()
        if (r, c) in cells:
            cells.remove((r, c))
            agenda += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return not cells


@st.composite
def diagonals(draw: DrawFn, *, max_size: int = 12) -> Diagonal:
    sudoku = draw(sudokus(max_size=max_size, boxes=tuple(box for box in BOXES if box[1] > 1 or box == (1, 1))))
    return Diagonal(sudoku.size, sudoku.box_rows, sudoku.box_columns, clues=sudoku.clues)


@st.composite
def killers(draw: DrawFn, *, max_size: int = 9) -> Killer:
    """A Killer Sudoku with cages of neighbours in a row, at least one of two cells, and givens in cages."""
    boxes = tuple(box for box in BOXES if box[0] * box[1] >= 4 and box[1] > 1)
    sudoku = draw(sudokus(max_size=max_size, boxes=boxes))
    size, cages = sudoku.size, []
    for row in range(1, size + 1):
        column = 1
        while column <= size:
            least = 2 if row == column == 1 else 1
            n = draw(st.integers(least, min(5, size - column + 1)))
            total = draw(st.integers(n * (n + 1) // 2, n * (2 * size - n + 1) // 2))
            cages.append(Cage(total, tuple(Cell(row, column + i) for i in range(n))))
            column += n
    single = {cage.cells[0] for cage in cages if len(cage.cells) == 1}
    given = tuple(clue for clue in sudoku.clues if clue.cell not in single)
    return Killer(size, sudoku.box_rows, sudoku.box_columns, tuple(cages), clues=given)


def small_options(kind: str, side: int = 5) -> dict[str, Any]:
    """The options of the generator with which a board is small: its sides."""
    names = {parameter.name for parameter in puzzle_kind(kind).generator.parameters}
    if "box" in names:
        return {"box": (2, 3)}
    return {"size": side} if "size" in names else {"rows": side, "columns": side + 1}


def generated(kind: str, **options: object) -> SearchStrategy[Puzzle]:
    wanted = small_options(kind) | options
    return st.integers(0, 999).map(lambda seed: cast("Puzzle", drawn(kind_named(kind), Draws(seed), wanted)))


def example_of(kind: str) -> Puzzle:
    """A small generated puzzle."""
    return cast("Puzzle", drawn(kind_named(kind), Draws(1), small_options(kind)))


_OWN: dict[str, SearchStrategy[Puzzle]] = {
    "sudoku": sudokus(),
    "futoshiki": futoshikis(),
    "latin": latin_squares(),
    "takuzu": takuzus(),
    "jigsaw": jigsaws(),
    "diagonal": diagonals(),
    "killer": killers(),
    "skyscrapers": generated("skyscrapers", size=4, rim=0.6, fill=0.2),
    "kakuro": generated("kakuro", rows=5, columns=6, fill=0.2),
}
BY_KIND = {kind: _OWN.get(kind, generated(kind)) for kind in KINDS}


def puzzles() -> SearchStrategy[Puzzle]:
    return st.one_of(BY_KIND[kind] for kind in ("sudoku", "latin", "futoshiki", "takuzu"))


def variants() -> SearchStrategy[Puzzle]:
    """A Sudoku with irregular regions, diagonals or cages."""
    return st.one_of(BY_KIND[kind] for kind in ("jigsaw", "diagonal", "killer"))
