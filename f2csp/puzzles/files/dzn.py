"""Latin squares as MiniZinc data, ``.dzn``; ``grammars/minizinc_data.lark`` defines the language."""

import re
from collections.abc import Iterator, Sequence

from f2csp.puzzles.files.cell_rows import Row, Rows, Shape, Symbols
from f2csp.puzzles.files.page import Piece, Text, number, span_of
from f2csp.puzzles.files.puzzle_builder import Codec, Likeness, PuzzleBuilder, Unreadable, of_kind
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_COMMENT = r"%[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/"
_GAP = rf"(?:[ \t\r\n]++|{_COMMENT})*+"
_NAME = rf"[A-Za-z_][A-Za-z0-9_]*+(?={_GAP}=)"
_WORD = r"(?:[^ \t\r\n;=|\[\],%/]|/(?!\*))++"
_TOKEN = re.compile(rf"{_COMMENT}|(?P<name>{_NAME})|(?P<unclosed>/\*(?s:.*))|(?P<word>{_WORD})|(?P<sign>[;=|\[\],])")
_ASSIGNMENT = re.compile((_GAP + _NAME).encode())
_ARRAY = re.compile(rf"={_GAP}\[{_GAP}\|".encode())

_NUMBERS = Symbols(frozenset("0"), "write values in digits, and 0 for a blank", has_negatives=True)
_SIZE_HINT = "write the size with a name, such as N = 9;"
_BOARD_HINT = "write the rows with a name and bars, such as start = [| 1, 0 | 0, 2 |];"


def _looks_like(text: Text) -> Likeness:
    """Whether there is an array of rows after an equals sign, or at least an assignment first."""
    head = text.head().data
    if _ARRAY.search(head):
        return Likeness.SOUND
    return Likeness.FAINT if _ASSIGNMENT.match(head) else Likeness.NONE


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
    return _Reader(builder).read(text)


def _write(puzzle: Puzzle) -> str:
    square = of_kind(puzzle, LatinSquare)
    rows = "\n | ".join([", ".join([str(value or 0) for value in row]) for row in square.grid()])
    return f"N = {square.size};\nstart =\n[| {rows} |];\n"


DZN = Codec(_looks_like, _read, _write)


_Token = tuple[str, Piece]  # its kind: "name", "word", "unclosed", or "sign"


class _Reader:
    """Takes the assignments, and keeps the size and the rows."""

    def __init__(self, builder: PuzzleBuilder) -> None:
        self._builder = builder
        self._names: dict[str, Piece] = {}  # of the size and of the array of the rows
        self._size: Piece | None = None
        self._rows: list[Row] | None = None
        self._rows_end = 0

    def read(self, text: Text) -> Puzzle:
        """Read what belongs to no assignment, and the assignments, each from its name on."""
        groups: list[list[_Token]] = [[]]
        for kind, piece in text.piece.tokens(_TOKEN):
            if kind == "unclosed":
                self._fault("F615", [piece], "the comment is not closed", "write */ after it")
                continue
            if kind == "name":
                groups.append([])
            groups[-1].append((kind, piece))
        self._report_strays(groups[0])
        for group in groups[1:]:
            self._take_assignment(group, is_last=group is groups[-1])
        if self._builder.is_sound:  # else the missing part may be there and faulty
            end = [Piece("", text.end)]
            if "number" not in self._names:
                self._fault("F604", end, "the size of the board is missing", _SIZE_HINT)
            elif "array" not in self._names:
                self._fault("F615", end, "the array of the rows is missing", _BOARD_HINT)
        if self._size is None or self._rows is None:
            raise Unreadable
        size, span = number(self._size.text) or 0, self._size.span
        self._builder.check_size(span, MAX_SIZE, size)
        return Rows(Shape(size, size, span), self._rows, self._rows_end).puzzle(self._builder, _NUMBERS)

    def _take_assignment(self, tokens: list[_Token], *, is_last: bool) -> None:
        end = next((at for at, (_, piece) in enumerate(tokens) if piece.text == ";"), len(tokens))
        (_, name), (_, equals), *value = tokens[:end]
        self._report_strays(tokens[end + 1 :])
        if end == len(tokens) and not is_last:
            self._fault("F615", [Piece("", tokens[-1][1].end)], "expected a semicolon", "write ; after each assignment")
        is_board = any(piece.text in "[|]" for _, piece in value)
        what = "array" if is_board else "number"
        earlier = self._names.setdefault(what, name)
        if earlier is not name:
            hint = "keep one of the two" if is_board else "keep the size alone"
            self._fault("F615", [name], f"'{name.text}' is a second {what} after '{earlier.text}'", hint)
        elif is_board:
            self._take_board(value)
        else:
            kinds = ["", *[kind for kind, _ in value], ""]
            around = zip(value, kinds, kinds[2:], strict=False)
            is_list = ("word", ",", "word")  # its commas are no text of their own
            words = [piece for (_, piece), before, after in around if (before, piece.text, after) != is_list]
            self._take_size(name, equals, words)

    def _take_size(self, name: Piece, equals: Piece, words: list[Piece]) -> None:
        if not words:
            self._fault("F604", [Piece("", equals.end)], f"'{name.text}' has no value", _SIZE_HINT)
            return
        first, *others = words
        if _NUMBERS.knows(first.text):
            self._size = first
        else:
            self._fault("F607", [first], f"expected the size in digits, found '{first.text}'", _SIZE_HINT)
        if others:
            self._fault("F606", others, "unexpected text after the size", _SIZE_HINT)

    def _take_board(self, value: list[_Token]) -> None:
        signs = [piece.text for _, piece in value]
        if signs[:2] != ["[", "|"]:
            self._fault("F615", [value[0][1]], "expected [| at the beginning of the array", _BOARD_HINT)
            return
        close = signs.index("]") if "]" in signs else len(signs)
        hint = "write |] after the last row"
        if close == len(signs):
            self._fault("F615", [Piece("", value[-1][1].end)], "the array is not closed", hint)
        elif close == 2 or signs[close - 1] != "|":
            self._fault("F615", [value[close][1]], "expected a | before this ]", hint)
        self._report_strays(value[close + 1 :])
        self._rows = [self._row(row, bar) for row, bar in _rows(value[2:close])]
        self._rows_end = value[close - 1][1].end

    def _row(self, tokens: list[_Token], bar: Piece) -> Row:
        """The cells of a row; the bar is behind it."""
        before = ","
        for kind, piece in tokens:
            sign = piece.text if kind == "sign" else kind
            if sign == before == ",":
                self._fault("F604", [piece], "expected a cell before this comma", "write 0 for a blank")
            elif sign == before == "word":
                self._fault("F615", [piece], "expected a comma before this cell", "write a comma after each cell")
            elif sign not in (",", "word"):
                self._fault("F615", [piece], f"unexpected '{piece.text}' in a row", _BOARD_HINT)
            before = sign
        cells = [piece for kind, piece in tokens if kind == "word"]
        return Row(cells, span_of(cells) if cells else (bar.start, bar.start))

    def _report_strays(self, tokens: list[_Token]) -> None:
        if tokens:
            self._fault("F606", [piece for _, piece in tokens], "unexpected text", "remove it")

    def _fault(self, code: str, pieces: Sequence[Piece], message: str, hint: str) -> None:
        self._builder.fault(code, span_of(pieces), message, hint=hint)


def _rows(tokens: list[_Token]) -> Iterator[tuple[list[_Token], Piece]]:
    """The tokens of each row with the bar behind it; a last row without cells is none."""
    start = 0
    bars = [at for at, (_, piece) in enumerate(tokens) if piece.text == "|"]
    for at in bars:
        if at > start or at < bars[-1] or start == 0:
            yield tokens[start:at], tokens[at][1]
        start = at + 1
    if start < len(tokens):  # its bar is missing
        yield tokens[start:], tokens[-1][1]
