"""Nonograms, also called Picross, Griddlers or Pattern: lines of cells that are filled in blocks of given lengths.

Each line is an automaton that reads its cells and keeps the place in its description. ``R3-at-2`` is this place after
two cells of row 3, counted from 2: the cells that must follow each other from there are the same. These variables
follow from the cells, so a problem has as many solutions as the puzzle; lines with equal numbers share their tables.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model.automaton import NO_STATE, Chain, Numbers, unfolded
from f2csp.puzzles.puzzle import (
    MAX_SIDE,
    Cell,
    Clue,
    Conflict,
    Generator,
    Layout,
    Parameter,
    Puzzle,
    PuzzleKind,
    Rim,
    board_lines,
    check_sides,
)
from f2csp.puzzles.to_problem import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from f2csp.puzzles.recognise import Board


Lengths = tuple[int, ...]
"""The lengths of the blocks of a line, from left to right or from top to bottom; empty for a line without any."""


@dataclass(frozen=True, slots=True)
class Nonogram(Puzzle):
    """A board of filled and empty cells, and the lengths of the blocks in its lines; None where they are not known."""

    KIND: ClassVar[str] = "nonogram"
    SYMBOLS: ClassVar[str] = ".#"

    rows: tuple[Lengths | None, ...]
    columns: tuple[Lengths | None, ...]

    def __post_init__(self) -> None:
        check_sides(len(self.rows), len(self.columns))
        for name, cells, lengths in self._lines():
            if min(lengths, default=1) < 1 or sum(lengths) + len(lengths) - 1 > len(cells):
                blocks = " ".join(map(str, lengths))
                raise ProblemError(f"blocks of {blocks} do not fit the {len(cells)} cells of {name}", name)
        self._check_clues()

    def shape(self) -> tuple[int, int, range]:
        return len(self.rows), len(self.columns), range(2)

    def add_rules(self, rules: Rules) -> None:
        """The chain of each row, then of each column."""
        for name, cells, lengths in self._lines():
            line, number = name.split()
            rules.add_chain(rules.scope(cells), _blocks(len(cells), lengths), f"{line[0].upper()}{number}-at")

    def describe(self, cells: Sequence[Cell], *, are_different: bool) -> str | None:  # noqa: ARG002 - as the base class
        fitting = ((name, lengths) for name, line, lengths in self._lines() if set(cells) <= set(line))
        return next((f"{name} has {_blocks_in_words(lengths)}" for name, lengths in fitting), None)

    def conflicts(self) -> Iterator[Conflict]:
        lines = (((name, lengths), cells) for name, cells, lengths in self._lines())
        for (name, lengths), clues in self._given_whole(lines):
            found = lengths_of([clue.value for clue in clues])
            if found != lengths:
                message = f"expected {_blocks_in_words(lengths)} in {name}, found {_blocks_in_words(found)}"
                yield Conflict(tuple(clues), message)

    def layout(self) -> Layout:
        top, left = ([(0,) if side == () else side or () for side in sides] for sides in (self.columns, self.rows))
        return Layout(rim=Rim(top=top, left=left))

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        """The board with the blocks that are in the cells of each chain."""
        if set(board.values) == set(cls.SYMBOLS):
            rows: list[Lengths | None] = [None] * board.n_rows
            columns: list[Lengths | None] = [None] * board.n_columns
            for found in board.chains:
                lengths = lengths_of(list(map(cls.SYMBOLS.index, found.values)))
                if len({cell.row for cell in found.cells}) == 1:
                    rows[found.cells[0].row - 1] = lengths
                else:
                    columns[found.cells[0].column - 1] = lengths
            clues = [Clue(*cell, cls.SYMBOLS.index(word)) for cell, word in board.givens]
            yield cls(tuple(rows), tuple(columns), clues=tuple(dict.fromkeys(clues)))

    def _lines(self) -> Iterator[tuple[str, Sequence[Cell], Lengths]]:
        """The lines with known blocks: the name, the cells, the lengths."""
        lines = board_lines(len(self.rows), len(self.columns)).items()
        for (name, cells), lengths in zip(lines, (*self.rows, *self.columns), strict=True):
            if lengths is not None:
                yield name, cells, lengths


def lengths_of(values: Sequence[int]) -> Lengths:
    """The lengths of the blocks of ones."""
    return tuple(len(list(cells)) for value, cells in groupby(values) if value)


def _blocks_in_words(lengths: Lengths) -> str:
    if not lengths:
        return "no blocks"
    return f"{'a block' if len(lengths) == 1 else 'blocks'} of {', '.join(map(str, lengths))}"


@lru_cache(maxsize=256)
def _blocks(n_cells: int, lengths: Lengths) -> Chain:
    """The chain of a line: states are places in its shortest writing with a blank before and after each block."""
    writing = [0]
    for length in lengths:
        writing += [1] * length + [0]
    first, last = len(Nonogram.SYMBOLS), len(Nonogram.SYMBOLS) + len(writing) - 1
    here, following = np.array(writing), np.array([*writing[1:], -1])

    def moves(_: int, states: Numbers, values: Numbers) -> Numbers:
        place = (states - first)[:, None]
        stays = np.where((here[place] == 0) & (values == 0), states[:, None], NO_STATE)
        return np.where(values == following[place], states[:, None] + 1, stays)

    def is_end(states: Numbers) -> "NDArray[np.bool_]":
        return np.isin(states, [last, last - 1] if len(writing) > 1 else [last])

    values = np.arange(2)
    return cast("Chain", unfolded([(values, values)] * n_cells, first, moves, is_end)[0])  # there is no limit


KIND = PuzzleKind(
    Nonogram,
    "tatham non json",
    r"nonograms?|picross|griddlers?|hanjie|paint by numbers|pattern",
    Generator(
        "nonogram",
        "Generate nonograms.",
        (
            Parameter("rows", "Number of rows.", default=10, least=1, most=MAX_SIDE),
            Parameter("columns", "Number of columns (default: as many as rows).", least=1, most=MAX_SIDE),
            Parameter("filled", "Fraction of the cells that are filled.", float, 0.55, most=1),
        ),
        fill=0,
    ),
)
