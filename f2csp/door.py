"""What a text is: its format is found by reading it."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from f2csp.diagnostics import Collector, Diagnostic, InvalidInput, Source
from f2csp.file_formats import F2CSP, PROBLEM_FORMATS, SECTION, FormatInfo, puzzle_formats
from f2csp.files import bare_name, check_encoding

if TYPE_CHECKING:
    from f2csp.boards.pieces import Text
    from f2csp.boards.puzzle_builder import Codec
    from f2csp.puzzles.puzzle import Puzzle

_SAVED_GAME = re.compile(rb"^(PARAMS|DESC) *:[0-9]+:([^\r\n]*)", re.MULTILINE)
_HEAD_BYTES = 1 << 14  # of a text that is read to find its format
_SIGNED_BYTES = 1 << 16  # that have the signature of a format of problems
_SHARED_ENDINGS = (".xml", ".json", ".csv", ".tsv", ".txt")  # they belong to no format alone
_MAX_SAMPLED = 8  # puzzles of a file with one to a line that are read to find its format
_NAMED_HINT = "the file names a kind of puzzle: name that kind, or the exact format of the board, with --from"
_MAX_LINES = 200  # that are compared with the lines of a format
_MIN_LINES = 0.5  # share of these that a faulty file of the format has, too
_MAX_DOUBTFUL = 2  # rank of a format that other texts have by chance
_MIN_LONG = 6  # size of a board whose cells on one line are nothing else, even if nearly all are blank
_MAX_BOARDS = 100  # of a file of squares, one after the other, in which solutions are looked for
_MAX_SURE = 3  # faults of such a file, if it is short
_MIN_SURE = 0.8  # share of the lines of a format above plain boards, which are then no board with remarks


# ---- What a text is --------------------------------------------------------------------------------------------------


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


def problem_format(source: Source) -> FormatInfo | None:
    """The format of a text that is a problem: F2CSP or a foreign format; None for that of a puzzle file.

    A text without the signature of a format that is read is in the format of its extension, with faults, or in one that
    is only written, or else a puzzle.
    """
    head = source.data[source.start : source.start + _SIGNED_BYTES]
    ending = PurePath(bare_name(source.name)).suffix
    ranked = sorted(PROBLEM_FORMATS, key=lambda form: -form.rank)
    read = [form for form in ranked if form.is_read]
    signed = (form for form in read if re.search(form.signature, head))
    sectioned = (form for form in read if form.name == F2CSP and re.search(SECTION, source.data))
    named = (form for form in read if ending in form.endings and ending not in _SHARED_ENDINGS)
    others = (form for form in ranked if not form.is_read and re.search(form.signature, head))
    return next(chain(signed, sectioned, named, others), None)


def puzzle_file(
    source: Source,
    formats: Sequence[FormatInfo],
    options: Mapping[str, Any] | None = None,
    index: int = 1,
    *,
    is_strict: bool = False,
) -> PuzzleFile:
    """The format of a puzzle file, one of these, found by reading its puzzle number ``index``.

    Formats are tried from the highest rank down. Of those that read the text without a fault, the first wins whose
    givens break no rule; where they make different puzzles of it, the text is refused. Else the faults are those of the
    format that explains most of the text. Without ``is_strict``, boards are also found beside remarks.

    Raises:
        InvalidInput: the format is unclear.
    """
    text, used = _text_of(source), options or {}
    ending = PurePath(bare_name(source.name)).suffix.lower()
    owners = {form.short_name for form in formats if ending in form.endings and ending not in _SHARED_ENDINGS}
    own = [form for form in formats if form.short_name in owners]
    is_open, formats = len(formats) > 1, own or formats
    if len(formats) == 1:
        (form,) = formats
        if is_open:
            from f2csp.boards.other_texts import refuse_variant

            refuse_variant(text, form.kind.capitalize())
        return _whole(PuzzleFile(form, (), used, {}), text)
    kinds = {form.kind for form in formats}
    if len(kinds) > 1:
        from f2csp.boards.other_texts import refuse_other_text

        refuse_other_text(text)
    head = text.first_bytes(_HEAD_BYTES)
    lines = [line for line in map(bytes.strip, head.data.split(b"\n")[:_MAX_LINES]) if line]
    names: set[str] = set()
    trials: list[_Trial] = []
    ranked = sorted(_able(formats, used), key=lambda form: -form.rank)
    for rank, group in groupby(ranked, key=lambda form: form.rank):
        of_kinds: Sequence[FormatInfo] = [*group]
        if rank == 1 and (names := _kinds_named(text)):
            named = names if len(kinds) > 1 else names & kinds  # also by formats that need the kind to be named
            needing = [form for name in sorted(named) for form in puzzle_formats(name) if form.needs_kind]
            of_kinds = [form for form in dict.fromkeys([*of_kinds, *needing]) if form.kind in named]
        of_rank = [
            _tried(form, text, head, used, index)._replace(share=share)
            for form in of_kinds
            if (share := _share_of_lines(form, head, lines)) >= _MIN_LINES
        ]
        if chosen := _chosen(text, of_rank, is_named=len(kinds) == 1):
            return chosen
        trials += of_rank
    faulty = [trial for trial in trials if trial.reading.puzzle is None and trial.reading.diagnostics]
    if len(kinds) > 1:
        faulty = [trial for trial in faulty if not trial.is_misfit]
    best = max(faulty, key=_merit, default=None)
    is_sure = best is not None and best.is_sure(len(lines))
    if not is_strict and not is_sure:
        plain_kinds = {form.kind for form in ranked}
        if boards := _boards(text, plain_kinds & names if names else plain_kinds, used):
            return boards
    if best is None or best.file.format.rank == 1:
        from f2csp.boards.other_texts import refuse_variant
        from f2csp.puzzles.puzzle import puzzle_kind

        refuse_variant(text, "puzzle of a known kind")
        if not all(puzzle_kind(name).has_plain_boards for name in names):
            message = f"the file names the kind {min(names)}, and is in none of its formats"
            raise InvalidInput(_fault("F613", text, message, _NAMED_HINT))
    if best is None:
        raise unknown_format(text)
    file = _whole(best.file, text)
    is_pair = file.format.rank == 1 and len(file.parts) == 2 and _codec(file.format).cut is not None
    return replace(file, parts=file.parts[:1]) if is_pair else file  # the second is no puzzle without the first


def unknown_format(text: "Text") -> InvalidInput:
    """The fault of a text that no format explains."""
    from f2csp.boards.puzzle_builder import UnknownFormat, unclear

    is_empty = not text.data.strip()
    message = "the file is empty" if is_empty else "the format of this puzzle file is unknown"
    hint = None if is_empty else "name it with --from; f2csp formats lists the formats"
    return UnknownFormat(unclear("F614", text, message, hint))


def read_part(form: FormatInfo, text: "Text", options: Mapping[str, Any] | None = None) -> Reading:
    """Read one of the puzzles of a file."""
    from f2csp.boards.puzzle_builder import PuzzleBuilder, Unreadable

    builder = PuzzleBuilder(form.kind, Collector(text.source), options)
    puzzle = None
    with suppress(Unreadable):
        puzzle = _codec(form).read(text, builder)
    found = builder.collector
    return Reading(puzzle, tuple(found.diagnostics()), found.n_hidden, builder.is_stopped, builder.reading)


def _codec(form: FormatInfo) -> "Codec":
    codec: Codec = form.load()
    return codec


def _text_of(source: Source) -> "Text":
    """The text of a file, or the identifier in a saved game of Simon Tatham's puzzles."""
    from f2csp.boards.pieces import Text

    collector = Collector(source)
    check_encoding(source, collector)
    collector.raise_if_errors()
    text = Text.whole(source)
    lines = dict(_SAVED_GAME.findall(text.data)) if text.data.startswith(b"SAVEFILE") else {}
    if not {b"PARAMS", b"DESC"} <= lines.keys():
        return text
    return Text.whole(Source(source.name, lines[b"PARAMS"] + b":" + lines[b"DESC"] + b"\n"))


def _kinds_named(text: "Text") -> set[str]:
    """The kinds that a text names; those whose boards alone do not show them before those whose boards do."""
    from f2csp.puzzles import KINDS
    from f2csp.puzzles.puzzle import puzzle_kind

    head = text.data[:_HEAD_BYTES].lower()
    records = {name: puzzle_kind(name) for name in KINDS}
    names = {name for name in KINDS if re.search(rb"(?<![a-z])(?:%b)(?![a-z])" % records[name].words.encode(), head)}
    return {name for name in names if not records[name].has_plain_boards} or names


def _able(formats: Sequence[FormatInfo], options: Mapping[str, Any]) -> Sequence[FormatInfo]:
    """The formats of the kinds that have these options; all if none has."""
    from f2csp.puzzles.puzzle import puzzle_class

    wanted = {name for name, value in options.items() if value is not None}
    able = [form for form in formats if wanted <= {option.name for option in puzzle_class(form.kind).OPTIONS}]
    return able or formats


def _share_of_lines(form: FormatInfo, head: "Text", lines: Sequence[bytes]) -> float:
    """The share of the first lines that can be lines of a format; 0 for a text without its signature."""
    matches = re.compile(form.line).fullmatch
    share = sum(matches(line) is not None for line in lines) / max(1, len(lines))
    return share if share >= _MIN_LINES and re.search(form.signature, head.data) else 0.0


def _tried(form: FormatInfo, text: "Text", head: "Text", options: Mapping[str, Any], index: int) -> "_Trial":
    """Read the puzzle of this number in a format, from the head of the text where that suffices."""
    codec = _codec(form)
    head = text if codec.is_document else head
    parts = codec.parts(head)
    if head != text and not 1 <= index <= len(parts):
        head, parts = text, codec.parts(text)
    if not 1 <= index <= len(parts):
        return _Trial(PuzzleFile(form, parts, options, {}), Reading(None))
    reading = first = read_part(form, parts[index - 1], options)
    if first.puzzle is not None and first.puzzle.n_rows < codec.min_size:
        reading = Reading(None)
    if codec.is_by_line and len(parts) > 1:
        sample = [read_part(form, part, options) for part in parts[:_MAX_SAMPLED]]
        if 2 * sum(other.puzzle is None for other in sample) > len(sample):  # some lines are puzzles by chance
            reading = replace(reading, puzzle=None, is_stopped=True)
    if head != text:
        return _Trial(PuzzleFile(form, (), options, {}), reading)
    return _Trial(PuzzleFile(form, parts, options, {index: first}), reading)


def _chosen(text: "Text", trials: "Sequence[_Trial]", *, is_named: bool) -> PuzzleFile | None:
    """The file in one of these formats, which have one rank, that reads it without a fault."""
    from f2csp.puzzles.puzzle import puzzle_class

    whole = [trial for trial in trials if trial.reading.puzzle is not None]
    whole = [trial for trial in whole if not trial.reading.diagnostics] or whole
    if whole and whole[0].file.format.rank <= _MAX_DOUBTFUL and not is_named:
        whole = _likely(text, whole)
    if not whole:
        return None
    file, reading = _whole(whole[0].file, text), whole[0].reading
    others = [trial.file.format for trial in whole if trial.reading.puzzle != reading.puzzle]
    if others and (is_named or not all(puzzle_class(other.kind).IS_GENERAL for other in others)):
        either = " or ".join(dict.fromkeys([file.format.name, *(other.name for other in others)]))
        message = f"the file can be read as {either}, which are different puzzles"
        raise InvalidInput(_fault("F614", text, message, f"name the format with --from {either}"))
    other = f" as {others[0].name}" if others else _other_boxes(file.format, trials)
    if file.format.rank <= _MAX_DOUBTFUL and not _codec(file.format).is_document:
        from f2csp.boards.other_texts import refuse_variant

        refuse_variant(text, reading.require().NAME)
    if file.format.rank == 1:
        if counted_from_zero := _counted_from_zero(text, reading.require(), file.options):
            return counted_from_zero
        file = _without_solutions(file, text)
    if not other or file.options.get("box"):
        return file
    message = f"the file was read as {file.format.name}, and can also be read{other}"
    warnings = _fault("F617", text, message, f"name the format with --from {file.format.name}")
    return replace(file, warnings=warnings)


def _whole(file: PuzzleFile, text: "Text") -> PuzzleFile:
    """The file with all its puzzles, if only its head was tried."""
    return file if file.parts else replace(file, parts=_codec(file.format).parts(text))


class _Trial(NamedTuple):
    """What a format made of a text."""

    file: PuzzleFile
    reading: Reading
    share: float = 0.0  # of the first lines that can be lines of the format

    @property
    def is_misfit(self) -> bool:
        """Whether the faults are those that any other text has in this format."""
        form = self.file.format
        return self.reading.is_stopped and not form.signature and (form.rank > 1 or _codec(form).is_by_line)

    def is_sure(self, n_lines: int) -> bool:
        """Whether a faulty text is one of the format, and no board with remarks."""
        n_faults = len(self.reading.diagnostics)
        has_lines = self.share >= _MIN_SURE and n_faults <= max(_MAX_SURE, n_lines // 4)
        return self.file.format.rank > 1 and has_lines and not self.reading.is_stopped


def _merit(trial: _Trial) -> tuple[float, bool, int, int]:
    """How well a format fits a text that no format reads without faults."""
    reading = trial.reading
    n_faults = len(reading.diagnostics) + reading.n_hidden
    return round(trial.share, 1), not reading.is_stopped, -n_faults, trial.file.format.rank


def _likely(text: "Text", trials: Sequence[_Trial]) -> list[_Trial]:
    """The readings that are puzzles rather than other matrices; raises InvalidInput if there is none."""
    from f2csp.boards.drawn_puzzles import is_likely

    def is_kept(trial: _Trial) -> bool:
        puzzle, n_conflicts = trial.reading.require(), len(trial.reading.diagnostics) + trial.reading.n_hidden
        form = trial.file.format
        if puzzle.layout().signs or puzzle.layout().cages:
            return True
        is_sparse = form.rank > 1 or (_codec(form).is_by_line and (puzzle.n_rows >= _MIN_LONG or not puzzle.clues))
        return is_likely(puzzle, n_conflicts, may_be_sparse=is_sparse)

    kept = [trial for trial in trials if is_kept(trial)]
    if kept:
        return kept
    form, puzzle = trials[0].file.format, trials[0].reading.require()
    if len(puzzle.clues) == puzzle.n_rows * puzzle.n_columns:
        message = f"expected a {puzzle.NAME}, found a full board that breaks its rules"
        hint = f"it can be another puzzle or a map of regions; --from {form.name} reads it"
        raise InvalidInput(_fault("F613", text, message, hint))
    message = f"the file looks like a {puzzle.n_rows}x{puzzle.n_columns} matrix, which may be no puzzle"
    raise InvalidInput(_fault("F614", text, message, f"if it is a {puzzle.NAME}, --from {form.name} reads it"))


def _counted_from_zero(text: "Text", puzzle: "Puzzle", options: Mapping[str, Any]) -> PuzzleFile | None:
    """The board with 0 as its lowest value, if another sign is for blanks and its highest value is not there."""
    has_two_blanks = b"0" in text.data and any(sign in text.data for sign in (b".", b"_", b"*", b"-"))
    if not has_two_blanks or puzzle.values[0] == 0 or puzzle.n_rows in {clue.value for clue in puzzle.clues}:
        return None
    with suppress(InvalidInput):
        return _boards(text, {puzzle.KIND}, options)
    return None


def _other_boxes(form: FormatInfo, trials: Sequence[_Trial]) -> str:
    """How a text without boxes is a Sudoku, if that lacks nothing but the boxes."""
    for trial in trials:
        faults = trial.reading.diagnostics
        if trial.file.format.codec == form.codec and [fault.code for fault in faults] == ["F601"] and faults[0].hint:
            return f" as a {trial.file.format.kind.capitalize()} with {faults[0].hint.partition(': ')[2]}"
    return ""


def _without_solutions(file: PuzzleFile, text: "Text") -> PuzzleFile:
    """The file without boards that complete the one before.

    Raises InvalidInput if there is more in the text than boards and remarks, or a board that is none of the puzzle.
    """
    n_parts = len(file.parts)
    if _codec(file.format).cut is None or not 1 < n_parts <= _MAX_BOARDS:
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
        raise InvalidInput(_fault("F613", odd[0], "expected boards alone, found text that says more of them", hint))
    kept = [
        i
        for i, (before, reading) in enumerate(zip([readings[0], *readings], readings, strict=False))
        if not (before.puzzle and reading.puzzle and is_solution(reading.puzzle, before.puzzle))
    ]
    known = {number: readings[i] for number, i in enumerate(kept, 1)}
    return replace(file, parts=[file.parts[i] for i in kept], known=known)


def _boards(text: "Text", kinds: set[str], options: Mapping[str, Any]) -> PuzzleFile | None:
    """The boards that stand between remarks, as a file; None if there are none."""
    from f2csp.boards.boards_in_text import boards_in_text

    found = boards_in_text(text, kinds, options)
    if not found:
        return None
    form = FormatInfo(f"{found[0].puzzle.KIND}:board", "", "a board in any text", 0)
    known = {i: Reading(board.puzzle, description=board.reading) for i, board in enumerate(found, 1)}
    return PuzzleFile(form, (), options, known, found[0].warnings)


def _fault(code: str, text: "Text", message: str, hint: str) -> tuple[Diagnostic, ...]:
    from f2csp.boards.puzzle_builder import unclear

    return unclear(code, text, message, hint)
