"""Puzzles made to order, one function for each kind: a solution that is drawn, and the cells of it that are given."""

from dataclasses import replace
from typing import Any

from f2csp.diagnostics import F2cspError
from f2csp.generation.cell_search import CellSearch, Group, balanced_lines, cage_sums, less_than
from f2csp.generation.draws import Draws, rounded
from f2csp.generation.full_grids import (
    Values,
    cages_of,
    cell_at,
    jigsaw_regions,
    latin_square,
    lines_of,
    neighbours,
    random_cages,
    search_of_square,
    searched,
    sudoku_pattern,
    units,
    until_found,
)
from f2csp.generation.givens import Draft, Wish, with_givens
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.sudoku import Box, Sudoku
from f2csp.puzzles.takuzu import Takuzu

MAX_SEARCHED = 25
"""The largest square that is filled and solved by a search; a larger one is a shuffled pattern."""


def sudoku(draws: Draws, *, box: Box, **wishes: Any) -> Puzzle:
    """A Sudoku."""
    wish = Wish(**wishes)
    blank = Sudoku(box[0] * box[1], *box)
    _refuse_large(blank.size, wish)
    return with_givens(lambda: _draft(blank, _sudoku_grid(blank, draws)), draws, wish)


def diagonal(draws: Draws, *, box: Box, **wishes: Any) -> Puzzle:
    """A Diagonal Sudoku."""
    wish = Wish(**wishes)
    if box[0] * box[1] > MAX_SEARCHED:
        raise F2cspError(f"a Diagonal Sudoku has up to {MAX_SEARCHED} rows here, found {box[0] * box[1]}")
    blank = Diagonal(box[0] * box[1], *box)
    search = search_of_square(blank.size, blank.labels(), has_diagonals=True)

    def new_draft() -> Draft:
        return Draft(blank, until_found(lambda: searched(search, draws)), lambda: search)

    return with_givens(new_draft, draws, wish)


def killer(draws: Draws, *, box: Box, **wishes: Any) -> Puzzle:
    """A Killer Sudoku whose cages cover the board."""
    wish = Wish(**wishes)
    size = box[0] * box[1]
    blank = Killer(size, *box)
    _refuse_large(size, wish)

    def new_draft() -> Draft:
        grid = _sudoku_grid(blank, draws)
        groups = random_cages(grid, size, draws)
        puzzle = replace(blank, cages=cages_of(groups, grid, size))
        sums = [(sum(grid[cell] + 1 for cell in group), group) for group in groups]
        all_units: list[Group] = [*units(size, blank.labels()), *groups]
        return Draft(puzzle, grid, lambda: CellSearch(size * size, size, all_units, [cage_sums(sums, size)]))

    return with_givens(new_draft, draws, wish, default_fill=0.0)


def latin(draws: Draws, *, size: int, **wishes: Any) -> Puzzle:
    """A Latin square that is to be completed."""
    wish = Wish(**wishes)
    blank = LatinSquare(size)
    _refuse_large(size, wish)
    return with_givens(lambda: _draft(blank, latin_square(size, draws)), draws, wish)


def futoshiki(draws: Draws, *, size: int, signs: float, **wishes: Any) -> Puzzle:
    """A Futoshiki: some cells and signs of a Latin square."""
    wish = Wish(**wishes)
    _refuse_large(size, wish)
    sides = [(one, other) for one, near in enumerate(neighbours(size)) for other in near if one < other]

    def new_draft() -> Draft:
        grid = latin_square(size, draws)
        chosen = [sides[i] for i in draws.sample(len(sides), rounded(signs * len(sides)))]
        pairs = [pair if grid[pair[0]] < grid[pair[1]] else pair[::-1] for pair in chosen]
        puzzle = Futoshiki(size, tuple(Sign(*(cell_at(cell, size) for cell in pair)) for pair in pairs))
        return Draft(puzzle, grid, lambda: CellSearch(size * size, size, units(size), [less_than(pairs)]))

    return with_givens(new_draft, draws, wish, default_fill=0.1)


def jigsaw(draws: Draws, *, size: int, **wishes: Any) -> Puzzle:
    """A Jigsaw Sudoku with random regions."""

    def attempt() -> Draft | None:
        labels = jigsaw_regions(size, draws)
        search = CellSearch(size * size, size, units(size, labels))
        grid = searched(search, draws)
        return None if grid is None else Draft(Jigsaw(size, labels), grid, lambda: search)

    return with_givens(lambda: until_found(attempt), draws, Wish(**wishes))


def takuzu(draws: Draws, *, size: int, **wishes: Any) -> Puzzle:
    """A Takuzu."""
    search = CellSearch(size * size, 2, (), [balanced_lines(lines_of(size))])

    def new_draft() -> Draft:
        return Draft(Takuzu(size, size), until_found(lambda: searched(search, draws)), lambda: search)

    return with_givens(new_draft, draws, Wish(**wishes))


def _draft(blank: Sudoku | LatinSquare, grid: Values) -> Draft:
    return Draft(blank, grid, lambda: search_of_square(blank.size, blank.labels()))


def _sudoku_grid(blank: Sudoku, draws: Draws) -> Values:
    if blank.size > MAX_SEARCHED:
        return sudoku_pattern(blank.box_rows, blank.box_columns, draws)
    search = search_of_square(blank.size, blank.labels())
    return until_found(lambda: searched(search, draws))


def _refuse_large(size: int, wish: Wish) -> None:
    if wish.is_unique and size > MAX_SEARCHED:
        raise F2cspError(f"a single solution can be wished of boards up to {MAX_SEARCHED}x{MAX_SEARCHED}, not {size}")
