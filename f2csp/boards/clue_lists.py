"""Puzzles as lists of clues: clue files, which ``grammars/clues.lark`` defines, and lists in other spellings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from f2csp.boards.cell_rows import needs_name
from f2csp.boards.pieces import HUGE, Piece, Span, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Shape, Unreadable, shortened, text_of
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE, Square
from f2csp.puzzles.sudoku import BOX, Box, Sudoku

_NUMBERS = ("row", "column", "value")
_SIZE, _COUNT = "size of the board", "number of clues"
_ZERO_HINT = "rows and columns count from 1; if the file counts from 0, add 1 to all of them"
_UNCLEAR_HINT = "write the board as rows of cells"
_COMMAS = re.compile(r"[ \t]*+[0-9]++(?:[ \t]*+,[ \t]*+[0-9]++){1,2}+[ \t]*+")
_MAX_REMARKS = 20  # faults before the size of the board, in a text that is likely something else
_MIN_WITHOUT_COUNT = 4  # the least size: three rows of three numbers are a matrix
_FACTS = re.compile(
    r"%.*|(?P<clue>[a-z]\w*\([ \t]*[0-9]+(?:[ \t]*,[ \t]*[0-9]+){2}[ \t]*\)[ \t]*\.)"
    r"|(?P<size>(?:#const[ \t]+)?[a-z]\w*[ \t]*[=(][ \t]*(?:1[ \t]*\.\.[ \t]*)?[0-9]+[ \t]*\)?[ \t]*\.)"
    r"|(?P<unknown>\S+)"
)
_FACT_START = re.compile(rb"\s*+[%#a-z]")
_DIGITS = re.compile(r"(?<!\w)[0-9]+")

Clues = tuple[int, Span, list[Given]]
"""The size of a board, its place, and the clues."""


def _read(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a list: the size of the board, the number of clues, and row, column and value of each.

        9
        2
        1 1 5
        3 7 2

    Numbers are ASCII digits, with or without leading zeros. Behind the size there can be the box of a Sudoku, such as
    ``6 2x3``, or the name of the kind, such as ``9 latin``.
    """
    lines = [*_strict_lines(text, builder)]
    box = _taken_box(lines[0], builder.kind) if lines else None
    size, span, clues = ClueReader(builder, lines).read(text.end)
    return builder.square(size, clues, span, box)


def _taken_box(words: list[Piece], kind: str) -> Box | None:
    """The box behind the size; it is taken away, as is the name of the kind."""
    match = BOX.fullmatch(words[1].text) if len(words) == 2 and kind == Sudoku.KIND else None
    if match or [word.text for word in words[1:]] == [kind]:
        words.pop()
    return (int(match[1]), int(match[2])) if match else None


def _strict_lines(text: Text, builder: PuzzleBuilder) -> Iterator[list[Piece]]:
    """The words of each line; the first commas are a fault."""
    has_commas = False
    for line in text.lines:
        are_commas = _COMMAS.fullmatch(line.text) is not None
        if are_commas and not has_commas:
            has_commas = True
            builder.fault("F606", line.span, f"expected blanks between numbers, found '{shortened(line.trimmed.text)}'")
        if words := line.words(" \t," if are_commas else " \t"):
            yield words


def _read_triples(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read clues in any order, each a row, a column and a value, that count from 1 or from 0.

        4
        0 1 0
        3 0 1

    The size is above them, perhaps with the number of clues below. There can be commas between the numbers and
    semicolons at the ends of lines, or no line ends at all. In an answer set program clues are facts such as
    ``given(1,1,5).``, and another fact can give the size: ``size(9).`` or ``#const n = 9.``.

    Lists count from 0 if two clues have a row or a column of 0, and none has one of the size; a list of a Sudoku or a
    Latin square with the number of its clues is a clue file, which counts from 1.
    """
    lines = _facts(text, builder) or [words for line in text.lines if (words := _separated(line))]
    if len(lines) == 1 and len(lines[0]) > len(_NUMBERS):
        words = lines[0]
        if (len(words) - 2) % len(_NUMBERS):
            message = "the line ends are missing, and the numbers are no size, number of clues and clues"
            builder.stop("F604", span_of(words), message)
        lines = [words[:1], words[1:2], *(words[at : at + len(_NUMBERS)] for at in range(2, len(words), len(_NUMBERS)))]
    heads = [[number(word.text) for word in words] for words in takewhile(lambda words: len(words) < 3, lines)]
    values = {words[2].text for words in lines if len(words) > 2}
    is_takuzu = builder.kind == "takuzu"
    if not values or (is_takuzu and "0" not in values):
        what = "a value of 0" if values else "a clue"
        builder.stop("F604", (text.end, text.end), f"expected {what}")
    if heads and heads[0][1:] == heads[0][:1]:
        lines[0] = lines[0][:1]
    needs_count = len(heads) != 1 or (heads[0][0] or 0) < _MIN_WITHOUT_COUNT
    reader = ClueReader(builder, lines, needs_count, 2 if is_takuzu else None, first_value=0 if is_takuzu else 1)
    if is_takuzu or not needs_count:
        reader.find_first_numbers()
    size, span, clues = reader.read(text.end)
    builder.reading = reader.reading(clues)
    if is_takuzu:
        return builder.takuzu(Shape(size, size, span), [clue._replace(value=clue.value - 1) for clue in clues])
    return builder.square(size, clues, span)


def _separated(line: Piece) -> list[Piece]:
    """The words of a line, between which commas can be, and a semicolon at its end."""
    content = line.text.rstrip(" \t")
    return line.part(0, len(content) - content.endswith((";", ","))).words(" \t,")


def _facts(text: Text, builder: PuzzleBuilder) -> list[list[Piece]]:
    """The size and the clues of an answer set program, as words of lines; nothing if the text begins otherwise."""
    tokens = list(text.piece.tokens(_FACTS)) if _FACT_START.match(text.data) else []
    if not tokens or tokens[0][0] == "unknown":
        return []
    sizes = [piece.matches(_DIGITS)[-1] for group, piece in tokens if group == "size"]
    facts = [piece for group, piece in tokens if group == "clue"]
    name = facts[0].text.partition("(")[0] if facts else "given"
    others = [piece for group, piece in tokens if group == "unknown"]
    others += [piece for piece in facts if piece.text.partition("(")[0] != name]
    others += [size for size in sizes if number(size.text) != number(sizes[0].text)]
    for piece in others[:1]:
        message = f"expected facts such as {name}(1,1,5), found '{shortened(piece.text)}'"
        builder.stop("F606", piece.span, message, "give the facts of one board, and its size in one fact")
    clues = [piece.part(piece.text.index("("), len(piece.text)).matches(_DIGITS) for piece in facts]
    if not sizes and clues:
        rows, columns = ({number(words[i].text) or 0: words[i] for words in clues} for i in (0, 1))
        if max(rows) != max(columns) or 0 in {*rows, *columns}:
            builder.stop("F604", span_of(clues[0]), f"expected a fact with the {_SIZE}")
        sizes = [rows[max(rows)]]
    return [sizes[:1], *clues]


@dataclass
class ClueReader:
    """Takes line after line, and keeps the clues."""

    builder: PuzzleBuilder
    lines: Sequence[Sequence[Piece]]
    needs_count: bool = True
    n_values: int | None = None  # None for as many as there are rows
    first: int = 1  # the lowest number of rows and columns
    first_value: int = 1
    names: Sequence[str] = _NUMBERS
    _size: int | None = field(default=None, init=False)  # as the file gives it, also when there is no such board
    _clues: dict[tuple[int, int], Given] = field(default_factory=dict, init=False)
    _n_found: int = field(default=0, init=False)
    _n_sound: int = field(default=0, init=False)
    _max_unsound: int = field(default=0, init=False)  # of the clues that the faulty lines can have been
    _has_zero: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._fault = self.builder.fault
        numbers = [[number(word.text) for word in words] for words in self.lines if len(words) == len(_NUMBERS)]
        self._numbers = [clue for clue in numbers if None not in clue]
        self._given_size = number(self.lines[0][0].text) if self.lines and self.lines[0] else None
        self._has_last = any(self._given_size in clue[:2] for clue in self._numbers)
        self._n_zeros = sum(0 in clue[:2] for clue in self._numbers)

    def find_first_numbers(self) -> None:
        """Find out whether the numbers count from 0 or from 1; stop if they can do both."""
        if not self._numbers or self._has_last or self._n_zeros == 1:
            return
        values = {clue[-1] for clue in self._numbers}
        size = self._given_size
        first_clue = next(words for words in self.lines if len(words) == len(_NUMBERS))
        has_values = self.n_values is not None or not values.isdisjoint((0, size))
        if not self._n_zeros or not has_values:
            what = "values" if self._n_zeros else "rows and columns"
            self._fault("F610", span_of(first_clue), f"the {what} can count from 0 or from 1", hint=_UNCLEAR_HINT)
            raise Unreadable
        self.first = 0
        if self.n_values is None and size not in values:
            self.first_value = 0

    def read(self, end: int) -> Clues:
        """Read all lines, and give the size and the clues if there are no faults of the form."""
        headers: dict[str, Sequence[Piece]] = {}
        missing = [_SIZE, _COUNT] if self.needs_count else [_SIZE]
        for words in self.lines:
            if missing and len(words) >= 3 and None not in [number(word.text) for word in words[:3]]:
                if len(headers.get(_SIZE, [_SIZE])) == 1:  # else the count is likely the second word of that line
                    self._fault("F604", span_of(words[:3]), f"expected the {' and the '.join(missing)}, found a clue")
                missing = []
            if not missing:
                self._clue_line(words)
            elif self._is_header(missing[0], words):
                headers[missing[0]] = words
                missing = missing[1:]
                self._size = number(headers[_SIZE][0].text)
            elif self.builder.collector.n_errors > _MAX_REMARKS:
                raise Unreadable
        if missing:
            self._fault("F604", (end, end), f"the file ends before the {missing[0]}")
        if _COUNT in headers:
            self._check_count(headers[_COUNT][0])
        if self._size is None:
            raise Unreadable
        return self._size, headers[_SIZE][0].span, [clue for clue in self._clues.values() if clue.value]

    def reading(self, clues: Sequence[Given]) -> str:
        """How the clues were read, in words."""
        more = f", values from {self.first_value}" if self.n_values is None and self.first_value > self.first else ""
        spans = [clue.span[0] for clue in clues]
        lines = [line for line, _ in self.builder.collector.source.places_of(spans).values()]
        more += f"; lines {min(lines)} to {max(lines)}" if lines else ""
        return f"{len(clues):,} clue{'s' * (len(clues) != 1)}, row column value, counted from {self.first}{more}"

    def _is_header(self, name: str, words: Sequence[Piece]) -> bool:
        """Whether a line was meant to hold the number called ``name``; its faults are reported."""
        first, *others = words
        is_number = number(first.text) is not None
        if not is_number:
            code = "F606" if others else "F607"
            self._fault(code, span_of(words), f"expected the {name} in digits, found '{_shown(words)}'")
        elif others:
            self._fault("F606", span_of(others), f"unexpected text '{_shown(others)}' after the {name}")
        return is_number or not others  # other words are a remark or a heading: the number may follow

    def _clue_line(self, words: Sequence[Piece]) -> None:
        n_errors = self.builder.collector.n_errors
        n_numbers = sum(number(word.text) is not None for word in words[:3])
        if number(words[0].text) is not None or n_numbers == 2:
            self._n_found += 1
            self._clue(words[:3], words[3:])
        else:
            self._fault("F606", span_of(words), f"expected a clue, found '{_shown(words)}'")
        if self.builder.collector.n_errors > n_errors:
            self._max_unsound += -(-len(words) // len(_NUMBERS))
        else:
            self._n_sound += 1

    def _clue(self, words: Sequence[Piece], rest: Sequence[Piece]) -> None:
        """Keep a clue, counted from 1, if its cell is known; its value is 0 if that is missing or wrong."""
        counted = [self._counted(name, word) for name, word in zip(self.names, words, strict=False)]
        span = span_of(words)
        if missing := self.names[len(words) :]:
            message = f"the clue '{_shown(words)}' has no {' and no '.join(missing)}"
            self._fault("F604", (span[1], span[1]), message, label="missing here")
        if rest:
            self._fault("F606", span_of(rest), f"unexpected text '{_shown(rest)}' after the clue '{_shown(words)}'")
        row, column, value = (*counted, 0, 0)[:3]
        if row and column and (earlier := self._clues.get((row, column))):
            self.builder.twice(Cell(row, column), span, earlier.span)
        elif row and column and len(self._clues) < MAX_SIZE**2:  # no board has more cells
            self._clues[row, column] = Given(row, column, value, span)

    def _counted(self, name: str, word: Piece) -> int:
        """The number of a row, a column or a value, counted from 1; 0 for a fault."""
        size, is_value = self._size or HUGE - 1, name == self.names[-1]
        first = self.first_value if is_value else self.first
        numbers = range(first, first + (self.n_values or size if is_value else size))
        value = number(word.text)
        if value is None:
            self._fault("F607", word.span, f"expected the {name} in digits, found '{_shown([word])}'")
            return 0
        if value in numbers:
            return value + 1 - first
        is_zero = value == 0 and not is_value
        if not (is_zero and self._has_zero and self._n_zeros > 1 and not self._has_last):  # else reported before
            self._has_zero |= is_zero
            last = "" if self._size is None else f" to {numbers[-1]}"
            message = f"expected a {name} from {first}{last}, found {_shown([word])}"
            self._fault("F603", word.span, message, _ZERO_HINT if is_zero else None)
        return 0

    def _check_count(self, word: Piece) -> None:
        """Compare the declared number of clues with those found, unless faulty lines explain a difference."""
        declared = number(word.text)
        if declared is not None and not 0 <= declared - self._n_sound <= self._max_unsound:
            message = f"the file says {_shown([word])} clue{'s' * (declared != 1)}, {self._n_found} follow"
            self._fault("F602", word.span, message)


def _shown(words: Sequence[Piece]) -> str:
    """The text of words as messages repeat it."""
    return shortened(" ".join([word.text for word in words[:10]]))


def _write(board: Square) -> str:
    """The clues, with the box of a Sudoku if that is no square, or the name of the kind where it is needed."""
    word = f" {board.KIND}" if needs_name(board) else ""
    if isinstance(board, Sudoku) and not board.has_square_boxes:
        word = f" {board.box_rows}x{board.box_columns}"
    clues = [f"{row} {column} {value}" for row, column, value in board.clues]
    return text_of([f"{board.size}{word}", str(len(clues)), *clues])


CLUES = Codec(_read, _write)
TRIPLES = Codec(_read_triples, min_size=_MIN_WITHOUT_COUNT)
