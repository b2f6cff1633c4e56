"""Puzzles in no named format: cells as facts, triples or JSON, Futoshikis with pairs of cells, or drawn.

    2                 START:             initial(1,2,0).
    4 2               0;0;0;3            initial(3,4,1).
    0 0 0 0           0;4;0;0            ...
    0 3 0 0           ...
    0 0 0 0           REL:
    0 0 0 0           A1;B1
    1 1 1 2
    3 4 2 4

On the left a file of many: the size and the number of signs, the rows, and for each sign the row and the column of the
smaller cell and of the greater one. In the middle the smaller cell comes first as well; letters name rows. On the right
facts of an answer set program: row, column and value; they can also be numbers alone, below the size of the board.

The program f-puzzles (https://www.f-puzzles.com, the nearest to a specification) saves JSON: a Sudoku, or one with both
diagonals, with cages, or with the regions that its cells name; other keys are the rules of other puzzles.

    {"size": 9, "grid": [[{"value": 5, "given": true}, {}, ...], ...], "diagonal+": true, "diagonal-": true,
     "killercage": [{"cells": ["R1C1", "R1C2"], "value": "10"}, ...]}

Futoshikis are drawn, too: rows of cells with signs between, and perhaps a row of signs below each.

    5 x 5                   0 - 0 < 0       |  0 < .   2      |   < 3
    1   _ < _   _   _       - - ^ - -       |      ^          | ^
    ^           v           ...             |  .   .   .      | 2   >

Cells can be any distance apart, if they are below each other; signs between rows are below the upper cell, or there are
as many words as cells, or as words in a row. A blank cell and no sign are signs of their own; where a character is a
place of the picture, as on the right, they can be spaces.
"""

import json
import re
from collections.abc import Collection, Container, Mapping, Sequence
from itertools import accumulate, chain, islice, pairwise, takewhile
from math import isqrt
from string import ascii_uppercase, digits
from typing import Any

from f2csp.boards.futoshiki_signs import sign_at
from f2csp.boards.grids import Board, Drawing, UnclearBoard, all_read, sound_puzzle
from f2csp.diagnostics import ProblemError
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Cage, Killer
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Sudoku, squarest_box
from f2csp.puzzles.takuzu import MAX_LINES

_FACT = re.compile(r"\s*([a-z]\w*)\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)\s*\.\s*")
_OTHER_FACT = re.compile(r"\s*(?:#const\s+)?([a-z]\w*)\s*(?:[=(]\s*(?:1\s*\.\.\s*)?(\d{1,3})\s*\)?)\s*\.\s*")
_ASP_COMMENT = re.compile(r"%.*")
_PAIR = re.compile(r"([A-Z])(\d{1,2})\s*;\s*([A-Z])(\d{1,2})")
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
    if "futoshiki" in kinds and (found := _futoshikis(lines) or _futoshikis(_numbered(text))):
        return found
    if "takuzu" in kinds and (drawings := _run_lengths(lines)):
        return all_read(drawings, ["takuzu"], options)
    drawing = _facts(text) or _triples(lines)
    return all_read([drawing], kinds, options) if drawing else []


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


# ---- Cells ---------------------------------------------------------------------------------------------------------


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
