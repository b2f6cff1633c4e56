"""What all formats of puzzle files share: the codec, the faults of a puzzle, and the puzzle built from its givens."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from f2csp.boards.pieces import PUZZLE_LINE, Piece, Span, Text, number, span_of
from f2csp.diagnostics import Collector, Diagnostic, Mark, ProblemError
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle, puzzle_class
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Box, Sudoku, square_box, squarest_box

_MAX_SHOWN = 30  # characters of the text that a message repeats
_MISFITS = frozenset({"F604", "F607", "F610", "F615"})
"""The codes of faults that a text in another format has, where they end the reading."""
_FORM_FAULTS = frozenset({"F604", "F606", "F607", "F609", "F610", "F611", "F615"})
"""The codes of faults of form: a hint says how the format is written."""
_EQUAL_LINES = re.compile(rb"^[ \t]*+# *+lines may be equal[ \t]*+\r?$", re.MULTILINE)
_HEAD_BYTES = 1 << 12  # where a comment says what holds for all puzzles of a file
_MAX_KEPT_CELLS = 1000  # of a board whose clues are kept for the next puzzle


@dataclass(frozen=True, slots=True)
class Codec:
    """How the puzzles of a format are read and written."""

    read: Callable[[Text, "PuzzleBuilder"], Puzzle]  # reports all faults; raises Unreadable if there are any
    write: Callable[[Any], str] | None = None  # raises Unsuitable if the format cannot express the puzzle
    cut: Callable[[Text], Sequence[Text]] | None = None  # the texts of the puzzles, at least one
    frame: tuple[int, int] = (0, 0)  # the numbers of lines that are written before and after the puzzles
    between: str = ""  # what is written between two puzzles
    max_size: int = MAX_SIZE  # of the boards that it can express
    min_size: int = 1  # of a board in a file of which only the kind is known, or nothing
    is_document: bool = False  # whether the beginning of a file alone is malformed
    is_by_line: bool = False  # whether each puzzle is a line, below the lines of the frame

    @property
    def has_several(self) -> bool:
        """Whether a file can have several puzzles."""
        return self.cut is not None or self.is_by_line

    def parts(self, text: Text) -> Sequence[Text]:
        """The texts of the puzzles, at least one."""
        if self.cut:
            return self.cut(text)
        return text.parts(PUZZLE_LINE) if self.is_by_line else [text]


class Unreadable(Exception):
    """There is no puzzle; all faults are reported."""


def unclear(code: str, text: Text, message: str, hint: str | None = None) -> tuple[Diagnostic, ...]:
    """The fault or warning of a whole text, at its first line."""
    collector = Collector(text.source)
    first = text.first_bytes().filled_lines[:1]
    collector.add(code, *(first[0].span if first else (text.start, text.start)), message, hint=hint)
    return tuple(collector.diagnostics())


class Given(NamedTuple):
    """A value of a cell and its place in the file; not yet known to fit the board."""

    row: int
    column: int
    value: int
    span: Span


Givens = Iterable[Given]


class Shape(NamedTuple):
    """The shape of a board as the file gives it, and the place of these numbers."""

    n_rows: int
    n_columns: int
    span: Span


class PuzzleBuilder:
    """Collects the faults of a puzzle, and builds the puzzle if there are none."""

    def __init__(
        self, kind: str, collector: Collector, options: Mapping[str, Any] | None = None, hint: str | None = None
    ) -> None:
        self.kind, self.collector = kind, collector
        self.options = options or {}  # of the puzzle, not in its file, such as ``box``
        self.hint = hint  # how the format is written: for faults of form
        self.is_stopped = False  # whether a fault ended the reading
        self.reading = ""  # how the text was read, where that is not plain from the name of the format

    def fault(
        self, code: str, span: Span, message: str, hint: str | None = None, marks: Sequence[Mark] = (), label: str = ""
    ) -> None:
        """Report a fault, or a warning, as its code says."""
        hint = hint or (self.hint if code in _FORM_FAULTS else None)
        self.collector.add(code, *span, message, label=label, related=marks, hint=hint)

    def stop(self, code: str, span: Span, message: str, hint: str | None = None, *, misfit: bool = False) -> NoReturn:
        """Report a fault after which no more can be read; that of a misfit is its kind, of which a format reads it."""
        self.fault(code, span, message, hint)
        self.is_stopped = misfit or code in _MISFITS
        raise Unreadable

    def twice(self, cell: Cell, span: Span, earlier: Span) -> None:
        """Report a cell that is given a second time."""
        marks = [(*earlier, "given here first")]
        self.fault("F605", span, f"the cell at {cell} is given twice", "remove one of the two", marks, "given again")

    @property
    def is_sound(self) -> bool:
        return not self.collector.n_errors

    def require_sound(self) -> None:
        """Stop if there are faults."""
        if not self.is_sound:
            raise Unreadable

    # ---- Sizes -----------------------------------------------------------------------------------------------------

    def check_size(self, span: Span, limit: int, *sizes: int) -> None:
        """Stop if no board has these sizes, whose place is ``span``."""
        if not all(1 <= size <= limit for size in sizes):
            text = self.shown(*span)
            found = text if text.isdigit() else "x".join([f"{size:,}" for size in dict.fromkeys(sizes)])
            self.stop("F601", span, f"expected a size from 1 to {limit}, found {found}")

    def shape(self, lines: Sequence[Piece], end: int, limit: int, n: int = 1) -> Shape:
        """The shape of the board by the ``n`` numbers alone on the first line."""
        words = lines[0].words() if lines else []
        what = "the size of the board" if n == 1 else "the numbers of rows and columns"
        if len(words) < n:
            self.stop("F604", lines[0].span if lines else (end, end), f"expected {what}")
        for word in words[:n]:
            if number(word.text) is None:
                self.stop("F607", word.span, f"expected {what}, found '{word.text}'")
        if words[n:]:
            self.fault("F606", span_of(words[n:]), f"unexpected text after {what}")
        found = Shape(number(words[0].text) or 0, number(words[n - 1].text) or 0, span_of(words[:n]))
        self.check_size(found.span, limit, found.n_rows, found.n_columns)
        return found

    # ---- Puzzles ---------------------------------------------------------------------------------------------------

    def square(
        self, size: int, givens: Givens, span: Span, box: Box | None = None, first: int = 1, **more: Any
    ) -> Puzzle:
        """The puzzle of this size, whose place is ``span``.

        ``box`` is that of a Sudoku if the format gives it, ``first`` the lowest value as the file writes it, and
        ``more`` are further attributes of the puzzle, ``cages`` with the places of their totals. No cell is given
        twice.
        """
        if cages := more.get("cages"):
            more |= {"cages": tuple(cages), "places": {cage.cells[0]: place for cage, place in cages.items()}}
        self.check_size(span, MAX_SIZE, size)
        has_boxes = issubclass(puzzle_class(self.kind), Sudoku)
        sizes = (size, *(self._checked_box(size, span, box) or ())) if has_boxes else (size,)
        return self.build(sizes, givens, Shape(size, size, span), range(1, size + 1), first, **more)

    def full_square(self, size: int, values: Sequence[int], starts: Sequence[int], span: Span) -> Puzzle:
        """The Sudoku of a format that writes every cell as a character: its values, 0 for a blank, and their places.

        Files of many small Sudokus without faults take a short way.
        """
        box = self._box(size, None)
        if box and box[0] * box[1] == size and self.is_sound and size**2 <= _MAX_KEPT_CELLS and max(values) <= size:
            clues = tuple([known[value] for known, value in zip(_clues_of_cells(size), values, strict=True) if value])
            make: Callable[..., Puzzle] = puzzle_class(self.kind)
            puzzle = make(size, *box, clues=clues)
            if next(puzzle.conflicts(), None) is None:
                return puzzle
        return self.square(size, character_givens(size, values, starts), span)

    def takuzu(self, shape: Shape, givens: Givens, *, distinct_lines: bool = True) -> Puzzle:
        """The Takuzu of this shape."""
        from f2csp.puzzles.takuzu import MAX_LINES

        self.check_size(shape.span, MAX_LINES, *shape[:2])
        source, wanted = self.collector.source, self.options.get("distinct_lines")
        may_be_equal = not distinct_lines or _EQUAL_LINES.search(source.data, 0, _HEAD_BYTES) is not None
        return self.build((*shape[:2], not may_be_equal if wanted is None else wanted), givens, shape, range(2))

    def _box(self, size: int, box: Box | None) -> Box | None:
        """The box of a Sudoku: what the user says, what the format says, or the square one."""
        return self.options.get("box") or box or square_box(size)

    def _checked_box(self, size: int, span: Span, box: Box | None) -> Box | None:
        """The same; it is a fault if there is none, or if it does not fit the size."""
        found = self._box(size, box)
        if found is None:
            other = squarest_box(size)
            hint = f"give the boxes: --box {other[0]}x{other[1]}" if other else None
            self.fault("F601", span, f"the size {size} is not a perfect square, so the board has no square boxes", hint)
        elif found[0] * found[1] != size:
            expected = f"expected the size {found[0] * found[1]} for boxes of {found[0]}x{found[1]}"
            self.fault("F601", span, f"{expected}, found {size}", "correct the size, or --box")
        return found

    def build(
        self, sizes: Sequence[Any], givens: Givens, shape: Shape, values: range, first: int | None = None, **more: Any
    ) -> Puzzle:
        """The puzzle of the kind with these sizes and further attributes, if there is no fault.

        A given out of range is a fault, and what else the puzzle refuses is one, at the place that ``places``, one of
        ``more``, has for what the puzzle names, or else of the shape. Givens that break the rules are a warning.
        ``first`` is the lowest value as the file writes it.
        """
        places: Mapping[Any, Span] = more.pop("places", {})
        first = values[0] if first is None else first
        clues: dict[Clue, Span] = {}
        for row, column, value, place in givens:
            if value in values:
                clues[Clue(row, column, value)] = place
            else:
                expected = f"expected a value from {first} to {first + len(values) - 1}"
                found = f"found {self.shown(*place)} at {Cell(row, column)} of a {shape[0]}x{shape[1]} board"
                self.fault("F603", place, f"{expected}, {found}")
        self.require_sound()
        make: Callable[..., Puzzle] = puzzle_class(self.kind)
        try:
            puzzle = make(*sizes, clues=tuple(clues), **more)
        except ProblemError as error:  # the text is one of the format
            self.fault("F615", places.get(error.at, shape.span), str(error))
            raise Unreadable from None
        for (*earlier, last), message in puzzle.conflicts():
            marks = [(*clues[clue], f"{clue.value} is given here") for clue in earlier]
            hint = "correct one of them; the puzzle has no solution otherwise"
            self.fault("F608", clues[last], message, hint, marks, "and this")
        return puzzle

    def shown(self, start: int, end: int) -> str:
        """The text of a place, as a message repeats it."""
        data = self.collector.source.data[start : min(end, start + 4 * _MAX_SHOWN)]
        return shortened(data.decode("utf-8", "replace"))


@lru_cache(maxsize=8)
def _clues_of_cells(size: int) -> list[list[Clue]]:
    """For each cell its clue of each value from 0 on; made once, for a clue takes longer to make than to find."""
    numbers = range(1, size + 1)
    return [[Clue(row, column, value) for value in range(size + 1)] for row in numbers for column in numbers]


def character_givens(size: int, values: Sequence[int], starts: Sequence[int]) -> list[Given]:
    """The givens of a board with a character for each cell, row by row; the value 0 is a blank."""
    placed = zip(range(size**2), values, starts, strict=True)
    return [Given(i // size + 1, i % size + 1, value, (at, at + 1)) for i, value, at in placed if value]


def shortened(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


def text_of(lines: Iterable[str]) -> str:
    return "".join([f"{line}\n" for line in lines])
