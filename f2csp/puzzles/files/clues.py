"""Sudoku clue files: the size of the board, the number of clues, and one clue to a line.

    9
    2
    1 1 5
    3 7 2

``grammars/sudoku_clues.lark`` is the grammar. Numbers are ASCII digits; leading zeros are harmless.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import isqrt

from f2csp.diagnostics import Collector, Diagnostic, InvalidInput, Source
from f2csp.puzzles.files.fields import HUGE, Field, Lines, digits, shown
from f2csp.puzzles.sudoku import MAX_SIZE, Board, Clue, conflicts, n_conflicts
from f2csp.syntax.encoding import check_encoding
from f2csp.syntax.grammar import parser

Box = tuple[int, int]

_NUMBERS = ("row", "column", "value")


@dataclass(frozen=True, slots=True)
class ClueFile:
    """What a clue file without faults holds.

    Attributes:
        board: the board; the spans of its clues are byte offsets in the file.
        warnings: the first pairs of givens that break a rule.
        n_hidden: how many more such pairs there are.
    """

    board: Board
    warnings: tuple[Diagnostic, ...] = ()
    n_hidden: int = 0


def read_clues(source: Source, box: Box | None = None) -> ClueFile:
    """Read a clue file.

    Args:
        source: the file.
        box: rows and columns of a box; without it the size of the board must be a perfect square.

    Raises:
        InvalidInput: the file has faults; all of them are told.
    """
    collector = Collector(source)
    check_encoding(source, collector)
    reader = _Reader(collector, box)
    # Latin-1 makes a byte a character, so that lark's offsets are byte offsets; blanks stand for a byte-order mark.
    text = " " * source.start + source.data[source.start :].decode("latin-1")
    parser("sudoku_clues.lark", start="tolerant", transformer=Lines(reader.take)).parse(text)
    board = reader.finish()
    diagnostics = collector.diagnostics()
    if board is None or collector.n_errors:
        raise InvalidInput(diagnostics, collector.n_hidden)
    return ClueFile(board, tuple(diagnostics), collector.n_hidden)


class _Reader:
    """Goes from line to line, keeps the clues, and says what is wrong."""

    def __init__(self, collector: Collector, box: Box | None) -> None:
        self._take_next = self._size_line
        self._collector = collector
        self._box = box
        self._size: int | None = None  # what the file says, also when there is no such board
        self._board_box: Box | None = None
        self._size_line_is_sound = True
        self._declared: Field | None = None
        self._clues: dict[tuple[int, int], Clue] = {}
        self._n_found = 0
        self._n_sound = 0
        self._n_unsound = 0  # how many clues the faulty lines may have been meant to be

    def take(self, fields: list[Field]) -> None:
        """Take the next line."""
        self._take_next(fields)

    def finish(self) -> Board | None:
        """Say what can be said at the end, and give the board, if the size is one of a board."""
        end = len(self._collector.source.data)
        if self._take_next == self._size_line:
            hint = "begin with the size of the board, such as 9"
            self._collector.add("F604", end, end, "the file ends before the size of the board", hint=hint)
        elif self._take_next == self._count_line:
            hint = "write the number of clues on the line after the size; 0 if there are none"
            self._collector.add("F604", end, end, "the file ends before the number of clues", hint=hint)
        self._check_count()
        if self._size is None or self._board_box is None:
            return None
        board = Board(self._size, *self._board_box, tuple(clue for clue in self._clues.values() if clue.value))
        self._check_conflicts(board)
        return board

    def _size_line(self, fields: list[Field]) -> None:
        if _begins_with_three_numbers(fields):
            message = "a clue stands where the size of the board is due"
            hint = "write the size, such as 9, and the number of clues on two lines before the first clue"
            self._add("F604", fields[:3], message, hint=hint)
            self._take_next = self._clue_line
            self._clue_line(fields)
        elif self._is_header("the size of the board", fields):
            self._size_line_is_sound = len(fields) == 1
            self._take_next = self._count_line
            if fields[0].number is not None:
                self._check_size(fields[0], fields[0].number)

    def _check_size(self, field: Field, size: int) -> None:
        if 0 < size < HUGE:
            self._size = size
        box = self._box or (isqrt(size), isqrt(size))
        fault = _size_fault(size, box, has_square_boxes=self._box is None)
        if fault is None:
            self._board_box = box
        else:
            reason, hint = fault
            self._add("F601", [field], f"the size of the board is {digits(field)}, {reason}", hint=hint)

    def _count_line(self, fields: list[Field]) -> None:
        if _begins_with_three_numbers(fields):
            if self._size_line_is_sound:  # else the number is likely what stands there beside the size
                message = "a clue stands where the number of clues is due"
                self._add("F604", fields[:3], message, hint="write how many clues follow on a line before the first")
            self._take_next = self._clue_line
            self._clue_line(fields)
        elif self._is_header("the number of clues", fields):
            self._take_next = self._clue_line
            if fields[0].number is not None:
                self._declared = fields[0]

    def _is_header(self, name: str, fields: list[Field]) -> bool:
        """Whether a line was meant to hold the number called ``name``, and what is wrong with it."""
        first, *others = fields
        if first.number is None and others:  # a remark or a heading: what is due may follow
            self._add("F606", fields, f"{name} is due, and not '{shown(fields)}'", hint="remove the line")
            return False
        if first.number is None:
            message = f"{name} is '{shown([first])}', not a number in digits"
            self._add("F607", [first], message, hint="write it in digits")
        elif others:
            message = f"'{shown(others)}' stands beside {name}"
            self._add("F606", others, message, hint="write the size and the number of clues on a line each")
        return True

    def _clue_line(self, fields: list[Field]) -> None:
        n_errors = self._collector.n_errors
        if _is_clue(fields):
            self._n_found += 1
            self._clue(fields[:3], fields[3:])
        else:
            hint = "remove the line, or write row, column and value, separated by blanks"
            self._add("F606", fields, f"'{shown(fields)}' is no clue", hint=hint)
        if self._collector.is_spoiled(fields[0].start):
            self._n_unsound += _n_words(fields)
        elif self._collector.n_errors > n_errors:
            self._n_unsound += -(-_n_words(fields) // len(_NUMBERS))
        else:
            self._n_sound += 1

    def _clue(self, fields: list[Field], rest: list[Field]) -> None:
        for name, field in zip(_NUMBERS, fields, strict=False):
            self._check_number(name, field)
        missing = _NUMBERS[len(fields) :]
        if missing:
            message = f"the clue '{shown(fields)}' has no {' and no '.join(missing)}"
            self._collector.add("F604", fields[-1].end, fields[-1].end, message, label="missing here")
        if rest:
            message = f"'{shown(rest)}' stands beside the clue '{shown(fields)}'"
            self._add("F606", rest, message, hint="write one clue to a line, and nothing beside it")
        self._keep(fields)

    def _check_number(self, name: str, field: Field) -> None:
        if field.number is None:
            message = f"the {name} is '{shown([field])}', not a number in digits"
            self._add("F607", [field], message, hint=f"write {name}s in digits, counted from 1")
        elif not self._is_in_range(field.number):
            size = self._size
            allowed = f"{name}s count from 1" if size is None else f"a {size}x{size} board has {name}s 1 to {size}"
            self._add("F603", [field], f"the {name} is {digits(field)}, and {allowed}")

    def _keep(self, fields: list[Field]) -> None:
        """Note the clue if its cell can be told; its value is 0 if that is missing or wrong."""
        numbers = [field.number if field.number and self._is_in_range(field.number) else 0 for field in fields]
        row, column, value = (*numbers, 0, 0)[:3]
        if not row or not column:
            return
        clue = Clue(row, column, value, (fields[0].start, fields[-1].end))
        earlier = self._clues.get((row, column))
        if earlier is not None:
            marks = [(*earlier.span, "given here first")]
            values = f", as {earlier.value} and as {value}" if earlier.value and value else ""
            message = f"the cell at {clue.cell} is given twice{values}"
            self._add("F605", fields, message, label="given again", related=marks, hint="keep one of the two clues")
        elif len(self._clues) < MAX_SIZE**2:  # no board has more cells
            self._clues[row, column] = clue

    def _is_in_range(self, number: int) -> bool:
        return 1 <= number <= (self._size or HUGE - 1)

    def _check_count(self) -> None:
        """Compare the declared number of clues with those found, unless faulty lines explain a difference."""
        if self._declared is None or self._declared.number is None:
            return
        if not self._n_sound <= self._declared.number <= self._n_sound + self._n_unsound:
            declared = digits(self._declared)
            message = f"declared {declared} {'clue' if declared == '1' else 'clues'}, found {self._n_found}"
            hint = "correct the number, or look for the clue that is missing or too much"
            self._add("F602", [self._declared], message, hint=hint)

    def _check_conflicts(self, board: Board) -> None:
        limit = self._collector.limit  # of what is listed: there may be millions
        for conflict in islice(conflicts(board), limit):
            earlier, later = conflict.earlier, conflict.later
            units = " and ".join(conflict.units)
            message = f"{later.value} is given at {earlier.cell} and at {later.cell}, both in {units}"
            marks = [(*earlier.span, f"{earlier.value} is given here")]
            hint = "correct one of the two clues; as it is, the puzzle has no solution"
            self._collector.add("F608", *later.span, message, label="and again here", related=marks, hint=hint)
        self._collector.n_warnings += max(0, n_conflicts(board) - limit)

    def _add(
        self,
        code: str,
        fields: Sequence[Field],
        message: str,
        label: str = "",
        related: Sequence[tuple[int, int, str]] = (),
        hint: str | None = None,
    ) -> None:
        self._collector.add(code, fields[0].start, fields[-1].end, message, label=label, related=related, hint=hint)


def _begins_with_three_numbers(fields: list[Field]) -> bool:
    return len(fields) >= 3 and all(field.number is not None for field in fields[:3])


def _is_clue(fields: list[Field]) -> bool:
    """Whether a line was meant to be a clue: a number comes first, or two of the first three words are numbers."""
    return fields[0].number is not None or sum(field.number is not None for field in fields[:3]) == 2


def _n_words(fields: list[Field]) -> int:
    """How many words a line has at most."""
    return len(fields) + sum(field.text.count(" ") + field.text.count("\t") for field in fields[3:])


def _size_fault(size: int, box: Box, has_square_boxes: bool) -> tuple[str, str] | None:
    """What is wrong with a size, and the cure."""
    rows, columns = box
    if size == 0:
        return "and the smallest is 1", "write the number of rows"
    if size > MAX_SIZE:
        return f"and the largest that is converted is {MAX_SIZE}", f"write a size from 1 to {MAX_SIZE}"
    if rows * columns == size:
        return None
    if has_square_boxes:
        return "which is not a perfect square, so it has no square boxes", _size_hint(size)
    return f"and boxes of {rows}x{columns} make a board of size {rows * columns}", "correct the size, or --box"


def _size_hint(size: int) -> str:
    """The sizes on both sides, and boxes that would fit."""
    root = isqrt(size)
    rows = max(rows for rows in range(1, root + 1) if size % rows == 0)
    squares = f"write a perfect square, such as {root**2} or {(root + 1) ** 2}"
    return squares if rows == 1 else f"{squares}, or give the boxes: --box {rows}x{size // rows}"
