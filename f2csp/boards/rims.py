"""Puzzles with numbers around the board: Skyscrapers (Towers) and nonograms (Pattern)."""

import json
import re
from collections.abc import Sequence

from f2csp.boards import tatham
from f2csp.boards.cell_rows import NUMBERS, Row, Rows
from f2csp.boards.json_puzzles import document
from f2csp.boards.pieces import Piece, Span, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, Given, Givens, PuzzleBuilder, Shape, text_of
from f2csp.boards.solo import cell_givens, written_cells
from f2csp.puzzles.nonogram import Lengths, Nonogram
from f2csp.puzzles.puzzle import MAX_SIDE, Puzzle
from f2csp.puzzles.skyscrapers import MAX_SKYSCRAPERS_SIZE, SIDES, Skyscrapers

_TOWERS = tatham.Program("Towers", "a Skyscrapers puzzle", 1, re.compile(r"(?:d[ehxu])?"), {})
_PATTERN = tatham.Program("Pattern", "a nonogram", 2, re.compile(r""), {})
_LETTERS = {"G": "top", "T": "top", "D": "bottom", "B": "bottom", "L": "left", "P": "right", "R": "right"}
_HEADING = re.compile(r"(?i)(rows|columns)\s*:?\s*")
_SIDES_OF_LINES = {"width": "columns", "height": "rows"}
_FIELD = re.compile(r"(?i)(?:width|height|goal|solution|title|by|author|copyright|license|catalogue|color|source)\b.*")


def _fields(cells: Piece, n: int, what: str, builder: PuzzleBuilder) -> tuple[list[Piece], Piece | None]:
    """The fields before a comma, one for each line of the board, and what follows the comma."""
    before, comma, _ = cells.text.partition(",")
    fields = cells.part(0, len(before)).fields("/,")
    if len(fields) != n:
        builder.stop("F609", (cells.start, cells.end), f"expected {n} {what} with / between, found {len(fields)}")
    return fields, cells.part(len(before) + 1, len(cells.text)) if comma else None


def _integers(words: Sequence[Piece], builder: PuzzleBuilder) -> tuple[int, ...]:
    for word in words:
        if number(word.text) is None:
            builder.stop("F607", word.span, f"expected a number, found '{builder.shown(*word.span)}'")
    return tuple([number(word.text) or 0 for word in words])


# ---- Skyscrapers -----------------------------------------------------------------------------------------------------


def _read_towers(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read an identifier of Towers.

        4:2/1/3/2/2/3/1/2/3/1/2/2/1/2/2/3
        6:3///1/2////4/3/3////1/3/4////2///,u3k1b

    After the size come the numbers above the columns, below them, left of the rows and right of them; those that are
    not given are empty. After a comma there may be givens, with ``a`` to ``z`` for runs of 1 to 26 blanks.
    """
    identifier = tatham.read_identifier(text, _TOWERS, builder)
    size, span = identifier.size[0], span_of(identifier.sides)
    builder.check_size(span, MAX_SKYSCRAPERS_SIZE, size)
    fields, givens = _fields(identifier.cells, 4 * size, "numbers of towers", builder)
    numbers = iter(_integers([field for field in fields if field.text], builder))
    rim = [next(numbers) if field.text else 0 for field in fields]
    return _skyscrapers(size, rim, fields, cell_givens(givens, size, builder) if givens else [], span, builder)


def _skyscrapers(
    size: int, rim: Sequence[int], words: Sequence[Piece], givens: list[Given], span: Span, builder: PuzzleBuilder
) -> Puzzle:
    """The puzzle of the numbers around it, each with its text."""
    sides = tuple(tuple(rim[start : start + size]) for start in range(0, 4 * size, size))
    return builder.square(size, givens, span, places={i: word.span for i, word in enumerate(words)}, rim=sides)


def _write_towers(puzzle: Skyscrapers) -> str:
    rim = "/".join([str(number or "") for side in puzzle.rim for number in side])
    cells = written_cells(value for row in puzzle.grid() for value in row)
    return f"{puzzle.size}:{rim}{f',{cells}' if puzzle.clues else ''}\n"


def _read_sides(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the numbers of the four sides, each on a line that begins with a letter; 0 where a number is not given.

        4
        G;0;2;0;1
        D;2;0;0;0
        L;0;0;3;0
        P;0;0;0;2

    ``G`` or ``T`` is the top, ``D`` or ``B`` the bottom, ``L`` the left side, ``P`` or ``R`` the right one. The size
    may be missing, and rows of givens may follow, with 0 for a blank.
    """
    lines = text.filled_lines
    stated = lines[0].trimmed if lines and number(lines[0].trimmed.text) is not None else None
    sides: dict[str, list[Piece]] = {}
    rows: list[Row] = []
    for line in lines[stated is not None :]:
        first, *words = line.words(" \t;,:") or [line]
        if side := _LETTERS.get(first.text.upper()):
            if side in sides:
                builder.stop("F605", first.span, f"the numbers of the {side} side are given twice")
            sides[side] = words
        else:
            rows.append(Row([first, *words], line.span))
    if missing := [side for side in SIDES if side not in sides]:
        builder.stop("F604", (text.end, text.end), f"expected a line of the {missing[0]} side, such as G;0;2;0;1")
    size = number(stated.text) or 0 if stated else len(sides["top"])
    span = stated.span if stated else lines[0].span
    builder.check_size(span, MAX_SKYSCRAPERS_SIZE, size)
    words = [word for side in SIDES for word in sides[side]]
    if odd := [side for side in SIDES if len(sides[side]) != size]:
        place = span_of(sides[odd[0]]) if sides[odd[0]] else span
        builder.stop("F609", place, f"expected {size} numbers on the {odd[0]} side, found {len(sides[odd[0]])}")
    givens = NUMBERS.givens(Rows(Shape(size, size, span), rows, text.end).cells(builder), builder) if rows else []
    return _skyscrapers(size, _integers(words, builder), words, givens, span, builder)


def _write_sides(puzzle: Skyscrapers) -> str:
    lines = [";".join([letter, *map(str, side)]) for letter, side in zip("GDLP", puzzle.rim, strict=True)]
    rows = [";".join([str(value or 0) for value in row]) for row in puzzle.grid()] if puzzle.clues else []
    return text_of([str(puzzle.size), *lines, *rows])


TOWERS = Codec(_read_towers, _write_towers, is_by_line=True, max_size=MAX_SKYSCRAPERS_SIZE)
SIDES_BY_LETTER = Codec(_read_sides, _write_sides, max_size=MAX_SKYSCRAPERS_SIZE)

# ---- Nonograms -------------------------------------------------------------------------------------------------------


_Line = tuple[Lengths, Span]
"""The lengths of the blocks of a line, and their place."""


def _nonogram(rows: list[_Line], columns: list[_Line], givens: Givens, span: Span, builder: PuzzleBuilder) -> Puzzle:
    """The puzzle of these lines; one without blocks may be written as 0."""
    shape = Shape(len(rows), len(columns), span)
    builder.check_size(span, MAX_SIDE, *shape[:2])
    named = (("row", rows), ("column", columns))
    places = {f"{name} {i}": place for name, lines in named for i, (_, place) in enumerate(lines, 1)}
    lengths = [tuple([() if found == (0,) else found for found, _ in lines]) for lines in (rows, columns)]
    return builder.build((), givens, shape, range(2), places=places, rows=lengths[0], columns=lengths[1])


def _read_pattern(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read an identifier of Pattern.

        5x3:1.1/1/1/1/2/1.1/2/3

    The size is columns x rows. The columns come first; blocks of a line have dots between them. After a comma there
    may be cells: each letter is a run of cells that are not given and, but for ``z`` and ``Z``, a cell after it that is
    empty or, with a capital, filled.
    """
    identifier = tatham.read_identifier(text, _PATTERN, builder)
    (n_columns, n_rows), span = identifier.size, span_of(identifier.sides)
    builder.check_size(span, MAX_SIDE, n_rows, n_columns)
    fields, known = _fields(identifier.cells, n_rows + n_columns, "lines", builder)
    lines = [(_integers(field.words("."), builder), field.span) for field in fields]
    givens = tatham.bits(known, n_columns, n_rows * n_columns, builder).givens if known else []
    return _nonogram(lines[n_columns:], lines[:n_columns], givens, span, builder)


def _lengths(puzzle: Nonogram) -> tuple[list[Lengths], list[Lengths]]:
    """The lengths of the rows and of the columns."""
    return [lengths or () for lengths in puzzle.rows], [lengths or () for lengths in puzzle.columns]


def _write_pattern(puzzle: Nonogram) -> str:
    rows, columns = _lengths(puzzle)
    fields = "/".join([".".join(map(str, lengths)) for lengths in (*columns, *rows)])
    cells = f",{tatham.written_bits(puzzle)}" if puzzle.clues else ""
    return f"{puzzle.n_columns}x{puzzle.n_rows}:{fields}{cells}\n"


def _read_non(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the lengths below ``rows`` and ``columns``, as in files .non.

        width 3
        height 2
        rows
        1,1
        2
        columns
        1
        2
        1

    A line without blocks is 0. The sizes may be missing, and a title and other fields may come before.
    """
    lines: dict[str, list[_Line]] = {"rows": [], "columns": []}
    heading = ""
    sizes: dict[str, tuple[int, Span]] = {}
    span: Span = (text.start, text.start)
    for line in text.lines:
        first, *rest = line.words() or [line]
        if match := _HEADING.fullmatch(line.trimmed.text):
            heading, span = match[1].lower(), line.span
        elif line.trimmed.text[:1].isdigit() and heading:
            lines[heading].append((_integers(line.words(" \t,"), builder), line.span))
        elif (side := _SIDES_OF_LINES.get(first.text.lower())) and len(rest) == 1:
            sizes[side] = _integers(rest, builder)[0], rest[0].span
        elif line.trimmed.text and not _FIELD.fullmatch(line.trimmed.text):
            builder.stop("F607", line.span, f"expected lengths of blocks, found '{builder.shown(*line.span)}'")
    for name, (n, place) in sizes.items():
        if len(lines[name]) != n:
            builder.stop("F609", place, f"expected {n} {name}, found {len(lines[name])}")
    if not (lines["rows"] and lines["columns"]):
        builder.stop("F604", span, "expected lines of lengths below rows and below columns")
    return _nonogram(lines["rows"], lines["columns"], [], span, builder)


def _write_non(puzzle: Nonogram) -> str:
    rows, columns = ([",".join(map(str, lengths or (0,))) for lengths in lines] for lines in _lengths(puzzle))
    sizes = [f"width {puzzle.n_columns}", f"height {puzzle.n_rows}"]
    return text_of([*sizes, "", "rows", *rows, "", "columns", *columns])


def _read_json(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read lists of lengths in JSON.

        {"rows": [[1, 1], [2]], "columns": [[1], [2], [1]]}

    ``cols`` is ``columns``, too, and both may be under a key. A line of one block may be its length alone.
    """
    root, _ = document(text, builder)
    found = next((value.fields for value in (root, *root.fields.values()) if "rows" in value.fields), root.fields)
    lines: list[list[_Line]] = []
    for side in (found.get("rows"), found.get("columns", found.get("cols"))):
        if side is None or side.sign != "[":
            builder.stop("F604", root.span, "expected lists of lengths under rows and columns")
        words = [[length.token for length in line.items] if line.sign == "[" else [line.token] for line in side.items]
        lines.append([(_integers(of, builder), line.span) for of, line in zip(words, side.items, strict=True)])
    return _nonogram(lines[0], lines[1], [], root.span, builder)


def _write_json(puzzle: Nonogram) -> str:
    return json.dumps(dict(zip(("rows", "columns"), _lengths(puzzle), strict=True))) + "\n"


PATTERN = Codec(_read_pattern, _write_pattern, is_by_line=True)
NON = Codec(_read_non, _write_non)
ROWS_AND_COLUMNS = Codec(_read_json, _write_json, is_document=True)
