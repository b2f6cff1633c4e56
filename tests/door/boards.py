"""Boards with one solution each, made by ``f2csp generate``, and what a reading of each must be."""

import json
from dataclasses import dataclass
from functools import cache

from f2csp.puzzles.cages import Cage
from f2csp.puzzles.futoshiki import Sign
from f2csp.puzzles.puzzle import Cell, Clue, puzzle_class
from f2csp.rendering.text_board import board_text
from tests.door.reading import Grid, Rules, regions_of
from tests.door.texts import CORPUS


@dataclass(frozen=True)
class Board:
    name: str  # its kind, its size, and its seed
    kind: str
    givens: Grid
    solution: Grid
    box: tuple[int, int] | None = None
    signs: tuple[tuple[Cell, Cell], ...] = ()  # the smaller cell first
    regions: tuple[tuple[int, ...], ...] = ()
    cages: tuple[tuple[int, tuple[Cell, ...]], ...] = ()

    @property
    def size(self) -> int:
        return len(self.givens)

    @property
    def rules(self) -> Rules:
        """What it has beside its givens and the rules of its kind, as readings have it."""
        if self.regions:
            return regions_of(self.regions)
        if self.box and self.box[0] != self.box[1]:
            return frozenset({("box", *self.box)})
        cages = [(total, frozenset(cells)) for total, cells in self.cages]
        return frozenset([*(Sign(*pair) for pair in self.signs), *cages])

    def drawn(self) -> str:
        """The board as the package draws it."""
        kind = puzzle_class(self.kind)
        fields: dict[str, object] = {"clues": tuple(Clue(*clue) for clue in self.clues())}
        if self.box:
            fields |= {"box_rows": self.box[0], "box_columns": self.box[1]}
        if self.signs:
            fields["signs"] = tuple(Sign(*pair) for pair in self.signs)
        if self.cages:
            fields["cages"] = tuple(Cage(*cage) for cage in self.cages)
        if self.regions:
            fields["regions"] = self.regions
        sides = {"rows": self.size, "columns": self.size} if self.kind == "takuzu" else {"size": self.size}
        return board_text(kind(**sides, **fields))

    def clues(self) -> list[tuple[int, int, int]]:
        """Row, column and value of each given."""
        lines = enumerate(self.givens, 1)
        return [(i, j, value) for i, row in lines for j, value in enumerate(row, 1) if value is not None]


@cache
def boards() -> dict[str, Board]:
    """The boards by name."""
    records = map(json.loads, (CORPUS / "boards.jsonl").read_text(encoding="utf-8").splitlines())
    return {record["name"]: _board(record) for record in records}


def board(name: str) -> Board:
    return boards()[name]


def _board(record: dict[str, object]) -> Board:
    fields = {name: _frozen(value) for name, value in record.items()}
    for name in ("signs", "cages"):
        fields[name] = tuple(_with_cells(entry) for entry in fields.get(name, ()))
    return Board(**fields)


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _with_cells(entry):
    first, second = entry
    return (Cell(*first), Cell(*second)) if isinstance(first, tuple) else (first, tuple(Cell(*cell) for cell in second))
