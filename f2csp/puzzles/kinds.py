"""The puzzles, listed once; each is imported when it is needed."""

from functools import cache
from importlib import import_module

from f2csp.puzzles.puzzle import Puzzle

KINDS = {
    "latin": "LatinSquare",
    "futoshiki": "Futoshiki",
    "sudoku": "Sudoku",
    "takuzu": "Takuzu",
    "jigsaw": "Jigsaw",
    "diagonal": "Diagonal",
    "killer": "Killer",
}
"""The class of each kind of puzzle, in the module of that name. A problem that is that of several puzzles is recognised
as the one that its title names, or else as the first.
"""


@cache
def puzzle_class(kind: str) -> type[Puzzle]:
    """The class of a kind of puzzle."""
    found: type[Puzzle] = getattr(import_module(f"f2csp.puzzles.{kind}"), KINDS[kind])
    return found
