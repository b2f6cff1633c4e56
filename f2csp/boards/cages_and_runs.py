"""KenKen, as identifiers of Keen or as letters of cages and their totals; Kakuro, as rows of cells."""

import re
from collections.abc import Sequence
from itertools import groupby
from string import ascii_letters, digits

from f2csp.arrays import grouped
from f2csp.boards import tatham
from f2csp.boards.cell_rows import Row, Rows, rows_of, usual, written_rows
from f2csp.boards.pieces import Piece, Span, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Shape, Unreadable, text_of
from f2csp.boards.solo import cage_labels, edge_blocks, written_blocks
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.kakuro import Kakuro, Sums
from f2csp.puzzles.kenken import MAX_KENKEN_SIZE, KenKen
from f2csp.puzzles.puzzle import MAX_SIDE, Cell, Puzzle
from f2csp.puzzles.squares import cells_by_label

_KEEN = tatham.Program("Keen", "a KenKen", 1, re.compile(r"(?:d[enhxu])?m?"), {})
_EDGES = re.compile(r"(?P<run>[a-z_][0-9]*+)|(?P<unknown>[^a-z_]++)")
_CLUE = re.compile(r"(?P<clue>[amsd][0-9]++)|(?P<unknown>[^amsd]++|[amsd])")
_OPERATIONS = {"a": "+", "m": "x", "s": "-", "d": "/"}
_SIGNS = dict(zip("+-−–*xX×·/÷:", "+---xxxxx///", strict=True)) | {"=": "", "": ""}
_LETTER = re.compile(r"\S")
_TOTAL = re.compile(r"(?:(?P<before>[^\w\s])\s*)?(?P<total>[0-9]+)\s*(?P<after>[^\w\s]|[xX])?")

# ---- KenKen ----------------------------------------------------------------------------------------------------------


def _read_keen(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read an identifier of Keen.

        4:_baa_ab_6aa_,d2a9m4s1s2m12d2

    After the size come the lines between the cells, as in identifiers of Solo; a number after a letter repeats it.
    After a comma each cage, by its first cell, has a letter (add, multiply, subtract, divide) and its total.
    """
    identifier = tatham.read_identifier(text, _KEEN, builder)
    cells, size, span = identifier.cells, identifier.size[0], span_of(identifier.sides)
    builder.check_size(span, MAX_KENKEN_SIZE, size)
    before, comma, _ = cells.text.partition(",")
    if not comma:
        builder.stop("F615", (cells.end, cells.end), "expected the totals of the cages after a comma")
    labels = edge_blocks(cells.part(0, len(before)), size, builder, _EDGES)
    totals = cells.part(len(before) + 1, len(cells.text))
    clues = []
    for kind, item in totals.tokens(_CLUE):
        if kind == "unknown":
            builder.fault("F610", item.span, f"expected a, m, s or d and a total, found '{item.text}'")
        clues.append(item)
    if labels is None or not builder.is_sound:
        raise Unreadable
    members = [*cells_by_label(labels).values()]
    if len(clues) != len(members):
        builder.stop("F609", totals.span, f"expected {len(members)} totals of cages, found {len(clues)}")
    cages = {
        Cage(number(clue.text[1:]) or 0, tuple(cells), _OPERATIONS[clue.text[0]]): clue.span
        for clue, cells in zip(clues, members, strict=True)
    }
    return builder.square(size, [], span, cages=cages)


def _write_keen(puzzle: KenKen) -> str:
    letters = {sign: letter for letter, sign in _OPERATIONS.items()} | {"": "a"}
    runs = [(letter, len(list(same))) for letter, same in groupby(written_blocks(cage_labels(puzzle)))]
    edges = "".join([letter * n if n < 3 else f"{letter}{n}" for letter, n in runs])
    return f"{puzzle.size}:{edges},{''.join([f'{letters[cage.operation]}{cage.total}' for cage in puzzle.cages])}\n"


def _read_letters(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read rows of letters, one for each cage, and below them a line with the total of each.

        A A B
        A C B
        D C B
        A 5+
        B 6x
        C 3
        D 1

    Cells may have blanks between them, and a size may come first. A total may follow a colon or an equals sign, and the
    sign of its operation may come before or after it; without a sign any operation may give the total.
    """
    lines = [line for line in text.filled_lines if not line.trimmed.text.startswith("#")]
    if lines and lines[0].trimmed.text.isdigit():
        lines = lines[1:]
    first = next((i for i, line in enumerate(lines) if re.search(r"(?<=[\s:=])[^A-Za-z]*[0-9]", line.text)), len(lines))
    pairs = [(line, line.words(" \t,|")) for line in lines[:first]]
    rows = [Row(words if len(words) > 1 else line.matches(_LETTER), line.span) for line, words in pairs]
    if not rows:
        builder.stop("F604", (text.end, text.end), "expected rows of letters of cages")
    size, span = len(rows), span_of(lines)
    builder.check_size(span, MAX_KENKEN_SIZE, size)
    cells = Rows(Shape(size, size, span), rows, text.end).cells(builder)
    members = grouped((label.text, Cell(row, column)) for row, column, label in cells)
    builder.require_sound()
    named: set[str] = set()
    totals: dict[Cage, Span] = {}
    for line in lines[first:]:
        name, *_ = line.words(" \t:=") or [line]
        match = _TOTAL.fullmatch(line.text.partition(name.text)[2].strip(" \t:="))
        sign = (match["before"] or match["after"] or "") if match else "?"
        if match is None or sign not in _SIGNS or name.text not in members:
            builder.fault("F607", line.span, f"expected a cage and a total such as A 12+, found '{line.trimmed.text}'")
        elif name.text in named:
            builder.fault("F605", name.span, f"the cage {name.text} has a second total")
        else:
            named.add(name.text)
            totals[Cage(number(match["total"]) or 0, tuple(members[name.text]), _SIGNS[sign])] = line.span
    for missing in sorted(members.keys() - named) if builder.is_sound else ():
        builder.fault("F604", span, f"the cage {missing} has no total")
    return builder.square(size, [], span, cages=totals)


def _write_letters(puzzle: KenKen) -> str:
    labels = cage_labels(puzzle)
    names = [*ascii_letters, *(f"{a}{b}" for a in ascii_letters for b in ascii_letters + digits)]
    rows = [" ".join([names[label - 1] for label in row]) for row in labels]
    totals = [f"{name} {cage.total}{cage.operation}" for name, cage in zip(names, puzzle.cages, strict=False)]
    return text_of([*rows, *totals])


KEEN = Codec(_read_keen, _write_keen, is_by_line=True, max_size=MAX_KENKEN_SIZE)
CAGE_LETTERS = Codec(_read_letters, _write_letters, max_size=MAX_KENKEN_SIZE)

# ---- Kakuro ----------------------------------------------------------------------------------------------------------

_BLACK = frozenset({"#", "X", "x", "*", "■", "█", "-1"})
_WHITE = frozenset({"", ".", "0", "?", "□"})
_REMARK = re.compile(r"\s*(?:#\s*[A-Za-z]|//)")
_SIZE = re.compile(r"\s*[0-9]+(?:[ x,]+[0-9]+)?\s*")
_SUMS = re.compile(r"C?(?P<down>[0-9]*)[\\/:,F](?P<across>[0-9]*)|C(?P<alone>[0-9]+)")


def _read_kakuro(text: Text, builder: PuzzleBuilder) -> Puzzle:
    r"""Read rows of cells with blanks, commas or bars between them.

        #    4\   11\  #
        \4   .    .    3\
        \11  .    .    .
        #    #    .    .

    A black cell is ``#`` or the sum below it, a backslash, and the sum to its right; a white cell is ``.``, or a digit
    that is given. The sign between the sums can be a slash, a colon or a comma, and ``C4F11`` is 4 below and 11 to the
    right. ``-`` is a black cell if there is another sign for white ones.
    """
    lines = [line for line in text.filled_lines if not _REMARK.match(line.text)]
    lines = lines[1:] if len(lines) > 1 and _SIZE.fullmatch(lines[0].text) else lines
    if not lines:
        builder.stop("F604", (text.end, text.end), "expected rows of cells")
    rows = _kakuro_rows(lines)
    shape = Shape(len(rows), usual(len(row.cells) for row in rows), span_of(lines))
    builder.check_size(shape.span, MAX_SIDE, *shape[:2])
    cells = Rows(shape, rows, text.end).cells(builder)
    has_white = any(word.text in _WHITE or set(word.text) == {"_"} for _, _, word in cells)
    black, givens, places = [], [], {}
    for row, column, word in cells:
        match = _SUMS.fullmatch(word.text)
        if match or word.text in _BLACK or (word.text == "-" and has_white):
            down, across = (match["down"] or match["alone"] or "", match["across"] or "") if match else ("", "")
            black.append(Sums(Cell(row, column), number(down) or None, number(across) or None))
            places[Cell(row, column)] = word.span
        elif word.text.isdigit() and word.text != "0":
            givens.append(Given(row, column, number(word.text) or 0, word.span))
        elif word.text not in _WHITE and set(word.text) not in ({"_"}, {"-"}):
            builder.fault("F607", word.span, f"expected a cell, found '{builder.shown(*word.span)}'")
    return builder.build(shape[:2], givens, shape, range(1, 10), black=tuple(black), places=places)


def _kakuro_rows(lines: Sequence[Piece]) -> list[Row]:
    """The rows: fields between commas, which may be empty, or words; a comma can be within a word."""
    has_signs = any(sign in line.text for line in lines for sign in "\\/:F")
    if has_signs and all("," in line.text for line in lines):
        return [Row([field.trimmed for field in line.fields(",")], line.span) for line in lines]
    return rows_of(lines, " \t,;|" if has_signs else " \t;|")


def _write_kakuro(puzzle: Kakuro) -> str:
    rows = written_rows(puzzle, ".")
    for (row, column), sums in puzzle.layout().blocks.items():
        rows[row - 1][column - 1] = sums or "#"
    width = max(len(text) for row in rows for text in row)
    return text_of([" ".join([text.ljust(width) for text in row]).rstrip() for row in rows])


KAKURO = Codec(_read_kakuro, _write_kakuro)
