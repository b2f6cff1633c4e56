"""Boards in any text, found as a person finds them.

    Puzzle 7: "quite easy"
    const puzzle = [
      [1, 0, 0, 0], // the first row
      [0, 0, 3, 0],
      [0, 4, 0, 0],
      [0, 0, 0, 2]];

Cells are words or characters, which brackets, quotes, bars, rules and blanks separate. A board has as many rows as
cells in a row, the values of a numbering, at most one more sign, for blanks, and breaks no rule. Every other line must
plainly be a remark: where one may be a row, or says something of cells, no board is read; what can be read in two ways
is refused.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby, pairwise
from math import isqrt
from string import ascii_uppercase, digits
from typing import Any, NamedTuple

from f2csp.boards.lines_in_text import (
    BLANKS,
    MIN_ROW,
    MIN_RUN,
    MIN_SIZE,
    WAYS,
    WORD,
    Line,
    are_counted,
    lines_of,
    without_markup,
)
from f2csp.boards.other_texts import refuse_variant
from f2csp.boards.pieces import BAR, Text, number
from f2csp.boards.puzzle_builder import unclear
from f2csp.diagnostics import Diagnostic, InvalidInput, ProblemError
from f2csp.puzzles.puzzle import Clue, Puzzle, puzzle_class
from f2csp.puzzles.sudoku import Box, Sudoku, square_box, squarest_box

_SIZE_NAME = re.compile(r"(?:int\b\W*)?(?:n|size|order|dim\w*|rows|cols|columns|height|width)\s*", re.IGNORECASE)
_EXTRA = re.compile(
    r"(?<!\|)[0-9.]{2}[0-9A-Za-z.]*\|\|?[A-Za-z0-9.]*\|?[A-Z]\s*$"
)  # behind the cells: extra regions of Andoku
_COLOURS = ("BW", "OX")  # of Takuzus in place of 0 and 1, which rules do not tell apart
_CHARACTERS = digits + ascii_uppercase
_KINDS = ("takuzu", "sudoku", "latin", "diagonal")
_MAX_PITCH = 6  # characters from one cell to the next
_MAX_BYTES = 1 << 18  # of a text that is searched for boards


class Board(NamedTuple):
    """A puzzle that was found, and how it was read."""

    puzzle: Puzzle
    reading: str
    lines: tuple[int, int]
    is_plain: bool = True  # whether its signs and lines say by themselves that it is this puzzle
    also: str = ""  # the option with which it is another puzzle
    warnings: tuple[Diagnostic, ...] = ()


class _Unclear(Exception):
    """A board can be read in two ways; its arguments are a code, a message, and how to choose."""


class _Row(NamedTuple):
    line: Line
    cells: list[str]


class _Drawing(NamedTuple):
    """The rows of a board, and what the file says of it."""

    lines: tuple[int, int]
    cells: list[list[str]]
    box: Box | None
    has_size: bool = False  # whether a line above gives its size


def boards_in_text(text: Text, kinds: Collection[str], options: Mapping[str, Any]) -> list[Board]:
    """The boards of a text, of these kinds, without the solutions beside them; none if it has something else.

    Where several kinds are possible, a board must have blanks and enough givens to be a puzzle.

    Raises:
        InvalidInput: a board can be read in two ways, or the text names rules that a plain board would lack.
    """
    if text.end - text.start > _MAX_BYTES or {*kinds}.isdisjoint(_KINDS):
        return []
    try:
        lines = _without_labels([*lines_of(without_markup(text.data.decode()))])
        found = _boards(lines, kinds, options)
        if not found:
            return []
        refuse_variant(text, found[0].puzzle.NAME)
        if len(kinds) > 1:
            _check_likely(found)
    except _Unclear as error:
        code, message, hint = error.args
        raise InvalidInput(unclear(code, text, message, hint)) from None
    first = found[0]
    left_out = _left_out(lines, [board.lines for board in found])
    message = f"the file was read as a board of the kind {first.puzzle.KIND}, and can be another with {first.also}"
    hint = f"name the kind with --from {first.puzzle.KIND}"
    warnings = unclear("F617", text, message, hint) if first.also else ()
    return [first._replace(reading=first.reading + left_out, warnings=warnings), *found[1:]]


def is_likely(puzzle: Puzzle, n_conflicts: int = 0, *, may_be_sparse: bool = False) -> bool:
    """Whether a board, rather than another matrix, has these givens: not that of a relation, and few break a rule."""
    grid, n = puzzle.grid(), puzzle.n_rows
    n_blanks = n * puzzle.n_columns - len(puzzle.clues)
    if n_conflicts > (len(puzzle.clues) // 8 if n_blanks else n // 4):
        return False
    if may_be_sparse or not n_blanks:
        return True
    values = {clue.value for clue in puzzle.clues}
    is_symmetric = n > 2 and n == puzzle.n_columns and all(grid[i][j] == grid[j][i] for i in range(n) for j in range(i))
    has_plain_diagonal = len({grid[i][i] for i in range(min(n, puzzle.n_columns))}) == 1
    return len(values) >= (2 if n > 2 else 1) and not (is_symmetric and has_plain_diagonal)


def _check_likely(found: Sequence[Board]) -> None:
    """Raise _Unclear for boards that only their user can call a puzzle."""
    for board in found:
        puzzle, (first, last) = board.puzzle, board.lines
        n_cells, n_given = puzzle.n_rows * puzzle.n_columns, len(puzzle.clues)
        share = 5 if len(puzzle.values) > 2 else 8
        has_values = len({clue.value for clue in puzzle.clues}) >= len(puzzle.values) - 1
        is_puzzle = board.is_plain and n_cells / share <= n_given < n_cells and has_values and is_likely(puzzle)
        is_small = puzzle.n_rows == MIN_SIZE and board.also
        if not is_puzzle or is_small or (board.also and board.also.startswith("--box")):
            option = f"--from {puzzle.KIND}" + (f", or {board.also}" if board.also else "")
            where = f"lines {first} to {last} look" if first < last else f"line {first} looks"
            message = f"{where} like a {puzzle.n_rows}x{puzzle.n_columns} board"
            raise _Unclear("F614", message, f"name it with {option}")


def _left_out(lines: Sequence[Line], boards: Sequence[tuple[int, int]]) -> str:
    """Which lines are remarks, in words."""
    inside = {number for first, last in boards for number in range(first, last + 1)}
    numbers = [line.number for line in lines if line.raw.strip() and line.number not in inside]
    runs: list[list[int]] = []
    for i in numbers:
        if runs and all(not line.raw.strip() for line in lines[runs[-1][1] : i - 1]):
            runs[-1][1] = i
        else:
            runs.append([i, i])
    shown = [f"{first} to {last}" if first < last else f"{first}" for first, last in runs]
    if not shown:
        return ""
    more = f" and {len(shown) - 4} more" if len(shown) > 4 else ""
    return f"; left out: line{'s' if len(numbers) > 1 else ''} {', '.join(shown[:4])}{more}"


def _boards(lines: Sequence[Line], kinds: Collection[str], options: Mapping[str, Any]) -> list[Board]:
    has_boxes = not {"sudoku", "diagonal"}.isdisjoint(kinds)
    for has_dashes, has_letters in ((False, False), (False, True), (True, False), (True, True)):
        options_of_rows = {"has_dashes": has_dashes, "has_letters": has_letters, "has_boxes": has_boxes}
        found = [_drawings(lines, way, **options_of_rows) for way in WAYS]
        readings = [known for drawings in found if (known := _all_read(drawings, kinds, options))]
        if any([board.puzzle for board in known] != [board.puzzle for board in readings[0]] for known in readings):
            raise _Unclear("F610", "a cell can be a word or a character", "write blanks between the cells")
        if readings:
            return _without_solutions(readings[0])
    return _all_read(_spaced(lines), kinds, options)


def _all_read(drawings: Sequence[_Drawing], kinds: Collection[str], options: Mapping[str, Any]) -> list[Board]:
    """The puzzles of drawings; none if one has no puzzle of these kinds, or they differ in kind."""
    found: list[Board] = []
    for drawing in drawings:
        board = _board(drawing, kinds, options)
        if board is None or (found and type(board.puzzle) is not type(found[0].puzzle)):
            return []
        found.append(board)
    return found


def _without_solutions(found: list[Board]) -> list[Board]:
    """The boards without those that complete the board before or behind them."""
    around = zip(found, [*found[:1], *found], [*found[1:], *found[-1:]], strict=False)
    return [
        board
        for board, before, behind in around
        if not (is_solution(board.puzzle, before.puzzle) or is_solution(board.puzzle, behind.puzzle))
    ]


def is_solution(puzzle: Puzzle, other: Puzzle) -> bool:
    """Whether a full board completes another."""
    clues, fewer = puzzle.clues, other.clues
    return len(fewer) < len(clues) == puzzle.n_rows * puzzle.n_columns and set(fewer) <= set(clues)


# ---- Rows ----------------------------------------------------------------------------------------------------------


def _drawings(
    lines: Sequence[Line], way: int, *, has_dashes: bool, has_letters: bool, has_boxes: bool
) -> list[_Drawing]:
    """The boards if all rows belong to one, and all other lines are remarks."""
    rows: list[_Row] = []
    sizes: dict[int, tuple[int, ...]] = {}  # by line
    remarks: list[Line] = []
    for line in lines:
        if line.is_rule and not (has_dashes and line.may_be_row):
            continue
        found = [_Row(line, row.cells) for row in line.rows[way] if has_letters or not row.has_letters]
        rows += found
        if line.size and not found:
            if not line.name or _SIZE_NAME.fullmatch(line.name):
                sizes[line.number] = line.size
        elif not found:
            remarks.append(line)
    if any("|" in row.line.raw and _EXTRA.search(row.line.raw) for row in rows):
        return []
    rows = _without_rulers(rows)
    widths = {len(row.cells) for row in rows if not row.line.is_rule}
    rows = [row for row in rows if not row.line.is_rule or len(row.cells) in widths]
    if not rows or not all(line.is_remark and widths.isdisjoint(line.lengths) for line in remarks):
        return []
    if sum(line.is_labels(widths) for line in remarks) >= MIN_ROW:  # a map of regions
        return []
    groups = [_split([*group]) for _, group in groupby(rows, lambda row: len(row.cells))]
    drawings = [*chain.from_iterable(groups)]

    def fits(size: tuple[int, ...], drawing: _Drawing) -> bool:
        """Whether numbers alone on a line are the size of a board or of its boxes, or count the boards."""
        n = len(drawing.cells)
        is_box = size[0] * size[-1] == n and has_boxes
        return is_box or size in ((n,), (n, n)) or (len(size) == 1 and 1 <= size[0] <= len(drawings))

    are_sizes = all(any(fits(size, drawing) for drawing in drawings) for size in sizes.values())
    are_inside = any(first < line < last for first, last in (drawing.lines for drawing in drawings) for line in sizes)
    if not all(groups) or not are_sizes or are_inside:
        return []
    boxes = {size[0] * size[1]: size for size in reversed(sizes.values()) if len(size) == 2}
    return [
        drawing._replace(box=boxes.get(len(drawing.cells), drawing.box), has_size=bool(sizes)) for drawing in drawings
    ]


def _without_labels(lines: list[Line]) -> list[Line]:
    """The lines, those that are a name and the characters of a row without their names, if these are counted."""
    labelled = [line for line in lines if len(line.words) == 2 and len(line.words[1]) >= MIN_SIZE]
    if not are_counted([line.words[0] for line in labelled]):
        return lines
    numbers = {line.number for line in labelled}
    return [replace(line, text=line.words[1]) if line.number in numbers else line for line in lines]


def _without_rulers(rows: list[_Row]) -> list[_Row]:
    """The rows without the names of the columns above them, and without their own names where these are numbered."""
    n = len(rows) - 1
    if n < MIN_SIZE or len({len(row.cells) for row in rows[1:]}) != 1:
        return rows
    ruler, width = rows[0].cells, len(rows[1].cells)
    is_ruler = len(ruler) in (n, width) and (are_counted(ruler) or are_counted(ruler[1:]) or not any(ruler))
    others = rows[1:] if is_ruler and (len(ruler) != width or n == width or width == n + 1) else rows
    if len(others[0].cells) == len(others) + 1 and are_counted([row.cells[0] for row in others]):
        return [row._replace(cells=row.cells[1:]) for row in others]
    return others if len(others) == width else rows


def are_remarks(text: Text) -> bool:
    """Whether all lines of a text say nothing of cells."""
    return all(line.is_rule or line.is_remark for line in lines_of(text.data.decode()))


def _split(rows: list[_Row]) -> list[_Drawing]:
    """The boards of rows of the same length; none if they do not fill boards."""
    n, width = len(rows), len(rows[0].cells)
    starts = range(0, n, width)
    if n % width == 0 and width >= MIN_SIZE and all(_has_gap(rows[start - 1], rows[start]) for start in starts[1:]):
        drawings = [_drawing(rows[start : start + width]) for start in starts]
        return [drawing for drawing in drawings if drawing is not None] if all(drawings) else []
    size = isqrt(width)
    if size**2 != width or size < MIN_SIZE or (n > 1 and width < MIN_RUN):
        return []
    runs = [(row, range(0, width, size)) for row in rows]
    return [_Drawing((row.line.number,) * 2, [row.cells[i : i + size] for i in at], None) for row, at in runs]


def _has_gap(row: _Row, other: _Row) -> bool:
    return other.line.number - row.line.number > 1


def _drawing(rows: Sequence[_Row]) -> _Drawing | None:
    """The board of these rows, with the box that bars, rules and blank lines show; None if they show other regions."""
    size = len(rows)
    starts = [i for i, (row, other) in enumerate(pairwise(rows), 1) if _has_gap(row, other)]
    heights = {end - start for start, end in pairwise([0, *starts, size])}
    parts = [[WORD.findall(part) for part in BAR.split(row.line.text)] for row in rows]
    are_words = sum(map(len, parts[0])) == size
    lengths = [[n for part in row if (n := len(part) if are_words else sum(map(len, part)))] for row in parts]
    if any(row != lengths[0] for row in lengths) and all(sum(row) == size for row in lengths):
        return None
    widths = set(chain.from_iterable(lengths))
    if len(heights) > 1:
        return None
    height, width = (min(found) if len(found) == 1 and 1 < min(found) < size else 0 for found in (heights, widths))
    box = (height or size // width, width or size // height) if height or width else None
    is_box = box is not None and box[0] * box[1] == size
    return _Drawing((rows[0].line.number, rows[-1].line.number), [row.cells for row in rows], box if is_box else None)


# ---- Cells that bars or places show, as blank ones are not written -------------------------------------------------


def _spaced(lines: Sequence[Line]) -> list[_Drawing]:
    """The boards in frames, or below their size, whose blank cells are spaces."""
    drawn = [line for line in lines if not line.is_rule]
    blocks = [[*group] for has_bar, group in groupby(drawn, lambda line: bool(BAR.search(line.text))) if has_bar]
    if not blocks:
        starts = [i for i, line in enumerate(drawn) if line.words]
        sizes = {number(word) for word in drawn[starts[0]].words} if starts else {None}
        n = sizes.pop() if len(sizes) == 1 else None
        blocks = [drawn[starts[0] + 1 : starts[0] + 1 + n]] if n and MIN_SIZE <= n < len(drawn) - starts[0] else []
    inside = {line.number for block in blocks for line in block}
    if any(not row.has_letters for line in drawn if line.number not in inside for row in line.rows[2]):
        return []
    found = [_placed(block) for block in blocks]
    return [*chain.from_iterable(found)] if all(found) else []


def _placed(block: Sequence[Line]) -> list[_Drawing]:
    """The board whose cells are the places within the parts of its rows; none if there are two such boards."""
    texts = [line.text.rstrip() for line in block]
    has_bars, has_frame = BAR.search(texts[0]) is not None, all(BAR.match(text.lstrip()) for text in texts)
    rows = [BAR.split(text.lstrip() if has_frame else " " * has_bars + text)[has_frame:] for text in texts]
    if all(len(row) > 1 and not row[-1] for row in rows):
        rows = [row[:-1] for row in rows]
    n, n_parts = len(rows), len(rows[0])
    if n < MIN_SIZE or n % n_parts or len({len(row) for row in rows}) > 1:
        return []
    k = n // n_parts
    widths = [max(len(row[i]) for row in rows) for i in range(n_parts)]
    boards: list[list[list[str]]] = []
    for pitch in range(1, _MAX_PITCH + 1):
        for offset in range(pitch):
            parts = ([_cells_at(*part, k, pitch, offset) for part in zip(row, widths, strict=True)] for row in rows)
            cells = [[*chain.from_iterable(row)] for row in parts]
            if all(len(row) == n for row in cells) and cells not in boards:
                boards.append(cells)
    box = (n // k, k) if 1 < k < n else None
    return [_Drawing((block[0].number, block[-1].number), boards[0], box)] if len(boards) == 1 else []


def _cells_at(part: str, width: int, k: int, pitch: int, offset: int) -> list[str]:
    """The ``k`` cells of a part whose words end at each pitch from an offset on; none if they do not."""
    last = offset + pitch * (k - 1)
    if not last < width <= last + pitch + 1:
        return []
    cells = [""] * k
    for match in re.finditer(r"\S" if pitch == 1 else r"\S+", part):
        column, shift = divmod(match.end() - 1 - offset, pitch)
        if shift or not 0 <= column < k:
            return []
        cells[column] = match[0]
    return cells


# ---- What the cells mean -------------------------------------------------------------------------------------------


def _board(drawing: _Drawing, kinds: Collection[str], options: Mapping[str, Any]) -> Board | None:
    """The puzzle of a drawing; None if there is none of these kinds."""
    size = len(drawing.cells)
    box = options.get("box") or drawing.box or square_box(size)
    wanted = [kind for kind in _KINDS if kind in kinds and (kind != "diagonal" or len(kinds) == 1)]
    found = {kind: board for kind in wanted if (board := _as_kind(drawing, kind, box, options))}
    other = squarest_box(size)
    if "sudoku" in kinds and not {"takuzu", "sudoku"} & found.keys() and _as_kind(drawing, "latin", box, options):
        if box and (drawing.box or "latin" not in found):
            message = f"the givens break the rules of a Sudoku with boxes of {box[0]}x{box[1]}"
            raise _Unclear("F614", message, "give other boxes with --box, or read a Latin square with --from latin")
        if "latin" not in found and other:
            message = f"the size {size} is not a perfect square, so the board has no square boxes"
            raise _Unclear("F601", message, f"give the boxes: --box {other[0]}x{other[1]}")
    if not found:
        return None
    first = next(iter(found))
    also = ""
    if "sudoku" in kinds and "latin" in found and not (drawing.box or options.get("box")):
        boxes = f"--box {other[0]}x{other[1]}" if first == "latin" and other and not box else ""
        also = "--from latin" if first == "sudoku" else boxes
    return found[first]._replace(also=also)


def _as_kind(drawing: _Drawing, kind: str, box: Box | None, options: Mapping[str, Any]) -> Board | None:
    """The puzzle if the cells are those of this kind, and break none of its rules; raises _Unclear."""
    cells = [[_canonical(cell) for cell in row] for row in drawing.cells]
    signs, size = {cell for row in cells for cell in row}, len(cells)
    found: dict[str | None, Board] = {}
    for blank in (None, *(sign for sign in signs if sign.lower() in BLANKS or sign == "2")):
        values = _numbering(signs - {blank}, size, kind) if blank != ("0" if kind == "takuzu" else "2") else ()
        lowest = kind != "takuzu"
        places = ((i, j, cell) for i, row in enumerate(cells, 1) for j, cell in enumerate(row, 1) if cell != blank)
        clues = tuple(Clue(i, j, values.index(cell) + lowest) for i, j, cell in places) if values else ()
        puzzle = _puzzle(kind, size, box, clues, options) if clues else None
        if puzzle is not None:
            if blank == "-1" and values[0] == "1" and values[-1] not in signs:
                raise _Unclear("F610", "the values count from 0 or from 1", "write . for a blank if it is 1")
            blanks = f", {blank or 'a space'} for a blank" if blank is not None else ""
            first, last = drawing.lines
            lines = f"lines {first} to {last}" if first < last else f"line {first}"
            reading = f"{puzzle.title}, values {values[0]}-{values[-1]}{blanks}; {lines}"
            is_plain = kind != "takuzu" or drawing.has_size or (values == "01" and blank != "2")
            found[blank] = Board(puzzle, reading, drawing.lines, is_plain)
    if len(found) > 1 and (None not in found or "0" in found):
        signs_of_blanks = sorted(blank for blank in found if blank)
        raise _Unclear("F610", f"{signs_of_blanks[0]} can be a blank or a value", "write . for a blank")
    return next(iter(found.values()), None)  # a board that is full and breaks no rule has no blanks


def _canonical(cell: str) -> str:
    value = number(cell)
    return str(value) if value is not None else cell.upper() if len(cell) == 1 else cell.lower()


def _numbering(signs: set[str], size: int, kind: str) -> Sequence[str]:
    """The values that cells of these signs have, in their order; empty if there is no such order."""
    if kind == "takuzu":
        return next((order for order in ("01", *_COLOURS) if signs <= {*order}), ())
    if len(signs) == 1:
        return ()  # of a matrix rather than of a board
    orders = [[*map(str, range(first, size + first))] for first in (1, 0)]
    orders += [[*_CHARACTERS[first : size + first]] for first in (1, 0)] + [[*ascii_uppercase[:size]]]
    orders += [sorted(signs)] if all(sign.isalpha() and len(sign) == 1 for sign in signs) else []
    return next((order for order in orders if len(order) == size and signs <= {*order}), ())


def _puzzle(
    kind: str, size: int, box: Box | None, clues: tuple[Clue, ...], options: Mapping[str, Any]
) -> Puzzle | None:
    """The puzzle; None if the givens break a rule, or the board has no boxes."""
    is_takuzu, has_boxes = kind == "takuzu", issubclass(puzzle_class(kind), Sudoku)
    distinct = options.get("distinct_lines") in (None, True)
    shape = (size, distinct) if is_takuzu else (box or (0, 0)) if has_boxes else ()
    make: Callable[..., Puzzle] = puzzle_class(kind)
    try:
        puzzle = make(size, *shape, clues=clues)
    except ProblemError:
        return None
    return puzzle if next(puzzle.conflicts(), None) is None else None
