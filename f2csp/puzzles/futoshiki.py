"""Futoshiki: Latin squares with signs between neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from f2csp.diagnostics import ProblemError
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import SIZE, Cell, Conflict, Generator, Layout, Parameter, Puzzle, PuzzleKind
from f2csp.puzzles.to_problem import Rules

if TYPE_CHECKING:
    from f2csp.puzzles.recognise import Board


class Sign(NamedTuple):
    """A sign between two cells that touch."""

    smaller: Cell
    greater: Cell

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """Its cells, the left or upper one first."""
        return (self.smaller, self.greater) if self.smaller < self.greater else (self.greater, self.smaller)

    @property
    def is_horizontal(self) -> bool:
        return self.smaller.row == self.greater.row

    @property
    def place(self) -> tuple[int, int, int]:
        """The sort key: line by line of the picture, left to right."""
        (row, column), _ = self.cells
        return row, not self.is_horizontal, column


@dataclass(frozen=True, slots=True)
class Futoshiki(LatinSquare):
    """A Latin square with signs between neighbours: the one is smaller than the other."""

    KIND: ClassVar[str] = "futoshiki"
    IS_GENERAL: ClassVar[bool] = False

    # Line by line of the picture: those in row 1, those between rows 1 and 2, ...; given in any order, even repeated.
    signs: tuple[Sign, ...] = ()

    def __post_init__(self) -> None:
        LatinSquare.__post_init__(self)
        cells = range(1, self.size + 1)
        for sign in self.signs:
            (row, column), other = sign.cells
            if other not in ((row, column + 1), (row + 1, column)):
                raise ProblemError(f"the cells {sign.smaller} and {sign.greater} of a sign do not touch")
            if not all(number in cells for cell in sign.cells for number in cell):
                raise ProblemError(f"the sign between {sign.smaller} and {sign.greater} is not on the board")
        in_order = tuple(sorted(set(self.signs), key=lambda sign: sign.place))
        for sign, following in pairwise(in_order):
            if sign.cells == following.cells:
                raise ProblemError(f"two signs contradict between {sign.smaller} and {sign.greater}")
        object.__setattr__(self, "signs", in_order)

    def add_rules(self, rules: Rules) -> None:
        LatinSquare.add_rules(self, rules)
        if self.signs:
            less = rules.relation("Accept", list(combinations(self.values, 2)))
            rules.add([[rules.cells[row - 1, column - 1] for row, column in sign] for sign in self.signs], less)

    def conflicts(self) -> Iterator[Conflict]:
        return chain(LatinSquare.conflicts(self), self._broken_signs())

    def layout(self) -> Layout:
        return Layout(signs=self.signs)

    @classmethod
    def candidates(cls, board: "Board") -> Iterator[Puzzle]:
        if board.is_square:
            yield cls(board.n_rows, _signs(board), clues=board.clues)

    def _broken_signs(self) -> Iterator[Conflict]:
        given = {clue.cell: (order, clue) for order, clue in enumerate(self.clues)}
        for sign in self.signs:
            if sign.smaller in given and sign.greater in given:
                smaller, greater = given[sign.smaller], given[sign.greater]
                if smaller[1].value > greater[1].value:  # equal ones break the row or the column
                    bound = f"{greater[1].value} at {sign.greater}"
                    message = f"{smaller[1].value} at {sign.smaller} must be smaller than {bound}"
                    earlier, later = sorted((smaller, greater))
                    yield Conflict((earlier[1], later[1]), message)


def _signs(board: "Board") -> tuple[Sign, ...]:
    """A sign for each pair of cells of which a table requires that one is smaller than the other, or not greater."""
    signs = []
    for table in board.tables_of_pairs():
        differences = {int(a) - int(b) for a, b in table.rows}
        if differences != {0} and (max(differences) <= 0 or min(differences) >= 0):
            order = slice(None) if max(differences) <= 0 else slice(None, None, -1)
            signs += [Sign(*map(board.cell, pair[order])) for pair in table.scopes.tolist()]
    return tuple(signs)


KIND = PuzzleKind(
    Futoshiki,
    "token picture tatham org pairs tables drawn csv chars matrix rel named lists triples",
    r"futoshikis?",
    Generator(
        "futoshiki",
        "Generate Futoshikis.",
        (
            SIZE._replace(default=5, most=25),
            Parameter("signs", "Fraction of the sides of cells that have a sign.", float, 0.3, most=1),
        ),
        fill=0.1,
        details="Signs stay, also if the solution would be the only one without them.",
    ),
)
