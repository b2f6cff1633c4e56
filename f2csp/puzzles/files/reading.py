"""One puzzle on its way from a file: what is asked of the readers, and what all of them do with what they find."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import NamedTuple, TypeVar

from f2csp.diagnostics import Collector
from f2csp.puzzles.files.text import Line, Span, number
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Box, Sudoku, square_box
from f2csp.puzzles.takuzu import MAX_LINES, Takuzu

P = TypeVar("P", bound=Puzzle)

_FEW_CELLS = 1000  # of the largest board whose clues are kept for the next puzzle
_SHOWN = 30  # characters of the text that a message repeats at most


class Given(NamedTuple):
    """A value that a file gives to a cell, and where it stands; not yet known to fit the board."""

    row: int
    column: int
    value: int
    start: int
    end: int


class PlacedSign(NamedTuple):
    """A sign of a Futoshiki file and where it stands; its cells need not be on the board."""

    smaller: Cell
    greater: Cell
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user says of a puzzle besides the file.

    Attributes:
        box: rows and columns of a Sudoku's box.
        has_distinct_lines: whether the lines of a Takuzu must differ; None for what the format says, or else yes.
    """

    box: Box | None = None
    has_distinct_lines: bool | None = None


class Reading:
    """Collects what is wrong with a puzzle of a known kind, and makes the puzzle if nothing is."""

    def __init__(self, kind: str, collector: Collector, wish: Wish | None = None) -> None:
        self.kind = kind
        self.collector = collector
        self.wish = wish or Wish()

    def fault(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        label: str = "",
        related: Sequence[tuple[int, int, str]] = (),
        hint: str | None = None,
    ) -> None:
        """Tell a fault, or a warning, as its code says."""
        self.collector.add(code, *span, message, label=label, related=related, hint=hint)

    def size(self, lines: Sequence[Line], end: int, most: int = MAX_SIZE) -> tuple[int, Span] | None:
        """The size of the board and where it stands, alone on the first of the lines; None if there is no such board.

        Args:
            lines: those of the puzzle that are not blank.
            end: the byte offset where the puzzle ends.
            most: the largest size.
        """
        hint = "begin with the size of the board, such as 9, on a line of its own"
        if not lines:
            self.fault("F604", (end, end), "the file ends before the size of the board", hint=hint)
            return None
        first, *others = lines[0].words()
        size = number(first.text)
        if size is None:
            self.fault("F607", first.span, f"the size of the board is due, and '{first.text}' is no number", hint=hint)
            return None
        if others:
            span = others[0].start, others[-1].end
            self.fault("F606", span, "something stands beside the size of the board", hint=hint)
        return (size, first.span) if self._is_size(size, first.span, most) else None

    def square(
        self, size: int, givens: Iterable[Given], size_span: Span, box: Box | None = None
    ) -> Sudoku | LatinSquare | None:
        """The Sudoku or Latin square of this size, or None if there is a fault.

        Args:
            size: how many rows and columns there are.
            givens: in the order of the file; no cell twice.
            size_span: what tells the size, for a message that there is no such board.
            box: rows and columns of a box, if the format tells.
        """
        if not self._is_size(size, size_span, MAX_SIZE):
            return None
        shape = self._box(size, size_span, box) if self.kind == Sudoku.KIND else None
        clues = self._clues(givens, size, size, range(1, size + 1))
        if not self._is_sound:
            return None
        return self._finished(_square(size, shape, tuple(clues)), clues)

    def grid(
        self, size: int, values: Sequence[int], spans: Iterable[Span], size_span: Span, box: Box | None = None
    ) -> Sudoku | LatinSquare | None:
        """The same of a format that writes every cell.

        Args:
            size: how many rows and columns there are.
            values: those of the cells, row by row; 0 for a blank.
            spans: where the cells stand.
            size_span: what tells the size.
            box: rows and columns of a box, if the format tells.
        """
        plain = self._plain_grid(size, values, box)
        if plain is not None:
            return plain
        cells = ((row, column) for row in range(1, size + 1) for column in range(1, size + 1))
        givens = [Given(*cell, value, *span) for cell, value, span in zip(cells, values, spans, strict=True) if value]
        return self.square(size, givens, size_span, box)

    def _plain_grid(self, size: int, values: Sequence[int], box: Box | None) -> Sudoku | LatinSquare | None:
        """The puzzle if nothing is wrong with it: files of many small ones take this short way."""
        shape = self._shape(size, box)
        fits = self.kind != Sudoku.KIND or (shape is not None and shape[0] * shape[1] == size)
        if not (fits and self._is_sound and size**2 <= _FEW_CELLS and max(values) <= size):
            return None
        clues = tuple([known[value] for known, value in zip(_clues_of_cells(size), values, strict=True) if value])
        puzzle = _square(size, shape, clues)
        return puzzle if next(puzzle.conflicts(), None) is None else None

    def futoshiki(
        self, size: int, givens: Iterable[Given], signs: Iterable[PlacedSign], size_span: Span
    ) -> Futoshiki | None:
        """The Futoshiki of this size, or None if there is a fault; see :meth:`square`."""
        if not self._is_size(size, size_span, MAX_SIZE):
            return None
        clues = self._clues(givens, size, size, range(1, size + 1))
        placed = self._signs(size, signs)
        if not self._is_sound:
            return None
        puzzle = Futoshiki(size, tuple(Sign(sign.smaller, sign.greater) for sign in placed), clues=tuple(clues))
        return self._finished(puzzle, clues)

    def takuzu(
        self, n_rows: int, n_columns: int, givens: Iterable[Given], size_span: Span, *, has_distinct_lines: bool = True
    ) -> Takuzu | None:
        """The Takuzu of this shape, or None if there is a fault; see :meth:`square`."""
        if not (self._is_size(n_rows, size_span, MAX_LINES) and self._is_size(n_columns, size_span, MAX_LINES)):
            return None
        clues = self._clues(givens, n_rows, n_columns, range(2))
        if not self._is_sound:
            return None
        wished = self.wish.has_distinct_lines
        distinct = has_distinct_lines if wished is None else wished
        return self._finished(Takuzu(n_rows, n_columns, distinct, clues=tuple(clues)), clues)

    @property
    def _is_sound(self) -> bool:
        return not self.collector.n_errors

    def _is_size(self, size: int, span: Span, most: int) -> bool:
        if 1 <= size <= most:
            return True
        message = f"the size of the board is {self._shown(*span)}, and sizes from 1 to {most} are converted"
        self.fault("F601", span, message)
        return False

    def _shape(self, size: int, box: Box | None) -> Box | None:
        return (self.wish.box or box or square_box(size)) if self.kind == Sudoku.KIND else None

    def _box(self, size: int, span: Span, box: Box | None) -> Box | None:
        """The box of a Sudoku: what the user says, what the format says, or the square one."""
        shape = self._shape(size, box)
        if shape is None:
            message = f"the size of the board is {size}, which is not a perfect square, so it has no square boxes"
            self.fault("F601", span, message, hint=box_hint(size))
        elif shape[0] * shape[1] != size:
            message = (
                f"the size of the board is {size}, and boxes of {shape[0]}x{shape[1]} make a board of size "
                f"{shape[0] * shape[1]}"
            )
            self.fault("F601", span, message, hint="correct the size, or --box")
        else:
            return shape
        return None

    def _clues(self, givens: Iterable[Given], n_rows: int, n_columns: int, values: range) -> dict[Clue, Span]:
        """The givens as clues with their places; those that do not fit are told and left out."""
        clues: dict[Clue, Span] = {}
        for row, column, value, start, end in givens:
            if value in values:
                clues[Clue(row, column, value)] = start, end
            else:
                allowed = f"{values[0]} to {values[-1]}" if values else "none"
                message = f"the value at {Cell(row, column)} is {self._shown(start, end)}"
                self.fault("F603", (start, end), f"{message}, and a {n_rows}x{n_columns} board has values {allowed}")
        return clues

    def _signs(self, size: int, signs: Iterable[PlacedSign]) -> list[PlacedSign]:
        """The signs that fit; the others are told: those that point off the board, and those that contradict."""
        known: dict[frozenset[Cell], PlacedSign] = {}
        for sign in signs:
            off = [
                cell
                for cell in (sign.smaller, sign.greater)
                if not (1 <= cell.row <= size and 1 <= cell.column <= size)
            ]
            between = frozenset((sign.smaller, sign.greater))
            earlier = known.setdefault(between, sign) if not off else sign
            if off:
                inner = sign.greater if off[0] == sign.smaller else sign.smaller
                message = f"the sign at {inner} points off the board, to {off[0]}"
                self.fault(
                    "F611", (sign.start, sign.end), message, hint="remove the sign, or move it between two cells"
                )
            elif earlier.smaller != sign.smaller:
                message = (
                    f"{sign.smaller} is to be smaller than {sign.greater}, and by an earlier sign greater: "
                    "the signs contradict"
                )
                marks = [(earlier.start, earlier.end, "the earlier sign")]
                self.fault("F612", (sign.start, sign.end), message, related=marks, hint="keep one of the two signs")
        return list(known.values())

    def _finished(self, puzzle: P, places: dict[Clue, Span]) -> P:
        """Warn of givens that already break the rules."""
        for clues, message in puzzle.conflicts():
            *earlier, last = clues
            marks = [(*places[clue], f"{clue.value} is given here") for clue in earlier]
            hint = "correct one of them; as it is, the puzzle has no solution"
            self.fault("F608", places[last], message, label="and this", related=marks, hint=hint)
        return puzzle

    def _shown(self, start: int, end: int) -> str:
        """What stands there, as a message repeats it."""
        text = self.collector.source.data[start : min(end, start + 4 * _SHOWN)].decode("utf-8", "replace")
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _square(size: int, box: Box | None, clues: tuple[Clue, ...]) -> Sudoku | LatinSquare:
    return LatinSquare(size, clues=clues) if box is None else Sudoku(size, *box, clues=clues)


@lru_cache(maxsize=8)
def _clues_of_cells(size: int) -> list[list[Clue]]:
    """For each cell its clue of each value from 0 on; made once, for a clue takes longer to make than to find."""
    numbers = range(1, size + 1)
    return [[Clue(row, column, value) for value in range(size + 1)] for row in numbers for column in numbers]


def box_hint(size: int) -> str:
    """The squares on both sides of a size, and boxes that would fit."""
    root = isqrt(size)
    rows = max(rows for rows in range(1, root + 1) if size % rows == 0)
    squares = f"write a perfect square, such as {root**2} or {(root + 1) ** 2}"
    return squares if rows == 1 else f"{squares}, or give the boxes: --box {rows}x{size // rows}"
