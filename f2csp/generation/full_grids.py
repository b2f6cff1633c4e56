"""Full boards, and the regions, cages and signs that puzzles are made of. A grid has the values from 0, row by row."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import TypeVar

from f2csp.diagnostics import F2cspError
from f2csp.generation.draws import Draws
from f2csp.generation.rules import NO_RULES, BoardRules, CellGroup
from f2csp.puzzles.puzzle import Cell, Labels, Puzzle
from f2csp.search import ArcConsistency, Counters, Network, Stopped, bits_of, completions, network_of_groups
from f2csp.search.propagation import Propagation

GridValues = list[int]
Found = TypeVar("Found")

_TRIED_FOR_CELL = 2  # values that a search tries for each cell before it starts again
_MAX_STEPS = 50_000  # of the chain of Latin squares
_SWAPS_FOR_CELL = 10  # between regions
_MAX_CAGE = 4  # cells
_MAX_ATTEMPTS = 1000  # to fill a board


@lru_cache(maxsize=4)
def network_of_board(puzzle: Puzzle, rules: BoardRules = NO_RULES) -> Network:
    """The network of a board whose groups hold each value at most once, with further rules; one for a puzzle."""
    n = puzzle.n_columns
    groups = [[(row - 1) * n + column - 1 for row, column in group] for group in puzzle.groups().values()]
    return network_of_groups(puzzle.n_rows * n, len(puzzle.values), groups, *rules)


def lines_of(size: int) -> list[CellGroup]:
    cells = range(size * size)
    return [*(cells[i * size : (i + 1) * size] for i in range(size)), *(cells[i::size] for i in range(size))]


def searched(network: Network, draws: Draws) -> GridValues | None:
    """A random solution; None if there is none, or if it is not found soon."""

    def shuffled(propagation: Propagation, variable: int) -> Iterator[int]:
        return reversed(draws.shuffled(list(bits_of(propagation.domains[variable]))))

    propagation = ArcConsistency(network, network.domains, Counters())
    try:
        found = next(completions(propagation, shuffled, _TRIED_FOR_CELL * len(network.domains)), None)
    except Stopped:
        return None
    return None if found is None else [domain.bit_length() - 1 for domain in found]


def until_found(attempt: Callable[[], Found | None]) -> Found:
    """The result of the first attempt that has one; raises F2cspError if none of many has."""
    for _ in range(_MAX_ATTEMPTS):
        if (found := attempt()) is not None:
            return found
    raise F2cspError(f"no full board was found in {_MAX_ATTEMPTS} attempts: perhaps there is none")


def sudoku_pattern(box_rows: int, box_columns: int, draws: Draws) -> GridValues:
    """A pattern that is shuffled: each row is the one above it, shifted.

    Bands, stacks, the lines in each, and the values are shuffled, and square boxes are transposed or not.
    """
    size = box_rows * box_columns
    rows = _shuffled_lines(box_columns, box_rows, draws)
    columns = _shuffled_lines(box_rows, box_columns, draws)
    values = draws.shuffled(range(size))
    is_transposed = box_rows == box_columns and draws.below(2) == 1
    shifts = [row % box_rows * box_columns + row // box_rows for row in rows]
    pattern = [[values[(shift + column) % size] for column in columns] for shift in shifts]
    return list(chain.from_iterable(zip(*pattern, strict=True) if is_transposed else pattern))


def _shuffled_lines(n_bands: int, height: int, draws: Draws) -> list[int]:
    bands = [draws.shuffled(range(band * height, (band + 1) * height)) for band in range(n_bands)]
    return list(chain.from_iterable(draws.shuffled(bands)))


def latin_square(size: int, draws: Draws) -> GridValues:
    """A Latin square, drawn almost uniformly up to 36x36; larger ones less so, for the number of steps is limited.

    Source:
        M. T. Jacobson and P. Matthews, "Generating uniformly distributed random Latin squares", 1996: a Markov chain on
        squares that are proper or improper, which have a cell with two values and minus a third. ``size ** 3`` steps.
    """
    square = _Incidences(size, sudoku_pattern(1, size, draws))
    for _ in range(min(size**3, _MAX_STEPS) if size > 1 else 0):
        square.move(draws)
        while square.negative is not None:
            square.move(draws)
    return [values[0] for row in square.values for values in row]


class _Incidences:
    """A Latin square, proper or not, as lists of the values of cells, and of the columns and rows of values."""

    def __init__(self, size: int, grid: GridValues) -> None:
        self.size = size
        lists: list[list[list[list[int]]]] = [[[[] for _ in range(size)] for _ in range(size)] for _ in range(3)]
        self.values, self.columns, self.rows = lists  # of row and column, of row and value, of column and value
        self.negative: tuple[int, int, int] | None = None  # the row, column and value that there is minus once
        for cell, value in enumerate(grid):
            self._add(cell // size, cell % size, value)

    def move(self, draws: Draws) -> None:
        """Go to a random neighbour in the chain: change eight incidences of two rows, columns and values."""
        if self.negative is not None:
            row, column, value = self.negative
        else:
            row, column = draws.below(self.size), draws.below(self.size)
            value = (self.values[row][column][0] + 1 + draws.below(self.size - 1)) % self.size
        row2, column2 = draws.choice(self.rows[column][value]), draws.choice(self.columns[row][value])
        value2 = draws.choice(self.values[row][column])
        for one in ((row, column, value), (row, column2, value2), (row2, column, value2), (row2, column2, value)):
            self._add(*one)
        for one in ((row, column, value2), (row, column2, value), (row2, column, value), (row2, column2, value2)):
            self._remove(*one)

    def _add(self, row: int, column: int, value: int) -> None:
        if self.negative == (row, column, value):
            self.negative = None
        else:
            self.values[row][column].append(value)
            self.columns[row][value].append(column)
            self.rows[column][value].append(row)

    def _remove(self, row: int, column: int, value: int) -> None:
        if value in self.values[row][column]:
            self.values[row][column].remove(value)
            self.columns[row][value].remove(column)
            self.rows[column][value].remove(row)
        else:
            self.negative = row, column, value


def neighbours(size: int) -> list[list[int]]:
    """For each cell of a square the cells that touch it."""
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    places = [divmod(cell, size) for cell in range(size * size)]
    return [[(r + i) * size + c + j for i, j in steps if 0 <= r + i < size and 0 <= c + j < size] for r, c in places]


def jigsaw_regions(size: int, draws: Draws) -> Labels:
    """Random connected regions: rows that swap cells with each other as long as they stay connected."""
    touching = neighbours(size)
    label = [cell // size for cell in range(size * size)]
    regions = [list(range(row * size, (row + 1) * size)) for row in range(size)]
    for _ in range(_SWAPS_FOR_CELL * size * size):
        cell = draws.below(size * size)
        one, other = label[cell], label[draws.choice(touching[cell] or [cell])]
        left = [kept for kept in regions[one] if kept != cell]
        given_back = [c for c in regions[other] if any(label[near] == one and near != cell for near in touching[c])]
        if one == other or not given_back:
            continue
        back = draws.choice(given_back)
        new_one, new_other = [*left, back], [cell, *(kept for kept in regions[other] if kept != back)]
        if _is_connected(new_one, touching) and _is_connected(new_other, touching):
            regions[one], regions[other] = new_one, new_other
            label[cell], label[back] = other, one
    return tuple(tuple(label[row * size : (row + 1) * size]) for row in range(size))


def _is_connected(cells: Sequence[int], touching: Sequence[Sequence[int]]) -> bool:
    reached, new = set(cells[:1]), set(cells[:1])
    while new:
        new = {near for cell in new for near in touching[cell]}.intersection(cells) - reached
        reached |= new
    return len(reached) == len(cells)


def random_cages(grid: GridValues, size: int, draws: Draws) -> list[list[int]]:
    """Connected cages of 2 to 4 cells with different values; a cell that none has room for is a cage of its own."""
    touching = neighbours(size)
    cage_of: dict[int, list[int]] = {}
    for first in draws.shuffled(range(size * size)):
        if first in cage_of:
            continue
        cage = cage_of[first] = [first]
        for _ in range(draws.below(_MAX_CAGE - 1) + 1):
            around = [near for cell in cage for near in touching[cell] if near not in cage_of]
            fitting = [near for near in around if grid[near] not in [grid[cell] for cell in cage]]
            if fitting:
                cage.append(draws.choice(fitting))
                cage_of[cage[-1]] = cage
    for cell in [cell for cell, cage in cage_of.items() if len(cage) == 1]:
        for near in draws.shuffled(touching[cell]):
            cage = cage_of[near]
            if len(cage_of[cell]) == 1 and len(cage) <= _MAX_CAGE and grid[cell] not in [grid[c] for c in cage]:
                cage.append(cell)
                cage_of[cell] = cage
    return list({id(cage): cage for cage in cage_of.values()}.values())


def black_cells(n_rows: int, n_columns: int, draws: Draws) -> list[Cell]:
    """The black cells of a Kakuro without runs of one cell, or of more than nine; symmetric below the first row."""
    inner = [(row, column) for row in range(2, n_rows + 1) for column in range(2, n_columns + 1)]

    def runs_around(place: tuple[int, int], white: set[tuple[int, int]]) -> list[int]:
        found = []
        for down, across in ((1, 0), (0, 1)):
            ahead, behind = (
                next(i for i in count(1) if (place[0] + i * side * down, place[1] + i * side * across) not in white) - 1
                for side in (1, -1)
            )
            found += [ahead + behind + 1] if place in white else [ahead, behind]
        return found

    def attempt() -> set[tuple[int, int]] | None:
        white = set(inner)
        for row, column in draws.shuffled(inner)[: len(inner) // 3]:
            pair = {(row, column), (n_rows + 2 - row, n_columns + 2 - column)}
            if all(1 not in runs_around(place, white - pair) for place in pair):
                white -= pair
        return white if white and all(2 <= n <= 9 for place in white for n in runs_around(place, white)) else None

    white = until_found(attempt)
    places = (Cell(row, column) for row in range(1, n_rows + 1) for column in range(1, n_columns + 1))
    return [place for place in places if place not in white]


def cell_at(index: int, n_columns: int) -> Cell:
    return Cell(index // n_columns + 1, index % n_columns + 1)
