"""Puzzles in JSON documents: the program f-puzzles, and documents with rows, strings or lists of cells under some key.

    {"size": 9, "grid": [[{"value": 5, "given": true}, {}, ...], ...], "killercage": [{"cells": ["R1C1", "R1C2"], ...}]}
    {"puzzle": {"1": 7, "6": 6, ...}}
    {"fixedCells": [{"r": 0, "c": 4, "value": 5}, ...], "rules": [{"type": "Standard"}]}
    {"quiz": "53..7....6..195...", "solution": "534678912..."}
    [[null, 1, null, null], ...]
    {"name": "Binairo", "data": {"12_10x10": {"problem": "..."}, ...}}

There is no specification; of f-puzzles (https://www.f-puzzles.com) the program is the nearest to one. A key that may be
a rule of another puzzle is refused by its name.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from math import isqrt
from typing import Any, NamedTuple, NoReturn

from f2csp.boards.cell_rows import BLANKS, Row, Rows, Shape, Symbols
from f2csp.boards.pieces import Piece, Span, Text, number
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Unreadable
from f2csp.boards.sudoku_variants import cells_of_rows, jigsaw_of
from f2csp.diagnostics import Collector, Source
from f2csp.json_text import JsonLayout, parse, repeated_keys
from f2csp.puzzles.killer import Cage
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Sudoku, squarest_box

_MAX_DEPTH = 100
_CELLS = ("grid", "puzzle", "problem", "board", "quiz", "start", "initial", "unsolved", "cells", "fixedCells")
_PUZZLES = ("puzzles", "data", "boards", "grids")
_SIZES = frozenset(["size", "n", "order", "rows", "cols", "columns", "width", "height"])
_REMARKS = re.compile(
    "solutions?|solved|answer|title|author|ruleset|successMessage|metadata|id|difficulty|level|rating|score|source|info"
    "|url|date|count|count_sol"
)
_NAMES = frozenset(["name", "type", "kind", "variant", "game"])
_KINDS = {
    **dict.fromkeys(("sudoku", "standard", "classic", "standardsudoku", "classicsudoku"), "sudoku"),
    **dict.fromkeys(("takuzu", "binairo", "binarypuzzle"), "takuzu"),
    **dict.fromkeys(("latin", "latinsquare"), "latin"),
    **dict.fromkeys(("jigsaw", "jigsawsudoku"), "jigsaw"),
}
_RULES = {"diagonal+": "diagonal", "diagonal-": "diagonal", "killercage": "killer"}  # keys of f-puzzles
_OF_CELLS = re.compile("value|given|region|c|cArray|highlight(?:Array)?|[a-zA-Z]*Marks")
_CAGE_CELL = re.compile(r"R([1-9][0-9]?)C([1-9][0-9]?)")
_LINE = re.compile(r"[^\n]+")

_BLANK_WORDS = frozenset(["", " ", "null", "-1", *BLANKS])
_SQUARE = Symbols(_BLANK_WORDS, "write a number, or null for a blank")
_TAKUZU = Symbols(_BLANK_WORDS - {"0"}, "write 0, 1, or null for a blank", {"0": 0, "1": 1})
_ONE_TWO = Symbols(_TAKUZU.blanks, "write 1, 2, or null for a blank", {"1": 0, "2": 1})

_KINDS_HINT = "of the rules, both diagonals, killercage and regions are read; remove a key that is no rule"
_CELLS_HINT = f"write the rows of the board under one of the keys {', '.join(_CELLS)}"
_FIRST_HINT = 'add the first cell with 0 for a blank, such as "0": 0 or "1": 0'

Path = tuple[str | int, ...]


class _Document(NamedTuple):
    root: Any
    layout: JsonLayout
    paths: Mapping[int, Path]  # of the puzzles, by the offsets where they begin; none if there is one
    repeated: Sequence[Span]  # keys that an object has twice


@lru_cache(maxsize=1)
def _document(source: Source) -> _Document | None:
    """The document of a text, which all kinds of puzzles share; None if it is not JSON."""
    try:
        root = json.loads(source.data[source.start :])
    except (ValueError, RecursionError):
        return None
    layout = JsonLayout(source)
    paths = {layout.span(*path)[0]: path for path in _paths(root)}
    return _Document(root, layout, paths, [*repeated_keys(source.data, layout.root, _MAX_DEPTH)])


def _paths(root: Any) -> Sequence[Path]:
    """The paths of the puzzles of a document with several; none of another document."""
    base: Path = tuple([key for key in _PUZZLES if isinstance(root, dict) and key in root][:1])
    items = root[base[0]] if base else root
    steps = [*items] if isinstance(items, dict) and base else range(len(items)) if isinstance(items, list) else []
    values = [items[step] for step in steps]
    are_objects = all(isinstance(value, dict) and not value.keys().isdisjoint(_CELLS) for value in values)
    are_boards = all(isinstance(value, list) and value and isinstance(value[0], list) for value in values)
    are_runs = all(isinstance(value, str) and len(value) > len(values) and " " not in value for value in values)
    return [(*base, step) for step in steps] if are_objects or are_boards or are_runs else []


def _cut(text: Text) -> Sequence[Text]:
    document = _document(text.source)
    spans = [document.layout.span(*path) for path in document.paths.values()] if document else []
    return [text.part(*span) for span in spans] or [text]


def _read(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a JSON document with the cells of a puzzle.

        {"puzzle": ["1...", "...3", ".2..", "...."], "difficulty": "easy"}

    Rows are strings, or lists of numbers and null; the other layouts are those of the module's docstring.
    """
    document = _document(text.source)
    if document is None:
        parse(text.source, builder.collector, ("F615", "F615"), _MAX_DEPTH)
        if builder.is_sound:  # a number with more digits than Python reads
            builder.fault("F615", (text.start, text.start), "a number of the document is too long")
        builder.is_stopped = True
        raise Unreadable
    for span in document.repeated:
        builder.fault("F605", span, f"the key {builder.shown(*span)} is given twice")
    return _Reader(builder, document.layout).read(document.root, document.paths.get(text.start, ()))


DOCUMENTS = Codec(_read, cut=_cut)


class _Reader:
    """Reads the puzzle at a path of a document."""

    def __init__(self, builder: PuzzleBuilder, layout: JsonLayout) -> None:
        self._builder, self._layout = builder, layout
        self._kinds: set[str] = set()
        self._size: int | None = None  # if the document gives it
        self._cages: Any = ()

    def read(self, value: Any, path: Path) -> Puzzle:
        """Read what the keys on the way to the puzzle say, then its cells."""
        puzzle = value
        for step in path:
            puzzle = puzzle[step]
        keys = [key for key in _CELLS if key in puzzle] if isinstance(puzzle, dict) else []
        if len(keys) != isinstance(puzzle, dict):
            self._builder.stop("F604", self._layout.span(*path), "expected the cells of one board", _CELLS_HINT)
        for at, item in {(): value, path: puzzle}.items():
            self._read_keys(item, at)
        for key in keys:
            puzzle, path = puzzle[key], (*path, key)
        if not isinstance(puzzle, (dict, list, str)):
            self._builder.stop("F604", self._layout.span(*path), "expected the cells of one board", _CELLS_HINT)
        return self._puzzle(puzzle, path)

    def _read_keys(self, value: Any, path: Path) -> None:
        """Note what the keys of an object say of the puzzle; stop at one that may be a rule."""
        for key, item in value.items() if isinstance(value, dict) else ():
            if key in _SIZES and isinstance(item, int):
                self._size = item
            elif key in _NAMES and isinstance(item, str):
                self._add_kind(item, (*path, key))
            elif key == "rules" and isinstance(item, list):
                for i, rule in enumerate(item):
                    self._add_kind(str(rule.get("type") if isinstance(rule, dict) else rule), (*path, key, i))
            elif item and key in _RULES:
                self._kinds.add(_RULES[key])
                self._cages = item if key == "killercage" else self._cages
                if _RULES[key] == "diagonal" and not (value.get("diagonal+") and value.get("diagonal-")):
                    self._refuse(f"one with {key} alone", (*path, key))
            elif item and key not in (*_CELLS, *_PUZZLES) and not _REMARKS.fullmatch(key):
                self._refuse(f"one with {key}", (*path, key))

    def _add_kind(self, name: str, path: Path) -> None:
        kind = _KINDS.get(re.sub(r"[\W_]", "", name.lower()))
        self._kinds.add(kind or self._refuse(name, path))

    def _refuse(self, found: str, path: Path) -> NoReturn:
        span = self._layout.key(*path) if path and isinstance(path[-1], str) else self._layout.span(*path)
        self._builder.stop("F613", span, f"expected a puzzle of a known kind, found {found}", _KINDS_HINT)

    def _puzzle(self, cells: Any, path: Path) -> Puzzle:
        """The puzzle with these cells, if it is of the kind that is wanted."""
        rows, kind = cells if isinstance(cells, list) else [], self._builder.kind
        are_objects = bool(rows) and all(isinstance(row, dict) for row in rows)
        is_grid = bool(rows) and all(isinstance(row, list) and all(isinstance(c, dict) for c in row) for row in rows)
        keys = {key for row in rows for cell in row for key in cell} if is_grid else set()
        for key in sorted(keys):
            if not _OF_CELLS.fullmatch(key):
                self._refuse(f"one with {key} of a cell", path)
        if "region" in keys:
            self._kinds.add("jigsaw")
        if (is_grid or are_objects or isinstance(cells, dict)) and not self._kinds:
            self._kinds.add("sudoku")
        kinds = sorted(self._kinds or {"sudoku", "latin", "takuzu"})
        if len(self._kinds) > 1:
            self._refuse(f"one with the rules of {' and '.join(kinds)}", path)
        if kind not in kinds:
            message = f"expected a puzzle of the kind {kind}, found {' or '.join(kinds)}"
            self._builder.fault("F613", self._layout.span(*path), message)
            self._builder.is_stopped = True
            raise Unreadable
        self._builder.reading = ", ".join(["JSON", *(f"{step}" for step in path if isinstance(step, str))])
        if is_grid:
            return self._fpuzzle(rows, path)
        if are_objects:
            return self._listed(rows, path)
        return self._numbered(cells, path) if isinstance(cells, dict) else self._board(self._rows(cells, path), path)

    def _fpuzzle(self, grid: Sequence[Sequence[Mapping[str, Any]]], path: Path) -> Puzzle:
        """The puzzle of the program f-puzzles; cells without ``given`` are filled in by a player."""
        size, span = self._size or len(grid), self._layout.span(*path)
        if len(grid) != size or any(len(row) != size for row in grid):
            self._builder.stop("F609", span, f"expected {size} rows of {size} cells")
        if any("value" in cell for row in grid for cell in row) and not any("given" in c for row in grid for c in row):
            hint = 'add "given": true to the cells that are given'
            self._builder.stop("F615", span, "expected given cells, found values alone", hint)
        self._builder.check_size(span, MAX_SIZE, size)
        box = squarest_box(size) or (1, size)
        more: dict[str, Any] = {}
        try:
            givens = [
                Given(i + 1, j + 1, int(cell["value"]), self._layout.span(*path, i, j))
                for i, row in enumerate(grid)
                for j, cell in enumerate(row)
                if cell.get("given") and cell.get("value")
            ]
            if "killer" in self._kinds:
                more["cages"] = tuple(map(_cage, self._cages))
            if "jigsaw" in self._kinds:
                labels = [zip(*rows, strict=True) for rows in zip(grid, Sudoku(size, *box).labels(), strict=True)]
                more["regions"] = tuple(tuple(int(cell.get("region", n - 1)) for cell, n in row) for row in labels)
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            self._builder.stop("F615", span, f"the puzzle is malformed: {error}", "save it again with its program")
        return self._builder.square(size, givens, span, box, **more)

    def _listed(self, cells: Sequence[Mapping[str, Any]], path: Path) -> Puzzle:
        """The Sudoku of cells with their rows and columns from 0."""
        size = self._size or 9
        for i, cell in enumerate(cells):
            if cell.keys() != {"r", "c", "value"} or not all(number(f"{cell[key]}") in range(size) for key in "rc"):
                message = f"expected r and c from 0 to {size - 1} and the value of a cell"
                self._builder.stop("F615", self._layout.span(*path, i), message)
        places = [int(cell["r"]) * size + int(cell["c"]) for cell in cells]
        words = [self._word(*path, i, "value") for i in range(len(cells))]
        return _indexed([*zip(places, words, strict=True)], size, self._layout.span(*path), self._builder)

    def _numbered(self, cells: Mapping[str, Any], path: Path) -> Puzzle:
        """The Sudoku of cells that are numbered row by row, from 0 or from 1."""
        span, builder = self._layout.span(*path), self._builder
        words = [(index, self._word(*path, key)) for key in cells if (index := number(key)) is not None]
        if len(words) < len(cells) or not words:
            builder.stop("F607", span, "expected cells with numbers as keys", _CELLS_HINT)
        indices = [index for index, _ in words]
        least = max(number(word.text) or 0 for _, word in words)
        sizes = (size for size in (4, 9, 16, 25) if size >= least and size**2 >= max(indices) + (0 in indices))
        size = self._size or next(sizes, 36)
        readings = [[(index - first, word) for index, word in words] for first in (0, 1)]
        faults = []  # of each reading: 2 for errors, 1 for givens that break a rule
        for reading in readings:
            trial = PuzzleBuilder(builder.kind, Collector(builder.collector.source))
            with suppress(Unreadable):
                _indexed(reading, size, span, trial)
            faults.append(0 if not trial.collector.diagnostics() else 1 if trial.is_sound else 2)
        first = faults.index(min(faults))
        if faults[0] == faults[1] < 2:
            builder.stop("F610", span, "the cells can be numbered from 0 or from 1", _FIRST_HINT)
        builder.reading += f", cells numbered from {first}"
        return _indexed(readings[first], size, span, builder)

    def _word(self, *path: str | int) -> Piece:
        return self._piece(self._layout.span(*path))

    def _piece(self, span: Span) -> Piece:
        """A value as a word; a string without its quotes, and with its escapes."""
        data = self._builder.collector.source.data
        n_quotes = int(data.startswith(b'"', span[0]))
        return Piece(data[span[0] + n_quotes : span[1] - n_quotes].decode(), span[0] + n_quotes)

    def _rows(self, cells: Any, path: Path) -> Sequence[Row]:
        """The rows of a string, of a list of strings, of a list of lists, or of a list of all cells."""
        span = self._layout.span(*path)
        spans = [*self._layout.spans_in(span)] if isinstance(cells, list) else []
        if isinstance(cells, str):
            word = self._piece(span)
            text = word.text.replace("\\r", "  ").replace("\\n", " \n")  # as long as the escapes
            rows = cells_of_rows([line for line in Piece(text, word.start).matches(_LINE) if line.stripped])
        elif any(isinstance(row, list) for row in cells):
            rows = [Row([*map(self._piece, self._layout.spans_in(row))], row) for row in spans]
        elif any(isinstance(row, str) and len(row) > 1 for row in cells):
            rows = cells_of_rows([*map(self._piece, spans)])
        else:
            rows = [Row([*map(self._piece, spans)], span)]
        sizes = [number(cell.text) for cell in rows[0].cells] if len(rows) > 2 else []
        if sizes == [len(rows[-1].cells)] * 2:  # the numbers of rows and columns
            rows = rows[1:]
        if len(rows) == 1:
            words, size = rows[0].cells, max(isqrt(len(rows[0].cells)), 1)
            rows = [Row(words[at : at + size], rows[0].span) for at in range(0, len(words), size)]
        return rows

    def _board(self, rows: Sequence[Row], path: Path) -> Puzzle:
        kind, span = self._builder.kind, self._layout.span(*path)
        size = self._size or (len(rows) // 2 if kind == "jigsaw" else len(rows))
        self._builder.check_size(span, MAX_SIZE, size)
        if kind == "jigsaw":
            return jigsaw_of(Shape(size, size, span), rows[:size], rows[size:], span[1], self._builder)
        words = {cell.text: cell for row in rows for cell in row.cells}
        if kind != "takuzu" and "0" in words and len(_BLANK_WORDS.intersection(words)) > 1:
            message = "0 can be a blank or a value beside another sign for blanks"
            self._builder.stop("F610", words["0"].span, message, "write null for all blanks")
        symbols = _SQUARE if kind != "takuzu" else _ONE_TWO if "2" in words else _TAKUZU
        return Rows(Shape(size, size, span), rows, span[1]).puzzle(self._builder, symbols)


def _indexed(words: Sequence[tuple[int, Piece]], size: int, span: Span, builder: PuzzleBuilder) -> Puzzle:
    """The Sudoku of cells with their numbers row by row from 0."""
    places: dict[int, Piece] = {}
    for index, word in words:
        if not 0 <= index < size**2:
            builder.fault("F603", word.span, f"expected a cell of a {size}x{size} board")
        elif places.setdefault(index, word) is not word:
            cell = Cell(index // size + 1, index % size + 1)
            builder.fault("F605", word.span, f"the cell at {cell} is given twice")
    cells = [(index // size + 1, index % size + 1, word) for index, word in places.items()]
    return builder.square(size, _SQUARE.givens(cells, builder), span)


def _cage(cage: Mapping[str, Any]) -> Cage:
    """A cage of f-puzzles; raises ValueError if it is malformed."""
    matches = [_CAGE_CELL.fullmatch(name) for name in cage["cells"]]
    if not all(matches):
        raise ValueError("expected cells such as R1C1 in a cage")
    return Cage(int(cage["value"]), tuple(Cell(int(match[1]), int(match[2])) for match in matches if match))
