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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count, groupby, pairwise, product
from math import isqrt
from typing import Any

from f2csp.boards.drawn_puzzles import PLAIN_KINDS, Drawing, DrawnBoard, Unclear, board_of, check_likely, is_solution
from f2csp.boards.lines_in_text import (
    MIN_ROW,
    MIN_RUN,
    MIN_SIZE,
    WAYS,
    WORD,
    Cells,
    Line,
    are_counted,
    text_lines,
    without_markup,
)
from f2csp.boards.other_texts import refuse_variant
from f2csp.boards.pieces import BAR, Text, number
from f2csp.boards.puzzle_builder import unclear
from f2csp.boards.reading import PuzzleFile, Reading
from f2csp.diagnostics import InvalidInput
from f2csp.file_formats import FormatInfo

_SIZE_NAME = re.compile(r"(?:int\b\W*)?(?:n|size|order|dim\w*|rows|cols|columns|height|width)\s*", re.IGNORECASE)
# Behind the cells: extra regions of Andoku.
_EXTRA = re.compile(r"(?<!\|)[0-9.]{2}[0-9A-Za-z.]*\|\|?[A-Za-z0-9.]*\|?[A-Z]\s*$")
_MAX_EXTRA = 3000  # characters of a line with extra regions
_MAX_PITCH = 6  # characters from one cell to the next
_MAX_BYTES = 1 << 17  # of a text that is searched for boards


def boards_file(text: Text, kinds: Collection[str], options: Mapping[str, Any]) -> PuzzleFile | None:
    """The boards of a text, of these kinds, without the solutions beside them; None if it has something else.

    Where several kinds are possible, a board must have blanks and enough givens to be a puzzle.

    Raises:
        InvalidInput: a board can be read in two ways, or the text names rules that a plain board would lack.
    """
    if text.end - text.start > _MAX_BYTES or {*kinds}.isdisjoint(PLAIN_KINDS):
        return None
    try:
        lines = _without_labels([*text_lines(without_markup(text.data.decode()))])
        found = _boards(lines, kinds, options)
        if not found:
            return None
        refuse_variant(text, found[0].puzzle.NAME)
        if len(kinds) > 1:
            check_likely(found)
    except Unclear as error:
        code, message, hint = error.args
        raise InvalidInput(unclear(code, text, message, hint)) from None
    kind, also = found[0].puzzle.KIND, found[0].also
    message = f"the file was read as a board of the kind {kind}, and can be another with {also}"
    warnings = unclear("F617", text, message, f"name the kind with --from {kind}") if also else ()
    readings = [found[0].reading + _left_out(lines, found), *(board.reading for board in found[1:])]
    known = {i: Reading(board.puzzle, description=reading) for i, board, reading in zip(count(1), found, readings)}
    return PuzzleFile(FormatInfo(f"{kind}:board", "", "a board in any text", 0), (), options, known, warnings)


def _left_out(lines: Sequence[Line], boards: Sequence[DrawnBoard]) -> str:
    """Which lines are remarks, in words."""
    inside = {number for board in boards for number in range(board.lines[0], board.lines[1] + 1)}
    numbers = [line.number for line in lines if line.raw.strip()]
    runs = [[*run] for is_inside, run in groupby(numbers, inside.__contains__) if not is_inside]
    shown = [f"{run[0]} to {run[-1]}" if run[0] < run[-1] else f"{run[0]}" for run in runs]
    more = f" and {len(shown) - 4} more" if len(shown) > 4 else ""
    plural = "s" if len(runs) > 1 or (runs and len(runs[0]) > 1) else ""
    return f"; left out: line{plural} {', '.join(shown[:4])}{more}" if runs else ""


def _boards(lines: list[Line], kinds: Collection[str], options: Mapping[str, Any]) -> list[DrawnBoard]:
    has_boxes = not {"sudoku", "diagonal"}.isdisjoint(kinds)
    some_dashes = any(line.is_rule and line.may_be_row for line in lines)
    some_letters = any(row.has_letters for line in lines for way in line.rows for row in way)
    for has_dashes, has_letters in product(sorted({False, some_dashes}), sorted({False, some_letters})):
        options_of_rows = {"has_dashes": has_dashes, "has_letters": has_letters, "has_boxes": has_boxes}
        found = [_drawings(lines, way, **options_of_rows) for way in WAYS]
        readings = [known for drawings in found if (known := _all_read(drawings, kinds, options))]
        if any([board.puzzle for board in known] != [board.puzzle for board in readings[0]] for known in readings):
            raise Unclear("F610", "a cell can be a word or a character", "write blanks between the cells")
        if readings:
            boards = readings[0]
            around = zip(boards, [*boards[:1], *boards], [*boards[1:], *boards[-1:]], strict=False)
            return [board for board, *near in around if not any(is_solution(board.puzzle, one.puzzle) for one in near)]
    return _all_read(_spaced(lines), kinds, options)


def _all_read(drawings: Sequence[Drawing], kinds: Collection[str], options: Mapping[str, Any]) -> list[DrawnBoard]:
    """The puzzles of drawings; none if one has no puzzle of these kinds, or they differ in kind."""
    found: list[DrawnBoard] = []
    for drawing in drawings:
        board = board_of(drawing, kinds, options)
        if board is None or (found and type(board.puzzle) is not type(found[0].puzzle)):
            return []
        found.append(board)
    return found


# ---- Rows ----------------------------------------------------------------------------------------------------------


def _drawings(lines: list[Line], way: int, *, has_dashes: bool, has_letters: bool, has_boxes: bool) -> list[Drawing]:
    """The boards if all rows belong to one, and all other lines are remarks."""
    rows: list[Cells] = []
    sizes: dict[int, tuple[int, ...]] = {}  # by line
    remarks: list[Line] = []
    for line in lines:
        if line.is_rule and not (has_dashes and line.may_be_row):
            continue
        found = [row for row in line.rows[way] if has_letters or not row.has_letters]
        rows += found
        if line.size and not found:
            if not line.name or _SIZE_NAME.fullmatch(line.name):
                sizes[line.number] = line.size
        elif not found:
            remarks.append(line)
    if any("|" in raw and _EXTRA.search(raw[-_MAX_EXTRA:]) for raw in {row.line.raw for row in rows}):
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

    def fits(size: tuple[int, ...], drawing: Drawing) -> bool:
        """Whether numbers alone on a line are the size of a board or of its boxes, or count the boards."""
        n = len(drawing.cells)
        is_box = size[0] * size[-1] == n and has_boxes
        return is_box or size in ((n,), (n, n)) or (len(size) == 1 and 1 <= size[0] <= len(drawings))

    are_sizes = all(any(fits(size, drawing) for drawing in drawings) for size in sizes.values())
    are_inside = any(first < line < last for first, last in (drawing.lines for drawing in drawings) for line in sizes)
    if not all(groups) or not are_sizes or are_inside:
        return []
    boxes = {size[0] * size[1]: size for size in reversed(sizes.values()) if len(size) == 2}
    return [one._replace(box=boxes.get(len(one.cells), one.box), has_size=bool(sizes)) for one in drawings]


def _without_labels(lines: list[Line]) -> list[Line]:
    """The lines, those that are a name and the characters of a row without their names, if these are counted."""
    labelled = [line for line in lines if len(line.words) == 2 and len(line.words[1]) >= MIN_SIZE]
    if not are_counted([line.words[0] for line in labelled]):
        return lines
    numbers = {line.number for line in labelled}
    return [replace(line, text=line.words[1]) if line.number in numbers else line for line in lines]


def _without_rulers(rows: list[Cells]) -> list[Cells]:
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
    return all(line.is_rule or line.is_remark for line in text_lines(text.data.decode()))


def _split(rows: list[Cells]) -> list[Drawing]:
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
    return [Drawing((row.line.number,) * 2, [row.cells[i : i + size] for i in at], None) for row, at in runs]


def _has_gap(row: Cells, other: Cells) -> bool:
    return other.line.number - row.line.number > 1


def _drawing(rows: Sequence[Cells]) -> Drawing | None:
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
    return Drawing((rows[0].line.number, rows[-1].line.number), [row.cells for row in rows], box if is_box else None)


# ---- Cells that bars or places show, as blank ones are not written -------------------------------------------------


def _spaced(lines: Sequence[Line]) -> list[Drawing]:
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


def _placed(block: Sequence[Line]) -> list[Drawing]:
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
    return [Drawing((block[0].number, block[-1].number), boards[0], box)] if len(boards) == 1 else []


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
