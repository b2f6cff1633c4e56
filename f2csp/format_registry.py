"""All formats, by their names and by the extensions of files; ``boards/formats.txt`` lists those of puzzle files."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from f2csp.diagnostics import F2cspError, near_word_hint
from f2csp.file_formats import AUTO, F2CSP, FormatInfo, paragraphs
from f2csp.files import bare_name

if TYPE_CHECKING:
    from f2csp.puzzles.puzzle import PuzzleKind


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
    wanted_kind, _, wanted_name = name.lower().rpartition(":")
    of_kind = puzzle_formats(kind)
    is_named = kind is not None or wanted_kind
    found = [
        form
        for form in of_kind
        if (
            wanted_kind in ("", form.kind)
            and wanted_name in (AUTO, form.short_name)
            and (is_named or not form.needs_kind)
        )
        or (not wanted_kind and wanted_name == form.kind)
    ]
    if not found:
        names = [form.name if kind is None else form.short_name for form in of_kind]
        all_names = {word for form in puzzle_formats() for word in (form.name, form.kind, form.short_name)}
        is_other = name.lower() in all_names
        reason = f"{name} is not a format of the kind {kind}" if is_other else f"there is no puzzle format {name!r}"
        near = near_word_hint(name, [*names, *all_names]) if not is_other else None
        raise F2cspError(f"{reason}; {near or 'the formats are ' + ', '.join(names)}")
    return found
