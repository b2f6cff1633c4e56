"""All formats of files, each a record, from ``formats/formats.txt`` and, of puzzle files, ``boards/formats.txt``."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from f2csp.diagnostics import F2cspError
from f2csp.files import bare_name

AUTO = "auto"
F2CSP = "f2csp"

SECTION = rb"(?m:^)[ \t]*(?i:domains?|variables?|constraints?)[ \t]*:(?!:|[ \t]*\{)"
"""A line of F2CSP that opens a section, perhaps misspelt."""


@dataclass(frozen=True, slots=True)
class FormatInfo:
    """A format of files."""

    name: str  # as in --from and --to: f2csp, xcsp3, sudoku:line, ...
    codec: str  # of puzzle files: its module in f2csp.boards, and the name of the Codec there; else a module in f2csp
    summary: str
    rank: int = 3  # how special the syntax is: a reading never loses against one of a lower rank
    line: bytes = b".*"  # of puzzle files: a pattern of their lines; most lines of a faulty file have it, too
    endings: tuple[str, ...] = ()  # of the names of its files, if these have no other format
    signature: bytes = b""  # a pattern that the beginning of every such file contains, and of problems no other one
    needs_kind: bool = False  # the user must name the kind, for another kind has the same files
    is_read: bool = True
    is_written: bool = True
    has_answers: bool = False  # whether the answers of solvers that read such files can be read
    aliases: tuple[str, ...] = ()  # other names in commands
    options: tuple[str, ...] = ()  # of reading; those of puzzles are in their classes
    hint: str | None = None  # of puzzle files: how they are written, for faults of form

    @property
    def kind(self) -> str:
        """The kind of puzzle; empty for problems."""
        return self.name.partition(":")[0] if ":" in self.name else ""

    @property
    def short_name(self) -> str:
        """The name within its kind."""
        return self.name.rpartition(":")[2]

    @property
    def names(self) -> tuple[str, ...]:
        """All names of a format of problems in commands: its own, its endings, its aliases."""
        return (self.name, *(ending[1:] for ending in self.endings), *self.aliases)

    def load(self) -> Any:
        """Import what reads and writes the files: the ``Codec`` of puzzle files, else a module."""
        if not self.kind:
            return import_module(f"f2csp.{self.codec}")
        module, _, name = self.codec.partition(".")
        return getattr(import_module(f"f2csp.boards.{module}"), name)


def paragraphs(file: Path) -> list[list[str]]:
    """The lines of each paragraph of a text below its first one, which says what the text is."""
    _, *found = file.read_text(encoding="utf-8").split("\n\n")
    return list(map(str.splitlines, found))


_FLAGS = ("unread", "unwritten", "answers")  # fields without a value
_FIELDS: dict[str, Callable[[str], object]] = {"rank": int, "line": str.encode, "signature": str.encode}
_FIELDS |= dict.fromkeys(("endings", "aliases", "options"), lambda words: tuple(words.split()))


def _format(name: str, fields: dict[str, str]) -> FormatInfo:
    values: dict[str, Any] = {key: _FIELDS.get(key, str)(value) for key, value in fields.items() if key not in _FLAGS}
    is_read, is_written, has_answers = "unread" not in fields, "unwritten" not in fields, "answers" in fields
    return FormatInfo(name, **values, is_read=is_read, is_written=is_written, has_answers=has_answers)


@lru_cache
def _table(folder: str) -> dict[str, dict[str, str]]:
    """The fields of the formats in ``formats.txt`` of a folder."""
    table: dict[str, dict[str, str]] = {}
    for name, *lines in paragraphs(Path(__file__).with_name(folder) / "formats.txt"):
        fields = dict(line.strip().partition(" ")[::2] for line in lines)
        table[name] = table.get(fields.pop("like", ""), {}) | fields
    return table


PROBLEM_FORMATS = tuple(_format(name, fields) for name, fields in _table("formats").items())
"""The formats of problems, in the order of the lists of formats."""


def formats() -> tuple[FormatInfo, ...]:
    """All formats that are read or written.

    Example:
        >>> [form.name for form in formats() if ".xml" in form.endings]
        ['xcsp3']
    """
    return (*PROBLEM_FORMATS, *puzzle_formats())


@lru_cache
def puzzle_formats(kind: str | None = None) -> tuple[FormatInfo, ...]:
    """The formats of puzzle files, perhaps of one kind; those of kinds to which others add rules are last."""
    from f2csp.puzzles import KINDS
    from f2csp.puzzles.puzzle import puzzle_kind

    table, found = _table("boards"), []
    records = [puzzle_kind(name) for name in KINDS if kind in (None, name)]
    for record in sorted(records, key=lambda record: record.puzzle.IS_GENERAL):
        for short_name in record.formats.split():
            name = f"{record.puzzle.KIND}:{short_name}"
            form = _format(name, table.get(name) or table[short_name])
            found.append(replace(form, needs_kind=form.rank == 1 and not record.has_plain_boards))
    return tuple(found)


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
    if "." not in name:  # such as - for standard output
        return None
    return next((form.name for form in formats() if form.endings and name.endswith(form.endings)), None)


@lru_cache
def format_name(form: str, kind: str | None = None) -> str:
    """The name of a format as this package spells it, for a name in any letter case or an alias.

    It is ``auto``, ``f2csp``, a foreign format, or KIND:FORMAT, KIND or FORMAT of puzzle files; with a kind of puzzle,
    only the latter. Raises F2cspError if there is no such format.
    """
    name = form.casefold()
    if name == AUTO:
        return AUTO
    aliases = {} if kind else {alias: known.name for known in PROBLEM_FORMATS for alias in known.names}
    if name in aliases:
        return aliases[name]
    from difflib import get_close_matches

    names = {word for known in puzzle_formats() for word in (known.name, known.kind, known.short_name)} | {AUTO}
    if name in names:
        return name
    near = get_close_matches(name, [*names, *aliases, F2CSP], n=1)
    guess = f"; did you mean {near[0]}?" if near else ""
    raise F2cspError(f"there is no format {form!r}{guess} (f2csp formats lists all)")


@lru_cache
def named_formats(name: str, kind: str | None = None) -> tuple[FormatInfo, ...]:
    """The formats, perhaps of one kind only, that a name means: ``KIND:FORMAT``, ``KIND``, ``FORMAT`` or ``auto``."""
    wanted_kind, _, wanted_name = name.lower().rpartition(":")

    def is_meant(form: FormatInfo) -> bool:
        if not wanted_kind and wanted_name == form.kind:
            return True
        is_able = kind is not None or wanted_kind or not form.needs_kind
        return bool(is_able) and wanted_kind in ("", form.kind) and wanted_name in (AUTO, form.short_name)

    of_kind = puzzle_formats(kind)
    found = tuple(filter(is_meant, of_kind))
    if not found:
        format_name(name, kind)  # raises F2cspError for what is no format at all
        names = ", ".join([form.short_name if kind else form.name for form in of_kind])
        raise F2cspError(f"{name} is not a format of {kind or 'puzzle'} files; the formats are {names}")
    return found
