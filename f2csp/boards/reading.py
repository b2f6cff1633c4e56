"""What a format makes of the text of a puzzle, and of a file of puzzles."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from f2csp.diagnostics import Collector, Diagnostic, InvalidInput
from f2csp.file_formats import FormatInfo

if TYPE_CHECKING:
    from f2csp.boards.pieces import Text
    from f2csp.puzzles.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class Reading:
    """What a format made of a puzzle: the puzzle, or its faults."""

    puzzle: "Puzzle | None"
    diagnostics: tuple[Diagnostic, ...] = ()  # faults, or warnings
    n_hidden: int = 0  # the number of further diagnostics
    is_stopped: bool = False  # whether a fault ended the reading
    description: str = ""  # how it was read, where that is not plain from the name of the format

    def require(self) -> "Puzzle":
        """The puzzle; raises InvalidInput if it has faults."""
        if self.puzzle is None:
            raise InvalidInput(self.diagnostics, self.n_hidden)
        return self.puzzle


@dataclass(frozen=True, slots=True)
class PuzzleFile:
    """The puzzles of a file, in the format that it has; those that were read to find it are kept."""

    format: FormatInfo
    parts: "Sequence[Text]"
    options: Mapping[str, Any]
    known: Mapping[int, Reading]
    warnings: tuple[Diagnostic, ...] = ()  # if the file can be read in another way, too

    def __len__(self) -> int:
        return len(self.parts) or len(self.known)

    def read(self, index: int) -> Reading:
        """Read the puzzle number ``index``, from 1."""
        return self.known.get(index) or read_part(self.format, self.parts[index - 1], self.options)


def read_part(form: FormatInfo, text: "Text", options: Mapping[str, Any] | None = None) -> Reading:
    """Read one of the puzzles of a file."""
    from f2csp.boards.puzzle_builder import PuzzleBuilder, Unreadable

    builder = PuzzleBuilder(form.kind, Collector(text.source), options, form.hint)
    puzzle = None
    with suppress(Unreadable):
        puzzle = form.load().read(text, builder)
    found = builder.collector
    return Reading(puzzle, tuple(found.diagnostics()), found.n_hidden, builder.is_stopped, builder.reading)
