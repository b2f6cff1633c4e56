"""Sudokus as pictures: frames of all sorts, what is a row and what a frame, and every fault with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput, Source
from f2csp.puzzles.files.formats import Likeness, named_formats, read_puzzle, written
from f2csp.puzzles.files.reading import Wish
from f2csp.puzzles.files.sudoku_grid import looks_like
from f2csp.puzzles.files.text import Text
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Box, Sudoku
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import in_row_order, sudokus

NAME = "sudoku:grid"

ROWS = (
    *("..6...15.", "89...4...", "......9.."),
    *("3..46....", "..1..38..", "54......3"),
    *("...25...7", "1..3...6.", "..96..5.."),
)
BOARD = Sudoku(
    9,
    3,
    3,
    clues=tuple(
        Clue(row, column, int(cell))
        for row, cells in enumerate(ROWS, 1)
        for column, cell in enumerate(cells, 1)
        if cell != "."
    ),
)
PLAIN = "\n".join(ROWS)


def with_bars(bar: str, between: str = "", outside: bool = True) -> list[str]:
    """The rows with a bar after each three cells, and perhaps outside too."""
    parts = [[between.join(row[i : i + 3]) for i in (0, 3, 6)] for row in ROWS]
    return [f"{bar}{bar.join(part)}{bar}" if outside else bar.join(part) for part in parts]


def framed(rows: list[str], top: str, between: str, bottom: str) -> str:
    """The rows in a frame."""
    groups = ["\n".join(rows[i : i + 3]) for i in (0, 3, 6)]
    return "\n".join(line for line in (top, f"\n{between}\n".join(groups), bottom) if line)


PICTURES = {
    "plain": PLAIN,
    "zeros": PLAIN.replace(".", "0"),
    "dashes": PLAIN.replace(".", "-"),
    "stars": PLAIN.replace(".", "*"),
    "underscores": PLAIN.replace(".", "_"),
    "blanks between all": "\n".join(" ".join(row) for row in ROWS),
    "tabs between all": "\n".join("\t".join(row) for row in ROWS),
    "blanks between groups": "\n".join(f"{row[:3]} {row[3:6]}  {row[6:]}" for row in ROWS),
    "blank lines between groups": framed([*ROWS], "", "", ""),
    "bars and dashes": framed(with_bars("|", outside=False), "", "-------|-------|---", ""),
    "dashes alone": framed(with_bars("|", outside=False), "", "-----------", ""),
    "as many dashes as cells": framed([*ROWS], "", "-" * 9, ""),
    "as many dashes as cells, which are blanks": framed([row.replace(".", "-") for row in ROWS], "", "-" * 9, ""),
    "bars as many as dashes": framed(with_bars("|"), "|---|---|---|", "|---|---|---|", "|---|---|---|"),
    "plus": framed(with_bars("|"), "+---+---+---+", "+---+---+---+", "+---+---+---+"),
    "equals": framed(with_bars("|"), "+===+===+===+", "+===+===+===+", "+===+===+===+"),
    "stars as corners": framed(with_bars("|"), "*-----------*", "|---+---+---|", "*-----------*"),
    "points as corners": framed(
        with_bars("|", " "), ".-----.-----.-----.", ":-----+-----+-----:", "'-----'-----'-----'"
    ),
    "Unicode": framed(with_bars("│", " "), "┌─────┬─────┬─────┐", "├─────┼─────┼─────┤", "└─────┴─────┴─────┘"),
    "bold": framed(with_bars("┃", " "), "┏━━━━━┳━━━━━┳━━━━━┓", "┣━━━━━╋━━━━━╋━━━━━┫", "┗━━━━━┻━━━━━┻━━━━━┛"),
    "double": framed(with_bars("║"), "╔═══╦═══╦═══╗", "╠═══╬═══╬═══╣", "╚═══╩═══╩═══╝"),
    "bars without lines": "\n".join(with_bars("|")),
    "lines without bars": framed([*ROWS], "+---------+", "+---------+", "+---------+"),
    "a frame around all": "\n".join(("+---------+", *(f"|{row}|" for row in ROWS), "+---------+")),
    "a frame around each cell": "".join(f"|{'|'.join(row)}|\n{'+-' * 9}+\n" for row in ROWS),
    "lines of bars": framed(with_bars("|"), "", "|   |   |   |", ""),
    "sdk": f"#AMe\n#DEasy\n#\n{PLAIN}\n",
    "sections": f"#AMe\n[Puzzle]\n{PLAIN}\n[State]\n{PLAIN.replace('.', '1')}\n[PencilMarks]\n12,3,,4\n",
    "sections in small letters": f" [ puzzle ]\n{PLAIN}\n[state]\nx\n",
    "sections after": f"{PLAIN}\n[State]\n{PLAIN.replace('.', '1')}\n",
}


@pytest.mark.parametrize("text", PICTURES.values(), ids=PICTURES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_spellings_of_one_board(text: str, end: str) -> None:
    text = text.replace("\n", end)
    assert read(text, NAME) == BOARD
    assert format_of(text, "sudoku") in (NAME, "sudoku:matrix")
    assert read(text, "sudoku") == BOARD


def with_frame(puzzle: Sudoku, bar: str, rule: str, separator: str, is_closed: bool) -> str:
    """The puzzle as a picture that others would draw: any frame, with or without blanks between characters."""
    cells = {clue.cell: clue.value for clue in puzzle.clues}
    values = "123456789ABCDEFGHIJKLMNOP"
    lines = []
    for row in range(1, puzzle.size + 1):
        if row % puzzle.box_rows == 1 and (row > 1 or is_closed):
            lines.append(rule)
        parts = []
        for first in range(1, puzzle.size + 1, puzzle.box_columns):
            given = [cells.get((row, column)) for column in range(first, first + puzzle.box_columns)]  # type: ignore[call-overload]
            parts.append(separator.join("." if value is None else values[value - 1] for value in given))
        lines.append(bar.join(["", *parts, ""] if is_closed else parts))
    return "\n".join([*lines, rule] if is_closed else lines)


@given(
    sudokus(max_size=25, boxes=((2, 2), (3, 3), (5, 5), (2, 3), (3, 2), (2, 4), (4, 2), (3, 4), (4, 3))),
    st.sampled_from([("|", "+-+-+"), ("│", "├─┼─┤"), ("|", "-------|-------"), ("║", "═════")]),
    st.sampled_from(["", " "]),
    st.booleans(),
)
def test_frames_show_the_boxes(puzzle: Sudoku, frame: tuple[str, str], separator: str, is_closed: bool) -> None:
    assert read(with_frame(puzzle, *frame, separator, is_closed), NAME) == in_row_order(puzzle)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("|..|..|..|\n" * 6, (3, 2)),
        ("...|...\n" * 6, (2, 3)),
        ("......\n......\n------\n" * 3, (2, 3)),
        ("=\n......\n......\n......\n" * 2, (3, 2)),
        ("|1 2 . |. . .|\n|. . .|. . .|\n+--+\n" * 3, (2, 3)),
    ],
)
def test_bars_or_lines_are_enough(text: str, box: Box) -> None:
    found = read(text, NAME)
    assert isinstance(found, Sudoku)
    assert (found.box_rows, found.box_columns) == box


def test_a_wish_goes_before_the_frame() -> None:
    text = "..|..|..\n" * 6
    found = read_puzzle(Source("", text.encode()), named_formats(NAME), Wish((2, 3)))
    assert found.puzzle == Sudoku(6, 2, 3)
    jigsaw = "..|....\n....|..\n" * 3
    assert read_puzzle(Source("", jigsaw.encode()), named_formats(NAME), Wish((2, 3))).puzzle == Sudoku(6, 2, 3)


# ---- Rows and frames, characters and numbers -----------------------------------------------------------------------


def test_a_line_of_dashes_is_a_row_where_rows_are_missing() -> None:
    rows = [row.replace(".", "-") for row in ROWS]
    rows[2] = "-" * 9
    emptied = [clue for clue in BOARD.clues if clue.row != 3]
    assert list(read("\n".join(rows), NAME).clues) == emptied
    bars = [f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in rows]
    assert list(read("\n".join(bars), NAME).clues) == emptied
    assert list(read(framed(bars, "", "---+---+---", ""), NAME).clues) == emptied


def test_boards_of_nothing_but_dashes() -> None:
    assert read("----\n" * 4, NAME) == Sudoku(4, 2, 2)
    assert read("+--+--+\n|--|--|\n|--|--|\n+--+--+\n|--|--|\n|--|--|\n+--+--+\n", NAME) == Sudoku(4, 2, 2)


def test_a_line_of_dashes_is_no_row_where_blanks_are_others() -> None:
    rows = [*ROWS[:2], "-" * 9, *ROWS[3:]]
    assert faults("\n".join(rows), NAME) == [("F609", 9, 10, 10)]


@pytest.mark.parametrize("size", [16, 25])
def test_numbers_and_letters_mean_the_same(size: int) -> None:
    values = "123456789ABCDEFGHIJKLMNOP"
    numbers = [[(row + column) % size + 1 if row % 3 else 0 for column in range(size)] for row in range(size)]
    written_out = "\n".join(" ".join(str(value or ".") for value in row) for row in numbers)
    letters = "\n".join("".join(values[value - 1] if value else "." for value in row) for row in numbers)
    apart = "\n".join(" ".join(line) for line in letters.split("\n"))
    assert read(written_out, NAME) == read(letters, NAME) == read(apart, NAME)


@pytest.mark.parametrize("size", [16, 36])
def test_one_number_of_two_digits_is_enough(size: int) -> None:
    rows = [["."] * size for _ in range(size)]
    rows[3][2], rows[4][4] = "10", "7"
    text = "\n".join(map(" ".join, rows))
    assert read(text, NAME).clues == (Clue(4, 3, 10), Clue(5, 5, 7))


def test_values_from_zero_on_in_rows() -> None:
    rows = ["0123456789ABCDEF", *["." * 16] * 15]
    assert [clue.value for clue in read("\n".join(rows), NAME).clues] == list(range(1, 17))


# ---- Faults --------------------------------------------------------------------------------------------------------


def changed(line: int, old: str, new: str, text: str = PLAIN) -> str:
    """The text with a part of a line replaced once."""
    lines = text.split("\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines)


FRAMED = PICTURES["Unicode"]

FAULTS: list[tuple[str, str, list[Place]]] = [
    ("a cell too few", changed(3, "9", ""), [("F609", 3, 9, 9)]),
    ("a cell too much", changed(3, "9", "91"), [("F609", 3, 10, 11)]),
    ("two rows", changed(3, "9", "", changed(7, "7", "71")), [("F609", 3, 9, 9), ("F609", 7, 10, 11)]),
    ("a row too few", "\n".join(ROWS[1:]), [("F609", 8, 10, 10)]),
    ("a row too much", f"{PLAIN}\n{ROWS[0]}", [("F609", 10, 1, 10)]),
    ("two boards", f"{PLAIN}\n\n{PLAIN}", [("F609", 11, 1, 10)]),
    ("a heading", f"Number 1\n{PLAIN}", [("F606", 1, 1, 9)]),
    ("a remark", f"{PLAIN}\n  the end ", [("F606", 10, 3, 10)]),
    ("a letter", changed(2, "89", "8x"), [("F610", 2, 2, 3)]),
    ("a letter twice", changed(2, "89", "xx"), [("F610", 2, 1, 2)]),
    ("a letter in a frame", changed(3, "8 9", "8 x", FRAMED), [("F610", 3, 4, 5)]),
    ("a sign of two bytes in a frame", changed(3, "8 9", "8 ·", FRAMED), [("F610", 3, 4, 5)]),
    ("a letter and a row", changed(3, "9", "", changed(2, "89", "8x")), [("F609", 3, 9, 9), ("F610", 2, 2, 3)]),
    ("a digit that is too large", "1..5\n....\n....\n....", [("F603", 1, 4, 5)]),
    ("a number that is too large", "1 . 10 .\n. . . .\n. . . .\n. . . .", [("F603", 1, 5, 7)]),
    ("a word among numbers", "1 . 10 .\n. 12 . .\n. . xx .\n. 11 . .",
     [("F603", 1, 5, 7), ("F603", 2, 3, 5), ("F607", 3, 5, 7), ("F603", 4, 3, 5)]),
    ("no square box", "......\n" * 6, [("F601", 1, 1, 7)]),
    ("too many characters", ("." * 36 + "\n") * 36, [("F601", 1, 1, 37)]),
    ("too many numbers", (". " * 257 + "\n") * 257, [("F601", 1, 1, 514)]),
    ("a row that no board has", f"{PLAIN}\n{'x' * 300}", [("F601", 10, 1, 301)]),
    ("a frame that is not even", "..|....\n" * 6, [("F615", 1, 1, 8)]),
    ("bars that are not even", changed(2, "|...", "...|", "\n".join(with_bars("|"))), [("F615", 2, 1, 14)]),
    ("lines that are not even", "\n".join([*ROWS[:3], "+", *ROWS[3:7], "+", *ROWS[7:]]), [("F615", 5, 1, 10)]),
    ("boxes of too few cells", "..|..|..|..\n..|..|..|..\n--+--\n" * 4, [("F615", 1, 1, 12), ("F601", 1, 1, 12)]),
    ("no row", "+---+\n+---+", [("F604", 2, 6, 6)]),
    ("another section", f"[State]\n{PLAIN}", [("F604", 10, 10, 10)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert sorted(faults(text, NAME)) == sorted(places)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (f"{PLAIN}\n{PLAIN}", "a 9x9 board has 9 rows, and 18 stand here", "write one puzzle to a file"),
        (f"Number 1\n{PLAIN}", "a line of 7 cells stands beside the 9 rows of the board",
         "remove it, or begin it with #"),
        (("." * 36 + "\n") * 36,
         "the row has 36 cells, and one of a board with a character for each cell has at most 35",
         "write numbers, blanks between"),
        (changed(2, "|...", "...|", "\n".join(with_bars("|"))),
         "the frame does not part the board of 9 rows into boxes that are alike",
         "draw all boxes with 3 rows and 3 columns, or give the box with --box"),
    ],
)  # fmt: skip
def test_messages_name_both_quantities_and_the_cure(text: str, message: str, hint: str) -> None:
    assert messages(text, NAME) == [(message, hint)]


def test_givens_that_break_a_rule_are_warned_of_at_their_places() -> None:
    text = changed(3, "8 9", "8 6", FRAMED)
    (warning,) = read_puzzle(Source("", text.encode()), named_formats(NAME)).warnings
    assert (warning.code, warning.span.line, warning.span.column, warning.span.end_column) == ("F608", 3, 4, 5)
    assert [(mark.span.line, mark.span.column) for mark in warning.related] == [(2, 6)]


# ---- Writing and detection -----------------------------------------------------------------------------------------


def test_a_board_is_written_with_numbers_in_a_frame() -> None:
    puzzle = Sudoku(12, 3, 4, clues=(Clue(1, 1, 12), Clue(1, 5, 7), Clue(12, 12, 1)))
    lines = written(puzzle, NAME).split("\n")
    assert lines[:2] == [
        "+-------------+-------------+-------------+",
        "| 12  .  .  . |  7  .  .  . |  .  .  .  . |",
    ]
    assert [i for i, line in enumerate(lines) if line == lines[0]] == [0, 4, 8, 12, 16]


def test_boxes_of_one_row_are_not_drawn() -> None:
    assert written(Sudoku(2, 1, 2, clues=(Clue(1, 1, 2),)), NAME) == "+-----+\n| 2 . |\n| . . |\n+-----+\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, Likeness.SOUND) for text in PICTURES.values()),
        (changed(3, "9", ""), Likeness.SOUND),
        (changed(3, "9", "?"), Likeness.SOUND),
        ("\n".join(ROWS[1:]), Likeness.SOUND),
        (f"{PLAIN}\n{PLAIN}", Likeness.SOUND),
        (f"Number 1\n{PLAIN}", Likeness.SOUND),
        ("".join(ROWS), Likeness.NONE),
        ("0110\n....\n1001\n0..1\n", Likeness.FAINT),
        ("123\n231\n312\n", Likeness.FAINT),
        ("9\n2\n1 1 5\n3 7 2\n", Likeness.FAINT),
        ("4\nx00 < x01 - x02 - 3\n- - > -\n", Likeness.NONE),
        ("3x3:a5b6b8d8b3", Likeness.NONE),
        ("+---+\n", Likeness.NONE),
        ("", Likeness.NONE),
    ],
)
def test_likeness(text: str, expected: Likeness) -> None:
    assert looks_like(Text.whole(Source("", text.encode()))) == expected


def test_a_board_that_could_be_lines_is_asked_about() -> None:
    rows = ["1234" + "." * 12] * 16
    with pytest.raises(InvalidInput) as caught:
        read("\n".join(rows), "sudoku")
    assert [d.code for d in caught.value.diagnostics] == ["F614"]
    assert read("\n".join([*rows[:15], "5" + "." * 15]), "sudoku").n_rows == 16
