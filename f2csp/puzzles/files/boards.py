"""How the givens of a file become a puzzle of its kind: sizes and boxes."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.page import Span
from f2csp.puzzles.files.puzzle_builder import Given, Givens, PuzzleBuilder
from f2csp.puzzles.puzzle import Clue, Puzzle, puzzle_class
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Box, Sudoku, square_box, squarest_box
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

_MAX_KEPT_CELLS = 1000  # of a board whose clues are kept for the next puzzle


def square(
    builder: PuzzleBuilder, size: int, givens: Givens, span: Span, box: Box | None = None, first: int = 1, **more: Any
) -> Puzzle:
    """The puzzle of the builder's kind and this size.

    ``span`` is the place of the size, ``box`` that of a Sudoku if the format gives it, ``first`` the lowest value as
    the file writes it, and ``more`` are further attributes of the puzzle. No cell is given twice.
    """
    builder.check_size(span, MAX_SIZE, size)
    kind = puzzle_class(builder.kind)
    make: Callable[..., Puzzle] = kind
    shape = (_box(builder, size, span, box) or ()) if issubclass(kind, Sudoku) else ()

    def puzzle(clues: tuple[Clue, ...]) -> Puzzle:
        return make(size, *shape, clues=clues, **more)

    return builder.build(puzzle, givens, (size, size), range(1, size + 1), first, span)


def full_square(builder: PuzzleBuilder, size: int, values: Sequence[int], starts: Sequence[int], span: Span) -> Puzzle:
    """The Sudoku of a format that writes every cell as a character: its values with 0 for a blank, and their places.

    Files of many small Sudokus without faults take a short way.
    """
    shape = _shape(builder, size, None)
    fits = shape is not None and shape[0] * shape[1] == size
    if shape and fits and builder.is_sound and size**2 <= _MAX_KEPT_CELLS and max(values) <= size:
        clues = tuple([known[value] for known, value in zip(_clues_of_cells(size), values, strict=True) if value])
        make: Callable[..., Puzzle] = puzzle_class(builder.kind)
        puzzle = make(size, *shape, clues=clues)
        if next(puzzle.conflicts(), None) is None:
            return puzzle
    return square(builder, size, character_givens(size, values, starts), span)


def character_givens(size: int, values: Sequence[int], starts: Sequence[int]) -> list[Given]:
    """The givens of a board with a character for each cell, row by row; the value 0 is a blank."""
    placed = zip(range(size**2), values, starts, strict=True)
    return [Given(i // size + 1, i % size + 1, value, (at, at + 1)) for i, value, at in placed if value]


@lru_cache(maxsize=8)
def _clues_of_cells(size: int) -> list[list[Clue]]:
    """For each cell its clue of each value from 0 on; made once, for a clue takes longer to make than to find."""
    numbers = range(1, size + 1)
    return [[Clue(row, column, value) for value in range(size + 1)] for row in numbers for column in numbers]


def _shape(builder: PuzzleBuilder, size: int, box: Box | None) -> Box | None:
    """The box of a Sudoku: what the user says, what the format says, or the square one."""
    return builder.options.get("box") or box or square_box(size)


def _box(builder: PuzzleBuilder, size: int, span: Span, box: Box | None) -> Box | None:
    """The box if it fits the size; a fault if not."""
    shape = _shape(builder, size, box)
    if shape is None:
        other = squarest_box(size)
        hint = f"give the boxes: --box {other[0]}x{other[1]}" if other else None
        message = f"the size {size} is not a perfect square, so the board has no square boxes"
        builder.fault("F601", span, message, hint=hint)
    elif shape[0] * shape[1] != size:
        expected = f"expected the size {shape[0] * shape[1]} for boxes of {shape[0]}x{shape[1]}"
        builder.fault("F601", span, f"{expected}, found {size}", hint="correct the size, or --box")
    return shape


def check_boxes(sudoku: Sudoku) -> None:
    """Refuse boxes that a format without boxes cannot express; if there are no square ones, a reader asks for them."""
    if square_box(sudoku.size) is not None and not sudoku.has_square_boxes:
        shape = f"{sudoku.box_rows}x{sudoku.box_columns}"
        raise Unsuitable(f"the format cannot say that the boxes are {shape}; sudoku:matrix can")


def takuzu(
    builder: PuzzleBuilder, shape: tuple[int, int], givens: Givens, span: Span, *, distinct_lines: bool = True
) -> Takuzu:
    """The Takuzu of this shape; see :func:`square`."""
    builder.check_size(span, MAX_LINES, *shape)
    wanted = builder.options.get("distinct_lines")
    distinct = distinct_lines if wanted is None else wanted
    return builder.build(lambda clues: Takuzu(*shape, distinct, clues=clues), givens, shape, range(2))
