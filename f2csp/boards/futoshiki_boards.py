"""Boards of Futoshikis with their signs, which all formats fill."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from f2csp.boards.pieces import Piece, Span, number
from f2csp.boards.puzzle_builder import Given, Givens, PuzzleBuilder
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE

PlacedSign = tuple[Sign, Span]
"""A sign and its place in the file; its cells need not be on the board."""

Words = Mapping[str, bool | None]
"""The words between two cells: True if the left or upper cell is smaller, and None for no sign."""

ACROSS: dict[str, bool | None] = {"<": True, ">": False}
DOWN: dict[str, bool | None] = {"∧": True, "^": True, "∨": False, "v": False, "V": False}


def futoshiki(builder: PuzzleBuilder, size: int, givens: Givens, signs: Iterable[PlacedSign], span: Span) -> Puzzle:
    """The Futoshiki of this size, whose place is ``span``."""
    builder.check_size(span, MAX_SIZE, size)
    return builder.square(size, givens, span, signs=tuple(_signs(builder, size, signs)))


def _signs(builder: PuzzleBuilder, size: int, signs: Iterable[PlacedSign]) -> Iterable[Sign]:
    """The signs on the board; one that points off the board, or contradicts another, is a fault."""
    known: dict[tuple[Cell, Cell], PlacedSign] = {}
    for sign, span in signs:
        if off := [cell for cell in sign if not (1 <= cell.row <= size and 1 <= cell.column <= size)]:
            inner = sign.greater if off[0] == sign.smaller else sign.smaller
            builder.fault("F611", span, f"the sign at {inner} points off the board, to {off[0]}")
            continue
        earlier, place = known.setdefault(sign.cells, (sign, span))
        if earlier.smaller != sign.smaller:
            message = f"the signs between {sign.smaller} and {sign.greater} contradict each other"
            builder.fault("F612", span, message, "keep one of the two signs", [(*place, "the earlier sign")])
    return [sign for sign, _ in known.values()]


@lru_cache(maxsize=4096)
def sign_at(row: int, column: int, *, is_across: bool, is_less: bool) -> Sign:
    """The sign right of a cell or below it; kept, for files of many small puzzles have the same ones."""
    first, second = Cell(row, column), Cell(row, column + 1) if is_across else Cell(row + 1, column)
    return Sign(first, second) if is_less else Sign(second, first)


class Spelling(NamedTuple):
    across: Words  # between two cells of a row
    down: Words  # below a cell
    cell: re.Pattern[str] = re.compile("[0-9]+")
    value: Callable[[str], int | None] = lambda text: number(text) or None  # of a cell; None for a blank


class SignBoard:
    """Takes the words of a picture, and keeps the givens and signs.

    A picture has 2N - 1 lines of 2N - 1 places. Both are counted from 0: cells are at even places of even lines.
    """

    def __init__(self, size: int, builder: PuzzleBuilder, spelling: Spelling) -> None:
        self.size, self.builder, self._spelling = size, builder, spelling
        self.givens: list[Given] = []
        self.signs: list[PlacedSign] = []
        words = (*spelling.across.items(), *spelling.down.items())
        self.sign_words = {sign for sign, is_less in words if is_less is not None}  # in a row, or between rows
        self.none_words = {word for word, is_less in words if is_less is None}

    def take_all(self, line: int, step: int, words: Iterable[Piece]) -> None:
        """Take the words of a line, some places apart."""
        for i, word in enumerate(words):
            self.take(line, step * i, word)

    def take(self, line: int, place: int, word: Piece) -> None:
        """Take a word at a place: a cell, a sign, or the word for none."""
        cell, text, spelling = Cell(line // 2 + 1, place // 2 + 1), word.text, self._spelling
        if line % 2 and place % 2:
            if text not in self.none_words:
                self.refuse(word, f"no sign below and right of {cell}")
        elif line % 2 or place % 2:
            words, where = (spelling.down, "rows") if line % 2 else (spelling.across, "cells of a row")
            if text not in words:
                self.refuse(word, f"a sign between two {where}")
            elif (is_less := words[text]) is not None:
                self.signs.append((sign_at(*cell, is_across=line % 2 == 0, is_less=is_less), word.span))
        elif not spelling.cell.fullmatch(text):
            self.refuse(word, f"the cell at {cell}")
        elif (value := spelling.value(text)) is not None:
            self.givens.append(Given(*cell, value, word.span))

    def refuse(self, word: Piece, expected: str, otherwise: str = "F610") -> None:
        """Report a word in the wrong place: a sign, or another word."""
        code = "F611" if word.text in self.sign_words else otherwise
        self.builder.fault(code, (word.start, word.end), f"expected {expected}, found '{word.text}'")

    def puzzle(self, span: Span, *, needs_signs: bool = False) -> Puzzle:
        """The puzzle, whose place is ``span``."""
        if needs_signs and self.builder.is_sound and not self.signs:
            self.builder.stop("F604", span, "expected a sign between two cells, found none", LATIN_HINT)
        return futoshiki(self.builder, self.size, self.givens, self.signs, span)


LATIN_HINT = "a Futoshiki without signs is a Latin square; read it with --from latin"


def picture_words(board: Futoshiki, blank: str, across: Sequence[str], down: Sequence[str]) -> list[list[str]]:
    """The picture's lines, with 2N - 1 words on each: for the cells, the signs, and the places with neither.

    The words ``across``, between two cells of a row, are: no sign, the left cell smaller, the right one; the words
    ``down``, below a cell, likewise.
    """
    n = 2 * board.size - 1
    lines = [[down[0]] * n if i % 2 else ([blank, across[0]] * board.size)[:n] for i in range(n)]
    for row, column, value in board.clues:
        lines[2 * row - 2][2 * column - 2] = str(value)
    for sign in board.signs:
        (row, column), _ = sign.cells
        words, line, place = (across, 2, 1) if sign.is_horizontal else (down, 1, 2)
        lines[2 * row - line][2 * column - place] = words[1 if sign.smaller < sign.greater else 2]
    return lines
