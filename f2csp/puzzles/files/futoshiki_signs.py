"""The signs of a Futoshiki in a file, and the puzzle that they make with the givens."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from f2csp.puzzles.files.page import Piece, Span, span_of
from f2csp.puzzles.files.puzzle_builder import Given, Givens, PuzzleBuilder, of_kind
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE

PlacedSign = tuple[Sign, Span]
"""A sign and its place in the file; its cells need not be on the board."""

Words = Mapping[str, bool | None]
"""The words between two cells: True if the left or upper cell is smaller, and None for no sign."""


def futoshiki(builder: PuzzleBuilder, size: int, givens: Givens, signs: Iterable[PlacedSign], span: Span) -> Futoshiki:
    """The Futoshiki of this size, whose place is ``span``."""
    builder.check_size(span, MAX_SIZE, size)
    placed = tuple(_signs(builder, size, signs))
    return builder.build(lambda clues: Futoshiki(size, placed, clues=clues), givens, (size, size), range(1, size + 1))


def _signs(builder: PuzzleBuilder, size: int, signs: Iterable[PlacedSign]) -> Iterable[Sign]:
    """The signs on the board; one that points off the board, or contradicts another, is a fault."""
    known: dict[tuple[Cell, Cell], PlacedSign] = {}
    for sign, span in signs:
        off = [cell for cell in sign if not (1 <= cell.row <= size and 1 <= cell.column <= size)]
        if off:
            inner = sign.greater if off[0] == sign.smaller else sign.smaller
            message = f"the sign at {inner} points off the board, to {off[0]}"
            builder.fault("F611", span, message, hint="remove the sign, or move it between two cells")
            continue
        earlier, place = known.setdefault(sign.cells, (sign, span))
        if earlier.smaller != sign.smaller:
            message = f"the signs between {sign.smaller} and {sign.greater} contradict each other"
            marks = [(*place, "the earlier sign")]
            builder.fault("F612", span, message, related=marks, hint="keep one of the two signs")
    return [sign for sign, _ in known.values()]


@lru_cache(maxsize=4096)
def _sign(row: int, column: int, is_across: bool, is_less: bool) -> Sign:
    """The sign right of a cell or below it; kept, for files of many small puzzles have the same ones."""
    first, second = Cell(row, column), Cell(row, column + 1) if is_across else Cell(row + 1, column)
    return Sign(first, second) if is_less else Sign(second, first)


class SignBoard:
    """Collects the givens and signs of a Futoshiki; a sign is one of ``across`` in a row, one of ``down`` below it."""

    def __init__(self, size: int, builder: PuzzleBuilder, across: Words, down: Words) -> None:
        self.size, self.fault = size, builder.fault
        self.givens: list[Given] = []
        self.signs: list[PlacedSign] = []
        self._across, self._down = across, down
        self._signs = {sign for sign, is_less in (*across.items(), *down.items()) if is_less is not None}

    def is_sign(self, text: str) -> bool:
        """Whether a word is a sign, in a row or between rows."""
        return text in self._signs

    def give(self, row: int, column: int, value: int, piece: Piece) -> None:
        """Take the value of a cell."""
        self.givens.append(Given(row, column, value, piece.span))

    def take_sign(self, row: int, column: int, piece: Piece, *, is_across: bool) -> None:
        """Take what is right of a cell or below it: a sign, or the word for none."""
        words = self._across if is_across else self._down
        if piece.text not in words:
            where = "two cells of a row" if is_across else "two rows"
            self.refuse(piece, f"a sign between {where}", f"write one of {' '.join(words)}")
        elif (is_less := words[piece.text]) is not None:
            self.signs.append((_sign(row, column, is_across, is_less), piece.span))

    def refuse(self, piece: Piece, expected: str, hint: str, otherwise: str = "F610") -> None:
        """Report a word in the wrong place: a sign, or another word."""
        code = "F611" if self.is_sign(piece.text) else otherwise
        self.fault(code, span_of([piece]), f"expected {expected}, found '{piece.text}'", hint=hint)


def picture_words(puzzle: Puzzle, blank: str, across: Sequence[str], down: Sequence[str]) -> list[list[str]]:
    """The picture's lines, with 2N - 1 words on each: for the cells, the signs, and the places with neither.

    The words ``across``, between two cells of a row, are: no sign, the left cell smaller, the right one; the words
    ``down``, below a cell, likewise.
    """
    board = of_kind(puzzle, Futoshiki)
    n = 2 * board.size - 1
    lines = [[down[0]] * n if i % 2 else ([blank, across[0]] * board.size)[:n] for i in range(n)]
    for row, column, value in board.clues:
        lines[2 * row - 2][2 * column - 2] = str(value)
    for sign in board.signs:
        (row, column), _ = sign.cells
        order = 1 if sign.smaller < sign.greater else 2
        if sign.is_horizontal:
            lines[2 * row - 2][2 * column - 1] = across[order]
        else:
            lines[2 * row - 1][2 * column - 2] = down[order]
    return lines
