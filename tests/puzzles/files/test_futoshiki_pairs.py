"""Futoshikis with pairs of cells: their numbers count from 0, row by row, and the cells of a pair touch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.puzzles.files.formats import written
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Clue
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import futoshikis, in_row_order

PAIRS = "futoshiki:pairs"
TEXT = """3
-1 -1 3
-1 2 -1
-1 -1 -1
4
0>3
2<1
5>8
7>8
"""
PUZZLE = Futoshiki(
    3,
    (
        Sign(Cell(2, 1), Cell(1, 1)),
        Sign(Cell(1, 3), Cell(1, 2)),
        Sign(Cell(3, 3), Cell(2, 3)),
        Sign(Cell(3, 3), Cell(3, 2)),
    ),
    clues=(Clue(1, 3, 3), Clue(2, 2, 2)),
)


def with_line(number: int, line: str) -> str:
    """The text with another line; numbers count from 1."""
    lines = TEXT.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


def test_cells_are_numbered_row_by_row_from_0() -> None:
    assert read(TEXT, PAIRS) == PUZZLE
    assert format_of(TEXT) == PAIRS


@given(futoshikis(), st.data())
def test_signs_in_any_order_and_spelling(puzzle: Futoshiki, data: st.DataObject) -> None:
    lines = written(puzzle, PAIRS).splitlines()
    n_signs = len(puzzle.signs)
    blank = st.sampled_from(["", " ", "\t", "  "])
    pairs = []
    for line in data.draw(st.permutations(lines[len(lines) - n_signs :])):
        greater, smaller = line.split(">")
        cells = [greater, ">", smaller] if data.draw(st.booleans()) else [smaller, "<", greater]
        pairs.append("".join(data.draw(blank) + part for part in (*cells, "")))
    assert read("\n".join(lines[: len(lines) - n_signs] + pairs), PAIRS) == in_row_order(puzzle)


def test_a_sign_that_stands_twice_counts_once() -> None:
    assert read(TEXT.replace("4\n0>3\n", "6\n0>3\n3<0\n0>3\n"), PAIRS) == PUZZLE


FAULTS: list[tuple[str, str, list[Place]]] = [
    # Signs
    ("cells that do not touch", with_line(6, "0>4"), [("F611", 6, 1, 4)]),
    ("the end of a row and the start of the next", with_line(6, "2 > 3"), [("F611", 6, 1, 6)]),
    ("two rows down", with_line(6, "0>6"), [("F611", 6, 1, 4)]),
    ("a cell and itself", with_line(6, " 4<4 "), [("F611", 6, 2, 5)]),
    ("counted from 1", with_line(6, "6 > 9"), [("F603", 6, 5, 6)]),
    ("two cells that are not there", with_line(6, "9>10"), [("F603", 6, 1, 2), ("F603", 6, 3, 5)]),
    ("a long number", with_line(6, f"0>{'1' * 5000}"), [("F603", 6, 3, 5003)]),
    ("contradicting", with_line(7, "3>0"), [("F612", 7, 1, 4)]),
    ("no sign", with_line(6, "0 3"), [("F606", 6, 1, 4)]),
    ("half a sign", with_line(6, "0>"), [("F606", 6, 1, 3)]),
    ("a negative cell", with_line(6, "-1>0"), [("F606", 6, 1, 5)]),
    ("another sign", with_line(6, "0≥3"), [("F606", 6, 1, 4)]),
    ("a chain", with_line(6, "0>3>6"), [("F606", 6, 1, 6)]),
    # The number of signs
    ("one too many", with_line(5, "5"), [("F602", 5, 1, 2)]),
    ("one too few", with_line(5, "3"), [("F602", 5, 1, 2)]),
    ("huge", with_line(5, "9" * 40), [("F602", 5, 1, 41)]),
    ("a word", with_line(5, "four"), [("F609", 5, 1, 5), ("F604", 6, 1, 4)]),
    ("beside it", with_line(5, "4 signs"), [("F609", 5, 1, 8), ("F604", 6, 1, 4)]),
    ("missing", TEXT.replace("4\n", "", 1), [("F604", 5, 1, 4)]),
    ("missing, no sign either", TEXT[: TEXT.index("4\n")], [("F604", 5, 1, 1)]),
    # The board
    ("a cell too few", with_line(3, "-1 2"), [("F609", 3, 5, 5)]),
    ("a cell too many", with_line(3, "-1 2 -1 -1 3"), [("F609", 3, 9, 13)]),
    ("without blanks", with_line(3, "-12-1"), [("F607", 3, 1, 6), ("F609", 3, 6, 6)]),
    ("a row too few", TEXT.replace("-1 2 -1\n", ""), [("F609", 4, 1, 1)]),
    ("a row too many", TEXT.replace("4\n", "-1 -1 -1\n4\n"), [("F609", 5, 1, 9)]),
    ("only the size", "3\n", [("F609", 2, 1, 1), ("F604", 2, 1, 1)]),
    ("another size", TEXT.replace("3\n", "4\n", 1), [("F609", 1, 1, 2)]),
    # Cells
    ("0 for a blank", with_line(3, "0 2 -1"), [("F603", 3, 1, 2)]),
    ("a value too large", with_line(3, "-1 4 -1"), [("F603", 3, 4, 5)]),
    ("a word", with_line(3, "-1 x -2"), [("F607", 3, 4, 5), ("F607", 3, 6, 8)]),
    # Several at once, in the order of the text
    ("many", "2\n3 -1\n-1\n5\n0>3\n1>0\n0>1\n", [("F603", 2, 1, 2), ("F609", 3, 3, 3), ("F602", 4, 1, 2),
     ("F611", 5, 1, 4), ("F612", 7, 1, 4)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, PAIRS) == places


def test_messages_name_both_quantities_and_the_cure() -> None:
    assert messages(with_line(6, "0>4"), PAIRS) == [
        (
            "the cells at row 1, column 1 and at row 2, column 2 do not touch",
            "a sign stands between two neighbours; the numbers of cells count from 0, row by row",
        )
    ]
    assert messages(with_line(6, "6>9"), PAIRS) == [
        ("the number of a cell is 9, and a 3x3 board has cells 0 to 8", "count the cells from 0, row by row")
    ]
    assert messages(with_line(5, "1"), PAIRS) == [
        ("declared 1 sign, found 4", "correct the number, or look for the sign that is missing or too much")
    ]
    assert messages(TEXT.replace("3\n", "4\n", 1), PAIRS) == [
        ("the size of the board is 4, and it has 3 rows of 3 cells", "write 3, or correct the rows")
    ]
