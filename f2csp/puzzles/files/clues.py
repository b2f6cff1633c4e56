"""Clue files of Sudokus and Latin squares: the size of the board, the number of clues, and one clue to a line.

    9
    2
    1 1 5
    3 7 2

``grammars/clues.lark`` is the grammar. Numbers are ASCII digits; leading zeros are harmless.
"""

from collections.abc import Sequence

from f2csp.puzzles.files.characters import check_boxes
from f2csp.puzzles.files.fields import Field, digits, lines_to, shown
from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.reading import Given, Reading
from f2csp.puzzles.files.text import HUGE, Text, number
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.puzzles.sudoku import Sudoku
from f2csp.text.terminals import parser

_NUMBERS = ("row", "column", "value")


def looks_like(text: Text) -> Likeness:
    """Whether there is a size, a number of clues, and a line with three numbers; or some of it."""
    lines = [line.words() for line in text.head().filled_lines[:4]]
    n_words = [len(words) for words in lines]
    are_numbers = all(number(word.text) is not None for words in lines for word in words)
    if are_numbers and n_words[:2] == [1, 1] and all(n == len(_NUMBERS) for n in n_words[2:]):
        return Likeness.SOUND
    holds_number = any(number(word.text) is not None for words in lines for word in words)
    return Likeness.FAINT if holds_number and _might_be_clues(n_words) else Likeness.NONE


def _might_be_clues(n_words: list[int]) -> bool:
    """Whether the lines have as many words as those of a clue file of which a line is wrong or missing."""
    return n_words[:1] == [1] or len(_NUMBERS) in n_words


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a clue file; all its faults are told."""
    reader = _Reader(reading, text.end)
    # Latin-1 makes a byte a character, so that lark's offsets are byte offsets; blanks stand for what is before.
    data = " " * text.start + text.data.decode("latin-1")
    parser("clues.lark", start="tolerant", transformer=lines_to(reader.take)).parse(data)
    return reader.finish()


def write(puzzle: Puzzle) -> str:
    """The size, the number of clues, and the clues in their order.

    Raises:
        Unsuitable: the boxes are not those that a reader would take.
    """
    if isinstance(puzzle, Sudoku):
        check_boxes(puzzle)
    clues = "".join(f"{row} {column} {value}\n" for row, column, value in puzzle.clues)
    return f"{puzzle.n_rows}\n{len(puzzle.clues)}\n{clues}"


class _Reader:
    """Goes from line to line, keeps the clues, and says what is wrong."""

    def __init__(self, reading: Reading, end: int) -> None:
        self._take_next = self._size_line
        self._reading = reading
        self._collector = reading.collector
        self._end = end
        self._size: int | None = None  # what the file says, also when there is no such board
        self._size_span = (0, 0)
        self._size_line_is_sound = True
        self._declared: Field | None = None
        self._clues: dict[tuple[int, int], Given] = {}
        self._n_found = 0
        self._n_sound = 0
        self._n_unsound = 0  # how many clues the faulty lines may have been meant to be

    def take(self, fields: list[Field]) -> None:
        """Take the next line."""
        self._take_next(fields)

    def finish(self) -> Puzzle | None:
        """Say what can be said at the end, and give the puzzle if there is one."""
        if self._take_next == self._size_line:
            hint = "begin with the size of the board, such as 9"
            self._collector.add("F604", self._end, self._end, "the file ends before the size of the board", hint=hint)
        elif self._take_next == self._count_line:
            hint = "write the number of clues on the line after the size; 0 if there are none"
            self._collector.add("F604", self._end, self._end, "the file ends before the number of clues", hint=hint)
        self._check_count()
        if self._size is None:
            return None
        return self._reading.square(
            self._size, [given for given in self._clues.values() if given.value], self._size_span
        )

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
            self._size, self._size_span = fields[0].number, (fields[0].start, fields[0].end)

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
        given = Given(row, column, value, fields[0].start, fields[-1].end)
        earlier = self._clues.get((row, column))
        if earlier is not None:
            marks = [(earlier.start, earlier.end, "given here first")]
            values = f", as {earlier.value} and as {value}" if earlier.value and value else ""
            message = f"the cell at {Cell(row, column)} is given twice{values}"
            self._add("F605", fields, message, label="given again", related=marks, hint="keep one of the two clues")
        elif len(self._clues) < MAX_SIZE**2:  # no board has more cells
            self._clues[row, column] = given

    def _is_in_range(self, number: int) -> bool:
        return 1 <= number <= min(self._size or HUGE, HUGE - 1)

    def _check_count(self) -> None:
        """Compare the declared number of clues with those found, unless faulty lines explain a difference."""
        if self._declared is None or self._declared.number is None:
            return
        if not self._n_sound <= self._declared.number <= self._n_sound + self._n_unsound:
            declared = digits(self._declared)
            message = f"declared {declared} {'clue' if declared == '1' else 'clues'}, found {self._n_found}"
            hint = "correct the number, or look for the clue that is missing or too much"
            self._add("F602", [self._declared], message, hint=hint)

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
