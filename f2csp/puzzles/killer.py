"""Killer Sudoku: the cells of a cage add up to its total, and no value is twice in a cage.

The sum of a cage is a chain of tables: ``K3-sum-2`` is the sum of the first two cells of the third cage. The state
variables follow from the cells, so a problem has as many solutions as the puzzle. Cages with as many cells and the same
total share their tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from f2csp.diagnostics import ProblemError
from f2csp.model.automaton import Chain, partial_sums
from f2csp.puzzles.cages import Cage, Caged, with_single_cells
from f2csp.puzzles.puzzle import BOX_AND_SIZE, Cell, Conflict, Generator, Layout, Puzzle, PuzzleKind
from f2csp.puzzles.squares import check_size
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import Rules

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board

MAX_KILLER_SIZE = 36
"""The largest board; the tables of one cage grow with the fourth power of the size."""


@dataclass(frozen=True, slots=True)
class Killer(Caged, Sudoku):
    """A Sudoku with cages of different values with a sum."""

    KIND: ClassVar[str] = "killer"

    cages: tuple[Cage, ...] = ()

    def __post_init__(self) -> None:
        check_size(self.size, MAX_KILLER_SIZE)
        Sudoku.__post_init__(self)
        self.check_cages()

    def check_cage(self, cage: Cage) -> None:
        n = len(cage.cells)
        least, most = n * (n + 1) // 2, n * (2 * self.size - n + 1) // 2
        if n > self.size or not least <= cage.total <= most:
            message = f"{n} different values of 1 to {self.size} cannot add up to {cage.total}: {cage}"
            raise ProblemError(message, cage.cells[0])

    def add_rules(self, rules: Rules) -> None:
        """The pairs that differ, then the sum of each cage."""
        Sudoku.add_rules(self, rules)
        for number, cage in enumerate(self.cages, 1):
            sums = different_sums(self.size, len(cage.cells), cage.total)
            rules.add_chain(rules.scope(cage.cells), sums, f"K{number}-sum")

    def more_groups(self) -> Mapping[str, Sequence[Cell]]:
        return {str(cage): cage.cells for cage in self.cages}

    def describe(self, cells: Sequence[Cell], *, are_different: bool) -> str | None:
        cage = self.cage_of(cells)
        if not are_different:
            return f"{cage} adds up to {cage.total}" if cage else None
        if cage and self._common_group(cells) == str(cage):
            return f"{cage} holds no value twice"
        return Sudoku.describe(self, cells, are_different=True)

    def conflicts(self) -> Iterator[Conflict]:
        yield from self._repeated_values()
        for cage, clues in self._given_whole((cage, cage.cells) for cage in self.cages):
            total = sum(clue.value for clue in clues)
            if total != cage.total:
                yield Conflict(tuple(sorted(clues, key=self.clues.index)), f"the values in {cage} add up to {total}")

    def layout(self) -> Layout:
        totals = {cage.cells[0]: str(cage.total) for cage in self.cages}
        return Layout(self.labels(), self.cage_numbers(), totals)

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        """The Sudoku with a cage for the cells that a chain of sums is on; a given outside is a cage of one cell."""
        if board.is_square and board.n_rows <= MAX_KILLER_SIZE:
            found = [Cage(total, cells) for cells, total in board.sums.items()]
            cages, clues = with_single_cells(found, board.clues)
            yield cls(board.n_rows, *board.box, cages, clues=clues)


@lru_cache(maxsize=1024)
def different_sums(size: int, n_cells: int, total: int) -> Chain:
    """The chain that adds up different values; partial sums that different values cannot have are left out."""

    def least(n: int) -> int:
        return n * (n + 1) // 2

    def most(n: int) -> int:
        return n * (2 * size - n + 1) // 2

    pairs = [(n, n_cells - n) for n in range(1, n_cells + 1)]
    bounds = [(max(least(n), total - most(rest)), min(most(n), total - least(rest))) for n, rest in pairs]
    return partial_sums(range(1, size + 1), bounds)


KIND = PuzzleKind(
    Killer,
    "tatham arrows cages json link",
    r"killer",
    Generator("killer", "Generate Killer Sudokus with random cages that cover the board.", BOX_AND_SIZE, fill=0),
)
