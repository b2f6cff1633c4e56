"""Cages: groups of cells whose values give a total, as puzzles have them."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from f2csp.diagnostics import ProblemError
from f2csp.puzzles.puzzle import Cell, Clue, Labels, Puzzle


class Cage(NamedTuple):
    total: int
    cells: tuple[Cell, ...]
    operation: str = ""  # the sign of that which gives the total; empty where the puzzle has only one, or any may

    def __str__(self) -> str:
        return f"cage {self.total}{self.operation} at {self.cells[0]}"


class Caged(Puzzle):
    """A square with cages: no cell is in two of them, and a cell may be in none."""

    __slots__ = ()

    size: int
    cages: tuple[Cage, ...]  # in the order of their first cells, as are the cells of each; given in any order

    def check_cage(self, cage: Cage) -> None:
        """Refuse a cage whose values cannot give its total."""

    def check_cages(self) -> None:
        """Put the cages in order, and refuse those that do not fit; for the constructors."""
        given = (cage._replace(cells=tuple(sorted(cage.cells))) for cage in self.cages)
        cages = sorted(given, key=lambda cage: cage.cells)
        for cage in cages:
            if not cage.cells:
                raise ProblemError(f"a cage with the total {cage.total} has no cells")
            for cell in cage.cells:
                if not (1 <= cell.row <= self.size and 1 <= cell.column <= self.size):
                    raise ProblemError(f"{cell} of {cage} is not on the board", cage.cells[0])
            self.check_cage(cage)
        for cell, n in Counter(cell for cage in cages for cell in cage.cells).items():
            if n > 1:
                raise ProblemError(f"{cell} is in {n} cages", cell)
        object.__setattr__(self, "cages", tuple(cages))

    def cage_of(self, cells: Sequence[Cell]) -> Cage | None:
        """The cage that all of these cells are in."""
        return next((cage for cage in self.cages if set(cells) <= set(cage.cells)), None)

    def cage_numbers(self) -> Labels:
        """The number of the cage of each cell, from 1; 0 for a cell outside."""
        number = {cell: i for i, cage in enumerate(self.cages, 1) for cell in cage.cells}
        sides = range(1, self.size + 1)
        return tuple(tuple(number.get(Cell(row, column), 0) for column in sides) for row in sides)


def with_single_cells(cages: Sequence[Cage], clues: Sequence[Clue]) -> tuple[tuple[Cage, ...], tuple[Clue, ...]]:
    """Cages, and for each given outside one more, of a cell; then the givens within."""
    caged = {cell for cage in cages for cell in cage.cells}
    single = [clue for clue in clues if cages and clue.cell not in caged]
    more = [Cage(clue.value, (clue.cell,)) for clue in single]
    return (*cages, *more), tuple(clue for clue in clues if clue not in single)
