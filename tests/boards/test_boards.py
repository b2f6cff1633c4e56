"""Boards in no format: written with random decorations they are read again, or refused, and never read as another."""

import json
import random
from collections.abc import Callable

import pytest

from f2csp.diagnostics import InvalidInput
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from tests.boards.puzzle_texts import read, read_all

Rows = list[list[str]]

HEX = "0123456789ABCDEF"
ALPHABETS = {4: ["1234"], 9: ["123456789", "012345678"], 16: [HEX, HEX[1:] + "G", "ABCDEFGHIJKLMNOP"]}
BLANKS = ["0", ".", "-", "_", "*", "x", "?", "-1", "e"]


def sudoku_values(rng: random.Random, root: int) -> list[list[int]]:
    """A solved board, from 0."""
    size = root * root
    values = rng.sample(range(size), size)
    bands = [band * root + row for band in rng.sample(range(root), root) for row in rng.sample(range(root), root)]
    stacks = [band * root + row for band in rng.sample(range(root), root) for row in rng.sample(range(root), root)]
    return [[values[(root * (row % root) + row // root + column) % size] for column in stacks] for row in bands]


def joined(rows: Rows, separator: str) -> list[str]:
    width = max(len(cell) for row in rows for cell in row)
    return [separator.join(cell.rjust(width if " " in separator else 0) for cell in row) for row in rows]


def framed(rows: Rows) -> list[str]:
    root = {4: 2, 9: 3, 16: 4}[len(rows)]
    rule = "+" + ("-" * (2 * root + 1) + "+") * root
    lines = [rule]
    for i, row in enumerate(rows, 1):
        parts = [" ".join(row[at : at + root]) for at in range(0, len(row), root)]
        lines += ["| " + " | ".join(parts) + " |", *[rule] * (i % root == 0)]
    return lines


LAYOUTS: dict[str, Callable[[Rows], list[str]]] = {
    "words": lambda rows: joined(rows, " "),
    "commas": lambda rows: joined(rows, ", "),
    "characters": lambda rows: joined(rows, ""),
    "frame": framed,
    "python": lambda rows: ["puzzle = [", *[f"  [{', '.join(map(repr, row))}]," for row in rows], "]"],
    "minizinc": lambda rows: ["start=[|", *[f"{', '.join(row)} |" for row in rows], "|];"],
    "array2d": lambda rows: ["x = array2d(1..n, 1..n, [", *[f"{', '.join(row)}," for row in rows], "]);"],
    "nested": lambda rows: ["grid = [" + ", ".join(f"[{','.join(row)}]" for row in rows) + "]"],
    "strings": lambda rows: [*[f'"{"".join(row)}",' for row in rows]],
    "json": lambda rows: [json.dumps({"name": "a board", "board": rows})],
    "line": lambda rows: ["".join("".join(row) for row in rows) + "  from a book"],
}
HEADINGS = [[], ["Puzzle 7 (quite easy)"], ["# from a book"], ["Board:", ""], ["=========="]]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("size", ALPHABETS)
def test_decorated_boards_are_read_or_refused(layout: str, size: int) -> None:
    rng = random.Random(f"{layout} {size}")
    n_read = 0
    for _ in range(60):
        solved, alphabet, blank = sudoku_values(rng, int(size**0.5)), rng.choice(ALPHABETS[size]), rng.choice(BLANKS)
        is_kept = [[rng.random() < 0.4 for _ in range(size)] for _ in range(size)]
        if (blank == "0" and "0" in alphabet) or (blank == "e" and "E" in alphabet):
            continue
        kept = {solved[i][j] for i in range(size) for j in range(size) if is_kept[i][j]}
        if alphabet[0] == "0" and 0 not in kept:
            continue  # a board that counts from 1, as far as can be seen
        if blank == "-1" and layout in ("characters", "strings", "line"):
            continue
        cells = [
            [alphabet[value] if keep else blank for value, keep in zip(*row, strict=True)]
            for row in zip(solved, is_kept, strict=True)
        ]
        sizes = [[], [f"{size}"], [f"{size} {size}"], [f"N = {size};"]]
        head = [] if layout == "json" else [*rng.choice(HEADINGS), *rng.choice(sizes)]
        text = "\n".join([*head, *LAYOUTS[layout](cells), ""])
        expected = {
            Clue(i, j, solved[i - 1][j - 1] + 1)
            for i in range(1, size + 1)
            for j in range(1, size + 1)
            if is_kept[i - 1][j - 1]
        }
        try:
            found = read(text, "sudoku")
        except InvalidInput:
            continue
        n_read += 1
        assert set(found.clues) == expected, text
    assert n_read > 15 or size == 4


def test_several_boards_with_headings_and_solutions() -> None:
    rng = random.Random(5)
    texts, expected = [], []
    for number in range(1, 4):
        solved = sudoku_values(rng, 3)
        rows = [[f"{value + 1}" if rng.random() < 0.4 else "0" for value in row] for row in solved]
        expected.append("".join(map("".join, rows)))
        full = ["".join(f"{value + 1}" for value in row) for row in solved]
        texts += [f"Grid {number:02}", *map("".join, rows), "Solution", *full]
    found = read_all("\n".join(texts), "sudoku")
    assert ["".join(str(value or 0) for row in puzzle.grid() for value in row) for puzzle in found] == expected


SIX = ["1..0..", "..00.1", ".00.1.", "......", "00.1..", ".1..00"]


@pytest.mark.parametrize("blank", [".", "-", "_", "*", "x", " "])
@pytest.mark.parametrize("head", [["6"], ["6 6"], ["# Start of puzzle", "6 6"]])
def test_takuzus_below_their_size(blank: str, head: list[str]) -> None:
    text = "\n".join([*head, *SIX]).replace(".", blank) + "\n"
    expected = {Clue(i, j, int(c)) for i, row in enumerate(SIX, 1) for j, c in enumerate(row, 1) if c != "."}
    assert set(read(text, "takuzu").clues) == expected


@pytest.mark.parametrize(("zero", "one", "blank"), ["BW.", "BWe", "OX.", "OX-", ("0", "1", "<>")])
def test_takuzus_of_other_signs(zero: str, one: str, blank: str) -> None:
    signs = {"0": zero, "1": one, ".": blank}
    text = "6\n" + "\n".join(" ".join(signs[c] for c in row) for row in SIX)
    expected = {Clue(i, j, int(c)) for i, row in enumerate(SIX, 1) for j, c in enumerate(row, 1) if c != "."}
    assert set(read(text, "auto").clues) == expected


LISTED = {
    "futoshiki": [
        "1\n4 2\n0 0 0 0\n0 3 0 0\n0 0 0 0\n0 0 0 0\n1 1 1 2\n4 4 3 4\n",
        "4\nSTART:\n0;0;0;0\n0;3;0;0\n0;0;0;0\n0;0;0;0\nREL:\nA1;A2\nD4;C4\n",
        "4 x 4\n_ < _   _   _\n\n_   3   _   _\n\n_   _   _   _\n            v\n_   _   _   _\n",
        "0 < 0 - 0 - 0\n- - - - - - -\n0 - 3 - 0 - 0\n- - - - - - -\n0 - 0 - 0 - 0\n- - - - - - v\n0 - 0 - 0 - 0\n",
        " <     \n       \n  3    \n       \n       \n      v\n       \n",
    ],
    "takuzu": [
        "4\n1 2 0\n4 1 1\n",
        "#const n = 4. % the size\nx(1,2,0). x(4,1,1).\n",
    ],
    "latin": ["4\n0 1 0\n3 0 3\n", "4\n. 1 . .\n. . . .\n. . . .\n4 . . .\nthe end\n"],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in LISTED.items() for text in texts])
def test_puzzles_as_lists_and_pictures(kind: str, text: str) -> None:
    puzzle = read(text, kind)
    if isinstance(puzzle, Futoshiki):
        assert puzzle.clues == (Clue(2, 2, 3),)
        assert {(*sign.smaller, *sign.greater) for sign in puzzle.signs} == {(1, 1, 1, 2), (4, 4, 3, 4)}
    else:
        places = [(clue.row, clue.column) for clue in puzzle.clues]
        assert (places, puzzle.n_rows) == ([(1, 2), (4, 1)], 4)


GRID: list[list[dict[str, object]]] = [[{} for _ in range(4)] for _ in range(4)]


@pytest.mark.parametrize("remove", range(9))
def test_a_board_with_a_row_too_few_or_a_row_that_is_faulty_is_not_read(remove: int) -> None:
    rows = [
        "53..7....",
        "6..195...",
        ".98....6.",
        "8...6...3",
        "4..8.3..1",
        "7...2...6",
        ".6....28.",
        "...419..5",
        "....8..79",
    ]
    assert isinstance(read("\n".join(["Puzzle", *rows]), "sudoku"), Sudoku)
    for changed in ([], [rows[remove][:-1]], [rows[remove] + " easy"], [rows[remove] + "."], [rows[remove]] * 2):
        text = "\n".join(["Puzzle", *rows[:remove], *changed, *rows[remove + 1 :]])
        with pytest.raises(InvalidInput):
            read(text, "sudoku")
