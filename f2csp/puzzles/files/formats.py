"""Which formats of puzzle files there are, which one a file has, and the puzzles in it.

A new format is one file beside this one and one line in ``FORMATS``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from importlib import import_module
from typing import Protocol, cast

from f2csp.diagnostics import Collector, Diagnostic, F2cspError, InvalidInput, Source, Unsuitable
from f2csp.puzzles.files.reading import Reading, Wish
from f2csp.puzzles.files.text import Text
from f2csp.puzzles.puzzle import Puzzle
from f2csp.utf8 import check_encoding


class Likeness(IntEnum):
    """How much a text looks like a format."""

    NONE = 0
    FAINT = 1
    """It might be a faulty one."""
    SOUND = 2


class FormatModule(Protocol):
    """What the file of a format holds."""

    def looks_like(self, text: Text) -> Likeness:
        """Look at the first lines of a file; must be quick, and may take what is not of the format for it."""

    def read(self, text: Text, reading: Reading) -> Puzzle | None:
        """Read one puzzle; None if there are faults, all of which are told."""

    def write(self, puzzle: Puzzle) -> str:
        """The puzzle as the text of a file.

        Raises:
            Unsuitable: the format cannot express it.
        """


class ManyPuzzles(Protocol):
    """What the file of a format holds besides, if a text can have many puzzles."""

    def parts(self, text: Text) -> Sequence[Text]:
        """The part of each puzzle; at least one, so that there is something to complain of."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format for one kind of puzzle.

    Attributes:
        kind: the puzzle, as its class's ``KIND``.
        name: unique among the formats of a kind.
        module: the file beside this one.
        summary: what it looks like, in a line.
        endings: of the names that such files have, if these have no other format.
        is_for_many: whether a file can have many puzzles.
    """

    kind: str
    name: str
    module: str
    summary: str
    endings: tuple[str, ...] = ()
    is_for_many: bool = False

    @property
    def full_name(self) -> str:
        """Its name with the kind, such as ``sudoku:line``."""
        return f"{self.kind}:{self.name}"

    def load(self) -> FormatModule:
        """Import its file."""
        return cast("FormatModule", import_module(f"f2csp.puzzles.files.{self.module}"))

    def parts(self, text: Text) -> Sequence[Text]:
        """The part of the text that each puzzle has."""
        return cast("ManyPuzzles", self.load()).parts(text) if self.is_for_many else [text]


FORMATS = (
    Format("sudoku", "clues", "clues", "the size, the number of clues, and lines of row, column and value"),
    Format("sudoku", "tatham", "tatham_solo", "identifiers such as 3x3:a5b6b8d8b3..., one a line", is_for_many=True),
    Format("sudoku", "line", "line", "a character for each cell, one puzzle a line", (".sdm",), is_for_many=True),
    Format("sudoku", "grid", "sudoku_grid", "a line for each row, perhaps in frames", (".sdk", ".ss")),
    Format("sudoku", "matrix", "matrix", "rows of numbers with blanks between them; above them perhaps the size"),
    Format("sudoku", "csv", "csv_file", "a table with a column of puzzles", (".csv", ".tsv"), is_for_many=True),
    Format("sudoku", "opensudoku", "opensudoku", "XML of OpenSudoku", (".opensudoku",), is_for_many=True),
    Format("futoshiki", "token", "futoshiki_token", "the size, and lines of words such as x00 < x01 - 3"),
    Format("futoshiki", "picture", "futoshiki_picture", "cells 4 characters apart, with signs between them"),
    Format("futoshiki", "tatham", "tatham_unequal", "identifiers such as 5:0,0,3D,0R..., one a line", is_for_many=True),
    Format("futoshiki", "org", "futoshiki_org", "as on futoshiki.org: ._._(_3..., one a line", is_for_many=True),
    Format("futoshiki", "pairs", "futoshiki_pairs", "the size, the rows, the number of signs, and signs such as 0>4"),
    Format("futoshiki", "tables", "futoshiki_tables", "the size, and tables of cells, signs within and between rows"),
    Format("latin", "clues", "clues", "the size, the number of clues, and lines of row, column and value"),
    Format("latin", "matrix", "matrix", "rows of numbers with blanks between them; above them perhaps the size"),
    Format("latin", "tatham", "tatham_unequal", "identifiers such as 5:0,0,3,0..., one a line", is_for_many=True),
    Format("latin", "pls", "pls", "lsencode: order and rows of values from 0, -1 for a blank", (".pls",)),
    Format("latin", "minizinc", "minizinc_data", "MiniZinc data: N = 9; start = [| 1, 0, ... |];", (".dzn",)),
    Format("takuzu", "ist", "ist", "the size, and rows of 0, 1 and 2 for a blank, with tabs between"),
    Format("takuzu", "grid", "takuzu_grid", "rows of 0, 1 and . for a blank, with blanks between or without"),
    Format("takuzu", "tatham", "tatham_unruly", "identifiers such as 8x8u:BEaaBbke..., one a line", is_for_many=True),
)
"""All formats; of those of a kind that fit equally well, the first is taken to tell faults."""

KINDS = tuple(dict.fromkeys(form.kind for form in FORMATS))


@dataclass(frozen=True, slots=True)
class PuzzleFile:
    """A puzzle and the file that it was read from.

    Attributes:
        puzzle: the puzzle.
        format: the file's.
        n_puzzles: how many the file has.
        warnings: what is odd about this one.
        n_hidden: how many more warnings there are.
    """

    puzzle: Puzzle
    format: Format
    n_puzzles: int = 1
    warnings: tuple[Diagnostic, ...] = ()
    n_hidden: int = 0


def named_formats(name: str, kind: str | None = None) -> list[Format]:
    """The formats that a name means: ``KIND:FORMAT``, ``KIND``, ``FORMAT`` or ``auto``.

    Args:
        name: the name.
        kind: the only kind that is asked for.

    Raises:
        F2cspError: there is none.
    """
    wanted_kind, _, wanted_name = name.rpartition(":")
    known = [form for form in FORMATS if kind in (None, form.kind) and wanted_kind in ("", form.kind)]
    found = [
        form for form in known if wanted_name in ("auto", form.name) or (not wanted_kind and wanted_name == form.kind)
    ]
    if not found:
        names = ", ".join(
            form.full_name if kind is None else form.name for form in FORMATS if kind in (None, form.kind)
        )
        raise F2cspError(f"there is no puzzle format {name!r}; the formats are {names}")
    return found


def read_puzzle(
    source: Source, formats: Sequence[Format] = FORMATS, wish: Wish | None = None, index: int = 1
) -> PuzzleFile:
    """Read a puzzle from a file.

    Args:
        source: the file.
        formats: what it may be; which one it is, is found from the text.
        wish: what the user says of the puzzle besides.
        index: which puzzle of the file, from 1.

    Raises:
        InvalidInput: the puzzle has faults, all of which are told; or the format cannot be told.
        F2cspError: the file has fewer puzzles.
    """
    text = _checked_text(source)
    form = _recognised(text, formats, wish, index)
    parts = form.parts(text)
    if not 1 <= index <= len(parts):
        raise F2cspError(
            f"{source.name} has {len(parts):,} {'puzzles' if len(parts) > 1 else 'puzzle'}, no number {index:,}"
        )
    return _read(form, parts[index - 1], wish, len(parts))


def read_puzzles(
    source: Source, formats: Sequence[Format] = FORMATS, wish: Wish | None = None
) -> Iterator[PuzzleFile | InvalidInput]:
    """Read every puzzle of a file; see :func:`read_puzzle`. A puzzle with faults gives these, and the next one follows.

    Raises:
        InvalidInput: the format cannot be told.
    """
    text = _checked_text(source)
    form = _recognised(text, formats, wish, 1)
    parts = form.parts(text)
    for part in parts:
        try:
            yield _read(form, part, wish, len(parts))
        except InvalidInput as faults:
            yield faults


def written(puzzle: Puzzle, name: str) -> str:
    """The puzzle as the text of a file; see :func:`named_formats` for the name of its format.

    Raises:
        Unsuitable: the format cannot express it.
        F2cspError: there is no such format.
    """
    forms = [form for form in named_formats(name) if form.kind == puzzle.KIND]
    if not forms:
        raise Unsuitable(f"the format {name} is not one for a {puzzle.title}")
    return forms[0].load().write(puzzle)


def _checked_text(source: Source) -> Text:
    collector = Collector(source)
    check_encoding(source, collector)
    if collector.n_errors:
        raise InvalidInput(collector.diagnostics(), collector.n_hidden)
    return Text.whole(source)


def _read(form: Format, text: Text, wish: Wish | None, n_puzzles: int) -> PuzzleFile:
    collector = Collector(text.source)
    puzzle = form.load().read(text, Reading(form.kind, collector, wish))
    diagnostics = collector.diagnostics()
    if puzzle is None or collector.n_errors:
        raise InvalidInput(diagnostics, collector.n_hidden)
    return PuzzleFile(puzzle, form, n_puzzles, tuple(diagnostics), collector.n_hidden)


def _recognised(text: Text, formats: Sequence[Format], wish: Wish | None, index: int) -> Format:
    """The one of the formats that the text has.

    Of those that it looks like most, those count that it can be read as without a fault. If they give the same puzzle,
    or if none can be read, it is the first of them.
    """
    if len(formats) == 1:
        return formats[0]
    likeness = {form: form.load().looks_like(text) for form in formats}
    most = max(likeness.values())
    alike = [form for form in formats if likeness[form] == most]
    if most == Likeness.NONE:
        raise _unknown(text, formats)
    if len(alike) == 1:
        return alike[0]
    readable = {form: puzzle for form in alike if (puzzle := _tried(form, text, wish, index)) is not None}
    first = next(iter(readable), alike[0])
    if len(set(readable.values())) > 1 and not _is_default(first, formats):
        raise _ambiguous(text, list(readable))
    if not readable and len({form.kind for form in alike}) > 1 and most == Likeness.FAINT:
        raise _unknown(text, formats)
    return first


def _is_default(form: Format, formats: Sequence[Format]) -> bool:
    """Whether this format is taken in a tie: clue files are what the converters of one kind of puzzle were made for."""
    return form.name == "clues" and len({other.kind for other in formats}) == 1


def _tried(form: Format, text: Text, wish: Wish | None, index: int) -> Puzzle | None:
    """The puzzle if the text can be read as this format."""
    parts = form.parts(text)
    if not 1 <= index <= len(parts):
        return None
    try:
        return _read(form, parts[index - 1], wish, len(parts)).puzzle
    except InvalidInput:
        return None


def _unknown(text: Text, formats: Sequence[Format]) -> InvalidInput:
    names = ", ".join(form.full_name for form in formats)
    return _format_fault(text, "the format of this puzzle file is not known", f"name it with --from: {names}")


def _ambiguous(text: Text, formats: Sequence[Format]) -> InvalidInput:
    names = " or ".join(form.full_name for form in formats)
    return _format_fault(
        text, f"the file can be read as {names}, which are different puzzles", f"say which: --from {names}"
    )


def _format_fault(text: Text, message: str, hint: str) -> InvalidInput:
    collector = Collector(text.source)
    first = text.head().filled_lines[:1]
    span = first[0].span if first else (text.start, text.start)
    collector.add("F614", *span, message, hint=hint)
    return InvalidInput(collector.diagnostics())
