"""The formats of files: their names, and the format of a file from its extension or its text."""

import re
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from f2csp.diagnostics import F2cspError, Source
from f2csp.files import bare_name

AUTO = "auto"
F2CSP = "f2csp"

_ENDINGS_OF_PUZZLES = (".xml", ".json")  # other formats have these, too

SECTION = re.compile(rb"^[ \t]*(?:domains|variables|constraints)[ \t]*:", re.IGNORECASE | re.MULTILINE)
"""A line of F2CSP that opens a section."""

_XML = re.compile(rb"\s*+<")


class FormatInfo(NamedTuple):
    """A format of files."""

    name: str  # as in --from and --to: f2csp, xcsp3, sudoku:line, ...
    endings: tuple[str, ...]  # of the names of its files, if these have no other format
    is_read: bool
    is_written: bool
    summary: str


def formats() -> tuple[FormatInfo, ...]:
    """All formats that are read or written.

    Example:
        >>> [form.name for form in formats() if ".xml" in form.endings]
        ['xcsp3']
    """
    from f2csp.formats.foreign import FOREIGN_FORMATS
    from f2csp.boards.formats import FORMATS

    return (
        FormatInfo(F2CSP, (".csp",), True, True, "tables, the format of this program"),
        *(
            FormatInfo(one.name, one.endings, bool(one.imports), bool(one.exports), one.title)
            for one in FOREIGN_FORMATS
        ),
        *(FormatInfo(x.full_name, x.endings, True, True, x.summary) for x in FORMATS),
    )


@lru_cache
def ending_of(form: str) -> str:
    """The usual ending of the names of files in a format.

    Example:
        >>> ending_of("f2csp"), ending_of("sudoku:grid")
        ('.csp', '.sdk')
    """
    return next((one.endings[0] for one in formats() if one.name == form and one.endings), ".txt")


def format_by_extension(file: str) -> str | None:
    """The name of the format of the files with the extension of this one; that of a compression is ignored.

    Example:
        >>> format_by_extension("puzzle.cnf.gz")
        'dimacs'
    """
    name = bare_name(file)
    if name.endswith(".csp"):
        return F2CSP
    return next((form.name for form in formats() if name.endswith(form.endings)), None)


def format_name(form: str, kind: str | None = None) -> str:
    """The name of a format as this package spells it, for a name in any letter case or an alias.

    It is ``auto``, ``f2csp``, a foreign format, or KIND:FORMAT, KIND or FORMAT of puzzle files; with a kind of puzzle,
    only the latter. Raises F2cspError if there is no such format.
    """
    name = form.casefold()
    if kind is None and name in (AUTO, F2CSP, "csp"):
        return AUTO if name == AUTO else F2CSP
    aliases = {} if kind else foreign_names()
    if name in aliases:
        return aliases[name]
    from difflib import get_close_matches

    from f2csp.boards.formats import FORMATS

    names = {one for form in FORMATS for one in (form.full_name, form.kind, form.name)} | {AUTO}
    if name in names:
        return name
    near = get_close_matches(name, [*names, *aliases, F2CSP], n=1)
    guess = f"; did you mean {near[0]}?" if near else ""
    raise F2cspError(f"there is no format {form!r}{guess} (f2csp formats lists all)")


def foreign_names() -> dict[str, str]:
    """The names of foreign formats, by these and their aliases."""
    from f2csp.formats.foreign import FOREIGN_FORMATS

    return {alias: form.name for form in FOREIGN_FORMATS for alias in form.names}


def detected(source: Source) -> str | None:
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
    return None if ending in _ENDINGS_OF_PUZZLES else named.get(ending)
