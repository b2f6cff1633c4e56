"""Futoshikis as people draw them: rows of cells with signs between, and perhaps a row of signs below each.

    5 x 5                   0 - 0 < 0       |  0 < .   2      |   < 3
    1   _ < _   _   _       - - ^ - -       |      ^          | ^
    ^           v           ...             |  .   .   .      | 2   >

Cells can be any distance apart, if they are below each other; signs between rows are below the upper cell, or there are
as many words as cells, or as words in a row. A blank cell and no sign are signs of their own; where a character is a
place of the picture, as on the right, they can be spaces.
"""

import re
from collections.abc import Container, Mapping, Sequence
from itertools import accumulate, pairwise
from string import digits

from f2csp.puzzles.files.futoshiki_signs import sign_at
from f2csp.puzzles.files.grids import Board
from f2csp.puzzles.files.lists import futoshiki_board

_ACROSS = {"<": True, ">": False}
_DOWN = {"^": True, "∧": True, "Λ": True, "˄": True, "v": False, "V": False, "∨": False, "˅": False}
_NONE = frozenset("-_.|·,")
_WORD = re.compile(r"[0-9]+|\S")
_CELL = re.compile(r"[0-9]+|[._*xX?□-]")
_MIN_SIZE = 3
_MIN_DISTANCE = 3  # characters from one cell to the next, for signs to be below one of them
_REMARK = re.compile(r"#.*|.*[^\W\d_xXvV][^\W\d_]+.*|\s*[0-9]+(?:\s*[xX ]\s*[0-9]+)?\s*")


_Line = Mapping[int, re.Match[str]]
"""The words of a line of the picture by their places, from 0: cells are at even places of even lines."""


def drawn_futoshiki(text: str) -> list[Board]:
    """The puzzle of a picture; none if it is another text, or unclear."""
    lines = _lines_of_characters(text.splitlines()) or _lines_of_words(text.splitlines())
    rows = [[line[at][0] if at in line else "" for at in range(0, len(lines), 2)] for line in lines[::2]]
    signs = [
        sign_at(i // 2 + 1, at // 2 + 1, is_across=words is _ACROSS, is_less=words[word[0]])
        for i, line in enumerate(lines)
        for words in [_DOWN if i % 2 else _ACROSS]
        for at, word in line.items()
        if word[0] in words
    ]
    blanks = {cell for row in rows for cell in row if cell == "0" or not cell.isdecimal()}
    if not signs or len(blanks) > 1:
        return []
    board = futoshiki_board(len(rows), [[int(cell) if cell.isdecimal() else 0 for cell in row] for row in rows], signs)
    return [board] if board else []


def _lines_of_characters(text: Sequence[str]) -> list[_Line]:
    """The picture if each character is a place of it."""
    known: dict[tuple[int, int], Container[str]] = {(0, 0): digits, (0, 1): _ACROSS, (1, 0): _DOWN, (1, 1): ()}
    lines: list[_Line] = [{word.start(): word for word in re.finditer("[^ ]", line)} for line in text]
    places = [(i, at, word[0]) for i, line in enumerate(lines) for at, word in line.items()]
    fits = all(at < len(lines) and word in known[i % 2, at % 2] for i, at, word in places)
    return lines if fits and len(lines) % 2 and len(lines) >= 2 * _MIN_SIZE - 1 else []


def _lines_of_words(text: Sequence[str]) -> list[_Line]:
    """The picture, whose words are in their order and perhaps below each other."""
    lines = [[*_WORD.finditer(line)] for line in text if line.strip() and not _REMARK.fullmatch(line)]
    size = (len(lines) + 1) // 2
    has_all_lines = len(lines) % 2 == 1 and all(_row(line, size) for line in lines[::2])
    if not has_all_lines:
        size = sum(not _is_between(line) for line in lines)
    found: list[_Line] = []
    for i, line in enumerate(lines):
        if i % 2 if has_all_lines else _is_between(line):
            found.append(_below(line, found[-1], size) if len(found) % 2 else {})
        else:
            found += [{}] * (len(found) % 2) + [_row(line, size)]
        if not found[-1]:
            return []
    columns = [[line[at].end() for line in found[::2]] for at in range(0, 2 * size - 1, 2)]
    are_aligned = all(max(column) - min(column) <= 1 for column in columns)
    return found if size >= _MIN_SIZE and len(found) == 2 * size - 1 and are_aligned else []


def _row(line: Sequence[re.Match[str]], size: int) -> _Line:
    """The words of a row of cells, with signs or words for none between; none if it is another line."""
    found = dict(enumerate(line))
    if len(line) != 2 * size - 1 or not all(word[0] in _ACROSS or word[0] in _NONE for word in line[1::2]):
        n_before = accumulate((word[0] not in _ACROSS for word in line), initial=0)
        found = {2 * n - (word[0] in _ACROSS): word for n, word in zip(n_before, line, strict=False)}
    cells = [word[0] for at, word in found.items() if at % 2 == 0]
    is_row = len(found) == len(line) and len(cells) == size and found.keys() <= {*range(2 * size - 1)}
    return found if is_row and all(map(_CELL.fullmatch, cells)) else {}


def _is_between(line: Sequence[re.Match[str]]) -> bool:
    """Whether a line has signs between two rows, and nothing else."""
    words = {word[0] for word in line}
    return not words.isdisjoint(_DOWN) and words <= _DOWN.keys() | _NONE


def _below(line: Sequence[re.Match[str]], row: _Line, size: int) -> _Line:
    """The signs below a row; none if a word is no sign, or is below no cell."""
    words = line[::2] if len(line) == 2 * size - 1 and _NONE.issuperset(word[0] for word in line[1::2]) else line
    places = [[2 * at] for at in range(size)]
    if len(words) != size:
        ends = [row[at].end() for at in range(0, 2 * size - 1, 2)]
        if min(right - left for left, right in pairwise(ends)) < _MIN_DISTANCE:
            return {}
        places = [[2 * i for i, end in enumerate(ends) if abs(end - word.end()) <= 1] for word in words]
    if any(len(found) != 1 for found in places) or not all(word[0] in _DOWN or word[0] in _NONE for word in words):
        return {}
    return {at: word for (at,), word in zip(places, words, strict=True)}
