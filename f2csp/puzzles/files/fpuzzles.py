"""Puzzles of the program f-puzzles, as JSON.

    {"size": 9, "grid": [[{"value": 5, "given": true}, {}, ...], ...], "diagonal+": true, "diagonal-": true,
     "killercage": [{"cells": ["R1C1", "R1C2"], "value": "10"}, ...]}

A Sudoku, or one with both diagonals, with cages, or with the regions that its cells name. Other keys are the rules of
other puzzles. The program's site, https://www.f-puzzles.com, is the nearest to a specification.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from f2csp.diagnostics import ProblemError
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.files.grids import Board, UnclearBoard
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Cage, Killer
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku, squarest_box

_RULES = ("diagonal+", "diagonal-", "killercage")
_KNOWN = frozenset({"size", "title", "author", "ruleset", "grid", "solution", "successMessage", "metadata", *_RULES})
_CELL = re.compile(r"R([1-9][0-9]?)C([1-9][0-9]?)")


def fpuzzle(text: str) -> list[Board]:
    """The puzzle; none if the text is something else. Raises UnclearBoard for a puzzle with other rules."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(data, dict) or not _is_grid(data.get("grid"), data.get("size")):
        return []
    others = sorted(key for key, value in data.items() if value and key not in _KNOWN)
    has_regions = any("region" in cell for row in data["grid"] for cell in row)
    diagonals = [key for key in ("diagonal+", "diagonal-") if data.get(key)]
    rules = [*["diagonal"] * bool(diagonals), *["killer"] * bool(data.get("killercage")), *["jigsaw"] * has_regions]
    if others or len(diagonals) == 1 or len(rules) > 1:
        message = f"expected a puzzle of a known kind, found one with {', '.join(others or diagonals or rules)}"
        raise UnclearBoard("F613", message, "one of diagonal+ and diagonal-, killercage, regions is read")
    try:
        puzzle = _puzzle(data, rules[0] if rules else "sudoku")
    except (ProblemError, ValueError, TypeError, KeyError) as error:
        raise UnclearBoard("F615", f"the puzzle is malformed: {error}", "save it again with its program") from None
    return [Board(puzzle, f"{data['size']}x{data['size']}, saved by f-puzzles")]


def _is_grid(grid: object, size: object) -> bool:
    """Whether there are rows of as many cells."""
    rows = grid if isinstance(grid, list) else []
    has_rows = 0 < len(rows) == size and all(isinstance(row, list) and len(row) == size for row in rows)
    return has_rows and all(isinstance(cell, dict) for row in rows for cell in row)


def _puzzle(data: Mapping[str, Any], kind: str) -> Puzzle:
    size, grid = data["size"], data["grid"]
    box = squarest_box(size) or (1, size)
    clues = tuple(
        Clue(i, j, int(cell["value"]))
        for i, row in enumerate(grid, 1)
        for j, cell in enumerate(row, 1)
        if cell.get("value") and cell.get("given")
    )
    if kind == "jigsaw":
        boxes = Sudoku(size, *box).labels()
        regions = [
            tuple(cell.get("region", label - 1) for cell, label in zip(*rows, strict=True))
            for rows in zip(grid, boxes, strict=True)
        ]
        return Jigsaw(size, tuple(regions), clues=clues)
    if kind == "killer":
        cages = tuple(Cage(int(cage["value"]), tuple(map(_cell, cage["cells"]))) for cage in data["killercage"])
        return Killer(size=size, box_rows=box[0], box_columns=box[1], cages=cages, clues=clues)
    return (Diagonal if kind == "diagonal" else Sudoku)(size, *box, clues=clues)


def _cell(name: str) -> Cell:
    match = _CELL.fullmatch(name)
    if match is None:
        raise ValueError(f"expected a cell such as R1C1, found {name!r}")
    return Cell(int(match[1]), int(match[2]))
