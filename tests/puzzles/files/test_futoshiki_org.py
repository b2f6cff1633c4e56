"""Futoshikis as on futoshiki.org: what a character means depends on its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput, Source
from f2csp.puzzles.files.formats import named_formats, read_puzzle, read_puzzles, written
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell, Clue
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import futoshikis, in_row_order

ORG = "futoshiki:org"
ROWS = [".(._.", "__^_v", "3_._.", "v____", "._.)2"]
TEXT = "".join(ROWS)
SOLVED = TEXT + "1(3_2__^_v3_2_1v____2_1)3"
PUZZLE = Futoshiki(
    3,
    (
        Sign(Cell(1, 1), Cell(1, 2)),
        Sign(Cell(1, 2), Cell(2, 2)),
        Sign(Cell(2, 3), Cell(1, 3)),
        Sign(Cell(3, 1), Cell(2, 1)),
        Sign(Cell(3, 3), Cell(3, 2)),
    ),
    clues=(Clue(2, 1, 3), Clue(3, 3, 2)),
)


def with_character(line: int, column: int, character: str) -> str:
    """The text with another character; lines and columns of the picture count from 1."""
    at = 5 * (line - 1) + column - 1
    return f"{TEXT[:at]}{character}{TEXT[at + 1 :]}"


@pytest.mark.parametrize("text", [TEXT, SOLVED, TEXT + "?" * 25])
def test_a_puzzle_with_its_solution_or_without(text: str) -> None:
    assert read(text, ORG) == PUZZLE
    assert format_of(text) == ORG


@given(st.lists(futoshikis(min_size=1, max_size=5), min_size=1, max_size=5))
def test_many_puzzles_stand_on_a_line_each(puzzles: list[Futoshiki]) -> None:
    text = "\r\n \r\n".join(f" {written(puzzle, ORG).rstrip()} " for puzzle in puzzles)
    source = Source("puzzles.txt", text.encode())
    found = list(read_puzzles(source, named_formats(ORG)))
    assert [one.puzzle for one in found if not isinstance(one, InvalidInput)] == [in_row_order(p) for p in puzzles]
    assert read_puzzle(source, named_formats(ORG), index=len(puzzles)).puzzle == in_row_order(puzzles[-1])


def test_values_beyond_9_are_letters() -> None:
    puzzle = Futoshiki(35, clues=(Clue(1, 1, 9), Clue(1, 2, 10), Clue(35, 35, 35)))
    text = written(puzzle, ORG)
    assert (text[0], text[2], text.rstrip()[-1]) == ("9", "A", "Z")
    assert read(text, ORG) == puzzle


FAULTS: list[tuple[str, str, list[Place]]] = [
    ("one character too few", TEXT[1:], [("F609", 1, 1, 25)]),
    ("one character too many", f"  {TEXT}_", [("F609", 1, 3, 29)]),
    ("part of the solution", SOLVED[:-3], [("F609", 1, 1, 48)]),
    ("one", "__", [("F610", 1, 1, 2)]),
    ("a sign in place of a cell", with_character(1, 3, "("), [("F611", 1, 3, 4)]),
    ("a sign between rows within one", with_character(1, 4, "^"), [("F611", 1, 4, 5)]),
    ("a sign within a row between two", with_character(2, 1, ")"), [("F611", 1, 6, 7)]),
    ("a sign between four cells", with_character(2, 2, "v"), [("F611", 1, 7, 8)]),
    ("a blank cell between cells", with_character(1, 2, "."), [("F610", 1, 2, 3)]),
    ("no sign in place of a cell", with_character(1, 3, "_"), [("F610", 1, 3, 4)]),
    ("a number between cells", with_character(1, 2, "1"), [("F610", 1, 2, 3)]),
    ("a small letter", with_character(1, 1, "a"), [("F610", 1, 1, 2)]),
    ("another alphabet", with_character(1, 1, "é")[:-1] + "4", [("F610", 1, 1, 2), ("F603", 1, 25, 26)]),
    ("zero", with_character(1, 1, "0"), [("F603", 1, 1, 2)]),
    ("a value too large", with_character(1, 1, "4"), [("F603", 1, 1, 2)]),
    ("a letter too large", with_character(1, 1, "A"), [("F603", 1, 1, 2)]),
    ("beside the puzzle", f"{TEXT} 17 easy", [("F606", 1, 27, 34)]),
    ("several", with_character(1, 2, "x")[:-1] + "9", [("F610", 1, 2, 3), ("F603", 1, 25, 26)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, ORG) == places


def test_faults_of_one_puzzle_do_not_hinder_the_next() -> None:
    source = Source("puzzles.txt", f"{TEXT}\n{TEXT[1:]}\n{TEXT}\n".encode())
    found = [isinstance(one, InvalidInput) for one in read_puzzles(source, named_formats(ORG))]
    assert found == [False, True, False]


def test_a_board_too_large_is_one_fault() -> None:
    assert faults("§" * 513**2, ORG) == [("F601", 1, 1, 513**2 + 1)]


def test_messages_name_both_quantities_and_the_cure() -> None:
    assert messages(TEXT[1:], ORG) == [
        ("the puzzle has 24 characters, and one of size 3 has 25, or 50 with its solution", "add what is missing")
    ]
    assert messages(SOLVED + "1", ORG) == [
        ("the puzzle has 51 characters, and one of size 3 has 25, or 50 with its solution", "remove what is too much")
    ]
    assert messages(with_character(1, 4, "^"), ORG) == [
        ("'^' stands where the sign right of row 1, column 2 is due", "write (, ) or _")
    ]
