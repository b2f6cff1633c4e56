"""KenKen, also called Calcudoku or Keen: Latin squares with cages whose values give a total by an operation.

A cage of two cells is a table of pairs. A larger one is a chain of tables: ``K3-sum-2`` is the sum of the first two
cells of the third cage, ``K3-product-2`` their product, ``K3-result-2`` both where the operation is not given. These
variables follow from the cells, so a problem has as many solutions as the puzzle.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model.automaton import NO_STATE, Chain, Numbers, partial_sums, unfolded
from f2csp.puzzles.cages import Cage, Caged, with_single_cells
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import SIZE, Cell, Conflict, Generator, Layout, Puzzle, PuzzleKind
from f2csp.puzzles.squares import check_size
from f2csp.puzzles.to_problem import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from f2csp.puzzles.recognise import Board

MAX_KENKEN_SIZE = 25
MAX_TOTAL = 1_000_000

OPERATIONS = "x+-/"
"""The signs of the operations; a cage without one may use any."""
_STATES = {"x": "product", "+": "sum", "": "result"}


@dataclass(frozen=True, slots=True)
class KenKen(Caged, LatinSquare):
    """A Latin square with cages of an operation; a difference or a quotient is that of two cells, in any order."""

    KIND: ClassVar[str] = "kenken"
    TECHNIQUE: ClassVar[str] = "cage combinations"
    IS_GENERAL: ClassVar[bool] = False

    cages: tuple[Cage, ...] = ()

    def __post_init__(self) -> None:
        check_size(self.size, MAX_KENKEN_SIZE)
        LatinSquare.__post_init__(self)
        single = [cage._replace(operation="") if len(cage.cells) == 1 else cage for cage in self.cages]
        object.__setattr__(self, "cages", tuple(single))
        self.check_cages()

    def check_cage(self, cage: Cage) -> None:
        n, place = len(cage.cells), cage.cells[0]
        if cage.operation not in ("", *OPERATIONS) or (cage.operation in ("-", "/") and n != 2):
            raise ProblemError(f"expected +, x, or - or / between two cells: {cage}", place)
        if not 1 <= cage.total <= MAX_TOTAL or not cage_rule(self.size, n, cage.operation, cage.total):
            message = f"{n} values of 1 to {self.size} cannot give {cage.total}{cage.operation}: {cage}"
            raise ProblemError(message, place)

    def add_rules(self, rules: Rules) -> None:
        """The pairs that differ, then each cage."""
        LatinSquare.add_rules(self, rules)
        for number, cage in enumerate(self.cages, 1):
            found = cage_rule(self.size, len(cage.cells), cage.operation, cage.total)
            if isinstance(found, Chain):
                rules.add_chain(rules.scope(cage.cells), found, f"K{number}-{_STATES[cage.operation]}")
            else:
                rules.add([rules.scope(cage.cells)], rules.relation("Accept", found))

    def describe(self, cells: Sequence[Cell], *, are_different: bool) -> str | None:
        cage = self.cage_of(cells)
        if are_different or cage is None:
            return LatinSquare.describe(self, cells, are_different=are_different)
        return f"{cage} gives {cage.total}"

    def conflicts(self) -> Iterator[Conflict]:
        yield from LatinSquare.conflicts(self)
        for cage, clues in self._given_whole((cage, cage.cells) for cage in self.cages):
            if cage.total not in results_of(cage.operation, [clue.value for clue in clues]):
                yield Conflict(tuple(clues), f"the values in {cage} do not give {cage.total}")

    def layout(self) -> Layout:
        totals = {cage.cells[0]: f"{cage.total}{cage.operation}" for cage in self.cages}
        return Layout(self.cage_numbers(), totals=totals)

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        """The square with a cage for each chain, each further table of two cells, and each given outside."""
        size = board.n_rows
        if not board.is_square or size > MAX_KENKEN_SIZE:
            return
        cages = []
        for chained in board.chains:
            values = list(map(int, chained.values))
            fitting = ((op, total) for op in _STATES for total in results_of(op, values))
            for operation, total in fitting:
                found = cage_rule(size, len(values), operation, total)
                head = {tuple(map(str, row)) for row in found.tables[0].tolist()} if isinstance(found, Chain) else set()
                if chained.head == head:
                    cages.append(Cage(total, chained.cells, operation))
                    break
        different = {(str(a), str(b)) for a, b in product(range(1, size + 1), repeat=2) if a != b}
        for table in board.tables_of_pairs():
            pairs = [board.cells_of(pair) for pair in table.scopes.tolist()]
            touching = [(a, b) for a, b in pairs if abs(a.row - b.row) + abs(a.column - b.column) == 1]
            values = list(map(int, next(iter(table.rows))))
            for operation, total in [(op, total) for op in (*OPERATIONS, "") for total in results_of(op, values)]:
                found = cage_rule(size, 2, operation, total)
                if not isinstance(found, Chain) and table.rows == {tuple(map(str, row)) for row in found} != different:
                    cages += [Cage(total, pair, operation) for pair in touching]
                    break
        if cages:
            more, clues = with_single_cells(cages, board.clues)
            yield cls(size, more, clues=clues)


def results_of(operation: str, values: Sequence[int]) -> list[int]:
    """The results of an operation, or without one of each that there is."""
    low, high = min(values), max(values)
    found = {"+": [sum(values)], "x": [prod(values)]}
    if len(values) == 2:
        found |= {"-": [high - low], "/": [high // low] if high % low == 0 else []}
    if operation or len(values) == 1:
        return found.get(operation or "+", [])
    return [total for totals in found.values() for total in totals]


@lru_cache(maxsize=1024)
def cage_rule(size: int, n_cells: int, operation: str, total: int) -> Chain | Sequence[tuple[int, ...]]:
    """The values of so many cells that give the total: tuples for up to two cells, else a chain; empty for none."""
    values = range(1, size + 1)
    if total < 1:
        return ()
    if n_cells <= 2:
        return [found for found in product(values, repeat=n_cells) if total in results_of(operation, found)]
    if operation == "+":
        bounds = [(total - size * (n_cells - n), total - (n_cells - n)) for n in range(1, n_cells + 1)]
        return partial_sums(values, bounds) if n_cells <= total <= size * n_cells else ()
    # A state is the product, with the sum before it where any operation may be meant; 0 is that which cannot fit.
    base = 10 ** len(str(total))

    def moves(_: int, states: Numbers, numbers: Numbers) -> Numbers:
        added, multiplied = states[:, None] // base, states[:, None] % base
        product = np.where(states[:, None] == 0, 1, multiplied) * numbers
        product[(product == 0) | (total % np.maximum(product, 1) != 0)] = 0
        sums = np.minimum(added + numbers, total + 1) * (not operation)
        return np.where((product > 0) | ((sums > 0) & (sums <= total)), sums * base + product, NO_STATE)

    def is_end(states: Numbers) -> "NDArray[np.bool_]":
        return cast("NDArray[np.bool_]", (states % base == total) | (states // base == total))

    numbers = np.arange(1, size + 1)
    chain, _ = unfolded([(numbers, numbers)] * n_cells, 0, moves, is_end)
    return chain if chain and len(chain.tables[0]) else ()


KIND = PuzzleKind(
    KenKen,
    "tatham letters",
    r"kenkens?|calcudoku|mathdoku|keen|inshi no heya",
    Generator(
        "kenken",
        "Generate KenKens with random cages that cover the board.",
        (SIZE._replace(default=6, most=MAX_KENKEN_SIZE),),
        fill=0,
    ),
)
