"""Futoshikis in tokens: lenient in width, strict in meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.puzzles.files.formats import written
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Clue
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import futoshikis, in_row_order

TOKEN = "futoshiki:token"
TEXT = """4
x00 - x01 < x02 - 3
> - - - - - -
x10 - x11 - x12 - x13
- - - - - <
4 - x21 - x22 - 2
- - - - - - - >
x30 - x31 > x32 - x33
"""
PUZZLE = Futoshiki(
    4,
    (
        Sign(Cell(1, 2), Cell(1, 3)),
        Sign(Cell(2, 1), Cell(1, 1)),
        Sign(Cell(2, 3), Cell(3, 3)),
        Sign(Cell(4, 4), Cell(3, 4)),
        Sign(Cell(4, 3), Cell(4, 2)),
    ),
    clues=(Clue(1, 4, 3), Clue(3, 1, 4), Clue(3, 4, 2)),
)


def with_line(number: int, line: str) -> str:
    """The text with another line; numbers count from 1."""
    lines = TEXT.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


def test_columns_of_signs_are_half_the_place_of_the_token() -> None:
    assert read(TEXT, TOKEN) == PUZZLE


@given(futoshikis(min_size=2), st.data())
def test_lines_between_rows_may_be_of_any_width(puzzle: Futoshiki, data: st.DataObject) -> None:
    lines = written(puzzle, TOKEN).splitlines()
    for i in range(2, len(lines), 2):
        tokens = lines[i].split()
        while tokens and tokens[-1] == "-" and data.draw(st.booleans()):
            tokens.pop()
        extra = ["-"] * data.draw(st.integers(0, 3)) if len(tokens) == 2 * puzzle.size - 1 else []
        lines[i] = " ".join(tokens + extra)
    assert read("\n".join(lines), TOKEN) == in_row_order(puzzle)


@given(futoshikis(min_size=2), st.data())
def test_a_sign_may_stand_at_either_place_of_its_column(puzzle: Futoshiki, data: st.DataObject) -> None:
    lines = written(puzzle, TOKEN).splitlines()
    for i in range(2, len(lines), 2):
        pairs = [[sign, "-"] if data.draw(st.booleans()) else ["-", sign] for sign in lines[i].split()[::2]]
        lines[i] = " ".join(token for pair in pairs for token in pair)
    assert read("\n".join(lines), TOKEN) == in_row_order(puzzle)


@given(futoshikis(max_size=5))
def test_one_line_with_backslashes(puzzle: Futoshiki) -> None:
    line = written(puzzle, TOKEN).replace("\n", "\\n")
    for text in (line, line.removesuffix("\\n"), f"{line}\n", f"\\n {line}"):
        assert read(text, TOKEN) == in_row_order(puzzle)
    assert format_of(written(PUZZLE, TOKEN).replace("\n", "\\n")) == TOKEN


@pytest.mark.parametrize("token", ["x00", "x", ".", "-", "_", "?", "x1", "4a", "-1", "٤", "é", "v"])
def test_whatever_is_no_number_is_a_blank_cell(token: str) -> None:
    assert read(TEXT.replace("x00", token), TOKEN) == PUZZLE


def test_a_blank_line_between_rows_is_one_without_signs() -> None:
    text = "3\nx - x - x\n\nx - 2 - x\n> - -\nx - x - x\n"
    expected = Futoshiki(3, (Sign(Cell(3, 1), Cell(2, 1)),), clues=(Clue(2, 2, 2),))
    assert read(text, TOKEN) == expected
    assert read(text.replace("\n", "\\n"), TOKEN) == expected


def test_blank_lines_anywhere_else_do_not_count() -> None:
    assert read(TEXT.replace("\n", "\n\n"), TOKEN) == PUZZLE
    assert read(TEXT.replace("\n", "\n \t\n", 2), TOKEN) == PUZZLE


FAULTS: list[tuple[str, str, list[Place]]] = [
    # Signs that are not between two cells
    ("below a column off the board", with_line(3, "> - - - - - - - <"), [("F611", 3, 17, 18)]),
    ("two of them", with_line(3, "> - - - - - - - < >"), [("F611", 3, 17, 18)]),
    ("a word off the board", with_line(3, "> - - - - - - - x"), [("F611", 3, 17, 18)]),
    ("after the last cell", with_line(2, "x00 - x01 < x02 - 3 <"), [("F611", 2, 21, 22)]),
    ("in place of a cell", with_line(2, "x00 - < < x02 - 3"), [("F611", 2, 7, 8)]),
    ("both in one column", with_line(3, "< > - - - - -"), [("F612", 3, 3, 4)]),
    # What is no sign
    ("an arrow", with_line(3, "^ - - - - - -"), [("F610", 3, 1, 2)]),
    ("a word between rows", with_line(3, "> - x - - - -"), [("F610", 3, 5, 6)]),
    ("a word between cells", with_line(4, "x10 = x11 - x12 - x13"), [("F610", 4, 5, 6)]),
    ("numbers between cells", with_line(4, "1 2 3 4 2 1 3"), [("F610", 4, n, n + 1) for n in (3, 7, 11)]),
    # Rows of another width
    ("a cell too few", with_line(4, "x10 - x11 - x12"), [("F609", 4, 16, 16)]),
    ("a sign too few", with_line(4, "x10 x11 - x12 - x13"), [("F609", 4, 20, 20)]),
    ("without blanks", with_line(4, "x10-x11-x12-x13"), [("F609", 4, 16, 16)]),
    ("a cell too many", with_line(4, "x10 - x11 - x12 - x13 - x14"), [("F609", 4, 23, 28)]),
    ("a remark", with_line(4, "x10 - x11 - x12 - x13 # row 2"), [("F609", 4, 23, 30)]),
    # Lines that are missing or too many
    ("cut off", TEXT[: TEXT.index("- - - - - - - >")], [("F609", 7, 1, 1)]),
    ("only the size", "4", [("F609", 1, 2, 2)]),
    ("no line between rows", TEXT.replace("> - - - - - -\n", ""), [("F615", 3, 1, 22)]),
    ("one line too many", f"{TEXT}- - -\n\nx\n", [("F606", 9, 1, 6)]),
    ("another size", TEXT.replace("4", "3", 1), [("F609", 1, 1, 2)]),
    ("another size and a row too long", with_line(2, "x - x - x - x - x").replace("4", "3", 1),
     [("F609", 2, 11, 18), ("F609", 4, 17, 22), ("F609", 6, 15, 18), ("F606", 7, 1, 16)]),
    # Values
    ("a value too large", with_line(4, "x10 - 5 - x12 - x13"), [("F603", 4, 7, 8)]),
    ("zero", with_line(4, "x10 - 0 - x12 - x13"), [("F603", 4, 7, 8)]),
    ("5000 digits", with_line(4, f"{'1' * 5000} - x - x - x"), [("F603", 4, 1, 5001)]),
    # Several at once, in the order of the text
    ("many", "2\nx = 3\n- ^ < > <\n< - 2 3\n-\n", [("F610", 2, 3, 4), ("F603", 2, 5, 6), ("F610", 3, 3, 4),
     ("F612", 3, 7, 8), ("F611", 3, 9, 10), ("F609", 4, 7, 8), ("F606", 5, 1, 2)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, TOKEN) == places


def test_columns_of_one_line_with_backslashes_are_those_of_that_line() -> None:
    line = r"2\né < 3\n< - - - >\nx - x"
    assert faults(line, TOKEN) == [("F603", 1, 8, 9), ("F611", 1, 19, 20)]
    assert faults(line.replace(r"\n", "\n"), TOKEN) == [("F603", 2, 5, 6), ("F611", 3, 9, 10)]


def test_messages_name_both_quantities_and_the_cure() -> None:
    assert messages(with_line(3, "> - - - - - - - <"), TOKEN) == [
        (
            "word 9 of the line belongs to column 5, and there are 4 columns",
            "remove it, or move it: every two words of the line belong to a column",
        )
    ]
    assert messages(with_line(4, "x10 - x11 - x12"), TOKEN) == [
        (
            "row 2 has 5 of the 7 words that are due: 4 cells with signs between",
            "write each cell and each sign as a word of its own, - for no sign",
        )
    ]
