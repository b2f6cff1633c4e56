"""The puzzle that the cells of a board mean, if nothing but the cells says what they are."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from string import ascii_uppercase, digits
from typing import Any, NamedTuple

from f2csp.boards.lines_in_text import ANY_BLANKS, MIN_SIZE
from f2csp.boards.pieces import number
from f2csp.diagnostics import ProblemError
from f2csp.puzzles.puzzle import Clue, Puzzle, puzzle_class
from f2csp.puzzles.sudoku import Box, Sudoku, square_box, squarest_box

_COLOURS = ("BW", "OX")  # of Takuzus in place of 0 and 1, which rules do not tell apart
_CHARACTERS = digits + ascii_uppercase
PLAIN_KINDS = ("takuzu", "sudoku", "latin", "diagonal")


class DrawnBoard(NamedTuple):
    """A puzzle that was found, and how it was read."""

    puzzle: Puzzle
    reading: str
    lines: tuple[int, int]
    is_plain: bool = True  # whether its signs and lines say by themselves that it is this puzzle
    also: str = ""  # the option with which it is another puzzle


class Unclear(Exception):
    """A board can be read in two ways; its arguments are a code, a message, and how to choose."""


class Drawing(NamedTuple):
    """The rows of a board, and what the file says of it."""

    lines: tuple[int, int]
    cells: list[list[str]]
    box: Box | None
    has_size: bool = False  # whether a line above gives its size


def board_of(drawing: Drawing, kinds: Collection[str], options: Mapping[str, Any]) -> DrawnBoard | None:
    """The puzzle of a drawing; None if there is none of these kinds."""
    size = len(drawing.cells)
    box = options.get("box") or drawing.box or square_box(size)
    wanted = [kind for kind in PLAIN_KINDS if kind in kinds and (kind != "diagonal" or len(kinds) == 1)]
    found = {kind: board for kind in wanted if (board := _as_kind(drawing, kind, box, options))}
    other = squarest_box(size)
    if "sudoku" in kinds and not {"takuzu", "sudoku"} & found.keys() and _as_kind(drawing, "latin", box, options):
        if box and (drawing.box or "latin" not in found):
            message = f"the givens break the rules of a Sudoku with boxes of {box[0]}x{box[1]}"
            raise Unclear("F614", message, "give other boxes with --box, or read a Latin square with --from latin")
        if "latin" not in found and other:
            message = f"the size {size} is not a perfect square, so the board has no square boxes"
            raise Unclear("F601", message, f"give the boxes: --box {other[0]}x{other[1]}")
    if not found:
        return None
    first = next(iter(found))
    also = ""
    if "sudoku" in kinds and "latin" in found and not (drawing.box or options.get("box")):
        boxes = f"--box {other[0]}x{other[1]}" if first == "latin" and other and not box else ""
        also = "--from latin" if first == "sudoku" else boxes
    return found[first]._replace(also=also)


def _as_kind(drawing: Drawing, kind: str, box: Box | None, options: Mapping[str, Any]) -> DrawnBoard | None:
    """The puzzle if the cells are those of this kind, and break none of its rules; raises Unclear."""
    cells = [[_canonical(cell) for cell in row] for row in drawing.cells]
    signs, size = {cell for row in cells for cell in row}, len(cells)
    found: dict[str | None, DrawnBoard] = {}
    for blank in (None, *(sign for sign in signs if sign.lower() in ANY_BLANKS or sign == "2")):
        values = _numbering(signs - {blank}, size, kind) if blank != ("0" if kind == "takuzu" else "2") else ()
        lowest = kind != "takuzu"
        places = ((i, j, cell) for i, row in enumerate(cells, 1) for j, cell in enumerate(row, 1) if cell != blank)
        clues = tuple(Clue(i, j, values.index(cell) + lowest) for i, j, cell in places) if values else ()
        puzzle = _puzzle(kind, size, box, clues, options) if clues else None
        if puzzle is not None:
            if blank == "-1" and values[0] == "1" and values[-1] not in signs:
                raise Unclear("F610", "the values count from 0 or from 1", "write . for a blank if it is 1")
            blanks = f", {blank or 'an empty cell'} for a blank" if blank is not None else ""
            first, last = drawing.lines
            lines = f"lines {first} to {last}" if first < last else f"line {first}"
            reading = f"{puzzle.title}, values {values[0]}-{values[-1]}{blanks}; {lines}"
            is_plain = kind != "takuzu" or drawing.has_size or (values == "01" and blank != "2")
            found[blank] = DrawnBoard(puzzle, reading, drawing.lines, is_plain)
    if len(found) > 1 and (None not in found or "0" in found):
        signs_of_blanks = sorted(blank for blank in found if blank)
        raise Unclear("F610", f"{signs_of_blanks[0]} can be a blank or a value", "write . for a blank")
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


def _puzzle(kind: str, size: int, box: Box | None, clues: Sequence[Clue], options: Mapping[str, Any]) -> Puzzle | None:
    """The puzzle; None if the givens break a rule, or the board has no boxes."""
    make: Callable[..., Puzzle] = puzzle_class(kind)
    of_takuzu = (size, options.get("distinct_lines") in (None, True))
    shape = of_takuzu if kind == "takuzu" else (box or (0, 0)) if issubclass(puzzle_class(kind), Sudoku) else ()
    with suppress(ProblemError):
        puzzle = make(size, *shape, clues=clues)
        return None if any(puzzle.conflicts()) else puzzle
    return None


# ---- Whether it is a puzzle ----------------------------------------------------------------------------------------


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


def check_likely(found: Sequence[DrawnBoard]) -> None:
    """Raise Unclear for boards that only their user can call a puzzle."""
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
            raise Unclear("F614", f"{where} like a {puzzle.n_rows}x{puzzle.n_columns} board", f"name it with {option}")


def is_solution(puzzle: Puzzle, other: Puzzle) -> bool:
    """Whether a full board completes another."""
    clues, fewer = puzzle.clues, other.clues
    return len(fewer) < len(clues) == puzzle.n_rows * puzzle.n_columns and set(fewer) <= set(clues)
