"""Takuzu, also called Binairo, binary puzzle or Unruly: a board of zeros and ones.

No three neighbours in a line are equal; each line holds as many zeros as ones, or one more of either where its length
is odd; no two rows are equal, and no two columns. Some hold puzzles without the last rule.

In the problem no table grows with the length of a line, but for one tuple for each pair of lines. ``R1-ones-4`` counts
the ones in the first four cells of row 1, step by step (the sequential counter of Sinz, "Towards an optimal CNF
encoding of Boolean cardinality constraints", 2005, as tables), and the domain of the last such variable is the
balance. ``C2-C5-same-3`` is 1 if columns 2 and 5 hold the same in their third cells; not all of these may be 1. All of
them follow from the cells, so a problem has as many solutions as the puzzle.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from f2csp.model import Ids
from f2csp.model.automaton import Chain, partial_sums
from f2csp.puzzles.puzzle import SIZE, Cell, Clue, Conflict, Generator, Option, Puzzle, PuzzleKind, check_sides
from f2csp.puzzles.to_problem import Rules

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board

MAX_LINES = 128
"""The most rows or columns: there are two million auxiliary variables then, which are held in memory."""

Direction = Literal["row", "column"]
_OPTION_HELP = "Require all rows and all columns of a Takuzu to differ (default: as the file says, else yes)."


@dataclass(frozen=True, slots=True)
class Takuzu(Puzzle):
    """A board of zeros and ones and its givens."""

    KIND: ClassVar[str] = "takuzu"
    OPTIONS: ClassVar[tuple[Option, ...]] = (Option("distinct_lines", _OPTION_HELP),)

    rows: int
    columns: int
    has_distinct_lines: bool = True  # no two rows and no two columns may be equal

    def __post_init__(self) -> None:
        check_sides(self.rows, self.columns, MAX_LINES)
        self._check_clues()

    def shape(self) -> tuple[int, int, range]:
        return self.rows, self.columns, range(2)

    def add_rules(self, rules: Rules) -> None:
        """Three neighbours, row by row and column by column; then the balance of each line; then different lines."""
        directions = [("R", rules.cells), ("C", rules.cells.T)]
        for _, lines in directions:
            if lines.shape[1] >= 3:
                scopes = np.stack((lines[:, :-2], lines[:, 1:-1], lines[:, 2:]), axis=2)
                rules.add(scopes, rules.relation("Reject", [(0, 0, 0), (1, 1, 1)]))
        for prefix, lines in directions:
            if lines.shape[1] >= 2:
                counter = _counter(lines.shape[1])
                for number, line in enumerate(lines.tolist(), 1):
                    rules.add_chain(line, counter, f"{prefix}{number}-ones")
        if self.has_distinct_lines:
            for prefix, lines in directions:
                if len(lines) >= 2:
                    _add_differences(rules, prefix, lines)

    def describe(self, cells: Sequence[Cell], *, are_different: bool) -> str | None:  # noqa: ARG002 - as the base class
        rows, columns = sorted({cell.row for cell in cells}), sorted({cell.column for cell in cells})
        name, numbers, others, length = (
            ("row", rows, columns, self.columns) if len(rows) <= len(columns) else ("column", columns, rows, self.rows)
        )
        steps = {(second.row - first.row, second.column - first.column) for first, second in pairwise(cells)}
        if len(cells) == 3 and steps in ({(0, 1)}, {(1, 0)}):  # neighbours
            where = f"{'columns' if name == 'row' else 'rows'} {others[0]} to {others[2]}"
            return f"{name} {numbers[0]} has no three alike in {where}"
        if len(numbers) == 1:
            return f"{name} {numbers[0]} has as many zeros as ones{', but for one more of either' * (length % 2)}"
        return f"{name}s {numbers[0]} and {numbers[1]} differ" if len(numbers) == 2 else None

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        """The board, with different lines if there are more auxiliary variables than those that count ones."""
        n_rows, n_columns = board.n_rows, board.n_columns
        if set(board.values) == {"0", "1"}:
            n_counters = n_rows * (n_columns - 1) + n_columns * (n_rows - 1)
            is_distinct = board.n_auxiliary > n_counters or n_rows == n_columns == 1
            yield cls(n_rows, n_columns, is_distinct, clues=board.clues)

    def conflicts(self) -> Iterator[Conflict]:
        yield from chain(self._equal_neighbours(), self._unbalanced_lines(), self._equal_lines())

    def _equal_neighbours(self) -> Iterator[Conflict]:
        given = {(clue.row, clue.column): (order, clue) for order, clue in enumerate(self.clues)}
        for clue in self.clues:
            for down, across in ((0, 1), (1, 0)):
                cells = [(clue.row + i * down, clue.column + i * across) for i in range(3)]
                if all(cell in given and given[cell][1].value == clue.value for cell in cells):
                    clues = tuple(held for _, held in sorted(given[cell] for cell in cells))
                    where = ", ".join(str(held.cell) for held in clues)
                    yield Conflict(clues, f"three neighbours are {clue.value}: {where}")

    def _unbalanced_lines(self) -> Iterator[Conflict]:
        for direction, number, length, clues in self._given_lines():
            most = (length + 1) // 2
            for value in self.values:
                holders = [clue for clue in clues if clue.value == value]
                if len(holders) > most:
                    first, last = holders[0], holders[-1]
                    held = f"{value} in {len(holders)} cells, from {first.cell} to {last.cell}"
                    yield Conflict((first, last), f"{direction} {number} has {held}, and may have it in {most}")

    def _equal_lines(self) -> Iterator[Conflict]:
        if not self.has_distinct_lines:
            return
        seen: dict[tuple[Direction, tuple[int, ...]], tuple[int, list[Clue]]] = {}
        for direction, number, length, clues in self._given_lines():
            if len(clues) < length:
                continue
            values = tuple(clue.value for clue in sorted(clues))
            if (direction, values) in seen:
                other, held = seen[direction, values]
                where = f"from {min(held).cell} and from {min(clues).cell} on"
                yield Conflict((min(held), min(clues)), f"{direction}s {other} and {number} are equal: {where}")
            seen[direction, values] = number, clues

    def _given_lines(self) -> Iterator[tuple[Direction, int, int, list[Clue]]]:
        """The lines that have givens: direction, number, length, and the givens in their order."""
        lines: defaultdict[tuple[Direction, int], list[Clue]] = defaultdict(list)
        for clue in self.clues:
            lines["row", clue.row].append(clue)
            lines["column", clue.column].append(clue)
        for (direction, number), clues in lines.items():
            yield direction, number, self.columns if direction == "row" else self.rows, clues


@lru_cache(maxsize=8)
def _counter(length: int) -> Chain:
    """The chain that counts the ones of a balanced line."""
    fewest, most = length // 2, (length + 1) // 2
    return partial_sums(range(2), [*[(0, most)] * (length - 1), (fewest, most)], keeps_last=True)


def _add_differences(rules: Rules, prefix: str, lines: Ids) -> None:
    """Compare each two lines cell by cell; the results are not all 1."""
    n_lines, length = lines.shape
    same = rules.relation("Accept", [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)])
    relations = np.array([same] * length + [rules.relation("Reject", [(1,) * length])], dtype=np.int32)
    for one, other in combinations(range(n_lines), 2):
        names = [f"{prefix}{one + 1}-{prefix}{other + 1}-same-{i}" for i in range(1, length + 1)]
        flags = np.array(rules.variables(names, range(2)), dtype=np.int32)
        scopes = np.stack((lines[one], lines[other], flags), axis=1)
        rules.add_block(np.concatenate((scopes.ravel(), flags)), relations)


KIND = PuzzleKind(
    Takuzu,
    "ist grid tatham triples runs json",
    r"takuzus?|binairos?|binary puzzles?|unruly|tic-?tac-?logic",
    Generator("takuzu", "Generate Takuzus.", (SIZE._replace(default=8, least=2, most=25),)),
    has_plain_boards=True,
)
