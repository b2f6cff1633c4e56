"""Puzzles in no named format: cells as facts, triples or JSON.

    initial(1,2,0).
    initial(3,4,1).
    ...

These are facts of an answer set program: row, column and value; they can also be numbers alone, below the size of the
board.

The program f-puzzles (https://www.f-puzzles.com, the nearest to a specification) saves JSON: a Sudoku, or one with both
diagonals, with cages, or with the regions that its cells name; other keys are the rules of other puzzles.

    {"size": 9, "grid": [[{"value": 5, "given": true}, {}, ...], ...], "diagonal+": true, "diagonal-": true,
     "killercage": [{"cells": ["R1C1", "R1C2"], "value": "10"}, ...]}
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, takewhile
from math import isqrt
from typing import Any

from f2csp.boards.grids import Board, Drawing, UnclearBoard, all_read
from f2csp.diagnostics import ProblemError
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Cage, Killer
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Sudoku, squarest_box
from f2csp.puzzles.takuzu import MAX_LINES

_FACT = re.compile(r"\s*([a-z]\w*)\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)\s*\.\s*")
_OTHER_FACT = re.compile(r"\s*(?:#const\s+)?([a-z]\w*)\s*(?:[=(]\s*(?:1\s*\.\.\s*)?(\d{1,3})\s*\)?)\s*\.\s*")
_ASP_COMMENT = re.compile(r"%.*")
_RUNS = re.compile(r"[a-z01]+")
_RULES = ("diagonal+", "diagonal-", "killercage")  # keys of f-puzzles
_KNOWN = frozenset({"size", "title", "author", "ruleset", "grid", "solution", "successMessage", "metadata", *_RULES})
_CELL = re.compile(r"R([1-9][0-9]?)C([1-9][0-9]?)")
_MAX_DIGITS = 3
_MIN_SIZE = 4

Triple = tuple[int, int, int]


def listed_puzzles(text: str, kinds: Collection[str], options: Mapping[str, Any]) -> list[Board]:
    """The puzzles of a text that lists their cells or signs; none if it is something else. Raises UnclearBoard."""
    if found := [board for board in _fpuzzle(text) if board.puzzle.KIND in kinds]:
        return found
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if "takuzu" in kinds and (drawings := _run_lengths(lines)):
        return all_read(drawings, ["takuzu"], options)
    drawing = _facts(text) or _triples(lines)
    return all_read([drawing], kinds, options) if drawing else []


# ---- Cells ---------------------------------------------------------------------------------------------------------


def _are_numbers(lines: Sequence[Sequence[str]]) -> bool:
    return all(word.isdecimal() and len(word) <= _MAX_DIGITS for line in lines for word in line)


def _facts(text: str) -> Drawing | None:
    """The board of facts in an answer set program, whose other facts are at most its size."""
    rest = _ASP_COMMENT.sub("", text)
    facts = _FACT.findall(rest)
    others = [*_OTHER_FACT.finditer(_FACT.sub("", rest))]
    if not facts or len({name for name, *_ in facts}) > 1 or _OTHER_FACT.sub("", _FACT.sub("", rest)).strip():
        return None
    sizes = {int(match[2]) for match in others}
    return _drawing([(int(r), int(c), int(v)) for _, r, c, v in facts], max(sizes, default=0))


def _triples(lines: Sequence[Sequence[str]]) -> Drawing | None:
    """The board of lines of a row, a column and a value, below its size and perhaps their number."""
    if not _are_numbers(lines):
        return None
    heads = [[*map(int, line)] for line in takewhile(lambda line: len(line) < 3, lines)]
    triples = [(int(line[0]), int(line[1]), int(line[2])) for line in lines[len(heads) :] if len(line) == 3]
    if not heads or len(heads) + len(triples) < len(lines) or not triples:
        return None
    size, n_triples = heads[0][0], [len(triples)]
    are_known = heads[0] in ([size], [size, size]) and heads[1:] in ([], [n_triples])
    return _drawing(triples, size) if are_known and size >= _MIN_SIZE else None


def _drawing(triples: Sequence[Triple], size: int) -> Drawing | None:
    """The board of triples that count from 0 or from 1; one with a cell in its last row or column shows which."""
    places = {(row, column) for row, column, _ in triples}
    lowest, highest = min(chain.from_iterable(places)), max(chain.from_iterable(places))
    first, last = min(lowest, 1), [max(place[i] for place in places) for i in (0, 1)]
    is_sure = highest - first == size - 1 if size else last == [highest, highest]
    if not is_sure or highest >= MAX_SIZE:
        hint = "begin with the size, and count rows and columns from 1"
        raise UnclearBoard("F601", f"the size of the board is unclear: its last row with a cell is {highest}", hint)
    if len(places) < len(triples):
        return None
    values = {value for _, _, value in triples}
    if first == 0 and max(values) > 1 and values.isdisjoint((0, highest + 1)):
        raise UnclearBoard("F610", "the values count from 0 or from 1", "count rows, columns and values from 1")
    cells = [[""] * (highest + 1 - first) for _ in range(highest + 1 - first)]
    for row, column, value in triples:
        cells[row - first][column - first] = f"{value}"
    return Drawing((1, 1), cells, None)


def _run_lengths(lines: Sequence[Sequence[str]]) -> list[Drawing]:
    """The boards of lines of 0, 1 and letters, which are runs of 1 to 26 blanks; a solution can follow."""
    boards = [_cells_of(line[0]) for line in lines if len(line) <= 2]
    if len(boards) < len(lines) or not all(map(_is_board, lines, boards)):
        return []
    rows = [(cells, isqrt(len(cells))) for cells in boards]
    return [
        Drawing((i, i), [cells[at : at + size] for at in range(0, size**2, size)], None)
        for i, (cells, size) in enumerate(rows, 1)
    ]


def _is_board(line: Sequence[str], cells: Sequence[str]) -> bool:
    size = isqrt(len(cells))
    return size**2 == len(cells) and _MIN_SIZE <= size <= min(len(line[0]), MAX_LINES)


def _cells_of(word: str) -> list[str]:
    if not _RUNS.fullmatch(word) or word.isdecimal():
        return []
    cells = (["" for _ in range(ord(sign) - ord("a") + 1)] if sign.isalpha() else [sign] for sign in word)
    return [*chain.from_iterable(cells)]


# ---- f-puzzles -----------------------------------------------------------------------------------------------------


def _fpuzzle(text: str) -> list[Board]:
    """The puzzle, if the text is one of this program; raises UnclearBoard for one with other rules."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(data, dict) or not _is_grid(data.get("grid"), data.get("size")):
        return []
    others = sorted(key for key, value in data.items() if value and key not in _KNOWN)
    has_regions = any("region" in cell for row in data["grid"] for cell in row)
    diagonals = [key for key in _RULES[:2] if data.get(key)]
    rules = [*["diagonal"] * bool(diagonals), *["killer"] * bool(data.get("killercage")), *["jigsaw"] * has_regions]
    if others or len(diagonals) == 1 or len(rules) > 1:
        message = f"expected a puzzle of a known kind, found one with {', '.join(others or diagonals or rules)}"
        raise UnclearBoard("F613", message, "one of diagonal+ and diagonal-, killercage, regions is read")
    try:
        puzzle = _puzzle(data["size"], data["grid"], data.get("killercage", ()), *rules)
    except (ProblemError, ValueError, TypeError, KeyError) as error:
        raise UnclearBoard("F615", f"the puzzle is malformed: {error}", "save it again with its program") from None
    return [Board(puzzle, f"{data['size']}x{data['size']}, saved by f-puzzles")]


def _is_grid(grid: object, size: object) -> bool:
    rows = grid if isinstance(grid, list) else []
    has_rows = 0 < len(rows) == size and all(isinstance(row, list) and len(row) == size for row in rows)
    return has_rows and all(isinstance(cell, dict) for row in rows for cell in row)


def _puzzle(size: int, grid: Sequence[Sequence[Any]], cages: Sequence[Any], kind: str = "") -> Puzzle:
    box = squarest_box(size) or (1, size)
    cells = [(i, j, cell) for i, row in enumerate(grid, 1) for j, cell in enumerate(row, 1)]
    clues = tuple(Clue(i, j, int(cell["value"])) for i, j, cell in cells if cell.get("value") and cell.get("given"))
    if kind == "jigsaw":
        rows = zip(grid, Sudoku(size, *box).labels(), strict=True)
        regions = [tuple(cell.get("region", label - 1) for cell, label in zip(*row, strict=True)) for row in rows]
        return Jigsaw(size, tuple(regions), clues=clues)
    if kind == "killer":
        totals = tuple(Cage(int(cage["value"]), tuple(map(_cell, cage["cells"]))) for cage in cages)
        return Killer(size, *box, totals, clues=clues)
    return (Diagonal if kind == "diagonal" else Sudoku)(size, *box, clues=clues)


def _cell(name: str) -> Cell:
    match = _CELL.fullmatch(name)
    if match is None:
        raise ValueError(f"expected a cell such as R1C1, found {name!r}")
    return Cell(int(match[1]), int(match[2]))
