"""Latin squares as MiniZinc data, ``.dzn``; ``grammars/minizinc_data.lark`` defines the language."""

import re
from collections.abc import Sequence
from itertools import takewhile

from f2csp.boards.cell_rows import Row, Rows, Symbols
from f2csp.boards.pieces import Piece, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, Shape, Unreadable
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_COMMENT = r"%[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/"
_GAP = rf"(?:[ \t\r\n]++|{_COMMENT})*+"
_NAME = rf"[A-Za-z_][A-Za-z0-9_]*+(?={_GAP}=)"
_WORD = r"(?:[^ \t\r\n;=|\[\],%/]|/(?!\*))++"
_TOKEN = re.compile(rf"{_COMMENT}|(?P<name>{_NAME})|(?P<unclosed>/\*(?s:.*))|(?P<word>{_WORD})|(?P<sign>[;=|\[\],])")
_SIGNS = frozenset(";=|[],")

_NUMBERS = Symbols({"0"}, has_negatives=True)


def _read(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a square: its size, and an array of its rows with 0 for a blank, under any names.

        % a comment, as is /* this */
        N = 4;
        start =
        [| 1, 0, 0, 0
         | 0, 0, 1, 0
         | 0, 2, 0, 0
         | 0, 0, 0, 3 |];

    The MiniZinc Handbook describes data files and arrays.
    """
    statements = _statements(text, builder)
    found: dict[str, list[Piece]] = {}  # the tokens of the size and of the array
    for tokens in statements[1:]:
        end = next((at for at, piece in enumerate(tokens) if piece.text == ";"), len(tokens))
        _report_strays(tokens[end + 1 :], builder)
        if end == len(tokens) and tokens is not statements[-1]:
            builder.fault("F615", (tokens[-1].end,) * 2, "expected a semicolon")
        what = "array" if any(piece.text in "[|]" for piece in tokens[:end]) else "number"
        first, name = found.setdefault(what, tokens[:end])[0], tokens[0]
        if first is not name:
            message = f"'{name.text}' is a second {what} after '{first.text}'"
            builder.fault("F615", name.span, message, "keep one of the two")
    size = _size(found["number"], builder) if "number" in found else None
    rows = _rows(found["array"][2:], builder) if "array" in found else None
    if builder.is_sound and len(found) < 2:  # else the missing part may be there and faulty
        code, missing = ("F615", "array of the rows") if "number" in found else ("F604", "size of the board")
        builder.fault(code, (text.end, text.end), f"the {missing} is missing")
    if size is None or rows is None:
        raise Unreadable
    n = number(size.text) or 0
    builder.check_size(size.span, MAX_SIZE, n)
    *_, last = takewhile(lambda piece: piece.text != "]", found["array"])
    return Rows(Shape(n, n, size.span), rows, last.end).puzzle(builder, _NUMBERS)


def _statements(text: Text, builder: PuzzleBuilder) -> list[list[Piece]]:
    """The tokens before the first assignment, which are faults, and those of each assignment, from its name on."""
    statements: list[list[Piece]] = [[]]
    for kind, piece in text.piece.tokens(_TOKEN):
        if kind == "unclosed":
            builder.fault("F615", piece.span, "the comment is not closed")
            continue
        if kind == "name":
            statements.append([])
        statements[-1].append(piece)
    _report_strays(statements[0], builder)
    return statements


def _report_strays(tokens: Sequence[Piece], builder: PuzzleBuilder) -> None:
    if tokens:
        builder.fault("F606", span_of(tokens), "unexpected text", "remove it")


def _size(tokens: Sequence[Piece], builder: PuzzleBuilder) -> Piece | None:
    (name, equals, *value) = tokens
    if not value:
        builder.fault("F604", (equals.end, equals.end), f"'{name.text}' has no value")
        return None
    size, *others = value
    is_size = _NUMBERS.knows(size.text)
    if not is_size:
        builder.fault("F607", size.span, f"expected the size in digits, found '{size.text}'")
    if others:
        is_list = is_size and others[0].text == "," and len(others) > 1
        builder.fault("F606", span_of(others[is_list:]), "unexpected text after the size")
    return size if is_size else None


def _rows(value: Sequence[Piece], builder: PuzzleBuilder) -> list[Row] | None:
    """The rows of an array; None if it does not begin with one."""
    texts = [piece.text for piece in value]
    if texts[:2] != ["[", "|"]:
        builder.fault("F615", value[0].span, "expected [| at the beginning of the array")
        return None
    close = texts.index("]") if "]" in texts else len(texts)
    if close == len(texts):
        builder.fault("F615", (value[-1].end,) * 2, "the array is not closed")
    elif close == 2 or texts[close - 1] != "|":
        builder.fault("F615", value[close].span, "expected a | before this ]")
    _report_strays(value[close + 1 :], builder)
    bars = [at for at in range(2, close) if texts[at] == "|"]
    ends = bars if texts[close - 1] == "|" and bars else [*bars, close]
    rows = [value[start:end] for start, end in zip([2, *(bar + 1 for bar in bars)], ends, strict=False)]
    if not rows[-1] and (len(rows) > 1 or not bars):  # a last bar more
        rows, ends = rows[:-1], ends[:-1]
    return [_row(row, value[min(end, len(value) - 1)].start, builder) for row, end in zip(rows, ends, strict=True)]


def _row(tokens: Sequence[Piece], end: int, builder: PuzzleBuilder) -> Row:
    before = ","
    for piece in tokens:
        sign = piece.text if piece.text in _SIGNS else "word"
        if sign == before == ",":
            builder.fault("F604", piece.span, "expected a cell before this comma")
        elif sign == before == "word":
            builder.fault("F615", piece.span, "expected a comma before this cell")
        elif sign not in (",", "word"):
            builder.fault("F615", piece.span, f"unexpected '{piece.text}' in a row")
        before = sign
    cells = [piece for piece in tokens if piece.text not in _SIGNS]
    return Row(cells, span_of(cells) if cells else (end, end))


def _write(square: LatinSquare) -> str:
    rows = "\n | ".join([", ".join([str(value or 0) for value in row]) for row in square.grid()])
    return f"N = {square.size};\nstart =\n[| {rows} |];\n"


DZN = Codec(_read, _write)
