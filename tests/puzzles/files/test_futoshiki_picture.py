"""Futoshikis as pictures: places decide what a sign is between, whatever blanks are there or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.puzzles.files.formats import written
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Clue
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import futoshikis, in_row_order

PICTURE = "futoshiki:picture"
TEXT = """0 < .   .   4
    ∧
.   .   . > .
v       V
3   0   2   .

.   . < .   .
"""
PUZZLE = Futoshiki(
    4,
    (
        Sign(Cell(1, 1), Cell(1, 2)),
        Sign(Cell(1, 2), Cell(2, 2)),
        Sign(Cell(2, 4), Cell(2, 3)),
        Sign(Cell(3, 1), Cell(2, 1)),
        Sign(Cell(3, 3), Cell(2, 3)),
        Sign(Cell(4, 2), Cell(4, 3)),
    ),
    clues=(Clue(1, 4, 4), Clue(3, 1, 3), Clue(3, 3, 2)),
)


def with_line(number: int, line: str) -> str:
    """The text with another line; numbers count from 1."""
    lines = TEXT.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


def test_places_of_cells_and_signs() -> None:
    assert read(TEXT, PICTURE) == PUZZLE
    assert written(PUZZLE, PICTURE) == TEXT.replace("0", ".").replace("v", "∨").replace("V", "∨")


@given(futoshikis(max_size=12))
def test_every_cell_and_sign_is_written_at_its_place(puzzle: Futoshiki) -> None:
    lines = written(puzzle, PICTURE).split("\n")
    last = len(str(puzzle.size)) - 1  # the place of a cell's last character
    distance = last + 4
    for row, column, value in puzzle.clues:
        end = distance * (column - 1) + last + 1
        assert lines[2 * row - 2][:end].endswith(str(value))
    for sign in puzzle.signs:
        (row, column), _ = sign.cells
        place = distance * (column - 1) + last
        if sign.is_horizontal:
            assert lines[2 * row - 2][place + 2] == ("<" if sign.smaller < sign.greater else ">")
        else:
            assert lines[2 * row - 1][place] == ("∧" if sign.smaller < sign.greater else "∨")
    assert len("".join(lines).replace(" ", "")) == _n_written(puzzle)


def _n_written(puzzle: Futoshiki) -> int:
    """How many characters there are for cells and signs."""
    return puzzle.size**2 + sum(len(str(clue.value)) - 1 for clue in puzzle.clues) + len(puzzle.signs)


@given(futoshikis(), st.integers(0, 9), st.booleans(), st.booleans(), st.sampled_from(["∧∨", "^v", "^V"]))
def test_spellings_of_one_picture(
    puzzle: Futoshiki, indentation: int, are_padded: bool, are_spaced: bool, arrows: str
) -> None:
    text = written(puzzle, PICTURE).translate(str.maketrans("∧∨", arrows))
    lines = [line for line in text.splitlines() if are_spaced or line]
    lines = [" " * indentation + line + "   " * are_padded if line else line for line in lines]
    assert read("\n".join(lines), PICTURE) == in_row_order(puzzle)


def test_numbers_of_two_digits_end_where_those_of_one_digit_do() -> None:
    first = "10 >  9    .    . < 10    .    .    .    .    ."
    others = [" .    .    .    .    .    .    .    .    .    ."] * 9
    across = (Sign(Cell(1, 2), Cell(1, 1)), Sign(Cell(1, 4), Cell(1, 5)))
    down = (Sign(Cell(2, 1), Cell(1, 1)), Sign(Cell(1, 2), Cell(2, 2)))
    clues = (Clue(1, 1, 10), Clue(1, 2, 9), Clue(1, 5, 10))
    expected = Futoshiki(10, (*across, *down), clues=clues)
    assert read("\n".join([first, " v    ^", *others]), PICTURE) == expected
    assert read("\n".join([*others, " 9    0    .    .    .    .    .    .    .    ."]), PICTURE) == Futoshiki(
        10, clues=(Clue(10, 1, 9),)
    )


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.replace("\n\n", "\n"),
        "0   0\n\n0   0\n",
        "0 < 0\n0   0\n",
    ],
)
def test_the_format_is_found(text: str) -> None:
    assert format_of(text, "futoshiki") == PICTURE


@pytest.mark.parametrize("text", [with_line(1, "0 < x   .   4"), with_line(3, ".  .   . > ."), with_line(2, "  ∧")])
def test_the_format_is_found_of_a_picture_with_a_fault(text: str) -> None:
    assert faults(text, "futoshiki") == faults(text, PICTURE)


FAULTS: list[tuple[str, str, list[Place]]] = [
    # Signs that are not between two cells
    ("after the last cell", with_line(1, "0 < .   .   4 >"), [("F611", 1, 15, 16)]),
    ("before the first cell", with_line(1, "< 0 < .   .   4"), [("F611", 1, 1, 2)]),
    ("beside its place", with_line(1, "0<  .   .   4"), [("F615", 1, 1, 3)]),
    ("in place of a cell", with_line(1, "0 < <   .   4"), [("F611", 1, 5, 6)]),
    ("an arrow between cells", with_line(1, "0 ∧ .   .   4"), [("F611", 1, 3, 4)]),
    ("below no cell", with_line(2, "  ∧"), [("F611", 2, 3, 4)]),
    ("beyond the last column", with_line(2, "    ∧           ∧"), [("F611", 2, 17, 18)]),
    ("above the first row", "∧\n" + TEXT, [("F611", 1, 1, 2)]),
    ("below the last row", TEXT + "        ∨\n", [("F611", 8, 9, 10)]),
    ("< between rows", with_line(2, "    <"), [("F611", 2, 5, 6)]),
    ("an indented line", with_line(4, "  v       v"), [("F611", 4, 3, 4)]),
    # What is no cell or sign
    ("a letter", with_line(3, ".   x   . > ."), [("F610", 3, 5, 6)]),
    ("no cell at all", with_line(3, "-   é   ? > *"), [("F610", 3, n, n + 1) for n in (1, 5, 9, 13)]),
    ("a sign of another kind", with_line(3, ".   . = . > ."), [("F610", 3, 7, 8)]),
    ("a letter between rows", with_line(2, "    x"), [("F610", 2, 5, 6)]),
    ("a row out of line", with_line(3, ".    .   . > ."), [("F615", 3, 6, 7)]),
    ("a tab", with_line(3, ".\t.   . > ."), [("F615", 3, 1, 4)]),
    # Rows that are too short or long, too few or many
    ("a cell missing at the end", with_line(5, "3   0   2"), [("F609", 5, 1, 10)]),
    ("a cell missing inside", with_line(5, "3       2   ."), [("F609", 5, 1, 14)]),
    ("a cell too many", with_line(5, "3   0   2   .   ."), [("F615", 5, 17, 18)]),
    ("a row missing", TEXT.removesuffix(".   . < .   .\n"), [("F609", 7, 1, 1)]),
    ("a row too many", TEXT + "\n.   .   .   .\n", [("F609", 9, 1, 14)]),
    # Values and signs that contradict
    ("a value too large", with_line(5, "3   0   5   ."), [("F603", 5, 9, 10)]),
    ("a long value", with_line(5, "333 0   5   ."), [("F615", 5, 1, 4)]),
    ("two signs at one place", with_line(2, "    ∧\n    ∨"), [("F612", 3, 5, 6)]),
    # Several at once, in the order of the text
    ("many", "5 ? 0 >\n  ∨\n0   x\n ∧\n", [("F603", 1, 1, 2), ("F610", 1, 3, 4), ("F611", 1, 7, 8), ("F611", 2, 3, 4),
     ("F610", 3, 5, 6), ("F611", 4, 2, 3)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, PICTURE) == places


def test_a_board_too_large_is_one_fault() -> None:
    row = "   ".join(["."] * 257)
    assert faults(f"{row} >\n∧ é\n" * 3, PICTURE) == [("F601", 1, 1, len(row) + 3)]


def test_messages_name_the_place_and_the_cure() -> None:
    assert messages(with_line(5, "3       2   ."), PICTURE) == [
        ("row 3 has 3 of the 4 cells that most rows have", "write 0 or . for a cell without a number")
    ]
    ((message, hint),) = messages(with_line(2, "  ∧"), PICTURE)
    assert message == "'∧' does not stand where a cell or a sign is due"
    assert hint is not None
    assert hint.startswith("cells are 4 characters apart")
