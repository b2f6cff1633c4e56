"""What a file is: the format of a text, which is found by reading it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from f2csp.diagnostics import InvalidInput, Source
from f2csp.file_formats import F2CSP, PROBLEM_FORMATS, SECTION, FormatInfo, puzzle_formats
from f2csp.files import bare_name, checked

if TYPE_CHECKING:
    from f2csp.boards.pieces import Text
    from f2csp.boards.reading import PuzzleFile

_SAVED_GAME = re.compile(rb"^(PARAMS|DESC) *:[0-9]+:([^\r\n]*)", re.MULTILINE)
_HEAD_BYTES = 1 << 14  # of a text that is read to find its format
_SIGNED_BYTES = 1 << 16  # that have the signature of a format of problems
_SHARED_ENDINGS = (".xml", ".json", ".csv", ".tsv", ".txt", ".adk")  # they belong to no format alone
_NAMED_HINT = "the file names a kind of puzzle: name that kind, or the exact format of the board, with --from"
_MAX_LINES = 200  # that are compared with the lines of a format


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
    named = (form for form in read if ending in form.endings and ending not in _SHARED_ENDINGS and head[:2] != b"//")
    others = (form for form in ranked if not form.is_read and re.search(form.signature, head))
    return next(chain(signed, sectioned, named, others), None)


def puzzle_file(
    source: Source,
    formats: Sequence[FormatInfo],
    options: Mapping[str, Any] | None = None,
    index: int = 1,
    *,
    is_strict: bool = False,
) -> "PuzzleFile":
    """The format of a puzzle file, one of these, found by reading its puzzle number ``index``.

    Formats are tried from the highest rank down. Of those that read the text without a fault, the first wins whose
    givens break no rule; where they make different puzzles of it, the text is refused. Else the faults are those of the
    format that explains most of the text. Without ``is_strict``, boards are also found beside remarks.

    Raises:
        InvalidInput: the format is unclear.
    """
    from f2csp.boards.other_texts import refuse_other_text, refuse_variant
    from f2csp.boards.puzzle_builder import unclear
    from f2csp.boards.reading import PuzzleFile
    from f2csp.boards.trials import Trial, chosen, tried, whole_file
    from f2csp.puzzles.puzzle import puzzle_kind

    text, used = _text_of(source), options or {}
    ending = PurePath(bare_name(source.name)).suffix.lower()
    owners = {form.short_name for form in formats if ending in form.endings and ending not in _SHARED_ENDINGS}
    own = [form for form in formats if form.short_name in owners]
    is_open, formats = len(formats) > 1, own or formats
    if len(formats) == 1:
        (form,) = formats
        if is_open:
            refuse_variant(text, form.kind.capitalize())
        return whole_file(PuzzleFile(form, (), used, {}), text)
    kinds = {form.kind for form in formats}
    if len(kinds) > 1:
        refuse_other_text(text)
    head = text.first_bytes(_HEAD_BYTES)
    lines = [line for line in map(bytes.strip, head.data.split(b"\n")[:_MAX_LINES]) if line]
    names: set[str] = set()
    trials: list[Trial] = []
    ranked = sorted(_able(formats, used), key=lambda form: -form.rank)
    for rank, group in groupby(ranked, key=lambda form: form.rank):
        of_kinds: Sequence[FormatInfo] = [*group]
        if rank == 1 and (names := _kinds_named(text)):
            named = names if len(kinds) > 1 else names & kinds  # also by formats that need the kind to be named
            needing = [form for name in sorted(named) for form in puzzle_formats(name) if form.needs_kind]
            of_kinds = [form for form in dict.fromkeys([*of_kinds, *needing]) if form.kind in named]
        of_rank = [trial for form in of_kinds if (trial := tried(form, text, head, lines, used, index))]
        if file := chosen(text, of_rank, is_named=len(kinds) == 1):
            return file
        trials += of_rank
    faulty = [trial for trial in trials if trial.reading.puzzle is None and trial.reading.diagnostics]
    if len(kinds) > 1:
        faulty = [trial for trial in faulty if not trial.is_misfit and trial.file.format.kind in (names or kinds)]
    best = max(faulty, key=lambda trial: trial.merit, default=None)
    if best is not None and head != text:  # which may be a board that is cut
        whole = tried(best.file.format, text, text, lines, used, index)
        if whole and (file := chosen(text, [whole], is_named=len(kinds) == 1)):
            return file
    is_sure = best is not None and best.is_sure(len(lines))
    if not is_strict and not is_sure:
        from f2csp.boards.boards_in_text import boards_file

        plain_kinds = {form.kind for form in ranked}
        if boards := boards_file(text, plain_kinds & names if names else plain_kinds, used):
            return boards
    if best is None or best.file.format.rank == 1:
        refuse_variant(text, "puzzle of a known kind")
        if not all(puzzle_kind(name).has_plain_boards for name in names):
            message = f"the file names the kind {min(names)}, and is in none of its formats"
            raise InvalidInput(unclear("F613", text, message, _NAMED_HINT))
    if best is None:
        raise unknown_format(text)
    file = whole_file(best.file, text)
    is_pair = file.format.rank == 1 and len(file.parts) == 2 and file.format.load().cut is not None
    return replace(file, parts=file.parts[:1]) if is_pair else file  # the second is no puzzle without the first


def unknown_format(text: "Text") -> InvalidInput:
    """The fault of a text that no format explains."""
    from f2csp.boards.puzzle_builder import unclear

    is_empty = not text.data.strip()
    message = "the file is empty" if is_empty else "the format of this puzzle file is unknown"
    hint = None if is_empty else "name it with --from; f2csp formats lists the formats"
    return InvalidInput(unclear("F614", text, message, hint))


def _text_of(source: Source) -> "Text":
    """The text of a file, or the identifier in a saved game of Simon Tatham's puzzles."""
    from f2csp.boards.pieces import Text

    checked(source)
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
