"""Futoshikis as people draw them: rows of cells with signs between, and perhaps a row of signs below each.

    5 x 5                   0 - 0 < 0       |  0 < .   2
    1   _ < _   _   _       - - ^ - -       |      ^
    ^           v           ...             |  .   .   .

Cells can be any distance apart, if they are below each other; signs between rows are below the upper cell, or there are
as many words as cells, or as words in a row. A blank cell and no sign are signs of their own.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from f2csp.puzzles.files.grids import Board
from f2csp.puzzles.files.lists import futoshiki_board
from f2csp.puzzles.futoshiki import Sign
from f2csp.puzzles.puzzle import Cell

_ACROSS = {"<": True, ">": False}
_DOWN = {"^": True, "∧": True, "Λ": True, "˄": True, "v": False, "V": False, "∨": False, "˅": False}
_NONE = frozenset("-_.|·,")
_TOKEN = re.compile(r"[0-9]+|\S")
_CELL = re.compile(r"[0-9]+|[._*xX?□-]")
_MIN_DISTANCE = 3  # characters from one cell to the next, for signs to be below one of them
_REMARK = re.compile(r"#.*|.*[^\W\d_xXvV][^\W\d_]+.*|\s*[0-9]+(?:\s*[xX ]\s*[0-9]+)?\s*")


class _Token(NamedTuple):
    text: str
    column: int  # of its last character


def drawn_futoshiki(text: str) -> list[Board]:
    """The puzzle of a picture; none if it is another text, or unclear."""
    lines = [_tokens(line) for line in text.splitlines() if line.strip() and not _REMARK.fullmatch(line)]
    size = (len(lines) + 1) // 2
    has_all_lines = len(lines) == 2 * size - 1 and all(_is_row(line, size) for line in lines[::2])
    if not has_all_lines:
        size = sum(not _is_between(line) for line in lines)
    if size < 3:
        return []
    cells: list[list[_Token]] = []
    signs: list[Sign] = []
    for i, line in enumerate(lines):
        is_between = i % 2 == 1 if has_all_lines else _is_between(line)
        if not is_between and _is_row(line, size):
            found = line[::2] if len(line) == 2 * size - 1 else [token for token in line if token.text not in _ACROSS]
            cells.append(found)
            signs += _across(line, found, len(cells))
        elif is_between and cells and (found_signs := _down(line, cells[-1], len(cells), size)) is not None:
            signs += found_signs
        else:
            return []
    return _board(size, cells, signs)


def _tokens(line: str) -> list[_Token]:
    return [_Token(match[0], match.end()) for match in _TOKEN.finditer(line)]


def _is_row(line: Sequence[_Token], size: int) -> bool:
    """Whether a line has this number of cells, with signs or words for none between."""
    if len(line) == 2 * size - 1 and all(token.text in _ACROSS or token.text in _NONE for token in line[1::2]):
        return all(_CELL.fullmatch(token.text) for token in line[::2])
    are_signs = [token.text in _ACROSS for token in line]
    has_stray = any(map(all, pairwise([True, *are_signs, True])))
    are_cells = all(_CELL.fullmatch(token.text) for token in line if token.text not in _ACROSS)
    return are_signs.count(False) == size and are_cells and not has_stray


def _is_between(line: Sequence[_Token]) -> bool:
    """Whether a line has signs between two rows, and nothing else."""
    words = {token.text for token in line}
    return not words.isdisjoint(_DOWN) and words <= _DOWN.keys() | _NONE


def _across(line: Sequence[_Token], cells: Sequence[_Token], row: int) -> list[Sign]:
    columns = {token: column for column, token in enumerate(cells, 1)}
    after = [(columns[cell], sign.text) for cell, sign in pairwise(line) if cell in columns and sign.text in _ACROSS]
    return [_sign(Cell(row, column), Cell(row, column + 1), _ACROSS[sign]) for column, sign in after]


def _down(line: Sequence[_Token], cells: Sequence[_Token], row: int, size: int) -> list[Sign] | None:
    """The signs below a row; None if a word is no sign, or is below no cell."""
    words = line[::2] if len(line) == 2 * size - 1 and _NONE.issuperset(word.text for word in line[1::2]) else line
    if len(words) == size:
        placed = [*enumerate(words, 1)]
    else:
        distance = min(right.column - left.column for left, right in pairwise(cells))
        near = [[i for i, cell in enumerate(cells, 1) if abs(cell.column - word.column) <= 1] for word in words]
        if distance < _MIN_DISTANCE or any(len(found) != 1 for found in near):
            return None
        placed = [(column, word) for (column,), word in zip(near, words, strict=True)]
    if any(word.text not in _DOWN and word.text not in _NONE for word in words):
        return None
    signs = [(column, _DOWN[word.text]) for column, word in placed if word.text in _DOWN]
    return [_sign(Cell(row, column), Cell(row + 1, column), is_less) for column, is_less in signs]


def _sign(cell: Cell, other: Cell, is_less: bool) -> Sign:
    return Sign(cell, other) if is_less else Sign(other, cell)


def _board(size: int, rows: Sequence[Sequence[_Token]], signs: Sequence[Sign]) -> list[Board]:
    columns = [[cell.column for cell in row] for row in rows]
    are_aligned = len({*map(len, columns)}) == 1 and all(
        max(places) - min(places) <= 1 for places in zip(*columns, strict=True)
    )
    blanks = {cell.text for row in rows for cell in row if cell.text == "0" or not cell.text.isdecimal()}
    if len(rows) != size or not signs or len(blanks) > 1 or not are_aligned:
        return []
    cells = [[int(cell.text) if cell.text.isdecimal() else 0 for cell in row] for row in rows]
    board = futoshiki_board(size, cells, signs)
    return [board] if board else []
