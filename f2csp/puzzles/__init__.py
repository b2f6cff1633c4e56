"""Puzzles as problems, one file per puzzle."""

KINDS = {
    "sudoku": "Sudoku",
    "latin": "Latin square",
    "futoshiki": "Futoshiki",
    "jigsaw": "Jigsaw Sudoku",
    "diagonal": "Diagonal Sudoku",
    "killer": "Killer Sudoku",
    "takuzu": "Takuzu",
    "skyscrapers": "Skyscrapers",
    "kenken": "KenKen",
    "kakuro": "Kakuro",
    "nonogram": "Nonogram",
}
"""The kinds of puzzles: their modules, which are the names of commands, too, and their names in titles."""
