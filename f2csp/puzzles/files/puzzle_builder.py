"""What all formats of puzzle files share: a likeness, the faults of a puzzle, and the puzzle built from its givens."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, NoReturn, TypeVar

from f2csp.diagnostics import Collector, Diagnostic, InvalidInput, Mark, ProblemError, Unsuitable
from f2csp.puzzles.files.page import Piece, Span, Text, number, span_of
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle

P = TypeVar("P", bound=Puzzle)

_MAX_SHOWN = 30  # characters of the text that a message repeats

_SIZE_HINT = "begin with the size of the board, such as 9, on a line of its own"


class Likeness(IntEnum):
    """How much a text looks like a format."""

    NONE = 0
    FAINT = 1  # it might be a faulty one
    SOUND = 2
    CERTAIN = 3  # it can be nothing else


@dataclass(frozen=True, slots=True)
class Codec:
    """The functions of a format."""

    looks_like: Callable[[Text], Likeness]  # quick: it looks at the first lines, and may take another format for this
    read: Callable[[Text, "PuzzleBuilder"], Puzzle]  # reports all faults; raises Unreadable if there are any
    write: Callable[[Any], str]  # raises Unsuitable if the format cannot express the puzzle
    parts: Callable[[Text], Sequence[Text]] | None = None  # at least one; None if a file has a single puzzle
    frame: tuple[int, int] = (0, 0)  # the numbers of lines that are written before and after the puzzles
    between: str = ""  # what is written between two puzzles
    is_by_line: bool = False  # whether each puzzle is a line, below the lines of the frame


class Unreadable(Exception):
    """There is no puzzle; all faults are reported."""


class UnknownFormat(InvalidInput):
    """No format looks like a text."""


def unclear(code: str, text: Text, message: str, hint: str | None = None) -> tuple[Diagnostic, ...]:
    """The fault or warning of a whole text, at its first line."""
    collector = Collector(text.source)
    first = text.head().filled_lines[:1]
    collector.add(code, *(first[0].span if first else (text.start, text.start)), message, hint=hint)
    return tuple(collector.diagnostics())


class Given(NamedTuple):
    """A value of a cell and its place in the file; not yet known to fit the board."""

    row: int
    column: int
    value: int
    span: Span


Givens = Iterable[Given]
Make = Callable[[tuple[Clue, ...]], P]


class PuzzleBuilder:
    """Collects the faults of a puzzle, and builds the puzzle if there are none."""

    def __init__(
        self, kind: str, collector: Collector, options: Mapping[str, Any] | None = None, *, stops: bool = False
    ) -> None:
        self.kind, self.collector, self._stops = kind, collector, stops  # at the first fault
        self.options = options or {}  # of the puzzle, not in its file, such as ``box``

    def fault(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        label: str = "",
        related: Sequence[Mark] = (),
        hint: str | None = None,
    ) -> None:
        """Report a fault, or a warning, as its code says."""
        self.collector.add(code, *span, message, label=label, related=related, hint=hint)
        if self._stops and not self.is_sound:
            raise Unreadable

    def stop(self, code: str, span: Span, message: str, hint: str | None = None) -> NoReturn:
        """Report a fault after which no more of the puzzle can be read."""
        self.fault(code, span, message, hint=hint)
        raise Unreadable

    @property
    def is_sound(self) -> bool:
        """Whether there is no fault so far."""
        return not self.collector.n_errors

    def check_size(self, span: Span, limit: int, *sizes: int) -> None:
        """Stop if no board has these sizes, whose place is ``span``."""
        if not all(1 <= size <= limit for size in sizes):
            text = self.shown(*span)
            found = text if text.isdigit() else "x".join([f"{size:,}" for size in dict.fromkeys(sizes)])
            self.stop("F601", span, f"expected a size from 1 to {limit}, found {found}")

    def sizes(
        self, lines: Sequence[Piece], end: int, limit: int, n: int = 1, hint: str = _SIZE_HINT
    ) -> tuple[list[int], Span]:
        """The ``n`` numbers that are the size of the board, alone on the first line, and their place."""
        words = lines[0].words() if lines else []
        what = "the size of the board" if n == 1 else "the numbers of rows and columns"
        if len(words) < n:
            self.stop("F604", lines[0].span if lines else (end, end), f"expected {what}", hint)
        sizes = [size for word in words[:n] if (size := number(word.text)) is not None]
        for word in words[:n]:
            if number(word.text) is None:
                self.stop("F607", word.span, f"expected {what}, found '{word.text}'", hint)
        if words[n:]:
            self.fault("F606", span_of(words[n:]), f"unexpected text after {what}", hint=hint)
        span = span_of(words[:n])
        self.check_size(span, limit, *sizes)
        return sizes, span

    def size_line(self, lines: Sequence[Piece], end: int, limit: int, hint: str = _SIZE_HINT) -> tuple[int, Span]:
        """The size of the board alone on the first line, and its place."""
        (size,), span = self.sizes(lines, end, limit, hint=hint)
        return size, span

    def _clues(self, givens: Givens, shape: tuple[int, int], values: range, first: int) -> dict[Clue, Span]:
        clues: dict[Clue, Span] = {}
        expected = f"expected a value from {first} to {first + len(values) - 1}"
        for row, column, value, span in givens:
            if value in values:
                clues[Clue(row, column, value)] = span
            else:
                found = f"found {self.shown(*span)} at {Cell(row, column)} of a {shape[0]}x{shape[1]} board"
                self.fault("F603", span, f"{expected}, {found}")
        return clues

    def build(
        self, make: Make[P], givens: Givens, shape: Span, values: range, first: int | None = None, span: Span = (0, 0)
    ) -> P:
        """The puzzle that ``make`` gives for the clues, if there is no fault.

        No cell is given twice; ``first`` is how the file writes the lowest value. A given out of range is a fault, and
        what else the puzzle refuses is one at ``span``. Givens that break the rules are a warning.
        """
        clues = self._clues(givens, shape, values, values[0] if first is None else first)
        if not self.is_sound:
            raise Unreadable
        try:
            puzzle = make(tuple(clues))
        except ProblemError as error:
            self.stop("F615", span, str(error))
        for (*earlier, last), message in puzzle.conflicts():
            marks = [(*clues[clue], f"{clue.value} is given here") for clue in earlier]
            hint = "correct one of them; the puzzle has no solution otherwise"
            self.fault("F608", clues[last], message, label="and this", related=marks, hint=hint)
        return puzzle

    def shown(self, start: int, end: int) -> str:
        """The text of a place, as a message repeats it."""
        data = self.collector.source.data[start : min(end, start + 4 * _MAX_SHOWN)]
        return shortened(data.decode("utf-8", "replace"))


def shortened(text: str) -> str:
    """A text as a message repeats it."""
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


def of_kind(puzzle: Puzzle, kind: type[P], *others: type[Puzzle]) -> P:
    """The puzzle, which must be of this very kind, or of one of the others; a Futoshiki is more than a Latin square."""
    if not isinstance(puzzle, kind) or type(puzzle) not in (kind, *others):
        raise Unsuitable(f"the format is for the kind {kind.KIND}, and the puzzle is a {puzzle.title}")
    return puzzle


def text_of(lines: Iterable[str]) -> str:
    """The lines as a text, each with its end."""
    return "".join([f"{line}\n" for line in lines])
