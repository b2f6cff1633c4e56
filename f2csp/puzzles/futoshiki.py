"""Futoshiki: Latin squares with signs between neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from f2csp.diagnostics import ProblemError
from f2csp.file_formats import FormatInfo
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import IDENTIFIER, Cell, Conflict, Layout, Puzzle, PuzzleKind
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
    NAME: ClassVar[str] = "Futoshiki"
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
    for table in board.tables_on(n_cells=2):
        differences = {int(a) - int(b) for a, b in table.rows}
        if differences != {0} and (max(differences) <= 0 or min(differences) >= 0):
            order = slice(None) if max(differences) <= 0 else slice(None, None, -1)
            signs += [Sign(*map(board.cell, pair[order])) for pair in table.scopes.tolist()]
    return tuple(signs)


_SIGN = r"[<>^]|\xe2\x88[\xa7\xa8]|\xce\x9b|\xcb[\x84\x85]|\b[vV]\b".encode("latin-1")  # in any of its spellings
_PICTURE_LINE = rb"[0-9.<>^vV\s_|+=*x\x80-\xff-]+"
_NUMBERS_LINE = rb"-?[0-9]+(?:[ \t,]+-?[0-9]+)*,?"

KIND = PuzzleKind(
    Futoshiki,
    (
        FormatInfo(
            "futoshiki:token",
            "futoshiki_pictures.TOKEN",
            "the size, and lines of words such as x00 < x01 - 3",
            2,
            rb"[^\s<>]+(?:[ \t]+[-<>][ \t]+[^\s<>]+)+|[-<>\s]+|[0-9]+|.*\\n.*",
            signature=rb"(?m)[ \t][<>-](?:[ \t]|\r?$|\\n)",
        ),
        FormatInfo(
            "futoshiki:picture",
            "futoshiki_pictures.PICTURE",
            "cells 4 characters apart, with signs between them",
            2,
            rb"[0-9.<>^vV\s\x80-\xff]+",
            signature=_SIGN,
        ),
        FormatInfo(
            "futoshiki:tatham",
            "tatham.UNEQUAL",
            "identifiers such as 5:0,0,3D,0R..., one a line",
            3,
            rb"[0-9]{1,3}(?!x[0-9])(?:[^u\s0-9:#][^\s:#]*)?(?:#.*|:.*[,UDRL].*|:[0-9a-z]*)|#.*",
            signature=IDENTIFIER,
        ),
        FormatInfo(
            "futoshiki:org",
            "futoshiki_pictures.ORG",
            "as on futoshiki.org: ._._(_3..., one a line",
            3,
            rb"[.0-9A-Z][(_)]\S*(?:\s.*)?|[a-z\x80-\xff.][(_)x]\S{7,}",
            signature=rb"(?m)^[ \t]*+\S[(_)x][.0-9A-Z(_)v^]",
        ),
        FormatInfo(
            "futoshiki:pairs",
            "futoshiki_signs.PAIRS",
            "the size, the rows, the number of signs, and such as 0>4",
            2,
            _NUMBERS_LINE + rb"|[0-9]+[ \t]*[<>][ \t]*[0-9]+",
            signature=rb"[0-9][ \t]*+[<>][ \t]*+[0-9]|(?<![0-9])-1\b",
        ),
        FormatInfo(
            "futoshiki:tables",
            "futoshiki_signs.TABLES",
            "the size, and tables of cells and of signs",
            2,
            _NUMBERS_LINE + rb"|#.*",
            signature=rb"(?m)^[ \t]*#|^[ \t]*-?[0-9]+[ \t]*,|^(?:[0-9]+\s+)+-1",
        ),
        FormatInfo(
            "futoshiki:drawn",
            "futoshiki_pictures.DRAWN",
            "a picture of any width, perhaps in a frame or above its solution",
            2,
            _PICTURE_LINE,
            signature=_SIGN + rb"|(?i:futoshiki)",
            is_written=False,
        ),
        FormatInfo(
            "futoshiki:csv",
            "futoshiki_pictures.CSV",
            "a picture with commas or bars between its places",
            2,
            rb"[0-9._ \t<>^vV,|#\x80-\xff-]+|size.*",
            signature=rb"(?m)[,|][ \t]*+(?:[<>^vV]|\xe2\x88[\xa7\xa8])[ \t]*+(?:[,|]|\r?$)"
            rb"|^[ \t]*+(?:[<>^vV]|\xe2\x88[\xa7\xa8])[ \t]*+[,|]",
            is_written=False,
        ),
        FormatInfo(
            "futoshiki:chars",
            "futoshiki_pictures.CHARACTERS",
            "a picture with a character for each place",
            2,
            rb"[0-9<>^vV ]+",
            signature=rb"[<>^]|\b[vV]\b",
            is_written=False,
        ),
        FormatInfo(
            "futoshiki:matrix",
            "futoshiki_pictures.MATRIX",
            "the size, and a picture with 1, -1 and 0 for signs",
            2,
            _NUMBERS_LINE,
            signature=rb"\A\s*+[0-9]{1,3}[ \t]*+\r?\n(?s:.*)-1",
            is_written=False,
        ),
        FormatInfo(
            "futoshiki:rel",
            "futoshiki_signs.RELATIONS",
            "the rows after START:, and pairs such as A1;B1 after REL:",
            3,
            rb".*",
            signature=rb"(?im)^[ \t]*+START:",
            is_written=False,
        ),
        FormatInfo(
            "futoshiki:lists",
            "futoshiki_signs.LISTS",
            "the size and the number of signs, rows, and lines r c r c",
            2,
            _NUMBERS_LINE,
            signature=rb"(?m)^[ \t]*+[0-9]++[ \t]++[0-9]++[ \t]*+\r?$",
            is_written=False,
        ),
        FormatInfo(
            "futoshiki:triples",
            "futoshiki_signs.TRIPLES",
            "the size, givens r c v, and signs r c r c, each below their number",
            2,
            _NUMBERS_LINE,
            signature=rb"\A\s*+[0-9]{1,3}[ \t]*+\r?\n\s*+[0-9]++[ \t]*+\r?\n",
            is_written=False,
        ),
    ),
    words=r"futoshikis?",
    title="Futoshiki",
)
