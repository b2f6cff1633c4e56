"""Kakuro, also called Cross Sums: runs of different digits with given sums, between black cells.

The sum of a run is a chain of tables, as that of a cage of a Killer Sudoku: ``A2-3-sum-2`` is the sum of the first two
cells of the run across that follows the black cell in row 2, column 3; ``D`` begins the names of runs down. Black cells
have no variables. Runs with as many cells and the same sum share their tables.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from f2csp.diagnostics import ProblemError
from f2csp.puzzles.killer import different_sums
from f2csp.puzzles.puzzle import MAX_SIDE, Cell, Conflict, Generator, Layout, Parameter, Puzzle, PuzzleKind, check_sides
from f2csp.puzzles.to_problem import Rules

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board

_DIGITS = range(1, 10)


class Sums(NamedTuple):
    """A black cell with the sums of the runs that follow it; None for a run without one."""

    cell: Cell
    down: int | None = None
    across: int | None = None


class CellRun(NamedTuple):
    """White cells between black ones."""

    start: Cell  # the black cell before it; row or column 0 for the rim of the board
    is_across: bool
    cells: tuple[Cell, ...]
    total: int | None

    @property
    def name(self) -> str:
        where = f"row {self.cells[0].row}" if self.is_across else f"column {self.cells[0].column}"
        place = self.cells[0].column if self.is_across else self.cells[0].row
        return f"the run from {'column' if self.is_across else 'row'} {place} in {where}"


@dataclass(frozen=True, slots=True)
class Kakuro(Puzzle):
    """A board of white cells, and black ones with sums."""

    KIND: ClassVar[str] = "kakuro"
    HAS_BLOCKS: ClassVar[bool] = True

    rows: int
    columns: int
    black: tuple[Sums, ...] = ()  # row by row; given in any order

    def __post_init__(self) -> None:
        check_sides(self.rows, self.columns)
        object.__setattr__(self, "black", tuple(sorted(self.black, key=lambda sums: sums.cell)))
        if len(self.blocks) < len(self.black):
            raise ProblemError("a black cell has sums twice")
        if not self.cells:
            raise ProblemError("the board has no white cell")
        followed = {(run.start, run.is_across) for run in self.runs()}
        for cell, down, across in self.black:
            for total, is_across in ((down, False), (across, True)):
                if total is not None and (cell, is_across) not in followed:
                    raise ProblemError(f"no white cell follows the sum {total} at {cell}", cell)
        for run in self.runs():
            n = len(run.cells)
            if n > len(_DIGITS):
                raise ProblemError(f"{run.name} has {n} cells, and there are 9 digits", run.start)
            if run.total is not None and not n * (n + 1) // 2 <= run.total <= n * (19 - n) // 2:
                raise ProblemError(f"{n} different digits cannot add up to {run.total}: {run.name}", run.start)
        self._check_clues()
        for clue in self.clues:
            if clue.cell in self.blocks:
                raise ProblemError(f"{clue.cell} is black, and has no value")

    def shape(self) -> tuple[int, int, range]:
        return self.rows, self.columns, _DIGITS

    @property
    def blocks(self) -> Collection[Cell]:
        return {sums.cell for sums in self.black}

    def runs(self) -> "tuple[CellRun, ...]":
        """The runs of white cells: those across, row by row, then those down, column by column."""
        return _runs(self.rows, self.columns, self.black)

    def add_rules(self, rules: Rules) -> None:
        """For each run the pairs that differ, then its sum."""
        different = rules.relation("Reject", [(value, value) for value in _DIGITS])
        for start, is_across, cells, total in self.runs():
            if len(cells) > 1:
                rules.add(list(combinations(rules.scope(cells), 2)), different)
            if total is not None:
                name = f"{'A' if is_across else 'D'}{start.row}-{start.column}-sum"
                rules.add_chain(rules.scope(cells), different_sums(len(_DIGITS), len(cells), total), name)

    def groups(self) -> Mapping[str, Sequence[Cell]]:
        return {run.name: run.cells for run in self.runs()}

    def describe(self, cells: Sequence[Cell], *, are_different: bool) -> str | None:
        run = next((run for run in self.runs() if set(cells) <= set(run.cells)), None)
        if run is None:
            return None
        return f"{run.name} holds each value once" if are_different else f"{run.name} adds up to {run.total}"

    def conflicts(self) -> Iterator[Conflict]:
        yield from self._repeated_values()
        for run, clues in self._given_whole((run, run.cells) for run in self.runs() if run.total is not None):
            total = sum(clue.value for clue in clues)
            if total != run.total:
                yield Conflict(tuple(clues), f"{run.name} adds up to {total}, not {run.total}")

    def layout(self) -> Layout:
        def text(sums: Sums) -> str:
            down, across = ("" if total is None else str(total) for total in sums[1:])
            return f"{down}\\{across}" if down or across else ""

        return Layout(blocks={sums.cell: text(sums) for sums in self.black})

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        """The board with the sum of each chain, of each table of two cells, and of runs of one cell."""
        if set(board.values) != set(map(str, _DIGITS)) or max(board.n_rows, board.n_columns) > MAX_SIDE:
            return
        black = [Sums(cell) for cell in board.blocks]
        runs = _runs(board.n_rows, board.n_columns, tuple(black))
        found = {(run.start, run.is_across): board.sums.get(run.cells) for run in runs}
        sums = [Sums(cell, found.get((cell, False)), found.get((cell, True))) for cell, _, _ in black]
        yield cls(board.n_rows, board.n_columns, tuple(sums), clues=board.clues)


@lru_cache(maxsize=8)
def _runs(n_rows: int, n_columns: int, black: tuple[Sums, ...]) -> tuple[CellRun, ...]:
    sums_at = {sums.cell: sums for sums in black}
    runs = []
    for is_across, n_lines, length in ((True, n_rows, n_columns), (False, n_columns, n_rows)):
        for line in range(1, n_lines + 1):
            places = [Cell(line, i) if is_across else Cell(i, line) for i in range(length + 2)]
            cells: list[Cell] = []
            for i, place in enumerate(places[1:], 1):
                if i <= length and place not in sums_at:
                    cells.append(place)
                elif cells:
                    start = places[i - len(cells) - 1]
                    sums = sums_at.get(start, Sums(start))
                    runs.append(CellRun(start, is_across, tuple(cells), sums.across if is_across else sums.down))
                    cells = []
    return tuple(runs)


KIND = PuzzleKind(
    Kakuro,
    "grid",
    r"kakuros?|cross sums",
    Generator(
        "kakuro",
        "Generate Kakuros.",
        (
            Parameter("rows", "Number of rows, with that of the sums.", default=10, least=3, most=30),
            Parameter("columns", "Number of columns (default: as many as rows).", least=3, most=30),
        ),
        fill=0,
    ),
)
