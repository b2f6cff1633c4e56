"""Latin squares as MiniZinc data, ``.dzn``: the size, and an array of the rows with 0 for a blank.

    % any names will do
    N = 4;
    start =
    [| 1, 0, 0, 0
     | 0, 0, 1, 0
     | 0, 2, 0, 0
     | 0, 0, 0, 3 |];

``grammars/minizinc_data.lark`` is the grammar; the MiniZinc Handbook describes data files and arrays.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.reading import Given, Reading
from f2csp.puzzles.files.rows import Row, Shape, placed_cells
from f2csp.puzzles.files.text import Span, Text, Word, number, shown_bytes
from f2csp.puzzles.files.writing import grid, of_kind
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE
from f2csp.text.terminals import parser

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lark import Lark, Token, Tree

_GAP = rb"(?:[ \t\r\n]++|%[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)*+"  # blanks and comments
_ASSIGNMENT = re.compile(_GAP + rb"[A-Za-z_][A-Za-z0-9_]*+" + _GAP + b"=")
_ARRAY = re.compile(b"=" + _GAP + rb"\[" + _GAP + rb"\|")
_WORD = re.compile(r"[^ \t\r\n,]++")
_SIGN = re.compile(r".")
_NEGATIVE = re.compile(r"-[0-9]+")
_OF_ARRAYS = frozenset({"OPEN", "BAR", "CLOSE"})
_SIZE_HINT = "write the size with a name, such as N = 9;"
_BOARD_HINT = "write the rows with a name and bars, such as start = [| 1, 0 | 0, 2 |];"


def looks_like(text: Text) -> Likeness:
    """Whether there is an array of rows after an equals sign, or at least an assignment first."""
    head = text.head().data
    if _ARRAY.search(head):
        return Likeness.SOUND
    return Likeness.FAINT if _ASSIGNMENT.match(head) else Likeness.NONE


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read a square; all its faults are told."""
    reader = _Reader(text, reading)
    # Latin-1 makes a byte a character, so that lark's offsets are byte offsets.
    reader.take(_parser().parse(text.data.decode("latin-1")))
    return reader.finish()


def write(puzzle: Puzzle) -> str:
    """The size as ``N`` and the board as ``start``."""
    square = of_kind(puzzle, LatinSquare)
    rows = "\n | ".join([", ".join([str(value or 0) for value in row]) for row in grid(square)])
    return f"N = {square.size};\nstart =\n[| {rows} |];\n"


@cache
def _parser() -> Lark:
    return parser("minizinc_data.lark", start="tolerant")


class _Reader:
    """Takes the assignments, keeps the size and the rows, and says what is wrong."""

    def __init__(self, text: Text, reading: Reading) -> None:
        self._text = text
        self._reading = reading
        self._size_name: Token | None = None
        self._size: Word | None = None
        self._board_name: Token | None = None
        self._rows: list[Row] | None = None
        self._rows_end = text.end

    def take(self, tree: Tree[Token]) -> None:
        """Take all that the file holds."""
        self._tell_strays(self._closed(tree.children))
        assignments = [self._closed(child.children) for child in tree.children if not isinstance(child, str)]
        for tokens, following in zip_longest(assignments, assignments[1:]):
            self._take_assignment(tokens, is_last=following is None)

    def finish(self) -> Puzzle | None:
        """Say what is missing, and give the puzzle if there is one."""
        end = self._text.end
        if not self._reading.collector.n_errors:  # else what is missing may be there and faulty
            if self._size_name is None:
                self._reading.fault("F604", (end, end), "the size of the board is missing", hint=_SIZE_HINT)
            elif self._board_name is None:
                self._reading.fault("F615", (end, end), "the array of the rows is missing", hint=_BOARD_HINT)
        if self._size is None or self._rows is None:
            return None
        size = number(self._size.text) or 0
        if not 1 <= size <= MAX_SIZE:
            return self._reading.square(size, (), self._size.span)
        shape = Shape(size, size, self._size.span)
        cells = placed_cells(self._rows, shape, self._rows_end, self._reading)
        givens = [self._given(row, column, word) for row, column, word in cells]
        return self._reading.square(size, [given for given in givens if given and given.value], self._size.span)

    def _closed(self, items: Sequence[Token | Tree[Token]]) -> list[Token]:
        """The tokens among these, without a comment that goes on to the end of the text."""
        tokens = [item for item in items if isinstance(item, str)]  # a token is a string
        if tokens and tokens[-1].type == "UNCLOSED":
            self._fault("F615", [tokens.pop()], "this comment is not closed", "write */ after it")
        return tokens

    def _take_assignment(self, tokens: list[Token], *, is_last: bool) -> None:
        end = next((at for at, token in enumerate(tokens) if token.type == "END"), len(tokens))
        (name, equals, *value), strays = tokens[:end], tokens[end + 1 :]
        self._tell_strays(strays)
        if end == len(tokens) and not is_last:
            self._fault("F615", tokens[-1:], "a semicolon is due here", "write ; after each assignment", is_after=True)
        if _OF_ARRAYS.isdisjoint(token.type for token in value):
            self._take_size(name, equals, value)
        else:
            self._take_board(name, value)

    def _take_size(self, name: Token, equals: Token, value: list[Token]) -> None:
        if self._size_name is not None:
            self._fault(
                "F615", [name], f"'{name}' is a second number beside '{self._size_name}'", "keep the size alone"
            )
            return
        self._size_name = name
        words = [word for token in value for word in self._words(token)]
        if not words:
            self._fault("F604", [equals], f"'{name}' has no value", _SIZE_HINT, is_after=True)
            return
        first, *others = words
        if _is_number(first):
            self._size = first
        else:
            message = f"the size is '{shown_bytes(first.text)}', not a number in digits"
            self._reading.fault("F607", first.span, message, hint=_SIZE_HINT)
        if others:
            span = others[0].start, others[-1].end
            self._reading.fault("F606", span, "something stands beside the size", hint=_SIZE_HINT)

    def _take_board(self, name: Token, value: list[Token]) -> None:
        if self._board_name is not None:
            self._fault(
                "F615", [name], f"'{name}' is a second array beside '{self._board_name}'", "keep one of the two"
            )
            return
        self._board_name = name
        types = [token.type for token in value]
        if types[:2] != ["OPEN", "BAR"]:
            self._fault("F615", value[:1], "an array of rows begins with [|", _BOARD_HINT)
            return
        close = types.index("CLOSE") if "CLOSE" in types else len(types)
        if close == len(types):
            self._fault("F615", value[-1:], "the array is not closed", "write |] after the last row", is_after=True)
        elif types[2 : close + 1][-2:] != ["BAR", "CLOSE"]:
            self._fault("F615", value[close : close + 1], "a | is due before this ]", "write |] after the last row")
        if value[close + 1 :]:
            self._fault("F606", value[close + 1 :], "something stands behind the array", "remove it")
        self._rows = [self._row(row, bar) for row, bar in _rows(value[2:close])]
        self._rows_end = self._span(value[:close])[1]

    def _row(self, tokens: list[Token], bar: Token) -> Row:
        """The cells of a row; the bar is behind it."""
        cells: list[Word] = []
        before = "COMMA"
        for token in tokens:
            if token.type == before == "COMMA":
                self._fault("F604", [token], "a cell is due before this comma", "write 0 for a blank")
            elif token.type == before == "WORDS":
                self._fault("F615", [token], "a comma is due before this", "write a comma after each cell")
            elif token.type not in ("COMMA", "WORDS"):
                self._fault("F615", [token], f"'{token}' has no place in a row", _BOARD_HINT)
            cells += self._words(token) if token.type == "WORDS" else ()
            before = token.type
        start, _ = self._span([bar])
        return Row(cells, (cells[0].start, cells[-1].end) if cells else (start, start))

    def _given(self, row: int, column: int, word: Word) -> Given | None:
        """The value of a cell; None if it is no number."""
        if _is_number(word):
            value = number(word.text)
            return Given(row, column, -1 if value is None else value, *word.span)
        message = f"the value at {Cell(row, column)} is '{shown_bytes(word.text)}', not a number in digits"
        self._reading.fault("F607", word.span, message, hint="write values in digits, and 0 for a blank")
        return None

    def _words(self, token: Token) -> list[Word]:
        """The words in a token; all of it if it is a sign."""
        start, _ = self._span([token])
        pattern = _WORD if token.type == "WORDS" else _SIGN
        return [Word(match[0], start + match.start(), start + match.end()) for match in pattern.finditer(token)]

    def _tell_strays(self, tokens: list[Token]) -> None:
        if tokens:
            self._fault("F606", tokens, "something stands here that belongs to no assignment", "remove it")

    def _fault(self, code: str, tokens: Sequence[Token], message: str, hint: str, *, is_after: bool = False) -> None:
        """Tell a fault of these tokens, or of the place after them."""
        start, end = self._span(tokens)
        self._reading.fault(code, (end if is_after else start, end), message, hint=hint)

    def _span(self, tokens: Sequence[Token]) -> Span:
        """From the first of the tokens to the last."""
        first, last = (self._text.start + (token.start_pos or 0) for token in (tokens[0], tokens[-1]))
        return first, last + len(tokens[-1])


def _rows(tokens: list[Token]) -> Iterator[tuple[list[Token], Token]]:
    """The tokens of each row with the bar behind it; a last row without cells is none."""
    start = 0
    bars = [at for at, token in enumerate(tokens) if token.type == "BAR"]
    for at in bars:
        if at > start or at < bars[-1] or start == 0:
            yield tokens[start:at], tokens[at]
        start = at + 1
    if start < len(tokens):  # its bar is missing
        yield tokens[start:], tokens[-1]


def _is_number(word: Word) -> bool:
    return number(word.text) is not None or _NEGATIVE.fullmatch(word.text) is not None
