"""Which formats of puzzle files there are, which one a file has, and the puzzles in it.

A new format is a ``Codec`` in a file beside this one and one line in ``FORMATS``.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from f2csp.diagnostics import Collector, Diagnostic, F2cspError, InvalidInput, Source, Unsuitable, near_word_hint
from f2csp.files import check_encoding
from f2csp.boards.pieces import Text
from f2csp.boards.puzzle_builder import Codec, Likeness, PuzzleBuilder, UnknownFormat, Unreadable, unclear
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.sudoku import Sudoku, check_boxes, squarest_box

if TYPE_CHECKING:
    from f2csp.boards.grids import Board

Options = Mapping[str, Any]
"""The options of a puzzle that are not in its file: ``box`` (rows and columns), ``distinct_lines``."""


@dataclass(frozen=True, slots=True)
class Format:
    kind: str  # the KIND of the puzzle's class
    name: str  # unique among the formats of a kind
    codec: str  # the file beside this one, and the name of the Codec in it
    summary: str
    endings: tuple[str, ...] = ()  # of the names of such files, if files with these endings have no other format
    needs_kind: bool = False  # the user must name the kind, for another kind has the same files

    @property
    def full_name(self) -> str:
        return f"{self.kind}:{self.name}"

    def load(self) -> Codec:
        module, _, name = self.codec.partition(".")
        codec: Codec = getattr(import_module(f"f2csp.boards.{module}"), name)
        return codec


FORMATS = (
    Format("sudoku", "clues", "clue_lists.CLUES", "the size, the number of clues, and lines of row, column and value"),
    Format("sudoku", "tatham", "solo.SOLO", "identifiers such as 3x3:a5b6b8d8b3..., one a line"),
    Format("sudoku", "line", "cell_runs.LINE", "a character for each cell, one puzzle a line", (".sdm",)),
    Format("sudoku", "grid", "board_pictures.SUDOKU", "a line for each row, perhaps in frames", (".sdk", ".ss")),
    Format("sudoku", "matrix", "cell_rows.MATRIX", "rows of numbers with blanks between; above them perhaps the size"),
    Format("sudoku", "csv", "cell_runs.CSV", "a table with a column of puzzles", (".csv", ".tsv")),
    Format("sudoku", "opensudoku", "cell_runs.OPENSUDOKU", "XML of OpenSudoku", (".opensudoku",)),
    Format("futoshiki", "token", "futoshiki_pictures.TOKEN", "the size, and lines of words such as x00 < x01 - 3"),
    Format("futoshiki", "picture", "futoshiki_pictures.PICTURE", "cells 4 characters apart, with signs between them"),
    Format("futoshiki", "tatham", "tatham.UNEQUAL", "identifiers such as 5:0,0,3D,0R..., one a line"),
    Format("futoshiki", "org", "futoshiki_pictures.ORG", "as on futoshiki.org: ._._(_3..., one a line"),
    Format("futoshiki", "pairs", "futoshiki_signs.PAIRS", "the size, the rows, the number of signs, and such as 0>4"),
    Format("futoshiki", "tables", "futoshiki_signs.TABLES", "the size, and tables of cells and of signs"),
    Format("latin", "clues", "clue_lists.CLUES", "the size, the number of clues, and lines of row, column and value"),
    Format("latin", "matrix", "cell_rows.MATRIX", "rows of numbers with blanks between; above them perhaps the size"),
    Format("latin", "tatham", "tatham.UNEQUAL", "identifiers such as 5:0,0,3,0..., one a line"),
    Format("latin", "pls", "cell_rows.PLS", "lsencode: order and rows of values from 0, -1 for a blank", (".pls",)),
    Format("latin", "minizinc", "dzn.DZN", "MiniZinc data: N = 9; start = [| 1, 0, ... |];", (".dzn",)),
    Format("jigsaw", "tatham", "solo.JIGSAW", "identifiers such as 9j:7_5e9a...,b_ada..., one a line"),
    Format("jigsaw", "regions", "sudoku_variants.REGIONS", "the size, rows of numbers, rows of regions", (".puzzle",)),
    Format("jigsaw", "andoku", "sudoku_variants.ANDOKU", "cells|regions, one puzzle a line", (".adk",)),
    Format("diagonal", "tatham", "solo.DIAGONAL", "identifiers such as 3x3x:7_4e6a..., one a line"),
    Format("diagonal", "line", "cell_runs.LINE", "a character for each cell, one puzzle a line", needs_kind=True),
    Format("diagonal", "matrix", "cell_rows.MATRIX", "rows of numbers; above them perhaps the size", needs_kind=True),
    Format("killer", "tatham", "solo.KILLER", "identifiers such as 3x3k:zzzc,a_a...,14a6..., one a line"),
    Format("killer", "arrows", "sudoku_variants.ARROWS", "totals of cages, and signs < ^ > v that point to them"),
    Format("takuzu", "ist", "cell_rows.IST", "the size, and rows of 0, 1 and 2 for a blank, with tabs between"),
    Format("takuzu", "grid", "board_pictures.TAKUZU", "rows of 0, 1 and . for a blank, with or without blanks between"),
    Format("takuzu", "tatham", "tatham.UNRULY", "identifiers such as 8x8u:BEaaBbke..., one a line"),
)
"""All formats; faults are those of the first of the formats of a kind that fit equally well."""

DETECTED = tuple(form for form in FORMATS if not form.needs_kind)
"""The formats that the text alone decides between."""

KINDS = tuple(dict.fromkeys(form.kind for form in FORMATS))


_SAVED = re.compile(rb"^(PARAMS|DESC) *:[0-9]+:([^\r\n]*)", re.MULTILINE)
_MIN_FULL = 4  # warnings of conflicts on a full board that is no puzzle, or its size
_MAX_TRIED = 1000  # lines, far more than a board has, from which the first puzzle is read to compare formats


@dataclass(frozen=True, slots=True)
class PuzzleFile:
    puzzle: Puzzle
    warnings: tuple[Diagnostic, ...] = ()
    n_hidden: int = 0  # the number of further warnings
    reading: str = ""  # how a board was read that is in no format


def named_formats(name: str, kind: str | None = None) -> list[Format]:
    """The formats, perhaps of one kind only, that a name means: ``KIND:FORMAT``, ``KIND``, ``FORMAT`` or ``auto``."""
    wanted_kind, _, wanted_name = name.lower().rpartition(":")
    of_kind = [form for form in FORMATS if kind in (None, form.kind)]
    is_named = kind is not None or wanted_kind
    found = [
        form
        for form in of_kind
        if (wanted_kind in ("", form.kind) and wanted_name in ("auto", form.name) and (is_named or not form.needs_kind))
        or (not wanted_kind and wanted_name == form.kind)
    ]
    if not found:
        names = [form.full_name if kind is None else form.name for form in of_kind]
        is_other = any(name.lower() in (form.full_name, form.name, form.kind) for form in FORMATS)
        reason = f"{name} is not a format of the kind {kind}" if is_other else f"there is no puzzle format {name!r}"
        near = near_word_hint(name, [*names, *KINDS, *{form.name for form in of_kind}]) if not is_other else None
        raise F2cspError(f"{reason}; {near or 'the formats are ' + ', '.join(names)}")
    return found


@dataclass(frozen=True)
class Recognised:
    """The puzzles of a file: in a format, or the boards that are found without one."""

    format: Format
    parts: Sequence[Text]  # the texts of the puzzles
    options: Options | None = None
    warnings: tuple[Diagnostic, ...] = ()  # if the file can be read in another way, too
    formats: Sequence[Format] = ()  # those that can be meant
    boards: "Sequence[Board]" = ()

    def __len__(self) -> int:
        return len(self.boards) or len(self.parts)

    def read(self, index: int) -> PuzzleFile:
        """Read the puzzle number ``index``, from 1; raises InvalidInput if it has faults."""
        if self.boards:
            board = self.boards[index - 1]
            return PuzzleFile(board.puzzle, reading=board.reading)
        found = read_part(self.format, self.parts[index - 1], self.options)
        if len(self.formats) > 1 and self.format.name in ("line", "grid", "matrix"):
            self._check_meaning(found, self.parts[index - 1])
        return found

    def _check_meaning(self, found: PuzzleFile, text: Text) -> None:
        """Raise InvalidInput if a board is rather another puzzle, or its values count from 0."""
        puzzle = found.puzzle
        is_full = len(puzzle.clues) == puzzle.n_rows * puzzle.n_columns
        if is_full and len(found.warnings) >= max(puzzle.n_rows, _MIN_FULL):
            message = f"expected a {puzzle.NAME}, found a full board that breaks its rules"
            hint = f"it can be another puzzle or a map of regions; --from {self.format.full_name} reads it"
            raise InvalidInput(unclear("F613", text, message, hint))
        data = text.data
        has_blanks = b"0" in data and not {*b"._*-"}.isdisjoint(data)
        values = {clue.value for clue in puzzle.clues}
        hint = f"write one sign for blanks, or read 0 as a blank with --from {self.format.full_name}"
        is_binary = (has_blanks and values == {1}) or (b"0" in data and values == {1, 2} and found.warnings)
        if is_binary and puzzle.KIND != "takuzu" and "takuzu" in {form.kind for form in self.formats}:
            raise InvalidInput(unclear("F610", text, "0 and 1 beside another sign can be a Takuzu", hint))
        if has_blanks and puzzle.n_rows not in values and puzzle.KIND != "takuzu":
            from f2csp.boards.unformatted import boards_in

            others: Sequence[Board] = ()
            with suppress(InvalidInput):
                others = boards_in(text, {puzzle.KIND}, self.options or {})
            if others and others[0].puzzle != puzzle:
                raise InvalidInput(unclear("F610", text, "0 can be a blank or the lowest value", hint))


def recognised_parts(
    source: Source,
    formats: Sequence[Format] = DETECTED,
    options: Options | None = None,
    index: int = 1,
    *,
    is_strict: bool = False,
) -> Recognised:
    """The format of a file, one of these; where several read it, the puzzle number ``index`` decides.

    Without ``is_strict`` boards are found in a text that no format reads.

    Raises:
        InvalidInput: the format is unclear.
    """
    from f2csp.boards.unformatted import boards_in, refuse_variant

    text = _text_of(source)
    kinds, used = {form.kind for form in formats}, options or {}
    try:
        form, warnings = _recognised(text, formats, options, index)
    except UnknownFormat:
        boards = [] if is_strict else boards_in(text, kinds, used)
        if not boards:
            refuse_variant(text)
            raise
        return _without_format(text, boards)
    found = Recognised(form, form.load().parts(text), options, warnings, formats)
    if len(formats) == 1 or is_strict or not 1 <= index <= len(found):
        return found
    boards = []
    try:
        if len(found) > 1 and form.name in ("grid", "matrix"):  # some can be solutions of others
            with suppress(InvalidInput):
                boards = boards_in(text, kinds, used)
        if not 0 < len(boards) < len(found):
            boards = []
            found.read(index)
    except InvalidInput as faults:
        if form.name == "csv" and found.parts[0] != text:  # it has a column of puzzles
            return found
        is_faint = form.load().looks_like(text) == Likeness.FAINT
        boards = boards_in(text, kinds, used, faults.diagnostics, is_faint=is_faint)
        if not boards:
            refuse_variant(text, form.kind)
    return _without_format(text, boards) if boards else found


def _without_format(text: Text, boards: "Sequence[Board]") -> Recognised:
    kind, also = boards[0].puzzle.KIND, boards[0].also
    message = f"the file was read as a board of the kind {kind}, and can be another with {also}"
    warnings = unclear("F617", text, message, f"name the kind with --from {kind}") if also else ()
    return Recognised(Format(kind, "board", "", "a board in any text"), (), warnings=warnings, boards=boards)


def _text_of(source: Source) -> Text:
    """The text of a file, or the identifier in a saved game of Simon Tatham's puzzles."""
    collector = Collector(source)
    check_encoding(source, collector)
    collector.raise_if_errors()
    text = Text.whole(source)
    lines = dict(_SAVED.findall(text.data)) if text.data.startswith(b"SAVEFILE") else {}
    if not {b"PARAMS", b"DESC"} <= lines.keys():
        return text
    return Text.whole(Source(source.name, lines[b"PARAMS"] + b":" + lines[b"DESC"] + b"\n"))


def read_part(form: Format, text: Text, options: Options | None = None) -> PuzzleFile:
    """Read one of the puzzles of a file; raises InvalidInput if it has faults."""
    collector = Collector(text.source)
    try:
        puzzle = form.load().read(text, PuzzleBuilder(form.kind, collector, options))
    except Unreadable:
        raise InvalidInput(collector.diagnostics(), collector.n_hidden) from None
    return PuzzleFile(puzzle, tuple(collector.diagnostics()), collector.n_hidden)


def all_written(puzzles: Sequence[Puzzle], name: str) -> str:
    """Puzzles of one kind as the text of a file, in the first of the formats of that name for this kind.

    Raises:
        Unsuitable: the format is not one for the kind, or cannot express a puzzle.
    """
    kind = puzzles[0].KIND
    forms = [form for form in named_formats(name) if form.kind == kind]
    other = next((puzzle for puzzle in puzzles if kind != puzzle.KIND or not forms), None)
    if other is not None:
        raise Unsuitable(f"the format {name} is not one for a {other.title}")
    codec = forms[0].load()
    for puzzle in puzzles:
        if puzzle.n_rows > codec.max_size:
            raise Unsuitable(f"the format has boards of up to {codec.max_size}x{codec.max_size}")
        if isinstance(puzzle, Sudoku) and not codec.has_boxes:
            check_boxes(puzzle)
    before, after = codec.frame
    texts = [codec.write(puzzle).splitlines(keepends=True) for puzzle in puzzles]
    lines = codec.between.join(["".join(text[before : len(text) - after]) for text in texts])
    return "".join([*texts[0][:before], lines, *texts[0][len(texts[0]) - after :]])


def _recognised(
    text: Text, formats: Sequence[Format], options: Options | None, index: int
) -> tuple[Format, tuple[Diagnostic, ...]]:
    """The format of the text, among these, and a warning if the text alone does not decide it.

    Of the formats with the greatest likeness, those count that read the text without a fault. If they give the same
    puzzle, or none reads the text, it is the first of them.
    """
    if len(formats) == 1:
        return formats[0], ()
    likeness = {form: form.load().looks_like(text) for form in formats}
    most = max(likeness.values())
    alike = [form for form in formats if likeness[form] == most]
    if most == Likeness.NONE:
        raise _unknown(text)
    if len(alike) == 1:
        return alike[0], ()
    readable = {form: puzzle for form in alike if (puzzle := _tried(form, text, options, index)) is not None}
    first = next(iter(readable), alike[0])
    if not readable and len({form.kind for form in alike}) > 1 and most == Likeness.FAINT:
        raise _unknown(text)
    # Clue files are what the converters of one kind of puzzle were made for: in a tie the file is one.
    is_default = first.name == "clues" and len({form.kind for form in formats}) == 1
    if len(set(readable.values())) <= 1 or is_default:
        return first, _boxes_warning(text, first, readable) if any(form.kind == "sudoku" for form in alike) else ()
    names = [form.full_name for form in readable]
    squares = [form.full_name for form in readable if form.kind == "latin"]
    if first.kind == "sudoku" and len({(form.kind, puzzle) for form, puzzle in readable.items()}) == 2 and squares:
        if (options or {}).get("box"):  # which only a Sudoku has
            return first, ()
        message = f"the file was read as {names[0]}, and can also be read as {squares[0]}"
        return first, unclear("F617", text, message, f"name the format with --from {names[0]}")
    either = " or ".join(names)
    hint = f"name the format with --from {either}"
    raise InvalidInput(unclear("F614", text, f"the file can be read as {either}, which are different puzzles", hint))


def _boxes_warning(text: Text, form: Format, readable: Mapping[Format, Puzzle]) -> tuple[Diagnostic, ...]:
    """A warning that the file can be a Sudoku, too, whose boxes are not square, where it is read as a Latin square."""
    box = squarest_box(readable[form].n_rows) if form.kind == "latin" and form in readable else None
    if box is None:
        return ()
    message = f"the file was read as {form.full_name}, and can also be read as a Sudoku with --box {box[0]}x{box[1]}"
    return unclear("F617", text, message, f"name the format with --from {form.full_name}")


def _tried(form: Format, text: Text, options: Options | None, index: int) -> Puzzle | None:
    """The puzzle if the format reads the text without a fault."""
    parts = form.load().parts(text.head(_MAX_TRIED) if index == 1 else text)
    if not 1 <= index <= len(parts):
        return None
    try:
        return read_part(form, parts[index - 1], options).puzzle
    except InvalidInput:
        return None


def _unknown(text: Text) -> UnknownFormat:
    is_empty = not text.data.strip()
    message = "the file is empty" if is_empty else "the format of this puzzle file is unknown"
    hint = None if is_empty else "name it with --from; f2csp formats lists the formats"
    return UnknownFormat(unclear("F614", text, message, hint))
