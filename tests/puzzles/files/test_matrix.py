"""Sudokus and Latin squares as rows of numbers: what the first line says, and every fault with its place."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput, Source
from f2csp.puzzles.files.formats import Likeness, named_formats, read_puzzle, written
from f2csp.puzzles.files.matrix import looks_like
from f2csp.puzzles.files.reading import Wish
from f2csp.puzzles.files.text import Text
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Box, Sudoku
from tests.puzzles.files.places import Place, faults, messages, read
from tests.puzzles.strategies import in_row_order, latin_squares, sudokus

DATA = Path(__file__).parents[4] / "shared" / "puzzles"

ROWS = "1 0 3 0\n0 0 0 0\n0 4 0 2\n0 0 0 1\n"
CLUES = (Clue(1, 1, 1), Clue(1, 3, 3), Clue(3, 2, 4), Clue(3, 4, 2), Clue(4, 4, 1))
BOARD, SQUARE = Sudoku(4, 2, 2, clues=CLUES), LatinSquare(4, clues=CLUES)

a_head = st.sampled_from(["", "{0}\n", "{0} {0}\n", " {0}\t \n", "{0},{0}\r\n"])


def zeros(size: int) -> str:
    return ("0 " * size + "\n") * size


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        ROWS.replace("0", "."),
        ROWS.replace("0", "-"),
        ROWS.replace("0", "*"),
        ROWS.replace("0", "_"),
        ROWS.replace("0", "00").replace("3", "003"),
        ROWS.replace(" ", "\t"),
        ROWS.replace(" ", "   "),
        ROWS.replace(" ", ","),
        ROWS.replace(" ", ", "),
        ROWS.replace("\n", ",\n"),
        ROWS.replace("\n", "\r\n"),
        ROWS.replace("\n", " \n\n"),
        ROWS.removesuffix("\n"),
        f"\ufeff{ROWS}",
        f"4\n{ROWS}",
        f"4 4\n{ROWS}",
        f"\n 4\t4 \n\n{ROWS}",
        f"04\n{ROWS}",
    ],
)
def test_spellings_of_one_board(text: str) -> None:
    assert read(text, "sudoku:matrix") == BOARD
    assert read(text, "latin:matrix") == SQUARE
    assert read(text, "sudoku") == BOARD
    assert read(text, "latin") == SQUARE


# ---- The first line ------------------------------------------------------------------------------------------------


@given(sudokus(boxes=((2, 2), (3, 3), (4, 4))), a_head)
def test_the_first_line_of_a_sudoku_may_be_its_size(puzzle: Sudoku, head: str) -> None:
    text = head.format(puzzle.size) + written(puzzle, "sudoku:matrix")
    assert read(text, "sudoku:matrix") == in_row_order(puzzle)


@given(latin_squares(), a_head)
def test_the_first_line_of_a_latin_square_may_be_its_size(puzzle: LatinSquare, head: str) -> None:
    text = head.format(puzzle.size) + written(puzzle, "latin:matrix")
    assert read(text, "latin:matrix") == in_row_order(puzzle)


@given(sudokus())
def test_the_first_line_of_a_sudoku_may_be_its_box(puzzle: Sudoku) -> None:
    rows = written(puzzle, "sudoku:matrix").split("\n")[-puzzle.size - 1 :]
    text = "\n".join([f"{puzzle.box_rows} {puzzle.box_columns}", *rows])
    assert read(text, "sudoku:matrix") == in_row_order(puzzle)


@pytest.mark.parametrize(
    ("head", "size", "box"),
    [
        ("9 9", 9, (3, 3)),
        ("3 3", 9, (3, 3)),
        ("1 9", 9, (1, 9)),
        ("9 1", 9, (9, 1)),
        ("4 4", 4, (2, 2)),
        ("4 4", 16, (4, 4)),
        ("2 2", 4, (2, 2)),
        ("1 1", 1, (1, 1)),
        ("1 2", 2, (1, 2)),
        ("2 3", 6, (2, 3)),
        ("3 2", 6, (3, 2)),
        ("3 4", 12, (3, 4)),
    ],
)
def test_the_rows_tell_whether_two_numbers_are_the_board_or_a_box(head: str, size: int, box: Box) -> None:
    assert read(f"{head}\n{zeros(size)}", "sudoku:matrix") == Sudoku(size, *box)


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("0\n", Sudoku(1, 1, 1)),
        ("1\n", Sudoku(1, 1, 1, clues=(Clue(1, 1, 1),))),
        ("1\n0\n", Sudoku(1, 1, 1)),
        ("2 1\n0 0\n2 0\n", Sudoku(2, 2, 1, clues=(Clue(2, 1, 2),))),
    ],
)
def test_first_lines_of_tiny_sudokus(text: str, board: Sudoku) -> None:
    assert read(text, "sudoku:matrix") == board


@pytest.mark.parametrize("text", ["2 1\n0 0\n", "2\n2 1\n0 0\n", "2 2\n2 1\n0 0\n"])
def test_first_lines_of_tiny_latin_squares(text: str) -> None:
    assert read(text, "latin:matrix") == LatinSquare(2, clues=(Clue(1, 1, 2), Clue(1, 2, 1)))


def test_a_wish_goes_before_the_first_line() -> None:
    source = Source("", f"2 3\n{zeros(6)}".encode())
    assert read_puzzle(source, named_formats("sudoku:matrix"), Wish((3, 2))).puzzle == Sudoku(6, 3, 2)


# ---- Faults --------------------------------------------------------------------------------------------------------

BOTH: list[tuple[str, str, list[Place]]] = [
    ("a cell too few", ROWS.replace("0 4 0 2", "0 4 2"), [("F609", 3, 6, 6)]),
    ("a cell too much", ROWS.replace("0 4 0 2", "0 4 0 0 2"), [("F609", 3, 9, 10)]),
    ("a row too few", ROWS.replace("0 0 0 0\n", ""), [("F609", 4, 1, 1)]),
    ("a row too much", f"{ROWS}0 0 0 0\n", [("F609", 5, 1, 8)]),
    ("an empty field", ROWS.replace("0 4 0 2", "0,,0,2"), [("F609", 3, 7, 7)]),
    ("the size is wrong", f"5\n{ROWS}", [("F609", 1, 1, 2)]),
    ("the size is wrong twice", f"5 5\n{ROWS}", [("F609", 1, 1, 4)]),
    ("a word", ROWS.replace("4", "four"), [("F607", 3, 3, 7)]),
    ("a word twice", ROWS.replace("4", "x").replace("2", "x"), [("F607", 3, 3, 4)]),
    ("a word of two bytes", ROWS.replace("0 4", "é ä"), [("F607", 3, 1, 2), ("F607", 3, 3, 4)]),
    ("a negative number", ROWS.replace("4", "-1"), [("F607", 3, 3, 5)]),
    ("digits of another script", ROWS.replace("4", "٤"), [("F607", 3, 3, 4)]),
    ("too large", ROWS.replace("4", "5"), [("F603", 3, 3, 4)]),
    ("5000 digits", ROWS.replace("4", "9" * 5000), [("F603", 3, 3, 5003)]),
    ("several", "0 x 9 0\n0 0 0\n0 0 0 0\n0 0 0 0\n", [("F607", 1, 3, 4), ("F603", 1, 5, 6), ("F609", 2, 6, 6)]),
    ("size zero", f"0\n{ROWS}", [("F601", 1, 1, 2)]),
    ("size of 13 digits", f"1000000000000\n{ROWS}", [("F601", 1, 1, 14)]),
    ("too many columns", "0 " * 257, [("F601", 1, 1, 514)]),
    ("too many rows", "0\n" * 300, [("F601", 1, 1, 2)]),
    ("commas", ",,,\n", [("F601", 1, 1, 4)]),
    ("nothing", " \n", [("F604", 2, 1, 1)]),
]
SUDOKU: list[tuple[str, str, list[Place]]] = [
    ("no square box", zeros(6), [("F601", 1, 1, 12)]),
    ("the box is wrong", f"3 3\n{ROWS}", [("F609", 1, 1, 4)]),
    ("the box is wrong and no square", f"2 3\n{ROWS}", [("F609", 1, 1, 4)]),
    ("a row too few of a box", "2 2\n" + ROWS.replace("0 0 0 0\n", ""), [("F609", 5, 1, 1)]),
]
LATIN: list[tuple[str, str, list[Place]]] = [
    ("no square", f"4 5\n{ROWS}", [("F601", 1, 1, 4)]),
    ("a box", f"2 2\n{ROWS}", [("F609", 1, 1, 4)]),
]
FAULTS = [
    *(("sudoku:matrix", *fault) for fault in BOTH + SUDOKU),
    *(("latin:matrix", *fault) for fault in BOTH + LATIN),
]


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [(name, *fault) for name, _, *fault in FAULTS],
    ids=[f"{fault[0]} {fault[1]}" for fault in FAULTS],
)
def test_faults(name: str, text: str, places: list[Place]) -> None:
    assert faults(text, name) == places


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("0 " * 257, "the size of the board is 257x257, and sizes from 1 to 256 are converted", None),
        (f"3 4\n{ROWS}", "the size of the board is 3x4, and a board must be a square", None),
        (f"9999999999\n{ROWS}",
         "the size of the board is 1,000,000,000+x1,000,000,000+, and sizes from 1 to 256 are converted", None),
        (f"5\n{ROWS}", "a row of a 5x5 board has 5 cells, and each of the rows has 4", "correct the size, or the rows"),
        (ROWS.replace("4", "x"), "'x' is no number", "write a number, or . for a blank"),
        ("0\n" * 300, "there are 300 rows, and sizes from 1 to 256 are converted", None),
    ],
)  # fmt: skip
def test_messages_name_both_quantities(text: str, message: str, hint: str | None) -> None:
    assert messages(text, "latin:matrix") == [(message, hint)]


def test_givens_that_break_a_rule_are_warned_of_at_their_places() -> None:
    source = Source("", b"4\n1 0 3 0\n0 1 0 0\n0 4 0 2\n0 0 0 1\n")
    (warning,) = read_puzzle(source, named_formats("sudoku:matrix")).warnings
    assert (warning.code, warning.span.line, warning.span.column, warning.span.end_column) == ("F608", 3, 3, 4)
    assert read_puzzle(source, named_formats("latin:matrix")).warnings == ()


# ---- Writing and detection -----------------------------------------------------------------------------------------


def test_what_is_written() -> None:
    clue = (Clue(2, 3, 5),)
    assert (
        written(Sudoku(6, 2, 3, clues=clue), "sudoku:matrix") == "2 3\n0 0 0 0 0 0\n0 0 5 0 0 0\n" + "0 0 0 0 0 0\n" * 4
    )
    assert written(LatinSquare(3, clues=(Clue(1, 2, 3),)), "latin:matrix") == "0 3 0\n0 0 0\n0 0 0\n"
    assert written(LatinSquare(10, clues=(Clue(1, 1, 10),)), "latin:matrix").startswith("10  0  0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ROWS, Likeness.SOUND),
        (f"4\n{ROWS}", Likeness.SOUND),
        (f"2 2\n{ROWS}", Likeness.SOUND),
        (f"5\n{ROWS}", Likeness.SOUND),
        (ROWS.replace(" ", ","), Likeness.SOUND),
        (ROWS.replace("4", "x"), Likeness.SOUND),
        (ROWS.replace("0 4", "4"), Likeness.SOUND),
        (ROWS.replace("0 0 0 0\n", ""), Likeness.SOUND),
        (zeros(4), Likeness.FAINT),
        ("0 1\n1 0\n", Likeness.FAINT),
        ("1", Likeness.FAINT),
        ("9\n2\n1 1 5\n3 7 2\n", Likeness.FAINT),
        ("9\n4\n1 1 5\n3 7 2\n4 5 6\n7 8 9\n", Likeness.FAINT),
        ("4\nx00 < x01 - x02 - 3\n- - > -\n", Likeness.NONE),
        ("order 2\n0 -1\n-1 1\n", Likeness.NONE),
        ("003020600\n900305001\n", Likeness.FAINT),
        ("", Likeness.NONE),
    ],
)
def test_likeness(text: str, expected: Likeness) -> None:
    assert looks_like(Text.whole(Source("", text.encode()))) == expected


def test_a_square_that_could_be_two_puzzles_is_asked_about() -> None:
    with pytest.raises(InvalidInput) as caught:
        read(ROWS, "auto")
    assert [d.code for d in caught.value.diagnostics] == ["F614"]
    assert "latin:matrix" in caught.value.diagnostics[0].message


def test_latin_squares_that_people_have() -> None:
    path = DATA / "seeds.json"
    if not path.exists():
        pytest.skip("puzzle data not present")
    squares = [seed["given"] for seed in json.loads(path.read_text(encoding="utf-8")) if seed.get("kind") == "latin"]
    assert squares
    for rows in squares:
        text = "\n".join(" ".join(map(str, row)) for row in rows)
        found = {(row - 1, column - 1): value for row, column, value in read(text, "latin:matrix").clues}
        assert [[found.get((i, j), 0) for j in range(len(rows))] for i in range(len(rows))] == rows
