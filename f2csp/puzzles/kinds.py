"""The puzzles, listed once."""

from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu

PUZZLES: tuple[type[Puzzle], ...] = (LatinSquare, Futoshiki, Sudoku, Takuzu, Jigsaw, Diagonal, Killer)
"""Where one problem is that of several puzzles, it is recognised as the first of them that its title names, or else as
the first of them."""
