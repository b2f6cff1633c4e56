"""Skyscrapers, also called Towers: Latin squares whose values are heights, with numbers of visible towers on the rim.

A tower hides the lower ones behind it. ``C3-top-2`` is what is known after two cells of column 3, from the top: the
tallest tower and the number of those seen, written together, such as 41 for a tower of 4 that is the first one seen.
These variables follow from the cells, so a problem has as many solutions as the puzzle. Lines with equal numbers share
their tables.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model.automaton import NO_STATE, Chain, Numbers, unfolded
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import (
    SIZE,
    Cell,
    Conflict,
    Generator,
    Layout,
    Parameter,
    Puzzle,
    PuzzleKind,
    Rim,
    board_lines,
)
from f2csp.puzzles.squares import check_size
from f2csp.puzzles.to_problem import Rules

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board

MAX_SKYSCRAPERS_SIZE = 25
"""The largest board; the tables of one line grow with the fourth power of the size."""

SIDES = ("top", "bottom", "left", "right")


@dataclass(frozen=True, slots=True)
class Skyscrapers(LatinSquare):
    """A Latin square and, for each side, the number of towers seen from there in each line; 0 where it is not given."""

    KIND: ClassVar[str] = "skyscrapers"
    TECHNIQUE: ClassVar[str] = "edge clue elimination"
    IS_GENERAL: ClassVar[bool] = False

    rim: tuple[tuple[int, ...], ...] = ()  # the sides in the order of SIDES

    def __post_init__(self) -> None:
        check_size(self.size, MAX_SKYSCRAPERS_SIZE)
        LatinSquare.__post_init__(self)
        if not self.rim:
            object.__setattr__(self, "rim", ((0,) * self.size,) * 4)
        if [len(side) for side in self.rim] != [self.size] * 4:
            raise ProblemError(f"expected {self.size} numbers on each of the 4 sides of the board")
        for place, number in enumerate(chain(*self.rim)):
            if not 0 <= number <= self.size:
                raise ProblemError(f"{number} of {self.size} towers cannot be seen", place)

    def add_rules(self, rules: Rules) -> None:
        """The pairs that differ, then the chain of each number: the columns from the top, from the bottom, the rows."""
        LatinSquare.add_rules(self, rules)
        if self.size > 1:
            for name, cells, number in self._views():
                rules.add_chain(rules.scope(cells), _seen(self.size, number), name)

    def describe(self, cells: Sequence[Cell], *, are_different: bool) -> str | None:
        if are_different:
            return LatinSquare.describe(self, cells, are_different=True)
        views = [(_in_words(name, number), line) for name, line, number in self._views() if set(cells) <= set(line)]
        return next((words for words, line in views if line == [*cells]), views[0][0] if views else None)

    def rule_of(self, state: str) -> str | None:
        rules = {name: _in_words(name, number) for name, _, number in self._views()}
        return rules.get(state.rpartition("-")[0])

    def conflicts(self) -> Iterator[Conflict]:
        yield from LatinSquare.conflicts(self)
        views = (((name, number), cells) for name, cells, number in self._views())
        for (name, number), clues in self._given_whole(views):
            seen = n_seen([clue.value for clue in clues])
            if seen != number:
                yield Conflict(tuple(sorted(clues)), f"expected that {_in_words(name, number)}, found {seen}")

    def layout(self) -> Layout:
        return Layout(rim=Rim(*([(number,) if number else () for number in side] for side in self.rim)))

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        """The square with a number for each chain, from the side on which it starts."""
        size = board.n_rows
        if not board.is_square or size > MAX_SKYSCRAPERS_SIZE:
            return
        rim = {side: [0] * size for side in SIDES}
        for found in board.chains:
            across = len({cell.row for cell in found.cells}) == 1
            values = list(map(int, found.values))
            number = n_seen(values)
            is_forward = found.head == {tuple(map(str, row)) for row in _seen(size, number).tables[0].tolist()}
            side = SIDES[2 * across + (not is_forward)]
            line = found.cells[0].row if across else found.cells[0].column
            rim[side][line - 1] = number if is_forward else n_seen(values[::-1])
        if any(map(any, rim.values())):
            yield cls(size, tuple(map(tuple, rim.values())), clues=board.clues)

    def _views(self) -> Iterator[tuple[str, Sequence[Cell], int]]:
        """The numbers on the rim: the name of each, the cells that are seen from there, and the number."""
        lines = board_lines(self.size, self.size)
        for side, seen in zip(SIDES, self.rim, strict=True):
            line = "row" if side in ("left", "right") else "column"
            step = -1 if side in ("bottom", "right") else 1
            for i, number in enumerate(seen, 1):
                if number:
                    yield f"{line[0].upper()}{i}-{side}", lines[f"{line} {i}"][::step], number


def n_seen(heights: Sequence[int]) -> int:
    """The number of towers that no earlier one hides."""
    return sum(height > max(heights[:i], default=-1) for i, height in enumerate(heights))


def _in_words(name: str, number: int) -> str:
    line, side = name.split("-")
    where = f"{'row' if line[0] == 'R' else 'column'} {line[1:]}"
    return f"{where} shows {number} tower{'s' * (number != 1)} from the {side}"


@lru_cache(maxsize=64)
def _seen(size: int, number: int) -> Chain:
    """The chain that finds this number of visible towers; a state is the tallest one and the number so far."""
    base = 10 ** len(str(size))

    def moves(position: int, states: Numbers, heights: Numbers) -> Numbers:
        tallest, seen = states[:, None] // base, states[:, None] % base
        after, top = seen + (heights > tallest), np.maximum(tallest, heights)
        left = np.minimum(size - position - 1, size - top)  # towers that may still be seen
        # Different heights reach at least the number of cells.
        fits = (heights != tallest) & (position < top) & (after <= number) & (number <= after + left)
        return np.where(fits, top * base + after, NO_STATE)

    heights = np.arange(1, size + 1)
    return cast("Chain", unfolded([(heights, heights)] * size, 0, moves)[0])  # there is no limit


KIND = PuzzleKind(
    Skyscrapers,
    "tatham sides",
    r"skyscrapers?|towers|wolkenkratzer",
    Generator(
        "skyscrapers",
        "Generate Skyscrapers.",
        (
            SIZE._replace(default=5, most=MAX_SKYSCRAPERS_SIZE),
            Parameter("rim", "Fraction of the numbers on the rim that are given.", float, 1, most=1),
        ),
        fill=0,
        details="Numbers on the rim stay, also if the solution would be the only one without them.",
    ),
)
