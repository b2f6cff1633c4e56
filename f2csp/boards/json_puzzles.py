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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from math import isqrt
from typing import Any, NoReturn

from f2csp.boards.cell_rows import BLANKS, ZERO_AND_ONE, Row, Rows, Symbols, cells_of_rows
from f2csp.boards.cell_runs import givens_of_characters
from f2csp.boards.other_texts import variant_of
from f2csp.boards.pieces import Piece, Span, Text, number
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, Shape, Unreadable
from f2csp.boards.sudoku_variants import cages_of, jigsaw_of
from f2csp.diagnostics import Collector, Source
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Sudoku, squarest_box

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
_OF_CELLS = re.compile("value|given|region|c|cArray|highlight(?:Array)?|[a-zA-Z]*Marks")  # likewise

_BLANK_WORDS = frozenset(["", " ", "?", "null", "-1", *BLANKS])
_SQUARE = Symbols(_BLANK_WORDS)
_TAKUZU = Symbols(_BLANK_WORDS - {"0"}, ZERO_AND_ONE)
_ONE_TWO = Symbols(_TAKUZU.blanks, {"1": 0, "2": 1})
_REGION = Symbols(())

_KINDS_HINT = "of the rules, both diagonals, killercage and regions are read; remove a key that is no rule"
_FIRST_HINT = 'add the first cell with 0 for a blank, such as "0": 0 or "1": 0'

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]|[^\s\[\]{},:"]+')
_LINE = re.compile(r"[^\n]+")


@dataclass(slots=True, eq=False)
class _Value:
    """A value of the document and its place."""

    token: Piece  # the opening bracket of a list or an object
    end: int
    items: list["_Value"] = field(default_factory=list)  # of a list
    fields: dict[str, "_Value"] = field(default_factory=dict)  # of an object

    @property
    def span(self) -> Span:
        return self.token.start, self.end

    @property
    def sign(self) -> str:
        """The sign with which it begins: a quote for a string, a bracket for a list, a brace for an object."""
        return self.token.text[0]

    @property
    def word(self) -> Piece:
        """Its text, with the escapes; that of a string without the quotes."""
        return self.token.part(1, len(self.token.text) - 1) if self.sign == '"' else self.token

    @property
    def is_set(self) -> bool:
        """Whether it is something else than 0, false, null or empty."""
        return bool(self.items or self.fields) or self.word.text not in ("", "0", "false", "null", "[", "{")


_Document = tuple[_Value, Mapping[int, tuple[str, _Value]], Sequence[Piece]]
"""The root; the puzzles of several by their offsets, with the key that leads to them; keys that an object has twice."""


@lru_cache(maxsize=1)
def _document(source: Source) -> _Document:
    """The document of a text, which all kinds of puzzles share; raises ValueError or RecursionError."""
    json.loads(source.data[source.start :])
    tokens, repeated = iter(Text.whole(source).piece.matches(_TOKEN)), list[Piece]()
    root = _value(next(tokens), tokens, repeated)
    return root, _puzzles(root), repeated


def _value(token: Piece, tokens: Iterator[Piece], repeated: list[Piece]) -> _Value:
    """The value that begins with a token; keys that an object has twice are added to ``repeated``."""
    value = _Value(token, token.end)
    for item in tokens if token.text in "[{" else ():
        if item.text in "]}":
            value.end = item.end
            break
        if token.text == "[":
            value.items.append(_value(item, tokens, repeated))
        else:
            key = item.text[1:-1]
            repeated += [item] * (key in value.fields)
            value.fields[key] = _value(next(tokens), tokens, repeated)
    return value


def _puzzles(root: _Value) -> dict[int, tuple[str, _Value]]:
    """The puzzles of a document with several, by their offsets; none of another document."""
    key = next((key for key in _PUZZLES if key in root.fields), "")
    base = root.fields.get(key, root)
    values = [*base.items, *(base.fields.values() if key else ())]
    are_objects = all(not value.fields.keys().isdisjoint(_CELLS) for value in values)
    are_boards = all(value.items and value.items[0].sign == "[" for value in values)
    are_runs = all(value.sign == '"' and len(values) < len(value.word.text) for value in values)
    are_runs = are_runs and not any(" " in value.word.text for value in values)
    return {value.token.start: (key, value) for value in values if are_objects or are_boards or are_runs}


def _cut(text: Text) -> Sequence[Text]:
    with suppress(ValueError, RecursionError):
        return [text.part(*value.span) for _, value in _document(text.source)[1].values()] or [text]
    return [text]


def document(text: Text, builder: PuzzleBuilder) -> tuple[_Value, Mapping[int, tuple[str, _Value]]]:
    """The root of a document, and the puzzles of one with several; stops if it is not JSON."""
    source = text.source
    try:
        root, puzzles, repeated = _document(source)
    except json.JSONDecodeError as error:
        at = len(Text.whole(source).piece.part(0, error.pos).text.encode()) + source.start
        builder.stop("F615", (at, at), f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}")
    except (ValueError, RecursionError):
        builder.stop("F615", (text.start, text.start), "the values are nested too deeply, or a number is too long")
    for key in repeated:
        builder.fault("F605", key.span, f"the key {key.text} is given twice")
    return root, puzzles


def _read(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a JSON document with the cells of a puzzle.

        {"puzzle": ["1...", "...3", ".2..", "...."], "difficulty": "easy"}

    Rows are strings, or lists of numbers and null; the other layouts are those of the module's docstring.
    """
    root, puzzles = document(text, builder)
    name, puzzle = puzzles.get(text.start, ("", root))
    return _Reader(builder).read(puzzle, [root] if name else [])


DOCUMENTS = Codec(_read, cut=_cut, is_document=True)


class _Reader:
    """Reads one puzzle of a document."""

    def __init__(self, builder: PuzzleBuilder) -> None:
        self._builder = builder
        self._kinds: set[str] = set()
        self._size: int | None = None  # if the document gives it
        self._cages: Sequence[_Value] = ()

    def read(self, value: _Value, outside: Sequence[_Value]) -> Puzzle:
        """Read what the keys say of a puzzle, and those of the document outside it, then its cells."""
        keys = [key for key in _CELLS if key in value.fields]
        if len(keys) != (value.sign == "{"):
            self._builder.stop("F604", value.span, "expected the cells of one board")
        for of_puzzle in (*outside, value):
            self._read_keys(of_puzzle.fields)
        cells = value.fields[keys[0]] if keys else value
        if cells.sign not in '"[{':
            self._builder.stop("F604", cells.span, "expected the cells of one board")
        form = {'"': "string", "[": "array", "{": "object"}[cells.sign]
        self._builder.reading = ", ".join([f"cells in a JSON {form}", *(f"key {key}" for key in keys)])
        return self._puzzle(cells)

    def _read_keys(self, fields: Mapping[str, _Value]) -> None:
        """Note what the keys of an object say of the puzzle; stop at one that may be a rule."""
        for key, value in fields.items():
            if key in _SIZES and number(value.token.text) is not None:
                self._size = number(value.token.text)
            elif key in _NAMES and value.sign == '"':
                self._add_kind(value)
            elif key == "rules" and value.sign == "[":
                for rule in value.items:
                    self._add_kind(rule.fields.get("type", rule))
            elif key in _RULES and value.is_set:
                self._kinds.add(_RULES[key])
                self._cages = value.items if key == "killercage" else self._cages
                if _RULES[key] == "diagonal" and not all(key in fields and fields[key].is_set for key in [*_RULES][:2]):
                    self._refuse(f"one with {key} alone", value)
            elif key == "activeConstraints" and fields.keys() >= {
                "".join(item.word.text.lower().split()) for item in value.items
            }:
                continue  # each of them has a key of its own
            elif value.is_set and key not in (*_CELLS, *_PUZZLES) and not _REMARKS.fullmatch(key):
                self._refuse(f"one with {key}", value)

    def _add_kind(self, name: _Value) -> None:
        """Note the kind that a name means; a name of several words is a title if no variant is in it."""
        kind = _KINDS.get(re.sub(r"[\W_]", "", name.word.text.lower()))
        if kind is not None:
            self._kinds.add(kind)
        elif " " not in name.word.text or variant_of(Text(self._builder.collector.source, *name.span)):
            self._refuse(name.word.text, name)

    def _refuse(self, found: str, value: _Value) -> NoReturn:
        self._builder.stop("F613", value.token.span, f"expected a puzzle of a known kind, found {found}", _KINDS_HINT)

    def _puzzle(self, cells: _Value) -> Puzzle:
        """The puzzle with these cells, if it is of the kind that is wanted."""
        rows, kind = cells.items, self._builder.kind
        are_objects = bool(rows) and all(row.sign == "{" for row in rows)
        of_cells = [cell for row in rows for cell in row.items]
        is_grid = bool(of_cells) and all(cell.sign == "{" for cell in of_cells)
        for key, value in [item for cell in of_cells for item in cell.fields.items()]:
            if not _OF_CELLS.fullmatch(key):
                self._refuse(f"one with {key} of a cell", value)
        if any("region" in cell.fields for cell in of_cells):
            self._kinds.add("jigsaw")
        if (is_grid or are_objects or cells.sign == "{") and not self._kinds:
            self._kinds.add("sudoku")
        kinds = sorted(self._kinds or {"sudoku", "latin", "takuzu"})
        if len(self._kinds) > 1:
            self._refuse(f"one with the rules of {' and '.join(kinds)}", cells)
        if kind not in kinds:
            message = f"expected a puzzle of the kind {kind}, found {' or '.join(kinds)}"
            self._builder.stop("F613", cells.token.span, message, misfit=True)
        if is_grid:
            return self._fpuzzle(cells)
        if are_objects:
            return self._listed(cells)
        return self._numbered(cells) if cells.sign == "{" else self._board(self._rows(cells), cells.span)

    def _fpuzzle(self, grid: _Value) -> Puzzle:
        """The puzzle of the program f-puzzles; cells without ``given`` are filled in by a player."""
        builder, size = self._builder, self._size or len(grid.items)
        if {len(grid.items), *(len(row.items) for row in grid.items)} != {size}:
            builder.stop("F609", grid.span, f"expected {size} rows of {size} cells")
        builder.check_size(grid.span, MAX_SIZE, size)
        cells = [(i, j, cell.fields) for i, row in enumerate(grid.items, 1) for j, cell in enumerate(row.items, 1)]
        filled = [(i, j, cell) for i, j, cell in cells if "value" in cell and cell["value"].is_set]
        given = [(i, j, cell["value"].word) for i, j, cell in filled if "given" in cell and cell["given"].is_set]
        if filled and not given:
            message = "expected given cells, found values alone"
            builder.stop("F604", grid.span, message, 'add "given": true to the cells that are given')
        box = squarest_box(size) or (1, size)
        more: dict[str, Any] = {}
        if "killer" in self._kinds:
            cages = []
            for cage in self._cages:
                if not {"cells", "value"} <= cage.fields.keys():
                    builder.stop("F604", cage.span, "expected the cells and the value of a cage")
                cages.append([cage.fields["value"].word, *(cell.word for cell in cage.fields["cells"].items)])
            more["cages"] = cages_of(cages, size, grid.span, builder)
        if "jigsaw" in self._kinds:
            labels = [[label - 1 for label in row] for row in Sudoku(size, *box).labels()]
            named = [(i, j, cell["region"].word) for i, j, cell in cells if "region" in cell]
            for i, j, label, _ in _REGION.givens(named, builder):
                labels[i - 1][j - 1] = label
            more["regions"] = tuple(map(tuple, labels))
        return builder.square(size, _SQUARE.givens(given, builder), grid.span, box, **more)

    def _listed(self, cells: _Value) -> Puzzle:
        """The Sudoku of cells with their rows and columns from 0."""
        size, words = self._size or 9, []
        for cell in cells.items:
            row, column = (number(cell.fields[key].token.text) if key in cell.fields else None for key in "rc")
            if cell.fields.keys() != {"r", "c", "value"} or row not in range(size) or column not in range(size):
                self._builder.stop("F615", cell.span, f"expected r and c from 0 to {size - 1} and the value of a cell")
            words.append(((row or 0) * size + (column or 0), cell.fields["value"].word))
        return _indexed(words, size, cells.span, self._builder)

    def _numbered(self, cells: _Value) -> Puzzle:
        """The Sudoku of cells that are numbered row by row, from 0 or from 1."""
        builder, span = self._builder, cells.span
        words = [(i, value.word) for key, value in cells.fields.items() if (i := number(key)) is not None]
        if len(words) < len(cells.fields) or not words:
            builder.stop("F607", span, "expected cells with numbers as keys")
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

    def _rows(self, cells: _Value) -> Sequence[Row]:
        """The rows of a string, of a list of strings, of a list of lists, or of a list of all cells."""
        if cells.sign == '"':
            text = cells.word.text.replace("\\r", "  ").replace("\\n", " \n")  # as long as the escapes
            rows = cells_of_rows([line for line in Piece(text, cells.word.start).matches(_LINE) if line.trimmed.text])
        elif any(row.sign == "[" for row in cells.items):
            rows = [Row([cell.word for cell in row.items], row.span) for row in cells.items]
        elif any(row.sign == '"' and len(row.word.text) > 1 for row in cells.items):
            rows = cells_of_rows([row.word for row in cells.items])
        else:
            rows = [Row([cell.word for cell in cells.items], cells.span)]
        sizes = [number(cell.text) for cell in rows[0].cells] if len(rows) > 2 else []
        if sizes == [len(rows[-1].cells)] * 2:  # the numbers of rows and columns
            rows = rows[1:]
        if len(rows) == 1:
            words, size = rows[0].cells, max(isqrt(len(rows[0].cells)), 1)
            rows = [Row(words[at : at + size], rows[0].span) for at in range(0, len(words), size)]
        return rows

    def _board(self, rows: Sequence[Row], span: Span) -> Puzzle:
        kind = self._builder.kind
        size = self._size or (len(rows) // 2 if kind == "jigsaw" else len(rows))
        self._builder.check_size(span, MAX_SIZE, size)
        if kind == "jigsaw":
            return jigsaw_of(Shape(size, size, span), (rows[:size], rows[size:]), span[1], self._builder)
        words = {cell.text: cell for row in rows for cell in row.cells}
        has_letters = size > 9 and any(len(word) == 1 and word.isalpha() for word in words)
        if kind != "takuzu" and not has_letters and "0" in words and len(_BLANK_WORDS.intersection(words)) > 1:
            message = "0 can be a blank or a value beside another sign for blanks"
            self._builder.stop("F610", words["0"].span, message, "write null for all blanks")
        board = Rows(Shape(size, size, span), rows, span[1])
        if kind == "sudoku" and has_letters:
            blanks = _BLANK_WORDS.difference(BLANKS)
            placed = board.cells(self._builder)
            cells = [(i, j, word._replace(text="." if word.text in blanks else word.text)) for i, j, word in placed]
            if all(len(word.text) == 1 for _, _, word in cells):
                return self._builder.square(size, givens_of_characters(cells, size, self._builder), span)
        symbols = _SQUARE if kind != "takuzu" else _ONE_TWO if "2" in words else _TAKUZU
        return board.puzzle(self._builder, symbols)


def _indexed(words: Sequence[tuple[int, Piece]], size: int, span: Span, builder: PuzzleBuilder) -> Puzzle:
    """The Sudoku of cells with their numbers row by row from 0."""
    places: dict[int, Piece] = {}
    for index, word in words:
        if not 0 <= index < size**2:
            builder.fault("F603", word.span, f"expected a cell of a {size}x{size} board")
        elif (earlier := places.setdefault(index, word)) is not word:
            builder.twice(Cell(index // size + 1, index % size + 1), word.span, earlier.span)
    cells = [(index // size + 1, index % size + 1, word) for index, word in places.items()]
    return builder.square(size, _SQUARE.givens(cells, builder), span)
