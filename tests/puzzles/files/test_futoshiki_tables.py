"""Futoshikis as tables: headings or none, and zeros that are too many do no harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.puzzles.files.formats import written
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Clue
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import futoshikis, in_row_order

TABLES = "futoshiki:tables"
TEXT = """3
0, 0, 3
0, 2, 0
0, 0, 0
# Horizontal constraints
1, 0
0, -1
0, 0
# Vertical constraints
0, 0, -1
0, 1, 0
"""
PUZZLE = Futoshiki(
    3,
    (
        Sign(Cell(1, 1), Cell(1, 2)),
        Sign(Cell(2, 3), Cell(1, 3)),
        Sign(Cell(2, 3), Cell(2, 2)),
        Sign(Cell(2, 2), Cell(3, 2)),
    ),
    clues=(Clue(1, 3, 3), Clue(2, 2, 2)),
)
HORIZONTAL, VERTICAL = "# Horizontal constraints\n", "# Vertical constraints\n"


def with_line(number: int, line: str) -> str:
    """The text with another line; numbers count from 1."""
    lines = TEXT.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


def test_1_is_smaller_and_minus_1_is_greater() -> None:
    assert read(TEXT, TABLES) == PUZZLE
    assert format_of(TEXT) == TABLES


@given(futoshikis(), st.data())
def test_zeros_that_are_too_many_do_no_harm(puzzle: Futoshiki, data: st.DataObject) -> None:
    cells, rest = written(puzzle, TABLES).split(HORIZONTAL)
    text = f"{cells}{HORIZONTAL}"
    for table, heading in zip(rest.split(VERTICAL), (VERTICAL, ""), strict=True):
        rows = table.splitlines()
        widened = [row + ", 0" * data.draw(st.integers(0, 2)) for row in rows]
        more = ["0, 0"] * data.draw(st.integers(0, 2)) if rows else []
        text += "".join(f"{row}\n" for row in widened + more) + heading
    assert read(text, TABLES) == in_row_order(puzzle)


@given(futoshikis(min_size=2))
def test_without_headings_the_tables_follow_each_other(puzzle: Futoshiki) -> None:
    text = written(puzzle, TABLES).replace(HORIZONTAL, "").replace(VERTICAL, "")
    assert read(text, TABLES) == in_row_order(puzzle)
    assert format_of(text, "futoshiki") == TABLES


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace(", ", ","),
        TEXT.replace(", ", " , "),
        TEXT.replace(", ", " "),
        TEXT.replace(", ", "\t"),
        TEXT.replace("\n", ",\n").replace("3,\n", "3\n", 1).replace("constraints,", "constraints"),
        TEXT.replace("constraints", ""),
        TEXT.replace("# H", "  #h").replace("# V", "## v"),
        f"# Easy\n{TEXT}",
        TEXT.replace("3\n", "3\n# Grid\n", 1),
        TEXT.replace(HORIZONTAL, f"{HORIZONTAL}# 0 = no constraint , 1 = (left < right), -1 = (left > right)\n"),
        TEXT.replace(HORIZONTAL, f"{HORIZONTAL}{HORIZONTAL}"),
        f"3\n0 0 3\n0 2 0\n0 0 0\n{VERTICAL}0 0 -1\n0 1 0\n{HORIZONTAL}1 0\n0 -1\n0 0\n",
    ],
)
def test_spellings_of_one_puzzle(text: str) -> None:
    assert read(text, TABLES) == PUZZLE
    assert format_of(text, "futoshiki") == TABLES


FAULTS: list[tuple[str, str, list[Place]]] = [
    # Signs beyond the board
    ("a column too many", with_line(6, "1, 0, 1"), [("F611", 6, 7, 8)]),
    ("two of them", with_line(6, "1, 0, 1, -1"), [("F611", 6, 7, 8), ("F611", 6, 10, 12)]),
    ("a row too many", with_line(8, "0, 0\n0, -1"), [("F611", 9, 4, 6)]),
    ("a row too many between rows", TEXT + "1\n", [("F611", 12, 1, 2)]),
    # What is no sign
    ("a number", with_line(6, "2, 0"), [("F610", 6, 1, 2)]),
    ("a sign of another format", with_line(6, "<, 0"), [("F610", 6, 1, 2)]),
    ("a plus", with_line(6, "+1, 0"), [("F610", 6, 1, 3)]),
    ("a word beyond the board", with_line(6, "1, 0, x"), [("F610", 6, 7, 8)]),
    # Tables that are too short
    ("a sign too few", with_line(6, "1"), [("F609", 6, 2, 2)]),
    ("a sign too few between rows", with_line(10, "0, 0"), [("F609", 10, 5, 5)]),
    ("nothing before a comma", with_line(10, "0,, -1"), [("F609", 10, 2, 3), ("F609", 10, 7, 7)]),
    ("a row of signs too few", TEXT.replace("0, -1\n0, 0\n", "0, -1\n"), [("F609", 7, 6, 6)]),
    ("cut off", TEXT.removesuffix("0, 1, 0\n"), [("F609", 10, 9, 9)]),
    ("cut off at the heading", TEXT[: TEXT.index("0, 0, -1")], [("F609", 10, 1, 1)]),
    # Headings
    ("the last heading missing", TEXT[: TEXT.index(VERTICAL)], [("F615", 9, 1, 1)]),
    ("the first heading missing", TEXT.replace(HORIZONTAL, ""), [("F609", 5, 1, 5), ("F615", 11, 1, 1)]),
    ("a heading twice", TEXT + HORIZONTAL + "0, 0\n", [("F615", 12, 1, 25)]),
    # Cells
    ("a cell too few", with_line(3, "0, 2"), [("F609", 3, 5, 5)]),
    ("a cell too many", with_line(3, "0, 2, 0, 0"), [("F609", 3, 10, 11)]),
    ("a row too few", TEXT.replace("0, 2, 0\n", ""), [("F609", 3, 8, 8)]),
    ("a row too many", with_line(4, "0, 0, 0\n0, 0, 1"), [("F609", 5, 1, 8)]),
    ("a word", with_line(3, "0, x, -1"), [("F607", 3, 4, 5), ("F607", 3, 7, 9)]),
    ("a value too large", with_line(3, "0, 4, 0"), [("F603", 3, 4, 5)]),
    ("another size", TEXT.replace("3\n", "4\n", 1), [("F609", 1, 1, 2)]),
    # Several at once, in the order of the text
    ("many", f"2\n0, 3\n0\n{HORIZONTAL}x\n1, 1\n{VERTICAL}-1\n",
     [("F603", 2, 4, 5), ("F609", 3, 2, 2), ("F610", 5, 1, 2), ("F611", 6, 4, 5), ("F609", 8, 3, 3)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, TABLES) == places


def test_messages_name_both_quantities_and_the_cure() -> None:
    assert messages(with_line(6, "1"), TABLES) == [
        ("row 1 of the table has 1 of the 2 numbers that are due", "write 0 for no sign")
    ]
    assert messages(TEXT.removesuffix("0, 1, 0\n"), TABLES) == [
        (
            "the table of the signs between rows has 1 of the 2 rows that are due",
            "add the rows that are missing; 0 is no sign",
        )
    ]
    assert messages(with_line(6, "1, 0, 1"), TABLES) == [
        ("the sign is beyond the board, which is 3x3", "remove it, or move it between two cells")
    ]
