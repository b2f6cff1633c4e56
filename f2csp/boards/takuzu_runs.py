"""Takuzus as runs of cells: 0, 1, and letters for runs of 1 to 26 blanks, as on puzzle-binairo.com."""

import re
from itertools import accumulate
from math import isqrt
from string import ascii_lowercase

from f2csp.boards.pieces import Text, span_of
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Shape
from f2csp.puzzles.puzzle import Puzzle

_RUNS = re.compile(r"[a-z01]+")


def _read(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read the cells row by row, and perhaps the solution.

        a0b1c1a0a0b1 0011101011000101

    The solution is behind a blank; it is compared with the givens and not kept.
    """
    words = text.filled_lines[0].words() if text.filled_lines else []
    if not words:
        builder.stop("F604", (text.end, text.end), "expected the cells of a Takuzu")
    word, *others = words
    if not _RUNS.fullmatch(word.text) or word.text.isdecimal() or word.text.isalpha():
        builder.stop("F610", word.span, "expected 0, 1 and letters for runs of blanks")
    ends = [*accumulate(1 + max(0, ascii_lowercase.find(sign)) for sign in word.text)]
    n_cells, size = ends[-1], isqrt(ends[-1])
    if size**2 != n_cells:
        builder.stop("F609", word.span, f"expected the cells of a square board, found {n_cells:,}")
    placed = zip(ends, word.text, word.starts(), strict=True)
    filled = [(end - 1, sign, start) for end, sign, start in placed if sign in "01"]
    for other in others[:1]:
        if not re.fullmatch(f"[01]{{{n_cells}}}", other.text) or any(other.text[at] != sign for at, sign, _ in filled):
            builder.fault("F606", other.span, "expected a solution of the puzzle")
    if others[1:]:
        builder.fault("F606", span_of(others[1:]), "unexpected text after the solution")
    givens = [Given(at // size + 1, at % size + 1, int(sign), (start, start + 1)) for at, sign, start in filled]
    return builder.takuzu(Shape(size, size, word.span), givens)


RUNS = Codec(_read, is_by_line=True, min_size=4)
