"""What a file is: the formats, and the one of a text, which is found by reading it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from f2csp.boards.reading import PuzzleFile as PuzzleFile
from f2csp.boards.reading import Reading as Reading
from f2csp.boards.reading import codec_of
from f2csp.boards.reading import read_part as read_part
from f2csp.diagnostics import Collector, F2cspError, InvalidInput, Source, near_word_hint
from f2csp.file_formats import AUTO, F2CSP, FormatInfo, paragraphs
from f2csp.files import bare_name, check_encoding

if TYPE_CHECKING:
    from f2csp.boards.pieces import Text
    from f2csp.puzzles.puzzle import PuzzleKind

SECTION = re.compile(rb"^[ \t]*(?:domains|variables|constraints)[ \t]*:", re.IGNORECASE | re.MULTILINE)
"""A line of F2CSP that opens a section."""

_XML = re.compile(rb"\s*+<")
_SAVED_GAME = re.compile(rb"^(PARAMS|DESC) *:[0-9]+:([^\r\n]*)", re.MULTILINE)
_HEAD_BYTES = 1 << 14  # of a text that is read to find its format
_SHARED_ENDINGS = (".xml", ".json", ".csv", ".tsv", ".txt")  # they belong to no format alone
_NAMED_HINT = "the file names a kind of puzzle: name that kind, or the exact format of the board, with --from"
_MAX_LINES = 200  # that are compared with the lines of a format


# ---- The registry ----------------------------------------------------------------------------------------------------


def formats() -> tuple[FormatInfo, ...]:
    """All formats that are read or written.

    Example:
        >>> [form.name for form in formats() if ".xml" in form.endings]
        ['xcsp3']
    """
    from f2csp.formats.foreign import FOREIGN_FORMATS

    foreign = (
        FormatInfo(
            form.name,
            form.module or form.name,
            form.title,
            endings=form.endings,
            is_read=bool(form.imports),
            is_written=bool(form.exports),
        )
        for form in FOREIGN_FORMATS
    )
    tables = FormatInfo(F2CSP, "text", "tables, the format of this program", endings=(".csp",))
    return (tables, *foreign, *puzzle_formats())


@lru_cache
def puzzle_formats(kind: str | None = None) -> tuple[FormatInfo, ...]:
    """The formats of puzzle files, perhaps of one kind; those of kinds to which others add rules are last."""
    from f2csp.puzzles.puzzle import KINDS, puzzle_kind

    kinds = [puzzle_kind(name) for name in KINDS if kind in (None, name)]
    kinds.sort(key=lambda record: record.puzzle.IS_GENERAL)
    return tuple(_format(record, name) for record in kinds for name in record.formats.split())


def _format(kind: "PuzzleKind", short_name: str) -> FormatInfo:
    name, table = f"{kind.puzzle.KIND}:{short_name}", _table()
    fields = table.get(name) or table[short_name]
    rank = int(fields.get("rank", 3))
    return FormatInfo(
        name,
        fields["codec"],
        fields["summary"],
        rank,
        fields.get("line", ".*").encode(),
        tuple(fields.get("endings", "").split()),
        fields.get("signature", "").encode(),
        needs_kind=rank == 1 and not kind.has_plain_boards,
        is_written="unwritten" not in fields,
    )


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = {}
    for name, *lines in paragraphs(Path(__file__).with_name("boards").joinpath("formats.txt")):
        fields = dict(line.strip().partition(" ")[::2] for line in lines)
        table[name] = table.get(fields.pop("like", ""), {}) | fields
    return table


@lru_cache
def ending_of(form: str) -> str:
    """The usual ending of the names of files in a format.

    Example:
        >>> ending_of("f2csp"), ending_of("sudoku:grid")
        ('.csp', '.sdk')
    """
    return next((known.endings[0] for known in formats() if known.name == form and known.endings), ".txt")


def format_by_extension(file: str) -> str | None:
    """The name of the format of the files with the extension of this one; that of a compression is ignored.

    Example:
        >>> format_by_extension("puzzle.cnf.gz")
        'dimacs'
    """
    name = bare_name(file)
    if name.endswith(".csp"):
        return F2CSP
    return next((form.name for form in formats() if form.endings and name.endswith(form.endings)), None)


def format_name(form: str, kind: str | None = None) -> str:
    """The name of a format as this package spells it, for a name in any letter case or an alias.

    It is ``auto``, ``f2csp``, a foreign format, or KIND:FORMAT, KIND or FORMAT of puzzle files; with a kind of puzzle,
    only the latter. Raises F2cspError if there is no such format.
    """
    name = form.casefold()
    if name == AUTO or (kind is None and name in (F2CSP, "csp")):
        return AUTO if name == AUTO else F2CSP
    aliases = {} if kind else foreign_names()
    if name in aliases:
        return aliases[name]
    from difflib import get_close_matches

    names = {word for known in puzzle_formats() for word in (known.name, known.kind, known.short_name)} | {AUTO}
    if name in names:
        return name
    near = get_close_matches(name, [*names, *aliases, F2CSP], n=1)
    guess = f"; did you mean {near[0]}?" if near else ""
    raise F2cspError(f"there is no format {form!r}{guess} (f2csp formats lists all)")


def foreign_names() -> dict[str, str]:
    """The names of foreign formats, by these and their aliases."""
    from f2csp.formats.foreign import FOREIGN_FORMATS

    return {alias: form.name for form in FOREIGN_FORMATS for alias in form.names}


def named_formats(name: str, kind: str | None = None) -> list[FormatInfo]:
    """The formats, perhaps of one kind only, that a name means: ``KIND:FORMAT``, ``KIND``, ``FORMAT`` or ``auto``."""
    from f2csp.puzzles.puzzle import KINDS

    full_name = f"{name.lower()}:{AUTO}" if name.lower() in KINDS else name.lower()
    wanted_kind, _, wanted_name = full_name.rpartition(":")
    of_kind = puzzle_formats(kind)
    found = [form for form in of_kind if wanted_kind in ("", form.kind) and wanted_name in (AUTO, form.short_name)]
    if kind is None and not wanted_kind:
        found = [form for form in found if not form.needs_kind]
    if not found:
        names = [form.name if kind is None else form.short_name for form in of_kind]
        all_names = {word for form in puzzle_formats() for word in (form.name, form.kind, form.short_name)}
        is_other = name.lower() in all_names
        reason = f"{name} is not a format of the kind {kind}" if is_other else f"there is no puzzle format {name!r}"
        near = near_word_hint(name, [*names, *all_names]) if not is_other else None
        raise F2cspError(f"{reason}; {near or 'the formats are ' + ', '.join(names)}")
    return found


# ---- What a text is --------------------------------------------------------------------------------------------------


def problem_format(source: Source) -> str | None:
    """The format of a text: F2CSP or a foreign format; None for that of a puzzle file.

    A text that nothing recognises is in the format of its extension, with faults, or else a puzzle.
    """
    has_section = SECTION.search(source.data) is not None
    if has_section and not _XML.match(source.data, source.start):
        return F2CSP
    from f2csp.formats.foreign import FOREIGN_FORMATS, recognised

    foreign = recognised(source)
    if foreign is not None:
        return foreign.name
    if has_section:
        return F2CSP
    named = {ending: form.name for form in FOREIGN_FORMATS if form.imports for ending in form.endings} | {".csp": F2CSP}
    ending = PurePath(bare_name(source.name)).suffix
    return None if ending in _SHARED_ENDINGS else named.get(ending)


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
    from f2csp.boards.other_texts import refuse_other_text, refuse_variant
    from f2csp.boards.puzzle_builder import unclear
    from f2csp.boards.trials import Trial, boards_file, chosen, tried, whole_file
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
            named = names & kinds  # also by formats that need the kind to be named
            needing = [form for name in sorted(named) for form in puzzle_formats(name) if form.needs_kind]
            of_kinds = [form for form in dict.fromkeys([*of_kinds, *needing]) if form.kind in named]
        of_rank = [trial for form in of_kinds if (trial := tried(form, text, head, lines, used, index))]
        if file := chosen(text, of_rank, is_named=len(kinds) == 1):
            return file
        trials += of_rank
    faulty = [trial for trial in trials if trial.reading.puzzle is None and trial.reading.diagnostics]
    if len(kinds) > 1:
        faulty = [trial for trial in faulty if not trial.is_misfit]
    best = max(faulty, key=lambda trial: trial.merit, default=None)
    is_sure = best is not None and best.is_sure(len(lines))
    if not is_strict and not is_sure:
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
    is_pair = file.format.rank == 1 and len(file.parts) == 2 and codec_of(file.format).cut is not None
    return replace(file, parts=file.parts[:1]) if is_pair else file  # the second is no puzzle without the first


def unknown_format(text: "Text") -> InvalidInput:
    """The fault of a text that no format explains."""
    from f2csp.boards.puzzle_builder import UnknownFormat, unclear

    is_empty = not text.data.strip()
    message = "the file is empty" if is_empty else "the format of this puzzle file is unknown"
    hint = None if is_empty else "name it with --from; f2csp formats lists the formats"
    return UnknownFormat(unclear("F614", text, message, hint))


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
    from f2csp.puzzles.puzzle import KINDS, puzzle_kind

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
