"""The formats of puzzle files that are tried on a text, and the reading that wins."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from f2csp.boards.pieces import Text
from f2csp.boards.puzzle_builder import unclear
from f2csp.boards.reading import PuzzleFile, Reading, read_part
from f2csp.diagnostics import InvalidInput
from f2csp.file_formats import FormatInfo
from f2csp.puzzles.puzzle import Puzzle, puzzle_class

_MAX_SAMPLED = 8  # puzzles of a file with one to a line that are read to find its format
_MIN_LINES = 0.5  # share of the first lines that a faulty file of the format has, too
_MAX_DOUBTFUL = 2  # rank of a format that other texts have by chance
_MIN_LONG = 6  # size of a board whose cells on one line are nothing else, even if nearly all are blank
_MAX_BOARDS = 100  # of a file of squares, one after the other, in which solutions are looked for
_MAX_SURE = 3  # faults of such a file, if it is short
_MIN_SURE = 0.8  # share of the lines of a format above plain boards, which are then no board with remarks


class Trial(NamedTuple):
    """What a format made of a text."""

    file: PuzzleFile
    reading: Reading
    share: float  # of the first lines that can be lines of the format

    @property
    def is_misfit(self) -> bool:
        """Whether the faults are those that any other text has in this format."""
        form = self.file.format
        return self.reading.is_stopped and not form.signature and (form.rank > 1 or form.load().is_by_line)

    @property
    def merit(self) -> tuple[float, bool, int, int]:
        """How well the format fits a text that no format reads without faults."""
        n_faults = len(self.reading.diagnostics) + self.reading.n_hidden
        return round(self.share, 1), not self.reading.is_stopped, -n_faults, self.file.format.rank

    def is_sure(self, n_lines: int) -> bool:
        """Whether a faulty text is one of the format, and no board with remarks."""
        has_lines = self.share >= _MIN_SURE and len(self.reading.diagnostics) <= max(_MAX_SURE, n_lines // 4)
        return self.file.format.rank > 1 and has_lines and not self.reading.is_stopped


def tried(
    form: FormatInfo, text: Text, head: Text, lines: Sequence[bytes], options: Mapping[str, Any], index: int
) -> Trial | None:
    """Read the puzzle of this number in a format, from the head of the text where that suffices.

    None if the head has not the signature of the format, or too few of its lines can be those of the format.
    """
    matches = re.compile(form.line).fullmatch
    share = sum(matches(line) is not None for line in lines) / max(1, len(lines))
    if share < _MIN_LINES or not re.search(form.signature, head.data):
        return None
    codec = form.load()
    head = text if codec.is_document else head
    parts = codec.parts(head)
    if head != text and not 1 <= index <= len(parts):
        head, parts = text, codec.parts(text)
    if not 1 <= index <= len(parts):
        return Trial(PuzzleFile(form, parts, options, {}), Reading(None), share)
    reading = first = read_part(form, parts[index - 1], options)
    if first.puzzle is not None and first.puzzle.n_rows < codec.min_size:
        reading = Reading(None)
    if codec.is_by_line and len(parts) > 1:
        sample = [read_part(form, part, options) for part in parts[:_MAX_SAMPLED]]
        if 2 * sum(other.puzzle is None for other in sample) > len(sample):  # some lines are puzzles by chance
            reading = replace(reading, puzzle=None, is_stopped=True)
    file = PuzzleFile(form, (), options, {}) if head != text else PuzzleFile(form, parts, options, {index: first})
    return Trial(file, reading, share)


def chosen(text: Text, trials: Sequence[Trial], *, is_named: bool) -> PuzzleFile | None:
    """The file in one of these formats, which have one rank, that reads it without a fault."""
    whole = [trial for trial in trials if trial.reading.puzzle is not None]
    whole = [trial for trial in whole if not trial.reading.diagnostics] or whole
    if whole and whole[0].file.format.rank <= _MAX_DOUBTFUL and not is_named:
        whole = _likely(text, whole)
    if not whole:
        return None
    file, reading = whole_file(whole[0].file, text), whole[0].reading
    others = [trial.file.format for trial in whole if trial.reading.puzzle != reading.puzzle]
    if others and (is_named or not all(puzzle_class(other.kind).IS_GENERAL for other in others)):
        either = " or ".join(dict.fromkeys([file.format.name, *(other.name for other in others)]))
        message = f"the file can be read as {either}, which are different puzzles"
        raise InvalidInput(unclear("F614", text, message, f"name the format with --from {either}"))
    other = f" as {others[0].name}" if others else _other_boxes(file.format, trials)
    if file.format.rank <= _MAX_DOUBTFUL and not file.format.load().is_document:
        from f2csp.boards.other_texts import refuse_variant

        refuse_variant(text, reading.require().NAME)
    if file.format.rank == 1:
        if counted_from_zero := _counted_from_zero(text, reading.require(), file.options):
            return counted_from_zero
        file = _without_solutions(file, text)
    if not other or file.options.get("box"):
        return file
    message = f"the file was read as {file.format.name}, and can also be read{other}"
    warnings = unclear("F617", text, message, f"name the format with --from {file.format.name}")
    return replace(file, warnings=warnings)


def whole_file(file: PuzzleFile, text: Text) -> PuzzleFile:
    """The file with all its puzzles, if only its head was tried."""
    return file if file.parts else replace(file, parts=file.format.load().parts(text))


def _likely(text: Text, trials: Sequence[Trial]) -> list[Trial]:
    """The readings that are puzzles rather than other matrices; raises InvalidInput if there is none."""
    from f2csp.boards.drawn_puzzles import is_likely

    def is_kept(trial: Trial) -> bool:
        puzzle, n_conflicts = trial.reading.require(), len(trial.reading.diagnostics) + trial.reading.n_hidden
        form = trial.file.format
        if puzzle.layout().signs or puzzle.layout().cages:
            return True
        is_on_a_line = form.load().is_by_line or len(text.data.split()) == 2  # below its size
        is_sparse = form.rank > 1 or (is_on_a_line and (puzzle.n_rows >= _MIN_LONG or not puzzle.clues))
        return is_likely(puzzle, n_conflicts, may_be_sparse=is_sparse)

    kept = [trial for trial in trials if is_kept(trial)]
    if kept:
        return kept
    form, puzzle = trials[0].file.format, trials[0].reading.require()
    if len(puzzle.clues) == puzzle.n_rows * puzzle.n_columns:
        message = f"expected a {puzzle.NAME}, found a full board that breaks its rules"
        hint = f"it can be another puzzle or a map of regions; --from {form.name} reads it"
        raise InvalidInput(unclear("F613", text, message, hint))
    message = f"the file looks like a {puzzle.n_rows}x{puzzle.n_columns} matrix, which may be no puzzle"
    raise InvalidInput(unclear("F614", text, message, f"if it is a {puzzle.NAME}, --from {form.name} reads it"))


def _counted_from_zero(text: Text, puzzle: Puzzle, options: Mapping[str, Any]) -> PuzzleFile | None:
    """The board with 0 as its lowest value, if another sign is for blanks and its highest value is not there."""
    has_two_blanks = b"0" in text.data and any(sign in text.data for sign in (b".", b"_", b"*", b"-"))
    if not has_two_blanks or puzzle.values[0] == 0 or puzzle.n_rows in {clue.value for clue in puzzle.clues}:
        return None
    from f2csp.boards.boards_in_text import boards_file

    with suppress(InvalidInput):
        return boards_file(text, {puzzle.KIND}, options)
    return None


def _other_boxes(form: FormatInfo, trials: Sequence[Trial]) -> str:
    """How a text without boxes is a Sudoku, if that lacks nothing but the boxes."""
    for trial in trials:
        faults = trial.reading.diagnostics
        if trial.file.format.codec == form.codec and [fault.code for fault in faults] == ["F601"] and faults[0].hint:
            return f" as a {trial.file.format.kind.capitalize()} with {faults[0].hint.partition(': ')[2]}"
    return ""


def _without_solutions(file: PuzzleFile, text: Text) -> PuzzleFile:
    """The file without boards that complete the one before.

    Raises InvalidInput if there is more in the text than boards and remarks, or a board that is none of the puzzle.
    """
    n_parts = len(file.parts)
    if file.format.load().cut is None or not 1 < n_parts <= _MAX_BOARDS:
        return file
    from f2csp.boards.boards_in_text import are_remarks
    from f2csp.boards.drawn_puzzles import is_likely, is_solution

    def is_odd(reading: Reading) -> bool:
        if reading.puzzle is None:
            return n_parts == 2  # rather something else than a faulty board of several
        return bool(reading.diagnostics) and not is_likely(reading.puzzle, len(reading.diagnostics))

    readings = [file.read(index) for index in range(1, n_parts + 1)]
    ends = [(text.start, text.start), *((part.start, part.end) for part in file.parts), (text.end, text.end)]
    between = [text.part(end, start) for (_, end), (start, _) in pairwise(ends)]
    odd = [part for part in between if not are_remarks(part)]
    odd += [part for part, reading in zip(file.parts, readings, strict=True) if is_odd(reading)]
    if odd:
        hint = f"it can be a map of regions or a list of cages; --from {file.format.name} reads the boards alone"
        raise InvalidInput(unclear("F613", odd[0], "expected boards alone, found text that says more of them", hint))
    puzzles = [reading.puzzle for reading in readings]
    pairs = enumerate(zip([None, *puzzles], puzzles, strict=False))
    kept = [i for i, (before, puzzle) in pairs if not (before and puzzle and is_solution(puzzle, before))]
    known = {number: readings[i] for number, i in enumerate(kept, 1)}
    return replace(file, parts=[file.parts[i] for i in kept], known=known)
