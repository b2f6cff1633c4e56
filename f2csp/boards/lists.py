"""Futoshikis in no named format: with pairs of cells, or drawn.

    2                 START:
    4 2               0;0;0;3
    0 0 0 0           0;4;0;0
    0 3 0 0           ...
    0 0 0 0           REL:
    0 0 0 0           A1;B1
    1 1 1 2
    3 4 2 4

On the left a file of many: the size and the number of signs, the rows, and for each sign the row and the column of the
smaller cell and of the greater one. On the right the smaller cell comes first as well; letters name rows.

Futoshikis are drawn, too: rows of cells with signs between, and perhaps a row of signs below each.

    5 x 5                   0 - 0 < 0       |  0 < .   2      |   < 3
    1   _ < _   _   _       - - ^ - -       |      ^          | ^
    ^           v           ...             |  .   .   .      | 2   >

Cells can be any distance apart, if they are below each other; signs between rows are below the upper cell, or there are
as many words as cells, or as words in a row. A blank cell and no sign are signs of their own; where a character is a
place of the picture, as on the right, they can be spaces.
"""

import re
from collections.abc import Collection, Container, Mapping, Sequence
from itertools import accumulate, islice, pairwise
from string import ascii_uppercase, digits

from f2csp.boards.futoshiki_signs import sign_at
from f2csp.boards.grids import Board, UnclearBoard, sound_puzzle
from f2csp.puzzles.futoshiki import Sign
from f2csp.puzzles.puzzle import Cell, Clue

_PAIR = re.compile(r"([A-Z])(\d{1,2})\s*;\s*([A-Z])(\d{1,2})")
_MAX_DIGITS = 3


def listed_puzzles(text: str, kinds: Collection[str]) -> list[Board]:
    """The puzzles of a text that lists their cells and signs; none if it is something else."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    return (_futoshikis(lines) or _futoshikis(_numbered(text))) if "futoshiki" in kinds else []


# ---- Futoshikis ----------------------------------------------------------------------------------------------------


def _futoshikis(lines: Sequence[Sequence[str]]) -> list[Board]:
    if not _are_numbers(lines):
        return []
    rows = iter([[*map(int, line)] for line in lines])
    n_boards = lines and len(lines[0]) == 1 and next(rows)[0]
    found = []
    for header in rows:
        if len(header) != 2:
            return []
        size, n_signs = header
        cells, pairs = list(islice(rows, size)), list(islice(rows, n_signs))
        are_signs = len(pairs) == n_signs and all(len(pair) == 4 for pair in pairs)
        if size < 2 or len(cells) < size or {*map(len, cells)} != {size} or not are_signs:
            return []
        signs = [Sign(Cell(*pair[:2]), Cell(*pair[2:])) for pair in pairs]
        found.append(_futoshiki_board(size, cells, signs))
    is_whole = n_boards in (False, len(found)) and all(found)
    return [board for board in found if board] if is_whole else []


def _numbered(text: str) -> list[list[str]]:
    """A puzzle with the rows after ``START:`` and the pairs of cells after ``REL:``, in the form of the other file."""
    head, _, rest = text.partition("START:")
    rows, _, pairs = (part.split() for part in rest.partition("REL:"))
    matches = [_PAIR.fullmatch(pair) for pair in pairs]
    if not rows or not all(matches) or head.split() not in ([], [f"{len(rows)}"]):
        return []
    signs = [[f"{ascii_uppercase.find(word) + 1 or word}" for word in match.groups()] for match in matches if match]
    return [[f"{len(rows)}", f"{len(signs)}"], *(row.split(";") for row in rows), *signs]


def _are_numbers(lines: Sequence[Sequence[str]]) -> bool:
    return all(word.isdecimal() and len(word) <= _MAX_DIGITS for line in lines for word in line)


def _futoshiki_board(size: int, cells: Sequence[Sequence[int]], signs: Sequence[Sign]) -> Board | None:
    """The puzzle, with 0 for a blank; None if a sign is between no neighbours, or the givens break a rule."""
    clues = [Clue(i, j, value) for i, row in enumerate(cells, 1) for j, value in enumerate(row, 1) if value]
    puzzle = sound_puzzle("futoshiki", size, tuple(signs), clues=tuple(clues))
    return Board(puzzle, f"{size}x{size}, 0 for a blank, {len(set(signs))} signs") if puzzle else None


# ---- Drawn Futoshikis ------------------------------------------------------------------------------------------------

_ACROSS = {"<": True, ">": False}
_DOWN = {"^": True, "∧": True, "Λ": True, "˄": True, "v": False, "V": False, "∨": False, "˅": False}
_NONE = frozenset("-_.|·,")
_UNCLEAR_SIGNS = (
    "F612",
    "the signs of the Futoshiki contradict each other or its givens, or are below no cell",
    "write signs below the upper cell, one for two cells; remove the lines of signs for another puzzle",
)
_WORD = re.compile(r"[0-9]+|\S")
_DRAWN_CELL = re.compile(r"[0-9]+|[._*xX?□-]")
_MIN_DRAWN = 3
_MIN_DISTANCE = 3  # characters from one cell to the next, for signs to be below one of them
_REMARK = re.compile(r"#.*|.*[^\W\d_xXvV][^\W\d_]+.*|\s*[0-9]+(?:\s*[xX ]\s*[0-9]+)?\s*")

_Line = Mapping[int, re.Match[str]]
"""The words of a line of the picture by their places, from 0: cells are at even places of even lines."""


def drawn_futoshiki(text: str) -> list[Board]:
    """The puzzle of a picture; none if it is another text. Raises UnclearBoard."""
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
    board = _futoshiki_board(len(rows), [[int(cell) if cell.isdecimal() else 0 for cell in row] for row in rows], signs)
    if board is None:
        raise UnclearBoard(*_UNCLEAR_SIGNS)
    return [board]


def _lines_of_characters(text: Sequence[str]) -> list[_Line]:
    """The picture if each character is a place of it."""
    known: dict[tuple[int, int], Container[str]] = {(0, 0): digits, (0, 1): _ACROSS, (1, 0): _DOWN, (1, 1): ()}
    lines: list[_Line] = [{word.start(): word for word in re.finditer("[^ ]", line)} for line in text]
    places = [(i, at, word[0]) for i, line in enumerate(lines) for at, word in line.items()]
    fits = all(at < len(lines) and word in known[i % 2, at % 2] for i, at, word in places)
    return lines if fits and len(lines) % 2 and len(lines) >= 2 * _MIN_DRAWN - 1 else []


def _lines_of_words(text: Sequence[str]) -> list[_Line]:
    """The picture, whose words are in their order and perhaps below each other."""
    lines = [[*_WORD.finditer(line)] for line in text if line.strip() and not _REMARK.fullmatch(line)]
    size = (len(lines) + 1) // 2
    has_all_lines = len(lines) % 2 == 1 and all(_row(line, size) for line in lines[::2])
    if not has_all_lines:
        size = sum(not _is_between(line) for line in lines)
    are_between = [i % 2 == 1 if has_all_lines else _is_between(line) for i, line in enumerate(lines)]
    rows = [_row(line, size) for line, is_between in zip(lines, are_between, strict=True) if not is_between]
    if size < _MIN_DRAWN or len(rows) != size or not all(rows):
        return []
    found: list[_Line] = []
    for line, is_between in zip(lines, are_between, strict=True):
        if not is_between:
            found += [rows[len(found) // 2], {}]
            continue
        signs = _below(line, found[-2], size) if 0 < len(found) < 2 * size else None
        if signs is not None and signs.keys().isdisjoint(found[-1]):
            found[-1] = {**found[-1], **signs}
        elif _is_between(line):
            raise UnclearBoard(*_UNCLEAR_SIGNS)
        else:
            return []
    columns = [[row[at].end() for row in rows] for at in range(0, 2 * size - 1, 2)]
    if all(max(column) - min(column) <= 1 for column in columns):
        return found[:-1]
    if any(found[1::2]):
        raise UnclearBoard(*_UNCLEAR_SIGNS)
    return []


def _row(line: Sequence[re.Match[str]], size: int) -> _Line:
    """The words of a row of cells, with signs or words for none between; none if it is another line."""
    found = dict(enumerate(line))
    if len(line) != 2 * size - 1 or not all(word[0] in _ACROSS or word[0] in _NONE for word in line[1::2]):
        n_before = accumulate((word[0] not in _ACROSS for word in line), initial=0)
        found = {2 * n - (word[0] in _ACROSS): word for n, word in zip(n_before, line, strict=False)}
    cells = [word[0] for at, word in found.items() if at % 2 == 0]
    is_row = len(found) == len(line) and len(cells) == size and found.keys() <= {*range(2 * size - 1)}
    return found if is_row and all(map(_DRAWN_CELL.fullmatch, cells)) else {}


def _is_between(line: Sequence[re.Match[str]]) -> bool:
    """Whether a line has signs between two rows, and nothing else."""
    words = {word[0] for word in line}
    return not words.isdisjoint(_DOWN) and words <= _DOWN.keys() | _NONE


def _below(line: Sequence[re.Match[str]], row: _Line, size: int) -> _Line | None:
    """The signs below a row; None if a word is no sign, or is below no cell, or two signs are below one."""
    words = line[::2] if len(line) == 2 * size - 1 and _NONE.issuperset(word[0] for word in line[1::2]) else line
    places = [[2 * at] for at in range(size)]
    if len(words) != size:
        ends = [row[at].end() for at in range(0, 2 * size - 1, 2)]
        if min(right - left for left, right in pairwise(ends)) < _MIN_DISTANCE:
            return None
        places = [[2 * i for i, end in enumerate(ends) if abs(end - word.end()) <= 1] for word in words]
    if any(len(found) != 1 for found in places) or not all(word[0] in _DOWN or word[0] in _NONE for word in words):
        return None
    signs = [(at, word) for (at,), word in zip(places, words, strict=True) if word[0] in _DOWN]
    return dict(signs) if len(dict(signs)) == len(signs) else None
